import type { CallArguments, CallName, MailClient } from '../../engine/hosts/mailClient.ts'
import { argumentError, checkedText, lastArguments } from './facadeArguments.ts'
import { EVENT_TYPES, CLIENT_EVENTS } from './wire.ts'

/** Names of the calls without arguments. */
type PlainCallName = {
  [Name in CallName]: Record<never, never> extends CallArguments<Name> ? Name : never
}[CallName]

/** The enums of the library. */
export const LIBRARY_ENUMS = {
  AsyncResultStatus: { Succeeded: 'succeeded', Failed: 'failed' },
  CoercionType: { Html: 'html', Text: 'text' },
  EventType: EVENT_TYPES,
  HostType: { Outlook: 'Outlook' },
  PlatformType: { PC: 'PC', OfficeOnline: 'OfficeOnline', Mac: 'Mac', iOS: 'iOS', Android: 'Android' },
  MailboxEnums: {
    ItemNotificationMessageType: {
      InformationalMessage: 'informationalMessage',
      ProgressIndicator: 'progressIndicator',
      ErrorMessage: 'errorMessage',
      InsightMessage: 'insightMessage',
    },
    ActionType: { ShowTaskPane: 'showTaskPane' },
    ComposeType: { NewMail: 'newMail', Reply: 'reply', Forward: 'forward' },
    RecipientType: { Other: 'other', DistributionList: 'distributionList', User: 'user' },
  },
}

export type FacadeCalls = ReturnType<typeof createFacadeCalls>

/**
 * Creates the functions behind the library's methods. `connected` returns the client, or throws if there is none yet.
 */
export function createFacadeCalls(connected: () => MailClient) {
  /** Makes a call and passes its result to the callback; `map` converts the value to the library's form. */
  const invoke = <Name extends CallName>(
    name: Name,
    args: CallArguments<Name>,
    rest: readonly unknown[],
    map: (value: unknown) => unknown = (value) => value ?? undefined,
  ): void => {
    const { options, callback } = lastArguments(rest)
    const context = 'asyncContext' in options ? { asyncContext: options['asyncContext'] } : {}
    const { Succeeded, Failed } = LIBRARY_ENUMS.AsyncResultStatus
    connected().call(name, args, (reply) =>
      callback?.(
        reply.ok
          ? { ...context, status: Succeeded, value: map(reply.value) }
          : { ...context, status: Failed, value: undefined, error: { ...reply.error } },
      ),
    )
  }

  /** Reports success without calling the client. Like a call's answer, the callback comes later. */
  const succeedLater = (rest: readonly unknown[]) =>
    void Promise.resolve().then(() =>
      lastArguments(rest).callback?.({ status: LIBRARY_ENUMS.AsyncResultStatus.Succeeded, value: undefined }),
    )

  /** Registers an event handler, and reports success. The handler gets an event only while `isFor` returns true. */
  const follow = (
    type: unknown,
    handler: (event: object) => void,
    rest: readonly unknown[],
    isFor: () => boolean = () => true,
  ) => {
    const name = checkedText(type, 'eventType')
    const event = CLIENT_EVENTS.find((each) => EVENT_TYPES[each] === name)
    if (!event) throw argumentError('ArgumentOutOfRangeException', 'eventType')
    const client = connected()
    client.on(event, () => {
      if (isFor()) handler({ type, ...(event === 'OfficeThemeChanged' && { officeTheme: client.theme() }) })
    })
    succeedLater(rest)
  }

  /** A library method that takes only options and a callback. */
  const plain =
    (name: PlainCallName, map?: (value: unknown) => unknown) =>
    (...rest: readonly unknown[]) =>
      invoke(name, {}, rest, map)

  return { invoke, succeedLater, follow, plain }
}
