import { type ClipboardEvent, type CSSProperties, useMemo, useRef, useState } from 'react'
import {
  notAdopted,
  originalHtml,
  type Sample,
  takenOf,
} from '../../../streams/administration/plan/adopting.ts'
import { nameOfFile } from '../../../streams/administration/plan/banners.ts'
import type { AdoptedFor } from '../../../streams/administration/plan/samples.ts'
import type { Draft } from '../../../streams/administration/plan/draft.ts'
import { Adopting, Planning } from '../../../streams/administration/plan/events.ts'
import { takenPicture } from '../../../streams/administration/plan/preview.ts'
import type { Failure as FailureOf } from '../../../streams/kernel/failure.ts'
import { createHandle, type Handle } from '../../../streams/kernel/handle.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { Adopted, Question, TakenOut } from '../../../streams/organisation/adopt/adopted.ts'
import { useDropping } from '../../hooks/dom/dropping.ts'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { useAdministrationState, useGesture, useRecording } from '../hooks/administration.tsx'
import { useFirstWrong } from '../hooks/dom/firstWrong.ts'
import { useShown } from '../hooks/shown.ts'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Field, LinesField } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { chosenFiles, type Dropped, droppedBy } from '../plan/dropped.ts'
import { PersonSearch } from '../plan/PreviewPerson.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import { Back, DraftPage, Unpublished } from './DraftPage.tsx'
import { MAX_NAME_CHARACTERS } from './RuleFields.tsx'
import * as stack from '../../parts/Stack.module.css'
import * as planCss from '../plan/Plan.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The page that starts from an existing signature: it is chosen, the service makes a template of it, the draft takes it. */
export function Adopt() {
  const t = useTexts()
  const result = useAdministrationState(({ adopting }) =>
    adopting.load.status === 'success' ? adopting.load.value : null,
  )
  return (
    <DraftPage area="signatures" title={t('signatures.adopt.title')} act={<Back />}>
      {(draft) => (
        <>
          <Unpublished draft={draft} />
          <p>{t('signatures.adopt.intro')}</p>
          <Choose />
          <Samples />
          <Ask />
          {result && <Result draft={draft} result={result} />}
        </>
      )}
    </DraftPage>
  )
}

const MEGABYTE = 1_000_000

/** Where existing signatures are dropped, chosen or pasted. */
function Choose() {
  const t = useTexts()
  const record = useGesture()
  const { reading, samples } = useAdministrationState(({ adopting }) => adopting)
  /** Whether what was pasted last has no format. */
  const [isPlain, setPlain] = useState(false)
  const choose = (files: Handle) => {
    setPlain(false)
    record(Adopting.chosen({ files }))
  }
  const { isOver, dropping } = useDropping((data) => choose(droppedBy(data)))
  return (
    <Section title={t('signatures.adopt.choose')}>
      <div className={planCss['drop']} data-over={isOver} {...dropping}>
        <p>{t('signatures.adopt.drop')}</p>
        <div className={planCss['row']}>
          <Files label={t('signatures.adopt.files')} isFolder={false} onChoose={choose} />
          <Files label={t('signatures.adopt.folder')} isFolder onChoose={choose} />
        </div>
        <Paste onChoose={choose} onPlain={() => setPlain(true)} />
      </div>
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
          <p>
            {t(`signatures.adopt.refusal.${reading.refusal.reason}`, {
              most: 'limit' in reading.refusal ? reading.refusal.limit : 0,
              megabytes: 'limit' in reading.refusal ? reading.refusal.limit / MEGABYTE : 0,
            })}
          </p>
        </Notice>
      )}
    </Section>
  )
}

type Choosing = Readonly<{ onChoose: (files: Handle) => void }>

function Files({ label, isFolder, onChoose }: Choosing & { label: string; isFolder: boolean }) {
  return (
    <Field
      label={label}
      type="file"
      multiple
      {...(isFolder
        ? { webkitdirectory: '' }
        : { accept: '.htm,.html,.eml,.msg,.png,.jpg,.jpeg,.gif,.webp' })}
      onChange={({ currentTarget }) => {
        const { files } = currentTarget
        if (!files || files.length === 0) return
        onChoose(chosenFiles(files))
        // An empty field lets the user choose the same files again after changing them.
        currentTarget.value = ''
      }}
    />
  )
}

/** The name under which a paste is sent. */
const PASTE = 'paste.html'

