import { useState } from 'react'
import { Planning } from '../../../streams/administration/plan/events.ts'
import {
  isPeriod,
  linesOf,
  linesProblem,
  type SignatureChanges,
  templateChoices,
} from '../../../streams/administration/plan/signatures.ts'
import { isTimeZone } from '../../../streams/organisation/names.ts'
import type { ReleaseDocument, Signature } from '../../../streams/organisation/release.ts'
import { Button } from '../../parts/Button.tsx'
import { useGesture, useRecording } from '../hooks/administration.tsx'
import { ChoiceField, Field, LinesField } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import { MAX_NAME_CHARACTERS } from './Cards.tsx'
import { Conditions } from './Conditions.tsx'
import { fieldProblemText } from './words.ts'
import * as stack from '../../parts/Stack.module.css'
import * as css from './Signatures.module.css'

type Change = (changes: SignatureChanges) => void

/**
 * The form of a signature's rules. Each field changes the draft at once. A value that a release cannot have stays in
 * its field, with what is wrong; the draft keeps the value before it.
 */
export function Rules({ signature, document }: { signature: Signature; document: ReleaseDocument }) {
  const record = useGesture()
  const change: Change = (changes) => {
    record(Planning.signatureChanged({ signature: signature.id, changes }))
  }
  return (
    <div className={css['rules']}>
      <Name signature={signature} change={change} />
      <Position signature={signature} document={document} />
      <ForWhom signature={signature} change={change} />
      <When signature={signature} change={change} />
      <Recipients signature={signature} change={change} />
      <Versions signature={signature} document={document} change={change} />
      <Collection signature={signature} document={document} change={change} />
    </div>
  )
}

type Part = Readonly<{ signature: Signature; change: Change }>

function Name({ signature, change }: Part) {
  const t = useTexts()
  const [name, setName] = useState(signature.name)
  return (
    <Field
      label={t('signatures.rules.name')}
      type="text"
      maxLength={MAX_NAME_CHARACTERS}
      value={name}
      problem={name.trim() === '' ? t('signatures.problem.empty') : null}
      onChange={({ currentTarget: { value } }) => {
        setName(value)
        if (value.trim() !== '') change({ name: value.trim() })
      }}
    />
  )
}

/** The order decides: the first signature that fits a person is the default. */
function Position({
  signature: { id },
  document: { signatures },
}: {
  signature: Signature
  document: ReleaseDocument
}) {
  const t = useTexts()
  const recording = useRecording()
  const index = signatures.findIndex((each) => each.id === id)
  const moveTo = (to: number) => recording(Planning.signatureMoved({ signature: id, to }))
  return (
    <div className={stack['gapS']}>
      <p role="status">{t('signatures.rules.position', { position: index + 1, of: signatures.length })}</p>
      <div className={stack['buttons']}>
        <Button look="secondary" isOff={index === 0} onPress={moveTo(index - 1)}>
          {t('signatures.rules.earlier')}
        </Button>
        <Button look="secondary" isOff={index === signatures.length - 1} onPress={moveTo(index + 1)}>
          {t('signatures.rules.later')}
        </Button>
      </div>
    </div>
  )
}

function ForWhom({ signature: { selection }, change }: Part) {
  const t = useTexts()
  const [isEveryone, setEveryone] = useState(selection.for === 'everyone')
  return (
    <>
      <fieldset className={css['rules']}>
        <legend>{t('signatures.rules.for')}</legend>
        <ChoiceField
          label={t('signatures.rules.people')}
          value={isEveryone ? 'everyone' : 'some'}
          options={[
            ['everyone', t('signatures.rules.everyone')],
            ['some', t('signatures.rules.some')],
          ]}
          onChange={({ currentTarget: { value } }) => {
            setEveryone(value === 'everyone')
            if (value === 'everyone') change({ selection: { ...selection, for: 'everyone' } })
          }}
        />
        {!isEveryone && (
          <Conditions
            groups={selection.for === 'everyone' ? [] : selection.for}
            needsOne
            onChange={(groups) => change({ selection: { ...selection, for: groups } })}
          />
        )}
      </fieldset>
      <fieldset className={css['rules']}>
        <legend>{t('signatures.rules.not')}</legend>
        <Conditions
          groups={selection.not}
          needsOne={false}
          onChange={(groups) => change({ selection: { ...selection, not: groups } })}
        />
      </fieldset>
    </>
  )
}

