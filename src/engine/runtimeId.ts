import { now, type Time } from '../../streams/kernel/time.ts'

/**
 * Identifies one application among the applications that run over the same message. The id is short, because each
 * application leaves it in the session data of the messages that it wrote into.
 */
export const createRuntimeId = (time: Time): string =>
  `${now(time).toString(36)}${Math.random().toString(36).slice(2, 6)}`
