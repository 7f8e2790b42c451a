/**
 * A value that must not be printed, logged, stored or exported by accident, such as a token.
 * It is plain data that always reads `<secret>`; only `reveal` knows what is behind it, and only in the
 * page that made it. A copy made through JSON has lost its value, which is the point.
 */
export type Secret = Readonly<{ secret: '<secret>' }>

const values = new WeakMap<Secret, string>()

/** Hides a value. Two secrets are the same secret only when they are the same object. */
export function createSecret(value: string): Secret {
  const secret: Secret = Object.freeze({ secret: '<secret>' })
  values.set(secret, value)
  return secret
}

/** The hidden value; `null` for a secret that came out of a log. */
export const reveal = (secret: Secret): string | null => values.get(secret) ?? null
