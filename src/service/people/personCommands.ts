/** Handles commands on people: decides from the person's row, and appends facts at the version that was read. */
import { createSerial } from '../../../streams/kernel/serial.ts'
import { decidePerson, type PersonCommand } from '../../../streams/organisation/decide.ts'
import type { PersonFact } from '../../../streams/organisation/facts/events.ts'
import { withFacts } from '../../../streams/organisation/facts/reducer.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Releases } from '../context/serviceContext.ts'
import type { Store } from '../sql/store.ts'
import { type CommandPort, handleCommand } from './handleCommand.ts'

export type PersonPort = CommandPort<PersonState, PersonFact, PersonState | null>

export type PersonCommandsOptions = Readonly<{
  store: Store
  releases: Pick<Releases, 'current'>
  /** Milliseconds since 1970. */
  now: () => number
}>

export type PersonCommands = ReturnType<typeof createPersonCommands>

export function createPersonCommands({ store, releases, now }: PersonCommandsOptions) {
  const inTurn = createSerial()
  return {
    /** The stored facts of one person. */
    portOf: (id: string, actor: string): PersonPort => ({
      load: () => store.person(id),
      async append(before, facts) {
        const signed = { actor, at: now() }
        const after = withFacts(before, facts, id, signed)
        await store.appendPerson(id, before?.revision ?? 0, facts, after, signed)
        return after
      },
    }),

    /** Handles a command through `port`. Commands on the same person run one after the other. */
    handle: (id: string, command: PersonCommand, port: PersonPort) =>
      inTurn(() => handleCommand(port, (before) => decidePerson(before, command, releases.current())), id),
  }
}
