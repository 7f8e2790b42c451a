import {
  type ClickDay,
  REPORTED_DAYS,
  MIN_REPORTED_CLICKS,
} from '../../../streams/organisation/figures/clicks.ts'
import { useDayText, useFormats } from './formats.ts'
import { useTexts } from '../text/texts.ts'
import * as countCss from './CountTable.module.css'
import * as textCss from './Text.module.css'
import * as css from './ClickChart.module.css'

type DayWithNumber = Extract<ClickDay, { clicks: number }>

/**
 * A block's daily clicks as a bar chart and as a table.
 *
 * @param days the days, earliest first; empty if no day has a number
 */
export function ClickChart({ days }: { days: readonly ClickDay[] }) {
  const t = useTexts()
  const { count } = useFormats()
  const dayText = useDayText()
  const [first, last] = [days[0], days.at(-1)]
  const numbers = days.filter((each): each is DayWithNumber => 'clicks' in each)
  const most = Math.max(0, ...numbers.map(({ clicks }) => clicks))
  const highest = numbers.find(({ clicks }) => clicks === most)
  const fewest = count(MIN_REPORTED_CLICKS)
  if (!first || !last || !highest)
    return (
      <p className={textCss['quiet']}>
        {t('overview.now.clicks.few', { days: count(REPORTED_DAYS), fewest })}
      </p>
    )
  return (
    <figure className={css['chart']}>
      <figcaption>
        {t('overview.now.clicks.most', { day: dayText(highest.day), clicks: count(most) })}
      </figcaption>
      <div aria-hidden="true">
        <div className={css['plot']}>
          {days.map((each) => (
            <span
              key={each.day}
              className={'clicks' in each ? css['bar'] : css['few']}
              style={'clicks' in each ? { height: `${String((each.clicks / most) * 100)}%` } : undefined}
            />
          ))}
        </div>
        <div className={css['ends']}>
          <span>{dayText(first.day)}</span>
          <span>{dayText(last.day)}</span>
        </div>
      </div>
      {numbers.length < days.length && (
        <p className={textCss['quiet']}>{t('overview.now.clicks.line', { fewest })}</p>
      )}
      <details className={css['days']}>
        <summary>{t('overview.now.clicks.table')}</summary>
        <table className={countCss['table']}>
          <thead>
            <tr>
              <th scope="col">{t('overview.now.clicks.day')}</th>
              <th scope="col" className={countCss['number']}>
                {t('overview.now.clicks.clicks')}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...numbers].reverse().map(({ day, clicks }) => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                <td className={countCss['number']}>{count(clicks)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {numbers.length < days.length && (
          <p className={textCss['quiet']}>
            {t('overview.now.clicks.others', { from: dayText(first.day), to: dayText(last.day), fewest })}
          </p>
        )}
      </details>
    </figure>
  )
}
