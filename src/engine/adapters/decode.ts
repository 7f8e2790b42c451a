import { Failed } from '../../../streams/kernel/failure.ts'

// Decodes the answers of the service at the edge. Unknown fields are ignored; a required field that is missing or of
// another type makes the whole response malformed. valibot would be more code than all that is read with it, and one of
// its patterns stops the file of launch events in an old engine.

/** Reads the value at this place of a body; throws `Failed` with the place when it is another. */
export type Read<T> = (value: unknown, at: string) => T

export const refuse = (at: string): never => {
  throw new Failed({ kind: 'malformed', at: at || 'body' })
}

/** Reads the body of a response as a whole. */
export const bodyOf =
  <T>(read: Read<T>) =>
  (body: unknown): T =>
    read(body, '')

export const anything: Read<unknown> = (value) => value
export const text: Read<string> = (value, at) => (typeof value === 'string' ? value : refuse(at))
export const number: Read<number> = (value, at) => (typeof value === 'number' ? value : refuse(at))
export const flag: Read<boolean> = (value, at) => (typeof value === 'boolean' ? value : refuse(at))

export const nullable =
  <T>(read: Read<T>): Read<T | null> =>
  (value, at) =>
    value === null ? null : read(value, at)

export const optional =
  <T, Default>(read: Read<T>, missing: Default): Read<T | Default> =>
  (value, at) =>
    value === undefined ? missing : read(value, at)

const place = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

export const list =
  <T>(read: Read<T>): Read<readonly T[]> =>
  (value, at) =>
    Array.isArray(value) ? value.map((each, index) => read(each, place(at, String(index)))) : refuse(at)

type Json = Readonly<Record<string, unknown>>
const json: Read<Json> = (value, at) =>
  typeof value === 'object' && value !== null ? (value as Json) : refuse(at)

type Fields = Readonly<Record<string, Read<unknown>>>
type Values<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> }

export const object =
  <F extends Fields>(fields: F): Read<Values<F>> =>
  (value, at) => {
    const given = json(value, at)
    return Object.fromEntries(
      Object.entries(fields).map(([name, read]) => [name, read(given[name], place(at, name))]),
    ) as Values<F>
  }

/** Names that would mean something else in an object. */
const NO_FIELD = /^(?:__proto__|prototype|constructor)$/

export const record =
  <T>(read: Read<T>): Read<Readonly<Record<string, T>>> =>
  (value, at) =>
    Object.fromEntries(
      Object.entries(json(value, at))
        .filter(([name]) => !NO_FIELD.test(name))
        .map(([name, each]) => [name, read(each, place(at, name))]),
    )

/** What is read; null where that fails. */
export const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value, at) => {
    try {
      return read(value, at)
    } catch {
      return null
    }
  }
