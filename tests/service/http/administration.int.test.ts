import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import type { SignaturesAnswer, PersonalData } from '../../../streams/wire/administration/people.ts'
import type { ExportAnswer, Plan } from '../../../streams/wire/administration/publishing.ts'
import { type Overview, roles } from '../../../streams/wire/administration/insight.ts'
import { changesAnything, type PersonPlan } from '../../../streams/organisation/plan/plan.ts'
import type { Block, ReleaseDocument, Signature } from '../../../streams/organisation/release/release.ts'
import { readFolder, type FolderRead } from '../../../src/folder/readFolder.ts'
import { ADMINISTRATION_PATH, type Call, CALLS } from '../../../streams/wire/administration/calls.ts'
import { createWebServer, type RoutePattern } from '../../../src/server/webServer.ts'
import {
  addAdministration,
  administrationHandlers,
} from '../../../src/service/http/administration/administration.ts'
import type { ExplainedPerson } from '../../../streams/organisation/rules/why.ts'
import { refusalFor } from '../../../src/service/http/refusals.ts'
import type { ServiceContext } from '../../../src/service/context/serviceContext.ts'
import { askAdministration } from './administrator.ts'
import { GIF, png } from '../../folder/pictures.ts'
import { ALEX, JONAS, MARIA, SALES, start, TESS, type Running } from '../running.ts'
import { block as anyBlock } from '../../support/blocks.ts'
import { variableOf } from '../../support/variables.ts'

let running: Running
let administrator: string
let folder: FolderRead

beforeAll(async () => {
  // Without the signatures of the demonstration that no plan may have.
  folder = await readFolder(join(import.meta.dirname, '../../../src/service/demonstration/signatures'))
  running = await start()
  await publishFolder()
})
afterAll(() => running.stop())

/** Publishes the demonstration's folder again. */
async function publishFolder(): Promise<void> {
  administrator = await running.mailClientToken(ALEX)
  const { body } = await planOf(folder.document)
  await publish(body.id)
}

const ask = <Body>(method: string, path: string, body?: unknown, token: string | null = administrator) =>
  askAdministration<Body>(running.url, token, method, path, body)

const published = async (): Promise<ReleaseDocument> =>
  (await ask<ExportAnswer>('GET', '/export')).body.document

const planOf = (document: ReleaseDocument, pictures: Readonly<Record<string, string>> = {}) =>
  ask<Plan>('POST', '/plans', { document, pictures })

const publish = (plan: string, note = '') =>
  ask<Readonly<{ release: string; history: readonly Readonly<{ by: string; note: string }>[] }>>(
    'POST',
    '/releases',
    { plan, note },
  )

const withTemplate = (document: ReleaseDocument, path: string, text: string): ReleaseDocument => ({
  ...document,
  templates: { ...document.templates, [path]: text },
})

const DAY_MS = 24 * 60 * 60 * 1000
const OTHER = png(3)
const CORPORATE = 'templates/corporate.html'

/** What each user of the demonstration is answered of signatures, as text. */
async function answers(): Promise<Readonly<Record<string, string>>> {
  const answered = [ALEX, MARIA, JONAS, TESS, SALES].map(async (email) => {
    const token = await running.signIn(email)
    const texts = await Promise.all(
      ['/signatures-cache/api/v1/signatures?per_page=50', '/signatures-cache/api/v1/signature/addin'].map(
        async (path) => (await running.call('GET', path, token)).text,
      ),
    )
    return [email, texts.join('\n')] as const
  })
  return Object.fromEntries(await Promise.all(answered))
}

