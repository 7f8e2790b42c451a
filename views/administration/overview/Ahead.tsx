import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { type StripRow, STRIP_DAYS, stripOf } from '../../../streams/administration/overview/strip.ts'
import { blockPath } from '../../../streams/administration/plan/blocks.ts'
import { signaturePath } from '../../../streams/administration/plan/signatures.ts'
import { AHEAD_DAYS, type ChangingPeriods } from '../../../streams/organisation/figures/periods.ts'
import { DAY_MS, dayNumberOf, dayOf } from '../../../streams/organisation/release/names.ts'
import { useDayText, useFormats } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import { PeriodStrip } from '../parts/PeriodStrip.tsx'
import { Section } from '../parts/Section.tsx'
import { hoursText } from '../text/hours.ts'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'

/** The days with a mark: each seventh day after today. */
const MARKED_DAYS = [7, 14, 21, 28] as const

const ROWS_AT_ONCE = 6

/** The signatures and blocks that begin or end in the next 30 days: a sentence and a bar on the days for each. */
export function Ahead({ changing }: { changing: ChangingPeriods }) {
  const t = useTexts()
  const { count } = useFormats()
  const dayText = useDayText('dayAndMonth')
  const strip = useMemo(() => stripOf(changing), [changing])
  const [rows, more] = useShowMore(strip?.rows ?? [], ROWS_AT_ONCE)
  const title = t('overview.now.ahead.title', { days: count(AHEAD_DAYS) })
  if (strip === null)
    return (
      <Section title={title}>
        <p className={textCss['quiet']}>{t('overview.now.ahead.none')}</p>
      </Section>
    )
  const { today, timeZone } = strip
  const sentenceOf = ({ name, begins, ends, during: { from, to } }: StripRow) =>
    t(`overview.now.ahead.${begins && ends ? 'both' : begins ? 'begins' : 'ends'}`, {
      ...{ name, from: dayText(from), to: dayText(to) },
    })
  return (
    <Section title={title}>
      <PeriodStrip
        days={STRIP_DAYS}
        today={0}
        todayText={t('overview.now.ahead.today')}
        marks={MARKED_DAYS.map((day) => ({
          day,
          text: dayText(dayOf((dayNumberOf(today) + day) * DAY_MS)),
        }))}
        rows={rows.map((row) => ({
          key: `${row.of} ${row.id}`,
          words: (
            <p>
              <Link to={row.of === 'block' ? blockPath(row.id) : signaturePath(row.id)}>
                {sentenceOf(row)}
                {row.hours
                  ? ` · ${hoursText(row.hours, t)}`
                  : row.during.timeZone !== timeZone && ` (${row.during.timeZone.replaceAll('_', ' ')})`}
              </Link>
            </p>
          ),
          bars: [
            {
              ...{ from: row.first, to: row.last + 1, begins: row.begins, ends: row.ends },
              state: row.begins ? 'coming' : 'open',
            },
          ],
        }))}
      />
      {more}
      {!more && changing.more > 0 && (
        <p className={textCss['quiet']}>{t('overview.now.ahead.more', { count: changing.more })}</p>
      )}
    </Section>
  )
}
