import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/cli/command.ts'
import { findChromium } from '../../src/cli/drawnPictures.ts'
import { previewEntries } from '../../src/cli/folderCommands.ts'
import { embedPictures } from '../../src/cli/pictureData.ts'
import { countText, conditionsText, momentText, planText } from '../../src/cli/planText.ts'
import type { PlanJson } from '../../src/cli/serviceCommands.ts'
import { createFormats } from '../../src/values/formats.ts'
import { qrPicture } from '../../src/values/qrCode.ts'
import {
  requiredText,
  type Terminal,
  optionText,
  timeOf,
  CommandUsageError,
  writePage,
} from '../../src/cli/terminal.ts'
import { pictureHash } from '../../src/folder/pictures.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { mailboxAsOwner } from '../../src/service/context/owners.ts'
import {
  type Block,
  compileRelease,
  type ReleaseDocument,
} from '../../streams/organisation/release/release.ts'
import { headLine, LAST_LINE, pictureLine } from '../../streams/wire/administration/pictureLines.ts'
import { CALLS } from '../../streams/wire/administration/calls.ts'
import type { SampleRecipients } from '../../streams/organisation/release/supposed.ts'
import { block as anyBlock } from '../support/blocks.ts'
import { blocksSummary, fullSummary, planOf, releaseDocument } from '../support/administration/plans.ts'
import { GOOD, useFolders } from '../folder/folders.ts'
import { GIF, png } from '../folder/pictures.ts'
import { releases } from '../support/administration/answers.ts'
import { explained } from '../support/administration/people.ts'

// The commands without a service: what they write, send and answer.

const AT = Date.parse('2026-10-01T12:00:00Z')
const make = useFolders()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-cli-pieces-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a command; `answers` has what the service answers, by method and path. */
async function signet(
  words: readonly string[],
  answers: Readonly<Record<string, unknown>> = {},
  over: Partial<Terminal> = {},
) {
  const [out, complaints]: [string[], string[]] = [[], []]
  const asked: Readonly<{ what: string; type: string | null; body: string | null }>[] = []
  const code = await runCommand(words, {
    write: (text) => out.push(text),
    complain: (text) => complaints.push(text),
    confirm: null,
    environment: { SIGNET_TOKEN: 'a-token' },
    fetch: (address, request) => {
      const path = String(address).replace(/^.*\/api\/administration\/v1/, '')
      const what = `${request?.method ?? ''} ${path}`
      const type = new Headers(request?.headers).get('content-type')
      asked.push({ what, type, body: typeof request?.body === 'string' ? request.body : null })
      const answer = answers[what]
      if (answer instanceof Error) return Promise.reject(answer)
      if (answer instanceof Response) return Promise.resolve(answer)
      return Promise.resolve(
        Response.json(answer ?? { code: 'not_found', message: what }, { status: answer ? 200 : 404 }),
      )
    },
    open: () => undefined,
    now: () => AT,
    wait: () => Promise.resolve(),
    ...over,
  })
  return { code, out: out.join(''), complaints: complaints.join(''), asked }
}
const AWAY = 'Check the address after --service, and that this computer may reach it.'
const coded = (code: string, message: string) => Object.assign(new Error(message), { code })
const SERVICE = ['--service', 'https://signet.example.com'] as const

describe('an option', () => {
  it.each([
    [undefined, AT],
    ['2026-10-02', Date.parse('2026-10-02T12:00:00Z')],
    ['2024-02-29', Date.parse('2024-02-29T12:00:00Z')],
  ])('of a day is the noon of it: %j', (on, at) => {
    expect(timeOf({ on }, () => AT)).toBe(at)
  })

  it.each([['2026-02-29'], ['2026-13-01'], ['26-10-01'], ['2026-10-01x'], ['x2026-10-01'], [''], [true]])(
    'of %j is no day',
    (on) => {
      expect(() => timeOf({ on }, () => AT)).toThrow(
        new CommandUsageError('--on takes a day such as 2026-10-01.'),
      )
    },
  )

  it('is a text, or missing', () => {
    expect([optionText({ a: 'x' }, 'a'), optionText({ a: true }, 'a'), optionText({}, 'a')]).toEqual([
      'x',
      undefined,
      undefined,
    ])
    expect(requiredText({ a: '' }, 'a', 'x')).toBe('')
    expect(() => requiredText({}, 'note', '"why"')).toThrow(
      new CommandUsageError('--note is missing: give --note "why".'),
    )
    expect(new CommandUsageError('a').usage).toBeNull()
  })
})

it('a page that cannot be written is told with the reason', async () => {
  const file = join(folder, 'none', 'a.html')
  await expect(writePage(file, '')).rejects.toThrow(
    `${file} cannot be written: there is no such file or folder (ENOENT)`,
  )
})

it('[ADOPT-10] the codes of a page are in it, whatever seal they have', () => {
  const data = `data:image/png;base64,${Buffer.from(qrPicture('https://a.example/')).toString('base64')}`
  for (const seal of ['', 's'.repeat(22)]) {
    const path = createFormats(() => seal).qr('https://a.example/')
    expect(embedPictures(`<img src="https://p.example/${path}">`, 'https://p.example', new Map())).toBe(
      `<img src="${data}">`,
    )
  }
})

