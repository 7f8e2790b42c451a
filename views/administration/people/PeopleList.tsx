import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { People, UnsignedPeople } from '../../../streams/administration/people/events.ts'
import type { PeopleState } from '../../../streams/administration/people/reducer.ts'
import { isUnsignedPeoplePath, personPath } from '../../../streams/administration/people/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Field } from '../parts/Field.tsx'
import { fieldName } from '../text/fieldName.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import { noSignatureText } from '../text/why.ts'
import { ImportPeople } from './ImportPeople.tsx'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

export function PeopleList() {
  const isFiltered = useAdministrationState(({ place }) => isUnsignedPeoplePath(place.path))
  return (
    <AreaPage area="people">
      <Search key={String(isFiltered)} isFiltered={isFiltered} />
      <ImportPeople />
    </AreaPage>
  )
}

/**
 * The search box. The arrow keys move the focus from it into the list, and through the list.
 *
 * @param isFiltered searches only people without a signature
 */
function Search({ isFiltered }: { isFiltered: boolean }) {
  const t = useTexts()
  const record = useGesture()
  const recording = useRecording()
  const people = useAdministrationState((state) => (isFiltered ? state.unsigned : state.people))
  const { searched } = isFiltered ? UnsignedPeople : People
  const [text, setText] = useState(people.query)
  const stops = useRef<HTMLElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const { altKey, ctrlKey, metaKey, nativeEvent } = event
    if (step === undefined || altKey || ctrlKey || metaKey || nativeEvent.isComposing) return
    const all = [...(stops.current?.querySelectorAll<HTMLElement>('input, li a') ?? [])]
    const next = all[all.findIndex((each) => each === document.activeElement) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <section ref={stops} className={sectionCss['section']} aria-label={t('people.search')} onKeyDown={move}>
      <Field
        label={t('people.search')}
        hint={t('people.searchHint')}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value)
          record(searched({ query: value }))
        }}
      />
      {isFiltered && (
        <p className={css['filter']}>
          <span className={textCss['mark']}>{t('people.onlyUnsigned')}</span>{' '}
          <Link to="/people" className={textCss['link']}>
            {t('people.showEveryone')}
          </Link>
        </p>
      )}
      {/* Always rendered, because screen readers announce a live region only when its content changes. */}
      <p role="status" className={sectionCss['status']}>
        {people.erased !== null && `${t('people.erased', { address: people.erased })} `}
        {statusOf(people, isFiltered, t)}
      </p>
      <Failure
        title="people.failed"
        failure={failureOf(people.load)}
        onRetry={recording(Place.retryRequested())}
      />
      <Found people={people} isFiltered={isFiltered} />
    </section>
  )
}

/** The search status: whether it is running, and how many people it found. */
function statusOf({ load, items, next, query }: PeopleState, isFiltered: boolean, t: Translate): string {
  if (load.status === 'pending' || load.status === 'idle') return t('people.loading')
  if (load.status === 'fail' || items === null) return ''
  const { length: count } = items
  if (next !== null) return t('people.foundSoFar', { count })
  if (count > 0) return t('people.found', { count })
  if (isFiltered) return query === '' ? t('people.allSigned') : t('people.nothingUnsigned', { query })
  return query === '' ? t('people.nobodyYet') : t('people.nothing', { query })
}

function Found({ people, isFiltered }: { people: PeopleState; isFiltered: boolean }) {
  const t = useTexts()
  const recording = useRecording()
  const dayText = useDayText()
  const { items, next, load } = people
  const { moreRequested } = isFiltered ? UnsignedPeople : People
  if (items === null) return null
  return (
    <>
      {items.length > 0 && (
        <ul
          className={`${sectionCss['list']} ${css['people']}`}
          aria-label={t('people.list')}
          aria-busy={load.status === 'pending'}
        >
          {items.map(({ id, name, address, isActive, none }) => (
            <li key={id}>
              <Link to={personPath(id, isFiltered)}>
                <span className={css['name']}>{name === '' ? address : name}</span>
                {name !== '' && <span className={textCss['quiet']}>{address}</span>}
                {!isActive && <span className={textCss['mark']}>{t('people.hasLeft')}</span>}
                {none && (
                  <span className={css['reason']}>
                    {noSignatureText(none, t, dayText, (field) => fieldName(field, people.labels, t))}
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <div>
          <Button look="secondary" onPress={recording(moreRequested())}>
            {t('people.more')}
          </Button>
        </div>
      )}
    </>
  )
}
