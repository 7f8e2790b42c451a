import { Session } from '../../../streams/administration/session/events.ts'
import type { CallerInfo } from '../../../streams/wire/administration/insight.ts'
import { Button } from '../../shared/Button.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { Initials, initialsOf } from '../../shared/Initials.tsx'
import { usePopup } from '../../shared/dom/popup.ts'
import { useRecording } from './administration.tsx'
import { Roles } from './Roles.tsx'
import { useTexts } from '../text/texts.ts'
import * as sharedTextCss from '../../shared/Text.module.css'
import * as css from './Account.module.css'

/** The signed-in administrator: a button that opens a card with what the account may do, and the ways out. */
export function Account({ me: { name, roles } }: { me: CallerInfo }) {
  const t = useTexts()
  const recording = useRecording()
  const { id, isOpen, around, button } = usePopup<HTMLDivElement>()
  const label = t('frame.signedInAs', { name })
  return (
    <div {...around} className={css['account']}>
      <button {...button} className={css['button']}>
        {/* It includes the letters, because voice control finds a button by its visible text. */}
        <span className={sharedTextCss['unseen']}>{`${label}, ${initialsOf(name)}`}</span>
        <Initials name={name} />
        <span className={css['name']} aria-hidden="true">
          {name}
        </span>
        <Icon name="unfold" />
      </button>
      {isOpen && (
        <div id={id} role="group" aria-label={label} className={css['card']} data-over>
          <p>
            <strong>{name}</strong>
          </p>
          <Roles roles={roles} />
          <Button look="secondary" onPress={recording(Session.otherAccountRequested())}>
            {t('frame.otherAccount')}
          </Button>
          <Button look="secondary" onPress={recording(Session.signOutRequested())}>
            {t('frame.signOut')}
          </Button>
        </div>
      )}
    </div>
  )
}
