import { BehaviorSubject, type Observable, Subject, type Subscription, take, throwIfEmpty } from 'rxjs'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import { type Time, now } from '../../../streams/kernel/time.ts'
import { composeBody } from './body.ts'
import { createCallFaults } from './callFaults.ts'
import { onlineMeetingBlock } from './clientWords.ts'
import { identityError } from './identityErrors.ts'
import { type LaunchEvent, launchEventsOf } from './launchEvents.ts'
import type {
  Address,
  CallArguments,
  CallError,
  CallName,
  ClientEvent,
  ClientStart,
  MailClient,
  OfficeTheme,
  Reply,
} from '../../engine/hosts/mailClient.ts'
import {
  type MailboxAction,
  type ClientCall,
  type MailboxState,
  type ActionOutcome,
  applyAction,
  attachmentDetails,
  clientStart,
  currentItem,
  handleCall,
  isInCalendar,
  isItemCall,
  ownDrafts,
  ownItems,
} from './model.ts'

/** One call to the mail client. `at` is in milliseconds since the epoch; `ok` is false until the call succeeds. */
export type RecordedCall = Readonly<{ at: number; item: string | null; name: CallName; ok: boolean }>

/** A copy of the mailbox for tests and bug reports. `items` contains the messages and meetings being written. */
export type MailboxSnapshot = ReturnType<typeof snapshotOf>

const snapshotOf = (state: MailboxState, calls: readonly RecordedCall[]) => ({
  current: state.open,
  items: ownItems(state)
    .filter((item) => item.mode === 'compose')
    .filter((item) => !isInCalendar(item) || item.id === state.open)
    .map((item) => ({
      id: item.id,
      kind: item.kind,
      from: copy(item.from),
      to: item.to.map(copy),
      cc: item.cc.map(copy),
      subject: item.subject,
      bodyType: item.body.type,
      bodyHtml: composeBody(item),
      signatureHtml: item.body.signature,
      attachments: item.attachments.map(attachmentDetails),
      notifications: item.notifications.map(({ key, type, message }) => ({ key, type, message })),
      customProperties: structuredClone(item.customProperties),
    })),
  calls: calls.map((known) => ({ ...known })),
})

/** A running mail client: the model, its clock, and faults on demand. Its streams never end. */
export type Mailbox = ReturnType<typeof createMailbox>

export type MailboxOptions = Readonly<{
  time: Time
  /** Asks the identity provider for an access token for the user with this address. */
  accessToken: (email: string) => Observable<string>
  /** How long the add-in sees no item during a switch, in milliseconds; 30 by default. */
  switchMs?: number
}>

/** How many recent calls are kept. A working day has about 18,000 calls. */
export const MAX_RECORDED_CALLS = 2_000

/** The delay of the client's own signature under the quirk `insertsOwnSignatureLate`. */
export const SIGNATURE_DELAY_MS = 1_000

/** The delay of an online meeting's block: long enough for the default signature to arrive first. */
export const MEETING_BLOCK_DELAY_MS = 2_000

const TOO_MANY_CALLS: CallError = {
  code: 5100,
  name: 'API Call Failed',
  message: 'Wait until the previous call completes.',
}
const OTHER_ITEM: CallError = {
  code: 9030,
  name: 'APICallFailedDueToItemChange',
  message: 'The selected item has been changed.',
}

/** If custom properties cannot be loaded, Microsoft's library reports its own error instead of the client's. */
const withLibraryError = (name: CallName, reply: Reply): Reply =>
  reply.ok || name !== 'loadCustomPropertiesAsync'
    ? reply
    : { ok: false, error: { code: 9020, name: 'GenericResponseError', message: reply.error.message } }

const copy = ({ address, name }: Address): Address => ({ address, name })

/**
 * The mail client of the simulation. Its start values and theme have their documented types unless faults spoil them.
 */
type SimulatedClient = Omit<MailClient, 'start' | 'theme'> &
  Readonly<{ start: ClientStart; theme(): OfficeTheme | null }>

