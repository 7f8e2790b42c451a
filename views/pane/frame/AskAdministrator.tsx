import { selectProfile } from '../../../streams/message/profile/selectors.ts'
import { useAppState } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import { MailLink } from './MailLink.tsx'

/** A link that prepares a mail in which the user asks the administrator for a signature. */
export function AskAdministrator() {
  const t = useTexts()
  const address = useAppState(selectProfile)?.email
  const paragraphs = [t('ask.body'), ...(address ? [t('ask.address', { address })] : []), t('ask.thanks')]
  return (
    <MailLink mail={{ subject: t('ask.subject'), body: paragraphs.join('\n\n') }}>{t('ask.link')}</MailLink>
  )
}
