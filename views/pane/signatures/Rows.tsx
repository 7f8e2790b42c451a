import type { ReactNode } from 'react'
import { useSubscription } from 'observable-hooks'
import { EMPTY } from 'rxjs'
import type { AppState } from '../../../streams/pane/state.ts'
import { type ListName, Signatures } from '../../../streams/message/signatures/events.ts'
import { OWN_OWNER } from '../../../streams/message/signatures/entry.ts'
import type { ListGroup } from '../../../streams/pane/signatures/selectors.ts'
import type { SignatureChoice } from './choosing.ts'
import { useAppState, useRecording } from '../app.tsx'
import { type ActiveOption, optionId } from '../dom/activeOption.ts'
import { whenNearView, useElementStream } from '../../shared/element.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { groupRows, type ListRow, REST_GROUP, type OptionRow } from './listRows.ts'
import { NoSignatureOption, SignatureOption } from './Option.tsx'
import { SkeletonSignature } from '../frame/Skeleton.tsx'
import * as css from './OptionList.module.css'
import * as textCss from '../../shared/Text.module.css'

type Placed = Readonly<{ top: number | undefined }>

/** The names of the groups of default, favourite and recent signatures. A group may hold signatures of any owner. */
const GROUPS = {
  default: 'entry.default',
  favourites: 'list.favourites',
  recent: 'list.recent',
} as const satisfies Record<Exclude<ListGroup['kind'], typeof REST_GROUP>, TextKey>

/** The name of the group of the user's remaining signatures, which depends on whether others share signatures. */
const selectRestName = ({ signatures }: AppState): TextKey =>
  signatures.delegations.length > 0 ? 'list.mine' : 'list.all'

const isNamed = (group: string): group is keyof typeof GROUPS => Object.hasOwn(GROUPS, group)

/** The contents of the list with this `id`, and the user's actions in it. */
export type ListProps = Readonly<{
  id: string
  /** The id of the reason why choosing does not insert; null if it inserts. */
  whyId: string | null
  /** True if the list has only shared signatures, which the heading above the list explains. */
  isAlone: boolean
  rows: readonly ListRow[]
  options: readonly OptionRow[]
  active: ActiveOption
  choosing: SignatureChoice
  onChoose: (row: OptionRow | undefined) => void
}>

/** The drawn rows, in groups that have names: the user's own groups, and one for each owner of shared signatures. */
export function Rows({
  list: { id, whyId, isAlone, rows, options, active, choosing, onChoose },
  drawn,
  tops,
  onMenu,
}: {
  list: ListProps
  /** The indices of the drawn rows. */
  drawn: readonly number[]
  /** Where each row begins, in CSS pixels. */
  tops: readonly number[]
  onMenu: (key: string) => void
}) {
  const t = useTexts()
  const restName = useAppState(selectRestName)
  const positions = new Map(options.map(({ key }, index) => [key, index + 1]))
  const named = new Set(rows.flatMap(({ kind, group }) => (kind === 'head' || isNamed(group) ? [group] : [])))
  // If any other group has a name, the group of the remaining signatures has a name, too.
  if (named.size > 0) named.add(REST_GROUP)
  const nameOf = (group: string) => {
    if (!named.has(group)) return undefined
    if (group === REST_GROUP) return t(restName)
    return isNamed(group) ? t(GROUPS[group]) : t('list.sharedBy', { owner: group })
  }

  const drawOption = (row: OptionRow, style: Placed) => {
    const { key } = row
    const shown = {
      id: optionId(id, key),
      rowKey: key,
      style,
      isCurrent: key === active.key,
      isReached: key === active.key && active.isFromBox,
      position: positions.get(key) ?? 1,
      count: options.length,
      isWaiting: choosing.does === 'wait',
      whyId,
      onReach: () => {
        active.focus(key)
      },
      onChoose: () => {
        active.reach(key, 'list')
        onChoose(row)
      },
    }
    return row.kind === 'none' ? (
      <NoSignatureOption key={key} {...shown} inUse={row.inUse} />
    ) : (
      <SignatureOption
        key={key}
        {...shown}
        listed={row.listed}
        versions={row.versions}
        owner={ownerOf(row)}
        onMenu={() => onMenu(key)}
      />
    )
  }
  const drawRow = (index: number) => {
    const row = rows[index]
    if (!row) return null
    const style = { top: tops[index] }
    switch (row.kind) {
      case 'head':
        return (
          <GroupHead key={row.key} rowKey={row.key} style={style}>
            {row.group === REST_GROUP || isNamed(row.group) ? (
              nameOf(row.group)
            ) : (
              <>
                {row.isFirstShared && !isAlone && <span>{t('list.shared')}</span>}
                <span className={textCss['owner']}>{row.group}</span>
              </>
            )}
          </GroupHead>
        )
      case 'nextPage':
        return <NextPage key={row.key} rowKey={row.key} list={row.list} style={style} />
      case 'waiting':
        return <Waiting key={row.key} rowKey={row.key} style={style} />
      case 'growing':
      case 'failed':
        // This row is drawn beside the list, because the list may contain neither sentences nor buttons.
        return null
      case 'entry':
      case 'none':
        return drawOption(row, style)
    }
  }
  // A group that gets its name later stays the same element, so that the focus inside it stays.
  return groupRows(rows, drawn).map(({ group, indices }) => (
    <div key={group} role={named.has(group) ? 'group' : 'presentation'} aria-label={nameOf(group)}>
      {indices.map(drawRow)}
    </div>
  ))
}

/** The owner who shares an entry; null for the user's own entry, or if a heading above names the owner. */
const ownerOf = ({ group, listed: { entry } }: Extract<OptionRow, { kind: 'entry' }>): string | null =>
  entry.type === 'variant' || entry.owner === OWN_OWNER || entry.owner === group ? null : entry.owner

/** The visible heading of a group. Screen readers read the name of the group instead. */
const GroupHead = ({ rowKey, style, children }: { rowKey: string; style: Placed; children: ReactNode }) => (
  <div data-row={rowKey} aria-hidden="true" className={`${css['row']} ${css['group']}`} style={style}>
    {children}
  </div>
)

/** Placeholder for a signature while the list is loading. */
const Waiting = ({ rowKey, style }: { rowKey: string; style: Placed }) => (
  <div data-row={rowKey} aria-hidden="true" className={`${css['row']} ${css['waiting']}`} style={style}>
    <SkeletonSignature />
  </div>
)

/** Placeholder for the next page, which loads when the user scrolls near it. */
function NextPage({ rowKey, list, style }: { rowKey: string; list: ListName; style: Placed }) {
  const recording = useRecording()
  const [place, near$] = useElementStream((element: HTMLDivElement) => whenNearView(element))
  const isIdle = useAppState(
    ({ signatures }) => signatures[list].load.status === 'success' && !signatures.reloading,
  )
  useSubscription(isIdle ? near$ : EMPTY, recording(Signatures.nextPageRequested({ list })))
  return (
    <div
      ref={place}
      data-row={rowKey}
      aria-hidden="true"
      className={`${css['row']} ${css['waiting']}`}
      style={style}
    >
      <SkeletonSignature />
    </div>
  )
}
