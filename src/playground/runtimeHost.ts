import { BehaviorSubject, type Subscription } from 'rxjs'
import { LAUNCH_RECORD } from '../../streams/launch/record.ts'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import type { StateStream } from '../../streams/kernel/effect.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { type Time, now } from '../../streams/kernel/time.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import type { CallName } from '../engine/hosts/mailClient.ts'
import { HANDLERS } from '../launch/launchGlobal.ts'
import { type LaunchEvent, beginningOf } from './mailbox/launchEvents.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import type { MailboxState } from './mailbox/model.ts'
import type { LaunchFault, LaunchMode } from './scenario/scenario.ts'

// Outlook's part in a launch event: it starts a runtime for the message, calls the handler, and ends the runtime.

/** Where a launch program runs: in a page, or in a runtime without one, as in classic Outlook. */
export type RuntimeKind = Exclude<LaunchMode, 'off'>

export type Log = readonly Recorded<LoggedEvent>[]

export type Runtime = Readonly<{
  /** Calls a handler. `id` comes back in `onCompleted`. */
  raise(id: string, functionName: string, data: Readonly<Record<string, unknown>>): void
  /** Its events so far, or until it ended; none where the page cannot see them. Never rejects. */
  log(): Promise<Log>
  /** Ends it at once: its later calls are ignored. */
  end(): void
}>

export type RuntimeTools = Readonly<{
  mailbox: Mailbox
  /** Unique among the runtimes of a page. */
  name: string
  hasStorage: boolean
  /** `isFound` is false when no handler has that name. */
  onCompleted: (id: string, isFound: boolean) => void
}>

export type StartRuntime = (tools: RuntimeTools) => Runtime

/**
 * One raised event. `outcome` is `running`, then what the launch program noted in the message, `completed` when it
 * noted nothing, `notFound` when it has no handler, or `ended` when the runtime ended first. `ms` is the time until the
 * program said that it is done, null without that.
 */
export type RaisedEvent = Readonly<{
  id: string
  item: string
  kind: LaunchKind
  runtime: RuntimeKind
  outcome: string
  ms: number | null
  /** The calls of its runtime since the event, in order. */
  calls: readonly CallName[]
}>

export type RuntimeHost = ReturnType<typeof createRuntimeHost>

export type RuntimeHostOptions = Readonly<{
  mailbox: Mailbox
  time: Time
  /** How each kind of runtime starts; a kind that is missing does not. */
  runtimes: Readonly<Partial<Record<RuntimeKind, StartRuntime>>>
  mode: () => LaunchMode
  faults: Readonly<{ has(fault: LaunchFault): boolean; clear(fault: LaunchFault): void }>
}>

/** Outlook ends a runtime after some five minutes. */
export const RUNTIME_LIMIT_MS = 300_000
/** How long a runtime without an open event lives on, for the next event and the last record. */
export const LINGER_MS = 1_000
export const SLOW_START_MS = 5_000
const KEPT_LAUNCHES = 100

const SESSION_DATA_FAILS = { code: 5001, name: 'Internal Error', message: 'Failed on demand.' } as const

type Running = Readonly<{
  kind: RuntimeKind
  /** The opening of the message that it was started for. */
  opening: number
  /** The ids of the events that are not completed. */
  open: Set<string>
  runtime: () => Runtime | null
  raise: Runtime['raise']
  end(): void
  /** Ends it after `LINGER_MS` without another event. */
  linger(): void
}>

const noteIn = ({ items }: MailboxState, id: string): string | null => {
  const item = items.find((each) => each.id === id)
  return item?.mode === 'compose' ? (item.sessionData[LAUNCH_RECORD] ?? null) : null
}

const outcomeIn = (note: string | null): string | null => {
  try {
    const { outcome } = JSON.parse(note ?? 'null') as { outcome?: unknown }
    return typeof outcome === 'string' ? outcome : null
  } catch {
    return null
  }
}

