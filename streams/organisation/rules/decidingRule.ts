/** Finds the rules in a `signet.yaml` that decide about a person, as paths from which their lines can be found. */
import type { Release, Selection, Signature } from '../release/release.ts'
import { delegatedAddresses, matchesSelection, isPeriodOpen, fittingConditions } from './rules.ts'
import type { PersonState } from '../facts/state.ts'
import { type BlockReason, explainBlocks, excludingConditions } from './why.ts'

/**
 * Maps the path of an item to the path of its deciding rule: `signatures.autumn` → `signatures.autumn.for.1`, the
 * second condition below `for`. If the file lacks the rule, such as `for` in a block for everyone, the item's own line
 * is used.
 */
export type DecidingRules = ReadonlyMap<string, string>

/** The path of the conditions that select or exclude a person; `for` if everyone is selected, or nothing fits. */
function ofSelection(selection: Selection, person: PersonState): string {
  const out = excludingConditions(selection, person)
  if (out) return `not.${selection.not.indexOf(out)}`
  const because = fittingConditions(selection, person)
  const isByRule = because !== null && because !== 'everyone' && selection.for !== 'everyone'
  return isByRule ? `for.${selection.for.indexOf(because)}` : 'for'
}

function ofSignature({ selection, during }: Signature, person: PersonState, at: number): string {
  return matchesSelection(selection, person) && !isPeriodOpen(during, at)
    ? 'during'
    : ofSelection(selection, person)
}

/** @param always the id of the earlier block that always hides this one */
function ofBlock(id: string, kind: BlockReason['kind'], always: string, bySelection: string): string {
  switch (kind) {
    case 'notInShare':
      return `blocks.${id}.share`
    case 'notYet':
    case 'over':
    case 'notNow':
    case 'noOwnDays':
      return `blocks.${id}.during`
    case 'always':
      return `blocks.${always}`
    case 'leftOut':
    case 'nothingFits':
    case 'mayStand':
      return `blocks.${id}.${bySelection}`
  }
}

/**
 * The deciding rules for each signature and block of a release, and for the mailboxes that the person may write for.
 */
export function decidingRulesFor(release: Release, person: PersonState, at: number): DecidingRules {
  const deciding = new Map<string, string>()
  for (const signature of release.document.signatures) {
    const path = `signatures.${signature.id}`
    deciding.set(path, `${path}.${ofSignature(signature, person, at)}`)
  }
  const selections = new Map(release.document.blocks?.map(({ id, selection }) => [id, selection]))
  for (const { blocks } of explainBlocks(release, person, at)) {
    const always = blocks.findLast(({ reason }) => reason.kind === 'mayStand')?.block ?? ''
    for (const { block, reason } of blocks) {
      const selection = selections.get(block)
      if (selection)
        deciding.set(`blocks.${block}`, ofBlock(block, reason.kind, always, ofSelection(selection, person)))
    }
  }
  for (const address of delegatedAddresses(release, person)) {
    const path = `mailboxes.${address}`
    const { selection = null } = release.mailboxOf(address) ?? {}
    if (selection) deciding.set(path, `${path}.${ofSelection(selection, person)}`)
  }
  return deciding
}

/** The line of a rule's path, or else the line of its item; null if neither has one. */
export const ruleLineIn = (
  lines: Readonly<{ get: (path: string) => number | undefined }>,
  item: string,
  path: string,
): number | null => lines.get(path) ?? lines.get(item) ?? null