describe('a plan', () => {
  beforeEach(publishFolder)

  it('[SRV-18] tells who is answered in another way, and publishing it changes exactly their answers', async () => {
    const before = await answers()
    const document = await published()
    const plan = await planOf(withTemplate(document, 'templates/padrao.html', '<p>{{first_name}}</p>'))
    expect(plan.status).toBe(201)
    expect(plan.body.summary).toMatchObject({
      people: 5,
      unchanged: 4,
      signatures: [
        {
          kind: 'changed',
          signature: 'padrao',
          aspects: ['signature'],
          people: 1,
          sample: { address: MARIA },
        },
      ],
    })
    const told = await ask<Readonly<{ people: readonly PersonPlan[]; next: string | null }>>(
      'GET',
      `/plans/${plan.body.id}/people`,
    )
    const changed = told.body.people.filter(({ signatures }) => signatures.length > 0)
    expect(changed.map(({ address }) => address)).toEqual([MARIA])
    expect(await answers()).toEqual(before)

    expect((await publish(plan.body.id)).status).toBe(201)
    const after = await answers()
    expect(Object.keys(after).filter((email) => after[email] !== before[email])).toEqual([MARIA])
    expect(after[MARIA]).toContain('<p>Maria</p>')
  })

  it('[BLOCK-8] tells who gets a block and when, and publishing it changes exactly their answers', async () => {
    const before = await answers()
    const document = await published()
    const later = { from: '2090-01-01', to: '2090-01-31', timeZone: 'Europe/Berlin' }
    const block = (id: string, during: typeof later | null) =>
      anyBlock({
        id,
        name: id,
        slot: 'only_here',
        template: 'templates/only.html',
        during,
        recipients: 'external',
      })
    const shown = withTemplate(
      withTemplate(document, 'templates/only.html', '<p>Meet us</p>'),
      'templates/padrao.html',
      `${document.templates['templates/padrao.html'] ?? ''}{{#block only_here}}<b>{{block}}</b>{{/block}}`,
    )
    const planned = async (...blocks: readonly ReturnType<typeof block>[]) =>
      (await planOf({ ...shown, blocks: [...(document.blocks ?? []), ...blocks] })).body
    const ofSlot = <Each extends Readonly<{ slot: string }>>(all: readonly Each[] = []) =>
      all.filter(({ slot }) => slot === 'only_here')

    const inWinter = await planned(block('winter', later))
    expect(inWinter.summary).toMatchObject({ unchanged: 4, signatures: [] })
    expect(ofSlot(inWinter.summary.blocks)).toMatchObject([
      {
        kind: 'added',
        block: 'winter',
        people: 1,
        before: null,
        sample: { address: MARIA },
        after: { html: '<b><p>Meet us</p></b>', during: later, recipients: 'external' },
      },
    ])
    expect(ofSlot(inWinter.summary.reach)).toMatchObject([{ block: 'winter', people: 1, during: later }])
    await publish(inWinter.id)
    expect(await answers()).toEqual(before)

    const both = await planned(block('winter', later), block('always', null))
    expect(ofSlot(both.summary.blocks)).toMatchObject([{ kind: 'added', block: 'always', people: 1 }])
    const told = await ask<Readonly<{ people: readonly PersonPlan[] }>>('GET', `/plans/${both.id}/people`)
    expect(
      told.body.people.flatMap(({ address, blocks = [] }) => blocks.map((each) => [address, each.block])),
    ).toEqual([[MARIA, 'always']])
    await publish(both.id)
    const after = await answers()
    expect(Object.keys(after).filter((email) => after[email] !== before[email])).toEqual([MARIA])
    expect(after[MARIA]).toContain('Meet us')
  })

  describe('of a rule about people, recipients or hours', () => {
    const SLOT = '{{#block only_here}}<b>{{block}}</b>{{/block}}'
    const ONLY = anyBlock({ id: 'only', name: 'Only', slot: 'only_here', template: 'templates/only.html' })
    const PADRAO = 'templates/padrao.html'
    /** The demonstration, with a block in the default signature of Maria. */
    const withBlock = (document: ReleaseDocument): ReleaseDocument => ({
      ...document,
      blocks: [...(document.blocks ?? []), ONLY],
      lists: { CUSTOMERS: ['fabrikam.example'] },
      variables: [
        ...document.variables,
        ...[ownDays.from, ownDays.to].map((path) => variableOf(path, { edit: true })),
      ],
      templates: {
        ...document.templates,
        [ONLY.template]: '<p>Meet us</p>',
        [PADRAO]: `${document.templates[PADRAO] ?? ''}${SLOT}`,
      },
    })
    const withRule = (document: ReleaseDocument, rule: Partial<Block>): ReleaseDocument => ({
      ...document,
      blocks: (document.blocks ?? []).map((each) => (each.id === ONLY.id ? { ...each, ...rule } : each)),
    })
    const withSignature = (document: ReleaseDocument, rule: Partial<Signature>): ReleaseDocument => ({
      ...document,
      signatures: document.signatures.map((each) => (each.id === 'padrao' ? { ...each, ...rule } : each)),
    })
    const withText = (document: ReleaseDocument, text: string) =>
      withTemplate(document, PADRAO, `${document.templates[PADRAO] ?? ''}${text}`)
    const planned = async (document: ReleaseDocument) => {
      const { body } = await planOf(document)
      const told = await ask<Readonly<{ people: readonly PersonPlan[] }>>('GET', `/plans/${body.id}/people`)
      return {
        id: body.id,
        changed: told.body.people.filter(changesAnything).map(({ address }) => address),
      }
    }
    /** Whom a plan tells, and whom publishing it answers in another way. */
    const toldAndAnswered = async (document: ReleaseDocument) => {
      const before = await answers()
      const { id, changed } = await planned(document)
      expect((await publish(id)).status).toBe(201)
      const after = await answers()
      return [
        changed.sort(),
        Object.keys(after)
          .filter((email) => after[email] !== before[email])
          .sort(),
      ]
    }
    const hours = {
      spans: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
      timeZone: 'Europe/Lisbon',
    }
    const ownDays = { from: 'absence_from', to: 'absence_to', before: 3, timeZone: 'Europe/Lisbon' }

    it.each<[rule: string, change: (document: ReleaseDocument) => ReleaseDocument]>([
      ['a list of recipients', (d) => withSignature(d, { recipients: ['CUSTOMERS'] })],
      ['a list of recipients of a block', (d) => withRule(d, { recipients: ['CUSTOMERS'] })],
      ['an address', (d) => withRule(d, { recipients: ['eva@fabrikam.example'] })],
      ['hours', (d) => withRule(d, { hours })],
      ['own days', (d) => withRule(d, { ownDays })],
      ['the place in a thread', (d) => withSignature(d, { thread: 'first' })],
      ['the place of a block in a thread', (d) => withRule(d, { thread: 'later' })],
      ['a share of messages', (d) => withRule(d, { share: 50, turns: 'mail' })],
      ['a linked picture', (d) => withText(d, '<img src="{{picture northwind/mark.png linked}}" alt="">')],
      ['the person who writes', (d) => withText(d, '{{writer.first_name}}')],
    ])('[SRV-18] tells exactly whom it answers in another way: %s', async (_, change) => {
      await publish((await planned(withBlock(await published()))).id)
      expect(await toldAndAnswered(change(await published()))).toEqual([[MARIA], [MARIA]])
    })

    it('[SRV-18] tells everyone who is for another list, by another entry, and all of linked pictures', async () => {
      const document = withSignature(withBlock(await published()), { recipients: ['CUSTOMERS'] })
      await publish((await planned(document)).id)
      const lists = { CUSTOMERS: ['fabrikam.example', 'eva@contoso.example'] }
      expect(await toldAndAnswered({ ...document, lists })).toEqual([[MARIA], [MARIA]])
      const [told = [], answered] = await toldAndAnswered({ ...(await published()), linked: true })
      expect(told).toEqual(answered)
      expect(told.length).toBeGreaterThan(1)
    })

    it('[SRV-18] tells of own days exactly whom other days are answered', async () => {
      const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10)
      const document = withRule(withBlock(await published()), { ownDays })
      await publish((await planned(document)).id)
      const [maria] = await running.context.store.personsByAddress([MARIA])
      const values = { absence_from: day(2), absence_to: day(9) }
      const save = { type: 'saveValues', values, resetFields: [], metadata: {} } as const
      await running.context.people.write(maria?.id ?? '', save, 'test')
      const locked = document.variables.map((each) =>
        each.path === ownDays.from ? { ...each, edit: false } : each,
      )
      expect(await toldAndAnswered({ ...document, variables: locked })).toEqual([[MARIA], [MARIA]])
      await running.reset()
    })

    it('[SRV-18] counts with what administrators set by hand', async () => {
      const setFor = async (email: string, corrections: object) => {
        const { body } = await ask<ExplainedPerson>('GET', `/people/${email}`)
        const { revision } = body.person
        const set = { revision, fields: {}, ...corrections }
        expect((await ask('PUT', `/people/${email}/corrections`, set)).status).toBe(200)
      }
      await setFor(MARIA, { excluded: { until: 'removed' } })
      await setFor(TESS, { pinned: { signature: 'padrao', until: 'removed' } })
      await setFor(JONAS, { fields: { country: { value: 'PT', until: 'removed' } } })
      const changed = [JONAS, TESS].sort()
      expect(await toldAndAnswered(withText(await published(), 'New'))).toEqual([changed, changed])
      await running.reset()
    })
  })

  it('[ADOPT-14] names everyone without a signature, and every rule that never decides', async () => {
    const document = await published()
    const [first] = document.signatures
    if (first === undefined) throw new Error('The demonstration has signatures.')
    const forMaria = { for: [[{ by: 'person' as const, values: [MARIA] }]], not: [] }
    const { body } = await planOf({
      ...document,
      mailboxes: [],
      signatures: [
        { ...first, id: 'only', name: 'Only', selection: forMaria, during: null, recipients: 'everyone' },
        { ...first, id: 'behind', name: 'Behind', selection: forMaria },
      ],
    })
    const { coverage } = body.summary
    const others = [ALEX, JONAS, SALES, TESS].sort()
    expect(coverage?.none.flatMap(({ first: named }) => named.map(({ address }) => address)).sort()).toEqual(
      others,
    )
    expect(coverage?.none).toMatchObject([{ why: { kind: 'nothingFits', asked: ['person'] }, people: 4 }])
    expect(coverage?.idle.filter(({ kind }) => kind === 'signature')).toEqual([
      { kind: 'signature', id: 'behind', name: 'Behind', people: 1, behind: 'Only' },
    ])
    const told = await ask<Readonly<{ people: readonly PersonPlan[] }>>('GET', `/plans/${body.id}/people`)
    const without = told.body.people.filter(({ none }) => none !== undefined)
    expect(without.map(({ address }) => address).sort()).toEqual(others)
    await publish(body.id)
    // Nothing changes now, and they are told all the same.
    const again = await planOf(await published())
    expect(again.body.summary.unchanged).toBe(5)
    const still = await ask<Readonly<{ people: readonly PersonPlan[] }>>(
      'GET',
      `/plans/${again.body.id}/people`,
    )
    expect(still.body.people.map(({ address }) => address).sort()).toEqual(others)
  })

  it('counts a mailbox that no directory knows', async () => {
    const document = await published()
    const desk = { address: 'desk@northwind.example', selection: { for: [], not: [] }, values: {} }
    const all = { ...desk, selection: { for: 'everyone' as const, not: [] } }
    const { body } = await planOf({ ...document, mailboxes: [...document.mailboxes, all] })
    expect(body.summary.people).toBe(6)
    expect(body.summary.mailboxes).toMatchObject([{ address: desk.address, kind: 'added', people: 5 }])
  })

  it('looks at the day that it is asked for', async () => {
    const document = await published()
    const [first] = document.signatures
    const during = { from: '2090-01-01', to: '2090-01-31', timeZone: 'Europe/Berlin' }
    const later = first && { ...first, id: 'later', name: 'Later', during }
    const signatures = later ? [later, ...document.signatures] : []
    const now = await planOf({ ...document, signatures })
    expect(now.body).toMatchObject({ closed: [{ signature: 'later', during }], summary: { unchanged: 5 } })
    const then = await ask<Plan>('POST', '/plans', {
      document: { ...document, signatures },
      pictures: {},
      at: Date.parse('2090-01-15T12:00:00Z'),
    })
    expect(then.body).toMatchObject({
      closed: [],
      summary: { signatures: [{ signature: 'later', people: 1 }] },
    })
  })

  it('is of a moment that calendars have', async () => {
    const document = await published()
    const planAt = async (at: number) => (await ask('POST', '/plans', { document, at })).status
    expect(await planAt(8_640_000_000_000_000)).toBe(201)
    for (const at of [8_640_000_000_000_001, -1, 0.5, 1e300]) expect(await planAt(at)).toBe(400)
  })

  it('is kept a day', async () => {
    const { body } = await planOf(await published())
    expect(await ask('GET', `/plans/${body.id}`)).toEqual({ status: 200, body })
    expect(body.until - body.at).toBeGreaterThanOrEqual(DAY_MS)
    // As if it had been made a day before.
    const kept = (await running.context.store.plan(body.id)) as Readonly<{ plan: Plan }>
    const old = { ...kept, plan: { ...body, until: Date.now() - 1 } }
    await running.context.store.keepPlan(body.id, old, Date.now() + DAY_MS)
    expect(await ask('GET', `/plans/${body.id}`)).toMatchObject({ status: 404 })
    expect(await publish(body.id)).toMatchObject({ status: 404 })
  })

  it.each<[what: string, change: (document: ReleaseDocument) => unknown, status: number, code: string]>([
    [
      'a template with an open condition',
      (d) => withTemplate(d, CORPORATE, '{{#if phone}}'),
      422,
      'template_invalid',
    ],
    ['an unknown part', (d) => withTemplate(d, CORPORATE, '{{> nowhere}}'), 422, 'template_invalid'],
    ['an unknown template', (d) => ({ ...d, templates: {} }), 422, 'template_invalid'],
    ['an unknown variable', (d) => withTemplate(d, CORPORATE, '{{nothing}}'), 422, 'template_invalid'],
    ['an unknown picture', (d) => withTemplate(d, CORPORATE, '{{picture no.png}}'), 422, 'template_invalid'],
    ['markup that runs', (d) => withTemplate(d, CORPORATE, '<script></script>'), 422, 'template_invalid'],
    [
      'a value that could become markup',
      (d) => withTemplate(d, CORPORATE, '<p title={{phone}}>'),
      422,
      'template_invalid',
    ],
    ['what is no document', () => ({ version: 1 }), 400, 'invalid_body'],
    [
      'a picture that is not sent',
      (d) => ({ ...d, pictures: { ...d.pictures, 'new.gif': '0'.repeat(32) } }),
      422,
      'picture_invalid',
    ],
  ])('is refused for %s', async (_, change, status, code) => {
    const { pictures } = await published().then((document) => ({ document, pictures: {} }))
    const document = change(await published())
    expect(await ask('POST', '/plans', { document, pictures })).toMatchObject({ status, body: { code } })
  })

  it('brings pictures, which are answered once it is published', async () => {
    const hash = createHash('sha256').update(GIF).digest('hex').slice(0, 32)
    const document = await published()
    const withPicture = { ...document, pictures: { ...document.pictures, 'dot.gif': hash } }
    const lies = await planOf(withPicture, { [hash]: png().toString('base64') })
    expect(lies).toMatchObject({ status: 422, body: { code: 'picture_invalid' } })
    const { body } = await planOf(withPicture, { [hash]: GIF.toString('base64') })
    const image = () => fetch(`${running.url}/images/${hash}/dot.gif`).then(({ status }) => status)
    expect(await image()).toBe(404)
    await publish(body.id)
    expect(await image()).toBe(200)
    const exported = await ask<ExportAnswer>('GET', '/export')
    expect(exported.body.pictures[hash]).toEqual({ mediaType: 'image/gif', base64: GIF.toString('base64') })
  })
})

