import { catchError, defer, from, type Observable, of } from 'rxjs'
import type { Sanitize } from '../../streams/html/plan.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../streams/kernel/time.ts'

/** How long a signature waits for the pane's sanitiser. */
export const PANE_SANITIZER_LIMIT_MS = 1_000

/**
 * Creates the sanitiser of launch events. `loadOfPane` loads the pane's sanitiser, whose result DOMPurify also checks;
 * null without a document. If it does not load within `PANE_SANITIZER_LIMIT_MS`, the result is used without this check.
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
