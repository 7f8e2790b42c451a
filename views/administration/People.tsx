import { personAt } from '../../streams/administration/people/rules.ts'
import { useAdministrationState } from './hooks/administration.tsx'
import { OnePerson } from './people/OnePerson.tsx'
import { PeopleList } from './people/PeopleList.tsx'

export function People() {
  const person = useAdministrationState(({ place }) => personAt(place.path))
  return person === null ? <PeopleList /> : <OnePerson key={person} />
}
