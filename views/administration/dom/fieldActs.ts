import type { Acted } from '../../../streams/administration/plan/acts.ts'
import { applyEdits, offsetInField } from '../../../streams/administration/plan/draft.ts'

/** Deprecated, and the only way to type that the browser can undo. */
type Typing = Readonly<{ execCommand?: (command: 'insertText', hasDialog: false, text: string) => boolean }>

/**
 * Types an act of the palette into a text field as a user does, so that the field's own undo takes it back. False when
 * the browser cannot do so; then nothing is changed.
 *
 * @param text the text of the field, whose line ends the field shows as `\n`
 */
export function actInField(field: HTMLTextAreaElement, text: string, { edits, selected }: Acted): boolean {
  const typing = field.ownerDocument as unknown as Typing
  field.focus()
  for (const { from, to, insert } of edits) {
    field.setSelectionRange(offsetInField(text, from), offsetInField(text, to))
    if (typing.execCommand?.('insertText', false, insert) !== true) return false
  }
  const changed = applyEdits(text, edits)
  field.setSelectionRange(offsetInField(changed, selected.from), offsetInField(changed, selected.to))
  return true
}
