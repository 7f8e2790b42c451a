/**
 * The error codes of RFC 7644, section 3.12. `uniqueness` means that another resource has the name. All others mean
 * that the request is wrong.
 */
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

/** A refusal with a `scimType`. The message is sent to the directory. */
export class ScimError extends Error {
  constructor(
    readonly code: ScimErrorCode,
    message: string,
  ) {
    super(message)
  }
}
