import { catchError, defer, from, map, type Observable, of } from 'rxjs'
import { isReadable } from '../../streams/html/limits.ts'
import type { Sanitize } from '../../streams/html/plan.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../streams/kernel/time.ts'

/** How long a signature waits for the pane's sanitiser. */
export const PANE_SANITIZER_LIMIT_MS = 1_000

/** What both let through: the sanitiser without a document, and then the one of the pane over its result. */
const sanitizeTwice =
  (ofPane: Sanitize): Sanitize =>
  (html, profile, replacePicture) => {
    const clean = sanitizeMarkup(html, profile, replacePicture)
    // What is not read is longer than Outlook takes, and the plan says so.
    return isReadable(clean) ? ofPane(clean, profile) : clean
  }

/**
 * The sanitiser of launch events. `loadOfPane` loads that of the pane, on a page; null where there is no document.
 * Where it cannot be loaded, or not within `PANE_SANITIZER_LIMIT_MS`, the one without a document works alone.
 */
export const createLaunchSanitizer =
  (loadOfPane: (() => Promise<Sanitize>) | null, time: Time): (() => Observable<Sanitize>) =>
  () =>
    loadOfPane === null
      ? of(sanitizeMarkup)
      : defer(() => from(loadOfPane())).pipe(
          map(sanitizeTwice),
          timeLimit(PANE_SANITIZER_LIMIT_MS, time, () => new Failed({ kind: 'timeout' })),
          catchError(() => of(sanitizeMarkup)),
        )
