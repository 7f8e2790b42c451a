import { describe, expect, test } from 'vitest'
import { needFormats, compareSignatures } from '../../../streams/administration/overview/comparison.ts'
import { renderDraftBlocks, blockPreview } from '../../../streams/administration/plan/blockPreview.ts'
import {
  draftPreviewOf,
  compiledReleaseOf,
  renderDraftSignatures,
  renderAddedTemplate,
} from '../../../streams/administration/plan/preview.ts'
import { withAddedTemplate } from '../../../streams/administration/plan/taken.ts'
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
    expect(draftPreviewOf(document, wanted, '', FORMATS).html).toBe(written)
    expect(draftPreviewOf(document, wanted, '').html).toBe(plain)
    const unused = { ...document, signatures: [] }
    expect(draftPreviewOf(unused, wanted, '', FORMATS).html).toBe(written)
    expect(renderDraftSignatures(document, { person, at: AT }, '', FORMATS)[0]?.html).toBe(written)
    expect(renderDraftSignatures(document, { person, at: AT }, '')[0]?.html).toBe(plain)
    expect(renderDraftBlocks(document, { person }, '', FORMATS)[0]?.html).toBe(written)
    expect(renderDraftBlocks(document, { person }, '')[0]?.html).toBe(plain)
    const message = { person, at: AT, use: 'signature', recipients: null } as const
    expect(blockPreview(document, 'fair', message, '', FORMATS)?.alone).toBe(written)
    expect(blockPreview(document, 'fair', message, '')?.alone).toBe(plain)
    const template = '<p>{{phone phone}}</p>'
    const taken = withAddedTemplate(draftOf(), { name: 'New', template, pictures: {}, variables: [] })
    expect(renderAddedTemplate(taken, { person, at: AT }, '', FORMATS).html).toBe(written)
    expect(renderAddedTemplate(taken, { person, at: AT }, '').html).toBe(plain)
  })

  test('need formats for numbers, addresses and codes alone', () => {
    const isFormatted = (text: string, more: Partial<ReleaseDocument> = {}) =>
      compiledReleaseOf({ ...withTemplate(text), ...more }).isFormatted
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
    const compared = { before, after, person } as Parameters<typeof compareSignatures>[0]
    expect([needFormats(compared), needFormats({ ...compared, after: before })]).toEqual([true, false])
    expect(needFormats({ ...compared, before: null, after: before })).toBe(false)
    expect(needFormats({ ...compared, before: document, after: before })).toBe(true)
    const [changed] = compareSignatures(compared, '', FORMATS)
    expect([changed?.before, changed?.after]).toEqual([plain, written])
    const [same] = compareSignatures(compared, '')
    expect([same?.before, same?.after]).toEqual([plain, plain])
  })
})
