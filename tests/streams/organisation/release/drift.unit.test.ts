import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { driftOf } from '../../../../streams/organisation/release/drift.ts'
import { canonicalText, type ReleaseDocument } from '../../../../streams/organisation/release/release.ts'
import { document as anyDocument } from '../../../folder/documents.ts'
import { releaseDocument } from '../../../support/administration/plans.ts'

const changed = (over: Partial<ReleaseDocument>) => driftOf(releaseDocument, { ...releaseDocument, ...over })
const [first, second] = releaseDocument.signatures as [
  ReleaseDocument['signatures'][number],
  ReleaseDocument['signatures'][number],
]

describe('drift', () => {
  test.prop([anyDocument, anyDocument, fc.array(fc.boolean(), { minLength: 16, maxLength: 16 })])(
    'is there exactly when two documents are two releases',
    (one, other, takes) => {
      const fields = [...new Set([...Object.keys(one), ...Object.keys(other)])]
      const mixed = Object.fromEntries(
        fields.flatMap((field, index) => {
          const from: Readonly<Record<string, unknown>> = { ...(takes[index] === true ? other : one) }
          return field in from ? [[field, from[field]]] : []
        }),
      ) as ReleaseDocument
      expect(driftOf(one, mixed).length === 0).toBe(canonicalText(one) === canonicalText(mixed))
      expect(driftOf(one, one)).toEqual([])
    },
  )

  test('names what is only here, only there, and differs', () => {
    expect(
      changed({
        signatures: [{ ...first, name: 'Other', selection: { for: 'everyone', not: [[]] } }],
        internal: [],
        variables: [...releaseDocument.variables, { ...releaseDocument.variables[0]!, path: 'fax' }],
        blocks: [],
        pictures: { 'logo.png': 'c0ffee', 'new.png': 'c0ffee' },
        templates: { ...releaseDocument.templates, 'templates/a.html': 'x' },
        limits: { people: { most: 1, of: 'people' } },
      }),
    ).toEqual([
      { kind: 'changed', of: 'setting', name: 'internal', keys: [] },
      { kind: 'added', of: 'variable', name: 'fax' },
      { kind: 'changed', of: 'signature', name: 'a', keys: ['name', 'for or not'] },
      { kind: 'removed', of: 'signature', name: 'b' },
      { kind: 'changed', of: 'template', name: 'templates/a.html', keys: [] },
      { kind: 'added', of: 'picture', name: 'new.png' },
      { kind: 'added', of: 'setting', name: 'limits' },
    ])
  })

  test('names an order that differs, and not that of files', () => {
    expect(changed({ signatures: [second, first] })).toEqual([{ kind: 'order', of: 'signature' }])
    const { templates } = releaseDocument
    expect(changed({ templates: Object.fromEntries(Object.entries(templates).reverse()) })).toEqual([])
  })

  test('names a setting as signet.yaml has it', () => {
    expect(changed({ chooseDefault: { for: [], not: [] } })).toEqual([
      { kind: 'changed', of: 'setting', name: 'choose-default', keys: [] },
    ])
    const { limits: _, ...without } = { ...releaseDocument, limits: undefined }
    expect(driftOf({ ...without, counting: true }, without)).toEqual([
      { kind: 'removed', of: 'setting', name: 'counting' },
    ])
  })

  test('of a first folder is everything in it', () => {
    const all = driftOf(null, releaseDocument)
    expect(all.every(({ kind }) => kind === 'added')).toBe(true)
    expect(all).toContainEqual({ kind: 'added', of: 'signature', name: 'b' })
  })
})
