/**
 * A process that saves values of some people, over and over, and prints `<person> <revision> <value>` when the store
 * has acknowledged one. It ends when it is killed. Takes the database's address as JSON.
 */
import { openStore, type StoreAddress } from '../../../src/service/sql/openStore.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { Person } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'

const PEOPLE = ['ana', 'joao', 'maria']

async function save(store: Store, id: string): Promise<never> {
  let person: PersonState = (await store.person(id)) ?? {
    id,
    revision: 0,
    account: null,
    active: true,
    addresses: [`${id}@x.example`],
    language: null,
    directory: {},
    groups: [],
    values: {},
    metadata: {},
    picture: null,
    directoryPicture: null,
  }
  for (;;) {
    const expected = person.revision
    const values = { phone: String(expected) }
    person = { ...person, revision: expected + 2, values }
    const facts = [Person.departed(), Person.valuesSaved({ values, reset: [] })]
    await store.appendPerson(id, expected, facts, person, { actor: 'writer', at: 0 })
    process.stdout.write(`${id} ${String(person.revision)} ${values.phone}\n`)
  }
}

try {
  const store = await openStore(JSON.parse(process.argv[2] ?? '') as StoreAddress)
  await Promise.all(PEOPLE.map((id) => save(store, id)))
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
