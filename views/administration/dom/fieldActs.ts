import type { ActionResult } from '../../../streams/administration/plan/acts.ts'
import { applyEdits, offsetInField } from '../../../streams/administration/plan/draft.ts'

/** `execCommand` is deprecated, but only it can type text that the browser can undo. */
type Typing = Readonly<{ execCommand?: (command: 'insertText', hasDialog: false, text: string) => boolean }>

/**
 * Types an action's edits into a text field as a user would, so that the browser can undo them. Returns false and
 * changes nothing if the browser cannot do so.
 *
 * @param text the template's text; the field shows its line ends as `\n`
 */
export function typeEditsInField(
  field: HTMLTextAreaElement,
  text: string,
  { edits, selected }: ActionResult,
): boolean {
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
