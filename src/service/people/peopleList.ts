/** Lists people in an order, page by page. Each answer reads a limited amount, however many people there are. */
import { mapInSteps } from '../../../streams/kernel/steps.ts'
import {
  departmentOrder,
  departmentOrderOf,
  nameOrderOf,
} from '../../../streams/organisation/facts/personOrder.ts'
import { matchesSearchWords, searchWords } from '../../../streams/organisation/facts/searchTerms.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { PeopleSort } from '../../../streams/wire/administration/people.ts'
import { runInSlices } from '../../server/timeSlices.ts'
import type { IndexPlace, PersonIndex } from '../sql/orderedPeople.ts'
import { MAX_COUNTED_USES } from '../sql/searchTerms.ts'
import type { Store } from '../sql/store.ts'

/** The number of places that each statement reads. The first statements read few, because most lists are not narrow. */
const PLACES_AT_ONCE: readonly number[] = [64, 256, ...Array<number>(19).fill(500)]
/** The number of statements of an answer that compares each person with the words of a search. */
const MAX_COMPARED = 6
/** The number of people without stored words up to which a search sorts what it found. */
const MAX_WITHOUT_WORDS = 500

export type PeopleOrder = Readonly<{
  by: PeopleSort
  isDescending: boolean
  /** Only people with this department, ignoring case and accents; null for everyone. */
  department: string | null
  /** Whether to list active people, or those who have left. */
  isActive: boolean
}>

export type ListedPerson = Readonly<{ person: PersonState; seenAt: number | null; after: string }>

/** The people found by one statement. `next` is the place to continue from; null at the end of the list. */
export type PeopleListPage = Readonly<{ found: readonly ListedPerson[]; next: string | null }>

export type PeopleList = (
  order: PeopleOrder,
  search: string,
  after: string | null,
) => AsyncGenerator<PeopleListPage>

/** A part of a list, which is in the order of one index. `hasReported` is whether its people have; null for both. */
type Part = Readonly<{ index: PersonIndex; isDescending: boolean; hasReported: boolean | null }>

/** A place in a list: the number of the part, and the place in its index; null at the start of the part. */
type ListPlace = Readonly<{ part: number; at: IndexPlace | null }>

/**
 * The parts of a list, in order. People without a department come last. People without a report come first in ascending
 * order, sorted by name.
 */
function partsOf({ by, isDescending, department: named }: PeopleOrder): readonly Part[] {
  const department = named === null ? null : departmentOrder(named)
  const all = { isDescending, hasReported: null }
  if (by === 'seen') {
    const unseen = { index: { by: 'name', department }, isDescending: false, hasReported: false } as const
    const seen = { index: { by: 'seen', department }, isDescending, hasReported: true } as const
    return isDescending ? [seen, unseen] : [unseen, seen]
  }
  if (by === 'name' || department !== null) return [{ ...all, index: { by: 'name', department } }]
  if (isDescending) return [{ ...all, index: { by: 'department', after: null } }]
  return [
    { ...all, index: { by: 'department', after: '' } },
    { ...all, index: { by: 'name', department: '' } },
  ]
}

const textOf = ({ part, at }: ListPlace): string => JSON.stringify([part, ...(at ?? [])])

/** How many columns the places of an index have. */
const COLUMNS = { name: 2, department: 3, seen: 2 } as const

/** Reads a place; the start of the list if the text does not have the form of this list's places. */
function placeIn(after: string | null, parts: readonly Part[]): ListPlace {
  const start = { part: 0, at: null }
  if (after === null) return start
  let read: unknown
  try {
    read = JSON.parse(after)
  } catch {
    return start
  }
  const values: readonly unknown[] = Array.isArray(read) ? read : []
  const [part, ...at] = values
  const index = parts.find((_, number) => number === part)?.index
  if (typeof part !== 'number' || index === undefined) return start
  if (at.length === 0) return { part, at: null }
  const isPlace = (columns: readonly unknown[]): columns is IndexPlace =>
    columns.length === COLUMNS[index.by] &&
    columns.every((value, column) =>
      index.by === 'seen' && column === 0 ? Number.isSafeInteger(value) : typeof value === 'string',
    )
  return isPlace(at) ? { part, at } : start
}

/** A place whose texts have a character for each byte. They compare as in the database, which compares bytes. */
type PlaceKey = ListPlace

const keyOf = ({ part, at }: ListPlace): PlaceKey => ({
  part,
  at: at && at.map((value) => (typeof value === 'string' ? Buffer.from(value).toString('latin1') : value)),
})

const compareValues = (one: string | number, other: string | number): number =>
  one < other ? -1 : Number(one > other)

function compareKeys(one: PlaceKey, other: PlaceKey, parts: readonly Part[]): number {
  if (one.part !== other.part) return one.part - other.part
  if (one.at === null || other.at === null) return Number(one.at !== null) - Number(other.at !== null)
  for (const [column, value] of one.at.entries()) {
    const way = compareValues(value, other.at[column] ?? '')
    if (way !== 0) return parts[one.part]?.isDescending === true ? -way : way
  }
  return 0
}

