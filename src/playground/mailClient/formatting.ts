// Formats the selection in a message's document.

/** The formats in the formatting row, with the names of the browser's commands. */
export const TEXT_FORMATS = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  bullets: 'insertUnorderedList',
  numbers: 'insertOrderedList',
} as const satisfies Record<string, string>
export type TextFormat = keyof typeof TEXT_FORMATS

const EDITABLE = '[contenteditable="true"]'

const editableAt = (node: Node | null): HTMLElement | null =>
  (node?.nodeType === 1 ? (node as Element) : (node?.parentElement ?? null))?.closest<HTMLElement>(
    EDITABLE,
  ) ?? null

/** Focuses the editable part that contains the selection; without a selection, the end of the author's part. */
function focusEditable(page: Document): HTMLElement | null {
  const selection = page.getSelection()
  const selected = editableAt(selection?.anchorNode ?? null)
  const range = selected && selection?.rangeCount ? selection.getRangeAt(0).cloneRange() : null
  const editable = selected ?? page.querySelector<HTMLElement>(EDITABLE)
  editable?.focus()
  if (!editable || !selection) return null
  const caret = range ?? page.createRange()
  if (!range) {
    caret.selectNodeContents(editable.lastElementChild ?? editable)
    caret.collapse(false)
  }
  selection.removeAllRanges()
  selection.addRange(caret)
  return editable
}

/** The browser's own editor. Its methods are deprecated, but nothing else can format a selection. */
type Editor = Readonly<{
  execCommand(command: string, showsDialog: boolean, value?: string): boolean
  queryCommandState(command: string): boolean
}>
const editorOf = (page: Document): Editor => page

/** Runs a command of the editor. The command raises `input`, as typing does. */
const run = (page: Document, command: string, value?: string): boolean =>
  editorOf(page).execCommand(command, false, value)

/** The formats at the selection; empty if the selection is outside the editable parts. */
export const formatsAt = (page: Document): readonly TextFormat[] =>
  editableAt(page.getSelection()?.anchorNode ?? null)
    ? (Object.keys(TEXT_FORMATS) as TextFormat[]).filter((format) =>
        editorOf(page).queryCommandState(TEXT_FORMATS[format]),
      )
    : []

/** Toggles a format at the selection, and focuses the editable part. */
export function toggleFormat(page: Document, format: TextFormat): void {
  if (focusEditable(page)) run(page, TEXT_FORMATS[format])
}

const SCHEME = /^(https?:\/\/|mailto:)/i

/** Turns typed text into a link address, adding `https://` or `mailto:` if needed; null if it is not an address. */
export function linkAddressOf(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return null
  const address = SCHEME.test(text) ? text : text.includes('@') ? `mailto:${text}` : `https://${text}`
  return URL.canParse(address) ? address : null
}

/** Links the selected text to the address, or inserts the address as a link. Focuses the editable part. */
export function insertLink(page: Document, address: string): void {
  if (!focusEditable(page)) return
  if (page.getSelection()?.isCollapsed === false) {
    run(page, 'createLink', address)
    return
  }
  const link = page.createElement('a')
  link.href = address
  link.textContent = address.replace(SCHEME, '')
  run(page, 'insertHTML', link.outerHTML)
}
