import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import {
  BodyTooCostly,
  createBodyMeter,
  MAX_BODY_DEPTH,
  MAX_BODY_VALUES,
} from '../../src/server/bodyMeter.ts'
import { cases } from '../support/cases.ts'

const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, each) => sum + valuesOf(each), 1)
    : 1
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

/** Whether a text is taken, in pieces of so many bytes. */
function isTaken(text: string, size: number): boolean {
  const meter = createBodyMeter()
  const bytes = Buffer.from(text)
  try {
    for (let at = 0; at < bytes.length; at += size) meter(bytes.subarray(at, at + size))
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(BodyTooCostly)
    return false
  }
}

const json = fc.jsonValue({ maxDepth: 5 })
// Signs that mean something outside of texts only.
const texts = fc.array(
  fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', '{', '}', ']', ':', 'é', ' ') }),
)

test.prop([fc.oneof(json, texts), fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 2)], cases(100))(
  'a body is taken with so many values, and refused with one more, however it arrives',
  (value, size, spaces) => {
    const text = JSON.stringify(value, null, spaces)
    const room = MAX_BODY_VALUES - valuesOf(value)
    // The list around it is a value, too.
    const withOthers = (count: number) => `[${'0,'.repeat(count)}${text}]`
    expect(isTaken(withOthers(room - 1), size * 50_000)).toBe(true)
    expect(isTaken(withOthers(room), size * 50_000)).toBe(false)
    expect(isTaken(text, size)).toBe(true)
  },
)

test.prop([json, fc.integer({ min: 1, max: 9 })], cases(100))(
  'a body is taken that is nested so deep, and refused when it is nested deeper',
  (value, size) => {
    const text = JSON.stringify(value)
    const inside = (levels: number) => '['.repeat(levels) + text + ']'.repeat(levels)
    const room = MAX_BODY_DEPTH - depthOf(value)
    expect(isTaken(inside(room), size)).toBe(true)
    expect(isTaken(inside(room + 1), size)).toBe(false)
  },
)