describe('pictures that are sent before a plan', () => {
  const hash = createHash('sha256').update(png(2)).digest('hex').slice(0, 32)
  const missing = (hashes: readonly string[]) =>
    ask<Readonly<{ missing: readonly string[] }>>('POST', '/pictures/missing', { pictures: hashes })

  it('are missing until they are sent, stay unknown to users, and need not be sent again', async () => {
    const document = await published()
    const [kept = ''] = Object.values(document.pictures)
    expect((await missing([kept, hash])).body).toEqual({ missing: [hash] })
    const lie = { [hash]: GIF.toString('base64') }
    expect(await ask('POST', '/pictures', { pictures: lie })).toMatchObject({ status: 422 })
    expect((await missing([hash])).body).toEqual({ missing: [hash] })
    const sent = { [hash]: png(2).toString('base64') }
    expect(await ask('POST', '/pictures', { pictures: sent })).toMatchObject({ status: 201 })
    expect((await missing([kept, hash])).body).toEqual({ missing: [] })
    const image = () => fetch(`${running.url}/images/${hash}/new.png`).then(({ status }) => status)
    expect(await image()).toBe(404)
    expect(await ask('GET', `/plans/${encodeURIComponent(`picture ${hash}`)}`)).toMatchObject({ status: 404 })

    const { body } = await planOf({ ...document, pictures: { ...document.pictures, 'new.png': hash } })
    await publish(body.id)
    expect(await image()).toBe(200)
  })

  it('are dropped after a day, unless a plan needs them', async () => {
    const { store } = running.context
    const name = 'a'.repeat(32)
    const expired = Date.now() - 1
    await store.keepPlannedPicture(name, { mediaType: 'image/png', bytes: new Uint8Array() }, expired)
    expect((await missing(['a'.repeat(32)])).body).toEqual({ missing: ['a'.repeat(32)] })
    await planOf(await published())
    expect(await store.plannedPicture(name, expired - 1)).toBeNull()
  })

  it('are kept as long as the plan that needs them', async () => {
    const { store } = running.context
    const other = createHash('sha256').update(OTHER).digest('hex').slice(0, 32)
    const soon = Date.now() + 60_000
    const picture = { mediaType: 'image/png', bytes: new Uint8Array(OTHER) }
    await store.keepPlannedPicture(other, picture, soon)
    const document = await published()
    const { body } = await planOf({ ...document, pictures: { ...document.pictures, 'other.png': other } })
    expect(await store.plannedPicture(other, body.until - 1)).toEqual(picture)
    expect(await store.plannedPicture(other, body.until)).toBeNull()
  })
})