/** A field that takes what is pasted as a sample. It stays empty: foreign html is never put into the page. */
function Paste({ onChoose, onPlain }: Choosing & { onPlain: () => void }) {
  const t = useTexts()
  const take = (event: ClipboardEvent) => {
    event.preventDefault()
    const html = event.clipboardData.getData('text/html')
    if (html === '') {
      onPlain()
      return
    }
    const file = new File([html], PASTE, { type: 'text/html' })
    onChoose(createHandle({ kind: 'files', files: [file] } satisfies Dropped))
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

/** The name of each sample. Of those with the same name, the second one and the others have a number. */
function namesOf(samples: readonly Sample[], t: Translate): readonly string[] {
  const times = new Map<string, number>()
  return samples.map(({ name }) => {
    const shown = name === PASTE ? t('signatures.adopt.pasted') : name
    const number = (times.get(shown) ?? 0) + 1
    times.set(shown, number)
    return number === 1 ? shown : t('signatures.adopt.again', { name: shown, number })
  })
}

/** The samples that were chosen, each with its person. */
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
          onChange={recording(({ currentTarget: { value } }) => Adopting.beginningTyped({ from: value }))}
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
  sample: Sample
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
        <Button look="secondary" small onPress={recording(Adopting.sampleRemoved({ sample: index }))}>
          {t('signatures.adopt.remove', { name: shown })}
        </Button>
      </div>
    </li>
  )
}

/** Searches for the person whose signature a sample is. */
function PersonOf({ sample, onClose }: { sample: number; onClose: () => void }) {
  const t = useTexts()
  const record = useGesture()
  const give = (person: string | null) => {
    onClose()
    record(Adopting.personGiven({ sample, person }))
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

/** Asks the service, and says how it answers. */
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
          onPress={recording(Adopting.requested())}
        >
          {t('signatures.adopt.make')}
        </Button>
      </div>
      <Answer
        status={load.status}
        pending={t('signatures.adopt.asking')}
        success={t('signatures.adopt.made')}
        failure={<NotMade failure={failureOf(load)} />}
      />
    </div>
  )
}

