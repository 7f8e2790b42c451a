/** The rule fields that signatures and blocks share. */
import type { ThreadPlace } from '../../../streams/html/slots.ts'
import { useState } from 'react'
import {
  isValidPeriod,
  valueLinesOf,
  linesProblem,
  templateChoices,
} from '../../../streams/administration/plan/signatures.ts'
import { fittingLoad } from '../../../streams/administration/plan/fitting.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { isTimeZone } from '../../../streams/organisation/release/names.ts'
import type {
  Period,
  Recipients,
  ReleaseDocument,
  Selection,
} from '../../../streams/organisation/release/release.ts'
import type { FittingPeople } from '../../../streams/wire/administration/people.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { ChoiceField, Field, LinesField } from '../parts/Field.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import { Conditions } from './Conditions.tsx'
import { fieldProblemText } from '../text/rules.ts'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Signatures.module.css'

export const MAX_NAME_CHARACTERS = 200

/**
 * The choices for a template. A chosen path is offered even if its template is missing, so that the form does not hide
 * it.
 */
export const templateOptions = (document: ReleaseDocument, chosen: string | null) =>
  [...new Set([...(chosen === null ? [] : [chosen]), ...templateChoices(document)])]
    .sort()
    .map((path) => [path, path] as const)

/** The name of a signature or block. `onChange` receives only non-empty names. */
export function NameField({ name: given, onChange }: { name: string; onChange: (name: string) => void }) {
  const t = useTexts()
  const [name, setName] = useState(given)
  return (
    <Field
      label={t('signatures.rules.name')}
      type="text"
      maxLength={MAX_NAME_CHARACTERS}
      value={name}
      problem={name.trim() === '' ? t('signatures.problem.empty') : null}
      onChange={({ currentTarget: { value } }) => {
        setName(value)
        if (value.trim() !== '') onChange(value.trim())
      }}
    />
  )
}

/**
 * Shows an item's position in the order of precedence, with buttons that move it.
 *
 * @param says the position in words
 * @param onMove receives the new index
 */
export function PositionField({
  says,
  index,
  of,
  onMove,
}: {
  says: string
  index: number
  of: number
  onMove: (to: number) => void
}) {
  const t = useTexts()
  return (
    <div className={stack['gapS']}>
      <p role="status">{says}</p>
      {of > 1 && (
        <div className={stack['buttons']}>
          <Button look="secondary" isOff={index === 0} onPress={() => onMove(index - 1)}>
            {t('signatures.rules.earlier')}
          </Button>
          <Button look="secondary" isOff={index === of - 1} onPress={() => onMove(index + 1)}>
            {t('signatures.rules.later')}
          </Button>
        </div>
      )}
    </div>
  )
}

/**
 * The fields for who gets a signature or block, and who does not.
 *
 * @param onChange receives the selection, the same as before if the changed rule is invalid, and whether all rules are
 *   valid
 */
export function SelectionFields({
  selection,
  onChange,
}: {
  selection: Selection
  onChange: (selection: Selection, isComplete: boolean) => void
}) {
  const t = useTexts()
  const [isEveryone, setEveryone] = useState(selection.for === 'everyone')
  const [isValid, setValid] = useState({ for: true, not: true })
  const set = (part: keyof Selection, changes: Partial<Selection> | null) => {
    const after = { ...isValid, [part]: changes !== null }
    setValid(after)
    onChange(changes ? { ...selection, ...changes } : selection, after.for && after.not)
  }
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
            // A rule for some people begins with an empty condition.
            set('for', value === 'everyone' ? { for: 'everyone' } : null)
          }}
        />
        {!isEveryone && (
          <Conditions
            groups={selection.for === 'everyone' ? [] : selection.for}
            needsOne
            onChange={(groups) => set('for', groups && { for: groups })}
          />
        )}
      </fieldset>
      <fieldset className={css['rules']}>
        <legend>{t('signatures.rules.not')}</legend>
        <Conditions
          groups={selection.not}
          needsOne={false}
          onChange={(groups) => set('not', groups && { not: groups })}
        />
      </fieldset>
      <FittingCount selection={isValid.for && isValid.not ? selection : null} />
    </>
  )
}

