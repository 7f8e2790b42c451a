import { useRef, useState } from 'react'
import {
  exclusionForm,
  type EnteredEnd,
  type HandAct,
  type HandForm,
  type HandTarget,
  isActPossible,
  isEndPossible,
  outdatedReasonOf,
  pinForm,
  valueForm,
} from '../../../streams/administration/people/byHand.ts'
import { Correction } from '../../../streams/administration/people/events.ts'
import type { OnePersonState } from '../../../streams/administration/people/reducer.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import { now } from '../../../streams/kernel/time.ts'
import {
  correctionsOf,
  UNTIL_CHANGED,
  UNTIL_REMOVED,
  valueBelowCorrection,
} from '../../../streams/organisation/facts/corrections.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import type { ExplainedPerson } from '../../../streams/organisation/rules/why.ts'
import { MAX_CORRECTED_CHARACTERS } from '../../../streams/wire/administration/people.ts'
import { Button } from '../../shared/Button.tsx'
import { Confirm } from '../../shared/Confirm.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useTools } from '../../shared/tools.tsx'
import { useFirstInvalidFocus } from '../dom/firstWrong.ts'
import { useGesture, useHasRole, useRecording } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import { useDayText } from '../parts/formats.ts'
import { originText } from '../text/byHand.ts'
import { fieldName } from '../text/fieldName.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './People.module.css'

type Detail = ExplainedPerson['details'][number]

/** The name of a directory field: that of its variable, if one is shown. */
export const correctedFieldName = (
  { details, labels }: ExplainedPerson,
  field: string,
  t: Translate,
): string => {
  const detail = details.find((each) => each.field === field)
  return detail?.label ?? fieldName(detail?.path ?? field, labels, t)
}

/** The buttons beside a value; nothing without the role, or without a directory field. */
export function ValueActs({ explained, detail }: { explained: ExplainedPerson; detail: Detail }) {
  const t = useTexts()
  const recording = useRecording()
  const mayCorrect = useHasRole('Signet.People')
  const { field = null, value } = detail
  if (!mayCorrect || field === null) return null
  const act = valueForm(explained.person, field, value)
  return (
    <>
      <Button
        look="subtle"
        small
        label={t('people.hand.correctField', { field: correctedFieldName(explained, field, t) })}
        onPress={recording(Correction.entered({ act }))}
      >
        {t('people.hand.correct')}
      </Button>
      {Object.hasOwn(correctionsOf(explained.person).fields, field) && (
        <TakeBack explained={explained} target={{ kind: 'value', field }} />
      )}
    </>
  )
}

/** Names what is taken back, for its button and its question. */
function takeBackText(explained: ExplainedPerson, target: HandTarget, t: Translate): string {
  switch (target.kind) {
    case 'value':
      return t('people.hand.takeBackValue', { field: correctedFieldName(explained, target.field, t) })
    case 'excluded':
      return t('people.hand.takeBackExcluded')
    case 'pinned':
      return t('people.hand.takeBackPinned')
  }
}

/** The button that asks before something is taken back; nothing without the role. */
export function TakeBack({ explained, target }: { explained: ExplainedPerson; target: HandTarget }) {
  const t = useTexts()
  const recording = useRecording()
  if (!useHasRole('Signet.People')) return null
  return (
    <Button
      look="subtle"
      small
      label={takeBackText(explained, target, t)}
      onPress={recording(Correction.entered({ act: { kind: 'takeBack', target } }))}
    >
      {t('people.hand.takeBack')}
    </Button>
  )
}

/** The buttons for the person's signatures, and the answer to the last act. */
export function SignatureActs({ one, explained }: { one: OnePersonState; explained: ExplainedPerson }) {
  const t = useTexts()
  const recording = useRecording()
  const { person, signatures } = explained
  const pin = pinForm(
    person,
    signatures.map(({ signature }) => signature),
  )
  return (
    <>
      {person.active && (
        <div className={css['buttons']}>
          <Button look="secondary" onPress={recording(Correction.entered({ act: exclusionForm(person) }))}>
            {t('people.hand.exclude')}
          </Button>
          {pin && (
            <Button look="secondary" onPress={recording(Correction.entered({ act: pin }))}>
              {t('people.hand.pin')}
            </Button>
          )}
        </div>
      )}
      <p role="status" className={sectionCss['status']}>
        {one.correcting.status === 'success' && t('people.hand.saved')}
      </p>
    </>
  )
}