describe('the pictures of a page', () => {
  const hash = 'a'.repeat(32)
  const known = new Map([[hash, { mediaType: 'image/gif', bytes: GIF }]])
  const data = `data:image/gif;base64,${GIF.toString('base64')}`
  const put = (html: string) => embedPictures(html, 'https://p.example', known)

  it.each([
    ['', ''],
    ['<p>a</p>', '<p>a</p>'],
    [`<img src="https://p.example/${hash}/a.gif">b`, `<img src="${data}">b`],
    [`https://p.example/${hash}/a.gif`, data],
    [`<img src="https://p.example/linked/${hash}/a.gif">b`, `<img src="${data}">b`],
    ...['"', "'", ' ', '\n', ')', '<', '>', '&'].map((end) => [
      `https://p.example/${hash}/a${end}b`,
      `${data}${end}b`,
    ]),
    [`x https://p.example/${hash}/a y https://p.example/${hash}/b z`, `x ${data} y ${data} z`],
    [`https://p.example/${'b'.repeat(32)}/a.gif c`, `https://p.example/${'b'.repeat(32)}/a.gif c`],
    [`https://p.example.org/${hash}/a`, `https://p.example.org/${hash}/a`],
    ['https://p.example/', 'https://p.example/'],
  ])('of %j are in it: %j', (html, whole) => {
    expect(put(html)).toBe(whole)
  })
})

describe('a sentence', () => {
  it.each([
    [0, '0 people'],
    [1, '1 person'],
    [1_234, '1,234 people'],
  ])('counts %i as %s', (number, text) => {
    expect(countText(number, 'person', 'people')).toBe(text)
    expect(countText(number, 'error')).toBe(text.replace('people', 'errors').replace('person', 'error'))
  })

  it('says a moment, and why', () => {
    expect(momentText(AT)).toBe('2026-10-01 12:00 UTC')
    expect(conditionsText(null)).toBe('nothing fits')
    expect(conditionsText([{ by: 'address', values: ['*@a.example'] }])).toBe(
      'an address is like *@a.example',
    )
    expect(
      conditionsText([
        {
          by: 'test',
          field: 'jobTitle',
          tests: [
            { is: 'starts', values: ['Head of', 'Director'] },
            { is: 'ends', values: ['Sales'] },
            { is: 'contains', values: ['of'] },
            { is: 'any' },
          ],
        },
        {
          by: 'test',
          field: 'hired',
          tests: [
            { is: 'before', day: '2026-02-01' },
            { is: 'after', day: '2026-01-01' },
          ],
        },
        { by: 'language', values: ['de', 'fr'] },
        {
          by: 'manager',
          conditions: [
            { by: 'field', field: 'department', values: ['Sales'] },
            { by: 'test', field: 'city', tests: [{ is: 'any' }] },
            { by: 'person', values: ['bo@a.example'] },
            { by: 'address', values: ['*@a.example'] },
          ],
        },
      ]),
    ).toBe(
      'jobTitle starts with Head of or Director and jobTitle ends with Sales and jobTitle contains of and jobTitle is not empty and hired is before 2026-02-01 and hired is after 2026-01-01 and the language is de or fr and manager.department is Sales and manager.city is not empty and the manager’s address is bo@a.example and the manager’s address is like *@a.example',
    )
    expect(conditionsText([])).toBe('')
  })
})

