import { Auth } from '../../../streams/message/auth/events.ts'
import { selectProfile } from '../../../streams/message/profile/selectors.ts'
import { useAppState, useRecording } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { Initials, initialsOf } from '../../shared/Initials.tsx'
import { usePopup } from '../../shared/dom/popup.ts'
import * as css from './Account.module.css'
import * as textCss from '../../shared/Text.module.css'

/** The signed-in user, behind a button at the foot. Draws nothing without a sign-in. */
export function Account() {
  const user = useAppState(({ mailbox }) => mailbox.user)
  const profile = useAppState(selectProfile)
  const isSignedIn = useAppState(({ auth }) => auth.status === 'success')
  const address = profile?.email ?? user?.email
  if (!isSignedIn || !address) return null
  return <AccountOf name={profile?.displayName || user?.displayName || address} address={address} />
}

/** The user's name and address and the sign-out, in a card above the button that opens it. */
function AccountOf({ name, address }: Readonly<{ name: string; address: string }>) {
  const t = useTexts()
  const recording = useRecording()
  const { id, isOpen, around, button } = usePopup<HTMLDivElement>()
  const label = t('account.label', { name: name === address ? name : `${name}, ${address}` })
  // The name includes the letters, because voice control finds a button by its visible text.
  const spoken = `${label}, ${initialsOf(name)}`
  return (
    <div {...around}>
      <button {...button} aria-label={spoken} title={spoken} className={css['button']}>
        <Initials name={name} />
        <Icon name="unfold" />
      </button>
      {isOpen && (
        <div id={id} role="group" aria-label={label} className={css['card']}>
          <p className={css['identity']}>
            <span>{name}</span>
            {name !== address && <span className={textCss['small']}>{address}</span>}
          </p>
          <Button look="secondary" onPress={recording(Auth.signOutRequested({ reason: { kind: 'person' } }))}>
            {t('account.signOut')}
          </Button>
        </div>
      )}
    </div>
  )
}
