import { Suspense, useRef } from 'react'
import { Link, Outlet } from 'react-router-dom'
import { areaOf, areasFor, type Area } from '../../../streams/administration/place/areas.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministration, useAdministrationState, useRecording } from './administration.tsx'
import { useNavigationFocus } from '../dom/arrival.ts'
import { useTexts } from '../text/texts.ts'
import * as css from './Frame.module.css'

/** The frame around every area: the organisation, the signed-in administrator, and the navigation. */
export function Frame() {
  const t = useTexts()
  const area = useAdministrationState(({ place }) => areaOf(place.path))
  const path = useAdministrationState(({ place }) => place.path)
  const me = useAdministrationState(({ session }) => (session.status === 'in' ? session.me : null))
  const areas = areasFor(me?.roles ?? [])
  const main = useRef<HTMLElement>(null)
  useNavigationFocus(main, path)
  return (
    <div className={css['frame']}>
      <a
        className={css['skip']}
        href="#content"
        onClick={(event) => {
          // The link must not change the hash, because the hash is the path of the area.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t('frame.skip')}
      </a>
      <Head />
      <nav aria-label={t('frame.areas')} className={css['areas']}>
        <ul>
          {areas.map((each) => (
            <li key={each}>
              <AreaLink area={each} isHere={each === area} />
            </li>
          ))}
        </ul>
      </nav>
      <main ref={main} id="content" tabIndex={-1} className={css['main']}>
        {/* Without a key, React would only hide the previous heading while the code of an area loads. */}
        <Suspense key={area} fallback={<p role="status">{t('load.loading')}</p>}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}

function AreaLink({ area, isHere }: { area: Area; isHere: boolean }) {
  const t = useTexts()
  return (
    <Link to={`/${area}`} aria-current={isHere ? 'page' : undefined} className={css['area']}>
      {t(`frame.${area}`)}
    </Link>
  )
}

function Head() {
  const t = useTexts()
  const recording = useRecording()
  const { documentation } = useAdministration()
  const me = useAdministrationState(({ session }) => (session.status === 'in' ? session.me : null))
  if (!me) return null
  return (
    <header className={css['head']}>
      <p className={css['organisation']}>
        <strong>{me.organisation}</strong> <span>{t('frame.program')}</span>
      </p>
      <a
        className={css['documentation']}
        href={`${documentation}/administrator.md`}
        target="_blank"
        hrefLang="en"
        rel="noreferrer"
      >
        {t('frame.documentation')}
      </a>
      <details className={css['account']}>
        <summary>{t('frame.signedInAs', { name: me.name })}</summary>
        <div className={css['card']}>
          <p>{me.roles.join(', ')}</p>
          <Button look="secondary" onPress={recording(Session.otherAccountRequested())}>
            {t('frame.otherAccount')}
          </Button>
          <Button look="secondary" onPress={recording(Session.signOutRequested())}>
            {t('frame.signOut')}
          </Button>
        </div>
      </details>
    </header>
  )
}
