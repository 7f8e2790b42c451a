import type { Subscription } from 'rxjs'
import type { LoggedEvent } from '../../streams/pane/events.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { type Time, now } from '../../streams/kernel/time.ts'
import { type LaunchEvent, newMessageEvents } from './mailbox/launchEvents.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import { createRaisedEvents, type RuntimeKind } from './raisedEvents.ts'
import type { LaunchFault, LaunchMode } from './scenario/scenario.ts'

// Outlook's role in a launch event: it starts a runtime for the message, calls the handler, and stops the runtime.

export type RuntimeLog = readonly Recorded<LoggedEvent>[]

export type Runtime = Readonly<{
  /** Calls a handler. `onCompleted` gets the same `id` when the handler has finished. */
  raise(id: string, functionName: string, data: Readonly<Record<string, unknown>>): void
  /** The runtime's events so far; empty if the page cannot see them. Never rejects. */
  log(): Promise<RuntimeLog>
  /** Ends the runtime at once. Its later calls are ignored. */
  end(): void
}>

export type RuntimeTools = Readonly<{
  mailbox: Mailbox
  /** Unique among the page's runtimes. */
  name: string
  hasStorage: boolean
  /**
   * `isFound` is false if the runtime has no handler with that name; `answer` is the handler's argument to `completed`.
   */
  onCompleted: (id: string, isFound: boolean, answer?: unknown) => void
}>

export type StartRuntime = (tools: RuntimeTools) => Runtime

export type RuntimeHost = ReturnType<typeof createRuntimeHost>

export type RuntimeHostOptions = Readonly<{
  mailbox: Mailbox
  time: Time
  /** The start function for each kind of runtime. A kind without a function is never started. */
  runtimes: Readonly<Partial<Record<RuntimeKind, StartRuntime>>>
  mode: () => LaunchMode
  faults: Readonly<{ has(fault: LaunchFault): boolean; clear(fault: LaunchFault): void }>
}>

/** Outlook ends a runtime after about five minutes. */
export const RUNTIME_LIMIT_MS = 300_000
/**
 * How long a runtime lives after it completes its last event, so that it can get another event or store its last
 * record.
 */
export const RUNTIME_LINGER_MS = 1_000
export const SLOW_START_MS = 5_000

const SESSION_DATA_FAILS = { code: 5001, name: 'Internal Error', message: 'Failed on demand.' } as const

type Running = Readonly<{
  kind: RuntimeKind
  /** The value of `openings` at the runtime's start. The runtime belongs to this opening of the message. */
  opening: number
  /** The ids of the events that the runtime has yet to complete. */
  open: Set<string>
  runtime: () => Runtime | null
  raise: Runtime['raise']
  end(): void
  /** Ends the runtime after `RUNTIME_LINGER_MS`, unless another event is raised by then. */
  linger(): void
}>

// Long because starting and ending a runtime share the living runtimes and the faults.
export function createRuntimeHost({ mailbox, time, runtimes, mode, faults }: RuntimeHostOptions) {
  const { raised$, known, change, add, outcomeOf } = createRaisedEvents<Running>(mailbox, time)
  let living: readonly Running[] = []
  let lastId = 0
  const firstSettings = mailbox.client.start.roamingSettings

  /** The mailbox as a runtime sees it, with the runtime's faults. Records the names of the runtime's calls. */
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

  /**
   * Runs `work` once the message is shown, because Outlook raises no event earlier. Returns a function that cancels it.
   */
  const whenShown = (work: () => void): (() => void) => {
    if (!mailbox.state$.value.switching) {
      work()
      return () => undefined
    }
    // The next `ItemChanged` ends this switch, because another switch would have ended the runtime.
    const stop = mailbox.on('ItemChanged', () => {
      stop()
      work()
    })
    return stop
  }

  /** Passes the add-in's answer to the client before a message is sent; without an answer, the message is sent. */
  const letGo = (answer: unknown = null) => {
    if (mailbox.state$.value.leaving !== null) mailbox.act({ type: 'sendAnswered', answer })
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
          if (running.open.has(id)) {
            change(id, { outcome: 'ended' })
            if (entry.launch.kind === 'send') letGo()
          }
          // The launch program may have noted the outcome after completing the event.
          else if (entry.launch.outcome === 'completed') change(id, { outcome: outcomeOf(id) })
        }
        running.open.clear()
      },
      linger() {
        lingering = time.scheduler.schedule(() => running.end(), RUNTIME_LINGER_MS)
      },
    }
    const begin = () => {
      runtime = start({
        mailbox: seenBy(running),
        name: `launch-${String(lastId)}`,
        hasStorage: !faults.has('noStorage'),
        onCompleted: (id, isFound, answer) => {
          if (!running.open.delete(id)) return
          const ms = now(time) - (known.get(id)?.at ?? 0)
          change(id, { ms, outcome: isFound ? outcomeOf(id) : 'notFound' })
          if (known.get(id)?.launch.kind === 'send') letGo(answer)
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
    if (kind === 'off' || !start) {
      if (event.kind === 'send') letGo()
      return
    }
    lastId += 1
    const id = `launch-${String(lastId)}`
    const { openings } = mailbox.state$.value
    const running =
      living.find((each) => each.opening === openings && each.kind === kind) ?? startRuntime(kind, start)
    add(id, event, running)
    running.raise(id, event.data.type, event.data)
  }

  return {
    /** The latest launches, up to `KEPT_LAUNCHES`, oldest first. */
    raised$,
    /** The events of a launch's runtime so far; empty for an unknown id. */
    log: async (id: string): Promise<RuntimeLog> => (await known.get(id)?.running.runtime()?.log()) ?? [],
    /** Raises the open message's event now, and from now on the events of the user's actions. */
    start(): void {
      // A message's runtimes end when the message is closed or reopened, or when another item is opened.
      mailbox.state$.subscribe(({ openings }) => {
        for (const running of living) if (running.opening !== openings) running.end()
      })
      for (const event of newMessageEvents(mailbox.state$.value)) raise(event)
      mailbox.launchEvent$.subscribe(raise)
    },
  }
}
