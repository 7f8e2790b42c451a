import { describe, expect, test } from 'vitest'
import {
  blockPreview,
  drawBlock,
  renderDraftBlocks,
} from '../../../streams/administration/plan/blockPreview.ts'
import { dependsOnWriter } from '../../../streams/administration/plan/openPage.ts'
import { draftPreviewOf, renderDraftSignatures } from '../../../streams/administration/plan/preview.ts'
import { withSourceMarks } from '../../../streams/administration/plan/wordPlaces.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { alex, releaseDocument } from '../../support/administration/plans.ts'
import { block } from '../../support/blocks.ts'

const PICTURES = 'https://p'
const AT = Date.parse('2026-11-30T12:00:00Z')
const PATH = 'templates/a.html'
const WRITER = '{{writer.phone}}<img src="{{writer.picture_url}}">'

const document: ReleaseDocument = {
  ...releaseDocument,
  mailboxes: [{ address: 'desk@northwind.example', selection: { for: 'everyone', not: [] }, values: {} }],
  blocks: [block({ id: 'who', slot: 'banner', template: 'templates/who.html' })],
  templates: {
    ...releaseDocument.templates,
    [PATH]: `${WRITER}{{block banner}}`,
    'templates/who.html': WRITER,
  },
}
const writer: PersonState = { ...alex, picture: 'aa.png' }
const desk: PersonState = { ...alex, id: 'desk', addresses: ['desk@northwind.example'] }
const ben: PersonState = { ...alex, id: 'ben', directory: { 'businessPhones.0': '+49 30 9' } }

/** All previews of the signature and of the block: each shows the writer. */
function previewsOf(person: PersonState, by: PersonState | null): readonly (string | null | undefined)[] {
  const shown = { person, writer: by }
  const message = { ...shown, at: AT, use: 'signature', recipients: null } as const
  const [block] = renderDraftBlocks(document, shown, PICTURES)
  const unused = { ...document, signatures: [] }
  return [
    draftPreviewOf(document, { ...message, path: PATH }, PICTURES).html,
    renderDraftSignatures(document, { ...shown, at: AT }, PICTURES)[0]?.html,
    blockPreview(document, 'who', message, PICTURES)?.html,
    block?.html,
    blockPreview(document, 'who', message, PICTURES)?.alone,
    draftPreviewOf(unused, { ...message, path: 'templates/who.html' }, PICTURES).html,
    drawBlock(withSourceMarks(unused), 'who', message, PICTURES)?.html,
  ]
}
const both = (html: string) => [
  ...Array.from({ length: 3 }, () => html + html),
  ...Array.from({ length: 4 }, () => html),
]

describe('[PERSON-4] the preview of a mailbox', () => {
  test('has the values of who writes, or their labels for nobody in particular', () => {
    const shown = '+49 30 5550<img src="https://p/aa/portrait.png">'
    expect(previewsOf(desk, writer)).toEqual(both(shown))
    expect(previewsOf(desk, null)).toEqual(both('‹phone›<img src="">'))
  })

  test('is of a person as this person writes, whoever was chosen for mailboxes', () => {
    expect(previewsOf(ben, writer)).toEqual(both('+49 30 9<img src="">'))
  })
})

describe('[PERSON-4] a page of a draft', () => {
  const names = (templates: ReleaseDocument['templates'], signature: string | null, blocks = false) => {
    const debounced = { ...document, templates, ...(!blocks && { blocks: [] }) }
    return dependsOnWriter({ debounced, signature })
  }
  const [first] = document.signatures

  test.each<[string, Parameters<typeof names>, boolean]>([
    ['signature whose template names nobody', [{ [PATH]: 'x', 'templates/z.html': WRITER }, 'first'], false],
    ['signature whose template names the writer', [{ [PATH]: WRITER }, 'first'], true],
    [
      'signature whose part names the writer',
      [{ [PATH]: '{{> by}}', 'templates/by.part.html': WRITER }, 'first'],
      true,
    ],
    [
      'signature beside a block that names the writer',
      [{ [PATH]: 'x', 'templates/who.html': WRITER }, 'first', true],
      true,
    ],
    ['several things', [{ [PATH]: 'x', 'templates/z.html': WRITER }, null], true],
    ['several things that name nobody', [{ [PATH]: 'x' }, null], false],
  ])(
    'of a %s depends on the writer only if it can show one',
    (_, [templates, signature, blocks], expected) => {
      expect(names(templates, signature && (first?.id ?? ''), blocks)).toBe(expected)
    },
  )

  test('depends on nobody before the draft is known', () => {
    expect(dependsOnWriter({ debounced: null, signature: null })).toBe(false)
  })
})
