import { useSubscription } from 'observable-hooks'
import { EMPTY } from 'rxjs'
import { type ListName, Signatures } from '../../streams/signatures/events.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { type ActiveOption, optionId } from '../hooks/dom/activeOption.ts'
import { approach, useElementStream } from '../hooks/element.ts'
import { useTexts } from '../text/texts.ts'
import { groupRows, type ListRow, MINE, type OptionRow } from './listRows.ts'
import { NoSignatureOption, SignatureOption } from './Option.tsx'
import { SkeletonSignature } from './Skeleton.tsx'
import * as css from './OptionList.module.css'

type Placed = Readonly<{ top: number | undefined }>

/** The drawn rows, in groups that carry the name of their owner. */
export function Rows({
  listId,
  whyId,
  isAlone,
  isWaiting,
  rows,
  options,
  drawn,
  tops,
  active,
  onChoose,
  onMenu,
}: {
  listId: string
  whyId: string | null
  isAlone: boolean
  /** No option can be chosen yet. */
  isWaiting: boolean
  rows: readonly ListRow[]
  options: readonly OptionRow[]
  /** Indices of `rows`. */
  drawn: readonly number[]
  /** Where each of `rows` begins, in CSS pixels. */
  tops: readonly number[]
  active: ActiveOption
  onChoose: (row: OptionRow) => void
  onMenu: (key: string) => void
}) {
  const t = useTexts()
  const positions = new Map(options.map(({ key }, index) => [key, index + 1]))
  const named = new Set(rows.flatMap((row) => (row.kind === 'head' ? [row.group] : [])))

  const drawOption = (row: OptionRow, style: Placed) => {
    const { key } = row
    const shown = {
      id: optionId(listId, key),
      rowKey: key,
      style,
      isCurrent: key === active.key,
      isReached: key === active.key && active.isFromBox,
      position: positions.get(key) ?? 1,
      count: options.length,
      isWaiting,
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
        onMenu={() => {
          onMenu(key)
        }}
      />
    )
  }
  const drawRow = (index: number) => {
    const row = rows[index]
    if (!row) return null
    const style = { top: tops[index] }
    switch (row.kind) {
      case 'head':
        return <GroupHead key={row.key} row={row} isAlone={isAlone} style={style} />
      case 'nextPage':
        return <NextPage key={row.key} rowKey={row.key} list={row.list} style={style} />
      case 'waiting':
        return <Waiting key={row.key} rowKey={row.key} style={style} />
      case 'entry':
      case 'none':
        return drawOption(row, style)
    }
  }
  // A group that gets its name later stays the same element: the focus in it stays.
  return groupRows(rows, drawn).map(({ group, indices }) => (
    <div
      key={group}
      role={named.has(group) ? 'group' : 'presentation'}
      aria-label={
        named.has(group)
          ? group === MINE
            ? t('list.mine')
            : t('list.sharedBy', { owner: group })
          : undefined
      }
    >
      {indices.map(drawRow)}
    </div>
  ))
}

/** What a group has above it, for the eye: a screen reader reads the name of the group itself. */
function GroupHead({
  row: { key, owner, isFirstShared },
  isAlone,
  style,
}: {
  row: Extract<ListRow, { kind: 'head' }>
  isAlone: boolean
  style: Placed
}) {
  const t = useTexts()
  return (
    <div data-row={key} aria-hidden="true" className={`${css['row']} ${css['group']}`} style={style}>
      {owner === MINE ? (
        t('list.mine')
      ) : (
        <>
          {isFirstShared && !isAlone && <span>{t('list.shared')}</span>}
          <span className={css['owner']}>{owner}</span>
        </>
      )}
    </div>
  )
}

/** The place of a signature while the list is loading. */
const Waiting = ({ rowKey, style }: { rowKey: string; style: Placed }) => (
  <div data-row={rowKey} aria-hidden="true" className={`${css['row']} ${css['waiting']}`} style={style}>
    <SkeletonSignature />
  </div>
)

/** The place of the next page, which loads when the user scrolls near it. */
function NextPage({ rowKey, list, style }: { rowKey: string; list: ListName; style: Placed }) {
  const record = useRecord()
  const [place, near$] = useElementStream((element: HTMLDivElement) => approach(element))
  const isIdle = useAppState(
    ({ signatures }) => signatures[list].load.status === 'success' && !signatures.reloading,
  )
  useSubscription(isIdle ? near$ : EMPTY, () => {
    record(Signatures.nextPageRequested({ list }))
  })
  return (
    <div ref={place} data-row={rowKey} aria-hidden="true" className={css['row']} style={style}>
      <SkeletonSignature />
    </div>
  )
}
