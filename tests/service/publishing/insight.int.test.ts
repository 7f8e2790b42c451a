import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditFact } from '../../../streams/organisation/facts/audit.ts'
import type { Insight } from '../../../streams/organisation/figures/insight.ts'
import type { AuditPage, CallerInfo, Overview } from '../../../streams/wire/administration/insight.ts'
import type { ExplainedPerson } from '../../../streams/organisation/rules/why.ts'
import type { FoundPeople } from '../../../streams/wire/administration/people.ts'
import { assignedSignatures, combinedIds } from '../../../streams/organisation/rules/rules.ts'
import { readFolder } from '../../../src/folder/readFolder.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from '../http/administrator.ts'
import { ALEX, JONAS, MARIA, SALES, start, TESS, type Running } from '../running.ts'

const START = Date.parse('2026-09-01T10:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60_000

const told = (version: string, ...platforms: readonly string[]) => ({
  package: { name: 'signet', version },
  context: platforms.map((platform) => ({ platform, language: 'en' })),
  settings: {},
  beta: false,
  navigator: { userAgent: 'test', language: 'en' },
})

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `many-${String(index)}`,
    record: {
      addresses: [`many-${String(index)}@x.example`],
      account: null,
      language: null,
      fields: {},
      groups: [],
      picture: null,
    },
  }))

