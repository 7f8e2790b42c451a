/** The key of what launch events need to know of the pane, in the settings of the mailbox. */
export const LAUNCH_SETTING = 'lsi_launch'

/**
 * What the pane tells launch events, on every device of the user: `off`, the user switched automatic insertion off;
 * `signedOutAt`, when they signed out last, in milliseconds since the epoch, null if never: no older copy is used.
 */
export type LaunchFacts = Readonly<{ off: boolean; signedOutAt: number | null }>

/** The stored facts; what is missing or of another type is as if the user had done nothing. */
export const parseFacts = (value: unknown): LaunchFacts => {
  const { off, signedOutAt } = (value ?? {}) as Partial<Record<keyof LaunchFacts, unknown>>
  return { off: off === true, signedOutAt: typeof signedOutAt === 'number' ? signedOutAt : null }
}