describe('publishing', () => {
  beforeEach(publishFolder)

  it('is not published without a picture that went meanwhile', async () => {
    const bytes = png(3, 5)
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    const { store, releases } = running.context
    await store.keepPicture(hash, { mediaType: 'image/png', bytes })
    const document = await published()
    const { body } = await planOf({ ...document, pictures: { ...document.pictures, 'old.png': hash } })
    await store.dropPicture(hash)
    const before = releases.current()?.id
    expect(await publish(body.id)).toMatchObject({ status: 422, body: { code: 'picture_invalid' } })
    expect(releases.current()?.id).toBe(before)
  })

  it('[SRV-19] the same plan twice is one release', async () => {
    const plan = await planOf(withTemplate(await published(), CORPORATE, '<p>twice</p>'))
    const [first, second] = [await publish(plan.body.id, 'once'), await publish(plan.body.id, 'again')]
    expect(second.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(first.body.history[0]).toMatchObject({ by: ALEX, note: 'once' })
  })

  it('[SRV-19] a plan over a release that is no longer published is refused', async () => {
    const document = await published()
    const [one, other] = [
      await planOf(withTemplate(document, CORPORATE, '<p>one</p>')),
      await planOf(withTemplate(document, CORPORATE, '<p>other</p>')),
    ]
    await publish(one.body.id)
    const { history } = (await ask<Readonly<{ history: unknown }>>('GET', '/releases')).body
    expect(await publish(other.body.id)).toMatchObject({ status: 409, body: { code: 'base_moved' } })
    expect((await ask<Readonly<{ history: unknown }>>('GET', '/releases')).body.history).toEqual(history)
    expect((await answers())[ALEX]).toContain('<p>one</p>')
  })

  it('[SRV-20] rolling back answers the same bytes as before', async () => {
    const before = await answers()
    const { body: former } = await ask<ExportAnswer>('GET', '/export')
    const plan = await planOf({ ...former.document, signatures: former.document.signatures.slice(0, 3) })
    await publish(plan.body.id)
    const between = await answers()
    expect(between[MARIA]).not.toBe(before[MARIA])
    const back = await ask('POST', `/releases/${former.release}/rollback`, { note: 'too early' })
    expect(back).toMatchObject({
      status: 200,
      body: {
        history: expect.arrayContaining([
          expect.objectContaining({ release: former.release, rolledBack: true, note: 'too early' }),
        ]) as unknown,
      },
    })
    expect(await answers()).toEqual(before)
  })

  it('rolls back to no release that was never published', async () => {
    const plan = await planOf(withTemplate(await published(), CORPORATE, '<p>planned only</p>'))
    expect(await ask('POST', `/releases/${plan.body.release}/rollback`, {})).toMatchObject({ status: 404 })
  })
})

describe('a person', () => {
  it('is found by a part of an address or of a name', async () => {
    const search = (text: string) =>
      ask<Readonly<{ people: readonly Readonly<{ address: string; name: string }>[] }>>(
        'GET',
        `/people?search=${encodeURIComponent(text)}`,
      ).then(({ body }) => body.people.map(({ address }) => address))
    expect(await search('SILVA')).toEqual([MARIA])
    expect(await search('tess.edge@NORTHWIND.example')).toEqual([TESS])
    expect(await search('northwind.example')).toHaveLength(5)
    expect(await search('no such name')).toEqual([])
  })

  it('names somebody who has left in a value', async () => {
    const person = (fields: Readonly<Record<string, string>>, ...addresses: readonly string[]) => ({
      id: null,
      record: { addresses, fields, account: null, language: null, groups: [], picture: null },
    })
    const { people } = running.context
    const rows = [
      person(
        {
          jobTitle: 'Ask Ben <Ben@Northwind.example> or mailto:eva@northwind.example.',
          officeLocation: `boss@northwind.example ${TESS} nobody@northwind.example`,
        },
        'boss@northwind.example',
      ),
      person({}, 'bhill@northwind.example', 'ben@northwind.example'),
      person({}, 'eva@northwind.example'),
    ]
    await people.importEach(rows, 'test', false)
    const read = async () => (await ask<ExplainedPerson>('GET', '/people/boss@northwind.example')).body
    expect(await read()).not.toHaveProperty('namesLeft')
    for (const address of ['ben@northwind.example', 'eva@northwind.example']) {
      const found = await running.context.store.personByAddress(address)
      await people.write(found?.id ?? '', { type: 'deactivate' }, 'test')
    }
    expect((await read()).namesLeft).toEqual([
      { path: 'job_title', label: null, address: 'ben@northwind.example' },
      { path: 'job_title', label: null, address: 'eva@northwind.example' },
    ])
    const boss = await running.context.store.personByAddress('boss@northwind.example')
    await people.write(boss?.id ?? '', { type: 'deactivate' }, 'test')
    expect(await read()).not.toHaveProperty('namesLeft')
  })

  it('has signatures for a reason', async () => {
    const { body } = await ask<ExplainedPerson>('GET', `/people/${encodeURIComponent(MARIA.toUpperCase())}`)
    expect(body.signatures.find(({ isAssigned }) => isAssigned)).toEqual({
      signature: 'padrao',
      name: 'Padrão Northwind',
      isAssigned: true,
      isDefault: true,
      because: [{ by: 'field', field: 'country', values: ['PT'] }],
      leftOut: null,
      during: null,
      isOpen: true,
    })
    expect(body.signatures.find(({ signature }) => signature === 'standard')).toMatchObject({
      isAssigned: false,
      because: null,
    })
    expect(body.details.find(({ path }) => path === 'website')).toEqual({
      path: 'website',
      label: null,
      value: 'https://www.northwind.example',
      replaces: null,
      field: null,
      source: 'release',
    })
    expect((await ask<ExplainedPerson>('GET', `/people/${ALEX}`)).body.mailboxes).toEqual([SALES, MARIA])
    expect(await ask('GET', '/people/unknown@northwind.example')).toMatchObject({ status: 404 })
  })

  it('sees the signatures of a plan before it is published', async () => {
    const plan = await planOf(withTemplate(await published(), 'templates/padrao.html', '<p>soon</p>'))
    const see = async (query: string) =>
      (await ask<SignaturesAnswer>('GET', `/people/${MARIA}/signatures${query}`)).body.signatures[0]?.html
    expect(await see(`?release=${plan.body.id}`)).toBe('<p>soon</p>')
    expect(await see('')).not.toBe('<p>soon</p>')
    expect(await see('?reply=true')).not.toBe(await see(''))
  })
})

describe('the personal data of a user', () => {
  it('is told whole, and erased whole', async () => {
    const bearer = await running.signIn(TESS)
    await running.call('PUT', '/api/addin/user/variables_with_options', bearer, {
      data: { job_title: 'Said by Tess' },
      reset_fields: [],
    })
    const { store } = running.context
    const tess = await store.personByAddress(TESS)
    await store.keepReported(tess?.id ?? '', { version: '1.2.3' }, 5)
    const portrait = png()
    const hash = createHash('sha256').update(portrait).digest('hex').slice(0, 32)
    await store.keepPicture(hash, { mediaType: 'image/png', bytes: portrait })
    await running.context.people.write(
      tess?.id ?? '',
      { type: 'changePicture', picture: `${hash}.png` },
      'test',
    )

    const inDirectory = {
      id: 'd-5',
      data: { jobTitle: 'Told', phones: ['1'] },
      addresses: [TESS],
      active: true,
    }
    const entry = { ...inDirectory, name: TESS, externalId: null, manager: null }
    await store.directory.write('scim', 'user', [entry], null)
    await store.directory.changeMembers('scim', 'g-1', { added: ['d-5'], removed: [] }, null)

    const { status, body } = await ask<PersonalData>('GET', `/people/${TESS.toUpperCase()}/data`)
    expect(status).toBe(200)
    expect(body.person).toEqual(await store.person(tess?.id ?? ''))
    expect(body.facts).toEqual(await store.personFacts(tess?.id ?? '', 0))
    expect(JSON.stringify(body.facts)).toContain('Said by Tess')
    expect(body.told).toEqual({ told: { version: '1.2.3' }, at: 5 })
    expect(body.directory).toEqual([{ source: 'scim', ...inDirectory, groups: ['g-1'] }])
    expect(body.pictures[hash]).toEqual({ mediaType: 'image/png', base64: portrait.toString('base64') })

    expect(await ask('DELETE', `/people/${TESS}`)).toEqual({ status: 200, body: { erased: tess?.id } })
    expect(await ask('GET', `/people/${TESS}/data`)).toMatchObject({ status: 404 })
    expect(await ask('DELETE', `/people/${TESS}`)).toMatchObject({ status: 404 })
    expect(await store.reported(tess?.id ?? '')).toBeNull()
    const told = { id: tess?.id ?? '', account: null, addresses: [TESS] }
    expect(JSON.stringify(await store.directory.reportedOf(told))).not.toContain('Told')
    expect(await store.directory.members('scim', 'g-1')).toEqual([])
    const left = await store.personFacts(tess?.id ?? '', 0)
    expect(left.map(({ type, meta }) => [type, meta.source])).toEqual([['person/erased', ALEX]])
    expect((await running.call('GET', '/api/addin/user', bearer)).status).toBe(401)
    await running.reset()
    await publishFolder()
  })

  it('is not kept of a mailbox that only the release knows', async () => {
    expect(await ask('GET', '/people/desk@northwind.example/data')).toMatchObject({ status: 404 })
  })
})

describe('an import', () => {
  const importCsv = async (csv: string | Buffer<ArrayBuffer>, query = '') => {
    const answer = await fetch(`${running.url}/api/administration/v1/people/import${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${administrator}`, 'Content-Type': 'text/csv' },
      body: csv,
    })
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
  }
  const CSV = 'email,givenName\nnew.person@northwind.example,New\n'
  const isKnown = async () => (await ask('GET', '/people/new.person@northwind.example')).status === 200

  it('[SRV-24] is tried without a change, and changes nothing the second time', async () => {
    expect(await importCsv(CSV, '?try=true')).toMatchObject({ status: 200, body: { added: 1, changed: 0 } })
    expect(await isKnown()).toBe(false)
    expect((await importCsv(CSV)).body).toMatchObject({ added: 1 })
    expect(await isKnown()).toBe(true)
    expect((await importCsv(CSV)).body).toMatchObject({ added: 0, changed: 0, unchanged: 1 })
  })

  it('takes people whose pictures it leaves out, with a warning', async () => {
    const { body } = await importCsv('email,picture\npictured@northwind.example,people/a.png\n', '?try=true')
    expect(body).toMatchObject({
      added: 1,
      problems: [{ line: 1, level: 'warning', code: 'csv.pictureLeftOut' }],
    })
  })

  it('leaves out rows of another encoding, which would have damaged names in signatures', async () => {
    const rows = 'email,givenName\nplain@northwind.example,Ann\njorg@northwind.example,J\u00f6rg\n'
    expect((await importCsv(Buffer.from(rows, 'latin1'), '?try=true')).body).toMatchObject({
      added: 1,
      problems: [{ line: 3, level: 'error', code: 'csv.notUtf8' }],
    })
    const headed = Buffer.from('email,Stra\u00dfe\nplain@northwind.example,x\n', 'latin1')
    expect((await importCsv(headed, '?try=true')).body).toMatchObject({
      added: 0,
      problems: [{ line: 1, level: 'error', code: 'csv.notUtf8' }],
    })
    expect((await importCsv(rows, '?try=true')).body).toMatchObject({ added: 2, problems: [] })
  })

  it('takes a table as Excel writes it, with rows and a column without text', async () => {
    const csv = 'sep=;\r\nemail;givenName;\r\nblank.rows@northwind.example;Ann;\r\n;;\r\n'
    expect((await importCsv(csv, '?try=true')).body).toMatchObject({ added: 1, refused: [], problems: [] })
  })

  it('tells rows that it leaves out', async () => {
    const { body } = await importCsv('email\nno address\n')
    expect(body).toMatchObject({ added: 0, problems: [{ file: 'people.csv', line: 2 }] })
  })
})

