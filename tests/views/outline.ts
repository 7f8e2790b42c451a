/** Elements that make one line, unless they contain other lines. */
const LINES = 'h1, h2, h3, h4, p, li, dt, dd, caption, legend, figcaption, summary, span, div, button, a'
const BLOCKS = 'h1, h2, h3, h4, p, ul, ol, dl, table, section, details, figure, fieldset, div, textarea'

const nameOf = (element: Element): string => {
  const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
  const labels = [
    element.closest('label'),
    ...ids.map((id) => document.getElementById(id)),
    element.id === '' ? null : document.querySelector(`label[for="${element.id}"]`),
  ].flatMap((label) => label?.textContent ?? [])
  return element.getAttribute('aria-label') ?? (labels.length > 0 ? labels.join(' ') : textIn(element))
}

const STATES: string[] = ['disabled', 'selected', 'pressed', 'expanded', 'busy', 'invalid', 'current']

/** What a screen reader says of the state of a control. */
const statesOf = (element: Element): string => {
  const states = STATES.filter((state) => {
    const value = element.getAttribute(`aria-${state}`)
    return value !== null && value !== 'false'
  })
  if (element instanceof HTMLInputElement && element.checked) states.push('checked')
  return states.map((state) => `, ${state}`).join('')
}

/** A control, as one part of a line; null for another element. */
function controlText(element: Element): string | null {
  if (element instanceof HTMLButtonElement) return `[${nameOf(element)}${statesOf(element)}]`
  if (element instanceof HTMLAnchorElement)
    return `${textIn(element)}${statesOf(element)} → ${element.getAttribute('href') ?? ''}`
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const isMark = ['radio', 'checkbox'].includes(element.type)
    return `<${nameOf(element)}${statesOf(element)}>${isMark || element.value === '' ? '' : ` ${element.value}`}`
  }
  if (element instanceof HTMLSelectElement)
    return `<${nameOf(element)}${statesOf(element)}> ${element.selectedOptions[0]?.textContent ?? ''}`
  if (element instanceof HTMLImageElement) return element.alt === '' ? '' : `image ${element.alt}`
  if (element.matches('[role=option]')) {
    const about = (element.getAttribute('aria-describedby')?.split(' ') ?? []).flatMap((id) =>
      [...(document.getElementById(id)?.childNodes ?? [])].map((node) => node.textContent ?? ''),
    )
    return [`(${textIn(element)}${statesOf(element)})`, ...about].join(' · ')
  }
  if (element instanceof HTMLLabelElement) {
    const field = element.querySelector('input, select')
    return field && controlText(field)
  }
  if (element.matches('progress')) {
    const { value, max } = element
    const part = element.hasAttribute('value') ? `${String(value)}/${String(max)}` : 'unknown'
    return `progress ${nameOf(element)} ${part}, ${element.getAttribute('aria-valuetext') ?? ''}`
  }
  if (element instanceof HTMLIFrameElement) return `frame ${element.title}`
  return null
}

/** A label is said with its field, wherever it stands. */
const isHidden = (element: Element): boolean =>
  element.getAttribute('aria-hidden') === 'true' ||
  (element instanceof HTMLLabelElement && !element.querySelector('input, select'))

const textOf = (node: Node): string => {
  if (!(node instanceof Element)) return node.textContent ?? ''
  return isHidden(node) ? '' : (controlText(node) ?? textIn(node))
}
const textIn = (element: Element): string => [...element.childNodes].map(textOf).join('').replace(/\s+/g, ' ')

function* linesOf(element: Element): Generator<string> {
  if (isHidden(element)) return
  const control = controlText(element)
  if (control !== null) {
    yield control
    return
  }
  const role = element.getAttribute('role')
  if (role === 'alert' || role === 'note') yield `${role}:`
  if (element instanceof HTMLTableRowElement) {
    yield [...element.children].map((cell) => textIn(cell).trim()).join(' | ')
    return
  }
  if (element.matches('dl > div') && !element.querySelector('ul')) {
    const [name, ...values] = [...element.children].map((each) => textIn(each).trim())
    yield `${name ?? ''}: ${values.join(', ')}`
    return
  }
  if (element.matches(LINES) && !element.querySelector(BLOCKS)) {
    const text = textIn(element).trim()
    const level = /^H(\d)$/.exec(element.tagName)?.[1]
    const start = level ? `${'#'.repeat(Number(level))} ` : role === 'status' ? 'status: ' : ''
    if (text !== '') yield `${start}${text}`
    return
  }
  yield* partsOf(element)
}

const isBlock = (node: Node): node is Element =>
  node instanceof Element && (node.matches(BLOCKS) || node.querySelector(BLOCKS) !== null)

/** What an element contains; text that stands between other lines is a line of its own. */
function* partsOf(element: Element): Generator<string> {
  const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
  if (!hasText) {
    for (const child of element.children) yield* linesOf(child)
    return
  }
  let line = ''
  for (const node of element.childNodes) {
    if (!isBlock(node)) {
      line += textOf(node)
      continue
    }
    if (line.trim() !== '') yield line.trim()
    line = ''
    yield* linesOf(node)
  }
  if (line.trim() !== '') yield line.trim()
}

/**
 * What a screen reader finds in a part of the page, line by line: texts, `# headings`, `[buttons, state]`, `links → href`,
 * `<fields> value`, `(options) · what is said of them`, `name: values` of lists, and rows of tables. Empty lines are left
 * out.
 */
export const outline = (part: Element | null | undefined): readonly string[] =>
  part ? [...linesOf(part)] : []