/** Why there is no template, and what to do. */
function NotMade({ failure }: { failure: FailureOf | null }) {
  const t = useTexts()
  const recording = useRecording()
  const samples = useAdministrationState(({ adopting }) => adopting.samples)
  const refused = notAdopted(failure, samples)
  if (refused === null)
    return (
      <Failure title="signatures.adopt.notMade" failure={failure} onRetry={recording(Adopting.requested())} />
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

/** The template beside the original, what was replaced, asked and taken out, and the name under which it is used. */
function Result({ draft, result: { adopted, person } }: { draft: Draft; result: AdoptedFor }) {
  const t = useTexts()
  const name = useAdministrationState(({ adopting }) => adopting.samples[0]?.name ?? '')
  const isPaste = name === PASTE
  // Pictures can be chosen with a file of html, but with no mail and no paste.
  const isFile = !isPaste && /\.html?$/i.test(name)
  return (
    <>
      <Section title={t('signatures.adopt.compare.title')}>
        <p>
          {person === null
            ? t('signatures.adopt.compare.nobody')
            : t('signatures.adopt.compare.person', { address: person.addresses[0] ?? person.id })}
        </p>
        <Compare draft={draft} adopted={adopted} person={person} />
      </Section>
      <Questions questions={adopted.questions} />
      <Placeholders adopted={adopted} />
      <OutOfIt takenOut={adopted.takenOut} />
      {adopted.linked.length > 0 && (
        <Section title={t('signatures.adopt.linked.title')}>
          <p>{t('signatures.adopt.linked.means')}</p>
          {isFile && <p>{t('signatures.adopt.linked.keep')}</p>}
          <Lines lines={adopted.linked} />
        </Section>
      )}
      <Use adopted={adopted} named={isPaste ? t('signatures.adopt.pasted') : nameOfFile(adopted.name)} />
    </>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className={planCss['list']}>
    {lines.map((line, index) => (
      <li key={index}>{line}</li>
    ))}
  </ul>
)

/** The width at which both are laid out. They are made smaller alike where the page is narrower. */
const WIDTH_PX = 600

/** The original on the left and the template on the right of a line that the administrator moves. */
function Compare({ draft, adopted, person }: { draft: Draft } & AdoptedFor) {
  const t = useTexts()
  const { document, pictures: contents } = draft
  const shown = useShown(document)
  const { at, pictures } = shown
  const [percent, setPercent] = useState(50)
  const whom = person ?? shown.person
  const { html, images } = useMemo(
    () =>
      takenPicture(
        { document, pictures: contents },
        takenOf(adopted, adopted.name),
        { person: whom, at },
        pictures,
      ),
    [document, contents, adopted, whom, at, pictures],
  )
  return (
    <div className={stack['gapS']}>
      <div className={css['sheets']} style={{ '--split': `${String(percent)}%` } as CSSProperties}>
        <SignatureFrame
          html={originalHtml(adopted, pictures)}
          images={images}
          width={WIDTH_PX}
          title={t('signatures.adopt.compare.original')}
        />
        <div className={css['over']}>
          <SignatureFrame
            html={html}
            images={images}
            width={WIDTH_PX}
            title={t('signatures.adopt.compare.template')}
          />
        </div>
      </div>
      <Field
        label={t('signatures.adopt.compare.slider')}
        type="range"
        min={0}
        max={100}
        value={percent}
        aria-valuetext={t('signatures.adopt.compare.value', { share: percent / 100 })}
        onChange={({ currentTarget: { value } }) => setPercent(Number(value))}
      />
      <p className={textCss['quiet']}>{t('signatures.adopt.compare.hint')}</p>
    </div>
  )
}

function Placeholders({ adopted: { placeholders } }: { adopted: Adopted }) {
  const t = useTexts()
  return (
    <Section title={t('signatures.adopt.found.title')}>
      {placeholders.length === 0 ? (
        <p>{t('signatures.adopt.found.none')}</p>
      ) : (
        <ul className={`${sectionCss['list']} ${stack['gapM']}`}>
          {placeholders.map(({ placeholder, replaced, value, because, others }, index) => (
            <li key={index} className={`${stack['gapXS']} ${planCss['path']}`}>
              <p>
                <code>{placeholder}</code> {t('signatures.adopt.found.replaced', { text: replaced })}
              </p>
              <p className={textCss['quiet']}>
                {t(`signatures.adopt.found.${because}`, { value: value ?? '' })}
              </p>
              {others.length > 0 && (
                <p className={textCss['warning']}>{t('signatures.adopt.found.others', { others })}</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** What only a person can decide. */
function Questions({ questions }: { questions: readonly Question[] }) {
  const t = useTexts()
  if (questions.length === 0) return null
  return (
    <Section title={t('signatures.adopt.question.title')}>
      <ul className={`${sectionCss['list']} ${stack['gapM']}`}>
        {questions.map(({ kind, texts }, index) => (
          <li key={index} className={stack['gapXS']}>
            <p>{t(`signatures.adopt.question.${kind}`)}</p>
            {texts.length > 0 && <Lines lines={texts} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const REASONS = ['active', 'missing', 'limit', 'unreadable', 'notMail'] as const

/** What the cleaning took out, by its reason. What only the program that wrote it reads is folded: it is a lot. */
function OutOfIt({ takenOut }: { takenOut: readonly TakenOut[] }) {
  const t = useTexts()
  const of = (reason: TakenOut['reason']) => takenOut.filter((each) => each.reason === reason)
  const noise = of('noise')
  return (
    <Section title={t('signatures.adopt.out.title')}>
      {takenOut.length === 0 && <p>{t('signatures.adopt.out.none')}</p>}
      {REASONS.map(
        (reason) =>
          of(reason).length > 0 && (
            <div key={reason} className={stack['gapXS']}>
              <h3>{t(`signatures.adopt.out.${reason}`)}</h3>
              <Entries entries={of(reason)} />
            </div>
          ),
      )}
      {noise.length > 0 && (
        <details>
          <summary>
            {t('signatures.adopt.out.noise', { times: noise.reduce((sum, { count }) => sum + count, 0) })}
          </summary>
          <Entries entries={noise} />
        </details>
      )}
    </Section>
  )
}

function Entries({ entries }: { entries: readonly TakenOut[] }) {
  const t = useTexts()
  return (
    <Lines
      lines={entries.map(({ kind, name, count }) =>
        t('signatures.adopt.out.entry', {
          ...{ what: t(`signatures.adopt.kind.${kind}`), name, times: count },
        }),
      )}
    />
  )
}

/** Asks for the name, which is `named` until it is typed, and takes the template into the draft. */
function Use({ adopted, named }: { adopted: Adopted; named: string }) {
  const t = useTexts()
  const record = useGesture()
  const [typed, setTyped] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLDivElement>(null)
  useFirstWrong(form, tries)
  const name = typed ?? named.slice(0, MAX_NAME_CHARACTERS)
  return (
    <Section title={t('signatures.adopt.use.title')}>
      <p>{t('signatures.adopt.use.means')}</p>
      <div ref={form} className={stack['gapM']} data-use>
        <Field
          label={t('signatures.rules.name')}
          type="text"
          maxLength={MAX_NAME_CHARACTERS}
          value={name}
          problem={tries > 0 && name.trim() === '' ? t('signatures.blocks.problem.missing') : null}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <div>
          <Button
            look="primary"
            onPress={() => {
              setTries(tries + 1)
              if (name.trim() !== '') record(Planning.templateTaken({ taken: takenOf(adopted, name.trim()) }))
            }}
          >
            {t('signatures.adopt.use.use')}
          </Button>
        </div>
      </div>
    </Section>
  )
}