describe('a service', () => {
  const ADVICE =
    'Set SIGNET_TOKEN to what this prints: az account get-access-token --scope <SIGNET_SCOPE of the service> --query accessToken --output tsv'

  it.each<readonly [what: string, answer: Response | Error, complaint: string]>([
    [
      'refuses',
      Response.json({ code: 'role_missing', message: 'No a-token.' }, { status: 403 }),
      'role_missing: No ….',
    ],
    [
      'takes no token',
      Response.json({ code: 'invalid_token', message: 'No.' }, { status: 401 }),
      `invalid_token: No. ${ADVICE}`,
    ],
    [
      'is another program',
      Response.json({ error: 'x' }, { status: 404 }),
      'https://signet.example.com answers with status 404; is it a signature service?',
    ],
    [
      'answers with a page',
      new Response('<p>', { status: 200 }),
      'https://signet.example.com answers with status 200, but not with JSON; is it a signature service?',
    ],
    [
      'answers with a text',
      Response.json('text', { status: 200 }),
      'https://signet.example.com answers with status 200, but not with JSON; is it a signature service?',
    ],
    [
      'answers with nothing',
      Response.json(null, { status: 200 }),
      'https://signet.example.com answers with status 200, but not with JSON; is it a signature service?',
    ],
    [
      'is away',
      Object.assign(new TypeError('fetch failed'), {
        cause: coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1'),
      }),
      `https://signet.example.com cannot be reached: nothing accepts connections there (ECONNREFUSED). ${AWAY}`,
    ],
    [
      'is away for another reason',
      Object.assign(new TypeError('fetch failed'), { cause: coded('EODD', 'odd words') }),
      `https://signet.example.com cannot be reached: the request failed (EODD). ${AWAY}`,
    ],
    [
      'is away without a reason',
      Object.assign(new TypeError('fetch failed'), { cause: 'x' }),
      `https://signet.example.com cannot be reached: the request failed. ${AWAY}`,
    ],
  ])('that %s is told in a sentence', async (_, answer, complaint) => {
    const { code, out, complaints } = await signet(['releases', ...SERVICE], { 'GET /releases': answer })
    expect({ code, out, complaints }).toEqual({ code: 1, out: '', complaints: `${complaint}\n` })
  })

  it.each([
    ['https://a.example/path?x=1', 'https://a.example'],
    ['http://localhost:4401', 'http://localhost:4401'],
    ['http://127.0.0.1:4401', 'http://127.0.0.1:4401'],
    ['http://[::1]:4401', 'http://[::1]:4401'],
  ])('at %s is asked there', async (service, origin) => {
    const addresses: string[] = []
    await signet(
      ['releases', '--service', service],
      {},
      {
        fetch: (address) => (
          addresses.push(String(address)),
          Promise.resolve(Response.json(releases({ history: [] })))
        ),
      },
    )
    expect(addresses).toEqual([`${origin}/api/administration/v1/releases`])
  })

  it.each(['http://a.example', 'ftp://localhost', 'http://localhost.a.example', 'a'])(
    'is none at %s',
    async (service) => {
      expect(await signet(['releases', '--service', service])).toMatchObject({
        code: 64,
        complaints: '--service takes an address such as https://signet.example.com.\n',
        asked: [],
      })
    },
  )

  it.each([
    ['', 'SIGNET_TOKEN is missing. '],
    [' \n', 'SIGNET_TOKEN is missing. '],
    ['a b', 'SIGNET_TOKEN is not an access token. '],
    ['a\u007f', 'SIGNET_TOKEN is not an access token. '],
  ])('is asked with a token, which %j is not', async (token, sentence) => {
    const { code, complaints, asked } = await signet(
      ['releases', ...SERVICE],
      {},
      { environment: { SIGNET_TOKEN: token } },
    )
    expect({ code, complaints, asked }).toEqual({ code: 1, complaints: `${sentence}${ADVICE}\n`, asked: [] })
  })
})

/** The good folder with a block in a slot. */
const withBlocks = () => ({
  ...GOOD,
  'signet.yaml': `${String(GOOD['signet.yaml'])}blocks:\n  fair: { slot: banner, template: templates/blocks/fair.html }\n`,
  'templates/blocks/fair.html': '<p>Meet us at the fair</p>',
  'templates/short.html': '<p>{{display_name}}</p>{{block banner}}',
})

describe('drift', () => {
  const current = '7f3a91c0'.repeat(4)
  const answers = (document: ReleaseDocument | null) => ({
    'GET /releases': releases(document ? { current } : { current: null, history: [] }),
    ...(document && { [`GET /releases/${current}`]: { release: current, document } }),
  })

  it('ends with 0 when the folder is what is published', async () => {
    const good = await make(GOOD)
    const { document } = await readFolder(good)
    expect(await signet(['drift', good, ...SERVICE], answers(document))).toMatchObject({
      code: 0,
      out: `Release 7f3a91c0 is published; ${good} is the same.\n`,
      complaints: '',
    })
  })

  it('ends with 2 and names what is not, with its line in signet.yaml', async () => {
    const { document } = await readFolder(await make(GOOD))
    const yaml = String(GOOD['signet.yaml'])
    const extra = '  extra: { template: templates/short.html, for: everyone }\n'
    const other = await make({
      ...GOOD,
      'signet.yaml': yaml.replace('mailboxes:', `${extra}mailboxes:`),
      'templates/short.html': '<p>{{display_name}}, {{email}}</p>',
    })
    const before = { ...document, pictures: { ...document.pictures, 'old.png': 'f'.repeat(32) } }
    const { code, out } = await signet(['drift', other, ...SERVICE], answers(before))
    const line = yaml.slice(0, yaml.indexOf('mailboxes:')).split('\n').length
    expect([code, out]).toEqual([
      2,
      `Release 7f3a91c0 is published; ${other} is not the same.\n` +
        `signet.yaml:${line}: the signature extra is only in the folder\n` +
        'templates/short.html differs\n' +
        'pictures/old.png is only in what is published\n',
    ])
  })

  it('is everything before the first release', async () => {
    const good = await make(GOOD)
    const { code, out } = await signet(['drift', good, ...SERVICE], answers(null))
    expect([code, out.split('\n')[0]]).toEqual([2, `Nothing is published yet; ${good} is not the same.`])
    expect(out).toContain('templates/short.html is only in the folder\n')
  })

  it('is not told of a folder that cannot be read', async () => {
    const wrong = await make({ ...GOOD, 'signet.yaml': 'version: 2\n' })
    const { code, complaints, asked } = await signet(['drift', wrong, ...SERVICE], answers(null))
    expect([code, asked, complaints.endsWith(`errors in ${wrong}; it was not compared.\n`)]).toEqual([
      1,
      [],
      true,
    ])
  })
})

