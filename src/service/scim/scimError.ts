/** `uniqueness`: another resource has the name; the others are wrong in the request itself (RFC 7644, section 3.12). */
export type ScimErrorCode =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'noTarget'
  | 'mutability'
  | 'uniqueness'

/** A request that SCIM has a word for refusing. The message is a sentence for the directory. */
export class ScimError extends Error {
  constructor(
    readonly code: ScimErrorCode,
    message: string,
  ) {
    super(message)
  }
}
