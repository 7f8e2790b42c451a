import { now, type Time } from '../../streams/kernel/time.ts'

/**
 * Identifies one application among those that run over the same message. Short, because each runtime leaves its id in
 * the session data of the messages that it wrote into.
 */
export const createRuntimeId = (time: Time): string =>
  `${now(time).toString(36)}${Math.random().toString(36).slice(2, 6)}`
