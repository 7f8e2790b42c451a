import { type ClipboardEvent, useState } from 'react'
import { adoptErrorOf, type SignatureSample } from '../../../streams/administration/plan/adopting.ts'
import { Adoption } from '../../../streams/administration/plan/events.ts'
import { PASTED_FILE_NAME } from '../../../streams/administration/plan/samples.ts'
import type { Failure as FailureOf } from '../../../streams/kernel/failure.ts'
import { createHandle, type Handle } from '../../../streams/kernel/handle.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Field, LinesField } from '../parts/Field.tsx'
import { DropZone, FileField } from '../parts/FileField.tsx'
import { Section } from '../parts/Section.tsx'
import { chosenFilesHandle, type DroppedContent, droppedHandle } from '../plan/dropped.ts'
import { PersonSearch } from '../plan/PreviewPerson.tsx'
import { sampleRefusalText } from '../text/plan.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import { AdoptResult } from './AdoptResult.tsx'
import { BackToCards, DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as planCss from '../plan/Plan.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'

/**
 * The page that adopts an existing signature: the administrator chooses it, the service makes a template, and the draft
 * takes it.
 */
export function Adopt() {
  const t = useTexts()
  const result = useAdministrationState(({ adopting }) => loadedValue(adopting.load) ?? null)
  return (
    <DraftPage area="signatures" title={t('signatures.adopt.title')} act={<BackToCards />}>
      {(draft) => (
        <>
          <DraftStatus draft={draft} />
          <p>{t('signatures.adopt.intro')}</p>
          <Choose />
          <Samples />
          <Ask />
          {result && <AdoptResult draft={draft} result={result} />}
        </>
      )}
    </DraftPage>
  )
}

/** Lets the administrator drop, choose or paste existing signatures. */
function Choose() {
  const t = useTexts()
  const record = useGesture()
  const { reading: latest, givenTo, samples } = useAdministrationState(({ adopting }) => adopting)
  const reading = givenTo === 'choice' ? latest : ({ status: 'idle' } as const)
  /** Whether the last pasted content has no formatting. */
  const [isPlain, setPlain] = useState(false)
  /** The field of the last choice; null if something was dropped or pasted. */
  const [field, setField] = useState<'files' | 'folder' | null>(null)
  const choose = (files: Handle, chosen: typeof field = null) => {
    setPlain(false)
    setField(chosen)
    record(Adoption.chosen({ files }))
  }
  return (
    <Section title={t('signatures.adopt.choose')}>
      <DropZone onDrop={(data) => choose(droppedHandle(data))}>
        <p>{t('signatures.adopt.drop')}</p>
        <div className={planCss['row']}>
          <FileField
            label={t('signatures.adopt.files')}
            multiple
            accept=".htm,.html,.eml,.msg,.png,.jpg,.jpeg,.gif,.webp"
            isCurrent={field === 'files'}
            onChoose={(files) => choose(chosenFilesHandle(files), 'files')}
          />
          <FileField
            label={t('signatures.adopt.folder')}
            isFolder
            multiple
            isCurrent={field === 'folder'}
            onChoose={(files) => choose(chosenFilesHandle(files), 'folder')}
          />
        </div>
        <Paste onChoose={choose} onPlain={() => setPlain(true)} />
      </DropZone>
      <p role="status" className={isPlain ? textCss['warning'] : undefined}>
        {reading.status === 'pending'
          ? t('signatures.adopt.reading')
          : isPlain
            ? t('signatures.adopt.plain')
            : reading.status === 'idle' &&
              samples.length > 0 &&
              t('signatures.adopt.count', { count: samples.length })}
      </p>
      {reading.status === 'refused' && (
        <Notice tone="warning" title={t('signatures.adopt.notRead')} urgent>
          <p>{sampleRefusalText(reading.refusal, false, t)}</p>
        </Notice>
      )}
    </Section>
  )
}

/** A field that accepts pasted content as a sample. It stays empty, so that foreign HTML never enters the page. */
function Paste({ onChoose, onPlain }: { onChoose: (files: Handle) => void; onPlain: () => void }) {
  const t = useTexts()
  const take = (event: ClipboardEvent) => {
    event.preventDefault()
    const html = event.clipboardData.getData('text/html')
    if (html === '') {
      onPlain()
      return
    }
    const file = new File([html], PASTED_FILE_NAME, { type: 'text/html' })
    onChoose(createHandle({ kind: 'files', files: [file] } satisfies DroppedContent))
  }
  return (
    <LinesField
      label={t('signatures.adopt.paste')}
      hint={t('signatures.adopt.pasteHint')}
      value=""
      onChange={() => undefined}
      onPaste={take}
    />
  )
}

/** The name of each sample. Repeated names get a number. */
function namesOf(samples: readonly SignatureSample[], t: Translate): readonly string[] {
  const times = new Map<string, number>()
  return samples.map(({ name }) => {
    const shown = name === PASTED_FILE_NAME ? t('signatures.adopt.pasted') : name
    const number = (times.get(shown) ?? 0) + 1
    times.set(shown, number)
    return number === 1 ? shown : t('signatures.adopt.again', { name: shown, number })
  })
}

/** The chosen samples, each with its person. */
function Samples() {
  const t = useTexts()
  const recording = useRecording()
  const { samples, from } = useAdministrationState(({ adopting }) => adopting)
  const [asked, setAsked] = useState<number | null>(null)
  if (samples.length === 0) return <p data-samples>{t('signatures.adopt.none')}</p>
  const names = namesOf(samples, t)
  const hasMail = samples.some(({ name }) => /\.(?:eml|msg)$/i.test(name))
  return (
    <Section title={t('signatures.adopt.chosen')}>
      <ul className={`${sectionCss['list']} ${stack['gapM']}`} data-samples>
        {samples.map((sample, index) => (
          <OneSample
            key={index}
            sample={sample}
            shown={names[index] ?? ''}
            index={index}
            onAsk={() => setAsked(index)}
          />
        ))}
      </ul>
      {hasMail && (
        <Field
          label={t('signatures.adopt.from')}
          hint={t('signatures.adopt.fromHint')}
          type="text"
          autoComplete="off"
          maxLength={1000}
          value={from}
          onChange={recording(({ currentTarget: { value } }) => Adoption.beginningTyped({ from: value }))}
        />
      )}
      {asked !== null && <PersonOf sample={asked} onClose={() => setAsked(null)} />}
    </Section>
  )
}

function OneSample({
  sample: { files, person },
  shown,
  index,
  onAsk,
}: {
  sample: SignatureSample
  shown: string
  index: number
  onAsk: () => void
}) {
  const t = useTexts()
  const recording = useRecording()
  return (
    <li className={stack['gapXS']}>
      <p className={planCss['path']}>
        <strong>{shown}</strong>
        {files.length > 1 && <> {t('signatures.adopt.pictures', { pictures: files.length - 1 })}</>}
      </p>
      <p className={planCss['path']}>
        {person === null
          ? t('signatures.adopt.personLooked')
          : t('signatures.adopt.personIs', { address: person })}
      </p>
      <div className={stack['buttons']}>
        <Button look="secondary" small onPress={onAsk}>
          {t('signatures.adopt.person', { name: shown })}
        </Button>
        <Button look="secondary" small onPress={recording(Adoption.sampleRemoved({ sample: index }))}>
          {t('signatures.adopt.remove', { name: shown })}
        </Button>
      </div>
    </li>
  )
}

/** Searches for the owner of a sample's signature. */
function PersonOf({ sample, onClose }: { sample: number; onClose: () => void }) {
  const t = useTexts()
  const record = useGesture()
  const give = (person: string | null) => {
    onClose()
    record(Adoption.personGiven({ sample, person }))
  }
  return (
    <Dialog
      title={t('signatures.adopt.whose')}
      onClose={onClose}
      act={
        <Button look="secondary" onPress={() => give(null)}>
          {t('signatures.adopt.look')}
        </Button>
      }
    >
      <PersonSearch onChoose={({ address }) => give(address)} />
    </Dialog>
  )
}

/** Sends the samples to the service and shows the outcome. */
function Ask() {
  const t = useTexts()
  const recording = useRecording()
  const { samples, reading, load } = useAdministrationState(({ adopting }) => adopting)
  if (samples.length === 0) return null
  return (
    <div className={stack['gapS']} data-ask>
      <div>
        <Button
          look={load.status === 'success' ? 'secondary' : 'primary'}
          isOff={load.status === 'pending' || reading.status === 'pending'}
          onPress={recording(Adoption.requested())}
        >
          {t('signatures.adopt.make')}
        </Button>
      </div>
      <Answer
        // While a result is made again with pictures, it stays, and says so where they were given.
        status={loadedValue(load) === undefined ? load.status : 'success'}
        pending={t('signatures.adopt.asking')}
        success={t('signatures.adopt.made')}
        failure={<NotMade failure={failureOf(load)} />}
      />
    </div>
  )
}

/** Explains why there is no template, and what to do. */
function NotMade({ failure }: { failure: FailureOf | null }) {
  const t = useTexts()
  const recording = useRecording()
  const samples = useAdministrationState(({ adopting }) => adopting.samples)
  const refused = adoptErrorOf(failure, samples)
  if (refused === null)
    return (
      <Failure title="signatures.adopt.notMade" failure={failure} onRetry={recording(Adoption.requested())} />
    )
  return (
    <Notice tone="warning" title={t('signatures.adopt.notMade')} urgent>
      <p className={planCss['path']}>
        {t(`signatures.adopt.refused.${refused.code}`, {
          names: refused.of.map((index) => namesOf(samples, t)[index] ?? ''),
        })}
      </p>
    </Notice>
  )
}
