import { defer, NEVER, type Observable, of, startWith, throwError } from 'rxjs'
import type { Identity, Log, MailHost } from '../../../effects/ports.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { HostProvider } from './chooseHost.ts'

/** The name of the failure of a call that needs a mail client (specification, section 8). */
const NOT_AVAILABLE = 'Not available on Standalone'

/**
 * The host of a pane without a mail client, where no item is ever open. A read returns an empty result and logs why. A
 * write fails with `host` and the name 'Not available on Standalone'. `known` returns the known user's e-mail.
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
    displayLanguage: language,
    about: { version: null, platform: null, requirementSets: {} },
    item$: NEVER.pipe(startWith(null)),
    recipientsChanged$: NEVER,
    theme$: NEVER,
    user: () =>
      defer(() => {
        const email = known()
        const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
        return of(email === null ? null : { accountType: '', displayName: '', email, timezone: timeZone })
      }),

    composeType: read('composeType', null),
    isSaved: read('isSaved', true),
    bodyType: read('bodyType', null),
    from: read('from', null),
    recipients: read('recipients', { to: [], cc: [] }),
    body: read('body', null),
    attachments: read('attachments', null),
    clientSignature: read('clientSignature', null),
    customProperties: read('customProperties', {}),
    sessionData: read('sessionData', null),
    allSessionData: read('allSessionData', null),

    setSignature: write('setSignature'),
    setBody: write('setBody'),
    disableClientSignature: write('disableClientSignature'),
    addInlineImage: write('addInlineImage'),
    removeAttachment: write('removeAttachment'),
    saveCustomProperties: write('saveCustomProperties'),
    setSessionData: write('setSessionData'),

    roaming: {},
    saveRoaming: write('saveRoaming'),

    showNotice: read('showNotice', undefined),
    dismissNotice: read('dismissNotice', undefined),
    showLaunchNotice: read('showLaunchNotice', undefined),
    dismissLaunchNotice: read('dismissLaunchNotice', undefined),
  }
}

/** The part of the pane's window that this module uses. */
type BrowserPage = Readonly<{
  parent: unknown
  location: Readonly<{ search: string }>
  navigator: Readonly<{ language: string }>
}>

/**
 * Whether a mail client opened this page: in a frame, or in its own window with the address parameter that Office adds
 * for each add-in.
 */
const isOpenedByMailClient = (page: BrowserPage): boolean =>
  page.parent !== page || new URLSearchParams(page.location.search).has('_host_Info')

/**
 * The pane in a plain browser with the user's work account, for development. Resolves with null in production
 * (specification, section 1), and in a page that a mail client opened. If that client does not answer, the pane reports
 * this instead of asking for a sign-in, because it could not write into the message. `createIdentity` is called once,
 * when the host resolves.
 */
export const createStandaloneProvider = (
  options: Readonly<{
    page: BrowserPage
    production: boolean
    createIdentity: () => Identity & Readonly<{ known: () => string | null }>
    log: Log
  }>,
): HostProvider => ({
  name: 'standalone',
  resolve: () =>
    defer(() => {
      const { page, production, createIdentity, log } = options
      if (production || isOpenedByMailClient(page)) return of(null)
      const identity = createIdentity()
      return of({
        host: createStandaloneHost({ known: identity.known, language: page.navigator.language, log }),
        identity,
      })
    }),
})
