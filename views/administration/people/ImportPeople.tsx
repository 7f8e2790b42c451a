import { useState } from 'react'
import { PeopleImport } from '../../../streams/administration/people/events.ts'
import type { ImportState } from '../../../streams/administration/people/reducer.ts'
import { stoppedImportOf } from '../../../streams/administration/people/stopped.ts'
import { wasWorkStopped } from '../../../streams/administration/work/rules.ts'
import type { Failure as FailureOf } from '../../../streams/kernel/failure.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { useShowMore } from '../parts/more.tsx'
import { DropZone, FileField } from '../parts/FileField.tsx'
import { Progress } from '../parts/Progress.tsx'
import { IfAllowed } from '../parts/NotAllowed.tsx'
import { FoldedSection } from '../parts/Section.tsx'
import { type Term, Terms } from '../parts/Terms.tsx'
import { useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './People.module.css'

/** Imports people from a CSV file, folded until the administrator needs it: first shows the changes, then imports the file once the administrator confirms. */
export function ImportPeople() {
  const t = useTexts()
  const importing = useAdministrationState((state) => state.importing)
  // Stays true after an import is closed, so that the section does not fold under the focus.
  const [hasImported, setHasImported] = useState(false)
  if (importing !== null && !hasImported) setHasImported(true)
  return (
    <FoldedSection title={t('people.import.title')} heading="h2" isOpen={hasImported}>
      <IfAllowed role="Signet.People">
        <Outcome state={importing} />
        {importing ? <Importing state={importing} /> : <Choice />}
      </IfAllowed>
    </FoldedSection>
  )
}

function Choice() {
  const t = useTexts()
  const record = useGesture()
  const offer = ([file]: FileList) => {
    if (file) record(PeopleImport.offered({ file: createHandle(file), name: file.name }))
  }
  return (
    <DropZone onDrop={({ files }) => offer(files)}>
      <FileField
        label={t('people.import.choose')}
        hint={t('people.import.hint')}
        accept=".csv,text/csv"
        data-goes-on
        onChoose={offer}
      />
    </DropZone>
  )
}

/** The result of the dry run or, once confirmed, of the import. */
function Outcome({ state }: { state: ImportState }) {
  const t = useTexts()
  if (!state) return <Answer status="idle" pending={null} success={null} failure={null} />
  const { name, tried, done } = state
  const isTrial = done.status === 'idle'
  const [unread, failure] = [failureOf(tried), failureOf(done)]
  const stopped = failure && stoppedImportOf(failure)
  const counted = loadedValue(done) ?? loadedValue(tried)
  return (
    <>
      <Answer
        status={isTrial ? tried.status : done.status}
        pending={t(isTrial ? 'people.import.trying' : 'people.import.importing', { name })}
        success={
          <>
            {isTrial ? (
              <h3>{t('people.import.would', { name })}</h3>
            ) : (
              <p>{t('people.import.did', { name })}</p>
            )}
            {counted && <Counts result={counted} />}
          </>
        }
        failure={
          unread && wasWorkStopped(unread) ? (
            <p role="status">{t('people.import.tryStopped', { name })}</p>
          ) : failure && wasWorkStopped(failure) ? (
            <Notice tone="info" title={t('people.import.wasStopped', { name })} urgent>
              {stopped && <p>{t('people.import.stopped', stopped)}</p>}
              <p>{t('people.import.again')}</p>
            </Notice>
          ) : unread ? (
            <Unread name={name} failure={unread} />
          ) : (
            <Failure title="people.import.failed" values={{ name }} failure={failure} onRetry={null}>
              {stopped && <p>{t('people.import.stopped', stopped)}</p>}
              <p>{t('people.import.again')}</p>
            </Failure>
          )
        }
      />
      <Progress kind="try" label={t('people.import.trying', { name })} />
      <Progress kind="import" label={t('people.import.importing', { name })} />
    </>
  )
}

function Importing({ state: { name, tried, done } }: { state: NonNullable<ImportState> }) {
  const t = useTexts()
  const recording = useRecording()
  const planned = loadedValue(tried)
  const result = loadedValue(done) ?? planned
  const isConfirmed = done.status === 'pending' || done.status === 'fail'
  const mayImport =
    planned !== undefined &&
    (done.status === 'idle' || done.status === 'fail') &&
    planned.added + planned.changed > 0
  return (
    <>
      {isConfirmed && planned && (
        <>
          <h3>{t('people.import.would', { name })}</h3>
          <Counts result={planned} />
        </>
      )}
      {result && result.refused.length + result.problems.length > 0 && <Reasons result={result} />}
      {done.status !== 'pending' && (
        <div className={css['buttons']}>
          {mayImport && (
            <Button look="primary" onPress={recording(PeopleImport.confirmed())}>
              {t('people.import.confirm')}
            </Button>
          )}
          <Button look="secondary" onPress={recording(PeopleImport.closed())}>
            {t(done.status === 'success' ? 'people.import.close' : 'people.import.drop')}
          </Button>
        </div>
      )}
    </>
  )
}

function Unread({ name, failure }: { name: string; failure: FailureOf }) {
  const t = useTexts()
  return failure.kind === 'storage' ? (
    <p role="alert">{t('people.import.unreadable')}</p>
  ) : (
    <Failure title="people.import.tryFailed" values={{ name }} failure={failure} onRetry={null} />
  )
}

const COUNTS = ['added', 'changed', 'unchanged'] as const

function Counts({ result }: { result: ImportResult }) {
  const t = useTexts()
  const { count } = useFormats()
  const { refused, problems } = result
  const errors = problems.filter(({ level }) => level === 'error')
  const isEmpty = result.added + result.changed + refused.length + errors.length === 0
  return (
    <>
      {isEmpty && <p>{t('people.import.nothing')}</p>}
      <Terms
        look="counts"
        terms={[
          ...COUNTS.map((each): Term => [t(`people.import.${each}`), count(result[each])]),
          [t('people.import.refused'), count(refused.length + errors.length)],
        ]}
      />
    </>
  )
}

const REASONS_SHOWN = 50

/** The reasons for skipped lines. Shows the list in steps, because every line of a file can be wrong. */
function Reasons({ result: { refused, problems } }: { result: ImportResult }) {
  const t = useTexts()
  const [shown, more] = useShowMore(
    [
      ...problems.map(({ line, message }) => [t('people.import.line', { line }), message] as const),
      ...refused.map(({ row, reason }) => [t('people.import.row', { row }), reason] as const),
    ],
    REASONS_SHOWN,
  )
  return (
    <>
      <h3>{t('people.import.why')}</h3>
      <ul className={sectionCss['lines']}>
        {shown.map(([place, reason], index) => (
          <li key={index}>
            {place}: <span lang="en">{reason}</span>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
