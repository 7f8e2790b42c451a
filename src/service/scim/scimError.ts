/** Errors of RFC 7644, section 3.12. `uniqueness`: another resource has the name. All others: the request is wrong. */
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