type Shown = Readonly<{ one: OnePersonState; explained: ExplainedPerson; name: string }>

/** The open form or question; nothing if none is open. */
export function CorrectingDialog({ one, explained, name }: Shown) {
  const t = useTexts()
  const record = useGesture()
  const recording = useRecording()
  const { time } = useTools()
  /** How often the user tried to save with an end that is over or missing. */
  const [tries, setTries] = useState(0)
  const { act } = one
  if (act === null) {
    if (tries > 0) setTries(0)
    return null
  }
  const today = dayOf(now(time))
  const outcome = <Outcome one={one} explained={explained} act={act} />
  const question = {
    cancel: t('people.data.cancel'),
    onClose: recording(Correction.closed()),
    onConfirm: () => {
      if (!isActPossible(act, today)) setTries(tries + 1)
      record(Correction.requested())
    },
  }
  const enter = (entered: HandAct) => {
    record(Correction.entered({ act: entered }))
  }
  switch (act.kind) {
    case 'value': {
      const field = correctedFieldName(explained, act.field, t)
      return (
        <Confirm
          {...question}
          isForm
          title={t('people.hand.correctTitle', { field })}
          confirm={t('people.hand.save')}
        >
          <Field
            label={field}
            hint={t(isOwnValue(explained, act.field) ? 'people.hand.ownStays' : 'people.hand.emptyHint')}
            type="text"
            autoComplete="off"
            maxLength={MAX_CORRECTED_CHARACTERS}
            value={act.value}
            onChange={({ target: { value } }) => {
              enter({ ...act, value })
            }}
          />
          <End
            until={act.until}
            ends={[UNTIL_CHANGED, 'day', UNTIL_REMOVED]}
            today={today}
            tries={tries}
            onChange={(until) => {
              enter({ ...act, until })
            }}
          />
          {outcome}
        </Confirm>
      )
    }
    case 'excluded':
      return (
        <Confirm
          {...question}
          isDestructive
          title={t('people.hand.excludeTitle', { name })}
          confirm={t('people.hand.excludeConfirm')}
        >
          <p>{t('people.hand.excludeMeaning')}</p>
          <End
            until={act.until}
            ends={['day', UNTIL_REMOVED]}
            today={today}
            tries={tries}
            onChange={(until) => {
              enter({ ...act, until })
            }}
          />
          {outcome}
        </Confirm>
      )
    case 'pinned':
      return (
        <Confirm
          {...question}
          isForm
          title={t('people.hand.pinTitle', { name })}
          confirm={t('people.hand.pinConfirm')}
        >
          <p>{t('people.hand.pinMeaning')}</p>
          <Signatures explained={explained} act={act} onChange={enter} />
          <End
            until={act.until}
            ends={['day', UNTIL_REMOVED]}
            today={today}
            tries={tries}
            onChange={(until) => {
              enter({ ...act, until })
            }}
          />
          {outcome}
        </Confirm>
      )
    case 'takeBack':
      return (
        <Confirm
          {...question}
          isDestructive
          title={takeBackText(explained, act.target, t)}
          confirm={t('people.hand.takeBack')}
        >
          <p>{afterwardsText(explained, act.target, t)}</p>
          {outcome}
        </Confirm>
      )
  }
}

/** Whether the person entered a value of their own for a variable of the field. */
const isOwnValue = ({ details }: ExplainedPerson, field: string): boolean =>
  details.some((detail) => detail.field === field && detail.source === 'person')

/** What holds once something is taken back. */
function afterwardsText({ person }: ExplainedPerson, target: HandTarget, t: Translate): string {
  if (target.kind !== 'value') return t('people.hand.rulesDecide')
  const value = valueBelowCorrection(person, target.field) || t('people.one.noValue')
  return t('people.hand.valueThen', { value })
}

/** The published signatures. A signature that is no longer published stays chosen until another one is. */
function Signatures({
  explained: { signatures },
  act,
  onChange,
}: {
  explained: ExplainedPerson
  act: Extract<HandForm, { kind: 'pinned' }>
  onChange: (act: HandForm) => void
}) {
  const t = useTexts()
  const published = signatures.map(({ signature, name }) => [signature, name] as const)
  const isGone = !published.some(([id]) => id === act.signature)
  return (
    <ChoiceField
      label={t('people.hand.signature')}
      options={[...(isGone ? [[act.signature, act.signature] as const] : []), ...published]}
      value={act.signature}
      onChange={({ target: { value } }) => {
        onChange({ ...act, signature: value })
      }}
    />
  )
}

