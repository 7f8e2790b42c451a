import fc from 'fast-check'
import type { CallName } from '../../src/engine/hosts/mailClient.ts'
import type { Mailbox } from '../../src/playground/mailbox/mailbox.ts'
import type { SpoiltField } from '../../src/playground/mailbox/spoil.ts'

// The ways in which a mail client fails a call.

/** The calls made by an insertion, or by reading a message before it. */
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

/**
 * `passing`: the client refuses the call twice, then accepts it. `slow`: the answer comes within the pane's time limit;
 * `late`: after it.
 */
export const faultKinds = [
  'fail',
  'failOnce',
  'failTwice',
  'passing',
  'silence',
  'slow',
  'late',
  'twice',
] as const

export type MailFault = Readonly<{
  call: (typeof faultyCalls)[number]
  kind: (typeof faultKinds)[number]
}>

/** The mail client's answer to a permanently refused call. */
export const REFUSED = { code: 9000, name: 'InternalError' }
/** The mail client's answer to a temporarily refused call. */
const BUSY = { code: 5001, name: 'InternalError' }

export function arm(mailbox: Mailbox, { call, kind }: MailFault): void {
  if (kind === 'fail') mailbox.fail(call, REFUSED)
  if (kind === 'failOnce') mailbox.fail(call, REFUSED, 1)
  if (kind === 'failTwice') mailbox.fail(call, REFUSED, 2)
  if (kind === 'passing') mailbox.fail(call, BUSY, 2)
  if (kind === 'silence') mailbox.silence(call)
  if (kind === 'slow') mailbox.delay(call, 4_000)
  if (kind === 'late') mailbox.delay(call, 16_000)
  if (kind === 'twice') mailbox.answerTwice(call)
}

/** Fields of the answers to an insertion, or to reading a message before it. */
const FIELDS = {
  'body.getAsync': [],
  'body.getTypeAsync': [],
  getComposeTypeAsync: ['composeType', 'coercionType'],
  'from.getAsync': ['address', 'name'],
  'to.getAsync': ['0', '0.address', '0.name'],
  'cc.getAsync': ['0', '0.address', '0.name'],
  addFileAttachmentFromBase64Async: [],
  getAttachmentsAsync: ['0', '0.id', '0.name', '0.size', '0.isInline', '0.contentId'],
  loadCustomPropertiesAsync: [
    'lsi_inserted',
    'lsi_inserted.combinedIds',
    'lsi_inserted.trace',
    'lsi_inserted.trace.words',
    'lsi_inserted.trace.words.0',
    'lsi_stop_push_signature',
  ],
  'sessionData.getAsync': [],
  'sessionData.getAllAsync': ['lsi_inserted', 'lsi_replacing', 'lsi_launch'],
  isClientSignatureEnabledAsync: [],
  'auth.getAccessToken': [],
  start: ['user', 'user.displayName', 'user.emailAddress', 'roamingSettings', 'diagnostics'],
  theme: ['bodyBackgroundColor'],
} as const satisfies Partial<Record<SpoiltField['answer'], readonly string[]>>

/**
 * Any field in any answer. Left out are an empty body, an empty list and a list without one of its attachments, because
 * real messages may have these.
 */
export const spoiltField: fc.Arbitrary<SpoiltField> = fc
  .record({
    place: fc.constantFrom(
      ...Object.entries(FIELDS).flatMap(([answer, fields]) =>
        ['', ...fields].map((field) => ({ answer: answer as keyof typeof FIELDS, field })),
      ),
    ),
    as: fc.constantFrom('null' as const, 'missing' as const, 'empty' as const, 'wrong' as const),
  })
  .filter(
    ({ place: { answer, field }, as }) =>
      (as !== 'empty' || field !== '' || !/^(?:body|sessionData)\.get|Attachments/.test(answer)) &&
      (as !== 'missing' || field !== '0' || answer !== 'getAttachmentsAsync'),
  )
  .map(({ place, as }) => ({ ...place, as }))
