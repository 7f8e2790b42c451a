import type { Identity, Log } from '../../../effects/ports.ts'
import { catchError, defer, from, map, switchMap } from 'rxjs'
import { Failed } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { MAIL_CLIENT_METHOD } from '../hosts/mailHost.ts'
import type { DialogOffice, DialogOptions } from './dialog.ts'
import { createFallbackChain, type SignInMethod } from './fallbackChain.ts'
import { createNestedMethod } from './nested.ts'

/** The part of the pane's window that this module uses. The mail client adds the bridge to the window. */
type NestingWindow = Readonly<{
  location: Readonly<{ origin: string }>
  nestedAppAuthBridge?: unknown
}>

/** The identity provider and the permission, from the build's config. */
export type SignInConfig = Readonly<{ clientId: string; authority: string; scope: string }>

type Options = Readonly<{ page: NestingWindow; signIn: SignInConfig; time: Time; log: Log }>

/** Nested app authentication. It is offered when the page has the bridge and `isSupported` returns true. */
const nestedMethod = ({ page, signIn, time }: Options, isSupported: () => boolean): SignInMethod =>
  createNestedMethod({
    // Without the bridge the library would open its own windows.
    isOffered: () => page.nestedAppAuthBridge !== undefined && isSupported(),
    open: () => import('./library.ts').then(({ openNestedClient }) => openNestedClient(signIn)),
    time,
  })

/** Nested app authentication for a page that Outlook starts by itself. This sign-in never asks the user. */
export const createNestedSignIn = (options: Options): SignInMethod => nestedMethod(options, () => true)

const mailClientMethod = (mail: Identity): SignInMethod => ({
  name: MAIL_CLIENT_METHOD,
  isOffered: () => true,
  opensWindow: false,
  signIn: (options) => mail.accessToken(options).pipe(map((token) => ({ token, account: mail.account() }))),
})

/** Signs in with a dialog. The code of the dialog is loaded at the first sign-in. */
export const createDialogMethod = ({
  isOffered,
  ...options
}: DialogOptions & Readonly<{ isOffered: () => boolean }>): SignInMethod => ({
  name: 'dialog',
  opensWindow: true,
  isOffered,
  signIn: () =>
    defer(() => from(import('./dialog.ts'))).pipe(
      catchError((cause: unknown) => {
        throw new Failed({ kind: 'notLoaded' }, { cause })
      }),
      switchMap(({ signInByDialog }) => signInByDialog(options)),
      map(({ accessToken, account }) => ({ token: createSecret(accessToken), account })),
    ),
})

/**
 * The identity in a mail client other than Outlook: nested app authentication, else the mail client's own token, else
 * `window`, in which the user chooses an account.
 */
export const createMailClientIdentity = (mail: Identity, window: SignInMethod, options: Options): Identity =>
  createFallbackChain([nestedMethod(options, () => true), mailClientMethod(mail), window], options.log)

/**
 * The identity inside Outlook: nested app authentication where it is offered, else the mail client's access token, else
 * a dialog. The dialog opens only when the user requested the sign-in.
 */
export function createOfficeIdentity(
  mail: Identity,
  office: DialogOffice & Readonly<{ context: Readonly<{ requirements: Office.RequirementSetSupport }> }>,
  options: Options,
): Identity {
  const supports = (set: string, version: string) => office.context.requirements.isSetSupported(set, version)
  return createFallbackChain(
    [
      nestedMethod(options, () => supports('NestedAppAuth', '1.1')),
      mailClientMethod(mail),
      createDialogMethod({
        office,
        address: `${options.page.location.origin}/index.html?dialog`,
        isOffered: () => supports('DialogApi', '1.2'),
        time: options.time,
      }),
    ],
    options.log,
  )
}
