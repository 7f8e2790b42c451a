import { type KeyboardEvent, useState } from 'react'
import type { Choosing } from '../hooks/choosing.ts'
import { type ActiveOption, optionId } from '../hooks/dom/activeOption.ts'
import { useTypeAhead } from '../hooks/typeAhead.ts'
import { useVirtualRows } from '../hooks/virtual.ts'
import { useTexts } from '../text/texts.ts'
import { type ListRow, optionName, type OptionRow } from './listRows.ts'
import { Beside } from './OptionMenu.tsx'
import { Rows } from './Rows.tsx'
import * as css from './OptionList.module.css'

/** Between two rows. */
const GAP_PX = 8

/** The listbox with its keys; beside it, because no button may stand in an option, the menus of the options. */
export function OptionList({
  id,
  labelledBy,
  whyId,
  hintId,
  scope,
  isAlone,
  rows,
  options,
  active,
  choosing: { does, itemKey },
  onChoose,
  onEscape,
}: {
  id: string
  labelledBy: string
  /** The element that says why choosing does not insert; null where it does. */
  whyId: string | null
  /** The element that says what Escape does now; null where it does nothing. */
  hintId: string | null
  /** Names what is listed: in another scope the list begins at its top again. */
  scope: string
  /** The list has nothing but shared signatures, and its heading says so. */
  isAlone: boolean
  rows: readonly ListRow[]
  options: readonly OptionRow[]
  active: ActiveOption
  choosing: Choosing
  onChoose: (row: OptionRow | undefined) => void
  /** False passes the key on. */
  onEscape: () => boolean
}) {
  const t = useTexts()
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
  const press = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event
    if (altKey || ctrlKey || metaKey) return
    // A screen reader may set the focus to an option without a key.
    const focused = options.findIndex((row) => optionId(id, row.key) === document.activeElement?.id)
    const here = focused < 0 ? active.index : focused
    if (key === 'ArrowDown') active.moveTo(Math.min(here + 1, options.length - 1), 'list')
    else if (key === 'ArrowUp') active.moveTo(Math.max(here - 1, 0), 'list')
    else if (key === 'Home') active.moveTo(0, 'list')
    else if (key === 'End') active.moveTo(options.length - 1, 'list')
    else if (key === 'Enter') onChoose(options[here])
    else if (key.length === 1) type({ key, at: timeStamp, current: active.index })
    // An Escape that undoes nothing is the mail client's, which moves the focus out of the pane.
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
        <Rows
          listId={id}
          whyId={whyId}
          isAlone={isAlone}
          isWaiting={does === 'wait'}
          rows={rows}
          options={options}
          drawn={drawn}
          tops={tops}
          active={active}
          onChoose={onChoose}
          onMenu={openMenu}
        />
      </div>
      <Beside
        rows={drawn.flatMap((index) => {
          const row = rows[index]
          return row ? [{ row, top: tops[index] ?? 0 }] : []
        })}
        activeKey={active.key}
        openKey={menu}
        mayInsert={does === 'insert'}
        itemKey={itemKey}
        onOpen={openMenu}
        onClose={() => {
          setMenu(null)
        }}
      />
    </div>
  )
}
