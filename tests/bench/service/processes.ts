/** Starts the measured processes, sends requests to them, and reads their processor time. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { programArguments } from '../../../src/programs/programArguments.ts'
import type { StoreAddress } from '../../../src/service/sql/openStore.ts'
import type { Provider } from './provider.ts'

const PROJECT = join(import.meta.dirname, '../../..')
/** The number of connections, which stay open. Each has one request at a time. */
const AT_ONCE = 8
/** The unit of processor time in `/proc`. */
const TICK_MS = 10

export type Asked = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
}>
export type Answer = Readonly<{
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}>

export type Measured = Readonly<{
  url: string
  /** The processor time of the process since its start, in milliseconds. */
  processorMs: () => Promise<number>
  close: () => Promise<void>
}>
export type MeasuredService = Measured & Readonly<{ memoryBytes: () => Promise<number> }>

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

export async function ask(url: string, { method, path, headers, body }: Asked): Promise<Answer> {
  const sent = body === undefined ? undefined : Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const asked = request(url + path, {
    method,
    agent,
    headers: {
      ...(sent === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
      ...headers,
    },
  })
  asked.end(sent)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8')
  for await (const part of response) text += part as string
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

/** Sends requests, several at once. Throws at any other status, because such an answer has another cost. */
export async function askAll(
  url: string,
  status: number,
  asked: readonly Asked[],
  heard: (answer: Answer, index: number) => void = () => {},
): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let index = next++; index < asked.length; index = next++) {
      const one = asked[index]
      if (one === undefined) return
      const answer = await ask(url, one)
      if (answer.status !== status)
        throw new Error(`${one.method} ${one.path}: ${String(answer.status)} ${answer.text.slice(0, 300)}`)
      heard(answer, index)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Starts a program. Resolves once `take` returns a value for a line of its output. `close` ends the program. */
async function start<Told>(
  file: string,
  args: readonly string[],
  { project = PROJECT, ...options }: Readonly<{ cwd: string; env: NodeJS.ProcessEnv; project?: string }>,
  take: (line: string) => Told | null,
): Promise<Readonly<{ told: Told; close: () => Promise<void> }>> {
  const [starter = '', ...words] = programArguments(file, ...args)
  const child = spawn(process.execPath, [join(project, relative(PROJECT, starter)), ...words], {
    cwd: options.cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...options.env },
  })
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)
  const told = await new Promise<Told>((resolve, reject) => {
    lines.on('line', (line) => {
      const taken = take(line)
      if (taken !== null) resolve(taken)
    })
    ended.then(
      () => reject(new Error(`${file} ended before it listened`)),
      () => {},
    )
  })
  // From here on, the log is only discarded.
  lines.close()
  child.stdout.resume()
  return {
    told,
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}

/**
 * Starts the service like `npm run service`, with its log, limits and metrics.
 *
 * @param project the folder of its sources; by default, this project
 */
export async function startService(
  address: StoreAddress,
  {
    provider,
    folder,
    secret,
    more = {},
    project = PROJECT,
  }: Readonly<{
    provider: Provider
    folder: string
    secret: string
    more?: Readonly<Record<string, string>>
    project?: string
  }>,
): Promise<MeasuredService> {
  const pages = join(folder, 'dist/production/www')
  await mkdir(pages, { recursive: true })
  for (const name of ['taskpane.html', 'index.html', 'launch.html', 'launch.js', 'launch-guard.js'])
    await writeFile(join(pages, name), '')
  const { told, close } = await start(
    'src/service/main.ts',
    [],
    {
      project,
      cwd: folder,
      env: {
        ...(address.kind === 'postgres'
          ? { DATABASE_URL: address.url }
          : { SIGNET_EMBEDDED: 'accept', SIGNET_DATA: address.folder ?? '' }),
        SIGNET_PUBLIC_URL: 'https://signet.northwind.example',
        SIGNET_LISTEN: '127.0.0.1:0',
        SIGNET_INTERNAL_LISTEN: '127.0.0.1:0',
        SIGNET_TENANTS: provider.tenant,
        SIGNET_AUTHORITY: provider.authority,
        SIGNET_CLIENT_ID: provider.clientId,
        SIGNET_SCOPE: provider.scope,
        SIGNET_SECRET: secret,
        ...more,
      },
    },
    (line) => {
      const told = JSON.parse(line) as { url?: string; internalUrl?: string }
      const { url, internalUrl } = told
      return url === undefined || internalUrl === undefined ? null : { url, internalUrl }
    },
  )
  const metric = async (name: string): Promise<number> => {
    const { text } = await ask(told.internalUrl, { method: 'GET', path: '/metrics' })
    const value = new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]
    if (value === undefined) throw new Error(`There is no metric ${name}`)
    return Number(value)
  }
  return {
    url: told.url.replace('localhost', '127.0.0.1'),
    processorMs: async () => 1000 * (await metric('process_cpu_seconds_total')),
    memoryBytes: () => metric('process_resident_memory_bytes'),
    close,
  }
}

export async function startBare(databaseUrl: string, publicKey: string): Promise<Measured> {
  const { told, close } = await start(
    'tests/bench/service/bareServer.ts',
    [databaseUrl, publicKey],
    { cwd: PROJECT, env: {} },
    (line) => JSON.parse(line) as { listening: string },
  )
  return {
    url: told.listening,
    processorMs: async () => {
      const { text } = await ask(told.listening, { method: 'GET', path: '/processor' })
      return (JSON.parse(text) as { ms: number }).ms
    },
    close,
  }
}

/** Sends the requests of a file from a separate process (`load.ts`). Resolves with their duration in milliseconds. */
export async function loadMs(file: string): Promise<number> {
  const { told, close } = await start(
    'tests/bench/service/load.ts',
    [file],
    { cwd: PROJECT, env: {} },
    (line) => JSON.parse(line) as { ms: number },
  )
  await close()
  return told.ms
}

/**
 * Reads the processor time of a PostgreSQL server on this machine, summed over its processes, in steps of 10 ms. It is
 * null where `/proc` does not have it.
 */
export async function watchPostgres(databaseUrl: string): Promise<() => Promise<number | null>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const backend = await statOf(rows[0]?.pid ?? 0)
  await client.end()
  const server = backend?.isPostgres === true ? backend.parent : null
  return async () => {
    if (server === null) return null
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    let ticks = 0
    for (const id of processes) {
      const stat = await statOf(id)
      if (stat === null) continue
      if (id === server) ticks += stat.own + stat.ended
      else if (stat.parent === server) ticks += stat.own
    }
    return ticks * TICK_MS
  }
}

/** The process's `own` time and the time of its `ended` children, in ticks; null if there is no such process. */
async function statOf(id: number) {
  try {
    const text = await readFile(`/proc/${String(id)}/stat`, 'utf8')
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(text) ?? []
    const fields = rest.split(' ')
    const field = (at: number) => Number(fields[at])
    return {
      isPostgres: name.startsWith('postgres'),
      parent: field(1),
      own: field(11) + field(12),
      ended: field(13) + field(14),
    }
  } catch {
    return null
  }
}
