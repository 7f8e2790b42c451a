import { defer, filter, map, merge, type Observable, of, switchMap, take } from 'rxjs'
import { after, growingIntervals, type Time } from '../../../streams/kernel/time.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import { type ComposeItem, openItem } from '../mailbox/model.ts'

/** What the page offers to try. */
export const TRIES = ['another', 'answer', 'failure'] as const
export type Try = (typeof TRIES)[number]

/** The window of the pane, as far as the page uses it. */
export type PaneWindow = Readonly<{ document: Document; location: { hash: string } }>

const POLL_MS = 100
/** Longer than an insertion takes. */
const LIMIT_MS = 8_000
/** What Outlook answers once when a signature has to fail. */
const REFUSED = { code: 5000, name: 'Host Error' }

/** A signature that can be chosen, and is not the one in use or "No signature". */
const OTHER =
  '[role="option"][aria-selected="false"]:not([aria-disabled="true"]):not([aria-busy="true"]):not([data-row="none"])'
/** The same, and no variant, which looks like the signature that it belongs to. */
const OTHER_MASTER = `${OTHER}[data-row$="-master"]`
const LIST_HASH = '#/app/dashboard'

const draftOf = (mailbox: Mailbox): ComposeItem | null => {
  const item = openItem(mailbox.state$.value)
  return item?.mode === 'compose' ? item : null
}

/** Emits once: true as soon as `check` is, false after the limit. */
const until = (check: () => boolean, time: Time): Observable<boolean> =>
  merge(
    growingIntervals(POLL_MS, 0, time).pipe(map(check), filter(Boolean)),
    after(LIMIT_MS, time).pipe(map(() => false)),
  ).pipe(take(1))

/** Clicks another signature in the pane's list, and opens the list where another page of the pane is shown. */
function clickAnother(pane: PaneWindow | null): boolean {
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
 * Does what the user would do to try something: through the mail client, its faults, and the list of the pane. Emits
 * once, and completes: whether there was something to see, within 8 seconds.
 */
export function tryOut(
  wanted: Try,
  parts: Readonly<{
    mailbox: Mailbox
    showPane: (on: boolean) => void
    pane: () => PaneWindow | null
    time: Time
  }>,
): Observable<boolean> {
  const { mailbox, showPane, pane, time } = parts
  const signature = () => draftOf(mailbox)?.body.signature ?? ''
  const untilSigned = () => until(() => signature() !== '', time)

  /** Shows the pane, with a message that a signature can go into. */
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