describe('a plan', () => {
  const plan = planOf({ pictures: 'https://p.example/images' })
  const answers = {
    'POST /pictures/missing': { missing: [] },
    'POST /plans': plan,
    'POST /pictures': {},
    'POST /releases': { release: 'r-1', history: [] },
  }
  const good = () => make(GOOD)
  const planning = async (
    words: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
    over: Partial<Terminal> = {},
  ) => {
    const [name = '', ...others] = words
    const out = join(folder, 'plan.html')
    return signet([name, await good(), ...SERVICE, '--out', out, ...others], { ...answers, ...more }, over)
  }

  it('is made of the folder, at a day or now, and written as a page', async () => {
    const now = await planning(['plan'])
    const { document } = await readFolder(await good())
    expect(now.code).toBe(2)
    expect(now.asked.map(({ what, type, body }) => [what, type, JSON.parse(body ?? '')])).toEqual([
      ['POST /pictures/missing', 'application/json', { pictures: Object.values(document.pictures) }],
      ['POST /plans', 'application/json', { document }],
    ])
    expect(now.out.endsWith(`\n${join(folder, 'plan.html')} shows it side by side.\n`)).toBe(true)
    expect(await readFile(join(folder, 'plan.html'), 'utf8')).toContain('<h1>Plan: ')
    const later = await planning(['plan', '--on', '2026-10-02'])
    expect(JSON.parse(later.asked[1]?.body ?? '')).toEqual({
      document,
      at: Date.parse('2026-10-02T12:00:00Z'),
    })
  })

  it('[ADOPT-13] ends with 2 when there are changes, and with 0 when the folder is what is published', async () => {
    for (const over of [{}, { summary: fullSummary }, { base: null }])
      expect((await planning(['plan'], { 'POST /plans': planOf(over) })).code).toBe(2)
    const same = planOf({ base: plan.release })
    expect((await planning(['plan'], { 'POST /plans': same })).code).toBe(0)
    expect((await planning(['plan', '--json'], { 'POST /plans': same })).code).toBe(0)
    expect((await planning(['plan', '--json'], { 'POST /plans': new Error('away') })).code).toBe(1)
  })

  it('[ADOPT-13] says the same as JSON, by the schema of the call and with the calendar', async () => {
    const blocks = withBlocks()
    const names = ['a\u009bb', 'ä']
    for (const told of [
      { summary: fullSummary, limit: { most: 3, changed: 333 }, closed: [] },
      { summary: blocksSummary, base: null, limit: { most: 3, changed: null } },
      ...names.map((name) => ({
        closed: [{ signature: 'a', name, during: { from: 'x', to: 'y', timeZone: 'UTC' } }],
      })),
    ]) {
      const sent = { ...answers, 'POST /plans': planOf(told) }
      const other = await make(blocks)
      const file = join(folder, 'json.html')
      await rm(file, { force: true })
      const [text, json] = [
        await signet(['plan', other, ...SERVICE, '--out', join(folder, 'text.html')], sent),
        await signet(['plan', other, ...SERVICE, '--json'], sent),
      ]
      expect([json.code, json.complaints]).toEqual([text.code, text.complaints])
      expect(json.out).not.toMatch(/[\u007f-\u009f]/)
      const { calendar, ...read } = JSON.parse(json.out) as PlanJson
      expect(CALLS.makePlan.answer.read(read, '')).toEqual(planOf(told))
      expect(calendar.length).toBeGreaterThan(0)
      const said = planText(read, other, calendar).replaceAll('\u009b', '\uFFFD')
      expect(text.out).toBe(`${said}${join(folder, 'text.html')} shows it side by side.\n`)
    }
  })

  it('[ADOPT-13] that changes more people than its limit is published with --all alone', async () => {
    const beyond = { 'POST /plans': planOf({ limit: { most: 4, changed: 5 } }) }
    const sure = ['publish', '--yes', '--plan', plan.id]
    const refused = await planning(sure, beyond)
    expect(refused).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(
        /The plan changes more people than its limit\. Nothing was published; --all publishes it\.\n$/,
      ) as string,
    })
    expect(refused.out).toContain('Limit: 4 people; publishing changes 5 now or later, so it needs --all\n')
    expect(await readFile(join(folder, 'plan.html'), 'utf8')).toContain(
      'publishing changes 5 now or later, so it needs --all.',
    )
    expect(refused.asked.map(({ what }) => what)).not.toContain('POST /releases')
    const questions: string[] = []
    const confirm = (question: string) => (questions.push(question), Promise.resolve(true))
    expect((await planning(['publish'], beyond, { confirm })).code).toBe(1)
    expect(questions).toEqual([])
    const all = await planning([...sure, '--all'], beyond)
    expect(JSON.parse(all.asked.at(-1)?.body ?? '')).toEqual({ plan: plan.id, note: '', all: true })
    const within = await planning(sure, { 'POST /plans': planOf({ limit: { most: 1, changed: 1 } }) })
    expect([
      within.code,
      within.out.includes('Limit: 1 person; publishing changes 1 now or later\n'),
    ]).toEqual([0, true])
  })

  it('sends the pictures that are missing, and none that the folder has not', async () => {
    const hash = pictureHash(GOOD['pictures/banners/autumn.png'] as Buffer)
    const { asked } = await planning(['plan'], {
      'POST /pictures/missing': { missing: ['f'.repeat(32), hash] },
    })
    expect(asked.map(({ what }) => what)).toEqual(['POST /pictures/missing', 'POST /pictures', 'POST /plans'])
    const base64 = (GOOD['pictures/banners/autumn.png'] as Buffer).toString('base64')
    expect(JSON.parse(asked[1]?.body ?? '')).toEqual({ pictures: { [hash]: base64 } })
  })

  it('is published after a yes, with its note', async () => {
    const questions: string[] = []
    const confirm = (yes: boolean) => (question: string) => (questions.push(question), Promise.resolve(yes))
    const yes = await planning(['publish', '--note', 'why'], {}, { confirm: confirm(true) })
    expect([yes.code, yes.out.endsWith('Published r-1.\n')]).toEqual([0, true])
    expect(JSON.parse(yes.asked.at(-1)?.body ?? '')).toEqual({ plan: plan.id, note: 'why' })
    const no = await planning(['publish'], {}, { confirm: confirm(false) })
    expect([no.code, no.out.endsWith('Nothing was published.\n'), no.asked.length]).toEqual([1, true, 2])
    expect(questions).toEqual(['Publish this?', 'Publish this?'])
  })

  it('is published without a question only as it was reviewed', async () => {
    const sure = await planning(['publish', '--yes', '--plan', plan.id])
    expect([sure.code, JSON.parse(sure.asked.at(-1)?.body ?? '')]).toEqual([0, { plan: plan.id, note: '' }])
    const stale = await planning(['publish', '--yes', '--plan', 'other'])
    expect(stale).toMatchObject({
      code: 1,
      complaints: expect.stringMatching(
        `The plan is ${plan.id} now, not other: the folder, or what is published, changed after the review. Nothing was published.\n$`,
      ) as string,
    })
    expect(stale.asked.map(({ what }) => what)).not.toContain('POST /releases')
  })

  it.each([
    [['--yes'], '--yes needs --plan <id>, the plan that was reviewed, and --plan needs --yes.\n'],
    [['--plan', 'x'], '--yes needs --plan <id>, the plan that was reviewed, and --plan needs --yes.\n'],
    [
      [],
      'Publishing needs a confirmation, and there is no terminal to ask for it: run signet plan, review the plan, and give --yes --plan <its id>.\n',
    ],
  ])('is not published with %j alone', async (words, complaints) => {
    expect(await planning(['publish', ...words])).toMatchObject({ code: 64, complaints, asked: [] })
  })

  it('sends nothing of a folder with an error', async () => {
    const wrong = await make({ ...GOOD, 'templates/short.html': '{{a}}{{b}}' })
    const { code, complaints, asked } = await signet(['plan', wrong, ...SERVICE], answers)
    expect([code, asked]).toEqual([1, []])
    expect(complaints.endsWith(`2 errors in ${wrong}; nothing was sent.\n`)).toBe(true)
  })
})

