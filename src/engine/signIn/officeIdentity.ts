import type { Identity, Log } from '../../../effects/ports.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import { MAIL_CLIENT } from '../hosts/mailHost.ts'
import { createDialogStep, type DialogOffice } from './dialog.ts'
import { createLadder, type Step } from './fallbackChain.ts'
import { createNestedStep } from './nested.ts'

/** What is needed of the pane's window; the mail client puts the bridge there. */
export type NestingWindow = Readonly<{
  location: Readonly<{ origin: string }>
  nestedAppAuthBridge?: unknown
}>

/** Where signing in goes, as the environment says. */
export type SignInConfig = Readonly<{ clientId: string; authority: string; scope: string }>

type Options = Readonly<{ page: NestingWindow; signIn: SignInConfig; time: Time; log: Log }>

/** Nested app authentication, wherever the page has the bridge for it and `isSupported` agrees. */
const nestedStep = ({ page, signIn, time }: Options, isSupported: () => boolean): Step =>
  createNestedStep({
    // Without the bridge the library would sign in with windows of its own.
    isOffered: () => page.nestedAppAuthBridge !== undefined && isSupported(),
    open: () => import('./library.ts').then(({ openNestedClient }) => openNestedClient(signIn)),
    time,
  })

const mailClientStep = (mail: Identity): Step => ({
  name: MAIL_CLIENT,
  isOffered: () => true,
  opensWindow: false,
  accessToken: (options) => mail.accessToken(options),
})

/**
 * Signing in inside a mail client that is none of Microsoft's: nested app authentication where the page has the bridge,
 * else the mail client's own token.
 */
export const createMailClientIdentity = (mail: Identity, options: Options): Identity =>
  createLadder([nestedStep(options, () => true), mailClientStep(mail)], options.log)

/**
 * Signing in inside Outlook: nested app authentication where it is offered, else the mail client's access token, else a
 * dialog, which only a person opens.
 */
export function createOfficeIdentity(
  mail: Identity,
  office: DialogOffice & Readonly<{ context: Readonly<{ requirements: Office.RequirementSetSupport }> }>,
  options: Options,
): Identity {
  const supports = (set: string, version: string) => office.context.requirements.isSetSupported(set, version)
  return createLadder(
    [
      nestedStep(options, () => supports('NestedAppAuth', '1.1')),
      mailClientStep(mail),
      createDialogStep({
        office,
        address: `${options.page.location.origin}/index.html?dialog`,
        isOffered: () => supports('DialogApi', '1.2'),
        time: options.time,
      }),
    ],
    options.log,
  )
}