const END_TEXTS = {
  [UNTIL_CHANGED]: 'people.hand.endChanged',
  [UNTIL_REMOVED]: 'people.hand.endRemoved',
  day: 'people.hand.endDay',
} as const

/** The fields for the end of what is set. */
function End<End extends keyof typeof END_TEXTS>({
  until,
  ends,
  today,
  tries,
  onChange,
}: {
  until: EnteredEnd<End>
  ends: readonly End[]
  /** A day in UTC. */
  today: string
  /** How often the user tried to save with an end that is over or missing. */
  tries: number
  onChange: (until: EnteredEnd<End>) => void
}) {
  const t = useTexts()
  const fields = useRef<HTMLDivElement>(null)
  useFirstInvalidFocus(fields, tries)
  const isWrong = tries > 0 && !isEndPossible(until, today)
  return (
    <div ref={fields} className={css['end']}>
      <ChoiceField
        label={t('people.hand.end')}
        options={ends.map((end) => [end, t(END_TEXTS[end])])}
        value={until.end}
        onChange={({ target: { value } }) => {
          onChange({ ...until, end: ends.find((end) => end === value) ?? until.end })
        }}
      />
      {until.end === 'day' && (
        <Field
          label={t('people.hand.lastDay')}
          problem={isWrong ? t('people.hand.dayOver') : null}
          type="date"
          min={today}
          value={until.day}
          onChange={({ target: { value } }) => {
            onChange({ ...until, day: value })
          }}
        />
      )}
    </div>
  )
}

/** What became of the act. After a change by others it shows the new state. */
function Outcome({ one, explained, act }: Omit<Shown, 'name'> & Readonly<{ act: HandAct }>) {
  const t = useTexts()
  const recording = useRecording()
  const failure = failureOf(one.correcting)
  const reason = failure && outdatedReasonOf(failure)
  return (
    <>
      <p role="status" className={sectionCss['status']}>
        {one.explained.status === 'pending' && t('load.loading')}
      </p>
      <Answer
        status={one.correcting.status}
        pending={t('people.hand.saving')}
        success={null}
        failure={
          reason === null ? (
            <Failure title="people.hand.failed" failure={failure} onRetry={null} />
          ) : (
            <>
              <Notice tone="warning" title={t(`people.hand.outdated.${reason}`)} urgent>
                {one.explained.status === 'success' && <NewState explained={explained} act={act} />}
                <p>
                  {t(act.kind === 'takeBack' ? 'failure.lookAgain' : `people.hand.outdated.${reason}Action`)}
                </p>
              </Notice>
              <Failure
                title="load.stale"
                failure={failureOf(one.explained)}
                onRetry={recording(Place.retryRequested())}
              />
            </>
          )
        }
      />
    </>
  )
}

/** What is set now, of what the act is about. */
function NewState({ explained, act }: { explained: ExplainedPerson; act: HandAct }) {
  const t = useTexts()
  const dayText = useDayText()
  const { person, signatures } = explained
  const { fields, excluded, pinned } = correctionsOf(person)
  const about = act.kind === 'takeBack' ? act.target : act
  switch (about.kind) {
    case 'value': {
      const set = Object.hasOwn(fields, about.field) ? fields[about.field] : undefined
      const value = person.directory[about.field] || t('people.one.noValue')
      return (
        <p>
          {t('people.hand.valueNow', { value })}
          {set && <> {t('people.hand.corrected', originText(set, t, dayText))}</>}
        </p>
      )
    }
    case 'excluded':
      return (
        <p>
          {excluded
            ? t('people.hand.excluded', originText(excluded, t, dayText))
            : t('people.hand.notExcluded')}
        </p>
      )
    case 'pinned': {
      const name = signatures.find(({ isPinned }) => isPinned)?.name
      return (
        <p>
          {pinned
            ? t('people.hand.pinned', {
                name: name ?? pinned.signature,
                ...originText(pinned, t, dayText),
              })
            : t('people.hand.notPinned')}
        </p>
      )
    }
  }
}
