/** `uniqueness`: another resource has the name; the others are wrong in the request itself (RFC 7644, section 3.12). */
export const SCIM_ERROR_CODES = [
  'invalidFilter',
  'invalidPath',
  'invalidValue',
  'invalidSyntax',
  'noTarget',
  'mutability',
  'uniqueness',
] as const
export type ScimErrorCode = (typeof SCIM_ERROR_CODES)[number]

/** A refusal with a `scimType`. The message is for the directory. */
export class ScimError extends Error {
  constructor(
    readonly code: ScimErrorCode,
    message: string,
  ) {
    super(message)
  }
}
