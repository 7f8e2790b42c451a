import { createContext, useContext } from 'react'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { MailboxState } from '../mailbox/model.ts'
import { useStateOf } from '../scenario/controlsState.ts'

/** The mailbox that the page around the pane shows. */
export const MailboxContext = createContext<Mailbox | null>(null)

/** What the person can do with the mailbox. */
export function useMailbox(): Mailbox {
  const mailbox = useContext(MailboxContext)
  if (!mailbox) throw new Error('There is no mailbox around this component')
  return mailbox
}

/** The mailbox as it is now. */
export const useMailboxState = (): MailboxState => useStateOf(useMailbox().state$)
