import { useObservableEagerState } from 'observable-hooks'
import { createContext, useContext } from 'react'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { MailboxState } from '../mailbox/model.ts'

export const MailboxContext = createContext<Mailbox | null>(null)

/** The page's mailbox. Throws outside a `MailboxContext`. */
export function useMailbox(): Mailbox {
  const mailbox = useContext(MailboxContext)
  if (!mailbox) throw new Error('The component is outside a MailboxContext')
  return mailbox
}

export const useMailboxState = (): MailboxState => useObservableEagerState(useMailbox().state$)
