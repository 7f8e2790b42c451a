import { replay } from '../../streams/kernel/store.ts'
import { QUIRKS } from '../mailbox/body.ts'
import type { Mailbox, Snapshot } from '../mailbox/mailbox.ts'
import type { Action } from '../mailbox/model.ts'
import type { Controls } from './controls.ts'
import {
  MAILBOX_VERSIONS,
  type Scenario,
  type ServerFault,
  readServerFault,
  writeScenario,
} from './scenario.ts'

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

function serverFault(name: string | null): ServerFault | null {
  const fault = name === null ? null : readServerFault(name)
  if (name !== null && !fault) throw new Error(`There is no fault named ${name}`)
  return fault
}

/** The scripting interface of a mailbox and its controls. What cannot be done throws: an item, a call or a fault that does not exist, nothing to answer. */
export function createScripting(mailbox: Mailbox, controls: Controls): Playground {
  const begin = (action: Action): string => {
    const before = mailbox.state$.value.openings
    const id = mailbox.act(action)
    if (id === null || mailbox.state$.value.openings === before) {
      throw new Error(`There is no message for ${action.type}`)
    }
    return id
  }
  return {
    snapshot: () => mailbox.snapshot(),
    newMessage: () => begin({ type: 'newMessage' }),
    reply: () => begin({ type: 'reply' }),
    forward: () => begin({ type: 'forward' }),
    switchTo(id) {
      if (mailbox.act({ type: 'switchTo', id }) !== id) throw new Error(`There is no item ${id}`)
    },
    setFrom: (from) => void mailbox.act({ type: 'setFrom', from }),
    setRecipients: (recipients) => void mailbox.act({ type: 'setRecipients', ...recipients }),
    setBodyType: (bodyType) => void mailbox.act({ type: 'setBodyType', bodyType }),
    fail: (call, error, times) => mailbox.fail(call, error, times),
    delay: (call, ms) => mailbox.delay(call, ms),
    silence: (call) => mailbox.silence(call),
    restore: () => mailbox.restore(),
    service: (call, fault) => controls.service.set(call, serverFault(fault)),
    signIn: (call, fault) => controls.identity.set(call, serverFault(fault)),
    offline: (on) => controls.offline$.next(on),
    limitCalls: (atOnce) => mailbox.limitCalls(atOnce),
    switchDuringNext: (on) => mailbox.switchDuringNext(on),
    quirk(name, on) {
      mailbox.act({ type: 'setQuirk', quirk: oneOf(QUIRKS, name), on })
    },
    mailboxVersion: (version) => controls.chooseMailboxVersion(oneOf(MAILBOX_VERSIONS, version)),
    jump: (ms) => controls.jump(ms),
    clear: () => controls.clear(),
    scenario: () => structuredClone(controls.scenario$.value),
    link: () => new URL(`?${writeScenario(controls.scenario$.value)}`, location.href).href,
    log: () => structuredClone([...(controls.session$.value?.log ?? [])]),
    async stateAt(seq) {
      const session = controls.session$.value
      if (!session || seq < 0 || seq >= session.log.length) throw new Error(`There is no event ${seq}`)
      const { evolveApp, initialState } = await import('../../streams/app/state.ts')
      return structuredClone(replay(initialState(session.stage), evolveApp, session.log.slice(0, seq + 1)))
    },
  }
}
