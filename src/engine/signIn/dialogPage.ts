import { asyncScheduler } from 'rxjs'
import { toFailure } from '../../../streams/kernel/failure.ts'
import { config } from '../config.ts'
import type { DialogMessage } from './dialog.ts'
import { signInByLeaving } from './library.ts'

/** Where Microsoft's library comes from. */
const OFFICE = 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js'

const loadOffice = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = OFFICE
    script.onload = () => {
      void Office.onReady(() => resolve())
    }
    script.onerror = () => reject(new Error('Office.js could not be loaded'))
    document.head.append(script)
  })

/** The page in the mail client's dialog: signs in, and tells the pane that opened it. */
export async function runDialogPage(): Promise<void> {
  // What the mail client hands over stands in the address that the page is opened with, so the library goes first.
  await loadOffice()
  const tell = (message: DialogMessage) => Office.context.ui.messageParent(JSON.stringify(message))
  try {
    const granted = await signInByLeaving({
      ...config.signIn,
      redirectUri: `${location.origin}/index.html`,
      startPage: location.href,
      allowsPlainLocalhost: !config.stage.production,
      time: { scheduler: asyncScheduler },
    })
    if (granted) tell({ accessToken: granted.accessToken })
  } catch (error) {
    const failure = toFailure(error)
    tell(
      failure.kind === 'auth'
        ? { code: failure.code, ...(failure.cause === undefined ? {} : { cause: failure.cause }) }
        : { code: 'AUTH_GENERIC_ERROR', cause: failure.kind },
    )
  }
}
