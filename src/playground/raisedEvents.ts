import { BehaviorSubject } from 'rxjs'
import type { StateStream } from '../../streams/kernel/effect.ts'
import { type Time, now } from '../../streams/kernel/time.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import { LAUNCH_RECORD_KEY } from '../../streams/launch/record.ts'
import type { CallName } from '../engine/hosts/mailClient.ts'
import type { LaunchEvent } from './mailbox/launchEvents.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import type { MailboxState } from './mailbox/model.ts'
import type { LaunchMode } from './scenario/scenario.ts'

/** Where a launch program runs: in a page, or in a runtime without a page, as in classic Outlook. */
export type RuntimeKind = Exclude<LaunchMode, 'off'>

/**
 * One raised event. `outcome` is `running` until the event ends. Then it is the outcome that the launch program noted
 * in the message, else `completed`; or `notFound` without a handler; or `ended` if the runtime ended first. `ms` is the
 * time until the program completed the event; null if it never did.
 */
export type RaisedEvent = Readonly<{
  id: string
  item: string
  kind: LaunchKind
  runtime: RuntimeKind
  outcome: string
  ms: number | null
  /** The calls by the event's runtime since the event, in order. */
  calls: readonly CallName[]
}>

const KEPT_LAUNCHES = 100

const noteIn = ({ items }: MailboxState, id: string): string | null => {
  const item = items.find((each) => each.id === id)
  return item?.mode === 'compose' ? (item.sessionData[LAUNCH_RECORD_KEY] ?? null) : null
}

const outcomeIn = (note: string | null): string | null => {
  try {
    const { outcome } = JSON.parse(note ?? 'null') as { outcome?: unknown }
    return typeof outcome === 'string' ? outcome : null
  } catch {
    return null
  }
}

/** Records the latest raised events with their outcome, each with its runtime. */
export function createRaisedEvents<Running extends Readonly<{ kind: RuntimeKind }>>(
  mailbox: Mailbox,
  time: Time,
) {
  const raised$ = new BehaviorSubject<readonly RaisedEvent[]>([])
  /** The launches by event id; `note` is the message's record from before the event. */
  const known = new Map<
    string,
    Readonly<{ at: number; note: string | null; running: Running; launch: RaisedEvent }>
  >()

  const change = (id: string, changed: Partial<RaisedEvent>) => {
    const entry = known.get(id)
    if (!entry) return
    const launch = { ...entry.launch, ...changed }
    known.set(id, { ...entry, launch })
    raised$.next(raised$.value.map((each) => (each === entry.launch ? launch : each)))
  }
  const add = (id: string, event: LaunchEvent, running: Running) => {
    const { item, kind } = event
    const launch: RaisedEvent = {
      id,
      item,
      kind,
      runtime: running.kind,
      outcome: 'running',
      ms: null,
      calls: [],
    }
    known.set(id, { at: now(time), note: noteIn(mailbox.state$.value, item), running, launch })
    raised$.next([...raised$.value, launch].slice(-KEPT_LAUNCHES))
    for (const [other, { launch: old }] of known) if (!raised$.value.includes(old)) known.delete(other)
  }

  const outcomeOf = (id: string): string => {
    const entry = known.get(id)
    if (!entry) return 'completed'
    const note = noteIn(mailbox.state$.value, entry.launch.item)
    return (note === entry.note ? null : outcomeIn(note)) ?? 'completed'
  }

  return { raised$: raised$ as StateStream<readonly RaisedEvent[]>, known, change, add, outcomeOf }
}