describe('people', () => {
  const csv = () => join(folder, 'people.csv')
  const imported = { added: 1, changed: 2, unchanged: 3, refused: [], problems: [] }
  const importing = async (words: readonly string[], answer: unknown) => {
    await writeFile(csv(), 'email\na@b.example\n')
    const isTrial = words.includes('--try')
    return signet(['people', 'import', csv(), ...SERVICE, ...words], {
      [`POST /people/import?try=${String(isTrial)}`]: answer,
    })
  }

  it.each([
    [[], '1 added, 2 changed, 3 unchanged, 0 problems\n'],
    [['--try'], 'Would be: 1 added, 2 changed, 3 unchanged, 0 problems\n'],
  ])('are imported from a file: %j', async (words, out) => {
    const told = await importing(words, imported)
    expect(told).toMatchObject({ code: 0, out, complaints: '' })
    expect(told.asked).toMatchObject([{ type: 'text/csv', body: 'email\na@b.example\n' }])
  })

  it('are told line by line when they cannot be read or taken', async () => {
    const told = await importing([], {
      ...imported,
      refused: [{ row: 4, reason: 'No.' }],
      problems: [
        { file: 'x', line: 2, column: 3, level: 'error', code: 'c', message: 'Wrong.' },
        { file: 'x', line: 5, column: 1, level: 'warning', code: 'c', message: 'Odd.' },
      ],
    })
    expect(told).toMatchObject({
      code: 1,
      out: '1 added, 2 changed, 3 unchanged, 2 problems\n',
      complaints: `${csv()}:2:3: error: Wrong.\n${csv()}:5:1: warning: Odd.\n${csv()}, person 4: No.\n`,
    })
  })

  it('are fine with a warning alone', async () => {
    const problems = [{ file: 'x', line: 5, column: 1, level: 'warning', code: 'c', message: 'Odd.' }]
    expect(await importing([], { ...imported, problems })).toMatchObject({
      code: 0,
      complaints: `${csv()}:5:1: warning: Odd.\n`,
    })
  })

  it.each([
    [
      [],
      '\nSome people may be imported. Importing the same file again is safe: it changes only what is missing.\n',
    ],
    [['--try'], '\n'],
  ])('may be imported in part when nothing is answered: %j', async (words, end) => {
    const { code, complaints } = await importing(words, new TypeError('fetch failed'))
    expect([code, complaints]).toEqual([
      1,
      `https://signet.example.com cannot be reached: the request failed. ${AWAY}${end}`,
    ])
  })

  it('are not asked for with a file that cannot be read', async () => {
    const none = join(folder, 'none.csv')
    const { code, complaints, asked } = await signet(['people', 'import', none, ...SERVICE])
    expect([code, asked]).toEqual([1, []])
    expect(complaints).toContain(`${none} cannot be read: there is no such file or folder (ENOENT)`)
    await writeFile(none, 'email\0')
    expect(await signet(['people', 'import', none, ...SERVICE])).toMatchObject({ code: 1, asked: [] })
  })

  const person = { id: 'u-1', addresses: ['a@b.example', 'c@b.example'], note: '\u007f\u009b' }
  const data = {
    person: { ...explained().person, ...person },
    facts: [],
    told: null,
    directory: [],
    pictures: {},
  }
  const answers = { 'GET /people/a%2Fb/data': data, 'DELETE /people/u-1': { erased: 'u-1' } }

  it('are exported as JSON that steers no terminal', async () => {
    expect(await signet(['person', 'export', 'a/b', ...SERVICE], answers)).toMatchObject({
      code: 0,
      out: `${JSON.stringify(data, null, 2).replace('\u007f\u009b', '\\u007f\\u009b')}\n`,
    })
  })

  it('are erased after a yes', async () => {
    const questions: string[] = []
    const erase = (words: readonly string[], confirm: Terminal['confirm']) =>
      signet(['person', 'erase', 'a/b', ...SERVICE, ...words], answers, { confirm })
    const named = 'a@b.example, c@b.example (u-1)'
    const yes = await erase([], (question) => (questions.push(question), Promise.resolve(true)))
    expect(yes).toMatchObject({
      code: 0,
      out: `Erased ${named}. An import that names them adds them again.\n`,
    })
    expect(questions).toEqual([`Erase ${named}, for good?`])
    const no = await erase([], () => Promise.resolve(false))
    expect(no).toMatchObject({
      code: 1,
      out: 'Nothing was erased.\n',
      asked: [{ what: 'GET /people/a%2Fb/data' }],
    })
    expect((await erase(['--yes'], null)).asked.map(({ what }) => what)).toEqual(Object.keys(answers))
    expect(await erase([], null)).toMatchObject({
      code: 64,
      asked: [],
      complaints: 'Erasing needs a confirmation, and there is no terminal to ask for it: give --yes.\n',
    })
  })
})

