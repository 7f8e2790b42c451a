import { lazy } from 'react'
import { Route, Routes } from 'react-router-dom'
import { Place } from '../../streams/administration/place/events.ts'
import { PlaceRouter } from '../shared/PlaceRouter.tsx'
import { useFocusFallback } from '../shared/dom/focus.ts'
import {
  AdministrationProvider,
  type AdministrationViews,
  useAdministrationState,
  useRecording,
} from './parts/administration.tsx'
import { Frame } from './parts/Frame.tsx'
import { SignIn } from './parts/SignIn.tsx'
import '../shared/theme.css'
import '../shared/page.css'

// Each area is a separate chunk, except for Blocks, which is in the chunk of Signatures.
const Now = lazy(() => import('./overview/Now.tsx').then(({ Now: area }) => ({ default: area })))
const Signatures = lazy(() =>
  import('./signatures/Signatures.tsx').then(({ Signatures: area }) => ({ default: area })),
)
const Blocks = lazy(() =>
  import('./signatures/Signatures.tsx').then(({ Blocks: area }) => ({ default: area })),
)
const Plan = lazy(() => import('./plan/Plan.tsx').then(({ Plan: area }) => ({ default: area })))
const People = lazy(() => import('./people/People.tsx').then(({ People: area }) => ({ default: area })))
const History = lazy(() => import('./overview/History.tsx').then(({ History: area }) => ({ default: area })))
const Directory = lazy(() =>
  import('./directory/Directory.tsx').then(({ Directory: area }) => ({ default: area })),
)
const Maintenance = lazy(() =>
  import('./overview/Maintenance.tsx').then(({ Maintenance: area }) => ({ default: area })),
)
const Organisations = lazy(() =>
  import('./organisations/Organisations.tsx').then(({ Organisations: area }) => ({ default: area })),
)
const Audit = lazy(() => import('./overview/Audit.tsx').then(({ Audit: area }) => ({ default: area })))

const NoSuchPage = lazy(() =>
  import('./parts/AreaPage.tsx').then(({ NoSuchPage: page }) => ({ default: page })),
)

/** The complete administration page. Its texts come from the surrounding `I18nextProvider`. */
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
          <Route path="/blocks/*" element={<Blocks />} />
          <Route path="/plan/*" element={<Plan />} />
          <Route path="/people/*" element={<People />} />
          <Route path="/history" element={<History />} />
          <Route path="/directory" element={<Directory />} />
          <Route path="/maintenance" element={<Maintenance />} />
          <Route path="/audit" element={<Audit />} />
          <Route path="/organisations" element={<Organisations />} />
          <Route path="*" element={<NoSuchPage />} />
        </Route>
      </Routes>
    </PlaceRouter>
  )
}
