import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, type DefaultTreeAdapterMap } from 'parse5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { qrPicture } from '../../src/values/qrCode.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { GOOD, useFolders } from '../folder/folders.ts'
import { releases } from '../support/administration/answers.ts'
import { directoryOf, run as runOf } from '../support/administration/people.ts'
import { runSignet } from './runningCommand.ts'

const PROJECT = join(import.meta.dirname, '../..')
const DEMONSTRATION = join(PROJECT, 'src/service/demonstration/signatures')

const writeFiles = useFolders()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command in this process. */
async function signet(words: readonly string[], over: Partial<Terminal> = {}) {
  const opened: string[] = []
  const { code, out, complaints } = await runSignet(words, { open: (file) => opened.push(file), ...over })
  return { code, out, complaints, opened }
}

describe('a command line', () => {
  it('says the version of package.json', async () => {
    const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')) as {
      version: string
    }
    expect(await signet(['--version'])).toMatchObject({ code: 0, out: `${version}\n` })
    expect((await signet(['check', '--version'])).code).toBe(64)
  })

  it.each([
    ['without a command', []],
    ['with an unknown command', ['frobnicate']],
  ])('%s ends with 64 and says all commands', async (_, words) => {
    const { code, out, complaints } = await signet(words)
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(complaints).toContain('  signet check <folder>')
    expect(complaints).toContain('  signet doctor\n')
  })

  it.each([
    ['with an unknown option', ['check', 'one', '--fast'], "Unknown option '--fast'.", 'check <folder>'],
    ['with an option of another', ['check', 'one', '--yes'], 'signet check does not take --yes.', 'check <'],
    ['with half a name', ['people', 'x.csv'], 'There is no command "people x.csv".', 'people import <'],
  ])('%s ends with 64 and says that command alone', async (_, words, sentence, usage) => {
    const { code, out, complaints } = await signet(words)
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(complaints.startsWith(`${sentence}\n\n  signet ${usage}`)).toBe(true)
    expect(complaints).not.toContain('doctor')
  })

  it.each([
    ['without what it needs', ['check'], 'Usage: signet check <folder>'],
    ['with too much', ['check', 'one', 'two'], 'Usage: signet check <folder>'],
    [
      'with a day that does not exist',
      ['check', DEMONSTRATION, '--on', '2026-02-30'],
      '--on takes a day such as 2026-10-01.',
    ],
    ['without the person', ['preview', DEMONSTRATION], '--person is missing: give --person '],
    ['without the service', ['releases'], '--service is missing: give --service https://'],
    ['with a service that is no address', ['releases', '--service', 'signet'], '--service takes an address'],
    [
      'with a service without encryption',
      ['releases', '--service', 'http://signet.example.com'],
      '--service takes an address such as https://signet.example.com.',
    ],
    [
      'that is sure of no plan',
      ['publish', DEMONSTRATION, '--service', 'https://a.example', '--yes'],
      '--yes needs --plan <id>',
    ],
    [
      'that has no terminal to ask on',
      ['publish', DEMONSTRATION, '--service', 'https://a.example'],
      'Publishing needs a confirmation, and there is no terminal to ask for it: run signet plan,',
    ],
  ])('%s ends with 64 and one sentence', async (_, words, sentence) => {
    const { code, out, complaints } = await signet(words)
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(complaints.startsWith(sentence)).toBe(true)
    expect(complaints.split('\n')).toHaveLength(2)
  })

  it('without a token ends with 1 and says how to get one', async () => {
    const { code, out, complaints } = await signet(['releases', '--service', 'https://signet.example.com'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(complaints).toMatch(
      /^SIGNET_TOKEN is missing\. Set SIGNET_TOKEN to .* az account get-access-token .*\n$/,
    )
  })

  it('says how when it is asked', async () => {
    expect(await signet(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('signet why <person>') as string,
    })
    expect(await signet(['why', '--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^ {2}signet why <person> \[<folder>\] --service .*\n {6}says why .*\n$/,
      ) as string,
    })
    expect(await signet(['why', '-h'])).toMatchObject({ code: 0 })
    const group = await signet(['keys', '--help'])
    expect(group).toMatchObject({ code: 0, complaints: '' })
    expect(group.out).toMatch(/^ {2}signet keys rotate\n {6}.*\n$/)
    expect((await signet(['frobnicate', '--help'])).code).toBe(64)
  })

  it('lets no name of others steer the terminal', async () => {
    const history = [
      { release: 'r', at: 0, by: 'x\u001b]0;owned\u0007', note: '\u009b2J', rolledBack: false },
    ]
    const { code, out } = await signet(['releases', '--service', 'https://a.example'], {
      environment: { SIGNET_TOKEN: 'token' },
      fetch: () => Promise.resolve(Response.json(releases({ current: 'r', history }))),
    })
    expect({ code, out }).toEqual({
      code: 0,
      out: '* 1  r  1970-01-01T00:00:00.000Z  x\uFFFD]0;owned\uFFFD  \uFFFD2J\n',
    })
  })

  it.each(['line\nfeed', 'ümlaut'])('never says a token that no header takes: %j', async (part) => {
    const token = `secret-${part}-token`
    const { code, complaints } = await signet(['releases', '--service', 'https://a.example'], {
      environment: { SIGNET_TOKEN: token },
      fetch,
    })
    expect(code).toBe(1)
    expect(complaints).not.toContain('secret-')
  })
})

describe('check', () => {
  it('[SRV-15] ends with 0 for the demonstration', async () => {
    expect(await signet(['check', DEMONSTRATION])).toMatchObject({
      code: 0,
      out: expect.stringContaining(', no errors') as string,
    })
  })

  it('[SRV-15] names file, line and column of each finding, and ends with 1', async () => {
    const broken = await writeFiles({ ...GOOD, 'templates/short.html': '<p>\n  {{nothing}}</p>\n' })
    const { code, out, complaints } = await signet(['check', broken])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(complaints).toMatch(/^templates\/short\.html:2:3: error \w+(\.\w+)*: .*nothing/m)
  })

  it('ends with 1 for a folder that is not there', async () => {
    const { code, complaints } = await signet(['check', join(folder, 'nowhere')])
    expect(code).toBe(1)
    expect(complaints).toMatch(/^signet\.yaml:1:1: error /)
  })
})

it('init writes a folder that check takes, and never over another', async () => {
  const words = ['init', join(folder, 'new'), '--organisation', 'Northwind', '--domain', 'northwind.example']
  expect(await signet(words)).toMatchObject({ code: 0 })
  expect(await signet(['check', join(folder, 'new')])).toMatchObject({ code: 0, complaints: '' })
  expect(await signet(words)).toMatchObject({ code: 1 })
})

type Element = DefaultTreeAdapterMap['element']

/** All elements of a page, those of templates too. */
function elementsOf(html: string): readonly Element[] {
  const found: Element[] = []
  const visit = (node: DefaultTreeAdapterMap['node']) => {
    if ('attrs' in node) found.push(node)
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parse(html))
  return found
}
const attribute = (element: Element | undefined, name: string) =>
  element?.attrs.find((each) => each.name === name)?.value

describe('preview', () => {
  it('writes one file that shows a person and loads nothing', async () => {
    const out = join(folder, 'preview.html')
    const ran = await signet([
      ...['preview', DEMONSTRATION, '--person', 'MARIA.silva@northwind.example', '--out', out, '--open'],
    ])
    expect(ran).toMatchObject({ code: 0, opened: [out] })
    const html = await readFile(out, 'utf8')
    const elements = elementsOf(html)
    const frames = elements.filter(({ tagName }) => tagName === 'iframe')
    expect(frames.length).toBeGreaterThan(3)
    for (const frame of frames) {
      expect(attribute(frame, 'sandbox')).toBe('')
      expect(attribute(frame, 'title')).toMatch(/as it is$|as classic Outlook shows it$/)
      expect(attribute(frame, 'srcdoc')).toContain('Content-Security-Policy')
    }
    expect(elements.filter(({ tagName }) => ['script', 'link', 'img'].includes(tagName))).toEqual([])
    const inside = frames.map((frame) => attribute(frame, 'srcdoc') ?? '').join('\n')
    expect(inside).toContain('Maria João')
    expect(inside).toContain('src="data:image/png;base64,')
    expect(inside).not.toContain('pictures.invalid')
    expect(html).toContain('an approximation')
  })

  it('[ADOPT-9] [ADOPT-10] writes numbers as the service does, and draws codes', async () => {
    const coded = await writeFiles({
      ...GOOD,
      'templates/corporate.html':
        '<p>{{first_name}} {{phone phone}}</p><img src="{{qr vcard}}" alt="Card of {{first_name}}">\n',
      'people.csv': (GOOD['people.csv'] as string).replace('+49 30 1234', '030 901820'),
    })
    const out = join(folder, 'coded.html')
    await signet(['preview', coded, '--person', 'maria@northwind.example', '--out', out])
    const shown = elementsOf(await readFile(out, 'utf8'))
      .filter((element) => attribute(element, 'title') === 'Corporate, New message, as it is')
      .map((frame) => attribute(frame, 'srcdoc') ?? '')
    expect(shown).toHaveLength(1)
    expect(shown[0]).toContain('Maria +49 30 901820')
    const card =
      'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Maria\r\nN:;Maria;;;\r\nTEL;TYPE=WORK:+49 30 901820\r\nEND:VCARD\r\n'
    expect(shown[0]).toContain(`data:image/png;base64,${Buffer.from(qrPicture(card)).toString('base64')}`)
  })

  it('[SRV-29] shows a signature also without what classic Outlook ignores', async () => {
    const fancy = await writeFiles({
      ...GOOD,
      'templates/corporate.html': '<p style="border-radius:8px;color:#111111">{{first_name}}</p>\n',
    })
    const out = join(folder, 'fancy.html')
    expect(
      await signet(['preview', fancy, '--person', 'maria@northwind.example', '--out', out]),
    ).toMatchObject({ code: 0 })
    const shown = elementsOf(await readFile(out, 'utf8'))
      .filter((element) => attribute(element, 'title')?.startsWith('Corporate, New message'))
      .map((frame) => [attribute(frame, 'title'), attribute(frame, 'srcdoc')?.includes('border-radius')])
    expect(shown).toEqual([
      ['Corporate, New message, as it is', true],
      ['Corporate, New message, as classic Outlook shows it', false],
    ])
  })

  it('shows replies alone', async () => {
    const out = join(folder, 'reply.html')
    await signet([
      'preview',
      DEMONSTRATION,
      '--person',
      'maria.silva@northwind.example',
      '--reply',
      '--out',
      out,
    ])
    const titles = elementsOf(await readFile(out, 'utf8')).filter(({ tagName }) => tagName === 'h3')
    expect(titles.length).toBeGreaterThan(0)
    expect(new Set(titles.map(({ childNodes: [text] }) => text && 'value' in text && text.value))).toEqual(
      new Set(['Reply']),
    )
  })

  it('knows only people of the folder', async () => {
    const out = join(folder, 'none.html')
    const ran = await signet(['preview', DEMONSTRATION, '--person', 'x@northwind.example', '--out', out])
    expect(ran.code).toBe(1)
    await expect(stat(out)).rejects.toThrow('ENOENT')
  })
})

it('runs as a process, from any folder', async () => {
  const program = join(PROJECT, 'src/cli/signet.mjs')
  const run = promisify(execFile)
  const [fine, wrong] = await Promise.all([
    run(process.execPath, [program, 'check', DEMONSTRATION], { cwd: folder }),
    run(process.execPath, [program, 'nothing'], { cwd: folder }).catch((error: unknown) => error),
  ])
  expect(fine.stdout).toContain('no errors')
  expect(wrong).toMatchObject({ code: 64, stdout: '' })
})

describe('signet sync, while the service is busy', () => {
  const busy = (retryAfter: string | null) =>
    new Response('{"code":"unavailable","message":"The service cannot reach its database. Try again."}', {
      status: 503,
      headers: {
        date: 'Thu, 01 Oct 2026 12:00:00 GMT',
        ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
      },
    })
  const answer = (outcome: 'running' | 'done') => {
    const run = runOf({ id: 'r-1', outcome, added: 1 })
    return { run, directory: () => Response.json(directoryOf({ runs: [run] })) }
  }
  async function syncing(...answers: readonly (() => Response)[]) {
    const waits: number[] = []
    const left = [...answers]
    const fetch = (_: unknown, { method }: RequestInit = {}) =>
      Promise.resolve(
        method === 'POST' ? Response.json(answer('running').run) : (left.shift() ?? (() => busy('1')))(),
      )
    const { code, out, complaints } = await signet(['sync', '--service', 'https://signet.example.com'], {
      fetch: fetch,
      environment: { SIGNET_TOKEN: 'token' },
      wait: (ms) => Promise.resolve(waits.push(ms)),
    })
    return { code, out, complaints, waits }
  }
  const { directory: running } = answer('running')
  const { directory: done } = answer('done')

  it('[SRV-27] waits as long as it is asked to, a minute at most, and goes on', async () => {
    const { code, out, waits } = await syncing(
      running,
      () => busy('5'),
      () => busy('Thu, 01 Oct 2026 12:00:07 GMT'),
      () => busy('600'),
      done,
    )
    expect({ code, waits }).toEqual({ code: 0, waits: [1_000, 5_000, 7_000, 60_000] })
    expect(out).toBe('1 added, 0 changed, 0 retired, 0 returned, 0 problems\n')
  })

  it.each([null, 'soon'])('ends with a sentence where it is not told how long: %j', async (retryAfter) => {
    const { code, complaints, waits } = await syncing(() => busy(retryAfter), done)
    expect({ code, waits }).toEqual({ code: 1, waits: [] })
    expect(complaints).toContain('unavailable: The service cannot reach its database.')
  })

  it('ends at last when the service stays busy', async () => {
    const { code, complaints, waits } = await syncing()
    expect([code, waits.length]).toEqual([1, 10])
    expect(complaints).toContain('unavailable: ')
  })
})
