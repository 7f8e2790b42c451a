import { replayLog } from '../../../streams/kernel/store.ts'
import type { Address } from '../../engine/hosts/mailClient.ts'
import { QUIRKS } from '../mailbox/body.ts'
import { MAX_SIMULTANEOUS_CALLS } from '../mailbox/callFaults.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import { type MailboxAction, openItem } from '../mailbox/model.ts'
import { SPOIL_KINDS } from '../mailbox/spoil.ts'
import { nextHalfHour } from '../mailClient/when.ts'
import type { RuntimeHost } from '../runtimeHost.ts'
import type { PlaygroundControls } from './controls.ts'
import {
  LAUNCH_FAULTS,
  LAUNCH_MODES,
  MAILBOX_VERSIONS,
  MAX_DELAY_MS,
  readServerFault,
  writeScenario,
} from './scenario.ts'
import type { ServerControl } from './servers.ts'

/** The furthest that the servers let their clocks be moved ahead. */
const MAX_JUMP_MS = 10 * 366 * 24 * 3_600_000

/** The playground's scripting interface, `window.playground`, for tests and bug reports. */
export type Playground = ReturnType<typeof createScripting>

declare global {
  interface Window {
    playground: Playground
  }
}

function oneOf<Name extends string>(known: readonly Name[], name: string): Name {
  const found = known.find((each) => each === name)
  if (found === undefined) throw new Error(`There is no ${name}`)
  return found
}

function checkedInteger(value: number, what: string, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`${what} is a whole number from ${String(min)} to ${String(max)}, not ${String(value)}`)
  return value
}

async function setServerFault(server: ServerControl, call: string, name: string | null): Promise<void> {
  const fault = name === null ? null : readServerFault(name)
  if (name !== null && !fault) throw new Error(`There is no fault named ${name}`)
  await server.refresh()
  const { isReachable, calls } = server.state$.value
  if (!isReachable) throw new Error('The server does not answer')
  await server.setFault(oneOf(calls, call), fault)
}