/** The place of a person in a list. `department` is the person's order text. */
function placeOf(
  person: PersonState,
  department: string,
  seenAt: number | null,
  parts: readonly Part[],
): ListPlace {
  const part = parts.findIndex(
    ({ index, hasReported }) =>
      (hasReported === null || hasReported === (seenAt !== null)) &&
      (index.by !== 'department' || index.after === null || department > index.after),
  )
  const name = nameOrderOf(person)
  const at = {
    name: [name, person.id],
    department: [department, name, person.id],
    seen: [seenAt ?? 0, person.id],
  }[parts[part]?.index.by ?? 'name']
  return { part, at }
}

/**
 * Lists the active people, or those who have left, who have a word for each searched word that begins with it. A search
 * for a rare word reads all people with this word and sorts them. Other lists follow an index, and compare each person
 * with the words. The list ends when everything was read, or after the statement limit of one answer. The last page
 * then has a `next`. After a text that does not have the form of its places, the list begins again.
 */
export function createPeopleList(
  store: Pick<Store, 'order'> &
    Readonly<{ words: Pick<Store['words'], 'commonness' | 'places' | 'unindexed'> }>,
): PeopleList {
  /** All active people with these words; null if there may be too many to sort. */
  async function peopleWith(wanted: readonly string[]): Promise<readonly PersonState[] | null> {
    const counts = await store.words.commonness(wanted)
    const least = Math.min(...counts)
    if (least >= MAX_COUNTED_USES) return null
    const first = wanted[counts.indexOf(least)] ?? ''
    const others = wanted.filter((word) => word !== first)
    const places = await store.words.places(first, others, null, MAX_COUNTED_USES)
    const unindexed = await store.words.unindexed('', MAX_WITHOUT_WORDS + 1)
    // Words may have been stored since they were counted.
    if (places.length === MAX_COUNTED_USES || unindexed.length > MAX_WITHOUT_WORDS) return null
    const found = new Map(places.flatMap(({ person }) => (person === null ? [] : [[person.id, person]])))
    const matches = await runInSlices(
      mapInSteps(unindexed, (person) => (matchesSearchWords(person, wanted) ? [person] : [])),
    )
    for (const person of matches.flat()) found.set(person.id, person)
    return [...found.values()]
  }

  async function sorted(
    people: readonly PersonState[],
    { department }: PeopleOrder,
    parts: readonly Part[],
    from: ListPlace,
  ): Promise<PeopleListPage> {
    const wanted = department === null ? null : departmentOrder(department)
    const seen = await store.order.seenAt(people.map(({ id }) => id))
    const fromKey = keyOf(from)
    const placed = await runInSlices(
      mapInSteps(people, (person) => {
        const own = departmentOrderOf(person)
        if (wanted !== null && own !== wanted) return []
        const seenAt = seen.get(person.id) ?? null
        const place = placeOf(person, own, seenAt, parts)
        const key = keyOf(place)
        if (compareKeys(key, fromKey, parts) <= 0) return []
        return [{ key, listed: { person, seenAt, after: textOf(place) } }]
      }),
    )
    const found = placed.flat().sort((one, other) => compareKeys(one.key, other.key, parts))
    return { found: found.map(({ listed }) => listed), next: null }
  }

  return async function* list(order, search, after) {
    const wanted = searchWords(search)
    if (search.trim() !== '' && wanted.length === 0) return
    const parts = partsOf(order)
    const from = placeIn(after, parts)
    const few = wanted.length > 0 && order.isActive ? await peopleWith(wanted) : null
    if (few !== null) {
      yield await sorted(few, order, parts, from)
      return
    }
    let { part, at } = from
    for (const limit of PLACES_AT_ONCE.slice(0, wanted.length > 0 ? MAX_COMPARED : undefined)) {
      const read = parts[part]
      if (read === undefined) return
      const { index, isDescending, hasReported } = read
      const places = await store.order.places(index, {
        isActive: order.isActive,
        isDescending,
        after: at,
        limit,
      })
      const here = part
      const found = await runInSlices(
        mapInSteps(places, ({ place, person, seenAt }): readonly ListedPerson[] =>
          person !== null &&
          (hasReported === null || hasReported === (seenAt !== null)) &&
          (wanted.length === 0 || matchesSearchWords(person, wanted))
            ? [{ person, seenAt, after: textOf({ part: here, at: place }) }]
            : [],
        ),
      )
      if (places.length < limit) [part, at] = [part + 1, null]
      else at = places.at(-1)?.place ?? null
      const isOver = part === parts.length
      yield { found: found.flat(), next: isOver ? null : textOf({ part, at }) }
      if (isOver) return
    }
  }
}
