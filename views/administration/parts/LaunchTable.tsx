import { useId } from 'react'
import type { Insight } from '../../../streams/organisation/figures/insight.ts'
import { useFormats } from './formats.ts'
import { useTexts } from '../text/texts.ts'
import * as textCss from './Text.module.css'
import * as css from './CountTable.module.css'

/**
 * Shows how many people got the signature automatically and how many did not. The line below explains who is counted.
 */
export function LaunchTable({ launches }: Pick<Insight, 'launches'>) {
  const t = useTexts()
  const { count } = useFormats()
  const id = useId()
  return (
    <div>
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
        <tbody>
          {launches.map(({ client, went, failed }) => (
            <tr key={client}>
              <th scope="row">{client}</th>
              <td className={css['number']}>{count(went)}</td>
              <td className={css['number']}>{count(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p id={id} className={textCss['quiet']}>
        {t('overview.now.launchesMean')}
      </p>
    </div>
  )
}
