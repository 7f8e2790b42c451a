import { ignoreElements, tap } from 'rxjs'
import { DEFECT_ACTION, defectIn } from '../../streams/kernel/effect.ts'
import type { AdministrationEffect } from './program.ts'

/** Logs unexpected errors with their messages, which no view shows. */
const logDefects: AdministrationEffect = (event$, _state$, { log }) =>
  event$.pipe(
    tap((event) => {
      const defect = defectIn(event)
      if (defect) log.error(DEFECT_ACTION, defect)
    }),
    ignoreElements(),
  )

export const defectEffects = { logDefects }
