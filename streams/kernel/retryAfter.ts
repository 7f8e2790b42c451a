/** The longest wait before an automatic retry. */
const MAX_MS = 60_000

/**
 * The wait in a `Retry-After` header, in milliseconds, up to a minute; undefined for no wait. The header has seconds or
 * a date. Clocks differ, so a date is compared with the `date` of the same answer.
 */
export const readRetryAfter = (text: string, date: string): number | undefined => {
  const ms = text.endsWith(' GMT')
    ? Date.parse(text) - Date.parse(date)
    : /^\d+$/.test(text)
      ? +text * 1000
      : 0
  return ms > 0 ? Math.min(ms, MAX_MS) : undefined
}
