import { now, type Time } from '../../streams/kernel/time.ts'

/**
 * Identifies one application among the applications that run for the same message. The id is short, because each
 * application stores it in the session data of the messages that it changed.
 */
export const createRuntimeId = (time: Time): string =>
  `${now(time).toString(36)}${Math.random().toString(36).slice(2, 6)}`
