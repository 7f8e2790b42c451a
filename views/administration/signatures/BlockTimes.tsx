/** The fields for when a block is shown: its period and hours, or the days that each person enters. */
import { useState } from 'react'
import type { BlockChanges } from '../../../streams/administration/plan/blocks.ts'
import { isTimeOfDay } from '../../../streams/organisation/release/hours.ts'
import {
  blockDaysBeforeIn,
  isTimeZone,
  MAX_DAYS_BEFORE,
} from '../../../streams/organisation/release/names.ts'
import type { Block, Hours, OwnDays, Variable } from '../../../streams/organisation/release/release.ts'
import { isEditableVariable } from '../../../streams/organisation/release/selectors.ts'
import { Button } from '../../shared/Button.tsx'
import { CheckField, ChoiceField, Field } from '../parts/Field.tsx'
import { weekdayText } from '../text/hours.ts'
import { useTexts } from '../text/texts.ts'
import { browserTimeZone, PeriodField } from './RuleFields.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

type Change = (changes: BlockChanges) => void

/** The draft keeps the last valid period, hours and days while a field is invalid. */
export function BlockTimes({
  block: { during, hours, ownDays },
  variables,
  change,
}: {
  block: Block
  variables: readonly Variable[]
  change: Change
}) {
  const t = useTexts()
  const [isOwn, setOwn] = useState(ownDays !== undefined)
  return (
    <>
      <ChoiceField
        label={t('signatures.hours.days')}
        value={isOwn ? 'own' : 'same'}
        options={[
          ['same', t('signatures.hours.same')],
          ['own', t('signatures.hours.own')],
        ]}
        onChange={({ currentTarget: { value } }) => {
          setOwn(value === 'own')
          if (value === 'same' && ownDays) change({ ownDays: null })
        }}
      />
      {isOwn ? (
        <OwnDaysFields
          given={ownDays ?? null}
          variables={variables}
          onChange={(days) => change({ during: null, hours: null, ownDays: days })}
        />
      ) : (
        <>
          <PeriodField
            during={during}
            onChange={(period) => {
              if (period === undefined) return
              // A folder has one time zone for both.
              const inZone = hours && period && { hours: { ...hours, timeZone: period.timeZone } }
              change({ during: period, ...inZone })
            }}
          />
          <HoursFields
            given={hours ?? null}
            zone={during?.timeZone ?? null}
            onChange={(ofWeek) => change({ hours: ofWeek })}
          />
        </>
      )}
    </>
  )
}

type Span = Hours['spans'][number]

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const
const NEW_SPAN: Span = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }

const isValidSpan = ({ days, from, to }: Span): boolean =>
  days.length > 0 && isTimeOfDay(from) && isTimeOfDay(to) && from < to

/** @param zone the time zone of the block's period; null for a block without one */
function HoursFields({
  given,
  zone,
  onChange,
}: {
  given: Hours | null
  zone: string | null
  onChange: (hours: Hours | null) => void
}) {
  const t = useTexts()
  const [isLimited, setLimited] = useState(given !== null)
  const [spans, setSpans] = useState(given?.spans ?? [NEW_SPAN])
  const [ownZone, setZone] = useState(given?.timeZone ?? browserTimeZone())
  const timeZone = zone ?? ownZone
  const tell = (all: readonly Span[], inZone: string) => {
    if (all.every(isValidSpan) && isTimeZone(inZone)) onChange({ spans: all, timeZone: inZone })
  }
  const set = (all: readonly Span[]) => {
    setSpans(all)
    tell(all, timeZone)
  }
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.hours.weekdays')}</legend>
      <CheckField
        label={t('signatures.hours.only')}
        isOn={isLimited}
        onSwitch={(isOn) => {
          setLimited(isOn)
          if (isOn) tell(spans, timeZone)
          else onChange(null)
        }}
      />
      {isLimited && (
        <>
          {spans.map((span, index) => (
            // A time has no other identity than its number.
            <SpanFields
              key={`${String(index)} of ${String(spans.length)}`}
              span={span}
              number={index + 1}
              onChange={(after) => set(spans.map((each, at) => (at === index ? after : each)))}
              onRemove={spans.length > 1 ? () => set(spans.filter((_, at) => at !== index)) : null}
            />
          ))}
          <div className={stack['buttons']}>
            <Button look="secondary" onPress={() => set([...spans, { ...NEW_SPAN, days: [6] }])}>
              {t('signatures.hours.add')}
            </Button>
          </div>
          {zone === null && (
            <Field
              label={t('signatures.rules.timeZone')}
              type="text"
              hint={t('signatures.rules.timeZoneHint')}
              value={ownZone}
              problem={isTimeZone(ownZone) ? null : t('signatures.problem.timeZone')}
              onChange={({ currentTarget: { value } }) => {
                setZone(value.trim())
                tell(spans, value.trim())
              }}
            />
          )}
        </>
      )}
    </fieldset>
  )
}

