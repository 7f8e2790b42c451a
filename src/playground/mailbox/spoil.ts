import type { CallName } from '../../engine/hosts/mailClient.ts'

/**
 * The ways to spoil an answer's field. `doubled` repeats each member of a list, and turns any other value into a list.
 */
export const SPOIL_KINDS = ['null', 'missing', 'empty', 'doubled', 'wrong'] as const
export type SpoilKind = (typeof SPOIL_KINDS)[number]

/** The data that the client sends without a call: its start values and its theme. */
export const PUSHED_DATA = ['start', 'theme'] as const

/** A field to spoil. `field` is its path in the answer, such as `0.address`; empty for the whole answer. */
export type SpoiltField = Readonly<{
  answer: CallName | (typeof PUSHED_DATA)[number]
  field: string
  as: SpoilKind
}>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const doubled = (value: unknown): unknown =>
  Array.isArray(value) ? value.flatMap((each: unknown) => [each, each]) : [value, value]

const spoilt = (value: unknown, as: Exclude<SpoilKind, 'missing'>): unknown => {
  switch (as) {
    case 'null':
      return null
    case 'empty':
      return Array.isArray(value) ? [] : isObject(value) ? {} : ''
    case 'doubled':
      return doubled(value)
    case 'wrong':
      return typeof value === 'string' ? 42 : 'wrong'
  }
}

/** Spoils a field of a value. A value without this field stays unchanged. */
export function spoilField(value: unknown, field: string, as: SpoilKind): unknown {
  if (field === '') return as === 'missing' ? undefined : spoilt(value, as)
  const [name = '', ...rest] = field.split('.')
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  const isLeftOut = rest.length === 0 && as === 'missing'
  const changed = Object.entries(value).flatMap(([each, inner]): [string, unknown][] => {
    if (each !== name) return [[each, inner]]
    return isLeftOut ? [] : [[each, spoilField(inner, rest.join('.'), as)]]
  })
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed)
}

/** The paths of all fields of a value, as in `SpoiltField`. The first is the whole value (`''`). */
export const fieldPathsIn = (value: unknown): readonly string[] => [
  '',
  ...(isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) =>
        fieldPathsIn(inner).map((field) => (field === '' ? name : `${name}.${field}`)),
      )
    : []),
]
