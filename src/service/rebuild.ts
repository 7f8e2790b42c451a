/** Restores the rows of all people from their facts. */
import { isDeepStrictEqual } from 'node:util'
import { evolvePerson } from '../../streams/organisation/reducer.ts'
import type { PersonState } from '../../streams/organisation/state.ts'
import { pagesOf } from './sql/pages.ts'
import type { Store } from './sql/store.ts'

const PEOPLE_AT_ONCE = 500

/** Replaces the rows of people that differ from the people's facts. The service must not write meanwhile. */
export async function rebuildPeople(
  store: Pick<Store, 'personStreams' | 'personFacts' | 'person' | 'replacePerson'>,
) {
  const replaced: string[] = []
  let people = 0
  for await (const ids of pagesOf(store.personStreams, PEOPLE_AT_ONCE, (id) => id))
    for (const id of ids) {
      const facts = await store.personFacts(id, 0)
      const folded = facts.reduce<PersonState | null>((state, fact) => evolvePerson(state, fact, id), null)
      people += 1
      if (isDeepStrictEqual(folded, await store.person(id))) continue
      await store.replacePerson(id, folded)
      replaced.push(id)
    }
  return { people, replaced }
}