it('tells and sets maintenance', async () => {
  expect(await ask('PUT', '/maintenance', { status: 'planned' })).toMatchObject({
    status: 200,
    body: { status: 'planned' },
  })
  expect((await ask('GET', '/releases')).body).toMatchObject({ maintenance: 'planned' })
})

describe('a directory', () => {
  const run: DirectoryRun = {
    id: 'r-1',
    source: 'graph',
    at: 1,
    until: null,
    isTrial: false,
    by: 'test',
    outcome: 'running',
    read: 0,
    added: 0,
    changed: 0,
    retired: 0,
    returned: 0,
    refused: 0,
    failure: null,
    samples: [],
  }

  /** The administration over a directory with these runs, latest first. */
  async function over(runs: readonly DirectoryRun[], sync: ServiceContext['directory']['sync']) {
    const { app } = await createWebServer([], null, { refusalFor })
    const state = () =>
      Promise.resolve({
        kind: 'graph' as const,
        sources: ['graph:t', 'graph:u'],
        isRunning: false,
        runs,
        groups: [],
      })
    const directory = { state, sync, stop: async () => undefined }
    const handlers = administrationHandlers({ ...running.context, directory })
    const application = () => Promise.resolve({ roles: [...roles], actor: 'admin@x.example', handlers })
    await addAdministration(app, { application, unknown: handlers })
    return async (method: 'GET' | 'POST', path: string, payload?: object) => {
      const answer = await app.inject({
        method,
        url: `${ADMINISTRATION_PATH}${path}`,
        headers: { Authorization: 'Bearer x' },
        ...(payload === undefined ? {} : { payload }),
      })
      return { status: answer.statusCode, body: answer.json<unknown>() }
    }
  }
  const asked = async () =>
    (await running.context.store.organisationFacts(0)).filter(({ type }) => type === 'organisation/syncAsked')

  it('[SRV-32] syncs when an administrator asks, who is in the audit then; a dry run changes nothing', async () => {
    const begun: unknown[] = []
    const call = await over([], (options, actor) => {
      begun.push([options, actor])
      return Promise.resolve({ ...run, isTrial: options.isTrial })
    })
    const before = (await asked()).length
    expect(await call('POST', '/directory/sync', { try: true, retire: false })).toEqual({
      status: 202,
      body: { ...run, isTrial: true },
    })
    expect(await asked()).toHaveLength(before)
    expect(await call('POST', '/directory/sync', { try: false, retire: true })).toEqual({
      status: 202,
      body: run,
    })
    expect((await asked()).at(-1)).toMatchObject({
      data: { retire: true },
      meta: { source: 'admin@x.example' },
    })
    expect(begun).toEqual([
      [{ isTrial: true, mayDeactivate: false }, 'admin@x.example'],
      [{ isTrial: false, mayDeactivate: true }, 'admin@x.example'],
    ])
  })

  it('that syncs already, or is none, is refused and is not in the audit', async () => {
    const before = (await asked()).length
    expect(await ask('POST', '/directory/sync', { try: false, retire: false })).toMatchObject({
      status: 409,
      body: { code: 'no_directory' },
    })
    expect(await asked()).toHaveLength(before)
    expect(await ask('GET', '/directory')).toMatchObject({ status: 200, body: { kind: 'none', runs: [] } })
  })

  it.each<[runs: readonly Partial<DirectoryRun>[], problems: readonly unknown[]]>([
    [[{ outcome: 'done' }, { outcome: 'failed' }], []],
    [[{ outcome: 'failed' }, { outcome: 'done' }], [{ message: 'directoryFailed', count: 1 }]],
    [[{ outcome: 'needsLeave' }], [{ message: 'directoryNeedsLeave', count: 1 }]],
    [[{ outcome: 'failed', isTrial: true }, { outcome: 'done' }], []],
    [[{ outcome: 'running' }, { outcome: 'failed' }], [{ message: 'directoryFailed', count: 1 }]],
    [[{ outcome: 'interrupted' }, { outcome: 'needsLeave' }], [{ message: 'directoryNeedsLeave', count: 1 }]],
  ])('is a problem while its last sync is one: %j', async (runs, problems) => {
    const call = await over(
      runs.map((each) => ({ ...run, ...each })),
      () => Promise.reject(new Error('not asked')),
    )
    const { body } = await call('GET', '/overview')
    const of = (body as Overview).problems.filter(({ message }) => message.startsWith('directory'))
    expect(of).toEqual(problems)
  })
})

