import { type Literal, type Report, analyse } from 'scslre'

/**
 * Expressions that are not linear in what they search, and why that is allowed. Each stands here as it is written in the
 * product.
 */
export const EXCUSED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'its first place takes all the rest': ['/[?#].*$/s', '/[?#][^]*$/', '/\\?[^]*$/'],
    'what it searches is bounded before': [
      '/^_+|_+$/g',
      '/[.!?…]+$/',
      '/\\[[^\\]]*\\]|::?[\\w-]+(?:\\([^)]*\\))?/g',
      '/[\\p{L}\\p{N}-]*$/u',
    ],
    'its caller tries it at one place': [
      '/\\s*-- ?\\s*(?:<br\\s*\\/?>|\\n)/iy',
      '/-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?(?![\\w.])/y',
    ],
    'it reads what this project wrote': [
      '/(\\w+) (\\w+)/g',
      '/\\W+(\\w)/g',
      '/^[\\s,-]+|[\\s,-]+$/g',
      '/\\s*,[\\s,-]*/g',
      '/\\s*-[\\s-]*/g',
    ],
    'it reads what the person in front of the page wrote': [
      '/@(.+)$/',
      '/https?:\\/\\/[^\\s"\'<>]+\\/(qr\\.[\\w-]+\\/(qr\\.png))/g',
    ],
  }).flatMap(([reason, expressions]) => expressions.map((expression) => [expression, reason] as const)),
)

/** Expressions of packages, or composed while a program runs, that are not linear. Their callers try each at one place. */
const EXCUSED_AT_WORK: ReadonlySet<string> = new Set([
  '/[\\t\\n\\f\\r ]*["\']/y',
  '/(.*?)\\r?\\n/sy',
  '/\\{\\{\\-(.+?)\\}\\}/g',
  '/\\{\\{(.+?)\\}\\}/g',
])

type Element = ReturnType<typeof analyse>['parsed']['pattern']['alternatives'][number]['elements'][number]

/** Whether the element may match some of the characters alone. */
function mayMatch(element: Element, { set, pick }: Report['character'], flags: string): boolean {
  if (element.type === 'Character') return set.has(element.value)
  if (element.type === 'Quantifier')
    return element.min === 0 || mayMatch(element.element, { set, pick } as Report['character'], flags)
  return element.type === 'Assertion' || new RegExp(`^(?:${element.raw})$`, flags).test(pick)
}

/**
 * What in an expression costs more than in proportion to the length of what it searches: a part that reads the same
 * characters in many ways, or again from each place. A text of one character is tried by the analyser; one in which the
 * expression's beginning stands again and again (`<!--`, of `/<!--[^]*?-->/`) is tried by leaving the beginning out.
 * A sticky expression is judged as if it searched, as its caller goes on from place to place.
 */
export function slowPartsOf({ source, flags: given }: Literal): readonly string[] {
  const flags = given.replace('y', '')
  const { parsed, reports } = analyse({ source, flags })
  const slow = reports.map((report) => (report.type === 'Trade' ? report.endQuant : report.quant).raw)
  for (const { elements } of parsed.pattern.alternatives)
    for (const [index, last] of elements.entries()) {
      const rest = elements
        .slice(index + 1)
        .map(({ raw }) => raw)
        .join('')
      const isEndless = last.type === 'Quantifier' && last.max === Infinity
      if (isEndless || (last.type === 'Assertion' && last.kind === 'start') || /\\[1-9k]/.test(rest)) break
      // What stands behind an assertion may begin at fewer places than without it.
      if (last.type === 'Assertion') continue
      for (const { type, character, ...report } of analyse({ source: rest, flags }).reports)
        if (type === 'Move' && elements.slice(0, index + 1).every((each) => mayMatch(each, character, flags)))
          slow.push('quant' in report ? report.quant.raw : rest)
    }
  return slow
}

const known = new Map<string, boolean>()

/** Whether the expression takes steps in proportion to what it searches, or is excused. */
export function isLinear(expression: RegExp): boolean {
  const written = String(expression)
  const before = known.get(written)
  if (before !== undefined) return before
  const linear = EXCUSED.has(written) || EXCUSED_AT_WORK.has(written) || slowPartsOf(expression).length === 0
  known.set(written, linear)
  return linear
}
