import { Observable, catchError, defer, distinctUntilChanged, forkJoin, map, of, tap } from 'rxjs'
import type { Identity, Log, MailHost } from '../../../effects/ports.ts'
import { Failed, type Failure, toFailure } from '../../../streams/kernel/failure.ts'
import { createSecret } from '../../../streams/kernel/secret.ts'
import type { Time } from '../../../streams/kernel/time.ts'
import type { MailItem, Theme } from '../../../streams/mailbox/events.ts'
import { themeOf } from '../../../streams/mailbox/rules.ts'
import type { CallArguments, CallName, CallResult, MailClient } from './mailClient.ts'
import { type CallGate, createCallGate } from './callGate.ts'

/** How long attaching a picture may take, in milliseconds. */
export const ATTACHMENT_LIMIT_MS = 15_000
/** How long a call about the client's own signature may take, in milliseconds: the user's signature waits for it. */
export const CLIENT_SIGNATURE_LIMIT_MS = 2_000
/** How long signing in may take when the client may ask the person, in milliseconds. */
export const CONSENT_LIMIT_MS = 15_000
/** The calls about the client's own signature came with this minor version of the requirement set Mailbox 1. */
const CLIENT_SIGNATURE_SINCE = 10
/** Outlook shows no longer text in a notice, in characters. */
export const NOTICE_CHARACTERS = 150

/** The sign-in method that asks the mail client itself. */
export const MAIL_CLIENT = 'mailClient'

// Specification, section 4 (Notifications).
const SHOWN_NOTICE_KEY = 'messageKey'
const DISMISSED_NOTICE_KEY = 'lsi_notification_message'

// Answers that tell that nothing is there: to be expected, and no failure.
const NO_SUCH_NOTICE = 9024
const NO_SUCH_KEY = 9050

const isAnswered = (failure: Failure, code: number) => failure.kind === 'host' && failure.code === code

