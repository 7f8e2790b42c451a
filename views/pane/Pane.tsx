import type { ReactNode } from 'react'
import { Route, Routes } from 'react-router-dom'
import { awaitsSilentSignIn } from '../../streams/message/auth/rules.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { isPublicPath } from '../../streams/pane/router/routes.ts'
import { AppProvider, type PaneApp, useAppState, useRecording } from './app.tsx'
import { Dashboard } from './signatures/Dashboard.tsx'
import { Loading } from './frame/Loading.tsx'
import { Onboarding } from './Onboarding.tsx'
import { SignaturesPage } from './signatures/SignaturesPage.tsx'
import { Announcer } from './frame/Announcer.tsx'
import { Fade } from './frame/Fade.tsx'
import { useFocusFallback } from '../shared/dom/focus.ts'
import { useTitleOfRoute } from './dom/title.ts'
import { PlaceRouter } from '../shared/PlaceRouter.tsx'
import { LazyView } from './frame/LazyView.tsx'
import { Shell } from './frame/Shell.tsx'
import { InMeetingContext } from './text/texts.ts'
import '../shared/theme.css'
import '../shared/page.css'

/** The whole pane, drawn from the state; the texts come from the `I18nextProvider` around it. */
export function Pane({ app }: { app: PaneApp }) {
  return (
    <AppProvider value={app}>
      <Speaking>
        <Pages />
        <Announcer />
      </Speaking>
    </AppProvider>
  )
}

/** Tells all texts below whether the open item is a message or a meeting. */
const Speaking = ({ children }: { children: ReactNode }) => (
  <InMeetingContext value={useAppState(({ mailbox }) => mailbox.item?.isMeeting === true)}>
    {children}
  </InMeetingContext>
)

function Pages() {
  const path = useAppState(({ router }) => router.path)
  // Until the silent sign-in is answered, the pane does not know whether the user must do anything.
  const isSignedOut = useAppState((state) => state.auth.status === 'signedOut' && !awaitsSilentSignIn(state))
  const recording = useRecording()
  useFocusFallback()
  const isOutside = isSignedOut && !isPublicPath(path)
  useTitleOfRoute(path, isOutside)
  return (
    <Fade of={isOutside ? 'onboarding' : 'shell'}>
      {isOutside ? (
        <Onboarding />
      ) : (
        <PlaceRouter path={path} onLink={recording((to) => Router.navigationRequested({ to }))}>
          <Routes>
            <Route element={<Shell />}>
              <Route path="/app/signatures/:type" element={<SignaturesPage />} />
              <Route path="/app/settings/config" element={<LazyView view="settings" />} />
              <Route path="/app/settings/app" element={<LazyView view="settings" />} />
              <Route path="/app/settings/self-test" element={<LazyView view="selfTest" />} />
              <Route path="/app/settings/attributes" element={<LazyView view="variables" />} />
              <Route path="/app/settings/variables" element={<LazyView view="variables" />} />
              <Route path="/about" element={<LazyView view="about" />} />
              <Route path="/pages/about" element={<LazyView view="about" />} />
              <Route path="/help" element={<LazyView view="help" />} />
              <Route path="/logout" element={<Loading />} />
              <Route path="/loading" element={<Loading />} />
              <Route path="/auth/*" element={<Loading />} />
              <Route path="*" element={<Dashboard />} />
            </Route>
          </Routes>
        </PlaceRouter>
      )}
    </Fade>
  )
}
