import { useState } from 'react'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { SignatureChanges } from '../../../streams/administration/plan/signatures.ts'
import type { ReleaseDocument, Signature } from '../../../streams/organisation/release/release.ts'
import { useGesture } from '../parts/administration.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import {
  SelectionFields,
  MAX_NAME_CHARACTERS,
  NameField,
  PositionField,
  RecipientsField,
  ThreadField,
  templateOptions,
  PeriodField,
} from './RuleFields.tsx'
import * as css from './Signatures.module.css'

type Change = (changes: SignatureChanges) => void

/**
 * The form of a signature's rules. Each field changes the draft at once. An invalid value stays in its field with its
 * problem, and the draft keeps the previous value.
 */
export function Rules({ signature, document }: { signature: Signature; document: ReleaseDocument }) {
  const t = useTexts()
  const record = useGesture()
  const { signatures } = document
  const index = signatures.indexOf(signature)
  const change: Change = (changes) => {
    record(Planning.signatureChanged({ signature: signature.id, changes }))
  }
  return (
    <div className={css['rules']}>
      <NameField name={signature.name} onChange={(name) => change({ name })} />
      <PositionField
        says={t('signatures.rules.position', { position: index + 1, of: signatures.length })}
        index={index}
        of={signatures.length}
        onMove={(to) => {
          record(Planning.signatureMoved({ signature: signature.id, to }))
        }}
      />
      <SelectionFields
        selection={signature.selection}
        onChange={(selection) => {
          if (selection !== signature.selection) change({ selection })
        }}
      />
      <PeriodField
        during={signature.during}
        onChange={(during) => {
          if (during !== undefined) change({ during })
        }}
      />
      <RecipientsField
        label={t('signatures.rules.offeredFor')}
        recipients={signature.recipients}
        onChange={(recipients) => {
          if (recipients !== undefined) change({ recipients })
        }}
      />
      <ThreadField thread={signature.thread} onChange={(thread) => change({ thread })} />
      <Versions signature={signature} document={document} change={change} />
      <Collection signature={signature} document={document} change={change} />
    </div>
  )
}

type Part = Readonly<{ signature: Signature; change: Change }>

const NONE = ''

function Versions({ signature, document, change }: Part & { document: ReleaseDocument }) {
  const t = useTexts()
  const optional = (use: 'reply' | 'mobile' | 'meeting') => (
    <ChoiceField
      label={t(`plan.use.${use}`)}
      value={signature[use] ?? NONE}
      options={[
        [NONE, t(use === 'meeting' ? 'signatures.rules.noMeeting' : 'signatures.rules.asNew')],
        ...templateOptions(document, signature[use] ?? null),
      ]}
      onChange={({ currentTarget: { value } }) => change({ [use]: value === NONE ? null : value })}
    />
  )
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.card.versions')}</legend>
      <ChoiceField
        label={t('plan.use.signature')}
        value={signature.template}
        options={templateOptions(document, signature.template)}
        onChange={({ currentTarget: { value } }) => change({ template: value })}
      />
      {optional('reply')}
      {optional('mobile')}
      {optional('meeting')}
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
