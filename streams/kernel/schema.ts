import { Failed } from './failure.ts'

/**
 * Reads a value. `at` is its place in the body, such as `objects.0.name`; empty for the body itself.
 *
 * @throws Failed `malformed` with the place; its cause says what the schema expects
 */
export type Read<Out> = (value: unknown, at: string) => Out

/** A part of a JSON Schema. */
export type Json = Readonly<Record<string, unknown>>

type Fields = Readonly<Record<string, Schema<unknown>>>

/** Describes JSON that is written as `In` and read as `Out`. `reading` and OpenAPI use the optional properties. */
export interface Schema<Out, In = unknown> {
  readonly read: Read<Out>
  /** The fields of an object. */
  readonly fields?: Fields
  /** A value with fields that are not in `fields` is refused. */
  readonly isStrict?: true
  /** The items of a list, or with `key`, the values of a record. */
  readonly item?: Schema<unknown>
  readonly key?: Schema<string>
  /** The schemas to try: the first that accepts the value is used. With `by`, the first that accepts its field `by`. */
  readonly options?: readonly Schema<unknown>[]
  readonly by?: string
  /** `inner` reads every value except `except`; `then` converts or refuses the result. */
  readonly inner?: Schema<unknown>
  readonly except?: null
  readonly then?: Read<unknown>
  /** The part of the JSON Schema that cannot be derived from the other properties. */
  readonly json?: Json
  /** The field's name in JSON, if it differs from the name in `fields`. */
  readonly named?: string
  /** The field may be missing. */
  readonly isOptional?: true
  /** For types only; no schema has this property. */
  readonly given?: In
}

export type OutOf<S> = S extends Readonly<{ read: Read<infer Out> }> ? Out : never
export type InOf<S> = S extends Readonly<{ given?: infer In }> ? In : never

type Optional = Readonly<{ isOptional: true }>
type Named<Name extends string> = Readonly<{ named: Name }>
/** Whether a field that reads as `undefined` is left out. */
type Omits<F> = undefined extends OutOf<F> ? (unknown extends OutOf<F> ? false : true) : false
type Flat<T> = { readonly [Name in keyof T]: T[Name] }

type ReadOf<F> = Flat<
  { readonly [Name in keyof F as Omits<F[Name]> extends true ? never : Name]: OutOf<F[Name]> } & {
    readonly [Name in keyof F as Omits<F[Name]> extends true ? Name : never]?: Exclude<
      OutOf<F[Name]>,
      undefined
    >
  }
>
type NameOf<F, Name> = F extends Named<infer Other> ? Other : Name
type GivenOf<F> = Flat<
  {
    readonly [Name in keyof F as F[Name] extends Optional ? never : NameOf<F[Name], Name>]: InOf<F[Name]>
  } & {
    readonly [Name in keyof F as F[Name] extends Optional ? NameOf<F[Name], Name> : never]?: InOf<F[Name]>
  }
>

/**
 * Refuses the value at this place.
 * @throws Failed `malformed`; its cause is `expected`
 */
export const refuseValue = (at: string, expected: string): never => {
  throw new Failed({ kind: 'malformed', at: at || 'body' }, { cause: expected })
}

/** Makes a function that reads a whole body. */
export const bodyReader =
  <Out>({ read }: Schema<Out>) =>
  (body: unknown): Out =>
    read(body, '')

export const fieldPath = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

const typed = <T>(type: 'string' | 'number' | 'boolean'): Schema<T, T> => ({
  read: (value, at) => (typeof value === type ? (value as T) : refuseValue(at, `a ${type}`)),
  json: { type },
})

export const text = typed<string>('string')
export const number = typed<number>('number')
export const flag = typed<boolean>('boolean')
export const anything: Schema<unknown> = { read: (value) => value }

export const oneOf = <const T extends string | number>(...values: readonly T[]): Schema<T, T> => ({
  read: (value, at) =>
    values.includes(value as T) ? (value as T) : refuseValue(at, `one of ${values.join(', ')}`),
  json: { enum: values },
})

export const nullable = <Out, In>(inner: Schema<Out, In>): Schema<Out | null, In | null> => ({
  read: (value, at) => (value === null ? null : inner.read(value, at)),
  inner,
  except: null,
})

/** A field that may be missing. A missing field reads as `instead`, or is left out if there is no `instead`. */
export function optional<Out, In>(inner: Schema<Out, In>): Schema<Out | undefined, In> & Optional
export function optional<Out, In, const Instead>(
  inner: Schema<Out, In>,
  instead: Instead,
): Schema<Out | Instead, In> & Optional
export function optional<Out, In>(inner: Schema<Out, In>, instead?: unknown): Schema<unknown, In> & Optional {
  return {
    read: (value, at) => (value === undefined ? instead : inner.read(value, at)),
    inner,
    isOptional: true,
  }
}

/** A field that is called `name` in JSON. */
export const namedInJson = <const Name extends string, S extends Schema<unknown>>(
  name: Name,
  schema: S,
): S & Named<Name> => ({ ...schema, named: name })

/** Converts the value with `to`, which may refuse it. */
export const mapSchema = <Out, In, Other>(
  inner: Schema<Out, In>,
  to: (value: Out, at: string) => Other,
): Schema<Other, In> => ({
  read: (value, at) => to(inner.read(value, at), at),
  inner,
  then: to as Read<unknown>,
})

