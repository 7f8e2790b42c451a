import { routeAt, type PageName } from '../../../streams/pane/router/routes.ts'
import { DASHBOARD_PATH } from '../../../streams/pane/router/rules.ts'
import { selectUnsavedCount } from '../../../streams/pane/variables/selectors.ts'
import { useAppState } from '../app.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import { PlaceLink } from './PlaceLink.tsx'
import * as css from './Tabs.module.css'
import * as textCss from '../../shared/Text.module.css'

const TABS: readonly Readonly<{ path: string; text: TextKey; views: readonly PageName[] }>[] = [
  { path: DASHBOARD_PATH, text: 'tab.signatures', views: ['dashboard', 'signatures'] },
  { path: '/app/settings/variables', text: 'tab.details', views: ['variables'] },
  { path: '/app/settings/app', text: 'tab.settings', views: ['settings', 'selfTest', 'about'] },
]

export function Tabs() {
  const t = useTexts()
  const view = useAppState(({ router }) => routeAt(router.path)?.page ?? 'dashboard')
  const unsaved = useAppState(selectUnsavedCount)
  return (
    <nav aria-label={t('tab.label')} className={css['tabs']}>
      {TABS.map(({ path, text, views }) => (
        <PlaceLink key={path} to={path} isHere={views.includes(view)} className={css['tab']}>
          {t(text)}
          {path.endsWith('variables') && unsaved > 0 && (
            <span className={css['count']}>
              <span aria-hidden="true">{unsaved}</span>
              <span className={textCss['unseen']}>{t('details.unsaved', { count: unsaved })}</span>
            </span>
          )}
        </PlaceLink>
      ))}
    </nav>
  )
}
