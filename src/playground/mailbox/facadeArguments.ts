import type { CallError, NotificationMessage } from '../../engine/hosts/mailClient.ts'

// The arguments of the library's methods, which the library checks before it makes a call.

export type LibraryResult = Readonly<{
  status: string
  value?: unknown
  error?: CallError
  asyncContext?: unknown
}>
type Callback = (result: LibraryResult) => void

/** The library's argument errors, which it throws at once. */
export const argumentError = (name: string, parameter: string) =>
  Object.assign(new Error(`Sys.${name}: ${parameter}`), { name: `Sys.${name}`, paramName: parameter })

export function checkedText(value: unknown, parameter: string, limit = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') throw argumentError('ArgumentTypeException', parameter)
  if (value.length > limit) throw argumentError('ArgumentOutOfRangeException', parameter)
  return value
}

/** The library's length limits for the texts of a notice, in characters. */
export const NOTICE_LIMITS = { key: 32, message: 150, actionText: 30 } as const

/** Checks a notice as the library does: each type of notice allows different properties. */
export function checkedNotice(notice: NotificationMessage): NotificationMessage {
  const { type, message, icon, persistent, actions } = notice
  checkedText(message, 'message', NOTICE_LIMITS.message)
  if (type === 'informationalMessage') {
    checkedText(icon, 'icon')
    if (typeof persistent !== 'boolean') throw argumentError('ArgumentTypeException', 'persistent')
    if (actions !== undefined) throw argumentError('ArgumentException', 'actions')
    return notice
  }
  if (persistent !== undefined) throw argumentError('ArgumentException', 'persistent')
  if (type !== 'insightMessage') {
    if (icon !== undefined || actions !== undefined) throw argumentError('ArgumentException', 'icon')
    return notice
  }
  checkedText(icon, 'icon')
  const [action, ...others] = actions ?? []
  if (!action || others.length > 0) throw argumentError('ArgumentException', 'actions')
  const { actionType, actionText, commandId } = action
  checkedText(commandId, 'commandId')
  checkedText(actionText, 'actionText', NOTICE_LIMITS.actionText)
  return { ...notice, actions: [{ actionType, actionText, commandId }] }
}

/** A method's last arguments: options, a callback, both or neither. */
export const lastArguments = (rest: readonly unknown[]) => ({
  options: (rest.find((value) => typeof value === 'object' && value !== null) ?? {}) as Readonly<
    Record<string, unknown>
  >,
  callback: rest.find((value): value is Callback => typeof value === 'function'),
})
