import { Session } from '../../../streams/administration/session/events.ts'
import type { OutReason } from '../../../streams/administration/session/reducer.ts'
import { Button } from '../../parts/Button.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { useTitle } from '../hooks/dom/arrival.ts'
import { useTexts } from '../text/texts.ts'
import { Failure } from './Failure.tsx'
import * as css from './Message.module.css'

/** Shown in place of the areas until the administrator is signed in. It has one button. */
export function SignIn() {
  const t = useTexts()
  const recording = useRecording()
  const session = useAdministrationState((state) => state.session)
  useTitle(t('session.title'))
  return (
    <main className={css['message']}>
      <h1>{t('frame.program')}</h1>
      <p>{t('session.intro')}</p>
      {session.status === 'out' && session.why && <Why why={session.why} />}
      {session.status === 'out' ? (
        <Button look="primary" onPress={recording(Session.signInRequested())}>
          {t('session.button')}
        </Button>
      ) : (
        <p role="status">{t(session.status === 'asking' ? 'session.asking' : 'session.opening')}</p>
      )}
    </main>
  )
}

function Why({ why }: { why: OutReason }) {
  const t = useTexts()
  switch (why.kind) {
    case 'failed':
      return <Failure title="session.failed" failure={why.failure} onRetry={null} />
    case 'expired':
      return (
        <Notice tone="warning" title={t('session.expired')} urgent>
          <p>{t('session.expiredAction')}</p>
        </Notice>
      )
    case 'signedOut':
      return <p role="status">{t('session.signedOut')}</p>
  }
}