/** Text of at most `NOTICE_CHARACTERS`, with an ellipsis where it was cut, never through a character. */
const cut = (text: string): string =>
  text.length <= NOTICE_CHARACTERS
    ? text
    : `${text.slice(0, NOTICE_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

/**
 * A mail client as the effects see it (`MailHost`): every call through one gate, for the item that is open right
 * before it is sent and, where something is read, still open when the answer comes. An item that is gone is a
 * failure of a write, and an empty answer of a read.
 */
export function createMailHost(
  client: MailClient,
  options: Readonly<{ name: MailHost['name']; time: Time; log: Log; gate?: CallGate }>,
): MailHost {
  const { name: hostName, time, log, gate = createCallGate({ time }) } = options

  const mustBeOpen = (itemKey: string) => {
    if (client.currentItem()?.key !== itemKey) throw new Failed({ kind: 'itemGone' })
  }

  const call = <Name extends CallName>(
    itemKey: string,
    name: Name,
    args: CallArguments<Name>,
    limitMs?: number,
  ) =>
    gate<CallResult<Name>>(
      name,
      (done) => {
        mustBeOpen(itemKey)
        client.call(name, args, done)
      },
      limitMs,
    )

  const hasClientSignatureCalls =
    Number(client.start.requirementSets['Mailbox']?.split('.')[1] ?? 0) >= CLIENT_SIGNATURE_SINCE

  const report = (name: CallName, failure: Failure) => {
    if (failure.kind === 'itemGone') log.warn('mail_item_gone', { call: name })
    else if (failure.kind === 'host') {
      log.error('mail_client_failed', { call: name, code: failure.code, name: failure.name })
    } else log.error('mail_client_failed', { call: name, code: null, name: failure.kind })
  }

  const read = <Name extends CallName, Empty>(
    itemKey: string,
    name: Name,
    args: CallArguments<Name>,
    empty: Empty,
    limitMs?: number,
  ): Observable<CallResult<Name> | Empty> =>
    call(itemKey, name, args, limitMs).pipe(
      tap(() => mustBeOpen(itemKey)),
      catchError((error: unknown) => {
        report(name, toFailure(error))
        return of(empty)
      }),
    )

  const write = <Name extends CallName>(
    itemKey: string,
    name: Name,
    args: CallArguments<Name>,
    limitMs?: number,
  ): Observable<void> => call(itemKey, name, args, limitMs).pipe(map(() => undefined))

  const dismiss = (itemKey: string, key: string): Observable<void> =>
    write(itemKey, 'notificationMessages.removeAsync', { key }).pipe(
      catchError((error: unknown) => {
        const failure = toFailure(error)
        if (!isAnswered(failure, NO_SUCH_NOTICE)) report('notificationMessages.removeAsync', failure)
        return of(undefined)
      }),
    )

  return {
    name: hostName,
    displayLanguage: client.start.displayLanguage,
    about: {
      version: client.start.diagnostics?.version ?? null,
      platform: client.start.diagnostics?.platform ?? null,
      requirementSets: client.start.requirementSets,
    },
    item$: new Observable<MailItem | null>((subscriber) => {
      const tell = () => {
        const item = client.currentItem()
        subscriber.next(item && { key: item.key, mode: item.mode })
      }
      const stop = client.on('ItemChanged', tell)
      tell()
      return stop
    }).pipe(distinctUntilChanged((before, after) => before?.key === after?.key)),
    recipientsChanged$: new Observable<void>((subscriber) =>
      client.on('RecipientsChanged', () => {
        subscriber.next()
      }),
    ),
    theme$: new Observable<Theme | null>((subscriber) => {
      const tell = () => subscriber.next(themeOf(client.theme()?.bodyBackgroundColor ?? ''))
      const stop = client.on('OfficeThemeChanged', tell)
      tell()
      return stop
    }).pipe(distinctUntilChanged()),
    user: () =>
      defer(() => {
        const { accountType, displayName, emailAddress, timeZone } = client.start.user
        return of(
          emailAddress === '' ? null : { accountType, displayName, email: emailAddress, timezone: timeZone },
        )
      }),

    composeType: (itemKey) =>
      read(itemKey, 'getComposeTypeAsync', {}, null).pipe(map((answer) => answer?.composeType ?? null)),
    bodyType: (itemKey) => read(itemKey, 'body.getTypeAsync', {}, null),
    from: (itemKey) => read(itemKey, 'from.getAsync', {}, null),
    recipients: (itemKey) =>
      forkJoin({
        to: read(itemKey, 'to.getAsync', {}, []),
        cc: read(itemKey, 'cc.getAsync', {}, []),
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
      call(itemKey, 'sessionData.getAsync', { name }).pipe(
        tap(() => mustBeOpen(itemKey)),
        catchError((error: unknown) => {
          const failure = toFailure(error)
          if (!isAnswered(failure, NO_SUCH_KEY)) report('sessionData.getAsync', failure)
          return of(null)
        }),
      ),

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
      call(itemKey, 'removeAttachmentAsync', { attachmentId: id }, ATTACHMENT_LIMIT_MS).pipe(
        map(() => undefined),
      ),
    saveCustomProperties: (itemKey, properties) =>
      write(itemKey, 'customProperties.saveAsync', { properties }),
    setSessionData: (itemKey, name, value) => write(itemKey, 'sessionData.setAsync', { name, value }),

    showNotice: (itemKey, text) =>
      write(itemKey, 'notificationMessages.replaceAsync', {
        key: SHOWN_NOTICE_KEY,
        notice: { type: 'informationalMessage', message: cut(text), persistent: false },
      }).pipe(
        catchError((error: unknown) => {
          report('notificationMessages.replaceAsync', toFailure(error))
          return of(undefined)
        }),
      ),
    dismissNotice: (itemKey) =>
      forkJoin([dismiss(itemKey, DISMISSED_NOTICE_KEY), dismiss(itemKey, SHOWN_NOTICE_KEY)]).pipe(
        map(() => undefined),
      ),
  }
}

/**
 * The person's identity through the mail client. Fails with `auth`, whose code is `host_` and Office's number, such
 * as `host_13001`, or with `hostSilent`.
 */
export function createMailIdentity(
  client: MailClient,
  options: Readonly<{ time: Time; gate?: CallGate }>,
): Identity {
  const { time, gate = createCallGate({ time }) } = options
  return {
    accessToken: ({ allowConsentPrompt }) =>
      gate<string>(
        'auth.getAccessToken',
        (done) => client.call('auth.getAccessToken', { allowConsentPrompt, allowSignInPrompt: false }, done),
        allowConsentPrompt ? CONSENT_LIMIT_MS : undefined,
      ).pipe(
        map(createSecret),
        catchError((error: unknown) => {
          const failure = toFailure(error)
          throw failure.kind === 'host' ? new Failed({ kind: 'auth', code: `host_${failure.code}` }) : error
        }),
      ),
    // The person stays signed in to their mail client.
    signOut: () => of(undefined),
    method: () => MAIL_CLIENT,
  }
}

/** Everything of one mail client, over one gate: host and identity together make no more calls at once than it allows. */
export function createHosted(
  client: MailClient,
  options: Readonly<{ name: MailHost['name']; time: Time; log: Log }>,
): Readonly<{ host: MailHost; identity: Identity }> {
  const gate = createCallGate(options)
  return {
    host: createMailHost(client, { ...options, gate }),
    identity: createMailIdentity(client, { time: options.time, gate }),
  }
}
