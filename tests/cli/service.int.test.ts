import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonalData } from '../../streams/wire/administration/people.ts'
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { ImportStopped } from '../../src/service/operations/domainError.ts'
import { refusalFor } from '../../src/service/http/refusals.ts'
import { rebuildPeople } from '../../src/service/people/rebuild.ts'
import { openStore } from '../../src/service/sql/openStore.ts'
import { STORE_PROBLEMS, type StoreProblem, StoreUnavailable } from '../../src/service/sql/problems.ts'
import { embeddedData, newPostgresUrl } from '../support/databases.ts'
import { GIF, png } from '../folder/pictures.ts'
import { ALEX, MARIA, start, TESS, type Running } from '../service/running.ts'
import { runSignet } from './runningCommand.ts'

// The commands that ask a service, and those of its database, against the demonstration.

let running: Running
let folder: string
let token: string

beforeAll(async () => {
  running = await start({ open: null })
  token = await running.mailClientToken(ALEX)
  folder = await mkdtemp(join(tmpdir(), 'signet-cli-'))
  await cp(
    join(import.meta.dirname, '../../src/service/demonstration/signatures'),
    join(folder, 'signatures'),
    {
      recursive: true,
    },
  )
})
afterAll(async () => {
  await running.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command in this process, with the service and a token where it takes them. Never writes the token. */
async function signet(words: readonly string[], over: Partial<Terminal> = {}) {
  const world = { environment: { SIGNET_TOKEN: token }, fetch, now: Date.now, ...over }
  const { code, all: out } = await runSignet(words, world)
  expect(out).not.toContain(token)
  return { code, out }
}
const ask = (words: readonly string[], over: Partial<Terminal> = {}) =>
  signet([...words, '--service', running.url], over)

const signatures = () => join(folder, 'signatures')
const planFile = () => join(folder, 'plan.html')
const planned = (over: readonly string[] = []) => ask(['plan', signatures(), '--out', planFile(), ...over])
const publish = (words: readonly string[], over: Partial<Terminal> = {}) =>
  ask(['publish', signatures(), '--out', planFile(), ...words], over)
const planIdOf = (out: string): string => /^Plan ([0-9a-f]{32}),/m.exec(out)?.[1] ?? ''

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const path = join(signatures(), file)
  await writeFile(path, change(await readFile(path, 'utf8')))
}

describe('publishing a folder', () => {
  it('asks first, and leaves everything as it is without a yes', async () => {
    const before = await running.context.store.organisationFacts(0)
    const questions: string[] = []
    const no = await publish([], { confirm: (question) => Promise.resolve(questions.push(question) < 0) })
    expect(no.code).toBe(1)
    expect(no.out).toContain('Nothing was published.')
    expect(questions).toEqual(['Publish this?'])
    expect(await running.context.store.organisationFacts(0)).toEqual(before)
  })

  it('says that the page cannot be written, and publishes nothing', async () => {
    const before = await running.context.store.organisationFacts(0)
    const out = join(folder, 'no', 'such', 'folder', 'plan.html')
    const none = await ask(['publish', signatures(), '--out', out], { confirm: () => Promise.resolve(true) })
    expect([none.code, none.out]).toEqual([
      1,
      expect.stringContaining(`${out} cannot be written: there is no such file or folder (ENOENT)`),
    ])
    expect(await running.context.store.organisationFacts(0)).toEqual(before)
  })

  it('publishes after a yes', async () => {
    const yes = await publish(['--note', 'From a folder'], { confirm: () => Promise.resolve(true) })
    expect(yes.code).toBe(0)
    const release = running.context.releases.current()?.id ?? ''
    expect(yes.out).toContain(`Published ${release}.`)
    const { code, out } = await ask(['releases'])
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toMatch(new RegExp(`^\\* 2  ${release}  \\S+Z  ${ALEX}  From a folder$`))
  })

  it('[SRV-29] shows a plan in sentences, and as a page with the pictures of the folder', async () => {
    await writeFile(join(signatures(), 'pictures/dot.gif'), GIF)
    await edit(
      'templates/padrao.html',
      (text) => `${text}<img src="{{picture dot.gif}}" alt="A dot" width="1">\n`,
    )
    await edit('signet.yaml', (text) =>
      text.replace(
        '  padrao:\n',
        '  feira:\n    name: Feira\n    template: templates/curta.html\n    for: [{ country: PT }]\n  padrao:\n',
      ),
    )
    await edit('expect.yaml', (text) => text.replace('default: padrao', 'default: feira'))
    const { code, out } = await planned()
    expect(code).toBe(2)
    expect(out).toContain('     1 gets another default: Padrão Northwind → Feira, because country is PT\n')
    expect(out).toContain('     1 Padrão Northwind changes in new messages\n')
    expect(out).toContain('     1 Feira is new\n')
    expect(planIdOf(out)).not.toBe('')
    const page = await readFile(planFile(), 'utf8')
    expect(page).toContain('Padrão Northwind changes in new messages')
    expect(page).toContain(`here as ${MARIA} sees it`)
    expect(page).toContain(`data:image/gif;base64,${GIF.toString('base64')}`)
    expect(page).not.toMatch(/<script|<link|@import/i)
    for (const when of ['before', 'after']) {
      expect(page).toContain(`title="Padrão Northwind, New message, ${when}"`)
      expect(page).toContain(`title="Padrão Northwind, New message, ${when}, as classic Outlook shows it"`)
    }
    expect(page).toContain('an approximation')
  })

  it('is the first for an organisation without any', async () => {
    const nothing: typeof fetch = async (address, request) => {
      const answer = await fetch(address, request)
      if (!String(address).endsWith('/plans')) return answer
      const plan = (await answer.json()) as Plan
      const { summary } = plan
      const defaults = summary.defaults.map((line) => ({ ...line, from: null }))
      return Response.json({ ...plan, base: null, summary: { ...summary, defaults } })
    }
    const { out } = await ask(['plan', signatures(), '--out', planFile()], { fetch: nothing })
    expect(out).toMatch(/^Nothing published yet → [0-9a-f]{8} \(/m)
    expect(out).toContain('     1 gets a default: Feira, because country is PT\n')
    expect(await readFile(planFile(), 'utf8')).toContain('<h1>Plan: Nothing published yet → ')
  })

  it('sends the pictures that the service lacks, in portions below its limit, and once', async () => {
    const pictures = join(signatures(), 'pictures/many')
    await mkdir(pictures)
    // 11 pictures of 0.9 MB: more than a portion.
    for (let index = 0; index < 11; index += 1)
      await writeFile(join(pictures, `${index}.png`), png(index + 1, 1, 900_000))
    const sizes: number[] = []
    const counting: typeof fetch = (address, request) => {
      if (String(address).endsWith('/pictures')) sizes.push(String(request?.body).length)
      return fetch(address, request)
    }
    expect((await ask(['plan', signatures(), '--out', planFile()], { fetch: counting })).code).toBe(2)
    expect(sizes.length).toBeGreaterThan(1)
    expect(Math.max(...sizes)).toBeLessThan(15 * 1024 * 1024)
    sizes.length = 0
    expect((await ask(['plan', signatures(), '--out', planFile()], { fetch: counting })).code).toBe(2)
    expect(sizes).toEqual([])
    await rm(pictures, { recursive: true })
  })

  it('publishes in a pipeline exactly the plan that was reviewed', async () => {
    const reviewed = planIdOf((await planned()).out)
    await edit('templates/padrao.html', (text) => `${text}<p>{{first_name}}</p>\n`)
    const stale = await publish(['--yes', '--plan', reviewed])
    expect(stale.code).toBe(1)
    expect(stale.out).toContain('Nothing was published.')
    const again = planIdOf((await planned()).out)
    expect(again).not.toBe(reviewed)
    expect(await publish(['--yes', '--plan', again])).toMatchObject({ code: 0 })
  })

  it('sends nothing of a folder with errors', async () => {
    const text = await readFile(join(signatures(), 'templates/padrao.html'), 'utf8')
    await edit('templates/padrao.html', () => '<p>{{nothing}}</p>')
    let asked = 0
    const counting: typeof fetch = (...request) => {
      asked += 1
      return fetch(...request)
    }
    const { code, out } = await ask(['plan', signatures(), '--out', planFile()], { fetch: counting })
    expect({ code, asked }).toEqual({ code: 1, asked: 0 })
    expect(out).toMatch(/^templates\/padrao\.html:1:4: error /m)
    await edit('templates/padrao.html', () => text)
  })

  it('rolls back one step', async () => {
    const [now, before] = running.context.releases.state().history
    expect((await ask(['rollback', '--note', 'Too early'])).code).toBe(0)
    expect(running.context.releases.current()?.id).toBe(before?.release)
    expect((await ask(['rollback', now?.release ?? ''])).code).toBe(0)
    expect(running.context.releases.current()?.id).toBe(now?.release)
    expect((await ask(['rollback', 'f'.repeat(32)])).out).toContain('not_found')
  })

  it('is undone by the folder that export writes', async () => {
    const exported = join(folder, 'exported')
    expect((await ask(['export', exported])).code).toBe(0)
    const { out } = await ask(['plan', exported, '--out', planFile()])
    const { id = '' } = running.context.releases.current() ?? {}
    expect(out).toContain(`Release ${id.slice(0, 8)} (now) → ${id.slice(0, 8)} `)
    const same = await ask(['drift', exported])
    expect(same).toEqual({
      code: 0,
      out: `Release ${id.slice(0, 8)} is published; ${exported} is the same.\n`,
    })
    await writeFile(join(exported, 'templates/padrao.html'), '<p>{{first_name}}</p>')
    expect(await ask(['drift', exported])).toEqual({
      code: 2,
      out: `Release ${id.slice(0, 8)} is published; ${exported} is not the same.\ntemplates/padrao.html differs\n`,
    })
    expect((await ask(['export', exported])).code).toBe(1)
  })
})

describe('a person', () => {
  it('has signatures for reasons that are sentences', async () => {
    const { code, out } = await ask(['why', MARIA])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^ {2}has Feira as the default, because country is PT and (it stands first|no signature above it applies) \(signet\.yaml:\d+\)\.$/m,
    )
    expect(out).toContain('  does not have Northwind standard: nothing that it is for fits (signet.yaml:')
    expect((await ask(['why', 'unknown@northwind.example'])).out).toContain('not_found')
  })

  it('has the line that decides beside each reason: of the exported folder, or of one that says the same', async () => {
    const exported = join(folder, 'explained')
    expect((await ask(['export', exported])).code).toBe(0)
    const yaml = join(exported, 'signet.yaml')
    const written = await readFile(yaml, 'utf8')
    const lineOf = (out: string, name: string) =>
      Number(new RegExp(`^  .*${name}.* \\(signet\\.yaml:(\\d+)\\)\\.$`, 'm').exec(out)?.[1])
    const { out } = await ask(['why', MARIA])
    expect(written.split('\n')[lineOf(out, 'has Feira') - 1]).toBe('      - country: PT')
    const own = written.replace('signatures:\n', '# A comment of the folder.\nsignatures:\n')
    await writeFile(yaml, own)
    const inFolder = await ask(['why', MARIA, exported])
    expect(inFolder.code).toBe(0)
    expect(lineOf(inFolder.out, 'has Feira')).toBe(lineOf(out, 'has Feira') + 1)
    await writeFile(yaml, own.replace('name: Feira', 'name: Fair'))
    const other = await ask(['why', MARIA, exported])
    expect(other.out).toContain(
      `${exported} is not what is published, as signet drift says: the lines are those`,
    )
    expect(lineOf(other.out, 'has Feira')).toBe(lineOf(out, 'has Feira'))
  })

  it('[SRV-24] is imported, after a try that changes nothing', async () => {
    const file = join(folder, 'people.csv')
    await writeFile(file, 'email,givenName\nnew@northwind.example,New\nno address,X\n')
    const known = async () => (await running.context.store.personByAddress('new@northwind.example')) !== null
    const tried = await ask(['people', 'import', file, '--try'])
    expect(tried).toMatchObject({ code: 1 })
    expect(tried.out).toContain('people.csv:3:')
    expect(tried.out).toContain('Would be: 1 added, 0 changed, 0 unchanged, 1 problem')
    expect(await known()).toBe(false)
    await writeFile(file, 'email,picture\nnew@northwind.example,new.png\n')
    const pictured = await ask(['people', 'import', file, '--try'])
    expect(pictured.code).toBe(0)
    expect(pictured.out).toContain('people.csv:1:1: warning: The column "picture" is left out')
    // As Excel writes it, with rows and a column without text.
    await writeFile(file, 'sep=;\r\nemail;givenName;\r\nnew@northwind.example;New;\r\n;;\r\n')
    expect(await ask(['people', 'import', file])).toEqual({
      code: 0,
      out: '1 added, 0 changed, 0 unchanged, 0 problems\n',
    })
    expect(await known()).toBe(true)
    expect(await ask(['people', 'import', file])).toEqual({
      code: 0,
      out: '0 added, 0 changed, 1 unchanged, 0 problems\n',
    })
  })

  it('[PERSON-2] adds named columns to people who are there, and tells who is not before it does', async () => {
    const file = join(folder, 'extra.csv')
    await writeFile(file, `email,pronouns,jobTitle\n${MARIA},ela/dela,Other\nnobody@northwind.example,x,\n`)
    expect(await ask(['people', 'import', file, '--only', 'pronouns'])).toEqual({
      code: 0,
      out: 'Left out, because not in the organisation: nobody@northwind.example\n0 added, 1 changed, 0 unchanged, 0 problems\n',
    })
    const { out } = await ask(['people', 'show', MARIA])
    expect(out).toContain('  pronouns: ela/dela (file extra.csv, ')
    expect(out).toContain('; the directory says nothing)')
    const wrong = await ask(['people', 'import', file, '--only', 'pronoun'])
    expect(wrong).toMatchObject({ code: 1, out: expect.stringContaining('no column of values') as string })
    await writeFile(file, `email,pronouns\n${MARIA},\n`)
    await ask(['people', 'import', file, '--only', 'pronouns'])
    expect((await ask(['people', 'show', MARIA])).out).not.toContain('ela/dela')
  })

  it('is corrected by hand, kept without a signature and given a certain one, and back', async () => {
    const set = await ask(['people', 'set', MARIA, 'office=Lisboa', 'nobody_asks=1', '--until', 'removed'])
    expect(set.code).toBe(0)
    expect(set.out).toMatch(
      /office: Lisboa \(administrator \S+, \S+, until it is taken back; the directory says "Cais/,
    )
    expect(set.out).toContain('No variable and no rule uses nobody_asks any more.')
    const kept = await ask(['people', 'set', MARIA, '--exclude', '--until', '2999-12-31'])
    expect(kept.out).toMatch(/Kept without a signature by \S+, \S+, until 2999-12-31\./)
    expect((await ask(['why', MARIA])).out).toContain('an administrator keeps the person without one')
    const none = await ask(['people', 'set', MARIA, '--signature', 'not_there'])
    expect(none).toMatchObject({ code: 1, out: expect.stringContaining('unknown_signature') as string })
    const pinned = await ask(['people', 'set', MARIA, '--signature', 'standard'])
    expect(pinned.out).toMatch(/Gets the signature standard by \S+, \S+, until it is taken back\.\n/)
    const back = ['people', 'unset', MARIA, 'office', 'nobody_asks', '--exclude', '--signature', 'standard']
    const unset = await ask(back)
    expect(unset.out).not.toContain('administrator')
    expect(unset.out).toContain('  office: Cais da Ribeira, Porto (directory)')
    expect(await ask(back)).toEqual({ code: 1, out: 'office is not corrected. Nothing was changed.\n' })
    expect((await ask(['people', 'set', MARIA])).code).toBe(64)
    expect((await ask(['people', 'set', MARIA, 'office=x', '--until', 'soon'])).code).toBe(64)
    expect((await ask(['people', 'set', MARIA, '--exclude', '--until', 'changed'])).code).toBe(64)
  })

  it('that is not answered may be done in part, and says that repeating it is safe; a try says nothing of it', async () => {
    const file = join(folder, 'people.csv')
    await writeFile(file, 'email\nnew@northwind.example\n')
    const silent: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))
    const asked = await ask(['people', 'import', file], { fetch: silent })
    expect(asked.code).toBe(1)
    expect(asked.out).toContain('Importing the same file again is safe')
    const tried = await ask(['people', 'import', file, '--try'], { fetch: silent })
    expect(tried.out).toContain('cannot be reached')
    expect(tried.out).not.toContain('again is safe')
    // A proxy answers in its place, or the answer broke off.
    for (const answer of [
      new Response('<h1>Bad gateway</h1>', { status: 502 }),
      new Response('{"added":1', { status: 200 }),
    ])
      expect((await ask(['people', 'import', file], { fetch: () => Promise.resolve(answer) })).out).toContain(
        'Importing the same file again is safe',
      )
    // What a refusal says of how far the import came is said as it is.
    const message = '20 of 2700 people are stored; the first who is not is person 21.'
    const stopped: typeof fetch = () =>
      Promise.resolve(Response.json({ code: 'import_stopped', message }, { status: 503 }))
    expect(await ask(['people', 'import', file], { fetch: stopped })).toMatchObject({
      code: 1,
      out: expect.stringContaining(`import_stopped: ${message}`) as string,
    })
  })
})

