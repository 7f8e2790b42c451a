import { useId } from 'react'
import { Link } from 'react-router-dom'
import { Sync, type SyncKind } from '../../streams/administration/directory/events.ts'
import { runInQuestion } from '../../streams/administration/directory/rules.ts'
import { hasRole } from '../../streams/administration/session/rules.ts'
import { failureOf, valueOf } from '../../streams/kernel/load.ts'
import {
  appliesTheRest,
  type DirectoryRun,
  type DirectoryState,
} from '../../streams/organisation/directory.ts'
import { Button } from '../parts/Button.tsx'
import { Notice } from '../parts/Notice.tsx'
import { Runs } from './directory/Runs.tsx'
import { useAdministrationState, useGesture, useRecording } from './hooks/administration.tsx'
import { AreaPage } from './parts/AreaPage.tsx'
import { Failure } from './parts/Failure.tsx'
import { Loaded } from './parts/Loaded.tsx'
import { NotAllowed } from './parts/NotAllowed.tsx'
import { useTexts } from './text/texts.ts'
import * as textCss from './parts/Text.module.css'
import * as css from './directory/Directory.module.css'

/** Where the documentation says how to connect a directory. */
const DOCS_PAGE = 'docs/directory.md'

/** Where people come from: what is connected, the last runs, and what they ask. */
export function Directory() {
  const load = useAdministrationState(({ directory }) => directory)
  return (
    <AreaPage area="directory">
      <Loaded load={load} role="Signet.Read">
        {(directory) => (
          <>
            <Connected directory={directory} />
            {directory.kind === 'graph' && <Acts directory={directory} />}
            <Question directory={directory} />
            {directory.kind !== 'none' && <Runs runs={directory.runs} />}
            {directory.kind !== 'none' && <Groups directory={directory} />}
          </>
        )}
      </Loaded>
    </AreaPage>
  )
}

/** What is connected, in words. */
function Connected({ directory: { kind, sources } }: { directory: DirectoryState }) {
  const t = useTexts()
  return (
    <section className={css['section']} aria-label={t(`directory.${kind}`)}>
      <h2>{t(`directory.${kind}`)}</h2>
      <p>{t(`directory.${kind}Meaning`)}</p>
      {kind === 'none' && (
        <>
          <p>{t('directory.docs', { page: DOCS_PAGE })}</p>
          <p>
            <Link to="/people" className={textCss['link']}>
              {t('directory.importLink')}
            </Link>
          </p>
        </>
      )}
      {sources.length > 0 && (
        <dl className={css['facts']}>
          <div>
            <dt>{t('directory.sources')}</dt>
            {sources.map((source) => (
              <dd key={source}>{source}</dd>
            ))}
          </div>
        </dl>
      )}
    </section>
  )
}

/** Begins a sync or a dry run. */
function useSync(): (kind: SyncKind) => void {
  const record = useGesture()
  return (kind) => {
    record(Sync.requested({ kind }))
  }
}

function Acts({ directory: { isRunning } }: { directory: DirectoryState }) {
  const t = useTexts()
  const sync = useSync()
  const isAllowed = useAdministrationState(({ session }) => hasRole(session, 'Signet.People'))
  const attempt = useAdministrationState((state) => state.sync.attempt)
  const failure = failureOf(attempt)
  const isBusy = isRunning || attempt.status === 'pending'
  if (!isAllowed) return <NotAllowed role="Signet.People" />
  return (
    <section className={css['section']} aria-label={t('directory.syncNow')}>
      {/* The buttons stay in their place while a run is under way. */}
      <div className={css['buttons']}>
        <Button
          look="secondary"
          isOff={isBusy}
          onPress={() => {
            sync('try')
          }}
        >
          {t('directory.tryNow')}
        </Button>
        <Button
          look="secondary"
          isOff={isBusy}
          onPress={() => {
            sync('sync')
          }}
        >
          {t('directory.syncNow')}
        </Button>
      </div>
      <p role="status" className={css['status']}>
        {isBusy ? t('directory.running') : t('directory.tryMeaning')}
      </p>
      {failure &&
        (failure.kind === 'http' && failure.code === 'sync_running' ? (
          <p>{t('directory.runsAlready')}</p>
        ) : (
          <Failure title="directory.startFailed" failure={failure} onRetry={null} />
        ))}
    </section>
  )
}

/** A run that would deactivate many people deactivated none of them, and needs approval. */
function Question({ directory }: { directory: DirectoryState }) {
  const t = useTexts()
  const declined = useAdministrationState(({ sync }) => sync.declined)
  const run = directory.isRunning ? null : runInQuestion(directory, declined)
  const wasDeclined = directory.runs.some(({ id }) => id === declined)
  return (
    <>
      {run && <Asked run={run} />}
      <p role="status" className={css['unless-empty']}>
        {!run && wasDeclined && t('directory.question.left')}
      </p>
    </>
  )
}

function Asked({ run }: { run: DirectoryRun }) {
  const { id, retired } = run
  const t = useTexts()
  const sync = useSync()
  const recording = useRecording()
  const people = useAdministrationState(({ overview }) => valueOf(overview)?.people)
  const isAllowed = useAdministrationState(({ session }) => hasRole(session, 'Signet.People'))
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
            <Button
              look="secondary"
              onPress={() => {
                sync('deactivate')
              }}
            >
              {t('directory.question.deactivate')}
            </Button>
            <Button look="secondary" onPress={recording(Sync.declined({ run: id }))}>
              {t('directory.question.leave')}
            </Button>
          </>
        )
      }
    >
      <p>{t(appliesTheRest(run) ? 'directory.question.meaningWaits' : 'directory.question.meaning')}</p>
    </Notice>
  )
}

/** The groups that rules name, and how many people they have. */
function Groups({ directory: { groups } }: { directory: DirectoryState }) {
  const t = useTexts()
  const headingId = useId()
  return (
    <section className={css['section']} aria-labelledby={headingId}>
      <h2 id={headingId}>{t('directory.groups.title')}</h2>
      {groups.length === 0 && <p>{t('directory.groups.none')}</p>}
      <dl className={css['facts']}>
        {groups.map(({ named, members }) => (
          <div key={named}>
            <dt>{named}</dt>
            <dd className={members === null ? textCss['warning'] : undefined}>
              {members === null
                ? t('directory.groups.notFound')
                : t('directory.groups.members', { count: members })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
