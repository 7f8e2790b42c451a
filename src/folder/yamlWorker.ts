import { parentPort } from 'node:worker_threads'
import { answerYamlTask, type YamlTask } from './yamlTasks.ts'

// The thread that reads and writes large YAML files (yamlApart.ts).

parentPort?.on('message', (task: YamlTask) => parentPort?.postMessage(answerYamlTask(task)))
