import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pictureHash } from '../../src/folder/pictures.ts'
import { programArguments } from '../../src/programs/programArguments.ts'

/** The address of a picture of the demonstration. */
const MARK = join(
  ...[import.meta.dirname, '../../src/service/demonstration/signatures/pictures/northwind/mark.png'],
)
const PICTURE_PATH = `/images/${pictureHash(readFileSync(MARK))}/mark.png`

const children: ChildProcess[] = []
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signature-process-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function run(script: string, ...options: string[]) {
  const child = spawn(process.execPath, programArguments(script, ...options))
  children.push(child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr }))
  const listening = once(child.stdout.setEncoding('utf8'), 'data').then(
    ([line]) => (JSON.parse(String(line)) as { listening: string }).listening,
  )
  return { child, ended, listening }
}

const service = {
  script: 'src/service/demonstration/main.ts',
  options: () => [
    ...['--data', folder, '--origin', 'http://localhost:1234'],
    ...['--issuer', 'http://localhost:4402'],
  ],
  path: PICTURE_PATH,
}
const identityProvider = {
  script: 'src/identityProvider/main.ts',
  options: () => ['--client-id', 'the-add-in', '--origin', 'http://localhost:1234'],
  path: '/keys',
}

describe.each([service, identityProvider])('$script', { timeout: 60_000 }, ({ script, options, path }) => {
  it('prints its address, answers there without controls, and ends with code 0 on SIGTERM', async () => {
    const { child, ended, listening } = run(script, '--port', '0', ...options())
    const url = await listening
    expect((await fetch(url + path)).status).toBe(200)
    expect((await fetch(`${url}/_control/requests`)).status).toBe(404)
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, stderr: '' })
  })

  it('ends with code 2 and a message for an invalid option', async () => {
    const { ended } = run(script, '--port', 'x', ...options())
    expect(await ended).toEqual({ code: 2, stderr: '--port x is not a port.\n' })
  })
})

describe('a server process', { timeout: 60_000 }, () => {
  let first: ReturnType<typeof run>
  const start = (port: string) => run(identityProvider.script, '--port', port, ...identityProvider.options())
  beforeAll(() => {
    first = start('0')
  })

  it('ends with code 3 and a message when its port is taken', async () => {
    const { ended } = start(new URL(await first.listening).port)
    expect(await ended).toEqual({ code: 3, stderr: 'The port is taken by another process.\n' })
  })

  it('ends with code 0 when its parent closes its standard input', async () => {
    await first.listening
    first.child.stdin.end()
    expect(await first.ended).toEqual({ code: 0, stderr: '' })
  })
})
