import { catchError, defer, from, type Observable, of } from 'rxjs'
import type { Sanitize } from '../../streams/html/plan.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../streams/kernel/time.ts'

/** How long a signature waits for the pane's sanitiser. */
export const PANE_SANITIZER_LIMIT_MS = 1_000

/**
 * The sanitiser of launch events. `loadOfPane` loads the pane's sanitiser, which also lets DOMPurify check the result;
 * it is null without a document. If the pane's sanitiser does not load within `PANE_SANITIZER_LIMIT_MS`, DOMPurify does
 * not check the result.
 */
export const createLaunchSanitizer =
  (loadOfPane: (() => Promise<Sanitize>) | null, time: Time): (() => Observable<Sanitize>) =>
  () =>
    loadOfPane === null
      ? of(sanitizeMarkup)
      : defer(() => from(loadOfPane())).pipe(
          timeLimit(PANE_SANITIZER_LIMIT_MS, time, () => new Failed({ kind: 'timeout' })),
          catchError(() => of(sanitizeMarkup)),
        )
