/** Handles every command in the same way: loads the state, decides, and appends facts at the version that was read. */
import { isRefusedCommand, type RefusedCommand } from '../../../streams/organisation/decide.ts'
import { DomainError } from '../operations/domainError.ts'
import { VersionConflict } from '../sql/problems.ts'

const TRIES = 3

/** Reads and writes one stream of facts. The state of an empty stream is null. */
export type CommandPort<State, Fact, After> = Readonly<{
  /**
   * @param least the lowest acceptable version of the state. In a retry, it is above the version of the previous try
   */
  load: (least: number) => Promise<State | null>
  /** @throws VersionConflict when another writer was first */
  append: (before: State | null, facts: readonly Fact[]) => Promise<After>
}>

/** `after` is the result of `append`, or the unchanged state if no facts were appended. */
export type HandledCommand<State, Fact, After> = Readonly<{
  before: State | null
  facts: readonly Fact[]
  after: After | State | null
}>

/**
 * Handles a command, and retries if another writer was first.
 *
 * @throws DomainError when the decision refuses; `conflict` after three tries
 */
export async function handleCommand<State extends Readonly<{ revision: number }>, Fact, After>(
  { load, append }: CommandPort<State, Fact, After>,
  decide: (state: State | null) => readonly Fact[] | RefusedCommand,
): Promise<HandledCommand<State, Fact, After>> {
  let least = 0
  for (let left = TRIES; left > 0; left -= 1) {
    const before = await load(least)
    const facts = decide(before)
    if (isRefusedCommand(facts)) throw new DomainError(facts.refused, facts.message)
    if (facts.length === 0) return { before, facts, after: before }
    try {
      return { before, facts, after: await append(before, facts) }
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error
      least = (before?.revision ?? 0) + 1
    }
  }
  throw new DomainError('conflict', 'The data changed at the same time. Try again.')
}
