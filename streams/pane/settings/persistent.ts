import type { UserSettings } from '../../message/settings/settings.ts'

/** The switches that protect the user. */
const protections = ['enableTelemetry', 'enableSilentSSO', 'enableSignaturePush'] as const

/**
 * The switches that a user turned off for good. They stay off after the pane and the session end, in production too,
 * until the user turns them on. A value of this type can only turn switches off.
 */
export type PersistentChoices = Readonly<Partial<Record<(typeof protections)[number], false>>>

/** The choices made in one mailbox, by user. */
export type MailboxChoices = Readonly<Record<string, PersistentChoices>>

/** The choices that apply when the stored choices cannot be read: every switch that protects the user is off. */
export const allProtectionsOff = {
  enableTelemetry: false,
  enableSilentSSO: false,
  enableSignaturePush: false,
} as const satisfies PersistentChoices

export const isProtection = (name: keyof UserSettings): boolean => protections.some((each) => each === name)

/** The persistent choices in these values (settings, changes of settings, or unchecked JSON). */
export const persistentChoicesIn = (values: Readonly<Record<string, unknown>>): PersistentChoices =>
  Object.fromEntries(protections.filter((name) => values[name] === false).map((name) => [name, false]))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The choices of each user in stored JSON; other content is dropped. */
export const parseMailboxChoices = (stored: unknown): MailboxChoices =>
  isRecord(stored)
    ? Object.fromEntries(
        Object.entries(stored).flatMap(([userId, values]) =>
          isRecord(values) ? [[userId, persistentChoicesIn(values)]] : [],
        ),
      )
    : {}

/** The choices of this user. Without a known user (null), combines the choices of all users of this mailbox. */
export const persistentChoicesOf = (mailbox: MailboxChoices, userId: string | null): PersistentChoices =>
  Object.entries(mailbox)
    .filter(([id]) => userId === null || id === userId)
    .reduce<PersistentChoices>((all, [, chosen]) => ({ ...all, ...chosen }), {})

/** The mailbox's choices after this user changed their settings to `settings`. */
export const withUserChoices = (
  mailbox: MailboxChoices,
  userId: string,
  settings: UserSettings,
): MailboxChoices => {
  const others = Object.fromEntries(Object.entries(mailbox).filter(([id]) => id !== userId))
  const chosen = persistentChoicesIn(settings)
  return Object.keys(chosen).length === 0 ? others : { ...others, [userId]: chosen }
}