// Long because its small functions share the state, the running calls and the clock.
/** Creates a mail client with the state `initial`. Every wait uses `time`, so tests can run on virtual time. */
export function createMailbox(initial: MailboxState, options: MailboxOptions) {
  const { time, accessToken, switchMs = 30 } = options
  const state$ = new BehaviorSubject(initial)
  const event$ = new Subject<ClientEvent>()
  const launchEvent$ = new Subject<LaunchEvent>()
  const faults = createCallFaults()
  const running = new Map<string, number>()
  const calls: { -readonly [Key in keyof RecordedCall]: RecordedCall[Key] }[] = []
  let endOfSwitch: Subscription | null = null

  const awaited = new Set<string>()
  /** Schedules the client's own late additions to items: its signature, and online meeting blocks. */
  const writeLate = ({ items, accounts }: MailboxState) => {
    const once = (what: string, ms: number, action: MailboxAction) => {
      if (awaited.has(what)) return
      awaited.add(what)
      time.scheduler.schedule(() => apply(applyAction(state$.value, action)), ms)
    }
    for (const item of items) {
      if (item.mode !== 'compose') continue
      const { id } = item
      if (item.awaitsOwnSignature)
        once(`signature of ${id}`, SIGNATURE_DELAY_MS, { type: 'ownSignatureArrives', id })
      if (item.online !== 'asked') continue
      const language = accounts.find(({ address }) => address === item.owner)?.displayLanguage ?? ''
      const block = onlineMeetingBlock(language, id)
      once(`online meeting of ${id}`, MEETING_BLOCK_DELAY_MS, { type: 'onlineMeetingArrives', block, id })
    }
  }

  const apply = ({ state, events }: ActionOutcome) => {
    const { openings } = state$.value
    if (state !== state$.value) state$.next(state)
    writeLate(state)
    if (state.openings !== openings) {
      endOfSwitch?.unsubscribe()
      if (state.switching) {
        endOfSwitch = time.scheduler.schedule(
          () => apply(applyAction(state$.value, { type: 'endSwitch' })),
          switchMs,
        )
      }
    }
    for (const event of events) event$.next(event)
  }

  const perform = (action: MailboxAction) => {
    const before = state$.value
    const outcome = applyAction(before, action)
    apply(outcome)
    for (const event of launchEventsOf(before, action, outcome.state)) launchEvent$.next(event)
  }

  writeLate(initial)

  /** Opens another of the user's drafts, or a new message if there is no other draft. */
  const switchAway = () => {
    const { open } = state$.value
    const other = ownDrafts(state$.value).find(({ id }) => id !== open)
    perform(other ? { type: 'switchTo', id: other.id } : { type: 'newMessage' })
  }

  /** Executes the call and answers once: immediately, or later if the call needs a token. */
  const execute = (call: ClientCall, key: string | null, answer: (reply: Reply) => void): void => {
    const error = faults.takeError(call.name)
    if (error) return answer({ ok: false, error })
    if (call.name === 'auth.getAccessToken') {
      accessToken(state$.value.person)
        .pipe(take(1), throwIfEmpty())
        .subscribe({
          next: (value) => answer({ ok: true, value }),
          error: (failure: unknown) => answer({ ok: false, error: identityError(failure) }),
        })
      return
    }
    if (isItemCall(call.name) && key !== null && currentItem(state$.value)?.key !== key) {
      return answer({ ok: false, error: OTHER_ITEM })
    }
    const { reply, ...outcome } = handleCall(state$.value, call)
    apply(outcome)
    answer(reply)
  }

  /**
   * Makes an add-in's call on the open item. The call fails without effect if another item is open by the time it is
   * executed, or if the open item's key is not `expected` (null means no open item).
   */
  const call = <Name extends CallName>(
    name: Name,
    args: CallArguments<Name>,
    done: (reply: Reply<Name>) => void,
    expected?: string | null,
  ): void => {
    const key = currentItem(state$.value)?.key ?? null
    const recorded = { at: now(time), item: key === null ? null : state$.value.open, name, ok: false }
    calls.push(recorded)
    if (calls.length > MAX_RECORDED_CALLS) calls.shift()
    const fault = faults.faultOf(name)
    if (fault.silent) return

    const later = (ms: number, work: () => void) => void time.scheduler.schedule(work, ms)
    const tell = (given: Reply) => {
      const told = withLibraryError(name, given)
      const reply: Reply = told.ok ? { ok: true, value: faults.spoiltValue(name, told.value) } : told
      recorded.ok = reply.ok
      // The handler was looked up by this name, so the reply has that name's type.
      done(reply)
      if (fault.twice) later(0, () => done(reply))
    }
    if (isItemCall(name) && expected !== undefined && expected !== key) {
      return later(0, () => tell({ ok: false, error: OTHER_ITEM }))
    }
    const counted = isItemCall(name) ? key : null
    const atOnce = counted === null ? 0 : (running.get(counted) ?? 0)
    if (atOnce >= faults.orders.faultState$.value.atOnce)
      return later(0, () => tell({ ok: false, error: TOO_MANY_CALLS }))
    if (counted !== null) running.set(counted, atOnce + 1)
    if (faults.takeSwitch(name)) later(0, switchAway)
    later(fault.delay ?? 0, () =>
      execute({ name, args } as ClientCall, key, (reply) => {
        if (counted !== null) leave(counted)
        tell(reply)
      }),
    )
  }

  const leave = (key: string) => {
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }

  /** Adds a listener. Returns a function that removes it. */
  const on = (event: ClientEvent, listener: () => void): (() => void) => {
    const listening = event$.subscribe((fired) => {
      if (fired === event) listener()
    })
    return () => listening.unsubscribe()
  }

  const client: SimulatedClient = {
    get start() {
      return faults.spoiltValue('start', clientStart(state$.value))
    },
    currentItem: () => currentItem(state$.value),
    theme: () => faults.spoiltValue('theme', state$.value.theme),
    on,
    call,
  }
  return {
    state$: state$ as StateStream<MailboxState>,
    /** The `MAX_RECORDED_CALLS` most recent calls, in order of arrival. */
    calls: calls as readonly RecordedCall[],
    client,
    /** Performs an action of the user or the client. Returns the id of the item that is then open. */
    act(action: MailboxAction): string | null {
      perform(action)
      return state$.value.open
    },
    call,
    on,
    /** The launch events that the user's actions raise. Each comes after its action has taken effect. */
    launchEvent$: launchEvent$.asObservable(),
    snapshot: () => snapshotOf(state$.value, calls),
    ...faults.orders,
  }
}
