import { catchError, defer, throwError } from 'rxjs'
import type { ChosenFiles } from '../../effects/administration/ports.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { behind } from '../../streams/kernel/handle.ts'

/** Reads a chosen file when its text is needed. This fails if the file was changed or moved after it was chosen. */
export const chosenFiles: ChosenFiles = {
  text: (file) =>
    defer(() => {
      const chosen = behind(file)
      if (!(chosen instanceof Blob)) throw new Error('the handle has no file')
      return chosen.text()
    }).pipe(
      catchError((cause: unknown) =>
        throwError(() => new Failed({ kind: 'storage', action: 'read' }, { cause })),
      ),
    ),
}