describe('an import that the database stops', () => {
  it('[SCALE-6] ends with code 1, and says why and after how many people, for each problem', async () => {
    const file = join(folder, 'stopped.csv')
    await writeFile(file, 'email\nnew@northwind.example\n')
    const reasons = await Promise.all(
      (Object.keys(STORE_PROBLEMS) as StoreProblem[]).map(async (problem) => {
        const cause = new StoreUnavailable('db-7 refused', { problem })
        const { code, message, status } = refusalFor(
          new ImportStopped(cause, { done: 20, all: 2700, row: 21 }),
        )!
        const stopped: typeof fetch = () => Promise.resolve(Response.json({ code, message }, { status }))
        const told = await ask(['people', 'import', file], { fetch: stopped })
        const [, reason] =
          /import_stopped: (.+) The import stopped: 20 of 2700 people are stored; the first who is not is person 21\./.exec(
            told.out,
          ) ?? []
        return [told.code, reason]
      }),
    )
    expect(reasons.map(([code]) => code)).toEqual(reasons.map(() => 1))
    expect(new Set(reasons.map(([, reason]) => reason ?? '')).size).toBe(6)
    expect(reasons).toContainEqual([1, 'The database of the service kept rows locked for too long.'])
  })
})

describe('a file as Excel writes it in German', () => {
  it('is imported: semicolons, and Windows-1252 with a warning', async () => {
    const file = join(folder, 'excel.csv')
    await writeFile(file, Buffer.from('email;givenName\r\nexcel@northwind.example;J\u00f6rg\r\n', 'latin1'))
    const { code, out } = await ask(['people', 'import', file])
    expect(code).toBe(0)
    expect(out).toContain('excel.csv:2:26: warning csv.windows1252')
    expect(out).toContain('1 added, 0 changed, 0 unchanged, 0 problems')
    const person = await running.context.store.personByAddress('excel@northwind.example')
    expect(person?.directory).toEqual({ givenName: 'Jörg' })
    await writeFile(file, Buffer.from('email;givenName\r\nexcel@northwind.example;\xa3ucja\r\n', 'latin1'))
    const named = await ask(['people', 'import', file, '--encoding', 'iso-8859-2'])
    expect(named.out).not.toContain('windows1252')
    const renamed = await running.context.store.personByAddress('excel@northwind.example')
    expect(renamed?.directory).toEqual({ givenName: 'Łucja' })
    await writeFile(file, Buffer.from('email;givenName\n', 'utf16le'))
    const refused = await ask(['people', 'import', file])
    expect(refused.code).toBe(1)
    expect(refused.out).toContain('or name its encoding with --encoding.')
  })
})

