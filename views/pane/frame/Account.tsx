import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { Auth } from '../../../streams/message/auth/events.ts'
import { selectProfile } from '../../../streams/message/profile/selectors.ts'
import { useAppState, useRecording } from '../app.tsx'
import { useOutsidePress } from '../dom/outsidePress.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { Initials, initialsOf } from '../../shared/Initials.tsx'
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

/**
 * The user's name and address and the sign-out, in a card above the button that opens it. Escape closes the card and
 * focuses the button; a focus or a press elsewhere closes the card, too.
 */
function AccountOf({ name, address }: Readonly<{ name: string; address: string }>) {
  const t = useTexts()
  const recording = useRecording()
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const close = () => {
    setIsOpen(false)
  }
  useOutsidePress(place, isOpen, close)
  const label = t('account.label', { name: name === address ? name : `${name}, ${address}` })
  // The name includes the letters, because voice control finds a button by its visible text.
  const spoken = `${label}, ${initialsOf(name)}`
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    // Otherwise the mail client would move the focus out of the pane.
    event.preventDefault()
    event.stopPropagation()
    close()
    button.current?.focus()
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
  }
  return (
    <div ref={place} onKeyDown={press} onBlur={leave}>
      <button
        ref={button}
        type="button"
        aria-label={spoken}
        title={spoken}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={css['button']}
        onClick={() => setIsOpen(!isOpen)}
      >
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
