import type {
  BodyType,
  CallError,
  CallName,
  NotificationMessage,
  Reply,
} from '../../engine/hosts/mailClient.ts'
import type { Mailbox } from './mailbox.ts'

// Maps the numbered calls of Microsoft's library to a mailbox.

type Params = Readonly<Record<string, unknown>>
type WireCall = Readonly<{
  name: CallName
  args: (params: Params) => Params
  answer: (value: unknown) => unknown
}>

const call = (
  name: CallName,
  args: WireCall['args'] = () => ({}),
  answer: WireCall['answer'] = (value) => value,
): WireCall => ({ name, args, answer })

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const coercion = ({ coercionType }: Params): Readonly<{ coercionType: BodyType }> => ({
  coercionType: coercionType === 3 ? 'html' : 'text',
})
const written = (params: Params): Params => ({ data: text(params['data']), ...coercion(params) })
const none = () => ({})

const USER = 2
const recipient = (value: unknown) => ({ ...(value as object), recipientType: USER })
const recipients = (value: unknown) => (value as readonly unknown[]).map(recipient)
/**
 * The recipient calls, by field number (`to` by default), because they all share one dispatch id. Required attendees
 * have the number of `to`, and optional attendees have the number of `cc`.
 */
const RECIPIENT_CALLS = [call('to.getAsync', none, recipients), call('cc.getAsync', none, recipients)]
const NOTICE_TYPES: readonly NotificationMessage['type'][] = [
  'informationalMessage',
  'progressIndicator',
  'errorMessage',
  'insightMessage',
]
const NOTICE = call(
  'notificationMessages.replaceAsync',
  ({ key, message, type, icon, persistent, actions }) => ({
    key: text(key),
    notice: {
      type: NOTICE_TYPES[Number(type)] ?? 'informationalMessage',
      message: text(message),
      ...(typeof icon === 'string' ? { icon } : {}),
      ...(typeof persistent === 'boolean' ? { persistent } : {}),
      ...(Array.isArray(actions) ? { actions: actions.map(noticeAction) } : {}),
    },
  }),
)
const noticeAction = (action: unknown) => {
  const { actionText, commandId } = action as Params
  return { actionType: 'showTaskPane', actionText: text(actionText), commandId: text(commandId) }
}
const attachments = (value: unknown) =>
  (value as readonly object[]).map((attachment) => ({ ...attachment, attachmentType: 0 }))

const CALLS: Readonly<Record<number, WireCall>> = {
  3: call('loadCustomPropertiesAsync'),
  4: call('customProperties.saveAsync', ({ customProperties }) => ({ properties: customProperties })),
  14: call('body.getTypeAsync'),
  20: call('removeAttachmentAsync', ({ attachmentIndex }) => ({ attachmentId: text(attachmentIndex) })),
  33: NOTICE,
  35: NOTICE,
  36: call('notificationMessages.removeAsync', ({ key }) => ({ key: text(key) })),
  37: call('body.getAsync', coercion),
  38: call('body.setAsync', written),
  107: call('from.getAsync', none, recipient),
  148: call('addFileAttachmentFromBase64Async', ({ base64String, name, isInline }) => ({
    base64File: text(base64String),
    attachmentName: text(name),
    isInline: isInline === true,
  })),
  149: call('getAttachmentsAsync', none, attachments),
  164: call('getItemIdAsync'),
  173: call('body.setSignatureAsync', written),
  174: call('getComposeTypeAsync'),
  175: call('isClientSignatureEnabledAsync'),
  176: call('disableClientSignatureAsync'),
  185: call('sessionData.setAsync', ({ name, value }) => ({ name: text(name), value: text(value) })),
  186: call('sessionData.getAsync', ({ name }) => ({ name: text(name) })),
  // Without session data, Outlook answers with the text `{}`, not an object.
  187: call('sessionData.getAllAsync', none, (all) => (Object.keys(all as object).length === 0 ? '{}' : all)),
}
const GET_RECIPIENTS = 15

