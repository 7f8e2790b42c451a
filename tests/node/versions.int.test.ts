import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { start } from '../programs/project.ts'

// A fresh clone with the versions of Node that are recommended. npm's package `node` brings them.

const PROJECT = join(import.meta.dirname, '../..')

/** The environment of a shell: without what npm and Vitest tell their own processes. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|LONG$|NODE_ENV$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/.test(name),
  ),
)

/** The folder of this version's `node`. */
function findNode(version: string): string {
  const command = ['--yes', `--package=node@${version}`, '--', 'node', '--print', 'process.execPath']
  try {
    const path = execFileSync('npx', command, { cwd: tmpdir(), env: environment, encoding: 'utf8' })
    return dirname(path.trim())
  } catch (error) {
    throw new Error(
      `There is no Node ${version}. npm's registry has it as the package "node": npx ${command.slice(0, 2).join(' ')} node --version has to answer. ${String(error)}`,
      { cause: error },
    )
  }
}

describe.each(['22', '24'])('Node %s', (version) => {
  let clone: string
  let run: (command: string, ...args: readonly string[]) => ReturnType<typeof start>

  beforeAll(() => {
    const env = { ...environment, PATH: [findNode(version), process.env['PATH']].join(delimiter) }
    clone = mkdtempSync(join(tmpdir(), `signet-node-${version}-`))
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: PROJECT,
      encoding: 'utf8',
    })
    for (const file of files.split('\0'))
      if (file !== '' && existsSync(join(PROJECT, file))) cpSync(join(PROJECT, file), join(clone, file))
    run = (command, ...args) => start(clone, command, args, { env, detached: true })
  }, 300_000)
  afterAll(() => {
    rmSync(clone, { recursive: true, force: true })
  })

  test('installs, and starts a playground that answers at the address that it prints', async () => {
    const { child, ended } = run('npm', 'start', '--', '--port', '0')
    let address = ''
    if (child.stdout)
      for await (const line of createInterface(child.stdout)) {
        address = /http:\/\/localhost:\d+\S*/.exec(line)?.[0] ?? ''
        if (address !== '') break
      }
    try {
      expect(address, 'an address').not.toBe('')
      expect((await fetch(address)).status).toBe(200)
    } finally {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      child.stdout?.resume()
    }
    const { stderr } = await ended
    expect(stderr).not.toContain('EBADENGINE')
  })

  test.each([
    ['the unit tests', ['--project', 'unit', '--project', 'growth']],
    [
      'the service',
      ['--project', 'int', 'tests/service/production.int.test.ts', 'tests/service/processes.int.test.ts'],
    ],
  ])('passes %s', async (_, projects) => {
    const node = await run('node', '--version').ended
    expect(node.stdout).toMatch(new RegExp(`^v${version}\\.`))
    const { code, stdout, stderr } = await run('npx', 'vitest', 'run', '--reporter=dot', ...projects).ended
    expect(code, stdout + stderr).toBe(0)
  })
})