describe('the data of a person', () => {
  it('is exported as JSON', async () => {
    await running.context.people.write(
      'u-3',
      { type: 'saveValues', values: { job_title: 'a\u009bb' }, resetFields: [] },
      'test',
    )
    const { code, out } = await ask(['person', 'export', MARIA])
    expect(code).toBe(0)
    expect(out).not.toContain('\u009b')
    const data = JSON.parse(out) as PersonalData
    expect(data.person).toEqual(await running.context.store.personByAddress(MARIA))
    expect(data.person.values['job_title']).toBe('a\u009bb')
  })

  it('is erased after a yes, or with --yes', async () => {
    const address = 'leaver@northwind.example'
    const file = join(folder, 'leaver.csv')
    const imported = async () => {
      await writeFile(file, `email\n${address}\n`)
      await ask(['people', 'import', file])
    }
    const isKnown = async () => (await running.context.store.personByAddress(address)) !== null
    await imported()
    expect((await ask(['person', 'erase', address])).code).toBe(64)
    const no = await ask(['person', 'erase', address], { confirm: () => Promise.resolve(false) })
    expect(no).toEqual({ code: 1, out: 'Nothing was erased.\n' })
    expect(await isKnown()).toBe(true)
    const questions: string[] = []
    const confirm = (question: string) => Promise.resolve(questions.push(question) > 0)
    expect((await ask(['person', 'erase', address], { confirm })).code).toBe(0)
    expect(questions).toEqual([expect.stringMatching(/^Erase leaver@northwind\.example \(.+\), for good\?$/)])
    expect(await isKnown()).toBe(false)
    await imported()
    expect((await ask(['person', 'erase', address, '--yes'])).code).toBe(0)
    expect(await isKnown()).toBe(false)
    expect((await ask(['person', 'erase', address, '--yes'])).out).toContain('not_found')
  })
})

