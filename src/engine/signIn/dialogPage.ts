import { asyncScheduler } from 'rxjs'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { config } from '../config.ts'
import { officeLibraryUrl } from '../served.ts'
import { type DialogMessage, PROOF_PARAMETER } from './dialog.ts'
import { signInByRedirect } from './library.ts'

const loadOffice = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = officeLibraryUrl
    script.onload = () => {
      void Office.onReady(() => resolve())
    }
    script.onerror = () => reject(new Error('Office.js could not be loaded'))
    document.head.append(script)
  })

/** The page in the mail client's dialog: signs in, and sends the result to the pane that opened the dialog. */
export async function runDialogPage(): Promise<void> {
  // Office.js has to run before the redirect, which changes the address from which Office.js reads its parameters.
  await loadOffice()
  const proof = new URLSearchParams(location.search).get(PROOF_PARAMETER) ?? ''
  const send = (message: DialogMessage) => Office.context.ui.messageParent(JSON.stringify(message))
  try {
    const grant = await signInByRedirect({
      ...config.signIn,
      redirectUri: `${location.origin}/index.html`,
      startPage: location.href,
      allowsPlainLocalhost: !config.stage.production,
      time: { scheduler: asyncScheduler },
    })
    if (grant) send({ proof, accessToken: grant.accessToken, account: grant.email })
  } catch (error) {
    const failure = toFailure(error)
    send(
      failure.kind === 'auth'
        ? { proof, code: failure.code, ...(failure.cause === undefined ? {} : { cause: failure.cause }) }
        : { proof, code: 'AUTH_GENERIC_ERROR', cause: failure.kind },
    )
  }
}
