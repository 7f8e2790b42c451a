import { from } from 'rxjs'
import { Failed } from '../../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import type { LoadChunk } from './chunks.ts'

/** How long the sanitiser's chunk may take to load; equals the API's limit. */
export const SANITIZER_LIMIT_MS = 5_000

const importSanitizer = (): Promise<Sanitize> =>
  import('./sanitizer.ts').then(({ createSanitizer }) => createSanitizer(window))

/**
 * For a page that works without a sanitiser at first. Loads its chunk at the first call and shares it with all later ones. Rejects with `notLoaded` when it
 * cannot be loaded, or not within `SANITIZER_LIMIT_MS`; the call after a failure loads it again.
 */
export function createSanitizerLoader(
  time: Time,
  loadChunk: LoadChunk,
  importing = importSanitizer,
): () => Promise<Sanitize> {
  const load = loadChunk(importing)
  let loading: Promise<Sanitize> | null = null
  const start = () =>
    new Promise<Sanitize>((resolve, reject) => {
      from(load())
        .pipe(timeLimit(SANITIZER_LIMIT_MS, time, () => new Failed({ kind: 'notLoaded' })))
        .subscribe({
          next: resolve,
          error: (cause: unknown) => {
            loading = null
            reject(new Failed({ kind: 'notLoaded' }, { cause }))
          },
        })
    })
  return () => (loading ??= start())
}
