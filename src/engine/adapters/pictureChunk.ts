import { catchError, defer, from, map, type Observable, of, switchMap } from 'rxjs'
import type { Pictures } from '../../../effects/ports.ts'
import type { PictureRefusal } from '../../../streams/pane/picture/events.ts'
import type { LoadChunk } from './chunks.ts'

const importPictures = (): Promise<Pictures> =>
  import('./picture.ts').then(({ browserPictureTools: browserDrawing, createPictures }) =>
    createPictures(browserDrawing(document)),
  )

/**
 * Loads the picture code on first use, and redraws pictures with it. When the chunk cannot be loaded, the file is
 * refused as `notLoaded`, and the next file loads the chunk again.
 */
export function createPictureLoader(loadChunk: LoadChunk, importing = importPictures): Pictures {
  const load = loadChunk(importing)
  const loaded = <Value>(
    use: (pictures: Pictures) => Observable<Value | PictureRefusal>,
  ): Observable<Value | PictureRefusal> =>
    defer(() => from(load())).pipe(
      map(use),
      catchError(() => of(of({ reason: 'notLoaded' as const }))),
      switchMap((made$) => made$),
    )
  return {
    open: (file) => loaded((pictures) => pictures.open(file)),
    crop: (file, crop) => loaded((pictures) => pictures.crop(file, crop)),
  }
}
