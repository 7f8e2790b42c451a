import { toFailure } from '../../../streams/kernel/failure.ts'
import type { CallError } from '../../engine/hosts/mailClient.ts'

const IDENTITY_ERRORS: Readonly<Record<number, string>> = {
  13000: 'API Not Supported',
  13001: 'No user is signed into Office.',
  13002: 'User aborted the consent request.',
  13003: 'User identity type is not supported.',
  13004: 'Invalid resource Url specified in the manifest.',
  13005: 'Preauthorization missing.',
  13006: 'Error occurred in the authentication request from Office.',
  13007: 'Error occurred in the authentication provider.',
  13008: 'Add-in is already requesting token.',
  13010: 'A connection was lost during the sign in process.',
  13012: 'API is not supported in this platform.',
  13013: 'API Call Failed',
}

const identityCode = (error: unknown): number => {
  if (typeof error === 'object' && error !== null && 'code' in error) {
    if (typeof error.code === 'number' && Object.hasOwn(IDENTITY_ERRORS, error.code)) return error.code
  }
  const failure = toFailure(error)
  if (failure.kind !== 'http') return failure.kind === 'network' || failure.kind === 'timeout' ? 13006 : 13007
  return ({ 401: 13001, 403: 13005, 429: 13013 } as Record<number, number>)[failure.status] ?? 13007
}

/** Converts an identity provider's failure to Office's error. A failure with one of Office's codes keeps its code. */
export const identityError = (error: unknown): CallError => {
  const code = identityCode(error)
  const name = IDENTITY_ERRORS[code] ?? ''
  return { code, name, message: name }
}
