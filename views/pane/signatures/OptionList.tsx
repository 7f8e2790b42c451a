import { type KeyboardEvent, useState } from 'react'
import { optionId } from '../dom/activeOption.ts'
import { useTypeAhead } from '../../shared/typeAhead.ts'
import { useVirtualRows } from './virtual.ts'
import { useTexts } from '../text/texts.ts'
import { optionName, type OptionRow } from './listRows.ts'
import { OptionOverlay } from './OptionMenu.tsx'
import { type ListProps, Rows } from './Rows.tsx'
import * as css from './OptionList.module.css'

/** The gap between two rows, in CSS pixels. */
const GAP_PX = 8

/**
 * The listbox with its keys. The menus of the options are beside the list, because an option may not contain buttons.
 */
export function OptionList({
  labelledBy,
  hintId,
  scope,
  onUnfold,
  onEscape,
  ...content
}: ListProps & {
  labelledBy: string
  /** The id of the element that explains Escape now; null when Escape does nothing. */
  hintId: string | null
  /** Identifies the listed content. A list with another scope starts at its top again. */
  scope: string
  /** Called when the user unfolds the versions of the signature with this key, or folds them. */
  onUnfold: (key: string, isUnfolded: boolean) => void
  /** Called for Escape. Returns false to pass the key on. */
  onEscape: () => boolean
}) {
  const t = useTexts()
  const { id, rows, options, active, choosing, onChoose } = content
  const [menu, setMenu] = useState<string | null>(null)
  const pinned = rows.findIndex(({ key }) => key === active.key)
  const { list, tops, total, drawn } = useVirtualRows(rows, pinned < 0 ? null : pinned, GAP_PX, {
    scope,
    reached: active.isFromBox ? active.key : null,
  })
  const type = useTypeAhead(
    options.map((row) => optionName(row, t)),
    active.index,
    (index) => {
      active.moveTo(index, 'list')
    },
  )

  const openMenu = (key: string) => {
    active.reach(key, 'menu')
    setMenu(key)
  }
  const unfold = (key: string, isUnfolded: boolean) => {
    // If the active option is a version that is folded now, its signature is active.
    active.reach(key, 'menu')
    onUnfold(key, isUnfolded)
  }
  /** Unfolds the versions of an option, or folds them, also from a version. Returns false if this changes nothing. */
  const pressSideways = (row: OptionRow | undefined, isUnfolded: boolean): boolean => {
    if (row?.kind !== 'entry') return false
    const { variantOf } = row.listed.entry
    const of = isUnfolded || variantOf === null ? row : options.find(({ key }) => key === variantOf)
    if (of?.kind !== 'entry' || !of.versions || of.versions.areUnfolded === isUnfolded) return false
    onUnfold(of.key, isUnfolded)
    active.reach(of.key, 'list')
    return true
  }
  const press = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event
    if (altKey || ctrlKey || metaKey) return
    // A screen reader may have focused another option without a key press.
    const focused = options.findIndex((row) => optionId(id, row.key) === document.activeElement?.id)
    const here = focused < 0 ? active.index : focused
    if (key === 'ArrowDown') active.moveTo(Math.min(here + 1, options.length - 1), 'list')
    else if (key === 'ArrowUp') active.moveTo(Math.max(here - 1, 0), 'list')
    else if (key === 'Home') active.moveTo(0, 'list')
    else if (key === 'End') active.moveTo(options.length - 1, 'list')
    else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      if (!pressSideways(options[here], key === 'ArrowRight')) return
    } else if (key === 'Enter') onChoose(options[here])
    else if (key.length === 1) type({ key, at: timeStamp, current: active.index })
    // An Escape without anything to undo goes to the mail client, which moves the focus out of the pane.
    else if (key !== 'Escape' || !onEscape()) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={list} className={css['frame']}>
      <div
        id={id}
        role="listbox"
        aria-labelledby={labelledBy}
        aria-describedby={hintId ?? undefined}
        className={css['list']}
        style={{ height: total }}
        onKeyDown={press}
      >
        <Rows list={content} drawn={drawn} tops={tops} onMenu={openMenu} />
      </div>
      <OptionOverlay
        rows={drawn.flatMap((index) => {
          const row = rows[index]
          return row ? [{ row, top: tops[index] ?? 0 }] : []
        })}
        activeKey={active.key}
        openKey={menu}
        mayInsert={choosing.does === 'insert'}
        itemKey={choosing.itemKey}
        onOpen={openMenu}
        onUnfold={unfold}
        onClose={() => setMenu(null)}
      />
    </div>
  )
}
