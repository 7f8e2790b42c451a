/** What of a `signet.yaml` decides about a person: the paths of rules, as a reader of the file finds their lines. */
import type { Release, Selection, Signature } from '../release/release.ts'
import { delegatedAddresses, matchesSelection, isOpen, whichFits } from './rules.ts'
import type { PersonState } from '../facts/state.ts'
import { type BlockReason, explainBlocks, leftOutBy } from './why.ts'

/**
 * The paths of rules by the path of what they decide about: `signatures.autumn` → `signatures.autumn.for.1`, the second
 * condition below `for`. A rule that the file does not have, such as the `for` of a block for everyone, has its place at
 * what it decides about.
 */
export type Deciding = ReadonlyMap<string, string>

/** The condition that selects a person, or leaves the person out; `for` when everyone is selected, or nothing fits. */
function ofSelection(selection: Selection, person: PersonState): string {
  const out = leftOutBy(selection, person)
  if (out) return `not.${selection.not.indexOf(out)}`
  const because = whichFits(selection, person)
  const isByRule = because !== null && because !== 'everyone' && selection.for !== 'everyone'
  return isByRule ? `for.${selection.for.indexOf(because)}` : 'for'
}

function ofSignature({ selection, during }: Signature, person: PersonState, at: number): string {
  return matchesSelection(selection, person) && !isOpen(during, at)
    ? 'during'
    : ofSelection(selection, person)
}

/** @param always the block that always stands in the slot, for a block behind it */
function ofBlock(id: string, kind: BlockReason['kind'], always: string, bySelection: string): string {
  switch (kind) {
    case 'notInShare':
      return `blocks.${id}.share`
    case 'notYet':
    case 'over':
      return `blocks.${id}.during`
    case 'always':
      return `blocks.${always}`
    case 'leftOut':
    case 'nothingFits':
    case 'mayStand':
      return `blocks.${id}.${bySelection}`
  }
}

/** What decides about each signature and block of a release, and about the mailboxes that the person may write for. */
export function decidingFor(release: Release, person: PersonState, at: number): Deciding {
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

/** Looks up the line of a path; a path without a line has that of what it belongs to. */
export const lineIn = (
  lines: Readonly<{ get: (path: string) => number | undefined }>,
  item: string,
  path: string,
): number | null => lines.get(path) ?? lines.get(item) ?? null