/** Creates `window.playground`, which docs/playground.md describes. An impossible call throws or rejects. */
export function createScripting(mailbox: Mailbox, controls: PlaygroundControls, runtimeHost: RuntimeHost) {
  const compose = (action: MailboxAction): string => {
    const before = mailbox.state$.value.openings
    const id = mailbox.act(action)
    if (id === null || mailbox.state$.value.openings === before) {
      throw new Error(`There is no message for ${action.type}`)
    }
    return id
  }
  const edit = (action: MailboxAction): void => {
    if (openItem(mailbox.state$.value)?.mode !== 'compose') throw new Error('No message is being written')
    mailbox.act(action)
  }
  return {
    snapshot: () => mailbox.snapshot(),
    newMessage: () => compose({ type: 'newMessage' }),
    newMeeting: () => compose({ type: 'newMeeting', when: nextHalfHour(Date.now()) }),
    reply: () => compose({ type: 'reply' }),
    forward: () => compose({ type: 'forward' }),
    switchTo(id: string | null): void {
      if (mailbox.act({ type: 'switchTo', id }) !== id) throw new Error(`There is no item ${id}`)
    },
    /** Closes the open message without sending it. */
    discard: () => edit({ type: 'close' }),
    setFrom: (from: Address) => edit({ type: 'setFrom', from }),
    setRecipients: (recipients: Readonly<{ to?: readonly Address[]; cc?: readonly Address[] }>) =>
      edit({ type: 'setRecipients', ...recipients }),
    setBodyType: (name: 'html' | 'text') =>
      edit({ type: 'setBodyType', bodyType: oneOf(['html', 'text'], name) }),
    /** Adds an online meeting to the open meeting. Its block arrives two seconds later. */
    addOnlineMeeting: () => edit({ type: 'addOnlineMeeting' }),
    save: () => edit({ type: 'save' }),
    /** Makes the next `times` calls of this name fail; by default all. `*` means every name. */
    fail: (call: string, error: { code: number; name: string }, times?: number) =>
      mailbox.fail(call, error, times),
    delay: (call: string, ms: number) => mailbox.delay(call, checkedInteger(ms, 'A delay', 0, MAX_DELAY_MS)),
    silence: (call: string) => mailbox.silence(call),
    /**
     * Spoils a field, such as `0.address`, in each answer to this call: `null`, `missing`, `empty`, `doubled` or
     * `wrong`.
     */
    spoil: (call: string, field: string, as: string) => mailbox.spoil(call, field, oneOf(SPOIL_KINDS, as)),
    /** Clears the faults of calls to the mail client. */
    restore: () => mailbox.restore(),
    /** Sets a service call's fault by name (`down`, `503`, `slow-3000`, `malformed`, …); `null` clears it. */
    service: (call: string, fault: string | null) => setServerFault(controls.service, call, fault),
    /** Sets an identity provider call's fault by the same names as `service`; `null` clears it. */
    signIn: (call: string, fault: string | null) => setServerFault(controls.identity, call, fault),
    offline: (on: boolean) => controls.offline$.next(on),
    limitCalls: (atOnce: number) =>
      mailbox.limitCalls(checkedInteger(atOnce, 'The limit', 0, MAX_SIMULTANEOUS_CALLS)),
    switchDuringNext: (on: boolean) => mailbox.switchDuringNext(on),
    quirk(name: string, on: boolean): void {
      mailbox.act({ type: 'setQuirk', quirk: oneOf(QUIRKS, name), on })
    },
    /** Switches the mail client's own signature on or off for every message opened from now on. */
    clientSignature(on: boolean): void {
      mailbox.act({ type: 'setClientSignature', on })
    },
    mailboxVersion: (version: string) => controls.chooseMailboxVersion(oneOf(MAILBOX_VERSIONS, version)),
    /** Sets how Outlook starts the add-in for launch events from now on: `page`, `classic` or `off`. */
    launch: (mode: string) => controls.launchMode$.next(oneOf(LAUNCH_MODES, mode)),
    /** Switches a fault of the launch event runtimes on or off: `slowStart`, `killed`, `noStorage`, … */
    launchFault: (name: string, on: boolean) => controls.setLaunchFault(oneOf(LAUNCH_FAULTS, name), on),
    /** The raised launch events, oldest first. */
    launches: () =>
      runtimeHost.raised$.value.map(({ id: _, calls, ...rest }) => ({ ...rest, calls: [...calls] })),
    /** The events of the launch at this index in `launches()`; empty if its runtime has another origin. */
    async launchLog(place: number): Promise<unknown[]> {
      const launch = runtimeHost.raised$.value[place]
      if (!launch) throw new Error(`There is no launch ${String(place)}`)
      return [...(await runtimeHost.log(launch.id))]
    },
    closePane: () => controls.showPane(false),
    openPane: () => controls.showPane(true),
    /** Moves the clocks of the servers, the mail client and the pane ahead, in milliseconds. */
    jump: async (ms: number) => controls.jump(checkedInteger(ms, 'A jump', 0, MAX_JUMP_MS)),
    /** Clears every fault, including the servers' faults, and resets the clocks. */
    clear: () => controls.clear(),
    scenario: () => structuredClone(controls.scenario$.value),
    /** The address that opens the scenario in a fresh browser. */
    link: () => new URL(`?${writeScenario(controls.scenario$.value)}`, location.href).href,
    /** The kept events of the running pane (at least the last 2,000); empty if the pane has another origin. */
    log: (): unknown[] => structuredClone([...(controls.session$.value?.log ?? [])]),
    /** The pane's state after the event with this number. */
    async stateAt(seq: number): Promise<unknown> {
      const session = controls.session$.value
      if (!session?.log.some(({ meta }) => meta.seq === seq)) throw new Error(`There is no event ${seq}`)
      const { evolveApp } = await import('../../../streams/pane/state.ts')
      const log = session.log.filter(({ meta }) => meta.seq <= seq)
      return structuredClone(replayLog(session.base(), evolveApp, log))
    },
  }
}
