import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createPeople } from '../../../src/service/people/people.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { DomainError } from '../../../src/service/operations/domainError.ts'
import type { PersonCommand } from '../../../streams/organisation/decide.ts'
import { evolvePerson } from '../../../streams/organisation/facts/reducer.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { forEachDatabase } from '../../support/databases.ts'
import {
  correction,
  metadata,
  PATHS,
  picture,
  record,
  release,
  values,
} from '../../streams/organisation/arbitraries.ts'

const IDS = ['p-1', 'p-2']
const RUNS = 6
/** On a machine that may be busy. */
const TEST_LIMIT_MS = 120_000

const command: fc.Arbitrary<PersonCommand> = fc.oneof(
  fc.constantFrom({ type: 'deactivate' }, { type: 'erase' }, { type: 'removePicture' }),
  record.map((each) => ({ type: 'importRecord', record: each }) as const),
  picture.map((each) => ({ type: 'changePicture', picture: each }) as const),
  correction,
  fc.record({
    type: fc.constant('saveValues' as const),
    values,
    resetFields: fc.subarray([...PATHS]),
    metadata,
  }),
)
const written = fc.array(fc.record({ id: fc.constantFrom(...IDS), command }), { minLength: 4, maxLength: 12 })

async function fold(store: Store, id: string): Promise<PersonState | null> {
  const facts = await store.personFacts(id, 0)
  return facts.reduce<PersonState | null>((state, fact) => evolvePerson(state, fact, id), null)
}

forEachDatabase('the facts of people', (open) => {
  it(
    '[SRV-14] give the rows that are there, whatever was written',
    async () => {
      const store = await open()
      await fc.assert(
        fc.asyncProperty(release, written, async (current, writes) => {
          await store.clear()
          const people = createPeople({
            store,
            releases: { current: () => current },
            now: () => 1,
            newId: () => 'p-new',
          })
          for (const { id, command: given } of writes) {
            try {
              if (given.type === 'erase') await people.erase(id, 'tests')
              else if (given.type === 'importRecord')
                await people.importRows([{ id, record: given.record }], 'tests', false)
              else await people.write(id, given, 'tests')
            } catch (error) {
              if (!(error instanceof DomainError)) throw error
            }
          }
          const all = await store.peopleFacts(null, 99)
          for (const id of new Set([...IDS, ...all.map((each) => each.id)])) {
            const folded = await fold(store, id)
            expect(folded).toEqual(await store.person(id))
            expect(await store.personsByAddress(folded?.addresses ?? [])).toEqual(
              folded === null ? [] : [folded],
            )
          }
        }),
        { numRuns: RUNS },
      )
    },
    TEST_LIMIT_MS,
  )
})
