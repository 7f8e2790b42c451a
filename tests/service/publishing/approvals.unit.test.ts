import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createApprovals, type Approver } from '../../../src/service/publishing/approvals.ts'
import { createPlans, releaseIdOf } from '../../../src/service/publishing/plans.ts'
import { DomainError } from '../../../src/service/operations/domainError.ts'
import type { ServiceContext } from '../../../src/service/context/serviceContext.ts'
import { decideOrganisation, isRefusedCommand } from '../../../streams/organisation/decide.ts'
import type { OrganisationCommand } from '../../../streams/organisation/decide.ts'
import { Organisation } from '../../../streams/organisation/facts/events.ts'
import { evolveOrganisation } from '../../../streams/organisation/facts/reducer.ts'
import type { OrganisationState, PersonState } from '../../../streams/organisation/facts/state.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { cases } from '../../support/cases.ts'
import { person } from '../../growth/largeDocument.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NAMES = ['alice', 'bob', 'carol'] as const
type Name = (typeof NAMES)[number]

const documentOf = (text: string, more: Partial<ReleaseDocument> = {}): ReleaseDocument => ({
  version: 1,
  organisation: 'Northwind',
  internal: [],
  plan: { from: null, value: 'full' },
  variables: [],
  chooseDefault: { for: 'everyone', not: [] },
  mailboxes: [],
  pictures: {},
  signatures: [
    {
      id: 'one',
      name: 'One',
      template: 'templates/one.html',
      reply: null,
      mobile: null,
      selection: { for: [[{ by: 'group', values: ['sales'] }]], not: [] },
      during: null,
      recipients: 'everyone',
      collection: null,
    },
  ],
  templates: { 'templates/one.html': `<p>${text}</p>` },
  approval: { by: ['Signet.Publish', 'Directors'] },
  ...more,
})

const somebody = (id: string, groups: readonly string[]): PersonState => ({
  ...person,
  id,
  addresses: [`${id}@northwind.example`],
  account: { tenant: 't', oid: id },
  groups,
})

/** A service over people, plans and an organisation in memory. Its clock moves by hand. */
function createWorld(people: readonly PersonState[]) {
  const world = { people, now: 1_000_000_000_000, stored: new Set<string>() }
  const kept = new Map<string, unknown>()
  const documents = new Map<string, ReleaseDocument>()
  let state: OrganisationState | null = null
  const fold = (
    facts: readonly ReturnType<(typeof Organisation)[keyof typeof Organisation]>[],
    by: string,
  ) => {
    for (const fact of facts)
      state = evolveOrganisation(state, {
        ...fact,
        meta: { seq: state?.revision ?? 0, at: world.now, source: by },
      })
  }
  fold([Organisation.founded({ name: 'Northwind', tenants: ['t'] })], 'system')
  const known = () => state as unknown as OrganisationState
  const compiled = (id: string | undefined) => {
    const document = id === undefined ? undefined : documents.get(id)
    return document && id !== undefined ? compileRelease(id, document) : null
  }
  const store = {
    hasPictures: async () => new Set(),
    personsByAddress: async () => [],
    people: async (after: string | null) => (after === null ? world.people : []),
    personByAccount: async (_: string, oid: string) => world.people.find(({ id }) => id === oid) ?? null,
    plan: async (id: string) => kept.get(id) ?? null,
    keepPlan: async (id: string, plan: unknown) => void kept.set(id, plan),
    extendPlannedPictures: async () => new Set(),
    dropExpired: async () => undefined,
    async keepRelease(id: string, document: ReleaseDocument) {
      world.stored.add(id)
      documents.set(id, document)
    },
  }
  const releases = {
    current: () => compiled(known().history[0]?.release),
    state: known,
    of: async (id: string) => compiled(id),
    async write(command: OrganisationCommand, actor: string) {
      const decided = decideOrganisation(state, command)
      if (isRefusedCommand(decided)) throw new DomainError(decided.refused, decided.message)
      fold(decided, actor)
      return known()
    },
  }
  const context = { store, releases, publicUrl: () => '', now: () => world.now } as unknown as ServiceContext
  const plans = createPlans(context)
  const approvals = createApprovals(context, plans)
  const caller = (actor: string, roles: readonly string[] = ['Signet.Publish']): Approver => ({
    actor,
    roles,
    account: { tenant: 't', oid: actor },
  })
  const plan = (author: string, document: ReleaseDocument) => plans.make(document, null, author)
  return {
    world,
    known,
    plans,
    approvals,
    caller,
    plan,
    roll: (release: string) => releases.write({ type: 'rollBack', release, note: '' }, 'alice'),
    ask: (by: string, id: string, note = '') => approvals.ask(id, caller(by), note),
    async answer(by: string, id: string, hash: string | null | undefined, answer: 'approve' | 'refuse') {
      return approvals.answer(id, caller(by), { answer, hash: hash ?? '', note: '' })
    },
    publish: (by: string, id: string) => plans.publish(id, false, { actor: by, note: '' }),
    /** Plans, approves and publishes a document. */
    async publishApproved(document: ReleaseDocument) {
      const { id, approval } = await plan('alice', document)
      if (approval) await this.answer('bob', id, approval.hash, 'approve')
      await this.publish('alice', id)
      return id
    },
  }
}

