import { asyncScheduler } from 'rxjs'
import { useCallback, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogFileProblem } from '../../../streams/app/logFile.ts'
import { writeLogFile } from '../../../streams/app/logFile.ts'
import { evolveApp, initialState } from '../../../streams/app/state.ts'
import { growingIntervals } from '../../../streams/kernel/time.ts'
import { config } from '../../engine/config.ts'
import { EventList } from './EventList.tsx'
import { createHistory } from './history.ts'
import { Icon } from '../Icon.tsx'
import { domainOf, placesOf } from './logReading.ts'
import { type OpenedLog, openLog } from './openLog.ts'
import * as page from '../playground.module.css'
import type { Moment, PaneSession } from './session.ts'
import { StateTree } from './StateTree.tsx'
import * as css from './timeline.module.css'

/** Between two events that are played, in milliseconds. */
const PLAY_MS = 350

/**
 * What happened in the pane, event by event, as it happens; the state at any of them; and the pane as it was then,
 * beside the one that goes on. A log from a file is looked at in the same way.
 */
export function Timeline(props: { session: PaneSession; onClose: () => void }) {
  const { session, onClose } = props
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Readonly<{ name: string; log: OpenedLog }> | null>(null)
  const [problem, setProblem] = useState<LogFileProblem | null>(null)
  const [isDropping, setDropping] = useState(false)
  const dock = useRef<HTMLElement>(null)
  // Where the page scrolls, it opens out of sight.
  useEffect(() => {
    dock.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const open = async (file: File | undefined) => {
    if (!file) return
    const log = openLog(await file.text())
    setProblem('problem' in log ? log : null)
    if (!('problem' in log)) setOpened({ name: file.name, log })
  }
  return (
    <section
      ref={dock}
      id="timeline"
      className={isDropping ? `${css.dock} ${css.dropping}` : css.dock}
      aria-label={t('timeline.label')}
      onDragOver={(event) => {
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDropping(false)
        void open(event.dataTransfer.files[0])
      }}
    >
      <header className={css.head}>
        <h2>{opened ? t('timeline.fromFile', { name: opened.name }) : t('timeline.label')}</h2>
        <FileButton onFile={(file) => void open(file)} />
        {opened && (
          <button type="button" className={css.button} onClick={() => setOpened(null)}>
            {t('timeline.closeFile')}
          </button>
        )}
        <button type="button" className={page.quiet} aria-label={t('timeline.close')} onClick={onClose}>
          <Icon name="dismiss" />
        </button>
      </header>
      {problem && (
        <p role="alert" className={`${page.notice} ${page.noticeError}`}>
          <span className={page.noticeText}>
            {problem.problem === 'brokenEvent'
              ? t('timeline.brokenEvent', { at: problem.at })
              : t(PROBLEMS[problem.problem])}
          </span>
          <button
            type="button"
            className={page.quiet}
            aria-label={t('notifications.dismiss')}
            onClick={() => setProblem(null)}
          >
            <Icon name="dismiss" />
          </button>
        </p>
      )}
      {opened ? <OpenedSession key={opened.name} opened={opened.log} /> : <LiveSession session={session} />}
    </section>
  )
}

const PROBLEMS = {
  notJson: 'timeline.notJson',
  otherFile: 'timeline.otherFile',
  otherVersion: 'timeline.otherVersion',
} as const

function FileButton({ onFile }: { onFile: (file: File | undefined) => void }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <span className={css.file}>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        onChange={({ target }) => {
          onFile(target.files?.[0])
          // The same file, changed, can be chosen again.
          target.value = ''
        }}
      />
      <label htmlFor={id} className={css.button}>
        {t('timeline.openFile')}
      </label>
    </span>
  )
}

/** The log of the pane at work grows; it is drawn again once a frame at most. */
function LiveSession({ session }: { session: PaneSession }) {
  const history = useMemo(() => createHistory(initialState(session.stage), evolveApp, session.log), [session])
  const subscribe = useCallback(
    (changed: () => void) => {
      let frame = 0
      const listening = session.event$.subscribe(() => {
        frame ||= requestAnimationFrame(() => {
          frame = 0
          changed()
        })
      })
      return () => {
        listening.unsubscribe()
        cancelAnimationFrame(frame)
      }
    },
    [session],
  )
  const count = useSyncExternalStore(subscribe, () => session.log.length)
  return <Events log={session.log} count={count} stage={session.stage} history={history} isLive />
}

function OpenedSession({ opened: { file, history } }: { opened: OpenedLog }) {
  const { events, stage } = file
  return <Events log={events} count={events.length} stage={stage} history={history} isLive={false} />
}

function Events(props: {
  log: PaneSession['log']
  /** How many events of the log are there by now. */
  count: number
  stage: PaneSession['stage']
  history: OpenedLog['history']
  /** The log goes on: looking at none of its events is looking at the last one. */
  isLive: boolean
}) {
  const { log, count, stage, history, isLive } = props
  const { t } = useTranslation()
  const ids = { domain: useId(), words: useId(), place: useId() }
  const [chosen, setChosen] = useState<number | null>(isLive ? null : 0)
  const [isPlaying, setPlaying] = useState(false)
  const [domain, setDomain] = useState('')
  const [words, setWords] = useState('')
  const last = count - 1
  const selected = chosen ?? last
  const domains = useMemo(() => [...new Set(log.slice(0, count).map(domainOf))].sort(), [log, count])
  const places = useMemo(() => placesOf(log.slice(0, count), { domain, words }), [log, count, domain, words])
  const step = useMemo(() => (selected < 0 ? null : history.stepAt(selected)), [history, selected])
  const event = log[selected]

  const select = (place: number) => {
    setPlaying(false)
    setChosen(place)
  }
  const before = places.findLast((place) => place < selected)
  const next = places.find((place) => place > selected)

  useEffect(() => {
    if (!isPlaying) return
    const playing = growingIntervals(PLAY_MS, 0, { scheduler: asyncScheduler }).subscribe((tick) => {
      if (tick > 0) setChosen((place) => (place === null ? null : place + 1))
    })
    return () => playing.unsubscribe()
  }, [isPlaying])
  // Who plays to the end of what still goes on is back in the present.
  if (isPlaying && selected >= last) {
    setPlaying(false)
    setChosen(isLive ? null : last)
  }

  const moment = useMemo(
    (): Moment | null =>
      step && event && chosen !== null
        ? {
            state: step.after,
            at: event.meta.at,
            exportLog: () =>
              writeLogFile(log.slice(0, event.meta.seq + 1), { software: config.version, stage }),
          }
        : null,
    [step, event, chosen, log, stage],
  )

  return (
    <>
      <div className={css.controls}>
        <button
          type="button"
          className={css.button}
          disabled={before === undefined}
          onClick={() => {
            if (before !== undefined) select(before)
          }}
        >
          {t('timeline.previous')}
        </button>
        <button
          type="button"
          className={css.button}
          disabled={!isPlaying && selected >= last}
          onClick={() => {
            setChosen(selected)
            setPlaying(!isPlaying)
          }}
        >
          {t(isPlaying ? 'timeline.pause' : 'timeline.play')}
        </button>
        <button
          type="button"
          className={css.button}
          disabled={next === undefined}
          onClick={() => {
            if (next !== undefined) select(next)
          }}
        >
          {t('timeline.next')}
        </button>
        <label htmlFor={ids.place} className={css.unseen}>
          {t('timeline.place')}
        </label>
        <input
          id={ids.place}
          type="range"
          className={css.range}
          min={0}
          max={Math.max(0, last)}
          value={Math.max(0, selected)}
          aria-valuetext={event ? `${String(selected)} ${event.type}` : ''}
          onChange={({ target }) => select(Number(target.value))}
        />
        <output htmlFor={ids.place} className={css.position}>
          {t('timeline.position', { place: selected, last: Math.max(0, last) })}
        </output>
        {isLive && (
          <button
            type="button"
            className={css.button}
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
        <div className={css.panel}>
          <div className={css.filter}>
            <label htmlFor={ids.words} className={css.unseen}>
              {t('timeline.search')}
            </label>
            <input
              id={ids.words}
              type="search"
              autoComplete="off"
              placeholder={t('timeline.search')}
              value={words}
              onChange={({ target }) => setWords(target.value)}
            />
            <label htmlFor={ids.domain} className={css.unseen}>
              {t('timeline.domain')}
            </label>
            <select id={ids.domain} value={domain} onChange={({ target }) => setDomain(target.value)}>
              <option value="">{t('timeline.everyDomain')}</option>
              {domains.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </div>
          {places.length === 0 ? (
            <p className={css.none}>{t('timeline.noEvents')}</p>
          ) : (
            <EventList log={log} places={places} selected={selected} onSelect={select} />
          )}
        </div>
        <section className={css.panel} tabIndex={0} aria-label={t('timeline.state')}>
          {event && step && (
            <div className={css.facts}>
              <h3>{event.type}</h3>
              <p className={css.meta}>
                {event.meta.seq} · {event.meta.source} · {new Date(event.meta.at).toISOString()}
              </p>
              <StateTree key={event.type} value={event.data} before={event.data} />
              <h3>{t('timeline.state')}</h3>
              {step.before === step.after && <p className={css.meta}>{t('timeline.unchanged')}</p>}
              <StateTree value={step.after} before={step.before} />
            </div>
          )}
        </section>
        {moment ? <ReplayedPane moment={moment} /> : <p className={css.none}>{t('timeline.hint')}</p>}
      </div>
    </>
  )
}

/** A second pane that shows a moment, and records nothing. */
function ReplayedPane({ moment }: { moment: Moment }) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (isLoaded) frame.current?.contentWindow?.replay?.show(moment)
  }, [isLoaded, moment])
  return (
    <section className={css.replayed} aria-label={t('timeline.replayed')}>
      <p className={css.banner}>{t('timeline.replayedHint')}</p>
      <iframe
        ref={frame}
        className={css.replay}
        title={t('timeline.replayed')}
        src="replay.html"
        onLoad={() => setLoaded(true)}
      />
    </section>
  )
}