function When({ signature: { during }, change }: Part) {
  const t = useTexts()
  const [isAlways, setAlways] = useState(during === null)
  const [period, setPeriod] = useState(during ?? { from: '', to: '', timeZone: browserTimeZone() })
  const set = (changes: Partial<typeof period>) => {
    const after = { ...period, ...changes }
    setPeriod(after)
    if (isPeriod(after)) change({ during: after })
  }
  const isEmpty = period.from === '' || period.to === ''
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.rules.when')}</legend>
      <ChoiceField
        label={t('signatures.rules.time')}
        value={isAlways ? 'always' : 'during'}
        options={[
          ['always', t('signatures.rules.always')],
          ['during', t('signatures.rules.period')],
        ]}
        onChange={({ currentTarget: { value } }) => {
          setAlways(value === 'always')
          if (value === 'always') change({ during: null })
          else if (isPeriod(period)) change({ during: period })
        }}
      />
      {!isAlways && (
        <>
          <Field
            label={t('signatures.rules.from')}
            type="date"
            value={period.from}
            onChange={({ currentTarget: { value } }) => set({ from: value })}
          />
          <Field
            label={t('signatures.rules.to')}
            type="date"
            value={period.to}
            problem={
              isEmpty
                ? t('signatures.problem.days')
                : period.to < period.from
                  ? t('signatures.problem.ends')
                  : null
            }
            onChange={({ currentTarget: { value } }) => set({ to: value })}
          />
          <Field
            label={t('signatures.rules.timeZone')}
            type="text"
            hint={t('signatures.rules.timeZoneHint')}
            value={period.timeZone}
            problem={isTimeZone(period.timeZone) ? null : t('signatures.problem.timeZone')}
            onChange={({ currentTarget: { value } }) => set({ timeZone: value.trim() })}
          />
        </>
      )}
    </fieldset>
  )
}

const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

type RecipientsKind = 'everyone' | 'internal' | 'external' | 'domains'

function Recipients({ signature: { recipients }, change }: Part) {
  const t = useTexts()
  const [kind, setKind] = useState<RecipientsKind>(typeof recipients === 'string' ? recipients : 'domains')
  const [text, setText] = useState(typeof recipients === 'string' ? '' : recipients.join('\n'))
  const problem = linesProblem('domain', linesOf(text))
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.rules.recipients')}</legend>
      <ChoiceField
        label={t('signatures.rules.offeredFor')}
        value={kind}
        options={(['everyone', 'internal', 'external', 'domains'] as const).map((each) => [
          each,
          t(`signatures.recipients.${each === 'domains' ? 'some' : each}`),
        ])}
        onChange={({ currentTarget: { value } }) => {
          const chosen = value as RecipientsKind
          setKind(chosen)
          if (chosen !== 'domains') change({ recipients: chosen })
          else if (problem === null) change({ recipients: linesOf(text) })
        }}
      />
      {kind === 'domains' && (
        <LinesField
          label={t('signatures.rules.domains')}
          hint={t('signatures.rules.linesHint')}
          value={text}
          problem={fieldProblemText(problem, t)}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            const lines = linesOf(value)
            if (linesProblem('domain', lines) === null) change({ recipients: lines })
          }}
        />
      )}
    </fieldset>
  )
}

const NONE = ''

function Versions({ signature, document, change }: Part & { document: ReleaseDocument }) {
  const t = useTexts()
  const paths = templateChoices(document)
  const optionsWith = (chosen: string | null) =>
    // A path that leads to no template is offered while it is chosen, so that the form does not hide it.
    [...new Set([...(chosen === null ? [] : [chosen]), ...paths])].sort().map((path) => [path, path] as const)
  const optional = (use: 'reply' | 'mobile') => (
    <ChoiceField
      label={t(`plan.use.${use}`)}
      value={signature[use] ?? NONE}
      options={[[NONE, t('signatures.rules.asNew')], ...optionsWith(signature[use])]}
      onChange={({ currentTarget: { value } }) => change({ [use]: value === NONE ? null : value })}
    />
  )
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.card.versions')}</legend>
      <ChoiceField
        label={t('plan.use.signature')}
        value={signature.template}
        options={optionsWith(signature.template)}
        onChange={({ currentTarget: { value } }) => change({ template: value })}
      />
      {optional('reply')}
      {optional('mobile')}
    </fieldset>
  )
}

function Collection({ signature: { collection }, document, change }: Part & { document: ReleaseDocument }) {
  const t = useTexts()
  const [text, setText] = useState(collection ?? '')
  const known = [...new Set(document.signatures.flatMap((each) => each.collection ?? []))].sort()
  return (
    <>
      <Field
        label={t('signatures.rules.collection')}
        hint={t('signatures.rules.collectionHint')}
        type="text"
        maxLength={MAX_NAME_CHARACTERS}
        list="collections"
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          change({ collection: value.trim() === '' ? null : value.trim() })
        }}
      />
      <datalist id="collections">
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  )
}
