import { useRef } from 'react'
import { Outlet } from 'react-router-dom'
import { HELP_PATH, viewKeyAt, routeAt } from '../../../streams/pane/router/routes.ts'
import { selectPossibleUse } from '../../../streams/pane/signatures/usable.ts'
import { useAppState } from '../app.tsx'
import { useNavigationFocus } from '../dom/arrival.ts'
import { useStickyEdge } from '../../shared/dom/edges.ts'
import { STILL_USABLE_TEXTS } from '../text/failure.ts'
import { useTexts } from '../text/texts.ts'
import { Account } from './Account.tsx'
import { LastUpdated } from './LastUpdated.tsx'
import { Fade } from './Fade.tsx'
import { FootProvider } from './Foot.tsx'
import { NotLoaded } from './NotLoaded.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { PlaceLink } from './PlaceLink.tsx'
import { Tabs } from './Tabs.tsx'
import * as css from './Shell.module.css'

/** The frame around every view: maintenance and failed loads above; tabs, last update, help and account below. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  useNavigationFocus(main)
  const foot = useStickyEdge<HTMLElement>('--foot-height')
  const page = useAppState(({ router }) => viewKeyAt(router.path))
  // On these pages `MessageFailures` shows a failed load below the message's bar, over the content, so that nothing moves.
  const hasBar = page === 'dashboard' || page.startsWith('signatures/')
  return (
    <FootProvider>
      {(footOfView) => (
        <div className={css['shell']}>
          <Maintenance />
          <main ref={main} className={css['main']}>
            {!hasBar && <NotLoaded />}
            <Fade of={page} className={css['view']}>
              <Outlet />
            </Fade>
          </main>
          <footer ref={foot} className={css['foot']}>
            {footOfView}
            <Tabs />
            <div className={css['line']}>
              <LastUpdated />
              <div className={css['side']}>
                <ToHelp />
                <Account />
              </div>
            </div>
          </footer>
        </div>
      )}
    </FootProvider>
  )
}

function Maintenance() {
  const t = useTexts()
  const status = useAppState(({ maintenance }) => maintenance.status)
  const usable = useAppState(selectPossibleUse)
  return (
    status && (
      <header className={css['bar']}>
        <Icon name="maintenance" />
        <p>
          {status === 'active'
            ? `${t('maintenance.active')} ${t(STILL_USABLE_TEXTS[usable] ?? 'meaning.messageStays')}`
            : t('maintenance.planned')}
        </p>
      </header>
    )
  )
}

function ToHelp() {
  const t = useTexts()
  const isHere = useAppState(({ router }) => routeAt(router.path)?.page === 'help')
  return (
    <PlaceLink to={HELP_PATH} isHere={isHere} label={t('help.title')} className={css['help']}>
      <Icon name="help" />
    </PlaceLink>
  )
}
