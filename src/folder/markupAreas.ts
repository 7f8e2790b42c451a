/** Finds the areas of a template's markup that may contain placeholders. */
import type { ExpandedTemplate, TemplateUse } from './expanded.ts'
import type { HtmlAttribute } from './htmlTokens.ts'
import type { MarkupReport } from './markupReport.ts'

const OF_SLOTS: readonly TemplateUse['kind'][] = ['slot', 'slotStart', 'slotEnd', 'block']

/** The reason why attributes and comments for Outlook may not contain a placeholder; null if they may. */
export function whyNotInAttribute({ kind }: TemplateUse): string | null {
  if (kind === 'qr') return 'A QR code is a whole picture: <img src="{{qr …}}" alt="…">.'
  if (kind === 'counted')
    return 'What is counted is the whole address of a link: href="{{counted https://…}}".'
  return OF_SLOTS.includes(kind) ? 'A block is markup: its slot stands between elements, in the text.' : null
}

const notInText = (use: TemplateUse): string | null =>
  use.kind === 'counted' || use.kind === 'qr' ? whyNotInAttribute(use) : null

export const isConditionUse = ({ kind }: TemplateUse): boolean =>
  kind === 'if' || kind === 'else' || kind === 'end'

/** A range of the text that may contain placeholders, unless `refuse` rejects them. */
type Area = Readonly<{
  from: number
  to: number
  /** A condition must begin and end in areas with the same key. Each attribute has its own key. */
  key: string
  /** The reason why the area may not contain a placeholder; null if it may. */
  refuse: (use: TemplateUse) => string | null
}>

export type MarkupAreas = ReturnType<typeof createMarkupAreas>

/**
 * Returns functions that collect a template's areas in text order, and check that all placeholders are inside areas.
 */
export function createMarkupAreas({ masked, uses }: ExpandedTemplate) {
  const areas: Area[] = []
  /** The offset of the markup in the current comment for Word; null outside such comments. */
  let wordAt: number | null = null
  let nextUse = 0

  const addArea = (area: Area) => {
    // A value that ends in "--" would end the comment if a ">" came after it.
    const endsComment = wordAt !== null && masked.slice(area.from, area.to).includes('>')
    const refuse = () => 'In a comment for Outlook, write "&gt;" instead of ">" beside a value.'
    areas.push(endsComment ? { ...area, refuse } : area)
  }

  return {
    addText: (from: number, to: number) =>
      addArea(
        wordAt === null
          ? { from, to, key: 'text', refuse: notInText }
          : { from, to, key: `word ${wordAt}`, refuse: whyNotInAttribute },
      ),

    addAttribute: ({ from, to }: HtmlAttribute, refuse: Area['refuse'] = whyNotInAttribute) =>
      addArea({ from, to, key: `attribute ${from}`, refuse }),

    /** Removes the last area, so that placeholders in it are reported. */
    dropLast: () => areas.pop(),

    isInWord: () => wordAt !== null,

    /** Runs `read` for the markup at this offset, which is in a comment for Word. */
    inWord(at: number, read: () => void): void {
      wordAt = at
      read()
      wordAt = null
    },

    /** The placeholders between two offsets. Calls must be in text order. */
    usesWithin(from: number, to: number): readonly TemplateUse[] {
      while ((uses[nextUse]?.at ?? Infinity) < from) nextUse++
      const found: TemplateUse[] = []
      for (let index = nextUse; (uses[index]?.at ?? Infinity) < to; index++) {
        const use = uses[index]
        if (use !== undefined) found.push(use)
      }
      return found
    },

    check: ({ error }: MarkupReport) => checkUses(uses, areas, error),
  }
}

/** Reports placeholders outside areas that allow them. Areas and placeholders must be in text order. */
function checkUses(uses: readonly TemplateUse[], areas: readonly Area[], error: MarkupReport['error']): void {
  const open: { at: number; key: string | null }[] = []
  let next = 0
  for (const use of uses) {
    while ((areas[next]?.to ?? Infinity) < use.end) next++
    const area = areas[next]
    const isInside = area !== undefined && area.from <= use.at && use.end <= area.to
    const problem = isInside
      ? area.refuse(use)
      : 'A value here could become markup: placeholders stand in text, or in attributes with quotes.'
    if (problem !== null) error(use.at, 'placeholder', problem)
    const key = isInside ? area.key : null
    if (use.kind === 'if') open.push({ at: use.at, key })
    else if (isConditionUse(use)) {
      const condition = open.at(-1)
      if (condition !== undefined && condition.key !== key)
        error(
          use.at,
          'condition',
          'The condition begins and ends in different places of the markup: put it around whole elements.',
        )
      if (use.kind === 'end') open.pop()
    }
  }
}
