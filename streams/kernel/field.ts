declare const carried: unique symbol
declare const named: unique symbol

/**
 * A field of an event: its value type, and the name of its redactor. The redactor decides which part of the value an
 * exported log contains. At run time a field is only this name; the redactors are in `pane/redact.ts`.
 */
export type Field<Value, Kind extends string = string> = string & {
  readonly [carried]: Value
  readonly [named]: Kind
}

export type ValueOf<F> = F extends { readonly [carried]: infer Value } ? Value : never
export type KindOf<F> = F extends { readonly [named]: infer Kind extends string } ? Kind : never

/** A field with its own redactor: `redactedField<Session>()('session')`. */
export const redactedField =
  <Value>() =>
  <const Kind extends string>(kind: Kind): Field<Value, Kind> =>
    kind as string as Field<Value, Kind>

/** A field without user data: a number, a flag, one of a few fixed words, or a name that the software defines. */
export const openField = <Value>(): Field<Value, 'open'> => redactedField<Value>()('open')

/**
 * A text that an export replaces with a placeholder: `idField('user')` gives `user-1`. Equal texts get the same placeholder.
 */
export const idField: <const Kind extends string>(kind: Kind) => Field<string, Kind> = redactedField<string>()

export const nullableField = <F extends Field<unknown>>(
  field: F,
): Field<ValueOf<F> | null, `${KindOf<F>}?`> =>
  redactedField<ValueOf<F> | null>()(`${field}?` as `${KindOf<F>}?`)

export const listField = <F extends Field<unknown>>(
  field: F,
): Field<readonly ValueOf<F>[], `${KindOf<F>}[]`> =>
  redactedField<readonly ValueOf<F>[]>()(`${field}[]` as `${KindOf<F>}[]`)
