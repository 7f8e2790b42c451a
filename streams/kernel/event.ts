import type { OperatorFunction } from 'rxjs'
import { filter } from 'rxjs'

/** Something that happened: a past-tense fact `domain/fact` with its plain, read-only data. */
export type Event<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type
  data: Readonly<Data>
}>

/** `seq` counts from 0 without gaps, `at` is in milliseconds since the epoch, `source` is an effect's name, `person` or `app`. */
export type Meta = Readonly<{ seq: number; at: number; source: string }>

/** An event that the store has taken in; the only kind that reducers and effects ever see. */
export type Recorded<E> = E & { readonly meta: Meta }

/** A reducer. Pure and total; returns the same reference when nothing changed. */
export type Evolve<State, E> = (state: State, event: Recorded<E>) => State

type Creator<Type extends string, Data extends object> = {
  readonly type: Type
  (...data: [keyof Data] extends [never] ? [] : [data: Readonly<Data>]): Event<Type, Data>
}

declare const shape: unique symbol
type Shape<Data extends object> = { readonly [shape]: Data }

/** States the data of one fact in `defineEvents`. */
export const data = <Data extends object = Record<never, never>>(): Shape<Data> => ({}) as Shape<Data>

type Creators<Domain extends string, Shapes extends Record<string, Shape<object>>> = {
  readonly [Fact in keyof Shapes & string]: Shapes[Fact] extends Shape<infer Data>
    ? Creator<`${Domain}/${Fact}`, Data>
    : never
}

/**
 * The event creators of one domain: `defineEvents('mailbox', { itemChanged: data<{ item: Item | null }>() })`
 * gives `Mailbox.itemChanged({ item })`, of type `mailbox/itemChanged`.
 */
export function defineEvents<Domain extends string, Shapes extends Record<string, Shape<object>>>(
  domain: Domain,
  shapes: Shapes,
): Creators<Domain, Shapes> {
  const creators: Record<string, unknown> = {}
  for (const fact of Object.keys(shapes)) {
    const type = `${domain}/${fact}`
    creators[fact] = Object.assign((eventData: object = {}) => ({ type, data: eventData }), { type })
  }
  return creators as Creators<Domain, Shapes>
}

/** The union of all events of a domain's creators. */
export type EventOf<C> = {
  [Fact in keyof C]: C[Fact] extends (...args: never) => infer E ? E : never
}[keyof C]

/** Keeps the events made by one of these creators. */
export function ofType<E extends Event, Type extends string>(
  ...creators: readonly { readonly type: Type }[]
): OperatorFunction<Recorded<E>, Recorded<Extract<E, { type: Type }>>> {
  const types = new Set<string>(creators.map(({ type }) => type))
  return filter((event: Recorded<E>): event is Recorded<Extract<E, { type: Type }>> => types.has(event.type))
}

/** Ends an exhaustive `switch`: a variant that nobody handles does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unhandled variant: ${JSON.stringify(value)}`)
}
