import { Session } from '../../../streams/administration/session/events.ts'
import type { SessionEndReason } from '../../../streams/administration/session/reducer.ts'
import { refusesAccount } from '../../../streams/administration/session/rules.ts'
import { Button } from '../../shared/Button.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState, useRecording } from './administration.tsx'
import { useTitle } from '../dom/arrival.ts'
import { useTexts } from '../text/texts.ts'
import { Card } from './Card.tsx'
import { Failure } from './Failure.tsx'
import { Roles } from './Roles.tsx'
import * as css from './SignIn.module.css'
import * as textCss from './Text.module.css'

/** Replaces the areas until the administrator is signed in. Has a single button. */
export function SignIn() {
  const t = useTexts()
  const session = useAdministrationState((state) => state.session)
  const organisation = useAdministrationState(({ owner }) => owner?.organisation ?? null)
  useTitle(t('session.title'))
  return (
    <Card organisation={organisation} heading={t('frame.program')}>
      {session.status === 'out' ? (
        <Out why={session.why} />
      ) : (
        <p role="status">{t(session.status === 'asking' ? 'session.asking' : 'session.opening')}</p>
      )}
    </Card>
  )
}

function Out({ why }: { why: SessionEndReason | null }) {
  const t = useTexts()
  const recording = useRecording()
  const isOther = why?.kind === 'failed' && refusesAccount(why.failure)
  const choosesAccount = why === null || why.kind === 'signedOut' || isOther
  return (
    <>
      {why === null ? <p>{t('session.intro')}</p> : <Why why={why} />}
      {choosesAccount && <WhoCanSignIn />}
      <Button
        look="primary"
        onPress={recording(isOther ? Session.otherAccountRequested() : Session.signInRequested())}
      >
        {t(isOther ? 'frame.otherAccount' : 'session.button')}
      </Button>
    </>
  )
}

/** Names the people of the demonstration who can sign in, or says who decides it in an organisation. */
function WhoCanSignIn() {
  const t = useTexts()
  const administrators = useAdministrationState((state) => state.administrators)
  if (administrators.length === 0) return <p className={textCss['quiet']}>{t('session.who')}</p>
  return (
    <>
      <p>{t('session.demonstration')}</p>
      <dl className={css['people']}>
        {administrators.map(({ name, roles }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Roles roles={roles} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Why({ why }: { why: SessionEndReason }) {
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
