import { useObservable, useSubscription } from 'observable-hooks'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, EMPTY, skip, switchMap } from 'rxjs'
import { growingIntervals } from '../../../streams/kernel/time.ts'
import * as design from '../design/design.module.css'
import { EventList } from './EventList.tsx'
import { firstEventNumber } from './history.ts'
import { eventDomain, type LogFilter, matchingEventNumbers } from './logReading.ts'
import type { OpenedLog } from './openLog.ts'
import { ReplayedPane } from './ReplayedPane.tsx'
import type { SessionMoment, PaneSession } from './session.ts'
import { StateTree } from './StateTree.tsx'
import * as css from './timeline.module.css'

const PLAY_INTERVAL_MS = 350

/** Shows playback, search and the event list, and the state and pane at the selected event. */
export function LogExplorer(props: {
  log: PaneSession['log']
  history: OpenedLog['history']
  /** The number of the last event to show, plus one. If absent, the whole log is shown. */
  end?: number
  /** Whether the log is still growing. The last event is selected until the user chooses another. */
  isLive?: boolean
}) {
  const { log, history, end = firstEventNumber(props.log) + props.log.length, isLive = false } = props
  const { t } = useTranslation()
  const id = useId()
  const first = firstEventNumber(log)
  const [chosen, setChosen] = useState<number | null>(isLive ? null : first)
  const [isPlaying, setPlaying] = useState(false)
  const [search, setSearch] = useState<LogFilter>({ domain: '', words: '' })
  const last = end - 1
  // The chosen event may have left the log, because the oldest events are folded into the base state.
  const selected = chosen === null ? last : Math.max(first, chosen)
  const shown = useMemo(() => log.slice(0, end - first), [log, first, end])
  const places = useMemo(() => matchingEventNumbers(shown, search), [shown, search])
  const event = shown[selected - first]
  const transition = useMemo(() => (event ? history.transitionAt(event.meta.seq) : null), [history, event])

  const select = (place: number) => {
    setPlaying(false)
    setChosen(place)
  }
  const previous = places.findLast((place) => place < selected)
  const next = places.find((place) => place > selected)

  const play$ = useObservable(
    (input$) =>
      input$.pipe(
        switchMap(([plays]) =>
          plays ? growingIntervals(PLAY_INTERVAL_MS, 0, { scheduler: asyncScheduler }).pipe(skip(1)) : EMPTY,
        ),
      ),
    [isPlaying],
  )
  useSubscription(play$, () => setChosen((place) => (place === null ? null : place + 1)))
  // Playback stops at the log's end. In a growing log, the last event is selected again from then on.
  if (isPlaying && selected >= last) {
    setPlaying(false)
    setChosen(isLive ? null : last)
  }

  const moment = useMemo(
    (): SessionMoment | null =>
      transition && event && chosen !== null ? { state: transition.after, at: event.meta.at } : null,
    [transition, event, chosen],
  )

  return (
    <>
      <div className={css.controls}>
        <Step to={previous} label={t('timeline.previous')} onSelect={select} />
        <button
          type="button"
          className={design.button}
          disabled={!isPlaying && selected >= last}
          onClick={() => {
            setChosen(selected)
            setPlaying(!isPlaying)
          }}
        >
          {t(isPlaying ? 'timeline.pause' : 'timeline.play')}
        </button>
        <Step to={next} label={t('timeline.next')} onSelect={select} />
        <input
          id={id}
          aria-label={t('timeline.place')}
          type="range"
          className={css.range}
          min={first}
          max={Math.max(first, last)}
          value={Math.max(first, selected)}
          aria-valuetext={event ? `${String(selected)} ${event.type}` : ''}
          onChange={({ target }) => select(Number(target.value))}
        />
        <output htmlFor={id} className={css.position}>
          {t('timeline.position', { place: selected, last: Math.max(0, last) })}
        </output>
        {isLive && (
          <button
            type="button"
            className={design.button}
            aria-pressed={chosen === null}
            onClick={() => {
              setPlaying(false)
              setChosen(null)
            }}
          >
            {t('timeline.live')}
          </button>
        )}
      </div>
      <div className={css.panels}>
        <Events
          log={log}
          shown={shown}
          places={places}
          selected={selected}
          search={search}
          onSearch={setSearch}
          onSelect={select}
        />
        <StateAfter event={event} transition={transition} />
        {moment ? <ReplayedPane moment={moment} /> : <p className={css.none}>{t('timeline.hint')}</p>}
      </div>
    </>
  )
}

/** A button that selects another event; disabled if there is none. */
function Step({
  to,
  label,
  onSelect,
}: {
  to: number | undefined
  label: string
  onSelect: (place: number) => void
}) {
  return (
    <button
      type="button"
      className={design.button}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) onSelect(to)
      }}
    >
      {label}
    </button>
  )
}

/** The search, and the list of matching events. */
function Events(props: {
  log: PaneSession['log']
  /** The events up to the end of the explored range. */
  shown: PaneSession['log']
  places: readonly number[]
  selected: number
  search: LogFilter
  onSearch: (search: LogFilter) => void
  onSelect: (place: number) => void
}) {
  const { log, shown, places, selected, search, onSearch, onSelect } = props
  const { t } = useTranslation()
  const first = firstEventNumber(log)
  const domains = useMemo(() => [...new Set(shown.map(eventDomain))].sort(), [shown])
  return (
    <div className={css.panel}>
      <div className={css.filter}>
        <input
          aria-label={t('timeline.search')}
          type="search"
          className={design.box}
          autoComplete="off"
          placeholder={t('timeline.search')}
          value={search.words}
          onChange={({ target }) => onSearch({ ...search, words: target.value })}
        />
        <select
          aria-label={t('timeline.domain')}
          className={design.box}
          value={search.domain}
          onChange={({ target }) => onSearch({ ...search, domain: target.value })}
        >
          <option value="">{t('timeline.everyDomain')}</option>
          {domains.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      {first > 0 && <p className={css.begins}>{t('timeline.begins', { first })}</p>}
      {places.length === 0 ? (
        <p className={css.none}>{t('timeline.noEvents')}</p>
      ) : (
        <EventList log={log} places={places} selected={selected} onSelect={onSelect} />
      )}
    </div>
  )
}

/** An event, and the state after it. */
function StateAfter({
  event,
  transition,
}: {
  event: PaneSession['log'][number] | undefined
  transition: ReturnType<OpenedLog['history']['transitionAt']> | null
}) {
  const { t } = useTranslation()
  return (
    <section className={css.panel} tabIndex={0} aria-label={t('timeline.state')}>
      {event && transition && (
        <div className={css.facts}>
          <h3>{event.type}</h3>
          <p className={css.meta}>
            {event.meta.seq} · {event.meta.source} · {new Date(event.meta.at).toISOString()}
          </p>
          <StateTree key={event.type} value={event.data} before={event.data} />
          <h3>{t('timeline.state')}</h3>
          {transition.before === transition.after && <p className={css.meta}>{t('timeline.unchanged')}</p>}
          <StateTree value={transition.after} before={transition.before} />
        </div>
      )}
    </section>
  )
}