/** Tells how many people the rules fit. `selection` is null while a rule is incomplete. */
function FittingCount({ selection }: { selection: Selection | null }) {
  const t = useTexts()
  const recording = useRecording()
  const load = useAdministrationState(({ fitting }) => selection && fittingLoad(fitting, selection))
  const count = load && loadedValue(load)
  const hasFailed = load?.status === 'fail'
  return (
    <div className={css['fitting']}>
      <p role="status">
        {load === null
          ? t('signatures.rules.fits.incomplete')
          : hasFailed
            ? t('signatures.rules.fits.failed')
            : count
              ? fittingText(count, t)
              : t('signatures.rules.fits.counting')}
      </p>
      {hasFailed && (
        <Button look="secondary" small onPress={recording(Place.retryRequested())}>
          {t('load.retry')}
        </Button>
      )}
    </div>
  )
}

function fittingText({ people, of }: FittingPeople, t: Translate): string {
  if (people === 0) return t('signatures.rules.fits.nobody')
  return t(`signatures.rules.fits.${people === of ? 'all' : 'some'}`, { count: people, of })
}

/**
 * A field for the period: always, or a range of days. `onChange` receives undefined while the days or the time zone are
 * invalid.
 */
export function PeriodField({
  during,
  onChange,
}: {
  during: Period | null
  onChange: (during: Period | null | undefined) => void
}) {
  const t = useTexts()
  const [isAlways, setAlways] = useState(during === null)
  const [period, setPeriod] = useState(during ?? { from: '', to: '', timeZone: browserTimeZone() })
  const set = (changes: Partial<typeof period>) => {
    const after = { ...period, ...changes }
    setPeriod(after)
    onChange(isValidPeriod(after) ? after : undefined)
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
          onChange(value === 'always' ? null : isValidPeriod(period) ? period : undefined)
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

export const browserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

type RecipientsKind = 'everyone' | 'internal' | 'external' | 'domains'

/** A choice of the messages in a conversation: all, each person's first one, or the later ones. */
export function ThreadField({
  thread,
  onChange,
}: {
  thread: ThreadPlace | undefined
  onChange: (thread: ThreadPlace | null) => void
}) {
  const t = useTexts()
  return (
    <ChoiceField
      label={t('signatures.rules.thread')}
      value={thread ?? 'all'}
      options={(['all', 'first', 'later'] as const).map((each) => [each, t(`signatures.thread.${each}`)])}
      onChange={({ currentTarget: { value } }) => {
        onChange(value === 'first' || value === 'later' ? value : null)
      }}
    />
  )
}

/** The recipients of a signature or block. `onChange` receives undefined while a line is invalid. */
export function RecipientsField({
  label,
  recipients,
  onChange,
}: {
  label: string
  recipients: Recipients
  onChange: (recipients: Recipients | undefined) => void
}) {
  const t = useTexts()
  const [kind, setKind] = useState<RecipientsKind>(typeof recipients === 'string' ? recipients : 'domains')
  const [text, setText] = useState(typeof recipients === 'string' ? '' : recipients.join('\n'))
  const problem = linesProblem('domain', valueLinesOf(text))
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.rules.recipients')}</legend>
      <ChoiceField
        label={label}
        value={kind}
        options={(['everyone', 'internal', 'external', 'domains'] as const).map((each) => [
          each,
          t(`signatures.recipients.${each === 'domains' ? 'some' : each}`),
        ])}
        onChange={({ currentTarget: { value } }) => {
          const chosen = value as RecipientsKind
          setKind(chosen)
          onChange(chosen !== 'domains' ? chosen : problem === null ? valueLinesOf(text) : undefined)
        }}
      />
      {kind === 'domains' && (
        <LinesField
          label={t('signatures.rules.domains')}
          hint={t('signatures.rules.recipientsHint')}
          value={text}
          problem={fieldProblemText(problem, t)}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            const lines = valueLinesOf(value)
            onChange(linesProblem('domain', lines) === null ? lines : undefined)
          }}
        />
      )}
    </fieldset>
  )
}