const codeOf = (promised: Promise<unknown>): Promise<string> =>
  promised.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? error.code : Promise.reject(error)),
  )

const two = [somebody('alice', ['sales']), somebody('bob', [])]

describe('a publish', () => {
  const name = fc.constantFrom(...NAMES)
  const text = fc.constantFrom('a', 'a', 'a', 'b')
  type Act =
    | Readonly<{ does: 'plan' | 'ask' | 'approve' | 'refuse' | 'publish'; by: Name; text: string }>
    | Readonly<{ does: 'move'; who: Name }>
  /** What was said about a plan: whether somebody asked, who approves it, and who refused it. */
  type Words = Readonly<{ isAsked: boolean; given: readonly Name[]; refusedBy: Name | null }>
  const NO_WORDS: Words = { isAsked: false, given: [], refusedBy: null }
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({
      does: fc.constantFrom<'plan' | 'ask' | 'approve' | 'refuse' | 'publish'>(
        ...(['plan', 'plan', 'ask', 'approve', 'approve', 'approve', 'refuse'] as const),
        ...(['publish', 'publish', 'publish'] as const),
      ),
      by: name,
      text,
    }),
    fc.record({ does: fc.constant('move' as const), who: name }),
  )

  it('[PERSON-10] happens only with the approval of exactly what it does, by neither publisher nor author', async () => {
    let published = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40, size: 'max' }), async (acts) => {
        const service = createWorld(NAMES.map((id) => somebody(id, ['sales'])))
        // What the acts say, without any hash: a plan does the same while base, document and groups are the same.
        const plans = new Map<string, { id: string; hash: string; author: Name; does: string }>()
        const authors = new Map<string, Name>()
        const words = new Map<string, Words>()
        // What each stored plan did, one version for each time it was planned.
        const versions = new Map<string, Set<string>>()
        const doing = (document: string) =>
          JSON.stringify([service.known().history[0]?.release, document, service.world.people])
        for (const each of acts) {
          service.world.now += 1
          if (each.does === 'move') {
            service.world.people = service.world.people.map((one) =>
              one.id === each.who ? somebody(one.id, one.groups.length > 0 ? [] : ['sales']) : one,
            )
            continue
          }
          const { by, does } = each
          if (does === 'plan') {
            const made = await service.plan(by, documentOf(each.text))
            const author = authors.get(made.id) ?? by
            authors.set(made.id, author)
            const hash = made.approval?.hash ?? ''
            plans.set(each.text, { id: made.id, hash, author, does: doing(each.text) })
            versions.set(made.id, (versions.get(made.id) ?? new Set()).add(doing(each.text)))
            continue
          }
          const plan = plans.get(each.text)
          if (!plan) continue
          if (does === 'ask') {
            const { isAsked, refusedBy } = words.get(plan.does) ?? NO_WORDS
            const answer = await codeOf(service.ask(by, plan.id))
            // A question that stands is not asked again. A new one drops what was said about the plan's earlier versions.
            if (answer !== 'done' || (isAsked && refusedBy === null)) continue
            for (const version of versions.get(plan.id) ?? []) words.delete(version)
            words.set(plan.does, { ...NO_WORDS, isAsked: true })
          } else if (does === 'publish') {
            const before = service.known().history.length
            await codeOf(service.publish(by, plan.id))
            if (service.known().history.length === before) continue
            published += 1
            // Publishing made another base, so what was done is told from the state before it.
            const [, former] = service.known().history
            const done = JSON.stringify([former?.release, each.text, service.world.people])
            const { given, refusedBy } = words.get(done) ?? NO_WORDS
            const second = given.filter((one) => one !== by && one !== plan.author)
            expect(second).not.toEqual([])
            expect(refusedBy).toBeNull()
            words.clear()
          } else {
            const answer = await codeOf(service.answer(by, plan.id, plan.hash, does))
            if (answer !== 'done') continue
            const said = words.get(plan.does) ?? NO_WORDS
            const given = said.given.filter((one) => one !== by)
            if (does === 'approve') {
              // Only the person who refused takes a refusal back. The approvals of others stay.
              expect([null, by]).toContain(said.refusedBy)
              words.set(plan.does, { ...said, given: [...given, by], refusedBy: null })
            } else if (said.refusedBy === null) words.set(plan.does, { ...said, given, refusedBy: by })
          }
        }
      }),
      cases(100),
    )
    expect(published).toBeGreaterThan(0)
  })

  it('[PERSON-10] needs the approval that is published, whatever its draft says', async () => {
    const service = createWorld(two)
    await service.publishApproved(documentOf('a'))
    const { id, approval } = await service.plan('alice', documentOf('b', { approval: { by: ['Nobody'] } }))
    expect(approval?.by).toEqual(['Signet.Publish', 'Directors'])
    const { approval: _, ...without } = documentOf('c')
    const lifted = await service.plan('alice', without)
    expect(lifted.approval?.by).toEqual(['Signet.Publish', 'Directors'])
    expect(await codeOf(service.publish('alice', lifted.id))).toBe('approval_missing')
    expect(await codeOf(service.publish('alice', id))).toBe('approval_missing')
    expect(service.world.stored.size).toBe(1)
    await service.publishApproved(without)
    expect((await service.plan('alice', documentOf('d'))).approval).toBeUndefined()
  })

  it('says what changed since the approval', async () => {
    const service = createWorld(two)
    await service.publishApproved(documentOf('a'))
    const { id, approval } = await service.plan('alice', documentOf('b'))
    await service.answer('bob', id, approval?.hash, 'approve')
    service.world.people = [...two, somebody('carol', ['sales'])]
    await expect(service.publish('alice', id)).rejects.toMatchObject({
      code: 'approval_lapsed',
      message:
        'The approval has lapsed: it was for 1 person in 1 group; publishing now changes 2 people in 1 group. Plan and ask once more.',
    })
    service.world.people = [somebody('alice', []), somebody('bob', ['sales'])]
    await expect(service.publish('alice', id)).rejects.toMatchObject({
      message:
        'The approval has lapsed: people or the directory changed, so the plan for 1 person in 1 group is another one. Plan and ask once more.',
    })
    service.world.people = two
    expect(await codeOf(service.publish('alice', id))).toBe('done')
  })

  it('[PERSON-10] keeps its approval when somebody comes whom it does not change', async () => {
    const service = createWorld(two)
    await service.publishApproved(documentOf('a'))
    const { id, approval } = await service.plan('alice', documentOf('b'))
    await service.answer('bob', id, approval?.hash, 'approve')
    service.world.people = [...two, somebody('carol', [])]
    expect(await codeOf(service.publish('alice', id))).toBe('done')
  })

  it('by the only approver, or approved by its author, needs a third word', async () => {
    const service = createWorld(two)
    const { id, approval } = await service.plan('alice', documentOf('a'))
    expect(await codeOf(service.answer('alice', id, approval?.hash, 'approve'))).toBe('approval_own')
    await service.answer('bob', id, approval?.hash, 'approve')
    await expect(service.publish('bob', id)).rejects.toMatchObject({
      code: 'approval_own',
      message:
        'Only the publisher or the author of the plan has approved it: a second person must approve it, too.',
    })
    await service.answer('carol', id, approval?.hash, 'approve')
    expect(await codeOf(service.publish('bob', id))).toBe('done')
  })

  it('again needs no second approval, and rolling back needs none', async () => {
    const service = createWorld(two)
    const first = await service.publishApproved(documentOf('a'))
    const { release } = await service.plan('alice', documentOf('a'))
    expect(await codeOf(service.publish('alice', first))).toBe('done')
    await service.publishApproved(documentOf('b'))
    await service.roll(release)
    expect(service.known().history[0]).toMatchObject({ release, rolledBack: true })
  })

  it('beyond the limit of people is refused before its approval', async () => {
    const service = createWorld(two)
    const limits = { people: { most: 0, of: 'people' } } as const
    const { id } = await service.plan('alice', documentOf('a', { limits }))
    expect(await codeOf(service.publish('alice', id))).toBe('beyond_limit')
    const none = { people: { most: 1, of: 'people' } } as const
    const within = await service.plan('alice', documentOf('a', { limits: none }))
    service.world.people = [...two, somebody('carol', ['sales'])]
    expect(await codeOf(service.publish('alice', within.id))).toBe('beyond_limit')
    const all = (id: string) => service.plans.publish(id, true, { actor: 'alice', note: '' })
    expect(await codeOf(all(within.id))).toBe('approval_missing')
  })
})

