import { describe, expect, test } from 'vitest'
import {
  blockPreview,
  drawBlock,
  renderDraftBlocks,
} from '../../../streams/administration/plan/blockPreview.ts'
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
