import {
  selectEntryToRetry,
  selectInsertedVersion,
  selectShownInMessage,
} from '../../streams/pane/insertion/selectors.ts'
import { Tuple, type UnknownAction, configureStore } from '@reduxjs/toolkit'
import { asyncScheduler, ignoreElements } from 'rxjs'
import { App, domains, type LoggedEvent } from '../../streams/pane/events.ts'
import { type AppState, evolveApp, initialState } from '../../streams/pane/state.ts'
import { selectToken } from '../../streams/pane/auth/selectors.ts'
import type { Effect } from '../../streams/kernel/effect.ts'
import { ofType, type Recorded } from '../../streams/kernel/event.ts'
import { createStore } from '../../streams/kernel/store.ts'
import { selectChosenLanguage } from '../../streams/pane/locale/selectors.ts'
import { selectItemStatus } from '../../streams/pane/mailbox/selectors.ts'
import { selectListGroups, selectOwnerGroups } from '../../streams/pane/signatures/selectors.ts'
import { moved, recordSession } from './session.ts'

// Measures the store, and prints `StoreFigures` as one line of JSON. A separate program, because Redux Toolkit skips its
// checks only in a process in production mode.

/**
 * CPU milliseconds for `events` events, one figure per round. Figures with the same index are from the same round.
 * `listening` is our store with `listeners` listeners, each with a filter.
 */
export type StoreFigures = Readonly<{
  eventsInSession: number
  events: number
  listeners: number
  rounds: Readonly<Record<'ours' | 'listening' | 'reduxBare' | 'reduxDefault', readonly number[]>>
  /** CPU milliseconds per event with `before` events in the log. */
  growth: readonly Readonly<{ before: number; perEvent: readonly number[] }>[]
}>

const WARM_UP_ROUNDS = 4
const ROUNDS = 25
const SESSIONS_PER_ROUND = 100
/** About as many as the effects need. */
const LISTENERS = 85
const LOG_SIZES = [10, 1_000, 100_000]
const SESSIONS_PER_SIZE = 20
const GROWTH_WARM_UP_ROUNDS = 2
const GROWTH_ROUNDS = 9

const selectors: readonly ((state: AppState) => unknown)[] = [
  selectChosenLanguage,
  selectItemStatus,
  selectEntryToRetry,
  selectInsertedVersion,
  selectListGroups,
  selectOwnerGroups,
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

type Effects = Readonly<Record<string, Effect<LoggedEvent, AppState, null>>>
type Creator = Readonly<{ type: LoggedEvent['type'] }>
const creators = domains
  .flatMap((domain) => Object.values<unknown>(domain))
  .filter((value): value is Creator => typeof value === 'function' && 'type' in value)

/** Effects that each listen to one type of event, and do nothing. */
const listening: Effects = Object.fromEntries(
  Array.from({ length: LISTENERS }, (_, index) => {
    const creator = creators[index % creators.length] ?? App.started
    return [String(index), (event$) => event$.pipe(ofType(creator), ignoreElements())] as const
  }),
)

/** Our store. It stamps plain events, and adds them to its log. */
function ourStore(effects: Effects = {}) {
  const store = createStore<AppState, LoggedEvent, null>({
    initial,
    evolve: evolveApp,
    effects,
    deps: null,
    time: { scheduler: asyncScheduler },
  })
  store.state$.subscribe(selectAll)
  store.start()
  return store
}

const isRecorded = (action: UnknownAction): action is Recorded<LoggedEvent> & UnknownAction =>
  'meta' in action
/** Ignores Redux's own initial action. */
const reduce = (state: AppState = initial, action: UnknownAction): AppState =>
  isRecorded(action) ? evolveApp(state, action) : state

const bareRedux = () => configureStore({ reducer: reduce, middleware: () => new Tuple(), devTools: false })
const defaultRedux = () => configureStore({ reducer: reduce })

/** The CPU milliseconds of `work`, including garbage collection. Other processes hardly affect them. */
function timed(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const plain = (events: readonly Recorded<LoggedEvent>[]) =>
  events.map(({ meta: _, ...event }) => event as LoggedEvent)

function throughOurs(events: readonly LoggedEvent[], effects?: Effects): number {
  const store = ourStore(effects)
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

/** Throws unless both stores reach the same state, and so do the same work. */
function checkSame(events: readonly Recorded<LoggedEvent>[]): void {
  const ours = ourStore()
  for (const event of plain(events)) ours.record(event, 'bench')
  const theirs = bareRedux()
  // From our store's log, because the state contains the times of these events.
  for (const event of ours.log) theirs.dispatch(event)
  if (JSON.stringify(ours.state$.value) !== JSON.stringify(theirs.getState()))
    throw new Error('The two stores reached different states')
}

/** A store with exactly `before` events in its log. */
function storeWithLogOf(before: number): ReturnType<typeof ourStore> {
  const store = ourStore()
  for (const event of plain(many(Math.floor(before / session.length)))) store.record(event, 'bench')
  while (store.log.length < before) store.record(App.started(), 'bench')
  return store
}

/** Runs one round, with the same sessions at each size of the log, in turns. */
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

const contenders = {
  ours: () => throughOurs(unstamped),
  listening: () => throughOurs(unstamped, listening),
  reduxBare: () => throughRedux(bareRedux(), events),
  reduxDefault: () => throughRedux(defaultRedux(), events),
}
const names = Object.keys(contenders) as (keyof typeof contenders)[]
const spent: Record<keyof typeof contenders, number[]> = {
  ours: [],
  listening: [],
  reduxBare: [],
  reduxDefault: [],
}
for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
  // They take turns at being first, because the first of a round is the fastest.
  for (let turn = 0; turn < names.length; turn++) {
    const name = names[(round + turn) % names.length] ?? 'ours'
    const ms = contenders[name]()
    if (round >= WARM_UP_ROUNDS) spent[name].push(ms)
  }

// The longest log is created only once, because a session adds little to it. The others are created for each session.
const longest = Math.max(...LOG_SIZES)
const longLived = new Map([[longest, storeWithLogOf(longest)]])
const growth = LOG_SIZES.map((before) => ({ before, perEvent: [] as number[] }))
for (let round = 0; round < GROWTH_WARM_UP_ROUNDS + GROWTH_ROUNDS; round++)
  measureGrowth(longLived).forEach((perEvent, size) => {
    if (round >= GROWTH_WARM_UP_ROUNDS) growth[size]?.perEvent.push(perEvent)
  })

if (selected === 0) throw new Error('No selector returned a value')
const figures: StoreFigures = {
  eventsInSession: session.length,
  events: events.length,
  listeners: LISTENERS,
  rounds: spent,
  growth,
}
console.log(JSON.stringify(figures))