describe('the administration is closed to', () => {
  const calls = Object.entries<Call>(CALLS)
  const closed = calls.filter(([, { role }]) => role !== 'none')
  const pathOf = ({ path }: Call) => path.replace(':id', 'x')
  const bodyOf = ({ body }: Call) => (body === undefined ? undefined : {})

  it.each(closed)('[SRV-32] who has no role: %s', async (_, call) => {
    const plain = await running.mailClientToken(TESS)
    expect(await ask(call.method, pathOf(call), bodyOf(call), plain)).toMatchObject({
      status: 403,
      body: { code: 'role_missing' },
    })
    expect(await ask(call.method, pathOf(call), bodyOf(call), null)).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    })
  })

  it("the add-in's own bearers", async () => {
    const bearer = await running.signIn(ALEX)
    for (const [, call] of closed)
      expect(await ask(call.method, pathOf(call), bodyOf(call), bearer)).toMatchObject({
        status: 401,
        body: { code: 'invalid_token' },
      })
  })

  it.each(closed)('[SRV-32] who has the other roles: %s', async (_, call) => {
    const { app } = await createWebServer([], null, { refusalFor })
    const handlers = administrationHandlers(running.context)
    const application = (token: string) =>
      Promise.resolve({ roles: token.split(','), actor: 'test', handlers })
    await addAdministration(app, { application, unknown: handlers })
    const status = async (token: string) => {
      const answer = await app.inject({
        method: call.method,
        url: `/api/administration/v1${pathOf(call)}`,
        headers: { Authorization: `Bearer ${token}` },
        ...(call.body === undefined ? {} : { payload: {} }),
      })
      return answer.statusCode
    }
    const good = roles.filter((role) => call.role === 'any' || role === call.role)
    const others = roles.filter((role) => !good.includes(role))
    expect(await status(['Another.Role', ...others].join(','))).toBe(403)
    for (const role of good) expect(await status(role)).not.toBe(403)
  })

  it('no one who only asks what the calls are', async () => {
    const open = calls.filter(([, { role }]) => role === 'none').map(([name]) => name)
    expect(open).toEqual(['openapi'])
  })

  it('[SRV-32] calls that are not declared: there are none', async () => {
    const { app, routes } = await createWebServer([], null, { refusalFor })
    await addAdministration(app, {
      application: () => Promise.reject(new Error('closed')),
      unknown: administrationHandlers(running.context),
    })
    await app.ready()
    const declared = Object.values<Call>(CALLS).map(({ method, path }) => ({
      method,
      path: `${ADMINISTRATION_PATH}${path}`,
    }))
    const sorted = (list: readonly RoutePattern[]) =>
      list.map(({ method, path }) => `${method} ${path}`).sort()
    expect(sorted(routes)).toEqual(sorted(declared))
  })
})
