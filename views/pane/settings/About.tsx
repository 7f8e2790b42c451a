import { loadedValue } from '../../../streams/kernel/load.ts'
import type { SubscriptionPlan } from '../../../streams/pane/subscription/events.ts'
import { useApp, useAppState } from '../app.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import * as css from './Settings.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'

const PLANS = {
  basic: 'about.planBasic',
  trial: 'about.planTrial',
  full: 'about.planFull',
} as const satisfies Record<SubscriptionPlan, TextKey>

/** Describes Signet, and where it stores which data. */
export function View() {
  const t = useTexts()
  const { version } = useApp()
  const plan = useAppState(({ subscription }) => loadedValue(subscription))
  return (
    <div className={stack['page']}>
      <h1>{t('about.title')}</h1>
      <p>{t('signIn.purpose')}</p>
      <p>{t('about.version', { version })}</p>
      {plan && <p>{t('about.plan', { plan: t(PLANS[plan]) })}</p>}
      <section className={stack['gapL']}>
        <h2>{t('about.keeps')}</h2>
        <ul className={css['list']}>
          <li>{t('about.session')}</li>
          <li>{t('about.browser')}</li>
          <li>{t('about.standing')}</li>
          <li>{t('about.message')}</li>
          <li>{t('about.never')}</li>
        </ul>
      </section>
      <p className={textCss['small']}>{t('about.licence')}</p>
      <p>
        {/* Written by the build, beside the page. */}
        <a href="licences.txt" target="_blank" rel="noopener noreferrer">
          {t('about.licences')}
        </a>
      </p>
    </div>
  )
}
