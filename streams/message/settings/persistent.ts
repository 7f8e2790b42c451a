import type { UserSettings } from './settings.ts'

/** The switches that protect a person. */
const protections = ['enableTelemetry', 'enableSilentSSO', 'enableSignaturePush'] as const

/**
 * The switches that a person turned off. The choice is persistent: it outlives the pane and the session, in production
 * too, until the person switches it on. The type can only switch off.
 */
export type PersistentChoices = Readonly<Partial<Record<(typeof protections)[number], false>>>

/** The choices made in one mailbox, by user. */
export type MailboxChoices = Readonly<Record<string, PersistentChoices>>

/** The choices when they cannot be read: every protection counts as switched off. */
export const allOff = {
  enableTelemetry: false,
  enableSilentSSO: false,
  enableSignaturePush: false,
} as const satisfies PersistentChoices

export const isProtection = (name: keyof UserSettings): boolean => protections.some((each) => each === name)

/** The choices in these values; of settings, of changes or of foreign JSON. */
export const persistentIn = (values: Readonly<Record<string, unknown>>): PersistentChoices =>
  Object.fromEntries(protections.filter((name) => values[name] === false).map((name) => [name, false]))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The choices of each user in stored JSON; other content is dropped. */
export const parseChoices = (stored: unknown): MailboxChoices =>
  isRecord(stored)
    ? Object.fromEntries(
        Object.entries(stored).flatMap(([userId, values]) =>
          isRecord(values) ? [[userId, persistentIn(values)]] : [],
        ),
      )
    : {}

/** The choices of this user; without a known user (null), those of every user of the mailbox here. */
export const choicesOf = (mailbox: MailboxChoices, userId: string | null): PersistentChoices =>
  Object.entries(mailbox)
    .filter(([id]) => userId === null || id === userId)
    .reduce<PersistentChoices>((all, [, chosen]) => ({ ...all, ...chosen }), {})

/** The choices of the mailbox after this user has these settings. */
export const withChoicesOf = (
  mailbox: MailboxChoices,
  userId: string,
  settings: UserSettings,
): MailboxChoices => {
  const others = Object.fromEntries(Object.entries(mailbox).filter(([id]) => id !== userId))
  const chosen = persistentIn(settings)
  return Object.keys(chosen).length === 0 ? others : { ...others, [userId]: chosen }
}
