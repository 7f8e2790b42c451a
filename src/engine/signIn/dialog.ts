import { Observable } from 'rxjs'
import { isSignInCode, signInFailure } from '../../../streams/pane/auth/signInCodes.ts'
import type { Failed } from '../../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'

/** How long the dialog may stay open. */
export const DIALOG_LIMIT_MS = 300_000
/** The size of the dialog, in percent of the screen. */
const SIZE_PERCENT = { height: 60, width: 30 }
/** Office's code for a dialog that the user closed. */
const CLOSED_BY_USER = 12006

/** The URL parameter with which the dialog's page gets the proof. */
export const PROOF_PARAMETER = 'dialog'

/**
 * The message from the dialog's page to the pane. `proof` is in that page's address, so only the page and the pane know
 * it.
 */
export type DialogMessage = Readonly<
  { proof: string } & ({ accessToken: string; account: string | null } | { code: string; cause?: string })
>

/** The token of a sign-in in the dialog, and the account that the user chose; null when the account is unknown. */
export type DialogGrant = Readonly<{ accessToken: string; account: string | null }>

/** The part of Microsoft's library that the dialog uses. */
export type DialogOffice = Readonly<{
  context: Readonly<{ ui: Pick<Office.UI, 'displayDialogAsync'> }>
  AsyncResultStatus: Pick<typeof Office.AsyncResultStatus, 'Succeeded'>
  EventType: Pick<typeof Office.EventType, 'DialogMessageReceived' | 'DialogEventReceived'>
}>

const readMessage = (text: string): DialogMessage | null => {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message !== 'object' || message === null) return null
    const proof = 'proof' in message && typeof message.proof === 'string' ? message.proof : ''
    if ('accessToken' in message && typeof message.accessToken === 'string')
      return {
        proof,
        accessToken: message.accessToken,
        account: 'account' in message && typeof message.account === 'string' ? message.account : null,
      }
    return 'code' in message && typeof message.code === 'string'
      ? {
          proof,
          code: message.code,
          ...('cause' in message && typeof message.cause === 'string' ? { cause: message.cause } : {}),
        }
      : null
  } catch {
    return null
  }
}

/** The failure for Office's code of a dialog that did not open. */
const openFailure = (code: number): Failed => {
  switch (code) {
    case 12007:
      return signInFailure('login_progress_error', `dialog ${code}`)
    case 12009:
      return signInFailure('user_cancelled', `dialog ${code}`)
    case 12011:
      return signInFailure('popup_window_error', `dialog ${code}`)
    default:
      return signInFailure('AUTH_GENERIC_ERROR', `dialog ${code}`)
  }
}

export type DialogOptions = Readonly<{ office: DialogOffice; address: string; time: Time }>

/**
 * Signs in through a dialog of the mail client, and emits the access token and the account. The dialog shows Signet's
 * page at `address`, which redirects to the identity provider and back, then sends the token. Messages from any origin
 * but that of `address` are ignored. A mail client without the requirement set DialogOrigin does not report the origin;
 * then the message must contain the proof.
 */
export function signInByDialog({ office, address, time }: DialogOptions): Observable<DialogGrant> {
  const { origin } = new URL(address)
  return new Observable<DialogGrant>((subscriber) => {
    let opened: Office.Dialog | null = null
    let isUnsubscribed = false
    const proof = crypto.randomUUID()
    const page = new URL(address)
    page.searchParams.set(PROOF_PARAMETER, proof)
    office.context.ui.displayDialogAsync(page.href, SIZE_PERCENT, (result) => {
      // Contrary to the types, any part of the result may be missing.
      const { status, value: dialog, error } = result as Partial<Office.AsyncResult<Office.Dialog | null>>
      if (status !== office.AsyncResultStatus.Succeeded || !dialog)
        return subscriber.error(openFailure(error?.code ?? 0))
      if (isUnsubscribed) return dialog.close()
      opened = dialog
      dialog.addEventHandler(office.EventType.DialogMessageReceived, (event) => {
        const message = 'message' in event ? readMessage(event.message) : null
        const from = 'origin' in event ? event.origin : undefined
        if (!message || (from ? from !== origin : message.proof !== proof)) return
        if ('accessToken' in message) {
          subscriber.next({ accessToken: message.accessToken, account: message.account })
          subscriber.complete()
        } else
          subscriber.error(
            signInFailure(isSignInCode(message.code) ? message.code : 'AUTH_GENERIC_ERROR', message.cause),
          )
      })
      dialog.addEventHandler(office.EventType.DialogEventReceived, (event) => {
        opened = null
        const code = 'error' in event ? event.error : 0
        subscriber.error(
          code === CLOSED_BY_USER
            ? signInFailure('user_cancelled')
            : signInFailure('AUTH_GENERIC_ERROR', `dialog ${code}`),
        )
      })
    })
    return () => {
      isUnsubscribed = true
      opened?.close()
    }
  }).pipe(timeLimit(DIALOG_LIMIT_MS, time, () => signInFailure('token_renewal_error', 'dialog')))
}
