/** Cards that the user moves: by dragging, with the handle in a card, and in a dialog for everyone who does not drag. */
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Dialog } from '../../shared/Dialog.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { useItemInSight, useListDrag } from '../dom/listDrag.ts'
import { ChoiceField } from '../parts/Field.tsx'
import { useFormats } from '../parts/formats.ts'
import { useTexts } from '../text/texts.ts'
import type { CardDrag } from './Card.tsx'
import { PositionField } from './RuleFields.tsx'
import * as sharedTextCss from '../../shared/Text.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './Signatures.module.css'

/** The keys that move a card, and by how many places. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowLeft: -1,
  ArrowDown: 1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
}

type Item = Readonly<{ id: string; name: string }>

/**
 * A list of cards in their order.
 *
 * @param shown the items with a card; if some are left out, none can be moved
 * @param hint the id of the text that explains the handles, or why they are off
 * @param onMove receives the item's new index in `all`
 * @param draw draws an item's card; `handle` is false if there is nothing to move
 */
export function MovableCards<Of extends Item>({
  all,
  shown = all,
  isOff = false,
  hint,
  onMove,
  draw,
}: {
  all: readonly Of[]
  shown?: readonly Of[]
  isOff?: boolean
  hint: string
  onMove: (id: string, to: number) => void
  draw: (item: Of, drag: CardDrag, handle: ReactNode) => ReactNode
}) {
  const t = useTexts()
  const list = useRef<HTMLOListElement>(null)
  /** The item that was moved last. A dragged one is in sight already. */
  const [moved, setMoved] = useState<Readonly<{ id: string; isDragged: boolean }> | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  if (isOff && moved) setMoved(null)
  const indexOf = (id: string | undefined) => all.findIndex((item) => item.id === id)
  const move = (from: number, to: number, isDragged: boolean) => {
    const item = all[from]
    const place = Math.max(0, Math.min(all.length - 1, to))
    if (item === undefined || place === from) return
    setMoved({ id: item.id, isDragged })
    onMove(item.id, place)
  }
  const { dragging, dragOf } = useListDrag(isOff, (from, to) => move(from, to, true))
  const movedTo = indexOf(moved?.id)
  useItemInSight(list, moved?.isDragged === false ? moved.id : null, movedTo)
  const askedAt = indexOf(asked ?? undefined)
  const askedItem = all[askedAt]
  return (
    <>
      <p role="status" className={sharedTextCss['unseen']}>
        {all[movedTo] &&
          t('signatures.move.moved', { name: all[movedTo].name, position: movedTo + 1, of: all.length })}
      </p>
      {shown.length > 0 && (
        <ol ref={list} className={`${sectionCss['list']} ${css['cards']}`} {...dragging}>
          {shown.map((item, index) =>
            draw(
              item,
              dragOf(index),
              all.length > 1 && (
                <MoveHandle
                  name={item.name}
                  hint={hint}
                  isOff={isOff}
                  onStep={(step) => move(index, index + step, false)}
                  onAsk={() => setAsked(item.id)}
                />
              ),
            ),
          )}
        </ol>
      )}
      {askedItem && (
        <MoveDialog
          name={askedItem.name}
          index={askedAt}
          of={all.length}
          onMove={(to) => move(askedAt, to, false)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

/**
 * The handle of a card. The user drags it, presses a key on it, or opens the dialog with it.
 *
 * @param hint the id of the text that explains the handle, or why it is off
 * @param onStep receives the number of places; infinite for the first or the last place
 */
function MoveHandle({
  name,
  hint,
  isOff,
  onStep,
  onAsk,
}: {
  name: string
  hint: string
  isOff: boolean
  onStep: (step: number) => void
  onAsk: () => void
}) {
  const t = useTexts()
  const move = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    const step = STEPS[key]
    if (step === undefined || isOff || altKey || ctrlKey || metaKey || shiftKey) return
    event.preventDefault()
    onStep(step)
  }
  // Firefox drags no button, so the pointer reaches only the element around it. Keys still reach the button.
  return (
    <span className={css['handle']} draggable={!isOff} data-handle onClick={isOff ? undefined : onAsk}>
      <button
        type="button"
        aria-label={t('signatures.move.title', { name })}
        aria-describedby={hint}
        aria-haspopup="dialog"
        aria-disabled={isOff || undefined}
        onKeyDown={move}
      >
        <Icon name="reorder" />
      </button>
    </span>
  )
}

/**
 * Moves an item without dragging.
 *
 * @param onMove receives the new index
 */
function MoveDialog({
  name,
  index,
  of,
  onMove,
  onClose,
}: {
  name: string
  index: number
  of: number
  onMove: (to: number) => void
  onClose: () => void
}) {
  const t = useTexts()
  const { count } = useFormats()
  return (
    <Dialog title={t('signatures.move.title', { name })} onClose={onClose}>
      <PositionField
        says={t('signatures.rules.position', { position: index + 1, of })}
        index={index}
        of={of}
        onMove={onMove}
      />
      <ChoiceField
        label={t('signatures.move.place')}
        value={index}
        options={Array.from({ length: of }, (_, place) => [String(place), count(place + 1)] as const)}
        onChange={({ currentTarget: { value } }) => onMove(Number(value))}
      />
    </Dialog>
  )
}
