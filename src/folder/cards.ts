/** Checks card addresses: how users opt out, and what a template shows users who opted out. */
import { CARD_ADDRESS, type ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { isCardNameFree, isCardRefusal } from '../../streams/organisation/release/selectors.ts'
import { variablesIn } from '../../streams/organisation/template/template.ts'
import type { ExpandedTemplate, TemplateUse } from './expanded.ts'
import { type Finding, type Place, quoteUntrusted, createFindingReport } from './finding.ts'

/** Whether a placeholder writes a card's address. */
export const writesCardAddress = ({ kind, names }: TemplateUse): boolean =>
  kind !== 'if' && variablesIn({ kind, names }).includes(CARD_ADDRESS)

/** Reports an error if users cannot opt out through the variable of `cards`. */
export function checkOptOut(
  { cards, variables }: ReleaseDocument,
  placeOf: (path: string) => Place,
): readonly Finding[] {
  const { findings, error } = createFindingReport()
  if (cards === undefined) return findings
  const place = placeOf('cards.unless')
  const variable = variables.find(({ path }) => path === cards.unless)
  if (variable === undefined)
    error(
      place,
      'unknownVariable',
      `There is no variable ${quoteUntrusted(cards.unless)}, by which users refuse.`,
    )
  else if (!isCardRefusal(variable))
    error(
      place,
      'noRefusal',
      `Users refuse by filling in ${quoteUntrusted(cards.unless)} in the pane: write "edit: true" at the variable, and not "hidden".`,
    )
  return findings
}

/** Warns if a template writes a card address that no person has, or keeps its link for users who opted out. */
export function checkCards(
  { uses, placeOf }: ExpandedTemplate,
  document: ReleaseDocument,
): readonly Finding[] {
  const { findings, warn } = createFindingReport()
  if (!isCardNameFree(document)) return findings
  /** The open conditions; true if the condition holds only where there is a card address. */
  const open: boolean[] = []
  for (const use of uses) {
    if (use.kind === 'if') open.push(use.names.every((name) => name === CARD_ADDRESS))
    else if (use.kind === 'else') open.splice(-1, 1, false)
    else if (use.kind === 'end') open.pop()
    if (!variablesIn(use).includes(CARD_ADDRESS)) continue
    if (document.cards === undefined)
      warn(
        placeOf(use.at),
        'noCards',
        '{{card}} is empty: signet.yaml allows no cards. To allow them, write cards: { unless: no_card }.',
      )
    else if (writesCardAddress(use) && !open.includes(true))
      warn(
        placeOf(use.at),
        'cardRefused',
        'Users who refuse have no card: put {{#if card}} and {{/if}} around the link.',
      )
  }
  return findings
}
