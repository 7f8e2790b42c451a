import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { createSealedFormats } from '../../../src/service/people/values.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { overPostgres } from '../../support/databases.ts'
import { variableOf } from '../../support/variables.ts'
import { askAdministration } from './administrator.ts'
import {
  ALEX,
  askAsAddin,
  type Instance,
  mailClientToken,
  MARIA,
  signInTo,
  startInstance,
  startProvider,
} from '../running.ts'

// The addresses of people's cards, as readers of mails open them: two instances over one database.

const PUBLIC = 'https://signet.northwind.example'
const SECRET = randomBytes(32)
/** After so long, an instance reads what another one published. */
const FOLLOW_MS = 2_000
const TEMPLATE =
  '<p>{{display_name}}<br>{{phone phone}}</p>{{#if card}}<a href="{{card}}">My card</a>{{/if}}<p>End</p>'
const NOTHING = { code: 'not_found', message: 'There is nothing at this address.' }

overPostgres('the address of a card', (open) => {
  let clock = Date.parse('2026-11-26T10:00:00Z')
  let provider: RunningServer
  const instances: Instance[] = []
  let document: ReleaseDocument
  const one = () => {
    const [first] = instances
    if (first === undefined) throw new Error('not started')
    return first
  }
  const context = () => one().service.context

  let log: string[] = []
  /** The ids of the people who were read. */
  let lookedUp: string[] = []
  let isAway = false

  async function start() {
    const store = await open()
    instances.push(
      await startInstance({
        store: {
          ...store,
          person: (id) => {
            lookedUp.push(id)
            return isAway ? Promise.reject(new StoreUnavailable('away')) : store.person(id)
          },
        },
        provider,
        secret: SECRET,
        publicUrl: () => PUBLIC,
        now: () => clock,
        log: (line) => void log.push(line),
      }),
    )
  }

  const { formats } = createSealedFormats(SECRET, () => PUBLIC)
  async function idOf(address: string): Promise<string> {
    const person = await context().store.personByAddress(address)
    if (person === null) throw new Error(`no ${address}`)
    return person.id
  }
  const get = async (address: string, method = 'GET', at = one(), ip = '192.0.2.1') => {
    const headers = { 'X-Forwarded-For': ip }
    const answer = await fetch(address.replace(PUBLIC, at.url), { method, headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const ofAlex = async () => formats.card(await idOf(ALEX))
  const status = async (address: string) => (await get(address)).status
  const save = async (values: Readonly<Record<string, string>>) =>
    context().people.write(await idOf(ALEX), { type: 'saveValues', values, resetFields: [] }, 'test')

  async function sentHtml(): Promise<string> {
    const { url } = one()
    const token = await signInTo(url, provider, ALEX)
    const list = await askAsAddin(url, 'GET', '/signatures-cache/api/v1/signatures?page=1', token)
    return (list.body.objects[0] as { signature: string }).signature
  }

  beforeAll(async () => {
    provider = await startProvider({ now: () => clock })
    await start()
    await start()
    const demonstration = await readDemonstration()
    const [standard] = demonstration.document.signatures
    if (standard === undefined) throw new Error('no signature')
    const { meeting: _, ...plain } = standard
    const { blocks: __, guard: ___, ...described } = demonstration.document
    const selection = { for: 'everyone', not: [] } as const
    const all = { ...plain, selection, reply: null, during: null }
    document = {
      ...described,
      cards: { unless: 'no_card' },
      signatures: [
        { ...all, id: 'all', name: 'All', template: 'templates/all.html' },
        { ...all, id: 'other', name: 'Other', template: 'templates/other.html' },
      ],
      variables: [
        ...demonstration.document.variables.filter(({ path }) => path !== 'phone'),
        variableOf('phone', { from: 'telephoneNumber' }),
        variableOf('no_card', { edit: true }),
      ],
      templates: { 'templates/all.html': TEMPLATE, 'templates/other.html': '<p>{{display_name}}</p>' },
    }
    const people = demonstration.people.map((row) =>
      row.record.addresses.includes(ALEX)
        ? {
            ...row,
            record: { ...row.record, fields: { ...row.record.fields, telephoneNumber: '+442079460142' } },
          }
        : row,
    )
    await context().people.importRows(people, 'test', false)
    for (const [hash, picture] of demonstration.pictures) await context().store.keepPicture(hash, picture)
  })
  beforeEach(async () => {
    clock += 60_000
    if (context().releases.current()?.document !== document) await publishDocument(context(), document)
    await save({ no_card: '' })
    log = []
    lookedUp = []
  })
  afterAll(async () => {
    await Promise.all(instances.map(({ service }) => service.close()))
    await provider.close()
  })

  it('[ADOPT-10] stands in the signature, and gives what the default signature shows', async () => {
    const html = await sentHtml()
    expect(html).toContain(`<a href="${await ofAlex()}">My card</a>`)
    const address = /href="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(address).toMatch(/^https:\/\/signet\.northwind\.example\/card\/[\w-]+\.[\w-]{22}\.vcf$/)
    for (const at of instances) {
      at.time.advance(FOLLOW_MS)
      await expect.poll(async () => (await get(address, 'GET', at)).status).toBe(200)
      const { headers, text } = await get(address, 'GET', at)
      expect(text).toBe(
        'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Alex Kim\r\nN:Kim;Alex;;;\r\nTEL;TYPE=WORK:+44 20 7946 0142\r\nEND:VCARD\r\n',
      )
      expect(headers.get('content-type')).toBe('text/vcard; charset=utf-8')
      expect(headers.get('content-disposition')).toBe('attachment; filename="contact.vcf"')
      expect(headers.get('cache-control')).toBe('private, max-age=60')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('set-cookie')).toBeNull()
    }
    expect(await get(address, 'HEAD')).toMatchObject({ status: 200, text: '' })
  })

  it('[ADOPT-10] follows the default signature that the person has now', async () => {
    const address = await ofAlex()
    const id = await idOf(ALEX)
    await context().people.write(id, { type: 'chooseDefault', combinedIds: `other-${id}` }, 'test')
    expect((await get(address)).text).not.toContain('TEL')
    await context().people.write(id, { type: 'chooseDefault', combinedIds: `all-${id}` }, 'test')
    expect((await get(address)).text).toContain('TEL')
  })

  it('[ADOPT-10] is gone at once for a person who refuses, in new messages and behind old addresses', async () => {
    const address = await ofAlex()
    expect(await status(address)).toBe(200)
    await save({ no_card: 'yes' })
    expect(await status(address)).toBe(404)
    expect(await sentHtml()).toContain('</p><p>End</p>')
    await save({ no_card: '' })
    expect(await status(address)).toBe(200)
  })

  it('[ADOPT-10] is gone while the published release allows none, and a rollback brings it back', async () => {
    const address = await ofAlex()
    const allowed = context().releases.current()?.id ?? ''
    const { cards: _, ...without } = document
    await publishDocument(context(), without)
    expect(await status(address)).toBe(404)
    expect(await sentHtml()).toContain('</p><p>End</p>')
    await context().releases.write({ type: 'rollBack', release: allowed, note: '' }, 'test')
    expect(await status(address)).toBe(200)
  })

  it.each([
    ['users may not change', { edit: false }],
    ['users do not see', { edit: true, hidden: true }],
  ])('[ADOPT-10] is none while the refusal is a variable that %s', async (_, over) => {
    const variables = document.variables.map((each) =>
      each.path === 'no_card' ? { ...each, ...over } : each,
    )
    await publishDocument(context(), { ...document, variables })
    expect(await status(await ofAlex())).toBe(404)
    await publishDocument(context(), { ...document, cards: { unless: 'gone' } })
    expect(await status(await ofAlex())).toBe(404)
  })

  it('[ADOPT-10] works when no template shows it any more, and not when the default shows no name', async () => {
    const shown = (html: string) => ({
      ...document,
      templates: { ...document.templates, 'templates/all.html': html },
    })
    await publishDocument(context(), shown('<p>{{display_name}}</p>'))
    expect(await status(await ofAlex())).toBe(200)
    await publishDocument(context(), shown('<p>{{phone phone}}</p>'))
    expect(await status(await ofAlex())).toBe(404)
  })

  describe('[ADOPT-10] of another', () => {
    it('cannot be made: without the seal of this id and this secret there is nothing', async () => {
      const address = await ofAlex()
      const id = await idOf(ALEX)
      const other = await idOf(MARIA)
      const [, packed = '', seal = ''] = /card\/([\w-]+)\.([\w-]{22})\.vcf$/.exec(address) ?? []
      const of = (text: string) => Buffer.from(text).toString('base64url')
      const ownSeal = createHmac('sha256', SECRET).update(packed).digest('base64url').slice(0, 22)
      for (const path of [
        ...[`${of(other)}.${seal}.vcf`, `${packed}.${'A'.repeat(22)}.vcf`, `${packed}.vcf`, `${packed}..vcf`],
        ...[`${packed}.${seal}.vcf.txt`, `${packed}.${seal}.VCF`, `${packed}A.${seal}.vcf`, `.${seal}.vcf`],
        ...[
          `${packed}.${ownSeal}.vcf`,
          id,
          `${id}.vcf`,
          '',
          `${'A'.repeat(5000)}.${seal}.vcf`,
          '..%2f..%2fx.vcf',
        ],
        createSealedFormats(randomBytes(32), () => '')
          .formats.card(id)
          .slice('/card/'.length),
      ]) {
        const answer = await get(`${PUBLIC}/card/${path}`)
        expect([path, answer.status, JSON.parse(answer.text)]).toEqual([
          path,
          404,
          expect.objectContaining(NOTHING),
        ])
      }
      expect(await status(address)).toBe(200)
      expect(await status(formats.card(other))).toBe(200)
    })

    it('is not at the seal of a code', () => {
      const values = createSealedFormats(SECRET, () => PUBLIC)
      const [, packed = '', seal = ''] = values.formats.qr('https://www.northwind.example/').split(/[./]/)
      expect(values.cardOwnerAt(`${packed}.${seal}.vcf`)).toBeNull()
      expect(values.cardOwnerAt(values.formats.card('ä 1').slice(`${PUBLIC}/card/`.length))).toBe('ä 1')
    })

    it('tells no reason: gone, refused, unknown and sealed wrongly have one answer', async () => {
      const leaver = await idOf(MARIA)
      const of = { leaver: formats.card(leaver), unknown: formats.card('unknown'), alex: await ofAlex() }
      expect(await status(of.leaver)).toBe(200)
      await context().people.write(leaver, { type: 'deactivate' }, 'test')
      await save({ no_card: 'no' })
      const answers = []
      for (const address of [of.leaver, of.unknown, of.alex, `${PUBLIC}/card/x`])
        answers.push(await get(address))
      const told = answers.map(({ status: code, headers, text }) => {
        const { request_id: _, ...body } = JSON.parse(text) as Record<string, unknown>
        return [code, body, [...headers.keys()].sort().join(), headers.get('content-length')]
      })
      expect(told.every((each) => JSON.stringify(each) === JSON.stringify(told[0]))).toBe(true)
      await context().people.erase(leaver, 'test')
      expect(await status(of.leaver)).toBe(404)
    })
  })

  it('[ADOPT-10] has one query behind it, whatever the reason, and none without the seal', async () => {
    const address = await ofAlex()
    const id = await idOf(ALEX)
    await save({ no_card: 'x' })
    lookedUp = []
    expect(await status(address)).toBe(404)
    const { cards: _, ...without } = document
    await publishDocument(context(), without)
    expect(await status(address)).toBe(404)
    expect(await status(formats.card('unknown'))).toBe(404)
    expect(lookedUp).toEqual([id, id, 'unknown'])
    expect(await status(`${PUBLIC}/card/dS0x.${'A'.repeat(22)}.vcf`)).toBe(404)
    expect(lookedUp).toHaveLength(3)
  })

  it('is no answer but “later” while the database is away', async () => {
    const address = await ofAlex()
    isAway = true
    const answer = await get(address)
    isAway = false
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true])
  })

  it('leaves nothing of the person and the reader in the log', async () => {
    const address = await ofAlex()
    await get(`${address}?person=alex`, 'GET', one(), '203.0.113.77')
    const lines = log.filter((line) => line.includes('/card/'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ method: 'GET', route: '/card/*', status: 200 })
    expect(Object.keys(JSON.parse(lines[0] ?? '{}') as object).sort()).toEqual(
      ['level', 'method', 'ms', 'msg', 'organisation', 'request', 'route', 'status', 'time'].sort(),
    )
    expect(log.join('')).not.toMatch(/alex|\.vcf|203\.0\.113/)
  })

  it('is looked up at most 300 times a minute for one address', async () => {
    const address = await ofAlex()
    const asked = async (ip: string) => (await get(address, 'GET', one(), ip)).status
    for (let count = 0; count < 300; count++) await asked('192.0.2.9')
    expect([await asked('192.0.2.9'), await asked('192.0.2.10')]).toEqual([429, 200])
    clock += 60_000
    expect(await asked('192.0.2.9')).toBe(200)
  })

  it('is in a plan with the person who gets it, and leads nowhere in what is only checked', async () => {
    const { cards: _, ...without } = document
    await publishDocument(context(), without)
    const administrator = await mailClientToken(provider, ALEX)
    const made = await askAdministration<Plan>(...([one().url, administrator, 'POST', '/plans'] as const), {
      document,
    })
    expect(made.status).toBe(201)
    const [group] = made.body.summary.signatures
    expect(group?.before?.signature).not.toContain('/card/')
    expect(group?.after?.signature).toContain(`${PUBLIC}/card/`)
  })
})
