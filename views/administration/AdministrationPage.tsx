import { lazy } from 'react'
import { Route, Routes } from 'react-router-dom'
import { Place } from '../../streams/administration/place/events.ts'
import { PlaceRouter } from '../parts/PlaceRouter.tsx'
import { useFocusFallback } from '../hooks/dom/focus.ts'
import {
  AdministrationProvider,
  type AdministrationViews,
  useAdministrationState,
  useRecording,
} from './hooks/administration.tsx'
import { useTitle } from './hooks/dom/arrival.ts'
import { Now } from './Now.tsx'
import { Frame } from './parts/Frame.tsx'
import { SignIn } from './parts/SignIn.tsx'
import { useTexts } from './text/texts.ts'
import '../theme.css'
import '../pane.css'

// Each of these areas is a chunk of its own.
const Signatures = lazy(() => import('./Signatures.tsx').then(({ Signatures: area }) => ({ default: area })))
const Plan = lazy(() => import('./Plan.tsx').then(({ Plan: area }) => ({ default: area })))
const People = lazy(() => import('./People.tsx').then(({ People: area }) => ({ default: area })))
const History = lazy(() => import('./History.tsx').then(({ History: area }) => ({ default: area })))
const Directory = lazy(() => import('./Directory.tsx').then(({ Directory: area }) => ({ default: area })))
const Maintenance = lazy(() =>
  import('./Maintenance.tsx').then(({ Maintenance: area }) => ({ default: area })),
)
const Organisations = lazy(() =>
  import('./Organisations.tsx').then(({ Organisations: area }) => ({ default: area })),
)
const Audit = lazy(() => import('./Audit.tsx').then(({ Audit: area }) => ({ default: area })))

/** The whole administration page, drawn from the state. Its texts come from the `I18nextProvider` around the page. */
export function AdministrationPage({ administration }: { administration: AdministrationViews }) {
  return (
    <AdministrationProvider value={administration}>
      <Areas />
    </AdministrationProvider>
  )
}

function Areas() {
  const path = useAdministrationState(({ place }) => place.path)
  const isIn = useAdministrationState(({ session }) => session.status === 'in')
  const recording = useRecording()
  useFocusFallback()
  if (!isIn) return <SignIn />
  return (
    <PlaceRouter path={path} onLink={recording((to) => Place.linkFollowed({ to }))}>
      <Routes>
        <Route element={<Frame />}>
          <Route path="/now" element={<Now />} />
          <Route path="/signatures/*" element={<Signatures />} />
          <Route path="/plan/*" element={<Plan />} />
          <Route path="/people/*" element={<People />} />
          <Route path="/history" element={<History />} />
          <Route path="/directory" element={<Directory />} />
          <Route path="/maintenance" element={<Maintenance />} />
          <Route path="/audit" element={<Audit />} />
          <Route path="/organisations" element={<Organisations />} />
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </PlaceRouter>
  )
}

function NotFound() {
  const t = useTexts()
  useTitle(t('frame.notFound'))
  return (
    <>
      <h1>{t('frame.notFound')}</h1>
      <p>{t('frame.notFoundAction')}</p>
    </>
  )
}
