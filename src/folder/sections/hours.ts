import type { Hours } from '../../../streams/organisation/release/release.ts'
import { daysText, isTimeOfDay, WEEKDAYS } from '../../../streams/organisation/release/hours.ts'
import { MAX_SPANS } from '../../../streams/organisation/release/names.ts'
import { quoteUntrusted } from '../finding.ts'

type Span = Hours['spans'][number]

const FORM = 'Hours are weekdays and times: Mon-Fri 08:00-18:00, Sat 09:00-12:00.'

/** Reads hours such as `Mon-Wed, Fri 08:00-18:00, Sat 09:00-12:00`; for other text, a sentence about its first mistake. */
export function readSpans(text: string): readonly Span[] | string {
  const spans: Span[] = []
  /** Days whose time follows after a comma. */
  let waiting: readonly number[] = []
  for (const part of text.split(',')) {
    const [named = '', time, ...others] = part.trim().split(/\s+/)
    const days = daysIn(named)
    if (days === null) return `${quoteUntrusted(named)} is no weekday. ${FORM}`
    waiting = ordered([...waiting, ...days])
    if (time === undefined) continue
    const [, from, to] = /^(\d{1,2}:\d\d)-(\d{1,2}:\d\d)$/.exec(time) ?? []
    if (from === undefined || to === undefined || others.length > 0)
      return `${quoteUntrusted([time, ...others].join(' '))} is no time. ${FORM}`
    const span = { days: waiting, from: from.padStart(5, '0'), to: to.padStart(5, '0') }
    const mistake = mistakeIn(span)
    if (mistake !== null) return mistake
    if (spans.push(span) > MAX_SPANS) return `Hours have at most ${MAX_SPANS} times.`
    waiting = []
  }
  return waiting.length > 0 ? `${quoteUntrusted(daysText(waiting))} has no time. ${FORM}` : spans
}

const ordered = (days: readonly number[]): readonly number[] =>
  [...new Set(days)].sort((one, other) => one - other)

const NAMES: readonly string[] = WEEKDAYS.map((name) => name.toLowerCase())

/** The days in `Mon`, `Mon-Fri` or `Sat-Mon`; null for any other text. */
function daysIn(text: string): readonly number[] | null {
  const named = text.split('-').map((name) => NAMES.indexOf(name.toLowerCase()) + 1)
  const [first = 0, last = first] = named
  if (named.includes(0) || named.length > 2) return null
  const count = ((last - first + NAMES.length) % NAMES.length) + 1
  return Array.from({ length: count }, (_, index) => ((first - 1 + index) % NAMES.length) + 1)
}

function mistakeIn({ days, from, to }: Span): string | null {
  const missing = [from, to].find((time) => !isTimeOfDay(time))
  if (missing !== undefined) return `${quoteUntrusted(missing)} is no time of the day, from 00:00 to 24:00.`
  if (from < to) return null
  const written = quoteUntrusted(`${from}-${to}`)
  if (from === to) return `${written} is no time: it ends when it begins.`
  if (to === '00:00') return `${written} ends on the next day: write the end of a day as 24:00.`
  const next = ordered(days.map((day) => (day % NAMES.length) + 1))
  return `${written} ends on the next day: write ${daysText(days)} ${from}-24:00, ${daysText(next)} 00:00-${to}.`
}
