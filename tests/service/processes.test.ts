import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
let folder: string
let children: ChildProcess[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signature-process-'))
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function run(script: string, ...options: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, script), ...options], { cwd: root })
  children.push(child)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, complaint }))
  const listening = once(child.stdout.setEncoding('utf8'), 'data').then(
    ([line]) => JSON.parse(String(line)) as { listening: string },
  )
  return { child, ended, listening }
}

const servers = [
  {
    script: 'src/service/main.ts',
    options: () => [
      '--data',
      folder,
      '--origin',
      'http://localhost:1234',
      '--issuer',
      'http://localhost:4402',
    ],
    path: '/images/northwind/mark.png',
  },
  {
    script: 'src/identityProvider/main.ts',
    options: () => ['--client-id', 'the-add-in', '--origin', 'http://localhost:1234'],
    path: '/keys',
  },
]

describe.each(servers)('$script', { timeout: 60_000 }, ({ script, options, path }) => {
  it('says where it listens, answers there, and ends cleanly on SIGTERM', async () => {
    const { child, ended, listening } = run(script, '--port', '0', ...options())
    const { listening: url } = await listening
    expect((await fetch(url + path)).status).toBe(200)
    expect((await fetch(`${url}/_control/requests`)).status).toBe(404)
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, complaint: '' })
  })

  it('ends when its parent lets go of its standard input', async () => {
    const { child, ended, listening } = run(script, '--port', '0', ...options())
    await listening
    child.stdin.end()
    expect((await ended).code).toBe(0)
  })

  it('ends with a code and a sentence when its port is taken or its options are wrong', async () => {
    const { listening } = run(script, '--port', '0', ...options())
    const port = new URL((await listening).listening).port
    const second = await run(script, '--port', port, ...options()).ended
    expect(second).toMatchObject({ code: 3, complaint: 'The port is taken by another process.\n' })
    const wrong = await run(script, '--port', 'x', ...options()).ended
    expect(wrong).toMatchObject({ code: 2, complaint: '--port x is not a port.\n' })
  })
})
