/** Moves a signature in the order: a handle in its card, and a dialog for everyone who does not drag. */
import type { KeyboardEvent } from 'react'
import { Dialog } from '../../shared/Dialog.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { ChoiceField } from '../parts/Field.tsx'
import { useFormats } from '../parts/formats.ts'
import { useTexts } from '../text/texts.ts'
import { PositionField } from './RuleFields.tsx'
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

/**
 * The handle of a card. The user drags it, presses a key on it, or opens the dialog with it.
 *
 * @param hint the id of the text that explains the handle, or why it is off
 * @param onStep receives the number of places; infinite for the first or the last place
 */
export function MoveHandle({
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
 * Moves a signature without dragging.
 *
 * @param onMove receives the new index
 */
export function MoveDialog({
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
