import {
  anything,
  flag,
  list,
  mapSchema,
  number,
  object,
  oneOf,
  orElse,
  orNull,
  record,
  refuseValue,
  type Schema,
  text,
  withCheck,
} from '../../../streams/kernel/schema.ts'
import type {
  CallArguments,
  CallError,
  CallName,
  CallReply,
  CallResult,
  ClientStart,
  MailClient,
  Reply,
} from './mailClient.ts'

// The schemas that read every value from the mail client. A value that is null, missing, empty or of a wrong type
// counts as unknown, and other values stay valid.

/** Reads each field separately. If the value is not an object, every field counts as unknown. */
const fieldsOf = <const F extends Readonly<Record<string, Schema<unknown>>>>(fields: F) => {
  const whole = object(fields)
  return orElse(whole, whole.read({}, ''))
}

const filled = withCheck(text, (value) => value.trim() !== '', 'a text that is not empty')

/** Texts by name. Entries that are not texts are left out. */
const texts = mapSchema(record(orNull(text)), (all) => {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(all)) if (value !== null) read[name] = value
  return read
})

const bodyType = oneOf('html', 'text')
const address = object({ address: filled, name: orElse(text, '') })
/** A recipient without an address is left out. */
const addresses = mapSchema(list(orNull(address)), (all) => all.filter((each) => each !== null))

/**
 * An attachment without a name gets its content id as its name. Without both, the list counts as unknown, because new
 * pictures could get the name of an existing one.
 */
const attachment = mapSchema(
  object({
    id: orElse(filled, ''),
    name: orElse(filled, null),
    size: orElse(number, 0),
    isInline: orNull(flag),
    contentId: orElse(filled, null),
  }),
  ({ name, isInline, ...each }, at) =>
    name === null && each.contentId === null && isInline !== false
      ? refuseValue(at, 'an attachment with a name')
      : { ...each, name: name ?? each.contentId ?? '', isInline: isInline === true },
)

/** Without session data, Outlook answers with the text `{}` instead of an object. */
const sessionData = mapSchema(anything, (all, at) =>
  texts.read(typeof all === 'string' ? JSON.parse(all) : all, at),
)

/** The answer of a call that only writes. */
const nothing = mapSchema(anything, () => null)

const answers: { readonly [Name in CallName]: Schema<CallResult<Name>> } = {
  'body.getAsync': text,
  'body.getTypeAsync': bodyType,
  'body.setAsync': nothing,
  'body.setSignatureAsync': nothing,
  getComposeTypeAsync: object({
    composeType: orElse(oneOf('newMail', 'reply', 'forward'), null),
    coercionType: orElse(bodyType, null),
  }),
  getItemIdAsync: filled,
  'from.getAsync': address,
  'to.getAsync': addresses,
  'cc.getAsync': addresses,
  // The attachment was added, even if the answer has no id.
  addFileAttachmentFromBase64Async: orElse(text, ''),
  getAttachmentsAsync: list(attachment),
  removeAttachmentAsync: nothing,
  'notificationMessages.replaceAsync': nothing,
  'notificationMessages.removeAsync': nothing,
  loadCustomPropertiesAsync: record(anything),
  'customProperties.saveAsync': nothing,
  'sessionData.getAsync': text,
  'sessionData.getAllAsync': sessionData,
  'sessionData.setAsync': nothing,
  isClientSignatureEnabledAsync: flag,
  disableClientSignatureAsync: nothing,
  'roamingSettings.saveAsync': nothing,
  'auth.getAccessToken': filled,
}

const start: Schema<ClientStart> = fieldsOf({
  user: fieldsOf({
    accountType: orElse(text, ''),
    displayName: orElse(text, ''),
    emailAddress: orElse(filled, ''),
    timeZone: orElse(text, ''),
  }),
  displayLanguage: orElse(text, ''),
  requirementSets: orElse(texts, {}),
  diagnostics: orElse(object({ version: orElse(filled, null), platform: orElse(filled, null) }), null),
  roamingSettings: orElse(record(anything), {}),
})

const theme = fieldsOf({ bodyBackgroundColor: orElse(text, '') })

/** The error for an answer that its schema cannot read. Its code is 0, as for errors that Office throws. */
export const UNREADABLE_ANSWER: CallError = { code: 0, name: 'UnreadableAnswer', message: '' }

const readReply = <Name extends CallName>(name: Name, reply: CallReply<unknown>): Reply<Name> => {
  if (!reply.ok) return reply
  try {
    return { ok: true, value: answers[name].read(reply.value, name) }
  } catch {
    return { ok: false, error: UNREADABLE_ANSWER }
  }
}

/** A mail client whose values are read by schemas. */
export type CheckedClient = Pick<MailClient, 'currentItem' | 'on'> &
  Readonly<{
    start: ClientStart
    /** The background colour of the mail client, such as `#1f1f1f`; empty when it is unknown. */
    background(): string
    call<Name extends CallName>(
      name: Name,
      args: CallArguments<Name>,
      done: (reply: Reply<Name>) => void,
    ): void
  }>

/**
 * Wraps a mail client so that every value is read by its schema. A call whose answer cannot be read fails with
 * `UNREADABLE_ANSWER`.
 */
export const createCheckedClient = (client: MailClient): CheckedClient => ({
  get start() {
    return start.read(client.start, 'start')
  },
  currentItem: () => client.currentItem(),
  on: (event, listener) => client.on(event, listener),
  background: () => theme.read(client.theme(), 'theme').bodyBackgroundColor,
  call: (name, args, done) => client.call(name, args, (reply) => done(readReply(name, reply))),
})