export function createRuntimeHost({ mailbox, time, runtimes, mode, faults }: RuntimeHostOptions) {
  const raised$ = new BehaviorSubject<readonly RaisedEvent[]>([])
  /** By the id of the event; `note` is the record in the message before it. */
  const known = new Map<
    string,
    Readonly<{ at: number; note: string | null; running: Running; launch: RaisedEvent }>
  >()
  let living: readonly Running[] = []
  let lastId = 0
  const firstSettings = mailbox.client.start.roamingSettings

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

  /** The mailbox as a runtime sees it: with its faults, and with its calls noted. */
  const seenBy = (running: Running): Mailbox => {
    const call: Mailbox['call'] = (name, args, done, expected) => {
      if (!living.includes(running)) return
      for (const id of running.open) change(id, { calls: [...(known.get(id)?.launch.calls ?? []), name] })
      if (name.startsWith('sessionData.') && faults.has('sessionDataFails')) {
        time.scheduler.schedule(() => done({ ok: false, error: SESSION_DATA_FAILS }))
        return
      }
      const isLast = name === 'body.setSignatureAsync' && faults.has('killed')
      mailbox.call(name, args, isLast ? () => undefined : done, expected)
      if (!isLast) return
      faults.clear('killed')
      running.end()
    }
    const client = {
      ...mailbox.client,
      call,
      get start() {
        const { start } = mailbox.client
        return faults.has('staleSettings') ? { ...start, roamingSettings: firstSettings } : start
      },
    }
    return { ...mailbox, client, call }
  }

  /** Outlook raises events once it shows the message. */
  const whenShown = (work: () => void): (() => void) => {
    if (!mailbox.state$.value.switching) {
      work()
      return () => undefined
    }
    // The next change of the item ends the switch; another switch would end the runtime first.
    const stop = mailbox.on('ItemChanged', () => {
      stop()
      work()
    })
    return stop
  }

  const startRuntime = (kind: RuntimeKind, start: StartRuntime): Running => {
    const stops: (() => void)[] = []
    const later = (ms: number, work: () => void) => {
      const timer = time.scheduler.schedule(work, ms)
      stops.push(() => timer.unsubscribe())
    }
    let lingering: Subscription | undefined
    let runtime: Runtime | null = null
    const waiting: Parameters<Runtime['raise']>[] = []
    const running: Running = {
      kind,
      opening: mailbox.state$.value.openings,
      open: new Set(),
      runtime: () => runtime,
      raise(...event) {
        lingering?.unsubscribe()
        running.open.add(event[0])
        if (runtime) runtime.raise(...event)
        else waiting.push(event)
      },
      end() {
        if (!living.includes(running)) return
        living = living.filter((each) => each !== running)
        lingering?.unsubscribe()
        for (const stop of stops) stop()
        runtime?.end()
        for (const [id, entry] of known) {
          if (entry.running !== running) continue
          if (running.open.has(id)) change(id, { outcome: 'ended' })
          // It may have been noted after the completion.
          else if (entry.launch.outcome === 'completed') change(id, { outcome: outcomeOf(id) })
        }
        running.open.clear()
      },
      linger() {
        lingering = time.scheduler.schedule(() => running.end(), LINGER_MS)
      },
    }
    const begin = () => {
      runtime = start({
        mailbox: seenBy(running),
        name: `launch-${String(lastId)}`,
        hasStorage: !faults.has('noStorage'),
        onCompleted: (id, isFound) => {
          if (!running.open.delete(id)) return
          const ms = now(time) - (known.get(id)?.at ?? 0)
          change(id, { ms, outcome: isFound ? outcomeOf(id) : 'notFound' })
          if (running.open.size === 0) running.linger()
        },
      })
      for (const event of waiting.splice(0)) runtime.raise(...event)
    }
    living = [...living, running]
    later(RUNTIME_LIMIT_MS, () => running.end())
    if (faults.has('slowStart')) later(SLOW_START_MS, begin)
    else stops.push(whenShown(begin))
    return running
  }

  const raise = (event: LaunchEvent) => {
    const kind = mode()
    const start = kind === 'off' ? undefined : runtimes[kind]
    if (kind === 'off' || !start) return
    lastId += 1
    const id = `launch-${String(lastId)}`
    const { openings } = mailbox.state$.value
    const running =
      living.find((each) => each.opening === openings && each.kind === kind) ?? startRuntime(kind, start)
    add(id, event, running)
    running.raise(id, HANDLERS[event.kind], event.data)
  }

  return {
    /** The latest launches at most, the oldest first. */
    raised$: raised$ as StateStream<readonly RaisedEvent[]>,
    /** The events of the runtime of a launch, so far or until it ended; none for an unknown id. */
    log: async (id: string): Promise<Log> => (await known.get(id)?.running.runtime()?.log()) ?? [],
    /** Raises the event of the open message, and from now on those of the user's actions. */
    start(): void {
      // Another item, another opening of the same one, or none.
      mailbox.state$.subscribe(({ openings }) => {
        for (const running of living) if (running.opening !== openings) running.end()
      })
      for (const event of beginningOf(mailbox.state$.value)) raise(event)
      mailbox.launchEvent$.subscribe(raise)
    },
  }
}
