import { now, type Time } from '../../streams/kernel/time.ts'

/**
 * Creates an id that tells apart the applications running for the same message. It is short, because an application
 * stores its id in the session data of each message that it changes.
 */
export const createRuntimeId = (time: Time): string =>
  `${now(time).toString(36)}${Math.random().toString(36).slice(2, 6)}`
