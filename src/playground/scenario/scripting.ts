import { replay } from '../../../streams/kernel/store.ts'
import { QUIRKS } from '../mailbox/body.ts'
import { type Mailbox, type Snapshot, SIMULTANEOUS_CALLS } from '../mailbox/mailbox.ts'
import { type Action, openItem } from '../mailbox/model.ts'
import type { Controls } from './controls.ts'
import {
  MAILBOX_VERSIONS,
  SLOWEST_MS,
  type Scenario,
  type ServerFault,
  readServerFault,
  writeScenario,
} from './scenario.ts'
import type { Server } from './servers.ts'

/** As far as the servers let their clocks go, in milliseconds. */
const FURTHEST_MS = 10 * 366 * 24 * 3_600_000

/** The playground's scripting interface, `window.playground`, for tests and bug reports (described in the README). */
export interface Playground {
  snapshot(): Snapshot
  newMessage(): string
  reply(): string
  forward(): string
  switchTo(id: string | null): void
  setFrom(a: Address): void
  setRecipients(r: { to?: Address[]; cc?: Address[] }): void
  setBodyType(t: 'html' | 'text'): void
  fail(call: string, error: { code: number; name: string }, times?: number): void
  delay(call: string, ms: number): void
  silence(call: string): void
  restore(): void
  /** A fault of the service by its name in the panel's list (`down`, `503`, `slow-3000`, `malformed`, …), or null. `*` is every call. */
  service(call: string, fault: string | null): Promise<void>
  /** The same for the identity provider. */
  signIn(call: string, fault: string | null): Promise<void>
  offline(on: boolean): void
  limitCalls(atOnce: number): void
  switchDuringNext(on: boolean): void
  quirk(name: string, on: boolean): void
  /** The mail client's own signature, in every message that opens from now on. */
  clientSignature(on: boolean): void
  mailboxVersion(version: string): void
  /** Moves the clocks of the servers and of the pane ahead, in milliseconds. */
  jump(ms: number): Promise<void>
  /** Ends everything that goes wrong, in the servers, too. */
  clear(): Promise<void>
  scenario(): Scenario
  /** The address that brings the scenario in a fresh browser. */
  link(): string
  /** Every event of the pane that runs now; none where the pane is of another origin. */
  log(): unknown[]
  /** The pane's state after the event with this number. */
  stateAt(seq: number): Promise<unknown>
}

export interface Address {
  address: string
  name: string
}

function oneOf<Name extends string>(known: readonly Name[], name: string): Name {
  const found = known.find((each) => each === name)
  if (found === undefined) throw new Error(`There is no ${name}`)
  return found
}

function wholeNumber(value: number, what: string, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(
      `${what} is a whole number from ${String(least)} to ${String(most)}, not ${String(value)}`,
    )
  return value
}

async function setFault(server: Server, call: string, name: string | null): Promise<void> {
  const fault = serverFault(name)
  await server.look()
  const { isThere, calls } = server.state$.value
  if (!isThere) throw new Error('The server does not answer')
  await server.set(oneOf(calls, call), fault)
}

function serverFault(name: string | null): ServerFault | null {
  const fault = name === null ? null : readServerFault(name)
  if (name !== null && !fault) throw new Error(`There is no fault named ${name}`)
  return fault
}

/**
 * The scripting interface of a mailbox and its controls. What cannot be done throws: an item, a call or a fault that
 * does not exist, a number out of bounds, nothing to answer.
 */
export function createScripting(mailbox: Mailbox, controls: Controls): Playground {
  const begin = (action: Action): string => {
    const before = mailbox.state$.value.openings
    const id = mailbox.act(action)
    if (id === null || mailbox.state$.value.openings === before) {
      throw new Error(`There is no message for ${action.type}`)
    }
    return id
  }
  const write = (action: Action): void => {
    if (openItem(mailbox.state$.value)?.mode !== 'compose') throw new Error('No message is being written')
    mailbox.act(action)
  }
  return {
    snapshot: () => mailbox.snapshot(),
    newMessage: () => begin({ type: 'newMessage' }),
    reply: () => begin({ type: 'reply' }),
    forward: () => begin({ type: 'forward' }),
    switchTo(id) {
      if (mailbox.act({ type: 'switchTo', id }) !== id) throw new Error(`There is no item ${id}`)
    },
    setFrom: (from) => write({ type: 'setFrom', from }),
    setRecipients: (recipients) => write({ type: 'setRecipients', ...recipients }),
    setBodyType: (name) => write({ type: 'setBodyType', bodyType: oneOf(['html', 'text'], name) }),
    fail: (call, error, times) => mailbox.fail(call, error, times),
    delay: (call, ms) => mailbox.delay(call, wholeNumber(ms, 'A delay', 0, SLOWEST_MS)),
    silence: (call) => mailbox.silence(call),
    restore: () => mailbox.restore(),
    service: (call, fault) => setFault(controls.service, call, fault),
    signIn: (call, fault) => setFault(controls.identity, call, fault),
    offline: (on) => controls.offline$.next(on),
    limitCalls: (atOnce) => mailbox.limitCalls(wholeNumber(atOnce, 'The limit', 0, SIMULTANEOUS_CALLS)),
    switchDuringNext: (on) => mailbox.switchDuringNext(on),
    quirk(name, on) {
      mailbox.act({ type: 'setQuirk', quirk: oneOf(QUIRKS, name), on })
    },
    clientSignature(on) {
      mailbox.act({ type: 'setClientSignature', on })
    },
    mailboxVersion: (version) => controls.chooseMailboxVersion(oneOf(MAILBOX_VERSIONS, version)),
    jump: async (ms) => controls.jump(wholeNumber(ms, 'A jump', 0, FURTHEST_MS)),
    clear: () => controls.clear(),
    scenario: () => structuredClone(controls.scenario$.value),
    link: () => new URL(`?${writeScenario(controls.scenario$.value)}`, location.href).href,
    log: () => structuredClone([...(controls.session$.value?.log ?? [])]),
    async stateAt(seq) {
      const session = controls.session$.value
      if (!session || seq < 0 || seq >= session.log.length) throw new Error(`There is no event ${seq}`)
      const { evolveApp, initialState } = await import('../../../streams/app/state.ts')
      return structuredClone(replay(initialState(session.stage), evolveApp, session.log.slice(0, seq + 1)))
    },
  }
}
