/** The key in the mailbox's settings under which the pane stores facts for launch events. */
export const LAUNCH_FACTS_KEY = 'lsi_launch'

/**
 * The facts that the pane stores for launch events, on every device of the user. `off`: the user `userId` switched
 * automatic insertion off. `signedOutAt`: when the user last signed out, null if never; earlier copies are not used.
 * `isSignedOut`: the user has not signed in since then. `at`: when the facts were written. Times are in milliseconds
 * since the epoch. Plain JSON.
 */
export type LaunchFacts = Readonly<{
  off: boolean
  userId: string | null
  signedOutAt: number | null
  isSignedOut: boolean
  at: number
}>

/** Reads the stored facts. A missing or malformed fact gets its default. */
export const parseLaunchFacts = (value: unknown): LaunchFacts => {
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

/** The later of two versions of the facts, because the mail client may return old settings for a while. */
export const latestLaunchFacts = (one: LaunchFacts, other: LaunchFacts): LaunchFacts =>
  other.at > one.at ? other : one
