import { type CSSProperties, useMemo, useRef, useState } from 'react'
import { originalSignatureOf, adoptedTemplateOf } from '../../../streams/administration/plan/adopting.ts'
import { fileNameWords } from '../../../streams/administration/plan/banners.ts'
import type { Draft } from '../../../streams/administration/plan/draft.ts'
import { Adoption, Planning } from '../../../streams/administration/plan/events.ts'
import { renderAddedTemplate } from '../../../streams/administration/plan/preview.ts'
import { type AdoptedSamples, PASTED_FILE_NAME } from '../../../streams/administration/plan/samples.ts'
import { newSignatureId } from '../../../streams/administration/plan/signatures.ts'
import { withAddedTemplate } from '../../../streams/administration/plan/taken.ts'
import {
  type AdoptedTemplate,
  concernsOnePerson,
  type AdoptQuestion,
  type RemovedMarkup,
} from '../../../streams/organisation/adopt/adopted.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { Handle } from '../../../streams/kernel/handle.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { useFirstInvalidFocus } from '../dom/firstWrong.ts'
import { useDisplayContext } from '../parts/shown.ts'
import { CheckField, Field } from '../parts/Field.tsx'
import { DropZone, FileField } from '../parts/FileField.tsx'
import { Section } from '../parts/Section.tsx'
import { chosenFilesHandle, droppedHandle } from '../plan/dropped.ts'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { sampleRefusalText } from '../text/plan.ts'
import { useTexts } from '../text/texts.ts'
import { MAX_NAME_CHARACTERS } from './RuleFields.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as planCss from '../plan/Plan.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The keys of the answered questions. `of` is the questions as text. */
type Answers = Readonly<{ of: string; keys: ReadonlySet<string> }>
const NONE: ReadonlySet<string> = new Set()

/** The parts of a question that need an answer: each text that looks personal, or else the question itself. */
const keysOfOne = ({ kind, texts }: AdoptQuestion, index: number): readonly string[] =>
  kind === 'personal' ? texts : concernsOnePerson({ kind }) ? [`${kind} ${String(index)}`] : []

const keysOf = (questions: readonly AdoptQuestion[]): readonly string[] => questions.flatMap(keysOfOne)

