// Formatting in the document of a message, at its selection.

/** The switches of the formatting row, by the names that browsers give to the commands. */
export const FORMATS = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  bullets: 'insertUnorderedList',
  numbers: 'insertOrderedList',
} as const satisfies Record<string, string>
export type Format = keyof typeof FORMATS

const EDITABLE = '[contenteditable="true"]'

const editableAt = (node: Node | null): HTMLElement | null =>
  (node?.nodeType === 1 ? (node as Element) : (node?.parentElement ?? null))?.closest<HTMLElement>(
    EDITABLE,
  ) ?? null

/** The editable part with the selection; focuses it. Without a selection that is the end of the author's part. */
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

/** The browser's own editor. It is called deprecated, and nothing else formats at a selection. */
type Editor = Readonly<{
  execCommand(command: string, showsDialog: boolean, value?: string): boolean
  queryCommandState(command: string): boolean
}>
const editorOf = (page: Document): Editor => page

/** Runs a command, which raises `input` like typing. */
const run = (page: Document, command: string, value?: string): boolean =>
  editorOf(page).execCommand(command, false, value)

/** The formats at the selection; none while it is in no editable part. */
export const formatsAt = (page: Document): readonly Format[] =>
  editableAt(page.getSelection()?.anchorNode ?? null)
    ? (Object.keys(FORMATS) as Format[]).filter((format) => editorOf(page).queryCommandState(FORMATS[format]))
    : []

/** Switches a format at the selection, and moves the focus there. */
export function toggleFormat(page: Document, format: Format): void {
  if (focusEditable(page)) run(page, FORMATS[format])
}

const SCHEME = /^(https?:\/\/|mailto:)/i

/** The address that a person typed, as a link: with `https://` or `mailto:` where it has neither; null for none. */
export function linkOf(typed: string): string | null {
  const text = typed.trim()
  if (text === '' || /\s/.test(text)) return null
  const address = SCHEME.test(text) ? text : text.includes('@') ? `mailto:${text}` : `https://${text}`
  return URL.canParse(address) ? address : null
}

/** Links the selected text, or inserts the address as a link, and moves the focus there. */
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
