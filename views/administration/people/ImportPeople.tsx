import { Import } from '../../../streams/administration/people/events.ts'
import type { ImportState } from '../../../streams/administration/people/reducer.ts'
import { stoppedImport } from '../../../streams/administration/people/stopped.ts'
import type { Failure as FailureOf } from '../../../streams/kernel/failure.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { failureOf, valueOf } from '../../../streams/kernel/load.ts'
import type { Imported } from '../../../streams/wire/administration/people.ts'
import { Button } from '../../parts/Button.tsx'
import { useAdministrationState, useGesture, useRecording } from '../hooks/administration.tsx'
import { useFormats } from '../hooks/formats.ts'
import { Failure } from '../parts/Failure.tsx'
import { useMore } from '../hooks/more.tsx'
import { Field } from '../parts/Field.tsx'
import { IfAllowed } from '../parts/NotAllowed.tsx'
import { Section } from '../parts/Section.tsx'
import { type Term, Terms } from '../parts/Terms.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './People.module.css'

/** The import of a CSV file: shows what the file would change, and imports it when the administrator confirms. */
export function ImportPeople() {
  const t = useTexts()
  const importing = useAdministrationState((state) => state.importing)
  return (
    <Section title={t('people.import.title')}>
      <IfAllowed role="Signet.People">{importing ? <Importing state={importing} /> : <Choice />}</IfAllowed>
    </Section>
  )
}

function Choice() {
  const t = useTexts()
  const record = useGesture()
  return (
    <Field
      label={t('people.import.choose')}
      hint={t('people.import.hint')}
      type="file"
      accept=".csv,text/csv"
      data-goes-on
      onChange={({ target: { files } }) => {
        const [file] = files ?? []
        if (file) record(Import.offered({ file: createHandle(file), name: file.name }))
      }}
    />
  )
}

/** Says whether the dry run or the import is under way; empty when neither is. */
function doingText({ name, tried, done }: NonNullable<ImportState>, t: Translate): string {
  if (tried.status === 'pending') return t('people.import.trying', { name })
  return done.status === 'pending' ? t('people.import.importing', { name }) : ''
}

function Importing({ state }: { state: NonNullable<ImportState> }) {
  const t = useTexts()
  const recording = useRecording()
  const { name, tried, done } = state
  const result = valueOf(done) ?? valueOf(tried)
  const [unread, failure] = [failureOf(tried), failureOf(done)]
  const stopped = failure && stoppedImport(failure)
  const isDone = done.status === 'success'
  const mayImport =
    tried.status === 'success' &&
    (done.status === 'idle' || done.status === 'fail') &&
    tried.value.added + tried.value.changed > 0
  const close = recording(Import.closed())
  return (
    <>
      <p role="status" className={sectionCss['status']}>
        {doingText(state, t)}
        {isDone && t('people.import.did', { name })}
      </p>
      {unread && <Unread name={name} failure={unread} />}
      {failure && (
        <Failure title="people.import.failed" values={{ name }} failure={failure} onRetry={null}>
          {stopped && <p>{t('people.import.stopped', stopped)}</p>}
          <p>{t('people.import.again')}</p>
        </Failure>
      )}
      {result && <Result result={result} title={isDone ? null : t('people.import.would', { name })} />}
      {done.status !== 'pending' && (
        <div className={css['buttons']}>
          {mayImport && (
            <Button look="primary" goesOn onPress={recording(Import.confirmed())}>
              {t('people.import.confirm')}
            </Button>
          )}
          <Button look="secondary" goesOn={!mayImport} onPress={close}>
            {t(isDone ? 'people.import.close' : 'people.import.drop')}
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

function Result({ result, title }: { result: Imported; title: string | null }) {
  const t = useTexts()
  const { count } = useFormats()
  const { refused, problems } = result
  const errors = problems.filter(({ level }) => level === 'error')
  const isEmpty = result.added + result.changed + refused.length + errors.length === 0
  return (
    <>
      {title !== null && <h3>{title}</h3>}
      {isEmpty && <p>{t('people.import.nothing')}</p>}
      <Terms
        look="counts"
        terms={[
          ...COUNTS.map((each): Term => [t(`people.import.${each}`), count(result[each])]),
          [t('people.import.refused'), count(refused.length + errors.length)],
        ]}
      />
      {refused.length + problems.length > 0 && <Reasons result={result} />}
    </>
  )
}

const REASONS_SHOWN = 50

/** Why lines were left out. The list is shown in steps, because every line of a file can be wrong. */
function Reasons({ result: { refused, problems } }: { result: Imported }) {
  const t = useTexts()
  const [shown, more] = useMore(
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
