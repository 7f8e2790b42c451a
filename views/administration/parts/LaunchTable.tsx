import { useId } from 'react'
import type { Insight } from '../../../streams/organisation/figures/insight.ts'
import { useFormats } from './formats.ts'
import { BarRow } from './CountTable.tsx'
import { mailAppName } from '../text/mailApp.ts'
import { useTexts } from '../text/texts.ts'
import * as textCss from './Text.module.css'
import * as css from './CountTable.module.css'

/**
 * Shows how many people got the signature automatically and how many did not, most people first. The line below
 * explains who is counted.
 *
 * @param scale the number of people of a full bar, as in `CountTable`
 */
export function LaunchTable({ launches, scale }: Pick<Insight, 'launches'> & Readonly<{ scale: number }>) {
  const t = useTexts()
  const { count } = useFormats()
  const id = useId()
  const sorted = [...launches].sort((one, other) => other.went + other.failed - one.went - one.failed)
  return (
    <div className={css['counts']}>
      <table className={`${css['table']} ${css['pair']}`} aria-describedby={id}>
        <caption>{t('overview.now.launches')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('overview.now.client')}</th>
            <th scope="col" className={css['number']}>
              {t('overview.now.went')}
            </th>
            <th scope="col" className={css['number']}>
              {t('overview.now.failed')}
            </th>
          </tr>
        </thead>
        {sorted.map(({ client, went, failed }) => (
          <tbody key={client}>
            <tr>
              <th scope="row">{mailAppName(client, t)}</th>
              <td className={css['number']}>{count(went)}</td>
              <td className={css['number']}>{count(failed)}</td>
            </tr>
            <BarRow
              columns={3}
              parts={[
                { look: 'bar', people: went },
                { look: 'rest', people: failed },
              ]}
              scale={scale}
            />
          </tbody>
        ))}
      </table>
      <p id={id} className={textCss['quiet']}>
        {t('overview.now.launchesMean')}
      </p>
    </div>
  )
}
