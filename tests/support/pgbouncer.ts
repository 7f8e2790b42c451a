/**
 * PgBouncer in transaction mode in front of a PostgreSQL server, for tests. It ends with the process that started it.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { asUnprivileged, end, freePort, UNPRIVILEGED, untilInputEnds } from './postgres.ts'

export type Pooler = Readonly<{
  /** Converts a database URL to its URL through the pooler. */
  before: (url: string) => string
  close: () => Promise<void>
}>

const HOW_TO_GET_ONE =
  'The tests need PgBouncer: install the package of your system (on Debian: apt-get install pgbouncer, which root ' +
  'gets by itself), so that pgbouncer is in the PATH or in /usr/sbin.'

/** @throws Error that explains how to get a PgBouncer */
export async function startPooler(server: string): Promise<Pooler> {
  const program = find() ?? install()
  const { hostname, port, username, password } = new URL(server)
  const folder = await mkdtemp(join(tmpdir(), 'signet-pgbouncer-'))
  const listen = await freePort()
  const target = [
    ...['host', hostname, 'port', port === '' ? '5432' : port],
    ...['user', decodeURIComponent(username)],
    ...(password === '' ? [] : ['password', decodeURIComponent(password)]),
  ]
  const pairs = target.flatMap((name, at) =>
    at % 2 === 0 ? [`${name}='${(target[at + 1] ?? '').replaceAll("'", "''")}'`] : [],
  )
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    ...[
      'pool_mode = transaction',
      'auth_type = any',
      'listen_addr = 127.0.0.1',
      `listen_port = ${String(listen)}`,
    ],
    ...['unix_socket_dir =', 'max_client_conn = 2000', 'server_idle_timeout = 5', 'log_connections = 0'],
    ...['log_disconnections = 0', 'log_pooler_errors = 0'],
  ]
  await writeFile(file, ['[databases]', `* = ${pairs.join(' ')}`, '[pgbouncer]', ...settings, ''].join('\n'))
  if (asUnprivileged.uid !== undefined)
    for (const path of [folder, file]) await chown(path, UNPRIVILEGED, UNPRIVILEGED)

  const [command = '', ...args] = untilInputEnds('TERM', [program, file])
  const pooler = spawn(command, args, { ...asUnprivileged, cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] })
  const told: string[] = []
  for await (const line of createInterface(pooler.stderr)) {
    told.push(line)
    if (!line.includes('process up')) continue
    pooler.stderr.resume()
    return {
      before: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(listen) }).href,
      close: async () => {
        await end(pooler, 'SIGTERM')
        await rm(folder, { recursive: true, force: true })
      },
    }
  }
  throw new Error(`${program} ended: ${told.join('\n')}`)
}

function find(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path)) ?? null
}

/** Installs Debian's package as root. */
function install(): string {
  const problems: string[] = []
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version'))
    try {
      for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'pgbouncer']]) {
        process.stderr.write(`No PgBouncer found. Running: apt-get ${args.join(' ')}\n`)
        execFileSync('apt-get', args, {
          stdio: ['ignore', process.stderr, process.stderr],
          env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        })
      }
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  const installed = find()
  if (installed === null) throw new Error([HOW_TO_GET_ONE, ...problems].join('\n'))
  return installed
}