/** Telemetry and similar calls. The library needs an answer, whatever its content. */
const ANSWERED_EMPTY = [163, 193, 400, 401, 402, 403]
const SAVE_ROAMING_SETTINGS = 404
const GET_ACCESS_TOKEN = 98
const COMMAND_COMPLETED = 94

const refused = ({ code }: CallError) => ({ error: true, errorCode: code })

const methodAnswer = (dispatchId: number, call: WireCall, reply: Reply): Record<string, unknown> => {
  if (dispatchId === 3) {
    return reply.ok
      ? { wasSuccessful: true, customProperties: JSON.stringify(reply.value) }
      : { wasSuccessful: false, errorMessage: reply.error.message }
  }
  if (!reply.ok) return refused(reply.error)
  return { error: false, data: call.answer(reply.value) }
}

/** The result of a called function. `status` is 0 or the library's error, such as 11101 for an unknown function. */
export type FunctionCompletion = Readonly<{ id: string; status: number }>

export type AnswerRequest = (data: unknown, answer: (data: unknown) => void) => void

/** Executes the library's requests on a mailbox, by request name. */
export function createWireMethods(
  mailbox: Mailbox,
  onCompleted: (completion: FunctionCompletion) => void,
): Readonly<Record<'ExecuteMethod' | 'executeMethod', AnswerRequest>> {
  /** The library sends all settings, but only the changed settings need a call. */
  const saveRoamingSettings = (
    settings: readonly (readonly [name: string, json: string])[],
    answer: (data: unknown) => void,
  ): void => {
    const { roamingSettings } = mailbox.client.start
    const changed = settings.filter(([name, json]) => JSON.stringify(roamingSettings[name]) !== json)
    const [first, ...others] = changed
    if (!first) return answer({ error: false, data: null })
    const [name, json] = first
    mailbox.call('roamingSettings.saveAsync', { name, value: JSON.parse(json) as unknown }, (reply) => {
      if (reply.ok) saveRoamingSettings(others, answer)
      else answer(refused(reply.error))
    })
  }

  const executeMethod = (data: unknown, answer: (data: unknown) => void) => {
    const { ApiParams, MethodData } = data as {
      ApiParams?: Params | null
      MethodData: { DispatchId: number }
    }
    const { DispatchId } = MethodData
    if (ANSWERED_EMPTY.includes(DispatchId)) return answer({ error: false, data: null })
    if (DispatchId === SAVE_ROAMING_SETTINGS) {
      const [settings = {}] = (ApiParams ?? []) as unknown as readonly Readonly<Record<string, string>>[]
      return saveRoamingSettings(Object.entries(settings), answer)
    }
    const params = ApiParams ?? {}
    const call =
      DispatchId === GET_RECIPIENTS
        ? (RECIPIENT_CALLS[Number(params['recipientField'])] ?? RECIPIENT_CALLS[0])
        : CALLS[DispatchId]
    if (!call) return answer({ wasSuccessful: false })
    mailbox.call(call.name, call.args(params), (reply) => answer(methodAnswer(DispatchId, call, reply)))
  }

  const executeCommon = (data: unknown, answer: (data: unknown) => void) => {
    const { DdaMethod, ...params } = data as Params & { DdaMethod: { DispatchId: number } }
    if (DdaMethod.DispatchId === COMMAND_COMPLETED)
      onCompleted({ id: text(params[0]), status: Number(params[1]) })
    if (DdaMethod.DispatchId !== GET_ACCESS_TOKEN) return answer({ Version: 1, Error: 0 })
    mailbox.call(
      'auth.getAccessToken',
      {
        allowConsentPrompt: params['allowConsentPrompt'] === true,
        allowSignInPrompt: params['allowSignInPrompt'] === true,
      },
      (reply) =>
        answer(
          reply.ok
            ? { Version: 1, Error: 0, accessToken: reply.value }
            : { Version: 1, Error: reply.error.code },
        ),
    )
  }

  return { ExecuteMethod: executeMethod, executeMethod: executeCommon }
}
