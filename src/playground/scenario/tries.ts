import { defer, filter, map, merge, type Observable, of, switchMap, take } from 'rxjs'
import { emitAfter, growingIntervals, type Time } from '../../../streams/kernel/time.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import { PARTNER_ADDRESS } from '../mailbox/demoMails.ts'
import { type ComposeItem, openItem } from '../mailbox/model.ts'

/** The suggestions that the page offers. */
export const TRY_NAMES = ['another', 'answer', 'outside', 'failure'] as const
export type TryName = (typeof TRY_NAMES)[number]

/** The parts of the pane's window that the page uses. */
export type TriedPaneWindow = Readonly<{ document: Document; location: { hash: string } }>

const POLL_MS = 100
/** The time limit of a try, in milliseconds. Inserting a signature takes less. */
const LIMIT_MS = 8_000
/** The error with which Outlook refuses one signature in the try `failure`. */
const REFUSED = { code: 5000, name: 'Host Error' }

/** Selects a signature that the user can choose, except the current signature and "No signature". */
const OTHER =
  '[role="option"][aria-selected="false"]:not([aria-disabled="true"]):not([aria-busy="true"]):not([data-row="none"])'
/** Selects an `OTHER` signature that is not a variant, because a variant looks like its main signature. */
const OTHER_MASTER = `${OTHER}[data-row$="-master"]`
const LIST_HASH = '#/app/dashboard'

const draftOf = (mailbox: Mailbox): ComposeItem | null => {
  const item = openItem(mailbox.state$.value)
  return item?.mode === 'compose' ? item : null
}

/** Emits once and completes: true as soon as `check` returns true, or false at the time limit. */
const until = (check: () => boolean, time: Time): Observable<boolean> =>
  merge(
    growingIntervals(POLL_MS, 0, time).pipe(map(check), filter(Boolean)),
    emitAfter(LIMIT_MS, time).pipe(map(() => false)),
  ).pipe(take(1))

/** Clicks another signature in the pane's list. Opens the list first if the pane shows another page. */
function clickAnother(pane: TriedPaneWindow | null): boolean {
  const option =
    pane?.document.querySelector<HTMLElement>(OTHER_MASTER) ??
    pane?.document.querySelector<HTMLElement>(OTHER)
  if (option) {
    option.click()
    return true
  }
  const hash = pane?.location.hash ?? ''
  if (
    pane &&
    hash.startsWith('#/app/') &&
    hash !== LIST_HASH &&
    !pane.document.querySelector('[role="option"]')
  )
    pane.location.hash = LIST_HASH
  return false
}

/**
 * Performs a try for the user, with the mail client, its faults and the pane's list. Emits once and completes: true
 * once the user can see a result, or false at the time limit.
 */
export function performTry(
  wanted: TryName,
  parts: Readonly<{
    mailbox: Mailbox
    showPane: (on: boolean) => void
    pane: () => TriedPaneWindow | null
    time: Time
  }>,
): Observable<boolean> {
  const { mailbox, showPane, pane, time } = parts
  const signature = () => draftOf(mailbox)?.body.signature ?? ''
  const untilSigned = () => until(() => signature() !== '', time)

  /** Opens the pane and a message that accepts a signature. */
  const ready = (): Observable<unknown> => {
    showPane(true)
    if (draftOf(mailbox)) return of(null)
    mailbox.act({ type: 'newMessage' })
    return untilSigned()
  }
  const choose = () => until(() => clickAnother(pane()), time)

  return defer(() => {
    switch (wanted) {
      case 'another':
        return ready().pipe(
          switchMap(() => {
            const before = signature()
            return choose().pipe(
              switchMap((isChosen) => (isChosen ? until(() => signature() !== before, time) : of(false))),
            )
          }),
        )
      case 'answer':
        mailbox.act({ type: 'reply' })
        return untilSigned()
      case 'outside':
        mailbox.act({ type: 'newMessage' })
        return untilSigned().pipe(
          switchMap((isSigned) => {
            if (!isSigned) return of(false)
            const before = signature()
            mailbox.act({ type: 'setRecipients', to: [PARTNER_ADDRESS] })
            return until(() => signature() !== before, time)
          }),
        )
      case 'failure':
        return ready().pipe(
          switchMap(() => {
            mailbox.fail('body.setSignatureAsync', REFUSED, 1)
            return choose()
          }),
          map((isChosen) => {
            if (!isChosen) mailbox.clearFault('body.setSignatureAsync')
            return isChosen
          }),
        )
    }
  })
}
