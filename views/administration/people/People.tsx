import { useState } from 'react'
import { Link } from 'react-router-dom'
import {
  isUnsignedPeoplePath,
  personAt,
  UNSIGNED_PEOPLE_PATH,
} from '../../../streams/administration/people/rules.ts'
import type { AdministrationState } from '../../../streams/administration/state.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { AreaPage } from '../parts/AreaPage.tsx'
import { useTexts } from '../text/texts.ts'
import { ImportPeople } from './ImportPeople.tsx'
import { OnePerson } from './OnePerson.tsx'
import { PeopleList } from './PeopleList.tsx'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

/** The name of the person on the page; an address or the id while the name is unknown. */
const selectName = ({ onePerson, people, unsigned }: AdministrationState): string => {
  if (onePerson === null) return ''
  const { person, explained } = onePerson
  const known = loadedValue(explained)
  const listed = [...(people.items ?? []), ...(unsigned.items ?? [])].find(({ id }) => id === person)
  return known?.name || known?.person.addresses[0] || listed?.name || listed?.address || person
}

/** The person whose page the administrator left for a list, until the next navigation; null for none. */
function useClosedPerson(): string | null {
  const path = useAdministrationState(({ place }) => place.path)
  const person = personAt(path)
  const [last, setLast] = useState({ path, person, closed: null as string | null })
  if (last.path !== path) setLast({ path, person, closed: person === null ? last.person : null })
  return last.closed
}

/** The list of people. A wide window shows the opened person beside it, a narrow one in its place. */
export function People() {
  const t = useTexts()
  const person = useAdministrationState(({ place }) => personAt(place.path))
  const isUnsigned = useAdministrationState(({ place }) => isUnsignedPeoplePath(place.path))
  const name = useAdministrationState(selectName)
  const closed = useClosedPerson()
  const isOpen = person !== null
  const title = isOpen ? name : isUnsigned ? t('people.unsigned') : ''
  return (
    <AreaPage
      area="people"
      {...(title !== '' && { title })}
      act={
        isOpen && (
          <Link to={isUnsigned ? UNSIGNED_PEOPLE_PATH : '/people'} className={textCss['link']}>
            {t(isUnsigned ? 'people.unsigned' : 'people.one.back')}
          </Link>
        )
      }
    >
      <div className={css['layout']} data-open={isOpen || undefined}>
        <div className={css['beside']}>
          <PeopleList key={String(isUnsigned)} isUnsigned={isUnsigned} person={person} closed={closed} />
          {!isOpen && <ImportPeople />}
        </div>
        {isOpen && (
          <div key={person} className={css['person']}>
            <OnePerson name={name} />
          </div>
        )}
      </div>
    </AreaPage>
  )
}
