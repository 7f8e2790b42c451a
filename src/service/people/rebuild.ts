/** Rebuilds the rows of all people from their facts. */
import { isDeepStrictEqual } from 'node:util'
import type { Progress } from '../../../streams/kernel/progress.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { PersonFact } from '../../../streams/organisation/facts/events.ts'
import { evolvePerson } from '../../../streams/organisation/facts/reducer.ts'
import { readingPages } from '../sql/pages.ts'
import { VersionConflict } from '../sql/problems.ts'
import type { FoldedPerson } from '../sql/peopleWrites.ts'
import type { Store } from '../sql/store.ts'

/** The number of facts per read. It also limits the memory for a person with many facts. */
const FACTS_AT_ONCE = 1_000
const PEOPLE_AT_ONCE = 500
/** The number of tries for a single person who is being written at the same time. */
const TRIES = 3

type Rebuilt = Pick<
  Store,
  'peopleFacts' | 'personFacts' | 'persons' | 'addressesOf' | 'replacePeople' | 'countRows'
> &
  Readonly<{ words: Pick<Store['words'], 'index'> }>

/**
 * Replaces the rows, addresses and words of people that differ from their facts. The service may keep writing: a person
 * who changes meanwhile is folded again.
 *
 * @param heard gets the number of folded people, after each batch
 * @returns the number of people with facts, and the ids of the people whose rows were replaced
 * @throws VersionConflict when the facts give two people the same address or account
 */
export async function rebuildPeople(store: Rebuilt, heard: (progress: Progress) => void = () => {}) {
  const rows = await store.countRows()
  const replaced: string[] = []
  const moved: string[] = []
  let people = 0
  const add = ({ replaced: some, moved: others }: Outcome) => {
    replaced.push(...some)
    moved.push(...others)
  }
  for await (const batch of foldedPeople(store)) {
    add(await replaceOther(store, batch))
    people += batch.length
    heard({ done: people, of: Math.max(people, rows) })
  }
  // Retries the moved people together first, because two people may have exchanged an address.
  for (const ids of inParts(moved.splice(0), PEOPLE_AT_ONCE))
    add(await replaceOther(store, await foldAll(store, ids)))
  for (const id of moved) if (await replaceAlone(store, id)) replaced.push(id)
  // Replaced rows do not have words yet.
  for (let last = await store.words.index(null); last !== null;) last = await store.words.index(last)
  return { people, replaced }
}

type Outcome = Readonly<{ replaced: readonly string[]; moved: readonly string[] }>

/** Folds all people with facts, in batches of up to `PEOPLE_PER_STEP` people. */
async function* foldedPeople(store: Rebuilt): AsyncGenerator<readonly FoldedPerson[]> {
  /** The last person on a page, whose facts may continue on the next page. */
  let last: FoldedPerson | null = null
  for await (const page of readingPages(store.peopleFacts, FACTS_AT_ONCE, ({ id, version }) => ({
    id,
    version,
  }))) {
    const whole: FoldedPerson[] = []
    for (const { id, fact } of page) {
      if (last !== null && last.id !== id) {
        whole.push(last)
        last = null
      }
      last = withFact(last, id, fact)
    }
    yield* inParts(whole, PEOPLE_AT_ONCE)
  }
  if (last !== null) yield [last]
}

const withFact = (before: FoldedPerson | null, id: string, fact: Recorded<PersonFact>): FoldedPerson => ({
  id,
  person: evolvePerson(before?.person ?? null, fact, id),
  first: before?.first ?? fact.meta.seq,
  last: fact.meta.seq,
})

async function foldAll(store: Rebuilt, ids: readonly string[]): Promise<readonly FoldedPerson[]> {
  const folded: FoldedPerson[] = []
  for (const id of ids) {
    const facts = await store.personFacts(id, 0)
    const person = facts.reduce<FoldedPerson | null>((before, fact) => withFact(before, id, fact), null)
    if (person !== null) folded.push(person)
  }
  return folded
}

/**
 * Replaces the rows that differ from the folded people. `moved` are the people who changed meanwhile, or all differing
 * people if one has an address or account that another person's row still has.
 */
async function replaceOther(store: Rebuilt, people: readonly FoldedPerson[]): Promise<Outcome> {
  const ids = people.map(({ id }) => id)
  const rows = new Map((await store.persons(ids)).map((row) => [row.id, row]))
  const addresses = await store.addressesOf(ids)
  const others = people.filter(
    ({ id, person }) =>
      !isDeepStrictEqual(person, rows.get(id) ?? null) ||
      !isDeepStrictEqual(new Set(person?.addresses), new Set(addresses.get(id))),
  )
  if (others.length === 0) return { replaced: [], moved: [] }
  try {
    const moved = new Set(await store.replacePeople(others))
    return {
      replaced: others.flatMap(({ id }) => (moved.has(id) ? [] : id)),
      moved: [...moved],
    }
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
    return { replaced: [], moved: others.map(({ id }) => id) }
  }
}

/** Replaces one person's row. Resolves with whether it differed. */
async function replaceAlone(store: Rebuilt, id: string): Promise<boolean> {
  for (let left = TRIES; left > 0; left -= 1) {
    const { replaced, moved } = await replaceOther(store, await foldAll(store, [id]))
    if (moved.length === 0) return replaced.length > 0
  }
  throw new VersionConflict(`The row of ${id} cannot be replaced: another person has its address or account.`)
}

function* inParts<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
