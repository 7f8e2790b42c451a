import { filter, type OperatorFunction } from 'rxjs'
import type { Field, ValueOf } from './field.ts'

/** Something that happened: a past-tense name `domain/name` with its plain, read-only data. */
export type Event<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type
  data: Readonly<Data>
}>

/** `seq` counts from 0 without gaps. `at` is in epoch milliseconds. `source` is an effect's name, `person` or `app`. */
export type Meta = Readonly<{ seq: number; at: number; source: string }>

/** An event that the store has recorded; reducers and effects get only these. */
export type Recorded<E> = E & { readonly meta: Meta }

/** A reducer. It is pure, accepts every event, and returns the same reference when nothing changed. */
export type Evolve<State, E> = (state: State, event: Recorded<E>) => State

/** The fields of an event, by name. */
export type EventFields = Readonly<Record<string, Field<unknown>>>
type Origin = 'gesture' | 'fact'

type Declared<By extends Origin, F extends EventFields> = Readonly<{ by: By; fields: F }>

/** Declares an event that a view may record: an action of the user. Effects may also record it, for the user. */
export const gesture = <const F extends EventFields>(fields: F): Declared<'gesture', F> => ({
  by: 'gesture',
  fields,
})

/** Declares an event that only effects may record: something that happened outside the views. */
export const fact = <const F extends EventFields>(fields: F): Declared<'fact', F> => ({ by: 'fact', fields })

type DataOf<F> = { readonly [Name in keyof F & string]: ValueOf<F[Name]> }

type Creator<Type extends string, By extends Origin, F extends EventFields> = {
  readonly type: Type
  /** The name of each field's redactor (`kernel/field.ts`). */
  readonly fields: F
  /** Who may record the event: only effects for a fact, views and effects for a gesture. */
  readonly by: By
  (...data: [keyof F & string] extends [never] ? [] : [data: DataOf<F>]): Event<Type, DataOf<F>>
}

type Creators<Domain extends string, Declarations> = {
  readonly [Name in keyof Declarations & string]: Declarations[Name] extends Declared<infer By, infer F>
    ? Creator<`${Domain}/${Name}`, By, F>
    : never
}

/**
 * The event creators of one domain: `defineEvents('mailbox', { itemChanged: fact({ item: orNull(mailItem) }) })` gives
 * `Mailbox.itemChanged({ item })` of type `mailbox/itemChanged`. Each field declares the type of its value and a
 * redactor.
 */
export function defineEvents<
  const Domain extends string,
  const Declarations extends Readonly<Record<string, Declared<Origin, EventFields>>>,
>(domain: Domain, declarations: Declarations): Creators<Domain, Declarations> {
  const creators: Record<string, unknown> = {}
  for (const [name, { by, fields }] of Object.entries(declarations)) {
    const type = `${domain}/${name}`
    creators[name] = Object.assign((data: object = {}) => ({ type, data }), { type, by, fields })
  }
  return creators as Creators<Domain, Declarations>
}

/** The union of all events of a domain's creators. */
export type EventOf<C> = C extends unknown
  ? {
      [Name in keyof C]: C[Name] extends Readonly<{ type: string }> & ((...data: never) => infer E)
        ? E
        : never
    }[keyof C]
  : never

/** The events of a domain that a view may record. */
export type GestureOf<C> = C extends unknown
  ? {
      [Name in keyof C]: C[Name] extends Creator<infer Type, infer By, infer F>
        ? 'gesture' extends By
          ? Event<Type, DataOf<F>>
          : never
        : never
    }[keyof C]
  : never

/** Whether this creator made the event. */
export const isEventOf = <Type extends string, Data extends object>(
  { type }: { readonly type: Type; (data: Data): Event<Type, Data> },
  event: Event,
): event is Event<Type, Data> => event.type === type

/** Keeps the events made by one of these creators. */
export function ofType<E extends Event, Type extends string>(
  ...creators: readonly { readonly type: Type }[]
): OperatorFunction<Recorded<E>, Recorded<Extract<E, { type: Type }>>> {
  type Kept = Recorded<Extract<E, { type: Type }>>
  const types = new Set<string>(creators.map(({ type }) => type))
  return filter((event): event is Kept => types.has(event.type))
}

/** Ends an exhaustive `switch`: a missing case does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unhandled variant: ${JSON.stringify(value)}`)
}
