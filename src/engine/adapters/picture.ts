import { defer, from } from 'rxjs'
import type { Pictures } from '../../../effects/ports.ts'
import { handleValue } from '../../../streams/kernel/handle.ts'
import { type Crop, type PictureSize, cropPixels } from '../../../streams/pane/picture/crop.ts'
import type { OpenedPicture, PictureRefusal, PreparedPicture } from '../../../streams/pane/picture/events.ts'
import {
  MAX_PICTURE_FILE_BYTES,
  OPENED_PICTURE_EDGE,
  SAVED_PICTURE_EDGE,
  MAX_SENT_PICTURE_BYTES,
  pictureTypeOf,
} from '../../../streams/pane/picture/rules.ts'

/** A picture that can be drawn until `close` is called. */
type Decoded = Readonly<{ image: CanvasImageSource; width: number; height: number; close(): void }>

/** The browser's functions for decoding and drawing. */
export type PictureTools = Readonly<{
  /** The picture, rotated according to its metadata. Rejects when the file cannot be read as a picture. */
  decode(file: Blob): Promise<Decoded>
  createCanvas(size: PictureSize): HTMLCanvasElement
}>

/** The real browser's functions. */
export const browserPictureTools = (document: Document): PictureTools => ({
  // An image element rotates the picture according to its metadata. In older browsers, a bitmap cannot do this.
  async decode(file) {
    const image = document.createElement('img')
    const address = URL.createObjectURL(file)
    const close = () => {
      URL.revokeObjectURL(address)
    }
    image.src = address
    try {
      await image.decode()
    } catch (error) {
      close()
      throw error
    }
    return { image, width: image.naturalWidth, height: image.naturalHeight, close }
  },
  createCanvas(size) {
    const canvas = document.createElement('canvas')
    return Object.assign(canvas, size)
  },
})

/** The number of bytes in a data URL. */
const sizeOf = (dataUrl: string): number => {
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1)
  return Math.floor((base64.length * 3) / 4) - (/={0,2}$/.exec(base64)?.[0].length ?? 0)
}

/** The part of a picture that is drawn, and its size after drawing, in pixels. */
type Part = Readonly<{ x: number; y: number; width: number; height: number; to: PictureSize }>

/**
 * Redraws pictures, which drops metadata (camera, place, author). The type comes from the file's bytes, not its name.
 */
export function createPictures(drawing: PictureTools): Pictures {
  /** Redraws the part of the picture that `choose` returns. `choose` returns null for a picture without area. */
  const redraw = async (
    file: unknown,
    choose: (picture: PictureSize) => Part | null,
  ): Promise<Readonly<{ dataUrl: string; size: number; to: PictureSize }> | PictureRefusal> => {
    if (!(file instanceof Blob)) return { reason: 'unreadable' }
    if (file.size === 0) return { reason: 'empty' }
    if (file.size > MAX_PICTURE_FILE_BYTES) return { reason: 'size', limit: MAX_PICTURE_FILE_BYTES }
    const type = pictureTypeOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
    if (type === null) return { reason: 'type' }
    // With the type from the file's bytes, the browser decodes no other format, such as an SVG.
    const picture = await drawing.decode(new Blob([file], { type })).catch(() => null)
    if (picture === null) return { reason: 'unreadable' }
    try {
      const part = choose(picture)
      if (part === null) return { reason: 'empty' }
      const { x, y, width, height, to } = part
      const canvas = drawing.createCanvas(to)
      const context = canvas.getContext('2d')
      if (!context) return { reason: 'unreadable' }
      const draw = () => {
        context.drawImage(picture.image, x, y, width, height, 0, 0, to.width, to.height)
      }
      draw()
      // JPEG has no transparency. Pictures of other types may be transparent, so they first become PNG.
      let dataUrl = canvas.toDataURL(type === 'image/jpeg' ? 'image/jpeg' : 'image/png', 0.9)
      if (sizeOf(dataUrl) > MAX_SENT_PICTURE_BYTES) {
        context.fillStyle = '#fff'
        context.fillRect(0, 0, to.width, to.height)
        draw()
        dataUrl = canvas.toDataURL('image/jpeg', 0.9)
      }
      const size = sizeOf(dataUrl)
      return size > MAX_SENT_PICTURE_BYTES
        ? { reason: 'size', limit: MAX_SENT_PICTURE_BYTES }
        : { dataUrl, size, to }
    } finally {
      picture.close()
    }
  }
  const openFile = async (file: unknown): Promise<OpenedPicture | PictureRefusal> => {
    const opened = await redraw(file, ({ width, height }) => {
      const scale = Math.min(1, OPENED_PICTURE_EDGE / Math.max(width, height))
      const to = {
        width: Math.max(1, Math.round(width * scale)),
        height: Math.max(1, Math.round(height * scale)),
      }
      return Math.min(width, height) === 0 ? null : { x: 0, y: 0, width, height, to }
    })
    return 'reason' in opened ? opened : { dataUrl: opened.dataUrl, ...opened.to }
  }
  const cropFile = async (file: unknown, crop: Crop): Promise<PreparedPicture | PictureRefusal> => {
    const cropped = await redraw(file, (picture) => {
      const { x, y, edge } = cropPixels(crop, picture)
      const to = Math.min(edge, SAVED_PICTURE_EDGE)
      return edge === 0 ? null : { x, y, width: edge, height: edge, to: { width: to, height: to } }
    })
    if ('reason' in cropped) return cropped
    const { dataUrl, size, to } = cropped
    return { dataUrl, type: /^data:([^;]+)/.exec(dataUrl)?.[1] ?? '', size, edge: to.width }
  }
  return {
    open: (file) => defer(() => from(openFile(handleValue(file)))),
    crop: (file, crop) => defer(() => from(cropFile(handleValue(file), crop))),
  }
}
