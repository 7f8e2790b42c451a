import { type CSSProperties, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { dayAt, middleOfDay } from '../../../streams/administration/people/rules.ts'
import {
  type TimelineBar,
  type TimelineItem,
  TIMELINE_DAYS,
  timelineOf,
} from '../../../streams/administration/plan/periods.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { localeOfDates } from '../../shared/dates.ts'
import { useDayText } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import { Section } from '../parts/Section.tsx'
import { blockWindowText } from '../text/plan.ts'
import { useTexts } from '../text/texts.ts'
import * as css from './PlanPeriods.module.css'

const ROWS_SHOWN = 12

/** When the signatures and blocks of a draft open and close, as a timeline. Nothing if none of them does. */
export function PlanPeriods({ document, at }: { document: ReleaseDocument; at: number }) {
  const t = useTexts()
  const monthText = useMonthText()
  const timeline = useMemo(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    return timelineOf(document, dayAt(at, timeZone))
  }, [document, at])
  const [shown, more] = useShowMore(timeline.items, ROWS_SHOWN)
  const { today, months, items } = timeline
  if (items.length === 0) return null
  return (
    <Section title={t('plan.periods.title')} heading="h3">
      <div className={css['timeline']} style={{ '--today': shareOf(today) } as CSSProperties}>
        <div className={css['days']} aria-hidden="true">
          {months.map(({ day, from }) => (
            <span key={day} className={css['month']} style={{ insetInlineStart: shareOf(from) }}>
              {monthText(day)}
            </span>
          ))}
          <span className={css['today']}>{t('plan.periods.today')}</span>
        </div>
        <ul className={css['items']}>
          {shown.map((item) => (
            <Item key={`${item.kind} ${item.id}`} item={item} />
          ))}
        </ul>
      </div>
      {more}
    </Section>
  )
}

function Item({ item: { name, during, state, isBehind, bars } }: { item: TimelineItem }) {
  const t = useTexts()
  const dayText = useDayText()
  return (
    <li className={css['item']}>
      <div className={css['words']}>
        <p>
          <strong>{name}</strong> {t(`plan.periods.${state}`)}
        </p>
        <p className={css['quiet']}>
          {[blockWindowText(during, t, dayText), ...(isBehind ? [t('plan.periods.behindDays')] : [])].join(
            ' · ',
          )}
        </p>
      </div>
      <div className={css['track']} aria-hidden="true">
        {bars.map((bar) => (
          <span key={bar.from} className={css['bar']} data-state={state} style={placeOf(bar)} />
        ))}
      </div>
    </li>
  )
}

const shareOf = (days: number): string => `${String((days / TIMELINE_DAYS) * 100)}%`

const placeOf = ({ from, to }: TimelineBar): CSSProperties => ({
  insetInlineStart: shareOf(from),
  width: shareOf(to - from),
})

/** Returns a function that gives the short name of a day's month. */
function useMonthText(): (day: string) => string {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  return useMemo(() => {
    const months = new Intl.DateTimeFormat(localeOfDates(language), { month: 'short', timeZone: 'UTC' })
    return (day) => months.format(middleOfDay(day, 'UTC') ?? 0)
  }, [language])
}
