import { Suspense, useRef } from 'react'
import { Outlet } from 'react-router-dom'
import { areaOf } from '../../../streams/administration/place/areas.ts'
import type { CallerInfo } from '../../../streams/wire/administration/insight.ts'
import { Mark } from '../../shared/Mark.tsx'
import { Account } from './Account.tsx'
import { useAdministration, useAdministrationState } from './administration.tsx'
import { useNavigationFocus } from '../dom/arrival.ts'
import { useTexts } from '../text/texts.ts'
import { Navigation } from './Navigation.tsx'
import * as css from './Frame.module.css'

/** The frame around every area: the organisation, the signed-in administrator, and the navigation. */
export function Frame() {
  const t = useTexts()
  const area = useAdministrationState(({ place }) => areaOf(place.path))
  const path = useAdministrationState(({ place }) => place.path)
  const me = useAdministrationState(({ session }) => (session.status === 'in' ? session.me : null))
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
      {me && <Head me={me} />}
      <Navigation roles={me?.roles ?? []} />
      <main ref={main} id="content" tabIndex={-1} className={css['main']}>
        {/* Without a key, React would only hide the previous heading while the code of an area loads. */}
        <Suspense key={area} fallback={<p role="status">{t('load.loading')}</p>}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}

function Head({ me }: { me: CallerInfo }) {
  const t = useTexts()
  const { documentation } = useAdministration()
  return (
    <header className={css['head']}>
      <Mark />
      <p className={css['organisation']}>
        <strong>{me.organisation}</strong> <span>{t('frame.program')}</span>
      </p>
      <a
        className={css['documentation']}
        href={`${documentation}/administrator.md`}
        target="_blank"
        hrefLang="en"
        rel="noreferrer"
        title={t('frame.documentation')}
      >
        <span className={css['book']} aria-hidden="true" />
        <span className={css['word']}>{t('frame.documentation')}</span>
      </a>
      <Account me={me} />
    </header>
  )
}
