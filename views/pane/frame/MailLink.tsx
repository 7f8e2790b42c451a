import { mailAddress, type PreparedMail } from '../text/mail.ts'
import * as css from '../../shared/Button.module.css'

/** A link with the look of a button, which opens a prepared mail in the mail program. */
export function MailLink({ mail, children }: { mail: PreparedMail; children: string }) {
  return (
    <a
      href={mailAddress(mail)}
      // The link opens in a window of its own, so that the pane stays.
      target="_blank"
      rel="noopener noreferrer"
      className={css['secondary']}
    >
      {children}
    </a>
  )
}
