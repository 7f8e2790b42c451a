import { concat, defer, NEVER, type Observable, of, throwError } from 'rxjs'
import type { Log, MailHost } from '../../effects/ports.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import type { Time } from '../../streams/kernel/time.ts'
import { whenIdle } from '../identity/idle.ts'
import { createStandaloneIdentity } from '../identity/standalone.ts'
import type { HostProvider } from './chooseHost.ts'

/** What a call answers that only the mail client can carry out (specification, section 8). */
export const NOT_AVAILABLE = 'Not available on Standalone'

/** Where signing in goes, as the environment says. */
export type SignInConfig = Readonly<{ clientId: string; authority: string; scope: string }>

/**
 * A mail client that is none: no message is ever open. What would read one gives an empty result and logs why; what
 * would write fails with `host`, named 'Not available on Standalone'. `known` is the e-mail of who signed in.
 */
export function createStandaloneHost(
  options: Readonly<{ known: () => string | null; language: string; log: Log }>,
): MailHost {
  const { known, language, log } = options
  const read =
    <Empty>(call: string, empty: Empty) =>
    (): Observable<Empty> =>
      defer(() => {
        log.warn(NOT_AVAILABLE, { call })
        return of(empty)
      })
  const write = (call: string) => (): Observable<never> =>
    throwError(() => new Failed({ kind: 'host', call, code: 0, name: NOT_AVAILABLE }))

  return {
    name: 'standalone',
    displayLanguage: language.split('-')[0] ?? '',
    about: { version: null, platform: null, requirementSets: {} },
    item$: concat(of(null), NEVER),
    recipientsChanged$: NEVER,
    theme$: NEVER,
    user: () =>
      defer(() => {
        const email = known()
        const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
        return of(email === null ? null : { accountType: '', displayName: '', email, timezone: timeZone })
      }),

    composeType: read('composeType', null),
    bodyType: read('bodyType', null),
    from: read('from', null),
    recipients: read('recipients', { to: [], cc: [] }),
    body: read('body', null),
    attachments: read('attachments', null),
    customProperties: read('customProperties', {}),
    sessionData: read('sessionData', null),

    setSignature: write('setSignature'),
    setBody: write('setBody'),
    addInlineImage: write('addInlineImage'),
    removeAttachment: write('removeAttachment'),
    saveCustomProperties: write('saveCustomProperties'),
    setSessionData: write('setSessionData'),

    showNotice: read('showNotice', undefined),
    dismissNotice: read('dismissNotice', undefined),
  }
}

/**
 * The pane in a plain browser, with the person's work account: for developing and trying. In production it is not
 * there (specification, section 1). The sign-in library is loaded when the browser is idle, so that a click finds it.
 */
export const createStandaloneProvider = (
  options: Readonly<{
    page: Window
    production: boolean
    signIn: SignInConfig
    time: Time
    log: Log
  }>,
): HostProvider => ({
  name: 'standalone',
  resolve: () =>
    defer(() => {
      const { page, production, signIn, time, log } = options
      if (production) return of(null)
      const open = () =>
        import('../identity/library.ts').then(({ openWindowClient }) =>
          openWindowClient({
            ...signIn,
            redirectUri: `${page.location.origin}/index.html`,
            allowsPlainLocalhost: true,
            time,
          }),
        )
      let opened: ReturnType<typeof open> | null = null
      const client = () => {
        opened ??= open().catch((error: unknown) => {
          // What could not be loaded is tried again at the next click.
          opened = null
          throw error
        })
        return opened
      }
      whenIdle(page, () => void client().catch(() => undefined))
      const identity = createStandaloneIdentity({ client, area: page.localStorage, log })
      return of({
        host: createStandaloneHost({ known: identity.known, language: page.navigator.language, log }),
        identity,
      })
    }),
})
