import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHandle } from '../../../streams/kernel/handle.ts'
import {
  clampCrop,
  type Crop,
  MAX_ZOOM,
  middleCrop,
  moveCrop,
  type PictureSize,
  cropPixels,
  cropPosition,
  zoomCrop,
  cropZoom,
} from '../../../streams/pane/picture/crop.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { evolveApp } from '../../../streams/pane/state.ts'
import { recorded, stateAfter } from '../../support/state.ts'

const side = fc.integer({ min: 1, max: 6_000 })
const picture: fc.Arbitrary<PictureSize> = fc.record({ width: side, height: side })
const anything: fc.Arbitrary<Crop> = fc.record({ x: fc.double(), y: fc.double(), size: fc.double() })
const part = fc.double({ min: -2, max: 2, noNaN: true })
const zoom = fc.double({ min: 1, max: MAX_ZOOM, noNaN: true })

/** Rounding errors are not told apart. */
const DIGITS = 9

const expectWithin = ({ x, y, size }: Crop, { width, height }: PictureSize) => {
  const shorter = Math.min(width, height)
  expect(size).toBeGreaterThanOrEqual(1 / MAX_ZOOM)
  expect(size).toBeLessThanOrEqual(1)
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
  expect(x + size).toBeLessThanOrEqual(width / shorter + 1e-9)
  expect(y + size).toBeLessThanOrEqual(height / shorter + 1e-9)
}
const expectSame = (one: Crop, other: Crop) => {
  for (const key of ['x', 'y', 'size'] as const) expect(one[key]).toBeCloseTo(other[key], DIGITS)
}

describe('the crop of a picture', () => {
  test('[PROF-5] is a square within the picture, whatever is asked for', () => {
    fc.assert(
      fc.property(anything, picture, part, part, fc.double(), (crop, size, right, down, wanted) => {
        const clamped = clampCrop(crop, size)
        expectWithin(clamped, size)
        expect(clampCrop(clamped, size)).toEqual(clamped)
        expectWithin(moveCrop(clamped, right, down, size), size)
        expectWithin(zoomCrop(clamped, wanted, size), size)
      }),
    )
  })

  test('[PROF-5] is first the largest square, in the middle', () => {
    fc.assert(
      fc.property(picture, (size) => {
        const crop = middleCrop(size)
        expectWithin(crop, size)
        expect(crop.size).toBe(1)
        const { x, y, edge } = cropPixels(crop, size)
        expect(edge).toBe(Math.min(size.width, size.height))
        expect(Math.abs(x - (size.width - edge - x))).toBeLessThanOrEqual(1)
        expect(Math.abs(y - (size.height - edge - y))).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('[PROF-5] moves by parts of itself, and back, until the picture ends', () => {
    const size = { width: 200, height: 100 }
    const crop = { x: 0.5, y: 0.5, size: 0.5 }
    expect(moveCrop(crop, 0.5, -0.5, size)).toEqual({ x: 0.75, y: 0.25, size: 0.5 })
    expect(moveCrop(crop, -9, 9, size)).toEqual({ x: 0, y: 0.5, size: 0.5 })
    expect(moveCrop(crop, 9, -9, size)).toEqual({ x: 1.5, y: 0, size: 0.5 })
  })

  test('[PROF-5] zooms around its middle, and out again to where it was', () => {
    fc.assert(
      fc.property(picture, zoom, (size, wanted) => {
        const middle = middleCrop(size)
        const zoomed = zoomCrop(middle, wanted, size)
        expect(cropZoom(zoomed)).toBeCloseTo(wanted, DIGITS)
        expect(zoomed.x + zoomed.size / 2).toBeCloseTo(middle.x + 0.5, DIGITS)
        expect(zoomed.y + zoomed.size / 2).toBeCloseTo(middle.y + 0.5, DIGITS)
        expectSame(zoomCrop(zoomed, 1, size), middle)
      }),
    )
    const size = { width: 100, height: 100 }
    expect(zoomCrop(middleCrop(size), 99, size).size).toBe(1 / MAX_ZOOM)
    expect(zoomCrop(middleCrop(size), 0, size).size).toBe(1)
  })

  test('[PROF-5] is told from 0 to 1, and as the middle where it cannot move', () => {
    const size = { width: 200, height: 100 }
    expect(cropPosition({ x: 0.25, y: 0, size: 1 }, size)).toEqual({ x: 0.25, y: 0.5 })
    expect(cropPosition({ x: 0, y: 0.5, size: 0.5 }, size)).toEqual({ x: 0, y: 1 })
  })

  test('[PROF-5] has whole pixels of the picture, at least one', () => {
    fc.assert(
      fc.property(anything, picture, (crop, size) => {
        const { x, y, edge } = cropPixels(clampCrop(crop, size), size)
        for (const value of [x, y, edge]) expect(Number.isInteger(value)).toBe(true)
        expect(edge).toBeGreaterThanOrEqual(1)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(x + edge).toBeLessThanOrEqual(size.width)
        expect(y + edge).toBeLessThanOrEqual(size.height)
      }),
    )
    expect(cropPixels({ x: 0.5, y: 0.25, size: 0.5 }, { width: 800, height: 400 })).toEqual({
      x: 200,
      y: 100,
      edge: 200,
    })
  })

  test('[PROF-5] stays while nothing is offered, and stays the same object when it does not change', () => {
    const cropped = (crop: Crop) => recorded(Picture.cropped({ crop }), 9)
    const offered = stateAfter(Picture.offered({ file: createHandle(null) }))
    expect(evolveApp(offered, cropped({ x: 0, y: 0, size: 1 }))).toBe(offered)
    const opened = Picture.opened({ picture: { dataUrl: 'data:,', width: 200, height: 100 } })
    const ready = evolveApp(offered, recorded(opened, 8))
    expect(ready.picture.offer).toMatchObject({ crop: { x: 0.5, y: 0, size: 1 } })
    expect(evolveApp(ready, cropped({ x: 0.5, y: 7, size: 2 }))).toBe(ready)
    const moved = evolveApp(ready, cropped({ x: 9, y: 9, size: 0.5 }))
    expect(moved.picture.offer).toMatchObject({ status: 'ready', crop: { x: 1.5, y: 0.5, size: 0.5 } })
  })
})
