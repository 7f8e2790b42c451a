import { personAt } from '../../../streams/administration/people/rules.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { OnePerson } from './OnePerson.tsx'
import { PeopleList } from './PeopleList.tsx'

export function People() {
  const person = useAdministrationState(({ place }) => personAt(place.path))
  return person === null ? <PeopleList /> : <OnePerson key={person} />
}
