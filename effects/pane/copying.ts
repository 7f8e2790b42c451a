import { concatMap } from 'rxjs'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { timeLimit } from '../../streams/kernel/time.ts'
import { Preview } from '../../streams/pane/preview/events.ts'
import { SelfTest } from '../../streams/pane/selfTest/events.ts'
import type { AppEvent } from '../../streams/pane/events.ts'
import type { AppEffect } from '../message/app.ts'
import { COPY_LIMIT_MS } from './signatures.ts'

/** Copies texts one after the other, so that the latest text ends up in the clipboard. */
const copying =
  ({ copyRequested, copied, copyFailed }: typeof Preview | typeof SelfTest): AppEffect =>
  (event$, _state$, { clipboard, time }) =>
    event$.pipe(
      ofType(copyRequested),
      concatMap(({ data: { text } }) =>
        clipboard.write({ html: null, text }).pipe(
          timeLimit(COPY_LIMIT_MS, time, () => new Failed({ kind: 'clipboard' })),
          settle<unknown, AppEvent, AppEvent>(() => copied(), copyFailed),
        ),
      ),
    )

/** Copies the preview's findings about readability. */
export const copyPreviewFindings = copying(Preview)

/** Copies a self-test's result. */
export const copySelfTestResult = copying(SelfTest)
