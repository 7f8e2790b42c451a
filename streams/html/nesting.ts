import { MAX_SIGNATURE_CHARACTERS } from './limits.ts'
import { nameSet } from './tokens.ts'

// Decides which elements a tag closes and which it opens, by the tree construction rules of the HTML standard. Every
// element gets a closing tag, in the reverse order of opening. So parsers have nothing to repair, and no element
// extends beyond a signature.

const HEADINGS = nameSet('h1 h2 h3 h4 h5 h6')

/** Elements that end an open paragraph. */
const BLOCKS = nameSet(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table ul',
)

/** The allowed parents for each part of a table. If none is open, the first one in the list is opened. */
const PARENTS: ReadonlyMap<string, readonly [implied: string, ...others: string[]]> = new Map([
  ['caption', ['table']],
  ['colgroup', ['table']],
  ['col', ['colgroup']],
  ['tbody', ['table']],
  ['thead', ['table']],
  ['tfoot', ['table']],
  ['tr', ['tbody', 'thead', 'tfoot']],
  ['td', ['tr']],
  ['th', ['tr']],
])

/** A tag inside one of these elements does not close elements outside it. */
const CELLS = nameSet('td th caption')

/** Formatting elements. If a block around one is closed first, the formatting is reopened after the block. */
const FORMATTING = nameSet('a b big code em font i s small strike strong tt u')

/** The maximum nesting depth. The tags of deeper elements are left out. */
const MAX_DEPTH = 100

const isBlock = (name: string): boolean => BLOCKS.has(name) || PARENTS.has(name)

/** A written element, or the place outside all elements. */
export type ElementContainer = { hasElements: boolean }

type Element = ElementContainer &
  Readonly<{
    name: string
    /** The opening tag as written; empty if the tags are left out and only the content stays. */
    tag: string
    /** False for a formatting element that will be reopened before the next text. */
    isOpen: boolean
  }> & {
    /** Whether the element's closing tag was read inside a block that is still open. */
    isEnded: boolean
  }

export type Nesting = Readonly<{
  /** Opens an element. `tag` is empty if the element's tags are left out. */
  open: (name: string, tag: string) => void
  /** Writes an element without content, such as a picture. */
  empty: (name: string, tag: string) => void
  close: (name: string) => void
  /** Prepares for the next text. `isBlank`: the text contains only blanks. */
  text: (isBlank: boolean) => void
  /** The innermost written element, or the place outside all elements. */
  place: () => ElementContainer
  /** Closes all open elements. */
  end: () => void
}>

/**
 * Follows the elements of a signature, and writes the tags that open and close them.
 *
 * | Tag | Closes first |
 * |---|---|
 * | a block | a paragraph |
 * | a heading | a heading that it would be directly in |
 * | `li`, `dd`, `dt` | the open item of the same list |
 * | `a` | a link around it |
 * | a part of a table | the open elements in its table, down to its parent; opens a missing parent |
 * | `table` | a table around it, unless it is in a cell of that table |
 * | a closing tag | the open elements inside its element; nothing without such an element in the same cell or table |
 *
 * A formatting element closed together with its block is reopened before the next text.
 */
