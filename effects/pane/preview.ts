import { concatMap } from 'rxjs'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { timeLimit } from '../../streams/kernel/time.ts'
import { Preview } from '../../streams/pane/preview/events.ts'
import type { AppEffect } from '../message/app.ts'
import { COPY_LIMIT_MS } from './signatures.ts'

/** Copies what is hard to read in a signature, one after the other: the latest stays in the clipboard. */
export const copyFindings: AppEffect = (event$, _state$, { clipboard, time }) =>
  event$.pipe(
    ofType(Preview.copyRequested),
    concatMap(({ data: { text } }) =>
      clipboard.write({ html: null, text }).pipe(
        timeLimit(COPY_LIMIT_MS, time, () => new Failed({ kind: 'clipboard' })),
        settle(
          () => Preview.copied(),
          (failure) => Preview.copyFailed({ failure }),
        ),
      ),
    ),
  )
