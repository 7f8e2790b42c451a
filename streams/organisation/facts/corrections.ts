/**
 * The values that stand above the directory's: an administrator's corrections of one person, and the supplement of a
 * file. A correction wins over the supplement, and the supplement over the directory. What the user edited wins over
 * all of them.
 */
import { time } from '../../kernel/limits.ts'
import { nullable, object, optional, type OutOf, record, text, withCheck } from '../../kernel/schema.ts'
import { isDay } from '../release/names.ts'

/** Ends only by hand. */
export const UNTIL_REMOVED = 'removed'
/** Ends when the value below says something else: the supplement's, or without one the directory's. */
export const UNTIL_CHANGED = 'changed'

/** The end of what was set by hand: `removed`, or the last day (UTC), such as `2026-12-24`. */
export const untilRemovedOrDay = withCheck(
  text,
  (until) => until === UNTIL_REMOVED || isDay(until),
  '"removed" or a day such as 2026-12-24',
)
/** The end of a corrected value: also `changed`. */
export const untilAny = withCheck(
  text,
  (until) => until === UNTIL_REMOVED || until === UNTIL_CHANGED || isDay(until),
  '"removed", "changed" or a day such as 2026-12-24',
)

/** Who set it, and when. */
const origin = { by: text, at: time }

export const corrections = object({
  /** The corrected values by directory field. */
  fields: record(object({ value: text, ...origin, until: text })),
  /** The values of a file by directory field. `by` is the name of the file. */
  supplement: record(object({ value: text, ...origin })),
  /** What the directory itself says of each field above; null if it lacks the field. */
  under: record(nullable(text)),
  /** The person is kept without a signature. */
  excluded: optional(object({ ...origin, until: text })),
  /** The person gets this signature, whomever its rules select. */
  pinned: optional(object({ signature: text, ...origin, until: text })),
})
export type Corrections = OutOf<typeof corrections>

/** What an administrator sets for one person by hand: corrected values by directory field, each with its end. */
export type SetByHand = Readonly<{
  fields: Readonly<Record<string, Readonly<{ value: string; until: string }>>>
  /** Keeps the person without a signature. */
  excluded?: Readonly<{ until: string }>
  /** Gives the person a certain signature. */
  pinned?: Readonly<{ signature: string; until: string }>
}>

type Values = Readonly<Record<string, string>>

/** A person's effective values, and what stands above the directory. `corrections` is absent if nothing does. */
export type LayeredValues = Readonly<{ directory: Values; corrections?: Corrections }>

const NO_CORRECTIONS: Corrections = { fields: {}, supplement: {}, under: {} }

export const correctionsOf = ({ corrections: own }: LayeredValues): Corrections => own ?? NO_CORRECTIONS

/** What is set by hand now. Setting it again changes nothing. */
export function setByHandOf(values: LayeredValues): SetByHand {
  const { fields, excluded, pinned } = correctionsOf(values)
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, { value, until }]) => [field, { value, until }]),
    ),
    ...(excluded && { excluded: { until: excluded.until } }),
    ...(pinned && { pinned: { signature: pinned.signature, until: pinned.until } }),
  }
}

/** The entries of a record without some keys. */
export const withoutKeys = <Value>(
  values: Readonly<Record<string, Value>>,
  keys: readonly string[],
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)))

/** The values of the directory itself. */
export function ownDirectory(values: LayeredValues): Values {
  if (values.corrections === undefined) return values.directory
  const { under } = values.corrections
  return Object.fromEntries([
    ...Object.entries(values.directory).filter(([field]) => !Object.hasOwn(under, field)),
    ...Object.entries(under).flatMap(([field, value]) => (value === null ? [] : [[field, value] as const])),
  ])
}

const valueIn = <Value>(values: Readonly<Record<string, Value>>, field: string): Value | null =>
  Object.hasOwn(values, field) ? (values[field] ?? null) : null

/** The value below a correction: the supplement's, else the directory's; null without both. */
const valueBelow = (field: string, directory: Values, supplement: Corrections['supplement']): string | null =>
  valueIn(supplement, field)?.value ?? valueIn(directory, field)

/** The value of a directory field once its correction is taken back; null without one. */
export const valueBelowCorrection = (values: LayeredValues, field: string): string | null =>
  valueBelow(field, ownDirectory(values), correctionsOf(values).supplement)

/** @param directory the values of the directory itself */
function layered(directory: Values, all: Omit<Corrections, 'under'>): LayeredValues {
  const { fields, supplement, excluded, pinned } = all
  const above = Object.entries({ ...supplement, ...fields }).map(
    ([field, { value }]) => [field, value] as const,
  )
  if (above.length === 0 && excluded === undefined && pinned === undefined) return { directory }
  return {
    directory: Object.fromEntries([...Object.entries(directory), ...above]),
    corrections: {
      fields,
      supplement,
      under: Object.fromEntries(above.map(([field]) => [field, valueIn(directory, field)])),
      ...(excluded && { excluded }),
      ...(pinned && { pinned }),
    },
  }
}

/** The values after the directory or the supplement changed. Ends the corrections that last until then. */
export function withValuesBelow(
  before: LayeredValues,
  {
    directory = ownDirectory(before),
    supplement = correctionsOf(before).supplement,
  }: Readonly<{
    directory?: Values
    supplement?: Corrections['supplement']
  }>,
): LayeredValues {
  const own = correctionsOf(before)
  const saidBefore = ownDirectory(before)
  const isOver = (field: string) =>
    valueBelow(field, saidBefore, own.supplement) !== valueBelow(field, directory, supplement)
  const fields = Object.fromEntries(
    Object.entries(own.fields).filter(([field, { until }]) => until !== UNTIL_CHANGED || !isOver(field)),
  )
  return layered(directory, { ...own, fields, supplement })
}

/** The values after an administrator changed the corrections. */
export const withCorrections = (
  before: LayeredValues,
  change: (own: Corrections) => Omit<Corrections, 'under'>,
): LayeredValues => layered(ownDirectory(before), change(correctionsOf(before)))

/** The last days of all corrections that end after a day. */
function* lastDays({ fields, excluded, pinned }: Corrections): Generator<string> {
  for (const { until } of [
    ...Object.values(fields),
    ...(excluded ? [excluded] : []),
    ...(pinned ? [pinned] : []),
  ])
    if (isDay(until)) yield until
}

/** The first last day (UTC) of a correction; null if none ends after a day. */
export const firstLastDay = (values: LayeredValues): string | null =>
  [...lastDays(correctionsOf(values))].sort()[0] ?? null

/** Whether something that lasts until `until` is over on a day. */
export const isOverOn = (day: string, until: string): boolean => isDay(until) && until < day

/** Who holds a value of a directory field. */
export type FieldSource = 'administrator' | 'file' | 'directory'

/** Who holds the effective value of a directory field. */
export function fieldSource(values: LayeredValues, field: string): FieldSource {
  const { fields, supplement } = correctionsOf(values)
  if (Object.hasOwn(fields, field)) return 'administrator'
  return Object.hasOwn(supplement, field) ? 'file' : 'directory'
}
