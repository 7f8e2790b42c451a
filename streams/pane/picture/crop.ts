/** A picture's size, in pixels. */
export type PictureSize = Readonly<{ width: number; height: number }>

/**
 * The square part of a picture that is kept: its distance from the left and from the top, and its edge, in shorter sides
 * of the picture. The whole shorter side is 1.
 */
export type Crop = Readonly<{ x: number; y: number; size: number }>

/** How much smaller than the shorter side a crop can be. */
export const MAX_ZOOM = 4

/** A value that is no number becomes `least`. */
const between = (least: number, value: number, most: number): number =>
  value >= least ? Math.min(value, Math.max(least, most)) : least

const shorterSide = ({ width, height }: PictureSize): number => Math.min(width, height)

/** How far a crop of this edge can move to the right, and down. */
const roomOf = (picture: PictureSize, size: number): Readonly<{ x: number; y: number }> => {
  const side = shorterSide(picture)
  return { x: Math.max(0, picture.width / side - size), y: Math.max(0, picture.height / side - size) }
}

/** The nearest crop that is within the picture, and not too small. */
export function clampCrop({ x, y, size }: Crop, picture: PictureSize): Crop {
  const clamped = between(1 / MAX_ZOOM, size, 1)
  const room = roomOf(picture, clamped)
  return { x: between(0, x, room.x), y: between(0, y, room.y), size: clamped }
}

/** The largest square in the middle. */
export function middleCrop(picture: PictureSize): Crop {
  const room = roomOf(picture, 1)
  return { x: room.x / 2, y: room.y / 2, size: 1 }
}

/** The crop moved to the right and down, by parts of its own edge, as far as the picture goes. */
export const moveCrop = (crop: Crop, right: number, down: number, picture: PictureSize): Crop =>
  clampCrop({ ...crop, x: crop.x + right * crop.size, y: crop.y + down * crop.size }, picture)

/** From 1 to `MAX_ZOOM`. */
export const zoomOf = ({ size }: Crop): number => 1 / size

/** The crop with this zoom, around the same middle as far as the picture goes. */
export function zoomCrop(crop: Crop, zoom: number, picture: PictureSize): Crop {
  const size = between(1 / MAX_ZOOM, 1 / between(1, zoom, MAX_ZOOM), 1)
  const shift = (crop.size - size) / 2
  return clampCrop({ x: crop.x + shift, y: crop.y + shift, size }, picture)
}

/** Where the crop is, from 0 (left, top) to 1 (right, bottom); in the middle where it cannot move. */
export function placeOf(crop: Crop, picture: PictureSize): Readonly<{ x: number; y: number }> {
  const room = roomOf(picture, crop.size)
  return { x: room.x > 0 ? crop.x / room.x : 0.5, y: room.y > 0 ? crop.y / room.y : 0.5 }
}

/** The crop in whole pixels: within the picture, and never empty unless the picture is. */
export function pixelsOf(crop: Crop, picture: PictureSize): Readonly<{ x: number; y: number; edge: number }> {
  const side = shorterSide(picture)
  const edge = between(Math.min(1, side), Math.round(crop.size * side), side)
  return {
    x: between(0, Math.round(crop.x * side), picture.width - edge),
    y: between(0, Math.round(crop.y * side), picture.height - edge),
    edge,
  }
}
