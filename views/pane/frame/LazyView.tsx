import { createElement } from 'react'
import { Router } from '../../../streams/pane/router/events.ts'
import { LOGOUT_PATH } from '../../../streams/pane/router/rules.ts'
import type { PageName } from '../../../streams/pane/router/routes.ts'
import { useApp, useAppState, useRecording } from '../app.tsx'
import { Loading } from './Loading.tsx'
import { useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'

/**
 * Draws a view from its own chunk: at first nothing, then a loading page if loading is slow, then the view or a
 * failure.
 */
export function LazyView({ view }: { view: PageName }) {
  const { viewOf } = useApp()
  const status = useAppState(({ chunks }) => chunks[view]?.status)
  if (status === 'slow') return <Loading />
  if (status === 'timedOut') return <TimedOut />
  const View = status === 'loaded' ? viewOf(view) : null
  return View && createElement(View)
}

function TimedOut() {
  const t = useTexts()
  const recording = useRecording()
  return (
    <>
      <h1>{t('timeout.title')}</h1>
      <Notice
        tone="warning"
        urgent
        act={
          <Button look="secondary" small onPress={recording(Router.navigationRequested({ to: LOGOUT_PATH }))}>
            {t('timeout.back')}
          </Button>
        }
      >
        <p>{t('timeout.meaning')}</p>
        <p>{t('timeout.action')}</p>
      </Notice>
    </>
  )
}
