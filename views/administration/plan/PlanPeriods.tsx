import { useMemo } from 'react'
import { dayAt } from '../../../streams/administration/people/rules.ts'
import { type TimelineItem, TIMELINE_DAYS, timelineOf } from '../../../streams/administration/plan/periods.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { useDayText } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import { PeriodStrip } from '../parts/PeriodStrip.tsx'
import { Section } from '../parts/Section.tsx'
import { blockTimesText } from '../text/plan.ts'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'

const ROWS_SHOWN = 12

/** When the signatures and blocks of a draft open and close, as a timeline. Nothing if none of them does. */
export function PlanPeriods({ document, at }: { document: ReleaseDocument; at: number }) {
  const t = useTexts()
  const monthText = useDayText('month')
  const timeline = useMemo(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    return timelineOf(document, dayAt(at, timeZone))
  }, [document, at])
  const [shown, more] = useShowMore(timeline.items, ROWS_SHOWN)
  const { today, months, items } = timeline
  if (items.length === 0) return null
  return (
    <Section title={t('plan.periods.title')} heading="h3">
      <PeriodStrip
        days={TIMELINE_DAYS}
        today={today}
        todayText={t('plan.periods.today')}
        marks={months.map(({ day, from }) => ({ day: from, text: monthText(day) }))}
        rows={shown.map((item) => ({
          key: `${item.kind} ${item.id}`,
          words: <Words item={item} />,
          bars: item.bars.map(({ from, to }) => ({
            ...{ from, to, begins: from > 0, ends: to < TIMELINE_DAYS },
            state: item.state,
          })),
        }))}
      />
      {more}
    </Section>
  )
}

function Words({ item: { name, state, isBehind, ...times } }: { item: TimelineItem }) {
  const t = useTexts()
  const dayText = useDayText()
  return (
    <>
      <p>
        <strong>{name}</strong> {t(`plan.periods.${state}`)}
      </p>
      <p className={textCss['quiet']}>
        {[blockTimesText(times, t, dayText), ...(isBehind ? [t('plan.periods.behindDays')] : [])].join(' · ')}
      </p>
    </>
  )
}
