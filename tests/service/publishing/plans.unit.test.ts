import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { peopleCalls } from '../../../src/service/http/administration/people.ts'
import { personCalls } from '../../../src/service/http/administration/person.ts'
import { createPlans } from '../../../src/service/publishing/plans.ts'
import type { ServiceContext } from '../../../src/service/context/serviceContext.ts'
import { compileRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { MAX_DRAWN_CHARACTERS } from '../../../streams/organisation/plan/plan.ts'
import { addresses, largeDocument, person } from '../../growth/largeDocument.ts'

it('other requests have their turns while the people of one page are planned', async () => {
  const people = Array.from({ length: 400 }, (_, index) => ({ ...person, id: `u-${String(index)}` }))
  const over = new AbortController()
  let turns = 0
  const counting = (async () => {
    for (; !over.signal.aborted; turns++) await setImmediate()
  })()
  /** The turns since the page was read: everything before has turns of its own. */
  let since = 0
  const store = {
    hasPictures: async () => new Set(),
    personsByAddress: async () => [],
    async people() {
      since = turns
      return people
    },
    extendPlannedPictures: async () => new Set(),
    async dropExpired() {
      since = turns - since
    },
    keepPlan: async () => undefined,
  }
  const before = compileRelease('a', largeDocument({ signatures: 60, templates: 2 }))
  const context = { store, releases: { current: () => before }, publicUrl: () => '', now: () => 0 }
  const plans = createPlans(context as unknown as ServiceContext)
  const { summary } = await plans.make(
    largeDocument({ signatures: 61, templates: 2, lines: 30 }),
    0,
    'author',
  )
  over.abort()
  await counting
  expect(summary.people).toBe(people.length)
  expect(since).toBeGreaterThan(0)
})

/** Plans over people in memory, the first release published. `read` counts the pages of people that were read. */
function planningOver(count: number, before: ReleaseDocument, onPage: (pages: number) => void = () => {}) {
  const people = Array.from({ length: count }, (_, index) => ({
    ...person,
    id: `u-${String(index).padStart(6, '0')}`,
    addresses: [`u${String(index)}@northwind.example`],
  }))
  const kept = new Map<string, unknown>()
  const read = { pages: 0 }
  const store = {
    hasPictures: async () => new Set(),
    personsByAddress: async () => [],
    async people(after: string | null, limit: number) {
      read.pages += 1
      onPage(read.pages)
      const from = after === null ? 0 : people.findIndex(({ id }) => id > after)
      return from < 0 ? [] : people.slice(from, from + limit)
    },
    plan: async (id: string) => kept.get(id) ?? null,
    extendPlannedPictures: async () => new Set(),
    dropExpired: async () => undefined,
    keepPlan: async (id: string, plan: unknown) => void kept.set(id, plan),
  }
  const release = compileRelease('a', before)
  const releases = { current: () => release, of: async () => release }
  const context = { store, releases, publicUrl: () => '', now: () => 0 }
  return { plans: createPlans(context as unknown as ServiceContext), kept, read, people }
}

const EMPTY = largeDocument({ signatures: 1, templates: 1, lines: 1 })

/** Every page of the people of a plan. */
async function pagesOf({ people }: ReturnType<typeof createPlans>, id: string) {
  const pages = []
  for (let after: string | null = null; ;) {
    const page = await people(id, after)
    pages.push(page.people)
    after = page.next
    if (after === null) return pages
  }
}

describe('a plan of many shared mailboxes for everyone', () => {
  const MAILBOXES = 1_200
  const PEOPLE = 700

  it('counts each mailbox, and is as long as the document, not as document times people', async () => {
    const { plans, kept } = planningOver(PEOPLE, EMPTY)
    const document = largeDocument({ signatures: 1, templates: 1, lines: 1, mailboxes: MAILBOXES })
    const plan = await plans.make(document, 0, 'author')
    const all = PEOPLE + MAILBOXES
    expect(plan.summary.people).toBe(all)
    expect(plan.summary.mailboxes).toHaveLength(MAILBOXES)
    // Nobody needs a right to write from their own address: here each mailbox is a person, too.
    expect(plan.summary.mailboxes.every(({ kind, people }) => kind === 'added' && people === all - 1)).toBe(
      true,
    )
    expect(JSON.stringify([...kept.values()]).length).toBeLessThan(5 * JSON.stringify(document).length)
  })

  it('names the first 50 mailboxes of each person, says how many more there are, and tells everyone once', async () => {
    const { plans, people } = planningOver(PEOPLE, EMPTY)
    const document = largeDocument({ signatures: 1, templates: 1, lines: 1, mailboxes: MAILBOXES })
    const { id } = await plans.make(document, 0, 'author')
    const pages = await pagesOf(plans, id)
    const told = pages.flat()
    expect(told.map((each) => each.person)).toEqual([
      ...document.mailboxes.map(({ address }) => address),
      ...people.map((each) => each.id),
    ])
    const last = told.at(-1)?.mailboxes
    expect(last?.added).toEqual(document.mailboxes.slice(0, 50).map(({ address }) => address))
    expect(last?.more).toEqual({ added: MAILBOXES - 50, removed: 0 })
    expect(told[0]?.mailboxes.more).toEqual({ added: MAILBOXES - 51, removed: 0 })
    expect(pages.every((page) => page.length <= 500 + 200)).toBe(true)
  })
})

it('a page of the people of a plan ends when it is long, and the next one goes on with the next person', async () => {
  const { plans, people } = planningOver(60, EMPTY)
  const document = largeDocument({ signatures: 1_000, templates: 1, lines: 1 })
  const { id } = await plans.make(document, 0, 'author')
  const pages = await pagesOf(plans, id)
  const lengths = pages.map((page) => JSON.stringify(page).length)
  const longest = Math.max(...pages.flat().map((plan) => JSON.stringify(plan).length))
  expect(pages.length).toBeGreaterThan(2)
  expect(Math.max(...lengths)).toBeLessThan(1_000_000 + 2 * longest)
  expect(pages.flat().map((plan) => plan.person)).toEqual(people.map((each) => each.id))
})

it('a plan ends when its client leaves: nothing more is read, and nothing is stored', async () => {
  const leaving = new AbortController()
  const { plans, read, kept } = planningOver(5_000, EMPTY, (pages) => {
    if (pages === 2) leaving.abort(new Error('The client left.'))
  })
  const making = plans.make(largeDocument({ signatures: 3, templates: 1 }), 0, 'author', {
    work: null,
    client: leaving.signal,
  })
  await expect(making).rejects.toThrow('The client left.')
  expect([read.pages, kept.size]).toEqual([2, 0])
})

describe('an answer about people has room for', () => {
  const NOBODY = { actor: '', roles: [], body: undefined, client: new AbortController().signal } as const
  function callsOver(document: ReleaseDocument, people = [person]) {
    const release = compileRelease('a', document)
    const store = {
      personsByAddress: async () => [],
      people: async (after: string | null, limit: number) => {
        const from = after === null ? 0 : people.findIndex(({ id }) => id === after) + 1
        return people.slice(from, from + limit)
      },
    }
    const context = { store, releases: { current: () => release }, publicUrl: () => '', now: () => 0 }
    const lookup = { owner: async () => person, releaseOf: async () => release }
    const service = context as unknown as ServiceContext
    return {
      ...peopleCalls(service, null as never, lookup as never),
      ...personCalls(service, lookup as never),
    }
  }

  it('the html of many signatures of one large template up to a limit, and names all', async () => {
    const calls = callsOver(largeDocument({ signatures: 100, templates: 1, lines: 5_000 }))
    const query = { reply: false, meeting: false }
    const answer = await calls.signatures({ ...NOBODY, params: { id: person.id }, query })
    const drawn = answer.signatures.filter(({ html }) => html !== null)
    expect(answer.signatures).toHaveLength(100)
    expect(drawn.length).toBeGreaterThan(10)
    expect(drawn.reduce((sum, { html }) => sum + (html?.length ?? 0), 0)).toBeLessThan(
      MAX_DRAWN_CHARACTERS + (drawn[0]?.html?.length ?? 0),
    )
  })

  it('the reasons of some people, and goes on with the next one', async () => {
    const [signature] = largeDocument({ signatures: 1, templates: 1, lines: 1 }).signatures
    const everyone = Array.from({ length: 30 }, (_, index) => ({ ...person, id: `u-${String(100 + index)}` }))
    const values = [...person.addresses, ...addresses(5_000)]
    const leftOut = { for: 'everyone' as const, not: [[{ by: 'person' as const, values }]] }
    const document = largeDocument({ templates: 1, lines: 1 })
    const calls = callsOver({ ...document, signatures: [{ ...signature!, selection: leftOut }] }, everyone)
    const found: string[] = []
    let pages = 0
    const anyone = { search: '', descending: false, left: false } as const
    for (let after: string | null = ''; after !== null; pages += 1) {
      const query = { ...anyone, without: 'signature', ...(after !== '' && { after }) } as const
      const page = await calls.people({ ...NOBODY, params: undefined, query })
      expect(JSON.stringify(page).length).toBeLessThan(1_000_000 + 200_000)
      found.push(...page.people.map(({ id }) => id))
      after = page.next
    }
    expect(found).toEqual(everyone.map(({ id }) => id))
    expect(pages).toBeGreaterThan(2)
  })
})
