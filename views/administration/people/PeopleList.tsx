import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { People, UnsignedPeople } from '../../../streams/administration/people/events.ts'
import {
  isFiltered,
  NO_FILTERS,
  type PeopleFilters,
  sortedBy,
  UNSEEN_DAYS,
  withoutFilters,
} from '../../../streams/administration/people/filters.ts'
import type { PeopleState } from '../../../streams/administration/people/reducer.ts'
import { UNSIGNED_PEOPLE_PATH } from '../../../streams/administration/people/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { Failure } from '../parts/Failure.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import { PeopleTable } from './PeopleTable.tsx'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The search, the filters and the people found. The arrow keys move the focus from the search box into the table, and
 * through its people.
 *
 * @param isUnsigned shows only people without a signature
 * @param person the person on the page; null for none
 * @param closed the person whose page the administrator has just left; null for none
 */
export function PeopleList({
  isUnsigned,
  person,
  closed,
}: {
  isUnsigned: boolean
  person: string | null
  closed: string | null
}) {
  const t = useTexts()
  const record = useGesture()
  const recording = useRecording()
  const people = useAdministrationState((state) => (isUnsigned ? state.unsigned : state.people))
  const { searched, filtered, moreRequested } = isUnsigned ? UnsignedPeople : People
  const [text, setText] = useState(people.query)
  const stops = useRef<HTMLElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const { altKey, ctrlKey, metaKey, nativeEvent, target } = event
    if (step === undefined || altKey || ctrlKey || metaKey || nativeEvent.isComposing) return
    if (!(target instanceof Element) || !target.matches('input, tbody a')) return
    const all = [...(stops.current?.querySelectorAll<HTMLElement>('input, tbody a') ?? [])]
    const next = all[all.findIndex((each) => each === target) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  const showEveryone = () => {
    setText('')
    const filters = withoutFilters(people.filters)
    record(searched({ query: '' }))
    record(filtered({ filters }))
    if (!isUnsigned) return
    record(People.searched({ query: '' }))
    record(People.filtered({ filters }))
    record(Place.linkFollowed({ to: '/people' }))
  }
  const narrowUnsigned = () => {
    record(UnsignedPeople.searched({ query: people.query }))
    record(UnsignedPeople.filtered({ filters: { ...people.filters, signature: null, who: NO_FILTERS.who } }))
  }
  const isNarrowed = isUnsigned || isFiltered(people.filters)
  return (
    <section ref={stops} className={sectionCss['section']} aria-label={t('people.search')} onKeyDown={move}>
      <div className={css['search']}>
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
        <Filters people={people} isUnsigned={isUnsigned} />
      </div>
      <div className={css['found']}>
        {/* Always rendered, because screen readers announce a live region only when its content changes. */}
        <p
          role="status"
          className={sectionCss['status']}
          data-loading={(people.items === null && people.load.status !== 'fail') || undefined}
        >
          {people.erased !== null && `${t('people.erased', { address: people.erased })} `}
          {statusOf(people, isUnsigned, t)}
        </p>
        {isNarrowed && (
          <Button look="subtle" small onPress={showEveryone}>
            {t('people.showEveryone')}
          </Button>
        )}
        {!isUnsigned && (
          <Link to={UNSIGNED_PEOPLE_PATH} className={textCss['link']} onClick={narrowUnsigned}>
            {t('people.unsigned')}
          </Link>
        )}
      </div>
      <Failure
        title="people.failed"
        failure={failureOf(people.load)}
        onRetry={recording(Place.retryRequested())}
      />
      <PeopleTable
        people={people}
        isUnsigned={isUnsigned}
        person={person}
        closed={closed}
        onSort={(filters) => record(filtered({ filters }))}
      />
      {people.items !== null && people.next !== null && (
        <div>
          <Button look="secondary" onPress={recording(moreRequested())}>
            {t('people.more')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The search status: whether it is running, and how many people it found. */
function statusOf(
  { load, items, next, query, filters }: PeopleState,
  isUnsigned: boolean,
  t: Translate,
): string {
  if (load.status === 'pending' || load.status === 'idle') return t('people.loading')
  if (load.status === 'fail' || items === null) return ''
  const { length: count } = items
  if (next !== null) return t('people.foundSoFar', { count })
  if (count > 0) return t('people.found', { count })
  if (isFiltered(filters) || (isUnsigned && query !== '')) return t('people.nothingFits')
  if (isUnsigned) return t('people.allSigned')
  return query === '' ? t('people.nobodyYet') : t('people.nothing', { query })
}

/** The filters, and the order where the table has no headings. */
function Filters({
  people: { filters, signatures = [] },
  isUnsigned,
}: {
  people: PeopleState
  isUnsigned: boolean
}) {
  const t = useTexts()
  const record = useGesture()
  const departments = loadedValue(useAdministrationState((state) => state.departments))?.values ?? []
  const { filtered } = isUnsigned ? UnsignedPeople : People
  const choose = (change: Partial<PeopleFilters>) => record(filtered({ filters: { ...filters, ...change } }))
  const names = departments.map(({ value }) => value)
  const listed =
    filters.department === null || names.includes(filters.department) ? names : [filters.department, ...names]
  return (
    <div className={css['filters']}>
      <ChoiceField
        label={t('people.department')}
        value={filters.department ?? ''}
        options={[['', t('people.anyDepartment')], ...listed.map((name) => [name, name] as const)]}
        onChange={({ target: { value } }) => choose({ department: value === '' ? null : value })}
      />
      {!isUnsigned && (
        <ChoiceField
          label={t('people.signature')}
          value={filters.signature ?? ''}
          options={[['', t('people.anySignature')], ...signatures.map(({ id, name }) => [id, name] as const)]}
          onChange={({ target: { value } }) => choose({ signature: value === '' ? null : value })}
        />
      )}
      {!isUnsigned && (
        <ChoiceField
          label={t('people.who')}
          value={filters.who}
          options={[
            ['active', t('people.active')],
            ['unseen', t('people.unseen', { count: UNSEEN_DAYS })],
            ['left', t('people.left')],
          ]}
          onChange={({ target: { value } }) =>
            choose({ who: value === 'left' || value === 'unseen' ? value : NO_FILTERS.who })
          }
        />
      )}
      <div className={css['sort']}>
        <ChoiceField
          label={t('people.sortBy')}
          value={filters.sort}
          options={[
            ['name', t('people.name')],
            ['department', t('people.department')],
            ['seen', t('people.lastSeen')],
          ]}
          onChange={({ target: { value } }) =>
            choose(sortedBy(filters, value === 'department' || value === 'seen' ? value : NO_FILTERS.sort))
          }
        />
      </div>
    </div>
  )
}
