/** How long ago something happened, in whole units; null below a minute. */
export type Age = Readonly<{ unit: 'minutes' | 'hours' | 'days'; count: number }> | null

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const sizeOf = (ms: number): number => (ms < HOUR_MS ? MINUTE_MS : ms < DAY_MS ? HOUR_MS : DAY_MS)

/**
 * The age of `since` at `moment`; null below a minute, or if `since` is later. Both are in milliseconds since the
 * epoch.
 */
export function ageAt(since: number, moment: number): Age {
  const ms = moment - since
  if (ms < MINUTE_MS) return null
  const size = sizeOf(ms)
  const unit = size === MINUTE_MS ? 'minutes' : size === HOUR_MS ? 'hours' : 'days'
  return { unit, count: Math.floor(ms / size) }
}

/** When the age changes next, in milliseconds since the epoch; always after `moment`. */
export function nextAgeChange(since: number, moment: number): number {
  const ms = Math.max(0, moment - since)
  const size = sizeOf(ms)
  return since + (Math.floor(ms / size) + 1) * size
}
