/** Repeats the requests of a file, as a separate process: `load.ts <file>` prints `{"ms": …}`. */
import { readFile } from 'node:fs/promises'
import { type Asked, askAll } from './processes.ts'

export type Load = Readonly<{ url: string; status: number; asked: readonly Asked[]; times: number }>

const [file = ''] = process.argv.slice(2)
const { url, status, asked, times } = JSON.parse(await readFile(file, 'utf8')) as Load
await askAll(url, status, asked)
const before = performance.now()
for (let time = 0; time < times; time += 1) await askAll(url, status, asked)
console.log(JSON.stringify({ ms: performance.now() - before }))
process.exit(0)