describe('a plan', () => {
  it('that needs approval is kept for a week, any other for a day', async () => {
    const service = createWorld(two)
    const { until, at, id, approval } = await service.plan('alice', documentOf('a'))
    expect(until - at).toBe(7 * DAY_MS)
    await service.ask('alice', id)
    service.world.now = until - 1
    expect(await service.approvals.list(service.caller('bob'))).toHaveLength(1)
    service.world.now = until
    expect(await service.approvals.list(service.caller('bob'))).toEqual([])
    expect(await codeOf(service.answer('bob', id, approval?.hash, 'approve'))).toBe('not_found')
    const { approval: _, ...without } = documentOf('a')
    const other = await service.plan('alice', without)
    expect(other.until - other.at).toBe(DAY_MS)
    expect(await codeOf(service.ask('alice', other.id))).toBe('approval_unneeded')
  })

  it('does the same at any moment of the same rules', async () => {
    const service = createWorld(two)
    const first = await service.plan('alice', documentOf('a'))
    service.world.now += DAY_MS
    const second = await service.plan('bob', documentOf('a'))
    expect([second.id, second.approval]).toEqual([first.id, first.approval])
  })

  it('for another moment is approved by nobody', async () => {
    const service = createWorld(two)
    const { id, approval } = await service.plans.make(documentOf('a'), 5, 'alice')
    expect(approval).toEqual({ hash: null, by: ['Signet.Publish', 'Directors'] })
    expect(await codeOf(service.ask('alice', id))).toBe('plan_not_for_now')
  })

  it('[PERSON-10] is approved by a role, or by a group of the caller’s person', async () => {
    const people = [
      ...two,
      somebody('dora', ['Directors']),
      { ...somebody('eve', ['Directors']), active: false },
    ]
    const service = createWorld(people)
    const { id, approval } = await service.plan('alice', documentOf('a'))
    const hash = approval?.hash ?? ''
    const answer = (caller: Approver) =>
      codeOf(service.approvals.answer(id, caller, { answer: 'approve', hash, note: '' }))
    expect(await answer(service.caller('bob', ['Signet.Read']))).toBe('not_approver')
    expect(await answer(service.caller('eve', ['Signet.Read']))).toBe('not_approver')
    expect(await answer({ actor: 'application x', roles: ['Directors'] })).toBe('not_approver')
    expect(await answer(service.caller('dora', ['Signet.Read']))).toBe('done')
    expect(await answer(service.caller('bob'))).toBe('done')
    const named = async (actor: string, roles?: readonly string[]) =>
      (await service.approvals.list(service.caller(actor, roles)))[0]?.mayApprove
    expect(await named('dora', [])).toBe(true)
    expect(await named('bob', [])).toBe(false)
    expect(await named('alice')).toBe(false)
  })

  it('that was made again since it was read is not approved unseen', async () => {
    const service = createWorld(two)
    const { id, approval } = await service.plan('alice', documentOf('a'))
    service.world.people = [...two, somebody('carol', ['sales'])]
    await service.plan('alice', documentOf('a'))
    expect(await codeOf(service.answer('bob', id, approval?.hash, 'approve'))).toBe('approval_lapsed')
  })

  it('over a release that is no longer published is neither asked about nor approved', async () => {
    const service = createWorld(two)
    const { id, approval } = await service.plan('alice', documentOf('a'))
    await service.ask('alice', id)
    await service.publishApproved(documentOf('b'))
    expect(service.known().approvals).toBeUndefined()
    expect(await codeOf(service.ask('alice', id))).toBe('base_moved')
    expect(await codeOf(service.answer('bob', id, approval?.hash, 'approve'))).toBe('base_moved')
    expect(await codeOf(service.publish('alice', id))).toBe('base_moved')
  })
})

