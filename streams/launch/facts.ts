/** The key in the mailbox's settings under which the pane stores facts for launch events. */
export const LAUNCH_SETTING = 'lsi_launch'

/**
 * What the pane tells launch events, on every device of the user. `off`: `userId` switched automatic insertion off.
 * `signedOutAt`: when the user last signed out, null if never; a copy from before is not used. `isSignedOut`: the user
 * has not signed in since. `at`: when this was written. Times in milliseconds since the epoch. Plain JSON.
 */
export type LaunchFacts = Readonly<{
  off: boolean
  userId: string | null
  signedOutAt: number | null
  isSignedOut: boolean
  at: number
}>

/** The stored facts; a missing or malformed one has its default. */
export const parseFacts = (value: unknown): LaunchFacts => {
  const { off, userId, signedOutAt, isSignedOut, at } = (value ?? {}) as Partial<
    Record<keyof LaunchFacts, unknown>
  >
  return {
    off: off === true,
    userId: typeof userId === 'string' ? userId : null,
    signedOutAt: typeof signedOutAt === 'number' ? signedOutAt : null,
    isSignedOut: isSignedOut === true,
    at: typeof at === 'number' ? at : 0,
  }
}

/** The later of two: the mail client may serve old settings for a while. */
export const latestFacts = (one: LaunchFacts, other: LaunchFacts): LaunchFacts =>
  other.at > one.at ? other : one
