import { ignoreElements } from 'rxjs'
import { emitAfter } from '../../streams/kernel/time.ts'
import { Launch, type LaunchId, type LaunchKind } from '../../streams/launch/events.ts'
import { LAUNCH_LIMIT_MS, SEND_LIMIT_MS } from '../../streams/launch/rules.ts'
import { createLog } from '../engine/adapters/log.ts'
import { createLaunchStore, type LaunchStore } from './createLaunchStore.ts'
import type { OfficeEvent, SendAnswer } from './launchGlobal.ts'
import { createLaunchPorts, type LaunchOptions } from './launchPorts.ts'
import type { SendCheck } from './lookBeforeSending.ts'

/** This long after `LAUNCH_LIMIT_MS`, an event is completed even if its store has not completed it. */
const WATCHDOG_MS = 12_000

export type EventHandler = Readonly<{
  /** Handles one event from Outlook, and completes it exactly once, whatever happens. */
  handle: (kind: LaunchKind, event: OfficeEvent) => void
  /** The recorded events of the running store, or else of the store that ran last. */
  log: () => readonly unknown[]
}>

/** A store, and its open events. */
type Running = Readonly<{ store: LaunchStore; ids: Set<LaunchId> }>

/** Runs a store while launch events are open. The next event starts a new store, which reads everything again. */
export function createEventHandler(
  options: LaunchOptions,
  createStore: typeof createLaunchStore = createLaunchStore,
): EventHandler {
  const { look, config, time } = options
  const log = createLog(() => (config.stage.production ? 'error' : 'trace'))
  const open = new Map<LaunchId, (answer?: SendAnswer) => void>()
  const running = new Set<Running>()
  /** The store of all open events, except those before sending, which have their own stores. */
  let inserting: Running | null = null
  let lastLog: readonly unknown[] = []
  let lastId = 0
  const createPorts = createLaunchPorts(options, log, (id, answer) => open.get(id)?.(answer))

  /** Completes the events of a store that has ended or could not start. */
  const giveUp = (one: Running) => {
    stop(one)
    for (const id of [...one.ids]) open.get(id)?.()
  }

  const stop = (one: Running) => {
    if (!running.delete(one)) return
    if (inserting === one) inserting = null
    lastLog = one.store.log
    one.store.stop()
  }

  const start = (effects?: SendCheck['effects']): Running => {
    const one: Running = { store: createStore(createPorts, effects), ids: new Set() }
    running.add(one)
    one.store.state$.pipe(ignoreElements()).subscribe({ error: () => giveUp(one) })
    return one
  }

  return {
    handle: (kind, event) => {
      lastId += 1
      const id = lastId
      const isSend = kind === 'send'
      let one: Running | null = null
      const end = () => open.get(id)?.()
      const watchdog = emitAfter(isSend ? SEND_LIMIT_MS : LAUNCH_LIMIT_MS + WATCHDOG_MS, time).subscribe(end)
      open.set(id, (answer = { allowEvent: true }) => {
        if (!open.delete(id)) return
        watchdog.unsubscribe()
        one?.ids.delete(id)
        // Stops the store later, so that it can still record the end of the event.
        emitAfter(0, time).subscribe(() => one?.ids.size === 0 && stop(one))
        try {
          event.completed(answer)
        } catch {
          // Outlook has already ended the event.
          log.warn('event_not_completed', { kind })
        }
      })
      try {
        if (isSend && !look) return end()
        one = isSend ? start(look?.effects) : (inserting ??= start())
        one.ids.add(id)
        one.store.record(Launch.raised({ id, kind }), 'app')
      } catch (error) {
        log.error('launch_failed', { error: error instanceof Error ? error.message : 'unknown' })
        if (one) giveUp(one)
        else end()
      }
    },
    log: () => [...running].pop()?.store.log ?? lastLog,
  }
}
