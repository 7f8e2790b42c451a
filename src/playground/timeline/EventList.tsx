import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoggedEvent } from '../../../streams/app/events.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import { summaryOf } from './logReading.ts'
import * as css from './timeline.module.css'

/** The height of a row in CSS pixels, as the style sheet has it. */
const ROW = 44
/** Rows that are drawn beyond those in sight, above and below. */
const OVERSCAN = 8

/** The events of a log at these places, of which only those in sight are drawn; one of them is selected. */
export function EventList(props: {
  log: readonly Recorded<LoggedEvent>[]
  places: readonly number[]
  /** A place in the log. */
  selected: number
  onSelect: (place: number) => void
}) {
  const { log, places, selected, onSelect } = props
  const { t } = useTranslation()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 400 })
  const row = places.indexOf(selected)
  const start = log[0]?.meta.at ?? 0

  // What is selected is in sight.
  useEffect(() => {
    const element = list.current
    if (!element || row < 0) return
    const top = row * ROW
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW - element.clientHeight
  }, [row])
  useEffect(() => {
    const element = list.current
    if (!element) return
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])

  const move = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / ROW) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: -1,
      ArrowDown: 1,
      PageUp: -page,
      PageDown: page,
      Home: -places.length,
      End: places.length,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const place = places[Math.min(places.length - 1, Math.max(0, row + step))]
    if (place !== undefined) onSelect(place)
  }

  const first = Math.max(0, Math.floor(view.top / ROW) - OVERSCAN)
  const drawn = places.slice(first, Math.ceil((view.top + view.height) / ROW) + OVERSCAN)
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      className={css.events}
      aria-label={t('timeline.events')}
      aria-activedescendant={row < 0 ? undefined : `${id}-${String(selected)}`}
      onKeyDown={move}
    >
      <div role="presentation" className={css.rows} style={{ height: places.length * ROW }}>
        {drawn.map((place, index) => {
          const event = log[place]
          return (
            event && (
              <div
                key={place}
                id={`${id}-${String(place)}`}
                role="option"
                className={css.row}
                style={{ top: (first + index) * ROW }}
                aria-selected={place === selected}
                aria-posinset={first + index + 1}
                aria-setsize={places.length}
                onClick={() => onSelect(place)}
              >
                <span className={css.seq}>{event.meta.seq}</span>
                <span className={css.type}>{event.type}</span>
                <span className={css.since}>+{((event.meta.at - start) / 1000).toFixed(2)} s</span>
                <span className={css.says}>
                  <span className={css.source}>{event.meta.source}</span> {summaryOf(event)}
                </span>
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