/** The adopted template beside the original, its replacements, questions and removed parts, and a form to use it. */
export function AdoptResult({
  draft,
  result: { adopted, person },
}: {
  draft: Draft
  result: AdoptedSamples
}) {
  const t = useTexts()
  const name = useAdministrationState(({ adopting }) => adopting.samples[0]?.name ?? '')
  const isPaste = name === PASTED_FILE_NAME
  /** The answers hold while the questions stay the same, such as after pictures were given. */
  const asked = JSON.stringify(adopted.questions)
  const [answers, setAnswers] = useState<Answers>({ of: asked, keys: NONE })
  const answered = answers.of === asked ? answers.keys : NONE
  const answer = (key: string, isOn: boolean) => {
    const keys = new Set(answered)
    if (isOn) keys.add(key)
    else keys.delete(key)
    setAnswers({ of: asked, keys })
  }
  return (
    <>
      <Section title={t('signatures.adopt.compare.title')}>
        <p>
          {person === null
            ? t('signatures.adopt.compare.unknown')
            : t('signatures.adopt.compare.person', { address: person.addresses[0] ?? person.id })}
        </p>
        <Compare draft={draft} adopted={adopted} person={person} />
      </Section>
      <Questions questions={adopted.questions} answered={answered} onAnswer={answer} />
      <Placeholders adopted={adopted} />
      <OutOfIt takenOut={adopted.takenOut} />
      <Linked linked={adopted.linked} unusedFiles={adopted.unusedFiles} />
      <Use
        document={draft.document}
        adopted={adopted}
        named={isPaste ? t('signatures.adopt.pasted') : fileNameWords(adopted.name)}
        isAnswered={keysOf(adopted.questions).every((key) => answered.has(key))}
      />
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

/** The layout width of both signatures. On a narrower page, both shrink equally. */
const WIDTH_PX = 600

/** Shows the original to the left of a movable line, and the template to its right. */
function Compare({ draft, adopted, person }: { draft: Draft } & AdoptedSamples) {
  const t = useTexts()
  const { document, pictures: contents } = draft
  const made = useMemo(
    () => withAddedTemplate({ document, pictures: contents }, adoptedTemplateOf(adopted, adopted.name, true)),
    [document, contents, adopted],
  )
  const { person: chosen, at, pictures, formats, haveFailed } = useDisplayContext(made.document)
  const [percent, setPercent] = useState(50)
  const whom = person ?? chosen
  const original = useMemo(() => originalSignatureOf(adopted, pictures), [adopted, pictures])
  const template = useMemo(
    () => renderAddedTemplate(made, { person: whom, at }, pictures, formats),
    [made, whom, at, pictures, formats],
  )
  return (
    <div className={stack['gapS']}>
      {haveFailed && <p role="status">{t('plan.preview.plain')}</p>}
      <div className={css['sheets']} style={{ '--split': `${String(percent)}%` } as CSSProperties}>
        <SignatureFrame {...original} width={WIDTH_PX} title={t('signatures.adopt.compare.original')} />
        <div className={css['over']}>
          <SignatureFrame {...template} width={WIDTH_PX} title={t('signatures.adopt.compare.template')} />
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

function Placeholders({ adopted: { placeholders } }: { adopted: AdoptedTemplate }) {
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

/** Questions that only a person can answer. */
function Questions({
  questions,
  answered,
  onAnswer,
}: {
  questions: readonly AdoptQuestion[]
  answered: ReadonlySet<string>
  onAnswer: (key: string, isOn: boolean) => void
}) {
  const t = useTexts()
  if (questions.length === 0) return null
  return (
    <Section title={t('signatures.adopt.question.title')}>
      <ul className={`${sectionCss['list']} ${stack['gapM']}`}>
        {questions.map(({ kind, texts }, index) => (
          <li key={index} className={stack['gapXS']}>
            <p>{t(`signatures.adopt.question.${kind}`)}</p>
            {texts.length > 0 && kind !== 'personal' && <Lines lines={texts} />}
            {keysOfOne({ kind, texts }, index).map((key) => (
              <CheckField
                key={key}
                label={
                  kind === 'personal'
                    ? t('signatures.adopt.question.same', { text: key })
                    : t('signatures.adopt.question.right')
                }
                isOn={answered.has(key)}
                onSwitch={(isOn) => onAnswer(key, isOn)}
              />
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const UNUSED_REASONS = ['unclear', 'unused', 'unreadable', 'limit'] as const

const REASONS = ['active', 'missing', 'limit', 'unreadable', 'notMail'] as const

/**
 * The parts that the cleaning removed, by reason. Collapses data for the original mail program, because there is a lot.
 */
function OutOfIt({ takenOut }: { takenOut: readonly RemovedMarkup[] }) {
  const t = useTexts()
  const of = (reason: RemovedMarkup['reason']) => takenOut.filter((each) => each.reason === reason)
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

function Entries({ entries }: { entries: readonly RemovedMarkup[] }) {
  const t = useTexts()
  return (
    <Lines
      lines={entries.map(({ kind, name, count }) =>
        t('signatures.adopt.out.entry', {
          what: t(`signatures.adopt.kind.${kind}`),
          name,
          times: count,
        }),
      )}
    />
  )
}

/** The pictures that stay linked; takes their files, and names those that cannot replace a picture. */
function Linked({ linked, unusedFiles }: Pick<AdoptedTemplate, 'linked' | 'unusedFiles'>) {
  const t = useTexts()
  const record = useGesture()
  const { givenTo, reading, load } = useAdministrationState(({ adopting }) => adopting)
  /** Whether the last files were chosen, and not dropped. */
  const [isChosen, setChosen] = useState(false)
  const give = (files: Handle, chosen: boolean) => {
    setChosen(chosen)
    record(Adoption.picturesGiven({ files }))
  }
  // What is given here stays here, also when no picture is linked any more.
  if (linked.length === 0 && unusedFiles.length === 0 && givenTo === 'choice') return null
  return (
    <Section title={t('signatures.adopt.linked.title')}>
      {linked.length > 0 && (
        <>
          <p>{t('signatures.adopt.linked.means')}</p>
          <Lines lines={linked} />
        </>
      )}
      <DropZone onDrop={(data) => give(droppedHandle(data), false)}>
        <p role="status">
          {linked.length === 0
            ? t('signatures.adopt.linked.none')
            : t('signatures.adopt.linked.give', { count: linked.length })}
        </p>
        <FileField
          label={t('signatures.adopt.linked.files')}
          hint={t('signatures.adopt.linked.names')}
          multiple
          isCurrent={isChosen}
          onChoose={(files) => give(chosenFilesHandle(files), true)}
        />
      </DropZone>
      <p role="status" data-given>
        {givenTo === 'result' &&
          (reading.status === 'pending'
            ? t('signatures.adopt.reading')
            : load.status === 'pending' && t('signatures.adopt.asking'))}
      </p>
      {givenTo === 'result' && reading.status === 'refused' && (
        <Notice tone="warning" title={t('signatures.adopt.notRead')} urgent>
          <p>{sampleRefusalText(reading.refusal, true, t)}</p>
        </Notice>
      )}
      {UNUSED_REASONS.map((reason) => {
        const files = unusedFiles.filter((each) => each.reason === reason)
        return (
          files.length > 0 && (
            <div key={reason} className={stack['gapXS']}>
              <h3>{t(`signatures.adopt.unused.${reason}`)}</h3>
              <Lines lines={files.map(({ path }) => path)} />
            </div>
          )
        )
      })}
    </Section>
  )
}

/** Asks for a name, with `named` as the default, and adds the template to the draft. */
function Use({
  document,
  adopted,
  named,
  isAnswered,
}: {
  document: ReleaseDocument
  adopted: AdoptedTemplate
  named: string
  isAnswered: boolean
}) {
  const t = useTexts()
  const record = useGesture()
  const [typed, setTyped] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLDivElement>(null)
  useFirstInvalidFocus(form, tries)
  // A name that is too long is not the default, because a shortened name could mean something else.
  const name = typed ?? (named.length > MAX_NAME_CHARACTERS ? '' : named)
  const taken = adoptedTemplateOf(adopted, name.trim(), isAnswered)
  const isForNobody = taken.people?.length === 0
  return (
    <Section title={t('signatures.adopt.use.title')}>
      <p>{t('signatures.adopt.use.means')}</p>
      {isForNobody ? (
        <p role="status" className={textCss['warning']}>
          {t('signatures.adopt.use.nobody')}
        </p>
      ) : (
        !isAnswered && <p>{t('signatures.adopt.use.only')}</p>
      )}
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
              if (taken.name === '' || isForNobody) return
              record(Planning.templateTaken({ signature: newSignatureId(document, taken.name), taken }))
            }}
          >
            {t('signatures.adopt.use.use')}
          </Button>
        </div>
      </div>
    </Section>
  )
}
