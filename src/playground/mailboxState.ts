import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { MailboxState } from '../mailbox/model.ts'

/** The mailbox that the page around the pane shows. */
export const MailboxContext = createContext<Mailbox | null>(null)

/** What the person can do with the mailbox. */
export function useMailbox(): Mailbox {
  const mailbox = useContext(MailboxContext)
  if (!mailbox) throw new Error('There is no mailbox around this component')
  return mailbox
}

/** The mailbox as it is now. */
export function useMailboxState(): MailboxState {
  const { state$ } = useMailbox()
  const subscribe = useCallback(
    (changed: () => void) => {
      const listening = state$.subscribe(changed)
      return () => listening.unsubscribe()
    },
    [state$],
  )
  return useSyncExternalStore(subscribe, () => state$.value)
}
