import { catchError, defer, throwError } from 'rxjs'
import type { ChosenFiles } from '../../effects/administration/ports.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { behind } from '../../streams/kernel/handle.ts'

/** The browser's files, read when they are needed: a file that was changed or moved since it was chosen is not read. */
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
