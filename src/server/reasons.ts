/** Explains errors to users in plain words, because messages of other programs would not help them. */

/** An error whose message is a sentence for the user. */
export class PlainError extends Error {}

const SLOW = 'it does not answer in time'
const CLOSED = 'it closed the connection'
const UNTRUSTED = 'this computer does not trust its certificate'
const NOT_ALLOWED = 'this user may not use it'

/**
 * Reasons by error code, for errors from the network, TLS, the file system and PostgreSQL. "It" is the server or file
 * that could not be used.
 */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing accepts connections there'],
  ['ENOTFOUND', 'its name is unknown'],
  ['EAI_AGAIN', 'its name cannot be looked up at the moment'],
  ['ETIMEDOUT', SLOW],
  ['UND_ERR_CONNECT_TIMEOUT', SLOW],
  ['UND_ERR_HEADERS_TIMEOUT', SLOW],
  ['UND_ERR_BODY_TIMEOUT', SLOW],
  ['ECONNRESET', CLOSED],
  ['EPIPE', CLOSED],
  ['UND_ERR_SOCKET', CLOSED],
  ['EHOSTUNREACH', 'no network leads there'],
  ['ENETUNREACH', 'no network leads there'],

  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],

  ['ENOENT', 'there is no such file or folder'],
  ['EACCES', NOT_ALLOWED],
  ['EPERM', NOT_ALLOWED],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is no folder'],
  ['EEXIST', 'it is there already'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk is full'],
  ['EROFS', 'the disk takes no writes'],
  ['EMFILE', 'too many files are open'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'its links lead in a circle'],
  ['EBUSY', 'another program uses it'],

  ['28000', 'it does not let this user in'],
  ['28P01', 'it refuses the password'],
  ['3D000', 'it has no database of this name'],
  ['42501', 'this user may not do that'],
  ['53300', 'it has no free connection'],
  ['57P03', 'it is starting or ending'],
])

const MAX_CAUSES = 8

/** The error and its chain of causes. Follows only the first error of an `AggregateError`. */
function* chainOf(error: unknown): Generator<Error, void> {
  let next = error
  for (let left = MAX_CAUSES; left > 0 && next instanceof Error; left -= 1) {
    yield next
    next = next instanceof AggregateError ? next.errors[0] : next.cause
  }
}

/** An error's code, if it has only capitals, digits and `_`, and so cannot contain text from elsewhere. */
const codeOf = (error: Error): string | null =>
  'code' in error && typeof error.code === 'string' && /^[A-Z\d_]{4,50}$/.test(error.code) ? error.code : null

const withCode = (reason: string, code: string | undefined): string =>
  code === undefined ? reason : `${reason} (${code})`

/** Explains an error as part of a sentence, with the error's code in brackets; null for an unknown error. */
export function knownErrorReason(error: unknown): string | null {
  const chain = [...chainOf(error)]
  for (const code of chain.map(codeOf)) {
    const reason = REASONS.get(code ?? '')
    if (reason !== undefined) return withCode(reason, code ?? undefined)
  }
  return chain.some(({ name }) => name === 'TimeoutError') ? SLOW : null
}

/**
 * As `knownErrorReason`, but with a default.
 *
 * @param otherwise the reason to give for an unknown error
 */
export const errorReason = (error: unknown, otherwise: string): string =>
  knownErrorReason(error) ??
  withCode(otherwise, [...chainOf(error)].map(codeOf).find((code) => code !== null) ?? undefined)