/** @param onRemove null for the only time */
function SpanFields({
  span,
  number,
  onChange,
  onRemove,
}: {
  span: Span
  number: number
  onChange: (span: Span) => void
  onRemove: (() => void) | null
}) {
  const t = useTexts()
  const { days, from, to } = span
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.hours.time', { number })}</legend>
      <div className={stack['buttons']}>
        {WEEK.map((day) => (
          <CheckField
            key={day}
            label={weekdayText(day, t)}
            isOn={days.includes(day)}
            onSwitch={(isOn) =>
              onChange({
                ...span,
                days: WEEK.filter((each) => (each === day ? isOn : days.includes(each))),
              })
            }
          />
        ))}
      </div>
      <Field
        label={t('signatures.hours.start')}
        type="text"
        inputMode="numeric"
        maxLength={5}
        value={from}
        onChange={({ currentTarget: { value } }) => onChange({ ...span, from: value.trim() })}
      />
      <Field
        label={t('signatures.hours.end')}
        type="text"
        inputMode="numeric"
        maxLength={5}
        hint={t('signatures.hours.endHint')}
        value={to}
        problem={isValidSpan(span) ? null : t('signatures.problem.hours')}
        onChange={({ currentTarget: { value } }) => onChange({ ...span, to: value.trim() })}
      />
      {onRemove && (
        <div className={stack['buttons']}>
          <Button look="secondary" onPress={onRemove}>
            {t('signatures.hours.remove', { number })}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

function OwnDaysFields({
  given,
  variables,
  onChange,
}: {
  given: OwnDays | null
  variables: readonly Variable[]
  onChange: (ownDays: OwnDays) => void
}) {
  const t = useTexts()
  const [days, setDays] = useState(given ?? { from: '', to: '', before: 0, timeZone: browserTimeZone() })
  const [before, setBefore] = useState(String(days.before))
  const set = (changes: Partial<OwnDays>) => {
    const after = { ...days, ...changes }
    setDays(after)
    if (after.from !== '' && after.to !== '' && isTimeZone(after.timeZone)) onChange(after)
  }
  const offered = variables.filter(
    (each) => isEditableVariable(each) || each.path === days.from || each.path === days.to,
  )
  if (offered.length < 2) return <p className={textCss['warning']}>{t('signatures.hours.noDetails')}</p>
  const options = [
    ['', t('signatures.problem.details')] as const,
    ...offered.map(({ path, label }) => [path, label ?? path] as const),
  ]
  return (
    <fieldset className={css['rules']}>
      <legend>{t('signatures.hours.own')}</legend>
      <ChoiceField
        label={t('signatures.hours.first')}
        hint={t('signatures.hours.detailHint')}
        value={days.from}
        options={options}
        onChange={({ currentTarget: { value } }) => set({ from: value })}
      />
      <ChoiceField
        label={t('signatures.hours.last')}
        value={days.to}
        options={options}
        problem={days.from === '' || days.to === '' ? t('signatures.problem.details') : null}
        onChange={({ currentTarget: { value } }) => set({ to: value })}
      />
      <Field
        label={t('signatures.hours.before')}
        type="number"
        min={0}
        max={MAX_DAYS_BEFORE}
        step={1}
        hint={t('signatures.hours.beforeHint')}
        value={before}
        problem={blockDaysBeforeIn(before) === null ? t('signatures.problem.before') : null}
        onChange={({ currentTarget: { value } }) => {
          setBefore(value)
          const read = blockDaysBeforeIn(value)
          if (read !== null) set({ before: read })
        }}
      />
      <Field
        label={t('signatures.rules.timeZone')}
        type="text"
        hint={t('signatures.rules.timeZoneHint')}
        value={days.timeZone}
        problem={isTimeZone(days.timeZone) ? null : t('signatures.problem.timeZone')}
        onChange={({ currentTarget: { value } }) => set({ timeZone: value.trim() })}
      />
    </fieldset>
  )
}
