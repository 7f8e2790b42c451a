import { from } from 'rxjs'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import type { LoadChunk } from './chunks.ts'

/** How long the chunk with the sanitiser may take to load, in milliseconds; equals the API's limit. */
export const SANITIZER_LIMIT_MS = 5_000

const importSanitizer = (): Promise<Sanitize> =>
  import('./sanitizer.ts').then(({ createSanitizer }) => createSanitizer(window))

/**
 * The sanitiser, loaded when somebody first needs it, once for everybody. Rejects with `network` when it cannot be
 * loaded and with `timeout` when that takes too long; whoever asks after that has it loaded anew.
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
        .pipe(timeLimit(SANITIZER_LIMIT_MS, time, () => new Failed({ kind: 'timeout' })))
        .subscribe({
          next: resolve,
          error: (cause: unknown) => {
            loading = null
            const kind = toFailure(cause).kind === 'timeout' ? 'timeout' : 'network'
            reject(new Failed({ kind }, { cause }))
          },
        })
    })
  return () => (loading ??= start())
}
