import { Observable, map } from 'rxjs'
import { isSignInCode, signInFailed } from '../../../streams/auth/signInCodes.ts'
import type { Failed } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import type { Step } from './fallbackChain.ts'

/** How long the dialog may stay open, in milliseconds. */
export const DIALOG_LIMIT_MS = 300_000
/** In percent of the screen. */
const SIZE = { height: 60, width: 30 }
const CLOSED_BY_PERSON = 12006

/** What the dialog's page tells the pane. */
export type DialogMessage = Readonly<{ accessToken: string } | { code: string; cause?: string }>

/** What is needed of Microsoft's library. */
export type DialogOffice = Readonly<{
  context: Readonly<{ ui: Pick<Office.UI, 'displayDialogAsync'> }>
  AsyncResultStatus: Pick<typeof Office.AsyncResultStatus, 'Succeeded'>
  EventType: Pick<typeof Office.EventType, 'DialogMessageReceived' | 'DialogEventReceived'>
}>

const readMessage = (text: string): DialogMessage | null => {
  try {
    const told: unknown = JSON.parse(text)
    if (typeof told !== 'object' || told === null) return null
    if ('accessToken' in told && typeof told.accessToken === 'string')
      return { accessToken: told.accessToken }
    return 'code' in told && typeof told.code === 'string'
      ? {
          code: told.code,
          ...('cause' in told && typeof told.cause === 'string' ? { cause: told.cause } : {}),
        }
      : null
  } catch {
    return null
  }
}

/** Office's numbers for a dialog that did not open. */
const notOpened = (code: number): Failed => {
  switch (code) {
    case 12007:
      return signInFailed('login_progress_error', `dialog ${code}`)
    case 12009:
      return signInFailed('user_cancelled', `dialog ${code}`)
    case 12011:
      return signInFailed('popup_window_error', `dialog ${code}`)
    default:
      return signInFailed('AUTH_GENERIC_ERROR', `dialog ${code}`)
  }
}

/**
 * Signing in with a dialog of the mail client that shows our own page at `address`. The page signs in by going to the
 * identity provider and back, and tells the token; only a page of `address`'s origin is believed.
 */
export function createDialogStep(
  options: Readonly<{ office: DialogOffice; address: string; isOffered: () => boolean; time: Time }>,
): Step {
  const { office, address, isOffered, time } = options
  const { origin } = new URL(address)
  return {
    name: 'dialog',
    opensWindow: true,
    isOffered,
    accessToken: () =>
      new Observable<string>((subscriber) => {
        let opened: Office.Dialog | null = null
        let isOver = false
        office.context.ui.displayDialogAsync(address, SIZE, ({ status, value: dialog, error }) => {
          if (status !== office.AsyncResultStatus.Succeeded) return subscriber.error(notOpened(error.code))
          // Whoever asked has left meanwhile.
          if (isOver) return dialog.close()
          opened = dialog
          dialog.addEventHandler(office.EventType.DialogMessageReceived, (event) => {
            if (!('message' in event) || ('origin' in event && event.origin && event.origin !== origin))
              return
            const told = readMessage(event.message)
            if (!told) return
            if ('accessToken' in told) {
              subscriber.next(told.accessToken)
              subscriber.complete()
            } else
              subscriber.error(
                signInFailed(isSignInCode(told.code) ? told.code : 'AUTH_GENERIC_ERROR', told.cause),
              )
          })
          dialog.addEventHandler(office.EventType.DialogEventReceived, (event) => {
            opened = null
            const code = 'error' in event ? event.error : 0
            subscriber.error(
              code === CLOSED_BY_PERSON
                ? signInFailed('user_cancelled')
                : signInFailed('AUTH_GENERIC_ERROR', `dialog ${code}`),
            )
          })
        })
        return () => {
          isOver = true
          opened?.close()
        }
      }).pipe(
        timeLimit(DIALOG_LIMIT_MS, time, () => signInFailed('token_renewal_error', 'dialog')),
        map(createSecret),
      ),
  }
}
