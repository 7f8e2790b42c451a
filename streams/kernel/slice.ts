import { withChanges } from './changes.ts'
import type { Event, EventOf, Evolve, Recorded } from './event.ts'

/** A handler returns the state after the event. It is pure, and returns the same reference when nothing changed. */
export type Handler<State, E> = (state: State, event: Recorded<E>) => State

/**
 * One part of the state: its initial value, and its handlers by event type. The type of a slice contains the event
 * names but no handler results, so changing a handler changes no type in other files.
 */
export type Slice<State, Type extends string> = Readonly<{
  initial: State
  handlers: Readonly<Record<Type, Handler<State, never>>>
}>

type HandlersFor<State, E extends Event> = {
  readonly [Type in E['type']]?: Handler<State, Extract<E, { type: Type }>>
}
/** Refuses handlers for unknown events. Without this type, a misspelt handler would compile and never run. */
type NoOthers<Handlers, E extends Event> = Readonly<Record<Exclude<keyof Handlers, E['type']>, never>>

type Handled<Creators> = Extract<EventOf<Creators>, Event>

/**
 * Defines a slice. The second type argument lists the creators of its events: `defineSlice<State, typeof Auth | typeof
 * Mailbox>()(initial, { 'auth/verified': (state, event) => … })`.
 */
export const defineSlice =
  <State, Creators>() =>
  <const Handlers extends HandlersFor<State, Handled<Creators>>>(
    initial: State,
    handlers: Handlers & NoOthers<Handlers, Handled<Creators>>,
  ): Slice<State, keyof Handlers & string> => ({ initial, handlers })

type Within<Name extends string, Handlers> = {
  readonly [Type in keyof Handlers]: Handlers[Type] extends (state: infer Part, event: infer E) => unknown
    ? <State extends Readonly<Record<Name, Part>>>(state: State, event: E) => State
    : never
}

/**
 * Turns handlers for a part of the slice into handlers for the slice: `...within('publishing', Publishing.handlers)`.
 */
export function handlersWithin<const Name extends string, const Handlers extends object>(
  name: Name,
  handlers: Handlers,
): Within<Name, Handlers> {
  const lift =
    (handle: Handler<unknown, unknown>): Handler<Readonly<Record<string, unknown>>, unknown> =>
    (state, event) =>
      withChanges(state, { [name]: handle(state[name], event) })
  return Object.fromEntries(
    Object.entries(handlers).map(([type, handle]) => [type, lift(handle as Handler<unknown, unknown>)]),
  ) as Within<Name, Handlers>
}

/** Makes the reducer of one slice that handles every event: a missing handler does not compile. */
export const evolveBySlice =
  <State, E extends Event>({ handlers }: Slice<State, E['type']>): Evolve<State, E> =>
  (state, event) =>
    handlers[event.type as E['type']](state, event as never)

type Slices = Readonly<
  Record<string, Readonly<{ initial: unknown; handlers: Readonly<Record<string, unknown>> }>>
>

/** The combined state of these slices. */
export type StateOf<S> = {
  readonly [Name in keyof S]: S[Name] extends { readonly initial: infer State } ? State : never
}

/** The event types that at least one of these slices handles. */
export type HandledBy<S> = {
  [Name in keyof S]: S[Name] extends { readonly handlers: infer Handlers } ? keyof Handlers : never
}[keyof S]

/**
 * Checks `NotFolded`, the list of events that no slice handles. `{}` has this type only if the list is right. Otherwise
 * the compiler names each event that is missing in the list, has a handler, or does not exist.
 */
export type MisplacedEvents<E extends Event, S, NotFolded extends string> = Readonly<
  Record<
    Exclude<E['type'], HandledBy<S> | NotFolded> | Exclude<NotFolded, Exclude<E['type'], HandledBy<S>>>,
    never
  >
>

/** The initial state of every slice. */
export const initialStateOf = <S extends Slices>(slices: S): StateOf<S> =>
  Object.fromEntries(Object.entries(slices).map(([name, { initial }]) => [name, initial])) as StateOf<S>

/** Combines slices into one reducer, which passes each event to the slices that handle its type. */
export function combineSlices<S extends Slices, E extends Event>(slices: S): Evolve<StateOf<S>, E> {
  type Part = readonly [name: string, handle: Handler<unknown, Event>]
  const byType = new Map<string, Part[]>()
  for (const [name, { handlers }] of Object.entries(slices))
    for (const [type, handle] of Object.entries(handlers)) {
      const parts = byType.get(type)
      if (parts) parts.push([name, handle as Handler<unknown, Event>])
      else byType.set(type, [[name, handle as Handler<unknown, Event>]])
    }
  return (state, event) => {
    const before = state as Readonly<Record<string, unknown>>
    let after = before
    for (const [name, handle] of byType.get(event.type) ?? []) {
      const part = handle(before[name], event)
      if (!Object.is(part, before[name])) after = { ...after, [name]: part }
    }
    return after as StateOf<S>
  }
}
