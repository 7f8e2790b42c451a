import { assertNever } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'

/** The specification's error codes (section 8) for failed calls to the service and the mail client. */
export type CatalogueError =
  | Readonly<{ code: 'NETWORK_ERROR' }>
  | Readonly<{ code: 'REPOSITORY_ERROR'; status: number | null; detail: string | null; data: unknown }>
  | Readonly<{ code: 'HOST_ERROR'; call: string }>
  | Readonly<{ code: 'AUTH_ERROR'; detail: string }>
  | Readonly<{ code: 'REFUSED'; detail: string }>
  | Readonly<{ code: 'DEFECT' }>

/** No response at all is NETWORK_ERROR; any other failure of a call to the service is REPOSITORY_ERROR. */
export function toCatalogueError(failure: Failure): CatalogueError {
  switch (failure.kind) {
    case 'network':
    case 'timeout':
      return { code: 'NETWORK_ERROR' }
    case 'http':
      return { code: 'REPOSITORY_ERROR', status: failure.status, detail: failure.code, data: failure.data }
    case 'malformed':
      return { code: 'REPOSITORY_ERROR', status: 200, detail: 'malformed_response', data: failure.at }
    case 'host':
    case 'hostSilent':
      return { code: 'HOST_ERROR', call: failure.call }
    case 'itemGone':
      return { code: 'HOST_ERROR', call: 'item' }
    case 'auth':
      return { code: 'AUTH_ERROR', detail: failure.code }
    case 'tooLarge':
    case 'entryGone':
    case 'textAltered':
    case 'clipboard':
    case 'notLoaded':
      return { code: 'REFUSED', detail: failure.kind }
    case 'storage':
      return { code: 'REFUSED', detail: `storage_${failure.action}` }
    case 'defect':
      return { code: 'DEFECT' }
    default:
      return assertNever(failure)
  }
}
