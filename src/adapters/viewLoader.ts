import { of } from 'rxjs'
import type { ViewLoader } from '../../effects/ports.ts'

/** Every view is in the first chunk. */
export const createViewLoader = (): ViewLoader => ({ load: () => of(undefined) })
