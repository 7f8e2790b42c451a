import type { CSSProperties, ReactNode } from 'react'
import * as css from './PeriodStrip.module.css'

/** A moment or a distance on a strip, in days from its first day. */
type Days = number

/** A part of a period, from the start of the day `from` to the start of the day `to`. */
export type PeriodBar = Readonly<{
  from: Days
  to: Days
  state: 'open' | 'coming' | 'over' | 'behind'
  /** Whether it begins or ends on the strip, and does not go on beyond it. */
  begins: boolean
  ends: boolean
}>

/** `words` say all that the bars show, because screen readers read only these. */
export type PeriodRow = Readonly<{ key: string; words: ReactNode; bars: readonly PeriodBar[] }>

/** Draws periods as bars on `days` days, below the names of today and of the marked days. */
export function PeriodStrip({
  days,
  today,
  todayText,
  marks,
  rows,
}: {
  days: Days
  today: Days
  todayText: string
  marks: readonly Readonly<{ day: Days; text: string }>[]
  rows: readonly PeriodRow[]
}) {
  const shareOf = (part: Days): string => `${String((part / days) * 100)}%`
  const at = (day: Days): CSSProperties => ({ insetInlineStart: shareOf(day) })
  return (
    <div>
      <div className={css['row']} aria-hidden="true">
        <div className={css['days']}>
          <span className={css['todayText']} style={at(today)}>
            {todayText}
          </span>
          {marks.map(({ day, text }) => (
            <span key={day} className={css['markText']} style={at(day)}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <ul className={css['rows']}>
        {rows.map(({ key, words, bars }) => (
          <li key={key} className={css['row']}>
            <div className={css['words']}>{words}</div>
            <div className={css['track']} aria-hidden="true">
              {marks.map(({ day }) => (
                <span key={day} className={css['mark']} style={at(day)} />
              ))}
              {bars.map(({ from, to, state, begins, ends }) => (
                <span
                  key={from}
                  className={css['bar']}
                  data-state={state}
                  data-begins={begins}
                  data-ends={ends}
                  style={{ ...at(from), width: shareOf(to - from) }}
                />
              ))}
              <span className={css['today']} style={at(today)} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