describe('the answers to a plan', () => {
  async function asked() {
    const service = createWorld(two)
    const { id, approval } = await service.plan('alice', documentOf('a'))
    await service.ask('alice', id, 'Please')
    const answer = (by: string, what: 'approve' | 'refuse') => service.answer(by, id, approval?.hash, what)
    return { service, id, answer }
  }
  const by = (words: readonly Readonly<{ by: string }>[]) => words.map((word) => word.by)

  it('of two approvers stand beside each other, once each', async () => {
    const { service, id, answer } = await asked()
    await answer('bob', 'approve')
    await answer('bob', 'approve')
    const { given, asked: question, people, groups, release } = await answer('carol', 'approve')
    expect(by(given)).toEqual(['bob', 'carol'])
    expect({ question, people, groups }).toMatchObject({
      question: { by: 'alice', note: 'Please' },
      people: 2,
      groups: 3,
    })
    expect(release).toBe(releaseIdOf(documentOf('a')))
    expect(service.known().revision).toBe(4)
    expect(by((await service.ask('alice', id)).given)).toEqual(['bob', 'carol'])
  })

  it('of others stay when the person who refused approves', async () => {
    const { service, id, answer } = await asked()
    await answer('bob', 'approve')
    await answer('carol', 'refuse')
    expect(await codeOf(service.publish('carol', id))).toBe('approval_refused')
    expect(by((await answer('carol', 'approve')).given)).toEqual(['bob', 'carol'])
    expect(await codeOf(service.publish('carol', id))).toBe('done')
  })

  it('of one who refuses stop a publish that another approved, until it is asked for again', async () => {
    const { service, id, answer } = await asked()
    await answer('bob', 'approve')
    expect((await answer('carol', 'refuse')).refused).toMatchObject({ by: 'carol' })
    await answer('dora', 'refuse')
    await expect(service.publish('alice', id)).rejects.toMatchObject({
      code: 'approval_refused',
      message: 'carol refused this plan: change it, or ask for approval again.',
    })
    expect(await codeOf(answer('bob', 'approve'))).toBe('approval_refused')
    const again = await service.ask('alice', id, 'Mended')
    expect([again.refused, again.given, again.asked?.note]).toEqual([null, [], 'Mended'])
    await answer('bob', 'approve')
    expect(await codeOf(service.publish('alice', id))).toBe('done')
  })

  it('may change their mind', async () => {
    const { service, id, answer } = await asked()
    await answer('bob', 'approve')
    const { given, refused } = await answer('bob', 'refuse')
    expect([by(given), refused?.by]).toEqual([[], 'bob'])
    expect(by((await answer('bob', 'approve')).given)).toEqual(['bob'])
    expect(await codeOf(service.publish('alice', id))).toBe('done')
  })

  it('are the latest twenty, one for each plan that is asked about', async () => {
    const service = createWorld(two)
    for (let index = 0; index < 22; index++)
      await service.ask('alice', (await service.plan('alice', documentOf(`t${String(index)}`))).id)
    const listed = await service.approvals.list(service.caller('bob'))
    expect(listed).toHaveLength(20)
    expect(listed[0]?.release).toBe(releaseIdOf(documentOf('t21')))
    service.world.people = [...two, somebody('carol', ['sales'])]
    const { id } = await service.plan('alice', documentOf('t21'))
    await service.ask('alice', id)
    const now = await service.approvals.list(service.caller('bob'))
    expect(now.filter(({ plan }) => plan === id).map(({ people }) => people)).toEqual([3])
  })
})
