import { Observable, catchError, defer, distinctUntilChanged, forkJoin, map, of } from 'rxjs'
import type { Identity, Log, MessageHost } from '../../../effects/ports.ts'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import type { MailItem } from '../../../streams/message/mailbox/events.ts'
import { readAccount } from '../adapters/sessionToken.ts'
import { type CheckedClient, createCheckedClient } from './answers.ts'
import { type CallGate, createCallGate } from './callGate.ts'
import { createItemCalls } from './itemCalls.ts'
import type { MailClient, NotificationMessage } from './mailClient.ts'

/** The time limit of adding and of removing an attachment. */
const ATTACHMENT_LIMIT_MS = 15_000
/** The limit of a call about the client's own signature; short, because the user's signature waits for the call. */
const CLIENT_SIGNATURE_LIMIT_MS = 2_000
/** The time limit of a sign-in that may ask the user for consent. */
const CONSENT_LIMIT_MS = 15_000
/** The minor version of requirement set Mailbox 1 that added the calls about the client's own signature. */
const CLIENT_SIGNATURE_SINCE = 10
/** The longest text that Outlook accepts in a notice. */
const MAX_NOTICE_CHARACTERS = 150

/** The longest text that Outlook accepts on a button. */
const MAX_ACTION_CHARACTERS = 30
/** The id of the manifest's button that opens the pane. */
export const PANE_BUTTON = 'signet.open11'
/** The Office platforms without insight messages and without a pane to open. */
const PHONES: readonly string[] = ['iOS', 'Android']

export const isPhone = (platform: string | null): boolean => PHONES.includes(platform ?? '')

/** The name of the sign-in method through the mail client itself. */
export const MAIL_CLIENT_METHOD = 'mailClient'

// The key of the notice that a launch event shows (specification, section 4, Notifications).
const LAUNCH_NOTICE_KEY = 'lsi_launch_notice'

// Office's codes for a missing notice and for a missing key. A call with one of these codes has not failed.
const NO_SUCH_NOTICE = 9024
const NO_SUCH_KEY = 9050

// Office's code for an item that was never saved.
const NOT_SAVED = 9046

/** Shortens the text to `most` characters. A shortened text ends with an ellipsis, never with half a surrogate pair. */
export const truncateText = (text: string, most = MAX_NOTICE_CHARACTERS): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

export type HostOptions = Readonly<{ name: MessageHost['name']; time: Time; log: Log }>

/** Shows and dismisses an item's notices by key. Failures are only logged. */
export type Notices = Readonly<{
  show: (itemKey: string, key: string, notice: NotificationMessage) => Observable<void>
  dismiss: (itemKey: string, key: string) => Observable<void>
}>

/**
 * Creates the `MessageHost` port for a mail client, and the notices of its items. When the item is gone, a write fails
 * and a read returns an empty result. The function is long because it is one flat table of the port's methods.
 */
