import { Auth, type SignOutReason } from '../../streams/message/auth/events.ts'
import { isUserUnknown } from '../../streams/message/auth/rules.ts'
import { HELP_PATH } from '../../streams/pane/router/routes.ts'
import { useAppState, useRecording } from './app.tsx'
import { Button } from '../shared/Button.tsx'
import { FailureNotice } from './frame/FailureNotice.tsx'
import { Notice } from '../shared/Notice.tsx'
import { explainFailure } from './text/failure.ts'
import { useTexts } from './text/texts.ts'
import { Icon } from '../shared/Icon.tsx'
import { PlaceLink } from './frame/PlaceLink.tsx'
import * as css from './Onboarding.module.css'
import * as stack from '../shared/Stack.module.css'
import * as textCss from '../shared/Text.module.css'

/** The page for a signed-out user: what Signet is, why they are signed out, what is kept, a button, and the help. */
export function Onboarding() {
  const t = useTexts()
  const recording = useRecording()
  const reason = useAppState(({ auth }) =>
    auth.status === 'signedOut' && auth.reason && !isUserUnknown(auth.reason) ? auth.reason : null,
  )
  const keptEdits = useAppState(({ auth }) => (auth.status === 'signedOut' ? auth.keptEdits : undefined))
  const hasFailed = reason?.kind === 'signInFailed'
  const mayRetry = hasFailed && explainFailure(reason.failure, 'signIn').mayRetry
  return (
    <main className={`${stack['alone']} ${css['page']}`}>
      <span className={css['mark']} aria-hidden="true">
        <Icon name="signature" />
      </span>
      <h1 className={textCss['title']}>{t('signIn.title')}</h1>
      <p className={css['words']}>{t('signIn.purpose')}</p>
      {reason && (
        <div className={css['reason']}>
          <Reason reason={reason} />
        </div>
      )}
      <div>
        {/* A live region, because the number of kept edits arrives a moment later. */}
        <p role="status" className={css['kept']}>
          {keptEdits !== undefined && t('signIn.kept', { count: keptEdits })}
        </p>
        <Button
          look="primary"
          goesOn={hasFailed}
          onPress={recording(Auth.signInRequested({ silent: false }))}
        >
          {t(mayRetry ? 'signIn.retry' : 'signIn.button')}
        </Button>
      </div>
      <PlaceLink to={HELP_PATH} isHere={false} className={css['help']}>
        {t('help.title')}
      </PlaceLink>
    </main>
  )
}

const ENDINGS = {
  person: 'signIn.signedOut',
  elsewhere: 'signIn.signedOutElsewhere',
  expired: 'signIn.ended',
} as const

function Reason({ reason }: { reason: SignOutReason }) {
  const t = useTexts()
  switch (reason.kind) {
    case 'person':
    case 'elsewhere':
    case 'expired':
      return (
        <Notice tone="info" urgent title={t(ENDINGS[reason.kind])}>
          <p>{t('meaning.signatureStays')}</p>
        </Notice>
      )
    case 'signInFailed':
    case 'rejected':
      return (
        <FailureNotice
          title={reason.kind === 'rejected' ? 'signIn.ended' : 'signIn.failed'}
          failure={reason.failure}
          purpose="signIn"
          onRetry={null}
        />
      )
  }
}