describe('a release', () => {
  it('is written as the folder that it was', async () => {
    const { document } = await readFolder(await make(GOOD))
    const picture = GOOD['pictures/banners/autumn.png'] as Buffer
    const exported = {
      release: '0123456789abcdef',
      document,
      pictures: { any: { mediaType: 'image/png', base64: picture.toString('base64') } },
    }
    const into = join(folder, 'exported')
    const answers = { 'GET /export': exported, 'GET /export?release=a%20b': exported }
    expect(await signet(['export', into, ...SERVICE], answers)).toMatchObject({
      code: 0,
      out: `${into} is release 01234567.\n`,
    })
    expect((await readFolder(into)).document).toEqual(document)
    const again = await signet(['export', into, ...SERVICE, '--release', 'a b'], answers)
    expect(again).toMatchObject({ code: 1, complaints: `${into} is not empty.\n` })
    expect(again.asked).toMatchObject([{ what: 'GET /export?release=a%20b' }])
  })

  describe('that sends an export in lines', () => {
    const [one, two] = [png(1, 1), png(2, 1)]
    const pictures = { 'a.png': pictureHash(one), 'b.png': pictureHash(two), 'c/a.png': pictureHash(one) }
    const document = { ...releaseDocument, pictures }
    const line = (bytes: Buffer, isFirst: boolean) =>
      pictureLine(pictureHash(bytes), { mediaType: 'image/png', base64: bytes.toString('base64') }, isFirst)
    const head = headLine({ release: '0123456789', document })
    /** The parts as they arrive; lines begin and end anywhere in them. */
    const sending = (text: string, end: 'closes' | Error = 'closes') => {
      const parts = text.match(/[^]{1,7000}/g) ?? []
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          const part = parts.shift()
          if (part !== undefined) controller.enqueue(Buffer.from(part))
          else if (end === 'closes') controller.close()
          else controller.error(end)
        },
      })
      return { 'GET /export': new Response(stream) }
    }

    it('has the pictures written as they come, each at all of its paths', async () => {
      const into = join(folder, 'lines')
      const sent = head + line(one, true) + line(two, false) + LAST_LINE
      expect(await signet(['export', into, ...SERVICE], sending(sent))).toMatchObject({
        code: 0,
        out: `${into} is release 01234567.\n`,
      })
      const written = async (path: string) => readFile(join(into, 'pictures', path))
      expect([await written('a.png'), await written('b.png'), await written('c/a.png')]).toEqual([
        one,
        two,
        one,
      ])
    })

    it.each([
      [
        'breaks off',
        head + line(one, true) + line(two, false).slice(0, 40),
        new TypeError('terminated', { cause: coded('UND_ERR_SOCKET', 'other side closed') }),
        'https://signet.example.com did not send the whole export: it closed the connection (UND_ERR_SOCKET).',
      ],
      [
        'ends without its last line',
        head + line(one, true) + line(two, false),
        'closes',
        'https://signet.example.com did not send the whole export. Try again.',
      ],
      ['lacks a picture', head + line(one, true) + LAST_LINE, 'closes', 'The picture b.png is missing.'],
      [
        'is no export',
        '<p>',
        'closes',
        'https://signet.example.com answers with status 200, but not with JSON; is it a signature service?',
      ],
    ] as const)('leaves an empty folder when it %s', async (_, sent, end, message) => {
      const into = join(folder, `broken-${String(sent.length)}`)
      const { code, complaints } = await signet(['export', into, ...SERVICE], sending(sent, end))
      expect([code, complaints]).toEqual([1, `${message}\n`])
      expect(await readdir(into).catch(() => [])).toEqual([])
    })
  })

  it('needs a word that maintenance knows', async () => {
    expect(await signet(['maintenance', 'on', ...SERVICE])).toMatchObject({
      code: 64,
      asked: [],
      complaints: 'Maintenance is planned, active or off.\n',
    })
  })
})

