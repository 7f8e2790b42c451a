/**
 * A value that must not be printed, logged, stored or exported by accident, such as a token. It is plain data that
 * always reads `<secret>`. Only `revealSecret` returns the value, and only in the page that created the secret. A copy
 * through JSON loses the value on purpose.
 */
export type Secret = Readonly<{ secret: '<secret>' }>

const values = new WeakMap<Secret, string>()

/** Hides a value. Secrets are compared by reference. */
export function createSecret(value: string): Secret {
  const secret: Secret = Object.freeze({ secret: '<secret>' })
  values.set(secret, value)
  return secret
}

/** The hidden value; `null` for a secret from a log. */
export const revealSecret = (secret: Secret): string | null => values.get(secret) ?? null
