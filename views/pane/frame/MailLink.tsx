import { mailtoAddress, type PreparedMail } from '../text/mail.ts'
import * as css from '../../shared/Button.module.css'

/** A link that looks like a button and opens a prepared mail in the mail program. */
export function MailLink({ mail, children }: { mail: PreparedMail; children: string }) {
  return (
    <a
      href={mailtoAddress(mail)}
      // The link opens its own window, so that the pane stays open.
      target="_blank"
      rel="noopener noreferrer"
      className={css['secondary']}
    >
      {children}
    </a>
  )
}
