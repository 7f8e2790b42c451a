import { catchError, defer, from, map, of, switchMap } from 'rxjs'
import type { Pictures } from '../../../effects/ports.ts'
import type { LoadChunk } from './chunks.ts'

const importPictures = (): Promise<Pictures> =>
  import('./picture.ts').then(({ browserDrawing, createPictures }) =>
    createPictures(browserDrawing(document)),
  )

/**
 * Makes pictures with a chunk that is loaded for the first file. When it cannot be loaded, the file is refused as
 * `notLoaded`, and the next file loads it again.
 */
export function createPictureLoader(loadChunk: LoadChunk, importing = importPictures): Pictures {
  const load = loadChunk(importing)
  return {
    prepare: (file) =>
      defer(() => from(load())).pipe(
        map((pictures) => pictures.prepare(file)),
        catchError(() => of(of({ reason: 'notLoaded' as const }))),
        switchMap((prepared$) => prepared$),
      ),
  }
}
