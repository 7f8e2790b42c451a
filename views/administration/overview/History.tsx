import { useState } from 'react'
import { RollBack } from '../../../streams/administration/overview/events.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { ReleaseHistory } from '../../../streams/wire/administration/publishing.ts'
import { type NumberedRelease, numberReleases } from '../../../streams/organisation/facts/history.ts'
import { Button } from '../../shared/Button.tsx'
import { Confirm } from '../../shared/Confirm.tsx'
import { useAdministrationState, useGesture, useHasRole } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Answer } from '../parts/Answer.tsx'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Field } from '../parts/Field.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { NotAllowed } from '../parts/NotAllowed.tsx'
import { isLongNote, NothingPublishedNotice, useReleaseName } from '../parts/ReleaseId.tsx'
import { reachText } from '../text/release.ts'
import { useTexts } from '../text/texts.ts'
import { WhatChanged } from './WhatChanged.tsx'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './History.module.css'

/** The area with the published releases. The administrator can roll back to an earlier release here. */
export function History() {
  const releases = useAdministrationState((state) => state.releases)
  return (
    <AreaPage area="history">
      <Loaded load={releases} role="Signet.Read">
        {(value) => <List value={value} />}
      </Loaded>
    </AreaPage>
  )
}

/** The result of the last rollback. `isAsking`: the next rollback awaits confirmation. */
function Result({ history, isAsking }: { history: readonly NumberedRelease[]; isAsking: boolean }) {
  const t = useTexts()
  const { count } = useFormats()
  const { attempt, release } = useAdministrationState((state) => state.rollBack)
  // The release's latest history entry is the rollback. It gives the number of the entry that was restored.
  const entry = history.find((each) => each.release === release)
  return (
    <Answer
      status={isAsking ? 'idle' : attempt.status}
      pending={t('overview.history.rollingBack')}
      success={entry && t('overview.history.done', { number: count(entry.backTo ?? entry.number) })}
      failure={<Failure title="overview.history.failed" failure={failureOf(attempt)} onRetry={null} />}
    />
  )
}

const keyOf = ({ at, release }: Pick<NumberedRelease, 'at' | 'release'>): string => `${String(at)} ${release}`

function List({ value: { current, history } }: { value: ReleaseHistory }) {
  const t = useTexts()
  const { moment } = useFormats()
  const nameOf = useReleaseName()
  const mayPublish = useHasRole('Signet.Publish')
  const isPending = useAdministrationState(({ rollBack }) => rollBack.attempt.status === 'pending')
  const [asked, setAsked] = useState<NumberedRelease | null>(null)
  const [confirmed, setConfirmed] = useState<NumberedRelease | null>(null)
  if (history.length === 0) return <NothingPublishedNotice />
  const entries = numberReleases(history)
  const question = asked ?? confirmed
  const [latest] = history
  const isListed = question !== null && history.some((each) => keyOf(each) === keyOf(question))
  const answered = isListed ? keyOf(question) : latest && keyOf(latest)
  return (
    <>
      <p>
        {t('overview.history.intro')} {reachText(t)}
      </p>
      {!mayPublish && <NotAllowed role="Signet.Publish" />}
      <ol className={`${sectionCss['list']} ${css['history']}`}>
        {entries.map((published, index) => (
          <li key={published.number}>
            <div className={css['words']}>
              <p>
                <strong>{nameOf(published)}</strong>{' '}
                {index === 0 && <span className={css['badge']}>{t('overview.history.current')}</span>}{' '}
                {published.backTo !== null && published.note !== '' && (
                  <span className={css['badge']}>
                    {t('overview.release.backTo', { number: published.backTo })}
                  </span>
                )}
              </p>
              {isLongNote(published.note) && <p>{published.note}</p>}
              <p className={textCss['quiet']}>
                {t('overview.history.by', { when: moment(published.at), who: published.by })}
              </p>
            </div>
            {mayPublish && published.release !== current && (
              <Button
                look="secondary"
                isOff={isPending}
                label={t('overview.history.rollBackTo', { release: nameOf(published) })}
                onPress={() => setAsked(published)}
              >
                {t('overview.history.rollBack')}
              </Button>
            )}
            {mayPublish && keyOf(published) === answered && (
              <Result history={entries} isAsking={asked !== null} />
            )}
            <WhatChanged published={published} />
          </li>
        ))}
      </ol>
      {asked && (
        <Confirmation
          published={asked}
          onClose={() => setAsked(null)}
          onConfirm={() => setConfirmed(asked)}
        />
      )}
    </>
  )
}

/** Explains a rollback and asks the administrator to confirm it. */
function Confirmation({
  published,
  onClose,
  onConfirm,
}: {
  published: NumberedRelease
  onClose: () => void
  onConfirm: () => void
}) {
  const t = useTexts()
  const record = useGesture()
  const { moment } = useFormats()
  const nameOf = useReleaseName()
  const [note, setNote] = useState('')
  return (
    <Confirm
      title={t('overview.history.ask', { release: nameOf(published) })}
      confirm={t('overview.history.rollBack')}
      cancel={t('overview.history.cancel')}
      onClose={onClose}
      onConfirm={() => {
        record(RollBack.requested({ release: published.release, note: note.trim() }))
        onConfirm()
        onClose()
      }}
    >
      <p>{t('overview.history.askMeans', { when: moment(published.at), reach: reachText(t) })}</p>
      <div className={css['note']}>
        <Field
          label={t('overview.history.note')}
          type="text"
          maxLength={500}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </div>
    </Confirm>
  )
}