// Long, because its small functions share the stack of elements; each follows one rule of the standard.
export function createNesting(write: (markup: string) => void): Nesting {
  const elements: Element[] = []
  const outside: ElementContainer = { hasElements: false }
  /** The length of the reopened formatting tags. Beyond `MAX_SIGNATURE_CHARACTERS`, formatting is not reopened. */
  let repeated = 0

  /** The index of the innermost element that passes the test; -1 without one. */
  const last = (test: (element: Element) => boolean, from = 0): number => {
    for (let index = elements.length - 1; index >= from; index--) {
      const element = elements[index]
      if (element && test(element)) return index
    }
    return -1
  }
  const isWritten = ({ tag, isOpen }: Element): boolean => tag !== '' && isOpen
  const innermost = (): Element | undefined => elements[last(isWritten)]
  const place = (): ElementContainer => innermost() ?? outside
  const isOneOf =
    (...names: readonly string[]) =>
    (element: Element): boolean =>
      isWritten(element) && names.includes(element.name)
  const isCell = (element: Element): boolean => isWritten(element) && CELLS.has(element.name)
  const isTable = isOneOf('table')
  /** The start index of the content of the innermost cell or table. */
  const scope = (): number => last((element) => isCell(element) || isTable(element)) + 1

  /**
   * Closes the elements from this index on. Formatting elements among them are reopened later, except for the element
   * at `first`, ended elements, and elements in a closed cell.
   */
  const closeAt = (index: number, first = index) => {
    const closed = elements.splice(index)
    const cell = closed.findIndex(isCell)
    const waiting = closed.filter(
      ({ name, isEnded }, at) =>
        index + at !== first && (cell < 0 || at < cell) && !isEnded && FORMATTING.has(name),
    )
    for (const element of closed.reverse()) if (isWritten(element)) write(`</${element.name}>`)
    for (const element of waiting) elements.push({ ...element, isOpen: false })
    const outer = last(({ isOpen }) => isOpen)
    if (elements[outer]?.isEnded === true) closeAt(outer)
  }
  const closeIfFound = (index: number) => {
    if (index >= 0) closeAt(index)
  }
  /** Closes everything inside this element. */
  const closeIn = (index: number) => {
    if (last(isWritten) > index) closeAt(index + 1, index)
  }

  const put = (tag: string) => {
    if (tag !== '') place().hasElements = true
    write(tag)
  }

  const push = (name: string, tag: string) => {
    if (elements.length >= MAX_DEPTH) return
    put(tag)
    elements.push({ name, tag, isOpen: true, isEnded: false, hasElements: false })
  }

  const resume = () => {
    const from = last(isCell) + 1
    if (last(({ isOpen }) => !isOpen, from) < 0) return
    const waiting = elements.splice(from)
    elements.push(...waiting.filter(({ isOpen }) => isOpen))
    for (const { name, tag, isOpen } of waiting) {
      if (isOpen) continue
      repeated += tag.length + name.length + 3
      if (repeated <= MAX_SIGNATURE_CHARACTERS) push(name, tag)
    }
  }

  const leaveColumns = () => {
    const index = last(isWritten)
    if (elements[index]?.name === 'colgroup') closeAt(index)
  }

  const closeLink = () => {
    closeIfFound(last(({ name }) => name === 'a', last(isCell) + 1))
  }

  /** Closes the open item of the same list, if any. */
  const closeItem = (...names: readonly string[]) => {
    const isItem = isOneOf(...names)
    const index = last(
      (element) =>
        isItem(element) ||
        (isWritten(element) && isBlock(element.name) && !['address', 'div', 'p'].includes(element.name)),
    )
    const found = elements[index]
    if (found && isItem(found)) closeAt(index)
  }

  /** Closes or opens elements until this part of a table has an allowed parent; false outside a table. */
  const enterParent = (name: string): boolean => {
    const parents = PARENTS.get(name)
    if (!parents) return true
    const table = last(isTable)
    if (table < 0) return false
    const parent = last(isOneOf(...parents), table)
    if (parent >= 0) closeIn(parent)
    else if (enterParent(parents[0])) push(parents[0], `<${parents[0]}>`)
    return true
  }

  /** Closes the elements that a tag with this name ends; false if the tag is not allowed here. */
  const prepare = (name: string): boolean => {
    if (PARENTS.has(name)) return enterParent(name)
    leaveColumns()
    if (name === 'table') {
      const outer = scope() - 1
      if (elements[outer]?.name === 'table') closeAt(outer)
    }
    if (name === 'a') closeLink()
    if (name === 'li') closeItem('li')
    if (name === 'dd' || name === 'dt') closeItem('dd', 'dt')
    if (BLOCKS.has(name)) closeIfFound(last(isOneOf('p'), scope()))
    else if (name !== 'style') resume()
    // After closing these elements, the heading may be directly in another heading, which it closes.
    while (HEADINGS.has(name) && HEADINGS.has(innermost()?.name ?? '')) closeAt(last(isWritten))
    return true
  }

  /** The index of the element that a closing tag with this name ends; -1 without one. */
  const endedBy = (name: string): number => {
    const isNamed = (element: Element) => element.name === name && !element.isEnded
    if (name === 'table') return last(isTable)
    if (PARENTS.has(name)) {
      const table = last(isTable)
      return table < 0 ? -1 : last(isOneOf(name), table)
    }
    if (HEADINGS.has(name)) return last((element) => HEADINGS.has(element.name), scope())
    if (FORMATTING.has(name) || isBlock(name)) return last(isNamed, scope())
    const found = last((element) => isNamed(element) || (isWritten(element) && isBlock(element.name)))
    return elements[found]?.name === name ? found : -1
  }

  return {
    open: (name, tag) => {
      if (prepare(name)) push(name, tag)
    },
    empty: (name, tag) => {
      if (prepare(name)) put(tag)
    },
    close: (name) => {
      const index = endedBy(name)
      const element = elements[index]
      if (!element) {
        // In the standard, `</p>` without an open paragraph creates an empty paragraph.
        if (name === 'p' && prepare('p')) put('<p></p>')
        return
      }
      if (!element.isOpen) elements.splice(index, 1)
      else if (FORMATTING.has(name) && last((each) => isWritten(each) && isBlock(each.name)) > index)
        element.isEnded = true
      else closeAt(index)
    },
    text: (isBlank) => {
      const { name = '' } = innermost() ?? {}
      if (isBlank && (name === 'table' || (PARENTS.has(name) && !CELLS.has(name)))) return
      leaveColumns()
      resume()
    },
    place,
    end: () => {
      for (const element of elements.reverse()) if (isWritten(element)) write(`</${element.name}>`)
      elements.length = 0
    },
  }
}
