import { from } from 'rxjs'
import { Failed } from '../../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import type { LoadChunk } from './chunks.ts'

/** The time limit for loading the sanitiser's chunk, which equals that of a request to the service. */
export const SANITIZER_LIMIT_MS = 5_000

const importSanitizer = (): Promise<Sanitize> =>
  import('./sanitizer.ts').then(({ createSanitizer }) => createSanitizer(window))

/**
 * Loads the sanitiser for a page that starts without one. The first call loads the chunk, and later calls share it.
 * Rejects with `notLoaded` when the chunk cannot be loaded within `SANITIZER_LIMIT_MS`; the next call then tries again.
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