describe('a folder', () => {
  it('is checked with the number of what is in it', async () => {
    const files = { ...GOOD, 'signet.yaml': `${GOOD['signet.yaml'] as string}readers: [apple-mail]\n` }
    const good = await make(files)
    expect(await signet(['check', good])).toMatchObject({
      code: 0,
      out: `${good}: 2 signatures, 3 people, no errors, 1 warning\n`,
      complaints: 'signet.yaml:12:46: warning fitsNobody: Of the people, none has the country "AT".\n',
    })
    const alone = await make({
      ...files,
      'people.csv': null,
      'signet.yaml': files['signet.yaml'].replace(', AT', ''),
    })
    expect(await signet(['check', alone])).toMatchObject({
      code: 0,
      out: `${alone}: 2 signatures, 0 people, no errors\n`,
      complaints: '',
    })
    const wrong = await make({ ...files, 'templates/short.html': '{{fone}}' })
    const { code, out, complaints } = await signet(['check', wrong])
    expect([code, out, complaints.split('\n').at(-2)]).toEqual([1, '', '1 error, 1 warning'])
  })

  it('is begun, and says what is next', async () => {
    const begun = join(folder, 'begun')
    const words = ['init', begun, '--organisation', 'Northwind', '--domain', 'Northwind.example']
    expect(await signet(words)).toMatchObject({
      code: 0,
      out: `${begun} is written. Next: signet check ${begun}\n`,
    })
    expect(await signet(words)).toMatchObject({ code: 1, complaints: `${begun} is not empty.\n` })
    expect((await readFolder(begun)).document.internal).toEqual(['northwind.example'])
    expect(await signet(['init', begun, '--domain', 'x.example'])).toMatchObject({
      code: 64,
      complaints: '--organisation is missing: give --organisation "Northwind Trading".\n',
    })
    expect(await signet(['init', begun, '--organisation', 'x'])).toMatchObject({
      code: 64,
      complaints: '--domain is missing: give --domain northwind.example.\n',
    })
  })

  it('is begun with a template of the gallery, whose names are told', async () => {
    const begun = join(folder, 'with-classic')
    const words = ['init', begun, '--organisation', 'Northwind', '--domain', 'northwind.example']
    expect(await signet([...words, '--template', 'clasic'])).toMatchObject({
      code: 64,
      complaints:
        'The gallery has no template "clasic". It has plain, classic, compact, portrait, bold, notice.\n',
    })
    expect(await signet([...words, '--template', 'classic'])).toMatchObject({ code: 0 })
    const { document, pictures } = await readFolder(begun)
    expect(document.templates['templates/standard.html']).toContain('{{picture gallery/logo.png}}')
    expect([...pictures.keys()]).toEqual([document.pictures['gallery/logo.png']])
    expect((await signet(['init', '--help'])).out).toContain(
      '--template plain|classic|compact|portrait|bold|notice',
    )
  })

  it('is shown as a person of it gets it, the default first', async () => {
    const good = await make(GOOD)
    const [file, opened] = [join(folder, 'preview.html'), [] as string[]]
    const preview = (...words: readonly string[]) =>
      signet(['preview', good, '--out', file, ...words], {}, { open: (path) => opened.push(path) })
    const shown = await preview('--person', 'Maria@northwind.example')
    expect(shown).toMatchObject({ code: 0, out: `${file} shows 2 signatures of maria@northwind.example.\n` })
    expect(opened).toEqual([])
    const page = await readFile(file, 'utf8')
    expect(page).toContain('<h1>Signatures of Maria on 2026-10-01</h1>')
    expect([...page.matchAll(/<h[23]>(.*)<\/h/g)].map(([, text]) => text)).toEqual([
      ...['Autumn fair', 'New message', 'Corporate', 'New message', 'Reply'],
    ])
    expect([...page.matchAll(/<p class="note">(.*)<\/p>/g)].map(([, text]) => text)).toEqual([
      'The default, because department is Sales and country is DE or AT (signet.yaml:12).',
      'Because it is for everyone (signet.yaml:21).',
    ])
    expect(page).toContain('data:image/png;base64,')
    await preview('--person', 'maria@northwind.example', '--reply', '--open', '--on', '2027-01-01')
    expect(opened).toEqual([file])
    const replies = await readFile(file, 'utf8')
    expect([...replies.matchAll(/<h[123]>(.*)<\/h/g)].map(([, text]) => text)).toEqual([
      ...['Signatures of Maria on 2027-01-01', 'Corporate', 'Reply'],
    ])
    expect(await preview('--person', 'x@northwind.example')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining(`x@northwind.example is not in people.csv of ${good}.\n`) as string,
    })
  })

  it('is shown in messages for the recipients that are asked for', async () => {
    const good = await make(GOOD)
    const file = join(folder, 'recipients.html')
    const preview = (recipients: string) =>
      signet([
        ...['preview', good, '--out', file, '--person', 'maria@northwind.example'],
        ...['--recipients', recipients],
      ])
    await preview('external')
    expect(await readFile(file, 'utf8')).toContain(
      '<h1>Signatures of Maria on 2026-10-01, to someone outside</h1>',
    )
    await preview('internal')
    expect(await readFile(file, 'utf8')).toContain(', to recipients inside</h1>')
    expect(await preview('others')).toMatchObject({
      code: 64,
      complaints: '--recipients takes internal or external.\n',
    })
  })

  it('is shown with the blocks that stand in such a message, by their names', async () => {
    const read = await readFolder(await make(GOOD))
    const block = (id: string, more: Partial<Block>): Block =>
      anyBlock({ id, name: `The ${id}`, template: `templates/${id}.html`, ...more })
    const { templates, ...document } = read.document
    const release = compileRelease('r', {
      ...document,
      blocks: [block('fair', { recipients: 'external', replies: false }), block('careers', {})],
      templates: {
        ...templates,
        'templates/corporate.html': '<p>New</p>{{block banner}}',
        'templates/short.html': '<p>Short</p>{{block banner}}',
        'templates/fair.html': '<b>fair</b>',
        'templates/careers.html': '<b>careers</b>',
      },
    })
    const maria = mailboxAsOwner('maria@northwind.example')
    const shown = (recipients: SampleRecipients | null) =>
      previewEntries(
        release,
        { pictures: new Map(), places: new Map() },
        maria,
        AT,
        false,
        recipients,
      ).flatMap((entry) => entry.shown.map(({ title, html }) => [title, html]))
    expect(shown('external')).toEqual([
      ['New message, with The fair', '<p>New</p><b>fair</b>'],
      ['Reply, with The careers', '<p>Short</p><b>careers</b>'],
    ])
    for (const recipients of [null, 'internal'] as const)
      expect(shown(recipients)).toEqual([
        ['New message, with The careers', '<p>New</p><b>careers</b>'],
        ['Reply, with The careers', '<p>Short</p><b>careers</b>'],
      ])
  })

  it('is shown with its errors, and without a signature or a name', async () => {
    const yaml = (GOOD['signet.yaml'] as string).replace('for: everyone', 'for: [{ group: board }]')
    const wrong = await make({ ...GOOD, 'signet.yaml': yaml, 'people.csv': 'email,x\na@b.example,1\n' })
    const file = join(folder, 'none.html')
    const told = await signet(['preview', wrong, '--person', 'a@b.example', '--out', file])
    expect(told).toMatchObject({
      code: 0,
      out: `a@b.example has no signature on 2026-10-01.\n${file} shows 0 signatures of a@b.example.\n`,
    })
    expect(told.complaints.endsWith('The preview shows the folder as it is, with its errors.\n')).toBe(true)
    expect(await readFile(file, 'utf8')).toContain('<h1>Signatures of a@b.example on 2026-10-01</h1>')
    expect(await readdir(folder)).toContain('none.html')
  })
})

describe('the Chromium that draws pictures', () => {
  it('is that of CHROMIUM_PATH if it can be started, and without CHROMIUM_PATH one in the PATH', async () => {
    const [chosen, other, usual] = ['own-browser', 'no-program', 'chromium'].map((name) => join(folder, name))
    for (const path of [chosen!, other!, usual!]) await writeFile(path, '')
    for (const path of [chosen!, usual!]) await chmod(path, 0o755)
    expect(await findChromium({ PATH: folder, CHROMIUM_PATH: chosen })).toBe(chosen)
    expect(await findChromium({ PATH: folder, CHROMIUM_PATH: other })).toBeNull()
    // On other systems the usual places do not depend on PATH.
    if (process.platform !== 'linux') return
    expect(await findChromium({ PATH: '' })).toBeNull()
    for (const none of [{}, { CHROMIUM_PATH: '' }])
      expect(await findChromium({ PATH: folder, ...none })).toBe(usual)
  })
})
