import { useState } from 'react'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { holderOf } from '../../../streams/administration/plan/reducer.ts'
import {
  dependsOnWriter,
  hasNoOwnPerson,
  signatureToHold,
} from '../../../streams/administration/plan/openPage.ts'
import { compiledReleaseOf } from '../../../streams/administration/plan/preview.ts'
import { displayName, isMailbox } from '../../../streams/organisation/release/selectors.ts'
import type { FoundPerson } from '../../../streams/wire/administration/people.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { now } from '../../../streams/kernel/time.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useTools } from '../../shared/tools.tsx'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Field } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import { Choices } from './Choices.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Workbench.module.css'

/**
 * Names the preview's person in one line. Its button opens a dialog, so that the preview keeps its place. On the page of
 * a signature, a second line offers a person who has the signature.
 */
export function PreviewPerson() {
  const t = useTexts()
  const { load } = useAdministrationState(({ plan }) => plan.person)
  const isUnknown = useAdministrationState(({ plan }) => hasNoOwnPerson(plan))
  const self = useAdministrationState(({ owner }) => owner?.name ?? '')
  const hasSignature = useAdministrationState(({ plan }) => plan.signature !== null)
  const [isChoosing, setChoosing] = useState(false)
  const shown = loadedValue(load)
  return (
    <>
      <div className={css['who']} data-person>
        <p role="status">
          {load.status === 'pending'
            ? t('load.loading')
            : shown
              ? t('plan.preview.person', { address: shown.addresses[0] ?? shown.id })
              : isUnknown
                ? t('plan.preview.unknownSelf', { name: self })
                : t('plan.preview.sample')}
        </p>
        <Button look="secondary" small goesOn onPress={() => setChoosing(true)}>
          {t('plan.preview.change')}
        </Button>
      </div>
      <PreviewWriter />
      {hasSignature && <Holder />}
      <PreviewPersonFailure />
      {isChoosing && <PersonDialog onClose={() => setChoosing(false)} />}
    </>
  )
}

/**
 * Names who writes for the preview's mailbox, if the page depends on it. The line stands there for other people, too, so
 * that the preview keeps its place.
 */
function PreviewWriter() {
  const t = useTexts()
  const record = useGesture()
  const recording = useRecording()
  const shown = useAdministrationState(({ plan }) => loadedValue(plan.person.load))
  const document = useAdministrationState(({ plan }) => plan.debounced)
  const isShown = useAdministrationState(({ plan }) => dependsOnWriter(plan))
  const { wanted, load } = useAdministrationState(({ plan }) => plan.writer)
  if (!document || !isShown) return null
  if (!shown || !isMailbox(compiledReleaseOf(document), shown))
    return (
      <div className={css['who']} data-writer>
        <p>{t('plan.preview.ownWriter')}</p>
      </div>
    )
  const writer = loadedValue(load)
  return (
    <>
      <Writer
        address={writer ? (writer.addresses[0] ?? writer.id) : null}
        isLoading={load.status === 'pending'}
        isChosen={wanted !== null}
        onChoose={(person) => record(Planning.writerChosen({ person: person?.id ?? null }))}
      />
      <Failure
        title="load.failed"
        failure={failureOf(load)}
        onRetry={recording(Planning.writerChosen({ person: wanted }))}
      />
    </>
  )
}

/**
 * Names in one line who writes for a mailbox. Its button opens a dialog that searches for another person.
 *
 * @param address null for nobody in particular
 * @param onChoose gets null for nobody in particular
 */
export function Writer({
  address,
  isLoading = false,
  isChosen,
  onChoose,
}: {
  address: string | null
  isLoading?: boolean
  isChosen: boolean
  onChoose: (person: FoundPerson | null) => void
}) {
  const t = useTexts()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className={css['who']} data-writer>
      <p role="status">
        {isLoading
          ? t('load.loading')
          : address === null
            ? t('plan.preview.anyWriter')
            : t('plan.preview.writer', { address })}
      </p>
      <Button look="secondary" small goesOn onPress={() => setChoosing(true)}>
        {t('plan.preview.changeWriter')}
      </Button>
      {isChoosing && (
        <WriterDialog isChosen={isChosen} onChoose={onChoose} onClose={() => setChoosing(false)} />
      )}
    </div>
  )
}

/** Searches for the person who writes. Each choice closes the dialog; Enter in the search chooses the first one found. */
function WriterDialog({
  isChosen,
  onChoose,
  onClose,
}: {
  isChosen: boolean
  onChoose: (person: FoundPerson | null) => void
  onClose: () => void
}) {
  const t = useTexts()
  const found = useAdministrationState(({ plan }) => plan.search.found)
  const first = found.status === 'success' ? found.value[0] : undefined
  const choose = (person: FoundPerson | null) => {
    onClose()
    onChoose(person)
  }
  return (
    <Dialog
      title={t('plan.preview.chooseWriter')}
      onClose={onClose}
      onSubmit={() => {
        if (first) choose(first)
      }}
      act={
        isChosen && (
          <Button look="secondary" onPress={() => choose(null)}>
            {t('plan.preview.useAnyWriter')}
          </Button>
        )
      }
    >
      <PersonSearch onChoose={choose} />
    </Dialog>
  )
}