describe('a service', () => {
  it('is in maintenance until it is not', async () => {
    expect((await ask(['maintenance', 'active'])).code).toBe(0)
    expect(running.context.releases.state().maintenance).toBe('active')
    expect((await ask(['maintenance', 'off'])).code).toBe(0)
    expect(running.context.releases.state().maintenance).toBeNull()
    expect((await ask(['maintenance', 'sometimes'])).code).toBe(64)
  })

  it('that answers something else is named, and the token is in no message', async () => {
    const answering = (body: string | null, status: number): Partial<Terminal> => ({
      fetch: () => Promise.resolve(new Response(body, { status })),
    })
    const html = answering('<!doctype html><title>Sign in</title>', 200)
    for (const over of [html, answering(null, 204), answering('null', 200)])
      for (const words of [
        ['releases'],
        ['why', ALEX],
        ['maintenance', 'off'],
        ['export', join(folder, 'none')],
        ['person', 'erase', ALEX, '--yes'],
      ]) {
        const { code, out } = await ask(words, over)
        expect([code, out]).toEqual([
          1,
          expect.stringMatching(/but not with JSON; is it a signature service\?\n$/),
        ])
      }
    const quoting = { code: 'invalid_token', message: `The token ${token} is not good.` }
    expect((await ask(['releases'], answering(JSON.stringify(quoting), 401))).out).toMatch(
      /^invalid_token: The token … is not good\. Set SIGNET_TOKEN to /,
    )
  })

  it('that refuses is quoted, and one that is away is named', async () => {
    const plain = { SIGNET_TOKEN: await running.mailClientToken(TESS) }
    expect(await ask(['releases'], { environment: plain })).toEqual({
      code: 1,
      out: 'role_missing: The access token does not have the role Signet.Read.\n',
    })
    const expired = await ask(['releases'], { environment: { SIGNET_TOKEN: 'old' } })
    expect(expired.code).toBe(1)
    expect(expired.out).toMatch(/^invalid_token: .+ Set SIGNET_TOKEN to /)
    const away = await signet(['releases', '--service', 'http://localhost:46299'])
    expect(away.code).toBe(1)
    expect(away.out).toContain(
      'http://localhost:46299 cannot be reached: nothing accepts connections there (ECONNREFUSED). Check the address',
    )
  })
})

