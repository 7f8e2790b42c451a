import { useObservableEagerState } from 'observable-hooks'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogFileProblem } from '../../../streams/pane/logFile.ts'
import { evolveApp, initialState } from '../../../streams/pane/state.ts'
import { useDropArea } from '../../../views/shared/dom/dropping.ts'
import { config } from '../../engine/config.ts'
import * as design from '../design/design.module.css'
import { IconButton } from '../design/IconButton.tsx'
import type { RuntimeHost, RuntimeLog } from '../runtimeHost.ts'
import { createHistory } from './history.ts'
import { LogExplorer } from './LogExplorer.tsx'
import { type OpenedLog, openLog } from './openLog.ts'
import { type PaneSession, nextEventNumber } from './session.ts'
import * as css from './timeline.module.css'

/** Explores the log of the pane, a launch runtime or a file: its events, with the state and pane after each. */
export function Timeline(props: {
  session: PaneSession | null
  runtimeHost: RuntimeHost
  onClose: () => void
}) {
  const { session, runtimeHost, onClose } = props
  const { t } = useTranslation()
  const [opened, setOpened] = useState<Readonly<{ name: string; log: OpenedLog }> | null>(null)
  const [problem, setProblem] = useState<LogFileProblem | null>(null)
  const [launch, setLaunch] = useState<Readonly<{ id: string; log: RuntimeLog }> | null>(null)
  const choose = async (id: string) => setLaunch(id === '' ? null : { id, log: await runtimeHost.log(id) })
  const dock = useRef<HTMLElement>(null)
  // On a narrow page the timeline opens below the visible area, so the page scrolls to it.
  useEffect(() => {
    dock.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const open = async (file: File | undefined) => {
    if (!file) return
    const log = openLog(await file.text())
    setProblem('problem' in log ? log : null)
    if (!('problem' in log)) setOpened({ name: file.name, log })
  }
  const { isOver, dropping } = useDropArea(({ files }) => void open(files[0]))
  return (
    <section
      ref={dock}
      id="timeline"
      className={[css.dock, design.card, isOver && css.dropping].filter(Boolean).join(' ')}
      aria-label={t('timeline.label')}
      {...dropping}
    >
      <header className={css.head}>
        <h2 className={design.oneLine}>
          {opened ? t('timeline.fromFile', { name: opened.name }) : t('timeline.label')}
        </h2>
        {!opened && <LaunchSelect runtimeHost={runtimeHost} chosen={launch?.id ?? ''} onChoose={choose} />}
        <FileButton onFile={(file) => void open(file)} />
        {opened && (
          <button type="button" className={design.button} onClick={() => setOpened(null)}>
            {t('timeline.closeFile')}
          </button>
        )}
        <IconButton icon="dismiss" label={t('timeline.close')} onClick={onClose} />
      </header>
      {problem && (
        <p role="alert" className={`${design.notice} ${design.noticeError}`}>
          <span className={design.noticeText}>
            {problem.problem === 'brokenEvent'
              ? t('timeline.brokenEvent', { at: problem.at })
              : t(PROBLEMS[problem.problem])}
          </span>
          <IconButton icon="dismiss" label={t('notifications.dismiss')} onClick={() => setProblem(null)} />
        </p>
      )}
      {opened ? (
        <LogExplorer key={opened.name} log={opened.log.file.events} history={opened.log.history} />
      ) : launch ? (
        <LaunchLog key={launch.id} log={launch.log} />
      ) : (
        session && <LiveLog key={session.id} session={session} />
      )}
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
        className={design.unseen}
        accept=".json,application/json"
        onChange={({ target }) => {
          onFile(target.files?.[0])
          // Without this reset, choosing the same file again would not fire `change`.
          target.value = ''
        }}
      />
      <label htmlFor={id} className={design.button}>
        {t('timeline.openFile')}
      </label>
    </span>
  )
}

function LiveLog({ session }: { session: PaneSession }) {
  const { log, base } = session
  const history = useMemo(() => createHistory(base, evolveApp, log), [base, log])
  const end = useObservableEagerState(useMemo(() => nextEventNumber(session), [session]))
  return <LogExplorer log={log} end={end} history={history} isLive />
}

/** Chooses the log to show: the pane's, or that of a launch, as it is when chosen. */
function LaunchSelect(props: {
  runtimeHost: RuntimeHost
  chosen: string
  onChoose: (id: string) => Promise<void>
}) {
  const { runtimeHost, chosen, onChoose } = props
  const { t } = useTranslation()
  const launches = useObservableEagerState(runtimeHost.raised$)
  if (launches.length === 0) return null
  return (
    <select
      aria-label={t('timeline.source')}
      className={design.box}
      value={chosen}
      onChange={({ target }) => void onChoose(target.value)}
    >
      <option value="">{t('timeline.ofPane')}</option>
      {launches.map((each, index) => (
        <option key={each.id} value={each.id}>
          {t('timeline.ofLaunch', { number: index + 1, kind: each.kind, outcome: each.outcome })}
        </option>
      ))}
    </select>
  )
}

function LaunchLog({ log }: { log: RuntimeLog }) {
  const history = useMemo(() => createHistory(() => initialState(config.stage), evolveApp, log), [log])
  return <LogExplorer log={log} history={history} />
}