/** The preview's person in a few words. */
export function usePreviewPersonName(): string {
  const t = useTexts()
  const { load } = useAdministrationState(({ plan }) => plan.person)
  const document = useAdministrationState(({ plan }) => plan.debounced)
  const shown = loadedValue(load)
  if (load.status === 'pending') return t('load.loading')
  if (!shown) return t('plan.preview.ofSample')
  const named = document ? displayName(compiledReleaseOf(document), shown) : ''
  const names = [named, shown.directory['displayName'], shown.addresses[0]]
  return names.find((each) => each !== undefined && each !== '') ?? shown.id
}

/** Says why the preview's person could not be loaded, with a button that tries again. */
export function PreviewPersonFailure() {
  const recording = useRecording()
  const { wanted, load } = useAdministrationState(({ plan }) => plan.person)
  const isUnknown = useAdministrationState(({ plan }) => hasNoOwnPerson(plan))
  return (
    <Failure
      title="load.failed"
      failure={isUnknown ? null : failureOf(load)}
      onRetry={recording(
        typeof wanted === 'object' ? Planning.personChosen({ person: wanted.id }) : Planning.selfChosen(),
      )}
    />
  )
}

/** Offers a person who has the signature, if the preview's person does not. Keeps its height, so that nothing moves. */
function Holder() {
  const t = useTexts()
  const recording = useRecording()
  const { time } = useTools()
  const load = useAdministrationState(({ plan }) => {
    const signature = signatureToHold(plan, now(time))
    return signature && holderOf(plan, signature)
  })
  const isSample = useAdministrationState(({ plan }) => loadedValue(plan.person.load) === undefined)
  const holder = load ? loadedValue(load) : undefined
  const failure = load && failureOf(load)
  // The service refuses unfinished rules. The rules themselves say what is missing.
  const isUnfinished = failure?.kind === 'http' && failure.status === 400
  return (
    <>
      <div className={css['holder']} data-holder>
        {load?.status === 'pending' && <p role="status">{t('plan.preview.findingHolder')}</p>}
        {holder === null && <p role="status">{t('plan.preview.noHolder')}</p>}
        {holder === null && !isSample && (
          <Button look="secondary" small onPress={recording(Planning.sampleChosen())}>
            {t('plan.preview.useSample')}
          </Button>
        )}
        {holder && (
          <Button look="secondary" small onPress={recording(Planning.personChosen({ person: holder.id }))}>
            {t('plan.preview.useHolder', { name: holder.name === '' ? holder.address : holder.name })}
          </Button>
        )}
      </div>
      <Failure
        title="load.failed"
        failure={isUnfinished ? null : failure}
        onRetry={recording(Planning.holderRetried())}
      />
    </>
  )
}

/** Searches for a person. Each choice closes the dialog; Enter in the search chooses the first one found. */
function PersonDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const record = useGesture()
  const wanted = useAdministrationState(({ plan }) => plan.person.wanted)
  const found = useAdministrationState(({ plan }) => plan.search.found)
  const first = found.status === 'success' ? found.value[0] : undefined
  const choose = (choice: Parameters<typeof record>[0]) => () => {
    onClose()
    record(choice)
  }
  return (
    <Dialog
      title={t('plan.preview.choose')}
      onClose={onClose}
      onSubmit={() => {
        if (first) choose(Planning.personChosen({ person: first.id }))()
      }}
      act={
        <>
          {wanted !== 'self' && (
            <Button look="secondary" onPress={choose(Planning.selfChosen())}>
              {t('plan.preview.useSelf')}
            </Button>
          )}
          {wanted !== 'sample' && (
            <Button look="secondary" onPress={choose(Planning.sampleChosen())}>
              {t('plan.preview.useSample')}
            </Button>
          )}
        </>
      }
    >
      <PersonSearch onChoose={({ id }) => choose(Planning.personChosen({ person: id }))()} />
    </Dialog>
  )
}

/** A search field for people, with the results. */
export function PersonSearch({ onChoose }: { onChoose: (person: FoundPerson) => void }) {
  const t = useTexts()
  const recording = useRecording()
  const { text, found } = useAdministrationState(({ plan }) => plan.search)
  const people = loadedValue(found)
  return (
    <div className={stack['gapS']}>
      <Field
        label={t('plan.preview.search')}
        type="search"
        autoComplete="off"
        value={text}
        onChange={recording(({ currentTarget: { value } }) => Planning.personSearched({ text: value }))}
      />
      <div className={css['found']}>
        <p role="status">
          {found.status === 'pending'
            ? t('plan.preview.searching')
            : people && t('plan.preview.found', { count: people.length })}
        </p>
        <Failure title="load.failed" failure={failureOf(found)} onRetry={null} />
        {people && people.length > 0 && (
          <Choices
            label={t('plan.preview.results')}
            choices={people.map((person) => ({
              key: person.id,
              text: person.name === '' ? person.address : person.name,
              detail: person.address,
              value: person,
            }))}
            onChoose={onChoose}
          />
        )}
      </div>
    </div>
  )
}
