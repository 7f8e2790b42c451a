import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exportAnswer } from '../../../streams/wire/administration/publishing.ts'
import {
  headLine,
  LAST_LINE,
  pictureLine,
  readExportLine,
} from '../../../streams/wire/administration/pictureLines.ts'
import { releaseDocument } from '../../support/administration/plans.ts'

const document = {
  ...releaseDocument,
  pictures: { 'logo.png': 'c0ffee00'.repeat(4) },
  templates: { 'templates/a.html': '<p>one\u2028two\u2029\r\nthree {{"}}</p>' },
}
const HEAD = { release: 'r', document }
const written = (pictures: readonly (readonly [string, { mediaType: string; base64: string }])[]) =>
  [
    headLine(HEAD),
    ...pictures.map(([hash, each], index) => pictureLine(hash, each, index === 0)),
    LAST_LINE,
  ].join('')

/** A name in JSON. A record leaves out the three names that would change an object in JavaScript. */
const name = fc.string().filter((each) => !['__proto__', 'prototype', 'constructor'].includes(each))
const pictures = fc.uniqueArray(fc.tuple(name, fc.record({ mediaType: fc.string(), base64: fc.string() })), {
  selector: ([hash]) => hash,
  maxLength: 4,
})

it('an answer with a line for each picture is JSON, and its lines are read one by one as the same', () => {
  fc.assert(
    fc.property(pictures, (given) => {
      const whole: unknown = JSON.parse(written(given))
      expect(exportAnswer.read(whole, '')).toEqual({ ...HEAD, pictures: Object.fromEntries(given) })
      const lines = written(given)
        .split('\n')
        .map((line, index) => readExportLine(line, index === 0))
      expect(lines).toHaveLength(given.length + 2)
      expect(lines[0]?.first).toEqual({ ...HEAD, pictures: {} })
      expect(Object.assign({}, ...lines.map((line) => line.pictures))).toEqual(Object.fromEntries(given))
      expect(lines.map(({ isLast }) => isLast)).toEqual([...given.map(() => false), false, true])
    }),
  )
})

it('the one line of an earlier service is read as first and last', () => {
  const all = { hash: { mediaType: 'image/png', base64: 'AA==' } }
  for (const sent of [all, {}])
    expect(readExportLine(JSON.stringify({ ...HEAD, pictures: sent }), true)).toEqual({
      first: { ...HEAD, pictures: sent },
      pictures: sent,
      isLast: true,
    })
})

it.each(['', '<p>', '{"release":1', '[]'])('another answer is refused: %j', (line) => {
  expect(() => readExportLine(line, true)).toThrow()
  expect(() => readExportLine(',"x":7', false)).toThrow()
})