function createHost(
  client: CheckedClient,
  gate: CallGate,
  { name: hostName, log }: HostOptions,
): Readonly<{ host: MessageHost; notices: Notices }> {
  const { ask, call, orElse, read, report, write } = createItemCalls(client, gate, log)

  const hasClientSignatureCalls =
    Number(client.start.requirementSets['Mailbox']?.split('.')[1] ?? 0) >= CLIENT_SIGNATURE_SINCE

  const hasNoPane = isPhone(client.start.diagnostics?.platform ?? null)

  const show: Notices['show'] = (itemKey, key, notice) =>
    orElse(
      write(itemKey, 'notificationMessages.replaceAsync', { key, notice }),
      'notificationMessages.replaceAsync',
      undefined,
    )
  const dismiss: Notices['dismiss'] = (itemKey, key) =>
    orElse(
      write(itemKey, 'notificationMessages.removeAsync', { key }),
      'notificationMessages.removeAsync',
      undefined,
      NO_SUCH_NOTICE,
    )

  const host: MessageHost = {
    name: hostName,
    displayLanguage: client.start.displayLanguage,
    about: {
      version: client.start.diagnostics?.version ?? null,
      platform: client.start.diagnostics?.platform ?? null,
      requirementSets: client.start.requirementSets,
    },
    item$: new Observable<MailItem | null>((subscriber) => {
      const emit = () => {
        const item = client.currentItem()
        subscriber.next(item)
      }
      const stop = client.on('ItemChanged', emit)
      emit()
      return stop
    }).pipe(distinctUntilChanged((before, after) => before?.key === after?.key)),
    user: () =>
      defer(() => {
        const { accountType, displayName, emailAddress, timeZone } = client.start.user
        return of(
          emailAddress === '' ? null : { accountType, displayName, email: emailAddress, timezone: timeZone },
        )
      }),

    composeType: (itemKey) =>
      defer(() =>
        client.currentItem()?.isMeeting
          ? of('meeting' as const)
          : read(itemKey, 'getComposeTypeAsync', {}, null).pipe(map((reply) => reply?.composeType ?? null)),
      ),
    isSaved: (itemKey) =>
      ask(itemKey, 'getItemIdAsync', {}).pipe(
        map(() => true),
        catchError((error: unknown) => {
          const failure = toFailure(error)
          if (failure.kind === 'host' && failure.code === NOT_SAVED) return of(false)
          report('getItemIdAsync', failure)
          return of(true)
        }),
      ),
    bodyType: (itemKey) =>
      ask(itemKey, 'body.getTypeAsync', {}).pipe(
        catchError((error: unknown) => {
          const failure = toFailure(error)
          const refused$ = defer(() => {
            report('body.getTypeAsync', failure)
            return of(null)
          })
          if (failure.kind !== 'host') return refused$
          if (client.currentItem()?.isMeeting) {
            // Meetings are HTML. A client with another body type refuses the write.
            report('body.getTypeAsync', failure)
            return of('html' as const)
          }
          // Phones lack the call for the body's type, but report the type with the kind of message.
          return ask(itemKey, 'getComposeTypeAsync', {}).pipe(
            map(({ coercionType }) => coercionType),
            catchError(() => refused$),
          )
        }),
      ),
    from: (itemKey) => read(itemKey, 'from.getAsync', {}, null),
    recipients: (itemKey) =>
      forkJoin({
        to: read(itemKey, 'to.getAsync', {}, null),
        cc: read(itemKey, 'cc.getAsync', {}, null),
      }),
    body: (itemKey, type) => read(itemKey, 'body.getAsync', { coercionType: type }, null),
    attachments: (itemKey) => read(itemKey, 'getAttachmentsAsync', {}, null),
    clientSignature: (itemKey) =>
      defer(() =>
        hasClientSignatureCalls
          ? read(itemKey, 'isClientSignatureEnabledAsync', {}, null, CLIENT_SIGNATURE_LIMIT_MS)
          : of(null),
      ),
    customProperties: (itemKey) => read(itemKey, 'loadCustomPropertiesAsync', {}, {}),
    sessionData: (itemKey, name) =>
      read(itemKey, 'sessionData.getAsync', { name }, null, undefined, NO_SUCH_KEY),
    allSessionData: (itemKey) => read(itemKey, 'sessionData.getAllAsync', {}, null),

    setBody: (itemKey, content, type) =>
      write(itemKey, 'body.setAsync', { data: content, coercionType: type }),
    setSignature: (itemKey, content, type) =>
      write(itemKey, 'body.setSignatureAsync', { data: content, coercionType: type }),
    disableClientSignature: (itemKey) =>
      write(itemKey, 'disableClientSignatureAsync', {}, CLIENT_SIGNATURE_LIMIT_MS),
    addInlineImage: (itemKey, base64, name) =>
      call(
        itemKey,
        'addFileAttachmentFromBase64Async',
        { base64File: base64, attachmentName: name, isInline: true },
        ATTACHMENT_LIMIT_MS,
      ),
    removeAttachment: (itemKey, id) =>
      write(itemKey, 'removeAttachmentAsync', { attachmentId: id }, ATTACHMENT_LIMIT_MS),
    saveCustomProperties: (itemKey, properties) =>
      write(itemKey, 'customProperties.saveAsync', { properties }),
    setSessionData: (itemKey, name, value) => write(itemKey, 'sessionData.setAsync', { name, value }),

    roaming: client.start.roamingSettings,
    showLaunchNotice: (itemKey, { text, button }) => {
      const message = truncateText(text)
      const notice: NotificationMessage = hasNoPane
        ? { type: 'informationalMessage', message, persistent: false }
        : {
            type: 'insightMessage',
            message,
            actions: [
              {
                actionType: 'showTaskPane',
                actionText: truncateText(button, MAX_ACTION_CHARACTERS),
                commandId: PANE_BUTTON,
              },
            ],
          }
      return show(itemKey, LAUNCH_NOTICE_KEY, notice)
    },
    dismissLaunchNotice: (itemKey) => dismiss(itemKey, LAUNCH_NOTICE_KEY),
  }
  return { host, notices: { show, dismiss } }
}

/** Signs in through the mail client. Fails with `hostSilent`, or `auth` with Office's code, such as `host_13001`. */
function createMailIdentity(client: CheckedClient, gate: CallGate): Identity {
  let account: string | null = null
  const tokenOf = (allowConsentPrompt: boolean) =>
    gate<string>(
      'auth.getAccessToken',
      (done) => client.call('auth.getAccessToken', { allowConsentPrompt, allowSignInPrompt: false }, done),
      allowConsentPrompt ? CONSENT_LIMIT_MS : undefined,
    )
  return {
    accessToken: ({ allowConsentPrompt, refused = [] }) =>
      defer(() => {
        if (refused.includes(MAIL_CLIENT_METHOD)) throw new Failed({ kind: 'auth', code: 'host_13000' })
        return tokenOf(allowConsentPrompt)
      }).pipe(
        map((token) => {
          account = readAccount(token)
          return createSecret(token)
        }),
        catchError((error: unknown) => {
          const failure = toFailure(error)
          throw failure.kind === 'host' ? new Failed({ kind: 'auth', code: `host_${failure.code}` }) : error
        }),
      ),
    // There is nothing to do, because the user stays signed in to the mail client.
    signOut: () => of(undefined),
    method: () => MAIL_CLIENT_METHOD,
    account: () => account,
  }
}

/**
 * Creates the host and the identity for one mail client. They share one gate, so that together they respect the
 * client's limit of concurrent calls. They suffice for launch events; `paneHost.ts` adds what the pane needs.
 */
export function createMessageHost(
  given: MailClient,
  options: HostOptions,
): Readonly<{
  host: MessageHost
  identity: Identity
  notices: Notices
  gate: CallGate
  /** The mail client, with schemas that read its values. */
  client: CheckedClient
}> {
  const client = createCheckedClient(given)
  const gate = createCallGate(options)
  return { ...createHost(client, gate, options), identity: createMailIdentity(client, gate), gate, client }
}