overPostgres('the administration', (open) => {
  let running: Running
  let administrator: string
  let clock = START
  beforeAll(async () => {
    running = await start({ open, now: () => clock })
  })
  afterAll(() => running.stop())
  beforeEach(async () => {
    // What was counted a minute ago is not answered any more.
    clock += 2 * MINUTE_MS
    administrator = await running.mailClientToken(ALEX)
  })

  const ask = <Body>(method: string, path: string, body?: unknown) =>
    askAdministration<Body>(running.url, administrator, method, path, body)
  const tell = async (email: string, payload: unknown) => {
    const { status } = await running.call(
      'PUT',
      '/api/addin/user/addin-info',
      await running.signIn(email),
      payload,
    )
    expect(status).toBe(204)
  }

  it('tells who calls, and the version of the service', async () => {
    const { body } = await ask<CallerInfo>('GET', '/me')
    expect(body).toMatchObject({ name: ALEX, organisation: 'Northwind Trading' })
    expect(body.roles).toEqual(['Signet.Read', 'Signet.Publish', 'Signet.People', 'Signet.Audit'])
    expect(body.version).toMatch(/^\d+\.\d+\.\d+/)
  })

  describe('counts', () => {
    it('what is published, and whom it leaves without a signature', async () => {
      const { releases } = running.context
      const release = releases.current()
      const before = await ask<Overview>('GET', '/overview')
      // Jonas has none.
      const problems = [{ message: 'noSignature', count: 1 }]
      expect(before.body).toMatchObject({ release: release?.id, people: 5, problems })
      expect(before.body.mailboxes).toBe(release?.document.mailboxes.length)
      expect(before.body.published).toEqual(releases.state().history[0])
      expect(before.body.numbers).toEqual({ number: releases.state().history.length, backTo: null })

      if (release === null) throw new Error('nothing is published')
      const one = { by: 'person' as const, values: [TESS] }
      const document = {
        ...release.document,
        signatures: release.document.signatures.slice(0, 1).map((signature) => ({
          ...signature,
          selection: { for: [[one]], not: [] },
        })),
      }
      await publishDocument(running.context, document)
      const after = await ask<Overview>('GET', '/overview')
      expect(after.body.problems).toEqual([{ message: 'noSignature', count: 4 }])
      const without = await ask<FoundPeople>('GET', '/people?without=signature')
      expect(without.body.people.map(({ none }) => none?.kind)).toEqual(Array(4).fill('nothingFits'))
      expect(without.body.people.map(({ address }) => address)).not.toContain(TESS)
      const { body } = await ask<Insight>('GET', '/insight')
      expect(body.signatures).toEqual([
        { signature: document.signatures[0]?.id, name: document.signatures[0]?.name, people: 1 },
      ])
      await running.reset()
    })

    it('apart, whom an administrator keeps without a signature', async () => {
      const person = await ask<ExplainedPerson>('GET', `/people/${TESS}`)
      await ask('PUT', `/people/${TESS}/corrections`, {
        revision: person.body.person.revision,
        fields: {},
        excluded: { until: 'removed' },
      })
      const { body } = await ask<Overview>('GET', '/overview')
      expect(body).toMatchObject({
        people: 5,
        keptWithout: 1,
        problems: [{ message: 'noSignature', count: 1 }],
      })
      await running.reset()
    })

    it('the periods of the release that begin or end soon, at the time of the call', async () => {
      const release = running.context.releases.current()
      const [own] = release?.document.signatures ?? []
      if (release === null || own === undefined) throw new Error('nothing is published')
      const during = { from: '2026-09-20', to: '2026-12-12', timeZone: 'Europe/Berlin' }
      const named = { id: 'autumn', name: 'Autumn' }
      const later = { ...own, id: 'winter', during: { ...during, from: '2026-12-13', to: '2027-02-01' } }
      const document = {
        ...release.document,
        blocks: [],
        signatures: [own, { ...own, ...named, during }, later],
      }
      await publishDocument(running.context, document)
      const changing = async () => (await ask<Overview>('GET', '/overview')).body.changing
      const periods = [{ of: 'signature', ...named, during }]
      expect(await changing()).toEqual({ at: clock, periods, more: 0 })
      clock += 1
      expect(await changing()).toEqual({ at: clock, periods, more: 0 })
      await running.reset()
    })

    it('each person once, with the signature that they have by default', async () => {
      const { body } = await ask<Insight>('GET', '/insight')
      expect(body.people).toBe(5)
      const release = running.context.releases.current()
      if (release === null) throw new Error('nothing is published')
      const named = (id: string) => release.signatureOf(id)?.name ?? ''
      const expected = new Map<string, number>()
      for (const address of [ALEX, MARIA, JONAS, TESS, SALES]) {
        const person = await running.context.store.personByAddress(address)
        const [first] = person === null ? [] : assignedSignatures(release, person, clock)
        // Alex chose one that stands below another.
        const id = address === ALEX ? 'portrait' : first?.id
        if (id !== undefined) expected.set(id, (expected.get(id) ?? 0) + 1)
      }
      expect(body.signatures.toSorted((one, other) => (one.signature < other.signature ? -1 : 1))).toEqual(
        [...expected]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([signature, people]) => ({ signature, name: named(signature), people })),
      )
    })

    it('who chose a signature of a mailbox that only the release knows, with that one', async () => {
      const { people, releases, store } = running.context
      const release = releases.current()
      const [own, other] = release?.document.signatures ?? []
      const [mailbox] = release?.document.mailboxes ?? []
      if (release === null || own === undefined || other === undefined || mailbox === undefined)
        throw new Error('The demonstration has signatures and a mailbox.')
      const desk = 'desk@northwind.example'
      const of = (address: string) => ({
        selection: { for: [[{ by: 'person' as const, values: [address] }]], not: [] },
      })
      const document = {
        ...release.document,
        chooseDefault: { for: 'everyone' as const, not: [] },
        signatures: [
          { ...own, ...of(ALEX) },
          { ...other, ...of(desk) },
        ],
        mailboxes: [{ ...mailbox, address: desk, ...of(ALEX) }],
      }
      await publishDocument(running.context, document)
      const alex = (await store.personByAddress(ALEX))?.id ?? ''
      await people.write(alex, { type: 'chooseDefault', combinedIds: combinedIds(other.id, desk) }, alex)
      const { body } = await ask<Insight>('GET', '/insight')
      expect(body.signatures).toEqual([{ signature: other.id, name: other.name, people: 1 }])
      await running.reset()
    })

    it('versions and mail clients, of the last 90 days, of those who are there', async () => {
      await tell(ALEX, told('1.1.0', 'PC', 'Mac'))
      await tell(MARIA, told('1.2.0', 'PC', 'PC'))
      await tell(JONAS, told('1.2.0', 'OfficeOnline'))
      await tell(TESS, { ...told('<b>', 'x'.repeat(41)), context: ['?', null, { platform: 7 }] })
      const { body } = await ask<Insight>('GET', '/insight')
      expect(body.versions).toEqual([
        { version: '1.2.0', people: 2 },
        { version: '1.1.0', people: 1 },
      ])
      expect(body.clients).toEqual([
        { client: 'PC', people: 2 },
        { client: 'Mac', people: 1 },
        { client: 'OfficeOnline', people: 1 },
      ])
      expect(body.launches).toEqual([])
      expect(body.since).toBe(clock - 90 * DAY_MS)
      expect((await ask<Overview>('GET', '/overview')).body.toldToday).toBe(4)
      expect(JSON.stringify(body)).not.toMatch(/@|u-\d/)

      const maria = await running.context.store.personByAddress(MARIA)
      await running.context.people.write(maria?.id ?? '', { type: 'deactivate' }, 'test')
      clock += 2 * MINUTE_MS
      expect((await ask<Insight>('GET', '/insight')).body.versions).toEqual([
        { version: '1.1.0', people: 1 },
        { version: '1.2.0', people: 1 },
      ])
      await running.reset()
    })

    it('for how many people the signature last went in by itself, by mail client', async () => {
      const launched = (...context: readonly (readonly [string, unknown])[]) => ({
        ...told('1.2.0'),
        context: context.map(([platform, launch]) => ({ platform, language: 'en', launch })),
      })
      await tell(ALEX, launched(['PC', 'failed']))
      // Not added to what was told before.
      await tell(ALEX, launched(['PC', 'went'], ['Mac', 'failed']))
      await tell(MARIA, launched(['PC', 'failed']))
      await tell(JONAS, launched(['PC', 'went']))
      await tell(TESS, launched(['Mac', 'superseded']))
      const { body } = await ask<Insight>('GET', '/insight')
      expect(body.launches).toEqual([
        { client: 'PC', went: 2, failed: 1 },
        { client: 'Mac', went: 0, failed: 1 },
      ])
      await running.context.store.dropOldReported(clock + 1)
    })

    it('nothing of what was told more than 90 days ago, which is dropped', async () => {
      const { store } = running.context
      const alex = (await store.personByAddress(ALEX))?.id ?? ''
      const sales = (await store.personByAddress(SALES))?.id ?? ''
      await store.keepReported(alex, told('9.0.0'), clock - 90 * DAY_MS - 1)
      await store.keepReported(sales, told('9.1.0'), clock - 90 * DAY_MS)
      const { body } = await ask<Insight>('GET', '/insight')
      expect(body.versions.map(({ version }) => version)).toEqual(['9.1.0'])
      expect((await ask<Overview>('GET', '/overview')).body).toMatchObject({ told: 1, toldToday: 0 })
      await store.dropOldReported(clock - 90 * DAY_MS)
      expect(await store.reported(alex)).toBeNull()
      expect(await store.reported(sales)).not.toBeNull()
    })

    it('everybody, in more than one page', async () => {
      const { store, people } = running.context
      await people.importRows(many(510), 'tests', false)
      for (const { id } of many(120)) await store.keepReported(id, told('5.5.5', 'Mac'), clock)
      const { body } = await ask<Insight>('GET', '/insight')
      expect(body.people).toBe(515)
      expect(body.versions).toContainEqual({ version: '5.5.5', people: 120 })
      await running.reset()
    })

    it('at most once a minute', async () => {
      const { body } = await ask<Insight>('GET', '/insight')
      await tell(ALEX, told('7.7.7'))
      clock += MINUTE_MS - 1
      expect((await ask<Insight>('GET', '/insight')).body).toEqual(body)
      clock += 1
      expect((await ask<Insight>('GET', '/insight')).body.versions).toContainEqual({
        version: '7.7.7',
        people: 1,
      })
    })
  })

  describe('the audit', () => {
    async function audit(): Promise<readonly AuditFact[]> {
      const facts: AuditFact[] = []
      for (let after = ''; ;) {
        const { status, body } = await ask<AuditPage>('GET', `/audit${after}`)
        expect(status).toBe(200)
        facts.push(...body.facts)
        if (body.next === null) return facts
        after = `?after=${encodeURIComponent(body.next)}`
      }
    }
    const latest = async () => (await ask<AuditPage>('GET', '/audit')).body.facts[0]

    it('[SRV-32] has each write of the administration, with who wrote and when', async () => {
      const former = running.context.releases.current()?.id ?? ''
      // Without the signatures of the demonstration that no plan may have.
      const folder = join(import.meta.dirname, '../../../src/service/demonstration/signatures')
      const { document } = await readFolder(folder)
      const { id } = (await ask<Readonly<{ id: string }>>('POST', '/plans', { document })).body
      const wrote = (type: string, more: Partial<AuditFact> = {}) => ({
        at: clock,
        actor: ALEX,
        stream: 'organisation',
        person: null,
        type,
        note: null,
        fields: [],
        ...more,
      })

      clock += 1
      expect((await ask('POST', '/releases', { plan: id, note: 'for autumn' })).status).toBe(201)
      expect(await latest()).toEqual(wrote('organisation/releasePublished', { note: 'for autumn' }))
      clock += 1
      expect((await ask('POST', `/releases/${former}/rollback`, {})).status).toBe(200)
      expect(await latest()).toEqual(wrote('organisation/releaseRolledBack'))
      clock += 1
      expect((await ask('PUT', '/maintenance', { status: 'planned' })).status).toBe(200)
      expect(await latest()).toEqual(wrote('organisation/maintenanceSet'))

      const importCsv = async (csv: string) => {
        const answer = await fetch(`${running.url}/api/administration/v1/people/import`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${administrator}`, 'Content-Type': 'text/csv' },
          body: csv,
        })
        expect(answer.status).toBe(200)
        return (await running.context.store.personByAddress('new@northwind.example'))?.id ?? ''
      }
      clock += 1
      const person = await importCsv('email,givenName\nnew@northwind.example,New\n')
      const ofPerson = { stream: 'person', person } as const
      expect(await latest()).toEqual(wrote('person/imported', ofPerson))
      clock += 1
      await importCsv('email,givenName\nnew@northwind.example,Newer\n')
      expect(await latest()).toEqual(wrote('person/directoryChanged', { ...ofPerson, fields: ['fields'] }))
      clock += 1
      expect((await ask('DELETE', `/people/${person}`)).status).toBe(200)
      expect(await latest()).toEqual(wrote('person/erased', ofPerson))
      expect((await ask<AuditPage>('GET', '/audit')).body.people).not.toHaveProperty([person])
      await running.reset()
    })

    it('names what people changed, and says no value', async () => {
      const bearer = await running.signIn(TESS)
      clock += 1
      const { status } = await running.call('PUT', '/api/addin/user/variables_with_options', bearer, {
        data: { job_title: 'A secret of Tess' },
        reset_fields: [],
      })
      expect(status).toBe(200)
      const fact = await latest()
      expect(fact).toMatchObject({ type: 'person/valuesSaved', person: 'u-5', actor: 'u-5', at: clock })
      expect(fact?.fields).toContain('job_title')
      const { people } = (await ask<AuditPage>('GET', '/audit')).body
      expect(people?.['u-5']).toEqual({ name: expect.stringContaining('Tess'), address: TESS })
      expect(JSON.stringify(await audit())).not.toMatch(/secret of Tess|givenName|@northwind\.example"\]/)
      await running.reset()
    })

    it('has every fact once, the latest first, page by page, also those of one moment', async () => {
      const { store, people } = running.context
      clock += 1
      await people.importRows(many(230), 'tests', false)
      const facts = await audit()
      const streams = await Promise.all(
        [...new Set((await store.peopleFacts(null, 2000)).map(({ id }) => id))].map((id) =>
          store.personFacts(id, 0),
        ),
      )
      const organisation = await store.organisationFacts(0)
      expect(facts).toHaveLength(streams.flat().length + organisation.length)
      expect(new Set(facts.filter(({ at }) => at === clock).map(({ person }) => person)).size).toBe(230)
      expect(facts.map(({ at }) => at)).toEqual(
        facts.map(({ at }) => at).toSorted((one, other) => other - one),
      )
      expect(await audit()).toEqual(facts)
      await running.reset()
    })

    it.each(['x', '1.2.other', '99999999999999999.0.organisation'])(
      'refuses a page that is none: %s',
      async (after) => {
        expect(await ask('GET', `/audit?after=${after}`)).toMatchObject({ status: 400 })
      },
    )
  })
})
