import {
  selectEntryToRetry,
  selectInsertionName,
  selectShownInMessage,
} from '../../streams/insertion/selectors.ts'
import { Tuple, type UnknownAction, configureStore } from '@reduxjs/toolkit'
import { asyncScheduler } from 'rxjs'
import { App, type LoggedEvent } from '../../streams/app/events.ts'
import { type AppState, evolveApp, initialState } from '../../streams/app/state.ts'
import { selectToken } from '../../streams/auth/selectors.ts'
import type { Recorded } from '../../streams/kernel/event.ts'
import { createStore } from '../../streams/kernel/store.ts'
import { selectChosenLanguage } from '../../streams/locale/selectors.ts'
import { selectDestination } from '../../streams/mailbox/selectors.ts'
import { selectListedEntries } from '../../streams/signatures/selectors.ts'
import { moved, recordSession } from './session.ts'

// A separate program, for a process in production mode, in which Redux Toolkit skips its checks. Prints one line:
// `StoreFigures` as JSON.

/** CPU milliseconds for `events` events, one figure per round. Rounds with the same index ran in turns. */
export type StoreFigures = Readonly<{
  eventsInSession: number
  events: number
  rounds: Readonly<Record<'ours' | 'reduxBare' | 'reduxDefault', readonly number[]>>
  /** CPU milliseconds per event with `before` events in the log. */
  growth: readonly Readonly<{ before: number; perEvent: readonly number[] }>[]
}>

const WARM_UP_ROUNDS = 4
const ROUNDS = 25
const SESSIONS_PER_ROUND = 100
const LOG_SIZES = [10, 1_000, 100_000]
const SESSIONS_PER_SIZE = 20
const GROWTH_WARM_UP_ROUNDS = 2
const GROWTH_ROUNDS = 9

const selectors: readonly ((state: AppState) => unknown)[] = [
  selectChosenLanguage,
  selectDestination,
  selectEntryToRetry,
  selectInsertionName,
  selectListedEntries,
  selectShownInMessage,
  selectToken,
]
let selected = 0
const selectAll = (state: AppState) => {
  for (const select of selectors) if (select(state) !== undefined) selected++
}

const initial = initialState({ production: true, beta: false })
const session = recordSession()
const many = (sessions: number, before = 0): readonly Recorded<LoggedEvent>[] =>
  Array.from({ length: sessions }, (_, index) => before + index * session.length).flatMap((at) =>
    session.map((event) => moved(event, at)),
  )

/** Our store without effects. It takes plain events, stamps them and keeps them in its log. */
function ourStore() {
  const store = createStore<AppState, LoggedEvent, null>({
    initial,
    evolve: evolveApp,
    effects: {},
    deps: null,
    time: { scheduler: asyncScheduler },
  })
  store.state$.subscribe(selectAll)
  store.start()
  return store
}

const isRecorded = (action: UnknownAction): action is Recorded<LoggedEvent> & UnknownAction =>
  'meta' in action
/** Ignores the initial action of Redux itself. */
const reduce = (state: AppState = initial, action: UnknownAction): AppState =>
  isRecorded(action) ? evolveApp(state, action) : state

const bareRedux = () => configureStore({ reducer: reduce, middleware: () => new Tuple(), devTools: false })
const defaultRedux = () => configureStore({ reducer: reduce })

/** CPU milliseconds, garbage collection included. Other processes on the machine hardly affect them. */
function timed(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const plain = (events: readonly Recorded<LoggedEvent>[]) =>
  events.map(({ meta: _, ...event }) => event as LoggedEvent)

function throughOurs(events: readonly LoggedEvent[]): number {
  const store = ourStore()
  globalThis.gc?.()
  return timed(() => {
    for (const event of events) store.record(event, 'bench')
  })
}

function throughRedux(
  store: ReturnType<typeof bareRedux> | ReturnType<typeof defaultRedux>,
  events: readonly Recorded<LoggedEvent>[],
): number {
  selectAll(store.getState())
  store.subscribe(() => {
    selectAll(store.getState())
  })
  globalThis.gc?.()
  return timed(() => {
    for (const event of events) store.dispatch(event)
  })
}

/** Throws unless both stores reach the same state, that is, did the same work. */
function checkSame(events: readonly Recorded<LoggedEvent>[]): void {
  const ours = ourStore()
  for (const event of plain(events)) ours.record(event, 'bench')
  const theirs = bareRedux()
  for (const event of events) theirs.dispatch(event)
  if (JSON.stringify(ours.state$.value) !== JSON.stringify(theirs.getState()))
    throw new Error('The two stores came to different states')
}

/** A store with exactly `before` events in its log. */
function storeWithLogOf(before: number): ReturnType<typeof ourStore> {
  const store = ourStore()
  for (const event of plain(many(Math.floor(before / session.length)))) store.record(event, 'bench')
  while (store.log.length < before) store.record(App.started(), 'bench')
  return store
}

/** Runs one round: the same sessions at each size of the log, in turns. */
function measureGrowth(longLived: ReadonlyMap<number, ReturnType<typeof ourStore>>): readonly number[] {
  const stores = LOG_SIZES.map((before) =>
    Array.from({ length: SESSIONS_PER_SIZE }, () => longLived.get(before) ?? storeWithLogOf(before)),
  )
  globalThis.gc?.()
  const spent = LOG_SIZES.map(() => 0)
  for (let turn = 0; turn < SESSIONS_PER_SIZE; turn++)
    stores.forEach((ofSize, size) => {
      const store = ofSize[turn]
      if (!store) return
      const events = plain(many(1, store.log.length))
      spent[size] =
        (spent[size] ?? 0) +
        timed(() => {
          for (const event of events) store.record(event, 'bench')
        })
    })
  return spent.map((all) => all / (SESSIONS_PER_SIZE * session.length))
}

const events = many(SESSIONS_PER_ROUND)
const unstamped = plain(events)
checkSame(many(3))

const rounds = { ours: [] as number[], reduxBare: [] as number[], reduxDefault: [] as number[] }
for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
  const measured = {
    ours: throughOurs(unstamped),
    reduxBare: throughRedux(bareRedux(), events),
    reduxDefault: throughRedux(defaultRedux(), events),
  }
  if (round < WARM_UP_ROUNDS) continue
  rounds.ours.push(measured.ours)
  rounds.reduxBare.push(measured.reduxBare)
  rounds.reduxDefault.push(measured.reduxDefault)
}

// The longest log is created once, because it grows only a little. The others are created for each session.
const longest = Math.max(...LOG_SIZES)
const longLived = new Map([[longest, storeWithLogOf(longest)]])
const growth = LOG_SIZES.map((before) => ({ before, perEvent: [] as number[] }))
for (let round = 0; round < GROWTH_WARM_UP_ROUNDS + GROWTH_ROUNDS; round++)
  measureGrowth(longLived).forEach((perEvent, size) => {
    if (round >= GROWTH_WARM_UP_ROUNDS) growth[size]?.perEvent.push(perEvent)
  })

if (selected === 0) throw new Error('No selector gave anything')
const figures: StoreFigures = {
  eventsInSession: session.length,
  events: events.length,
  rounds,
  growth,
}
console.log(JSON.stringify(figures))