describe('the database', () => {
  /** The settings of a service over a database, with the demonstration's keys. */
  const settings = (database: Readonly<Record<string, string>>) => ({
    ...database,
    SIGNET_PUBLIC_URL: 'https://signet.example.com',
    SIGNET_TENANTS: '0f1e2d3c-4b5a-4697-8877-665544332211',
    SIGNET_CLIENT_ID: 'the-client',
    SIGNET_SCOPE: 'api://signet.example.com/the-client/access_as_user',
    SIGNET_SECRET: createHash('sha256').update('signet demonstration').digest('hex'),
  })
  const answersOf = async (bearer: string) =>
    Promise.all(
      ['/api/addin/user', '/api/addin/user/variables', '/signatures-cache/api/v1/signatures?per_page=50'].map(
        async (path) => {
          const { status, text } = await running.call('GET', path, bearer)
          return [path, status, text.replaceAll(running.url, '<service>')]
        },
      ),
    )

  it('[SRV-14] has the rows that folding all facts gives, and rebuild replaces one that differs', async () => {
    const { store, people } = running.context
    await people.write('u-1', { type: 'chooseDefault', combinedIds: 'standard-u-1' }, 'u-1')
    await people.write('u-3', { type: 'deactivate' }, 'test')
    await people.write(
      'u-3',
      { type: 'importRecord', record: { ...(await recordOf('u-3')), language: 'fr' } },
      'test',
    )
    await people.erase('u-4', 'test')
    expect((await rebuildPeople(store)).replaced).toEqual([])

    const maria = await store.person('u-3')
    if (!maria) throw new Error('Maria is missing.')
    const facts = await store.personFacts('u-3', 0)
    const other = { ...maria, groups: ['intruders'], addresses: ['x@northwind.example'] }
    const [first, last] = [facts[0]?.meta.seq ?? 0, facts.at(-1)?.meta.seq ?? 0]
    expect(await store.replacePeople([{ id: 'u-3', person: other, first, last }])).toEqual([])
    expect((await rebuildPeople(store)).replaced).toEqual(['u-3'])
    expect(await store.person('u-3')).toEqual(maria)
    expect(await store.personByAddress('x@northwind.example')).toBeNull()
  })

  async function recordOf(id: string) {
    const person = await running.context.store.person(id)
    if (!person) throw new Error(`There is no ${id}.`)
    const { addresses, account, language, directory: fields, groups, directoryPicture: picture } = person
    return { addresses, account, language, fields, groups, picture }
  }

  it('[SRV-25] answers as before when a backup is restored elsewhere, and bearers stay good', async () => {
    const bearer = await running.signIn(ALEX)
    await running.call('PUT', '/api/addin/user/variables_with_options', bearer, {
      data: { job_title: 'Kept by a backup' },
      reset_fields: [],
    })
    const before = await answersOf(bearer)
    expect(JSON.stringify(before)).toContain('Kept by a backup')
    const embedded = settings({
      SIGNET_EMBEDDED: 'accept',
      SIGNET_DATA: join(running.dataFolder, 'database'),
    })
    const file = join(folder, 'backup.jsonl')
    const busy = await signet(['backup', file], { environment: embedded })
    expect(busy.code).toBe(1)
    await expect(stat(file)).rejects.toThrow('ENOENT')

    await running.restart({ open: embeddedData() })
    expect((await answersOf(bearer)).map(([, status]) => status)).toEqual([401, 401, 401])
    expect(await signet(['backup', file], { environment: embedded })).toMatchObject({ code: 0 })
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect((await signet(['backup', file], { environment: embedded })).out).toContain('is there already')

    const url = await newPostgresUrl()
    const elsewhere = settings({ DATABASE_URL: url })
    expect(await signet(['restore', file], { environment: elsewhere })).toMatchObject({ code: 0 })
    expect((await signet(['restore', file], { environment: elsewhere })).out).toContain('has data already')
    await running.restart({ open: () => openStore({ kind: 'postgres', url }) })
    expect(await answersOf(bearer)).toEqual(before)

    expect(await signet(['rebuild'], { environment: elsewhere })).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 rows replaced') as string,
    })
    const keys = (await running.context.store.keys()).length
    expect((await signet(['keys', 'rotate'], { environment: elsewhere })).code).toBe(0)
    expect((await running.context.store.keys()).length).toBe(keys + 1)
    // [SRV-32] Who works on the database is in the audit, too.
    const [latest] = await running.context.store.audit(null, 1)
    const newest = (await running.context.store.keys()).at(-1)?.id
    expect(latest?.fact).toMatchObject({ type: 'organisation/keyRotated', data: { key: newest } })
    expect(latest?.fact.meta.source).toBe('operator')
  })

  it('is not touched when a setting is missing, and all of them are named', async () => {
    const { code, out } = await signet(['rebuild'], { environment: {} })
    expect(code).toBe(1)
    for (const name of ['DATABASE_URL', 'SIGNET_PUBLIC_URL', 'SIGNET_SECRET']) expect(out).toContain(name)
  })
})
