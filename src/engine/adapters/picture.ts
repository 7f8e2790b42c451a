import { defer, from } from 'rxjs'
import type { Pictures } from '../../../effects/ports.ts'
import { behind } from '../../../streams/kernel/handle.ts'
import type { PictureRefusal, PreparedPicture } from '../../../streams/picture/events.ts'
import {
  FILE_LIMIT,
  middleSquare,
  PICTURE_EDGE,
  PICTURE_LIMIT,
  pictureTypeOf,
} from '../../../streams/picture/rules.ts'

/** A picture that can be drawn until it is closed. */
type Decoded = Readonly<{ image: CanvasImageSource; width: number; height: number; close(): void }>

/** The browser's functions for decoding and drawing. */
export type Drawing = Readonly<{
  /** The picture in the orientation of its metadata. Rejects when it cannot be read. */
  decode(file: Blob): Promise<Decoded>
  createCanvas(edge: number): HTMLCanvasElement
}>

/** The real ones. */
export const browserDrawing = (document: Document): Drawing => ({
  // An image element turns the picture as its metadata says; older browsers cannot ask a bitmap for that.
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
  createCanvas(edge) {
    const canvas = document.createElement('canvas')
    canvas.width = edge
    canvas.height = edge
    return canvas
  },
})

/** The number of bytes in a data URL. */
const sizeOf = (dataUrl: string): number => {
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1)
  return Math.floor((base64.length * 3) / 4) - (/={0,2}$/.exec(base64)?.[0].length ?? 0)
}

/**
 * Makes pictures by redrawing them, which drops the metadata (camera, place, author). A file's first bytes decide its
 * type, not its name.
 */
export function createPictures(drawing: Drawing): Pictures {
  const prepare = async (file: unknown): Promise<PreparedPicture | PictureRefusal> => {
    if (!(file instanceof Blob)) return { reason: 'unreadable' }
    if (file.size === 0) return { reason: 'empty' }
    if (file.size > FILE_LIMIT) return { reason: 'size', limit: FILE_LIMIT }
    const type = pictureTypeOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
    if (type === null) return { reason: 'type' }
    // With the type of the bytes, so that the browser decodes nothing else, such as an SVG.
    const picture = await drawing.decode(new Blob([file], { type })).catch(() => null)
    if (picture === null) return { reason: 'unreadable' }
    try {
      const { x, y, edge: cut } = middleSquare(picture.width, picture.height)
      if (cut === 0) return { reason: 'empty' }
      const edge = Math.min(cut, PICTURE_EDGE)
      const canvas = drawing.createCanvas(edge)
      const context = canvas.getContext('2d')
      if (!context) return { reason: 'unreadable' }
      const draw = () => {
        context.drawImage(picture.image, x, y, cut, cut, 0, 0, edge, edge)
      }
      draw()
      // JPEG has no transparency; the other types may have some.
      let dataUrl = canvas.toDataURL(type === 'image/jpeg' ? 'image/jpeg' : 'image/png', 0.9)
      if (sizeOf(dataUrl) > PICTURE_LIMIT) {
        context.fillStyle = '#fff'
        context.fillRect(0, 0, edge, edge)
        draw()
        dataUrl = canvas.toDataURL('image/jpeg', 0.9)
      }
      const size = sizeOf(dataUrl)
      if (size > PICTURE_LIMIT) return { reason: 'size', limit: PICTURE_LIMIT }
      return { dataUrl, type: /^data:([^;]+)/.exec(dataUrl)?.[1] ?? type, size, edge }
    } finally {
      picture.close()
    }
  }
  return { prepare: (file) => defer(() => from(prepare(behind(file)))) }
}
