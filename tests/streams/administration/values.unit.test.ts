import { describe, expect, test } from 'vitest'
import { areFormatted, changedSignatures } from '../../../streams/administration/overview/comparison.ts'
import { blockPictures, blockPreview } from '../../../streams/administration/plan/blockPreview.ts'
import {
  previewOf,
  releaseOf,
  signaturePictures,
  takenPicture,
} from '../../../streams/administration/plan/preview.ts'
import { withTakenTemplate } from '../../../streams/administration/plan/taken.ts'
import { PLAIN_FORMATS } from '../../../streams/organisation/template/formats.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { block } from '../../support/blocks.ts'
import { alex, draftOf, releaseDocument } from '../../support/administration/plans.ts'

const AT = Date.parse('2026-10-01T12:00:00Z')
const FORMATS = {
  ...PLAIN_FORMATS,
  phone: (text: string) => `int ${text}`,
  qr: (text: string) => text.length.toString(),
}
const person = { ...alex, directory: { 'businessPhones.0': '1' } }

const withTemplate = (text: string): ReleaseDocument => ({
  ...releaseDocument,
  templates: { ...releaseDocument.templates, 'templates/a.html': text, 'templates/block.html': text },
  blocks: [block({ id: 'fair', template: 'templates/block.html' })],
})

describe('[ADOPT-9] the previews of a draft', () => {
  const document = withTemplate('<p>{{phone phone}}</p>')
  const written = '<p>int 1</p>'
  const plain = '<p>1</p>'

  test('write values by the formats that are given, else as they are', () => {
    const wanted = { path: 'templates/a.html', person, at: AT, use: 'signature' } as const
    expect(previewOf(document, wanted, '', FORMATS).html).toBe(written)
    expect(previewOf(document, wanted, '').html).toBe(plain)
    const unused = { ...document, signatures: [] }
    expect(previewOf(unused, wanted, '', FORMATS).html).toBe(written)
    expect(signaturePictures(document, { person, at: AT }, '', FORMATS)[0]?.html).toBe(written)
    expect(signaturePictures(document, { person, at: AT }, '')[0]?.html).toBe(plain)
    expect(blockPictures(document, person, '', FORMATS)[0]?.html).toBe(written)
    expect(blockPictures(document, person, '')[0]?.html).toBe(plain)
    const message = { person, at: AT, use: 'signature', recipients: null } as const
    expect(blockPreview(document, 'fair', message, '', FORMATS)?.alone).toBe(written)
    expect(blockPreview(document, 'fair', message, '')?.alone).toBe(plain)
    const template = '<p>{{phone phone}}</p>'
    const taken = withTakenTemplate(draftOf(), { name: 'New', template, pictures: {}, variables: [] })
    expect(takenPicture(taken, { person, at: AT }, '', FORMATS).html).toBe(written)
    expect(takenPicture(taken, { person, at: AT }, '').html).toBe(plain)
  })

  test('need formats for numbers, addresses and codes alone', () => {
    const isFormatted = (text: string, more: Partial<ReleaseDocument> = {}) =>
      releaseOf({ ...withTemplate(text), ...more }).isFormatted
    expect(isFormatted('<p>{{phone}}{{web website}}</p>')).toBe(false)
    for (const text of [
      '{{phone phone}}',
      '{{tel phone}}',
      '{{qr vcard}}',
      '{{address}}',
      '{{#if address}}x{{/if}}',
      '{{> deep}}',
    ])
      expect([
        text,
        isFormatted(text, {
          templates: { ...withTemplate(text).templates, 'templates/deep.part.html': '{{qr vcard}}' },
        }),
      ]).toEqual([text, true])
    const [first] = releaseDocument.variables
    const variables = first ? [{ ...first, path: 'address' }] : []
    expect(isFormatted('{{address}}', { variables })).toBe(false)
    expect(
      isFormatted('<p>{{phone}}</p>', {
        templates: { ...withTemplate('x').templates, 'templates/unused.part.html': '{{qr vcard}}' },
      }),
    ).toBe(false)
  })

  test('compare two releases with the same formats', () => {
    const [before, after] = [withTemplate('<p>{{phone}}</p>'), document]
    const compared = { before, after, person } as Parameters<typeof changedSignatures>[0]
    expect([areFormatted(compared), areFormatted({ ...compared, after: before })]).toEqual([true, false])
    expect(areFormatted({ ...compared, before: null, after: before })).toBe(false)
    expect(areFormatted({ ...compared, before: document, after: before })).toBe(true)
    const [changed] = changedSignatures(compared, '', FORMATS)
    expect([changed?.before, changed?.after]).toEqual([plain, written])
    const [same] = changedSignatures(compared, '')
    expect([same?.before, same?.after]).toEqual([plain, plain])
  })
})
