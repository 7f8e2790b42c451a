/** A picture's size, in pixels. */
export type PictureSize = Readonly<{ width: number; height: number }>

/** The square part of a picture that is kept: left, top and edge. The unit is the picture's shorter side. */
export type Crop = Readonly<{ x: number; y: number; size: number }>

/** The largest zoom. The edge of a crop is at least the picture's shorter side divided by this number. */
export const MAX_ZOOM = 4

/** Limits a value to a range. A value that is not a number becomes `least`. */
const between = (least: number, value: number, most: number): number =>
  value >= least ? Math.min(value, Math.max(least, most)) : least

const shorterSide = ({ width, height }: PictureSize): number => Math.min(width, height)

/** The largest `x` and `y` that a crop of this size can have within the picture. */
const roomOf = (picture: PictureSize, size: number): Readonly<{ x: number; y: number }> => {
  const side = shorterSide(picture)
  return { x: Math.max(0, picture.width / side - size), y: Math.max(0, picture.height / side - size) }
}

/** The nearest crop that lies within the picture and is not smaller than `MAX_ZOOM` allows. */
export function clampCrop({ x, y, size }: Crop, picture: PictureSize): Crop {
  const clamped = between(1 / MAX_ZOOM, size, 1)
  const room = roomOf(picture, clamped)
  return { x: between(0, x, room.x), y: between(0, y, room.y), size: clamped }
}

/** The largest crop, in the middle of the picture. */
export function middleCrop(picture: PictureSize): Crop {
  const room = roomOf(picture, 1)
  return { x: room.x / 2, y: room.y / 2, size: 1 }
}

/** Moves the crop right and down, stopping at the picture's border. The unit of both distances is the crop's edge. */
export const moveCrop = (crop: Crop, right: number, down: number, picture: PictureSize): Crop =>
  clampCrop({ ...crop, x: crop.x + right * crop.size, y: crop.y + down * crop.size }, picture)

/** The zoom of a crop, from 1 (the whole shorter side) to `MAX_ZOOM`. */
export const cropZoom = ({ size }: Crop): number => 1 / size

/** The crop with this zoom. Its middle stays in place, unless the crop would leave the picture. */
export function zoomCrop(crop: Crop, zoom: number, picture: PictureSize): Crop {
  const size = between(1 / MAX_ZOOM, 1 / between(1, zoom, MAX_ZOOM), 1)
  const shift = (crop.size - size) / 2
  return clampCrop({ x: crop.x + shift, y: crop.y + shift, size }, picture)
}

/** The crop's position, from 0 (left, top) to 1 (right, bottom); 0.5 along an axis without room to move. */
export function cropPosition(crop: Crop, picture: PictureSize): Readonly<{ x: number; y: number }> {
  const room = roomOf(picture, crop.size)
  return { x: room.x > 0 ? crop.x / room.x : 0.5, y: room.y > 0 ? crop.y / room.y : 0.5 }
}

/** The crop in whole pixels: within the picture, and at least one pixel large unless the picture is empty. */
export function cropPixels(
  crop: Crop,
  picture: PictureSize,
): Readonly<{ x: number; y: number; edge: number }> {
  const side = shorterSide(picture)
  const edge = between(Math.min(1, side), Math.round(crop.size * side), side)
  return {
    x: between(0, Math.round(crop.x * side), picture.width - edge),
    y: between(0, Math.round(crop.y * side), picture.height - edge),
    edge,
  }
}
