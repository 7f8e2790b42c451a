import { exhaustMap } from 'rxjs'
import { ofType } from '../../streams/kernel/event.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { LogExport } from '../../streams/pane/logExport/events.ts'
import type { AppEffect } from '../message/app.ts'

/** Downloads this pane's log. */
export const saveLog: AppEffect = (event$, _state$, { downloads }) =>
  event$.pipe(
    ofType(LogExport.requested),
    exhaustMap(() => downloads.saveLog().pipe(settle(() => LogExport.saved(), LogExport.failed))),
  )
