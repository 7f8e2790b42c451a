/**
 * Below this age, a device's copy of a default signature is inserted without a request. So this is how long a message
 * can still get what was published before.
 */
export const FRESH_COPY_MS = 15 * 60_000