/** Refuses values for which `is` is false. `json` is the same check in JSON Schema, if there is one. */
export const withCheck = <Out, In>(
  inner: Schema<Out, In>,
  is: (value: Out) => boolean,
  expected: string,
  json: Json = {},
): Schema<Out, In> => ({
  ...mapSchema(inner, (value, at) => (is(value) ? value : refuseValue(at, expected))),
  json,
})

/** A schema that reads a refused value as null. */
export const orNull = <Out, In>({ read }: Schema<Out, In>): Schema<Out | null, In> => ({
  read: (value, at) => {
    try {
      return read(value, at)
    } catch {
      return null
    }
  },
})

/** A schema that reads a refused value, and null, as `instead`. */
export const orElse = <Out, const Instead>(
  schema: Schema<Out>,
  instead: Instead,
): Schema<NonNullable<Out> | Instead> => mapSchema(orNull(schema), (value) => value ?? instead)

export const list = <Out, In>(item: Schema<Out, In>): Schema<readonly Out[], readonly In[]> => ({
  read: (value, at) =>
    readArray(value, at).map((each, index) => item.read(each, fieldPath(at, String(index)))),
  item,
})

export const readArray: Read<readonly unknown[]> = (value, at) =>
  Array.isArray(value) ? value : refuseValue(at, 'a list')

export const readObject: Read<Json> = (value, at) =>
  typeof value === 'object' && value !== null ? (value as Json) : refuseValue(at, 'an object')

/** An object with these fields. Ignores undeclared fields. */
export const object = <const F extends Fields>(fields: F): Schema<ReadOf<F>, GivenOf<F>> => ({
  read: (value, at) => {
    const body = readObject(value, at)
    const result: Record<string, unknown> = {}
    for (const name of Object.keys(fields)) {
      const { named: from = name, read } = fields[name] as Schema<unknown>
      const one = read(body[from], fieldPath(at, from))
      if (one !== undefined) result[name] = one
    }
    return result as ReadOf<F>
  },
  fields,
})

/** An object with these fields. Keeps undeclared fields as they are. */
export const looseObject = <const F extends Fields>(fields: F): Schema<Json & ReadOf<F>, Json> => {
  const { read } = object(fields)
  return mapSchema(record(anything), (all, at) => ({ ...all, ...read(all, at) }))
}

/** Property names with a special meaning in JavaScript. Records never contain them. */
const NO_FIELD = /^(?:__proto__|prototype|constructor)$/
export const fieldNamesIn = (body: Json): readonly string[] =>
  Object.keys(body).filter((name) => !NO_FIELD.test(name))

export const record = <Out, In>(
  item: Schema<Out, In>,
  key: Schema<string> = text,
): Schema<Readonly<Record<string, Out>>, Readonly<Record<string, In>>> => ({
  read: (value, at) => {
    const body = Array.isArray(value) ? refuseValue(at, 'an object') : readObject(value, at)
    return Object.fromEntries(
      fieldNamesIn(body).map((name) => {
        const place = fieldPath(at, name)
        return [key.read(name, place), item.read(body[name], place)]
      }),
    )
  },
  key,
  item,
})

/** An object with these fields. Refuses undeclared fields. */
export const strictObject = <const F extends Fields>(fields: F): Schema<ReadOf<F>, GivenOf<F>> => {
  const { read } = object(fields)
  return {
    read: (value, at) => {
      const result = read(value, at)
      refuseUnknownFields(fields, value, at)
      return result
    },
    fields,
    isStrict: true,
  }
}

/**
 * Refuses a value with undeclared fields.
 * @throws Failed `malformed` at the first undeclared field
 */
export function refuseUnknownFields(fields: Fields, value: unknown, at: string): void {
  for (const name of Object.keys(readObject(value, at)))
    if (!Object.hasOwn(fields, name)) refuseValue(fieldPath(at, name), 'left out')
}

type Options = readonly [Schema<unknown>, Schema<unknown>, ...Schema<unknown>[]]

/** Reads with the first schema that accepts the value. */
export const union = <const S extends Options>(...options: S): Schema<OutOf<S[number]>, InOf<S[number]>> => ({
  read: (value, at) => {
    for (const { read } of options) {
      const result = orNull({ read: (one, place) => [read(one, place)] as const }).read(value, at)
      if (result !== null) return result[0] as OutOf<S[number]>
    }
    return refuseValue(at, 'one of its forms')
  },
  options,
})

/** Reads one of several kinds of objects. The field `by` tells which kind it is. */
export const variant = <const By extends string, const S extends Options>(
  by: By,
  ...options: S
): Schema<OutOf<S[number]>, InOf<S[number]>> => ({
  read: (value, at) => optionFor(options, by, value, at).read(value, at) as OutOf<S[number]>,
  options,
  by,
})

/** The first option that accepts the value's field `by`. */
export function optionFor(options: readonly Schema<unknown>[], by: string, value: unknown, at: string) {
  const of = readObject(value, at)[by]
  const found = options.find(({ fields }) => fields?.[by] && orNull(fields[by]).read(of, '') !== null)
  return found ?? refuseValue(fieldPath(at, by), 'a known kind')
}
