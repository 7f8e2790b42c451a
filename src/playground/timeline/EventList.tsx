import { useObservableState } from 'observable-hooks'
import { type KeyboardEvent, useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { fromEvent, map, merge, type Observable } from 'rxjs'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import { observeResizes, useElementStream } from '../../../views/shared/element.ts'
import { firstEventNumber } from './history.ts'
import { eventSummary } from './logReading.ts'
import * as design from '../design/design.module.css'
import * as css from './timeline.module.css'

/** The row height, which must match the style sheet. */
const ROW_PX = 44
/** How many rows are rendered above and below the visible rows. */
const OVERSCAN_ROWS = 8

/** The visible part of a scrolled element, in CSS pixels. */
type Viewport = Readonly<{ top: number; height: number }>

const viewportOf = (element: Element): Observable<Viewport> =>
  merge(fromEvent(element, 'scroll', { passive: true }), observeResizes([element])).pipe(
    map(() => ({ top: element.scrollTop, height: element.clientHeight })),
  )

/** A virtual list of the log's events with the numbers in `places`. */
export function EventList(props: {
  log: readonly Recorded<LoggedEvent>[]
  places: readonly number[]
  /** The number of the selected event. */
  selected: number
  onSelect: (place: number) => void
}) {
  const { log, places, selected, onSelect } = props
  const { t } = useTranslation()
  const id = useId()
  const [list, view$] = useElementStream<HTMLDivElement, Viewport>(viewportOf)
  const view = useObservableState(view$, { top: 0, height: 400 })
  const row = places.indexOf(selected)
  const start = log[0]?.meta.at ?? 0

  // Scrolls the selected row into view.
  useEffect(() => {
    const element = list.current
    if (!element || row < 0) return
    const top = row * ROW_PX
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW_PX - element.clientHeight
  }, [list, row])

  const selectByKey = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor(view.height / ROW_PX) - 1)
    const offsets: Readonly<Record<string, number>> = {
      ArrowUp: -1,
      ArrowDown: 1,
      PageUp: -pageRows,
      PageDown: pageRows,
      Home: -places.length,
      End: places.length,
    }
    const offset = offsets[event.key]
    if (offset === undefined) return
    event.preventDefault()
    const place = places[Math.min(places.length - 1, Math.max(0, row + offset))]
    if (place !== undefined) onSelect(place)
  }

  const first = Math.max(0, Math.floor(view.top / ROW_PX) - OVERSCAN_ROWS)
  const rendered = places.slice(first, Math.ceil((view.top + view.height) / ROW_PX) + OVERSCAN_ROWS)
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      className={css.events}
      aria-label={t('timeline.events')}
      aria-activedescendant={row < 0 ? undefined : `${id}-${String(selected)}`}
      onKeyDown={selectByKey}
    >
      <div role="presentation" className={css.rows} style={{ height: places.length * ROW_PX }}>
        {rendered.map((place, index) => {
          const event = log[place - firstEventNumber(log)]
          return (
            event && (
              <div
                key={place}
                id={`${id}-${String(place)}`}
                role="option"
                className={css.row}
                style={{ top: (first + index) * ROW_PX }}
                aria-selected={place === selected}
                aria-posinset={first + index + 1}
                aria-setsize={places.length}
                onClick={() => onSelect(place)}
              >
                <span className={css.seq}>{event.meta.seq}</span>
                <span className={`${css.type} ${design.oneLine}`}>{event.type}</span>
                <span className={css.since}>+{((event.meta.at - start) / 1000).toFixed(2)} s</span>
                <span className={`${css.summary} ${design.oneLine}`}>
                  <span className={css.source}>{event.meta.source}</span> {eventSummary(event)}
                </span>
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
