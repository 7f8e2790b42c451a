import { Link } from 'react-router-dom'
import { DirectorySync, SyncStop } from '../../../streams/administration/directory/events.ts'
import { undecidedRun } from '../../../streams/administration/directory/rules.ts'
import { UNCOUNTED_PROGRESS } from '../../../streams/kernel/progress.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import {
  appliesOtherChanges,
  type DirectoryRun,
  type DirectoryState,
} from '../../../streams/organisation/directory/directory.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { Runs, useRunSummary } from './Runs.tsx'
import {
  useAdministration,
  useAdministrationState,
  useRecording,
  useHasRole,
} from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { ProgressBar } from '../parts/Progress.tsx'
import { IfAllowed } from '../parts/NotAllowed.tsx'
import { Section } from '../parts/Section.tsx'
import { Terms } from '../parts/Terms.tsx'
import { useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Directory.module.css'

/** The area Directory: connected sources, the latest runs, and the approval of a run. */
export function Directory() {
  const load = useAdministrationState(({ directory }) => directory)
  return (
    <AreaPage area="directory">
      <Loaded load={load} role="Signet.Read">
        {(directory) => (
          <>
            <Connected directory={directory} />
            {directory.kind === 'graph' && (
              <IfAllowed role="Signet.People">
                <Acts directory={directory} />
              </IfAllowed>
            )}
            <Question directory={directory} />
            {directory.kind !== 'none' && <Runs runs={directory.runs} />}
            {directory.kind !== 'none' && <Groups directory={directory} />}
          </>
        )}
      </Loaded>
    </AreaPage>
  )
}

function Connected({ directory: { kind, sources } }: { directory: DirectoryState }) {
  const t = useTexts()
  const { documentation } = useAdministration()
  return (
    <Section title={t(`directory.${kind}`)}>
      <p>{t(`directory.${kind}Meaning`)}</p>
      {kind === 'none' && (
        <>
          <p>
            <a
              href={`${documentation}/directory.md`}
              target="_blank"
              hrefLang="en"
              rel="noreferrer"
              className={textCss['link']}
            >
              {t('directory.docs')}
            </a>
          </p>
          <p>
            <Link to="/people" className={textCss['link']}>
              {t('directory.importLink')}
            </Link>
          </p>
        </>
      )}
      {sources.length > 0 && <Terms look="facts" terms={[[t('directory.sources'), ...sources]]} />}
    </Section>
  )
}

function Acts({ directory: { isRunning, runs } }: { directory: DirectoryState }) {
  const t = useTexts()
  const recording = useRecording()
  const attempt = useAdministrationState((state) => state.sync.attempt)
  const failure = failureOf(attempt)
  const isBusy = isRunning || attempt.status === 'pending'
  // The attempt succeeds as soon as the run begins, so the answer stays pending until the run ends. Another
  // administrator's run has no answer here.
  const answered = attempt.status === 'success' && isRunning ? 'pending' : attempt.status
  const summaryOf = useRunSummary()
  const [last] = runs
  return (
    <section className={sectionCss['section']} aria-label={t('directory.syncNow')}>
      {/* The buttons stay in place during a run. */}
      <div className={css['buttons']}>
        <Button look="secondary" isOff={isBusy} onPress={recording(DirectorySync.requested({ kind: 'try' }))}>
          {t('directory.tryNow')}
        </Button>
        <Button
          look="secondary"
          isOff={isBusy}
          onPress={recording(DirectorySync.requested({ kind: 'sync' }))}
        >
          {t('directory.syncNow')}
        </Button>
      </div>
      <p role="status" className={sectionCss['status']}>
        {isBusy && answered !== 'pending' ? t('directory.running') : t('directory.tryMeaning')}
      </p>
      <Answer
        status={answered}
        pending={t('directory.running')}
        success={last && summaryOf(last)}
        failure={
          failure?.kind === 'http' && failure.code === 'sync_running' ? (
            <p role="alert">{t('directory.runsAlready')}</p>
          ) : (
            <Failure title="directory.startFailed" failure={failure} onRetry={null} />
          )
        }
      />
      {isRunning && runs[0]?.outcome === 'running' && <Running run={runs[0]} />}
    </section>
  )
}

/** A run's progress: first the entries read, then the changes applied. */
function Running({ run: { read, progress = UNCOUNTED_PROGRESS } }: { run: DirectoryRun }) {
  const t = useTexts()
  const recording = useRecording()
  const stopping = useAdministrationState(({ sync }) => sync.stopping)
  const { done, of } = progress
  return (
    <ProgressBar
      label={t('directory.running')}
      text={
        of === 0
          ? t('directory.progress.read', { count: read })
          : t('directory.progress.applied', { done, count: of })
      }
      progress={progress}
      stop={{ stopping, onStop: recording(SyncStop.requested()) }}
    />
  )
}

/** Asks for approval of a run that would deactivate many people. Without approval, the run deactivates nobody. */
function Question({ directory }: { directory: DirectoryState }) {
  const t = useTexts()
  const declined = useAdministrationState(({ sync }) => sync.declined)
  const run = directory.isRunning ? null : undecidedRun(directory, declined)
  const wasDeclined = !directory.isRunning && directory.runs.some(({ id }) => id === declined)
  return (
    <>
      {run && <Asked run={run} />}
      <Answer
        status={!run && wasDeclined ? 'success' : 'idle'}
        pending={null}
        success={t('directory.question.left')}
        failure={null}
      />
    </>
  )
}

function Asked({ run }: { run: DirectoryRun }) {
  const { id, retired } = run
  const t = useTexts()
  const recording = useRecording()
  const people = useAdministrationState(({ overview }) => loadedValue(overview)?.people)
  const isAllowed = useHasRole('Signet.People')
  return (
    <Notice
      tone="warning"
      title={
        people === undefined
          ? t('directory.question.titleOnly', { retired })
          : t('directory.question.title', { retired, people })
      }
      act={
        isAllowed && (
          <>
            <Button look="secondary" onPress={recording(DirectorySync.requested({ kind: 'deactivate' }))}>
              {t('directory.question.deactivate')}
            </Button>
            <Button look="secondary" onPress={recording(DirectorySync.declined({ run: id }))}>
              {t('directory.question.leave')}
            </Button>
          </>
        )
      }
    >
      <p>{t(appliesOtherChanges(run) ? 'directory.question.meaningWaits' : 'directory.question.meaning')}</p>
    </Notice>
  )
}

/** The groups that the rules use, each with its number of people. */
function Groups({ directory: { groups } }: { directory: DirectoryState }) {
  const t = useTexts()
  return (
    <Section title={t('directory.groups.title')}>
      {groups.length === 0 && <p>{t('directory.groups.none')}</p>}
      <Terms
        look="facts"
        terms={groups.map(({ named, members }) => [
          named,
          members === null
            ? { warning: t('directory.groups.notFound') }
            : t('directory.groups.members', { count: members }),
        ])}
      />
    </Section>
  )
}
