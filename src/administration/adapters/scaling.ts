/** Redraws pictures at another size. The code that draws is a separate chunk. */
import { catchError, defer, switchMap, throwError } from 'rxjs'
import type { PictureScaling } from '../../../effects/administration/ports.ts'
import type { BannerPicture, ChosenPicture } from '../../../streams/administration/plan/banners.ts'
import type { PictureSize } from '../../../streams/administration/plan/draftPictures.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { LoadChunk } from '../../engine/adapters/chunks.ts'
import type { PictureTools } from '../../engine/adapters/picture.ts'
import { hashOf } from '../chosenFiles.ts'
import { fromBase64 } from './folders.ts'

const importTools = (): Promise<PictureTools> =>
  import('../../engine/adapters/picture.ts').then(({ browserPictureTools }) => browserPictureTools(document))

/** How well a JPEG keeps its details, from 0 to 1. */
const JPEG_QUALITY = 0.85

/**
 * Draws the picture on a canvas. Halves it as often as possible first, because browsers skip pixels when they draw a
 * picture at less than half its size.
 */
function drawnSmaller(
  { createCanvas }: PictureTools,
  picture: Awaited<ReturnType<PictureTools['decode']>>,
  to: PictureSize,
): HTMLCanvasElement {
  let { image, width, height }: Readonly<{ image: CanvasImageSource } & PictureSize> = picture
  for (;;) {
    const isLast = width <= 2 * to.width && height <= 2 * to.height
    const next = isLast
      ? to
      : {
          width: Math.max(to.width, Math.ceil(width / 2)),
          height: Math.max(to.height, Math.ceil(height / 2)),
        }
    const canvas = createCanvas(next)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('the browser draws no pictures')
    context.drawImage(image, 0, 0, width, height, 0, 0, next.width, next.height)
    if (isLast) return canvas
    ;({ image, width, height } = { image: canvas, ...next })
  }
}

async function scale(tools: PictureTools, picture: BannerPicture, to: PictureSize): Promise<ChosenPicture> {
  const { name, base64, raster } = picture
  const decoded = await tools.decode(new Blob([fromBase64(base64) as BlobPart], { type: raster.type }))
  // The browser turns a photo as its camera was held, and the raster is as it was stored.
  const isTurned = decoded.width > decoded.height !== raster.width > raster.height
  const size = isTurned
    ? { width: to.width, height: Math.max(1, Math.round((decoded.height * to.width) / decoded.width)) }
    : to
  try {
    const dataUrl = drawnSmaller(tools, decoded, size).toDataURL(raster.type, JPEG_QUALITY)
    const content = dataUrl.slice(dataUrl.indexOf(',') + 1)
    return { name, base64: content, hash: await hashOf(fromBase64(content) as BufferSource) }
  } finally {
    decoded.close()
  }
}

export function createPictureScaling(loadChunk: LoadChunk, importing = importTools): PictureScaling {
  const load = loadChunk(importing)
  return {
    scaled: (picture, to) =>
      defer(load).pipe(
        catchError((cause: unknown) => throwError(() => new Failed({ kind: 'notLoaded' }, { cause }))),
        switchMap((tools) =>
          defer(() => scale(tools, picture, to)).pipe(
            catchError((cause: unknown) =>
              throwError(() => new Failed({ kind: 'storage', action: 'read' }, { cause })),
            ),
          ),
        ),
      ),
  }
}
