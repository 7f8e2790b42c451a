import type { CallName } from '../../src/engine/hosts/mailClient.ts'
import type { Mailbox } from '../../src/playground/mailbox/mailbox.ts'

// How a mail client fails a call.

/** The calls that an insertion, or the reading of a message before it, can make. */
export const faultyCalls = [
  'body.getTypeAsync',
  'body.getAsync',
  'body.setSignatureAsync',
  'isClientSignatureEnabledAsync',
  'disableClientSignatureAsync',
  'getComposeTypeAsync',
  'getAttachmentsAsync',
  'addFileAttachmentFromBase64Async',
  'removeAttachmentAsync',
  'sessionData.getAsync',
  'sessionData.getAllAsync',
  'sessionData.setAsync',
  'loadCustomPropertiesAsync',
  'customProperties.saveAsync',
] as const satisfies readonly CallName[]

/** `slow`: the answer comes within the time limit of the pane; `late`: after it. */
export const faultKinds = ['fail', 'failOnce', 'failTwice', 'silence', 'slow', 'late', 'twice'] as const

export type MailFault = Readonly<{
  call: (typeof faultyCalls)[number]
  kind: (typeof faultKinds)[number]
}>

/** The mail client's answer to a call that it refuses. */
export const REFUSED = { code: 9000, name: 'InternalError' }

export function arm(mailbox: Mailbox, { call, kind }: MailFault): void {
  if (kind === 'fail') mailbox.fail(call, REFUSED)
  if (kind === 'failOnce') mailbox.fail(call, REFUSED, 1)
  if (kind === 'failTwice') mailbox.fail(call, REFUSED, 2)
  if (kind === 'silence') mailbox.silence(call)
  if (kind === 'slow') mailbox.delay(call, 4_000)
  if (kind === 'late') mailbox.delay(call, 16_000)
  if (kind === 'twice') mailbox.answerTwice(call)
}
