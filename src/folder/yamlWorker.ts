import { parentPort } from 'node:worker_threads'
import { answerTo, type YamlTask } from './yamlTasks.ts'

// The thread in which large files of YAML are read and written (yamlApart.ts).

parentPort?.on('message', (task: YamlTask) => parentPort?.postMessage(answerTo(task)))
