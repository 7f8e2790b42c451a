/** What of a `signet.yaml` decides about a person: the paths of rules, as a reader of the file finds their lines. */
import type { Block, Release, Selection, Signature } from './release.ts'
import { allHold, candidatesIn, delegatedAddresses, fits, isOpen, placeInShare } from './rules.ts'
import type { PersonState } from './state.ts'

/**
 * The paths of rules by the path of what they decide about: `signatures.autumn` → `signatures.autumn.for.1`, the second
 * condition below `for`. A rule that the file does not have, such as the `for` of a block for everyone, has its place at
 * what it decides about.
 */
export type Deciding = ReadonlyMap<string, string>

const leftOutAt = ({ not }: Selection, person: PersonState): number =>
  not.findIndex((conditions) => allHold(conditions, person))

/** The condition that selects a person, or leaves the person out; `for` when everyone is selected, or nothing fits. */
function ofSelection(selection: Selection, person: PersonState): string {
  const out = leftOutAt(selection, person)
  if (out >= 0) return `not.${out}`
  if (selection.for === 'everyone') return 'for'
  const index = selection.for.findIndex((conditions) => allHold(conditions, person))
  return index < 0 ? 'for' : `for.${index}`
}

function ofSignature({ selection, during }: Signature, person: PersonState, at: number): string {
  return fits(selection, person) && !isOpen(during, at) ? 'during' : ofSelection(selection, person)
}

/** @param candidates the blocks that may stand in the slot */
function ofBlock(block: Block, person: PersonState, at: number, candidates: readonly Block[]): string {
  const path = `blocks.${block.id}`
  if (!fits(block.selection, person)) return `${path}.${ofSelection(block.selection, person)}`
  if (placeInShare(block, person) >= block.share) return `${path}.share`
  if (!isOpen(block.during, at)) return `${path}.during`
  const last = candidates.at(-1)
  if (last !== undefined && !candidates.includes(block)) return `blocks.${last.id}`
  return `${path}.${ofSelection(block.selection, person)}`
}

/** What decides about each signature and block of a release, and about the mailboxes that the person may write for. */
export function decidingFor(release: Release, person: PersonState, at: number): Deciding {
  const deciding = new Map<string, string>()
  for (const signature of release.document.signatures) {
    const path = `signatures.${signature.id}`
    deciding.set(path, `${path}.${ofSignature(signature, person, at)}`)
  }
  const slots = new Map<string, readonly Block[]>()
  for (const block of release.document.blocks ?? []) {
    const candidates = slots.get(block.slot) ?? candidatesIn(release, block.slot, person, at)
    slots.set(block.slot, candidates)
    deciding.set(`blocks.${block.id}`, ofBlock(block, person, at, candidates))
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
