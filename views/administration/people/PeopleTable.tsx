import { type CSSProperties, type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { Thumbnail } from '../../../streams/administration/people/events.ts'
import { type PeopleFilters, sortedBy } from '../../../streams/administration/people/filters.ts'
import type { PeopleState } from '../../../streams/administration/people/reducer.ts'
import { personPath } from '../../../streams/administration/people/rules.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { TELEMETRY_KEPT_MS } from '../../../streams/organisation/figures/reported.ts'
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import type { FoundPerson, PeopleSort } from '../../../streams/wire/administration/people.ts'
import { Initials } from '../../shared/Initials.tsx'
import { useEscape } from '../dom/escape.ts'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { useDayText, useFormats } from '../parts/formats.ts'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import { noSignatureText } from '../text/why.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

/** The rows that are drawn while the first page loads. */
const SKELETON_ROWS = 8
/** The height of the highest thumbnail, in pixels, as in `People.module.css`. */
const THUMBNAIL_ROOM_PX = 220

/**
 * The people found, in a table that is sorted by its headings.
 *
 * @param person the person on the page, by id or address; null for none
 * @param closed the person whose page the administrator has just left; null for none
 */
export function PeopleTable({
  people,
  isUnsigned,
  person: opened,
  closed,
  onSort,
}: {
  people: PeopleState
  isUnsigned: boolean
  person: string | null
  closed: string | null
  onSort: (filters: PeopleFilters) => void
}) {
  const t = useTexts()
  const recording = useRecording()
  const { items, load, filters } = people
  const isPointed = useAdministrationState(({ thumbnail }) => thumbnail !== null)
  useEscape(isPointed, recording(Thumbnail.pointed({ person: null })))
  const isLoading = items === null && (load.status === 'pending' || load.status === 'idle')
  if (!isLoading && (items === null || items.length === 0)) return null
  const sorting = (sort: PeopleSort, text: string) => (
    <SortedHeading filters={filters} sort={sort} text={text} onSort={onSort} />
  )
  return (
    <div className={css['scroller']}>
      {/* With roles, because a narrow window draws rows as cards, and browsers then forget that they are rows. */}
      <table
        role="table"
        className={css['table']}
        aria-label={t('people.list')}
        aria-busy={load.status === 'pending'}
      >
        <thead>
          <tr>
            {sorting('name', t('people.name'))}
            {sorting('department', t('people.department'))}
            <th scope="col">{t('people.signature')}</th>
            {sorting('seen', t('people.lastSeen'))}
          </tr>
        </thead>
        <tbody>
          {isLoading
            ? Array.from({ length: SKELETON_ROWS }, (_, row) => <SkeletonRow key={row} />)
            : items?.map((each) => (
                <Row
                  key={each.id}
                  person={each}
                  labels={people.labels}
                  isUnsigned={isUnsigned}
                  isOpened={isNamed(each, opened)}
                  isClosed={isNamed(each, closed)}
                />
              ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether a path with `name` means this person. */
const isNamed = ({ id, address }: FoundPerson, name: string | null): boolean =>
  id === name || address === name

/** A heading that sorts by its column. A narrow window has its text in place of the button. */
function SortedHeading({
  filters,
  sort,
  text,
  onSort,
}: {
  filters: PeopleFilters
  sort: PeopleSort
  text: string
  onSort: (filters: PeopleFilters) => void
}) {
  const direction = filters.isDescending ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={filters.sort === sort ? direction : 'none'} data-column={sort}>
      <span className={css['unsorted']}>{text}</span>
      <button type="button" onClick={() => onSort(sortedBy(filters, sort))}>
        {text} <span aria-hidden="true">{filters.sort === sort && (filters.isDescending ? '↓' : '↑')}</span>
      </button>
    </th>
  )
}

const SkeletonRow = () => (
  <tr aria-hidden="true" className={css['skeleton']}>
    <td />
    <td data-column="department" />
    <td />
    <td data-column="seen" />
  </tr>
)

function Row({
  person,
  labels,
  isUnsigned,
  isOpened,
  isClosed,
}: {
  person: FoundPerson
  labels: PeopleState['labels']
  isUnsigned: boolean
  isOpened: boolean
  isClosed: boolean
}) {
  const t = useTexts()
  const record = useGesture()
  const dayText = useDayText()
  const { utcDay } = useFormats()
  const { id, name, address, isActive, none, department, signature, seenAt, picture } = person
  const [at, setAt] = useState<Corner>({})
  const point = (row: Element | null) => {
    if (!signature || row === null) return
    setAt(cornerBeside(row))
    record(Thumbnail.pointed({ person: id }))
  }
  const leave = () => {
    if (signature) record(Thumbnail.pointed({ person: null }))
  }
  return (
    // The link lies over the whole row, so that the pointer reaches no single cell.
    <tr
      role="row"
      data-opened={isOpened || undefined}
      onPointerEnter={({ currentTarget }) => point(currentTarget)}
      onPointerLeave={leave}
    >
      <th role="rowheader" scope="row">
        <div className={css['who']}>
          <Portrait name={name || address} picture={picture ?? null} />
          <div>
            <Link
              to={personPath(id, isUnsigned)}
              aria-current={isOpened ? 'page' : undefined}
              data-arrival={isClosed || undefined}
              onFocus={({ currentTarget }) => point(currentTarget.closest('tr'))}
              onBlur={leave}
            >
              {name === '' ? address : name}
            </Link>
            {!isActive && <span className={textCss['mark']}>{t('people.hasLeft')}</span>}
            {name !== '' && <span className={css['address']}>{address}</span>}
          </div>
        </div>
      </th>
      <td role="cell" data-column="department">
        {department}
      </td>
      <td role="cell" data-column="signature">
        {signature ? (
          <>
            {signature.name}
            <SignatureThumbnail person={id} name={signature.name} at={at} />
          </>
        ) : (
          none && (
            <span className={css['reason']}>
              {noSignatureText(none, t, dayText, (field) => fieldName(field, labels, t))}
            </span>
          )
        )}
      </td>
      <td role="cell" data-column="seen">
        {seenAt === undefined ? null : seenAt === null ? (
          <span className={textCss['quiet']}>
            {t('people.notSeen', { count: TELEMETRY_KEPT_MS / DAY_MS })}
          </span>
        ) : (
          utcDay(seenAt)
        )}
      </td>
    </tr>
  )
}

/** Where a thumbnail is, as styles. The style sheet keeps its left edge so far inside the window that it fits. */
type Corner = CSSProperties & Readonly<{ '--left'?: string }>

/** The place of a thumbnail in the window: below the row, or above it if there is no room below. */
function cornerBeside(row: Element): Corner {
  const { bottom, top } = row.getBoundingClientRect()
  const { left } = (row.querySelector('[data-column=signature]') ?? row).getBoundingClientRect()
  const { innerHeight } = window
  return {
    '--left': `${String(left)}px`,
    ...(bottom + THUMBNAIL_ROOM_PX > innerHeight && top > innerHeight - bottom
      ? { bottom: innerHeight - top }
      : { top: bottom }),
  }
}

/** The person's picture, or their initials. */
function Portrait({ name, picture }: { name: string; picture: string | null }): ReactNode {
  const [failed, setFailed] = useState<string | null>(null)
  return picture === null || picture === failed ? (
    <Initials name={name} />
  ) : (
    <img className={css['portrait']} src={picture} alt="" loading="lazy" onError={() => setFailed(picture)} />
  )
}

/** A person's default signature as they see it, once it is loaded. It stays while the pointer is over it. */
function SignatureThumbnail({ person, name, at }: { person: string; name: string; at: Corner }) {
  const t = useTexts()
  const drawn = useAdministrationState(({ thumbnail }) =>
    thumbnail?.person === person ? thumbnail.drawn : null,
  )
  const html = drawn && loadedValue(drawn)?.signatures.find(({ isDefault }) => isDefault)?.html
  if (!html) return null
  return (
    <div className={css['thumbnail']} style={at}>
      <SignatureFrame html={html} fits title={t('people.look.frame', { name })} />
    </div>
  )
}
