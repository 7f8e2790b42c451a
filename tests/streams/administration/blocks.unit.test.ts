import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Banner,
  FOR_EVERYONE,
  readBannerPicture,
  bannerSize,
  bannerTemplate,
  linkAddress,
  MAX_BANNER_BYTES,
  MAX_BANNER_EDGE_PX,
  bannerNameOf,
  withBanner,
  withSlotAtEnd,
} from '../../../streams/administration/plan/banners.ts'
import {
  blockOfTemplate,
  renderDraftBlocks,
  blockPreview,
} from '../../../streams/administration/plan/blockPreview.ts'
import { periodState } from '../../../streams/organisation/rules/rules.ts'
import {
  blockAt,
  blockPath,
  blocksBySlot,
  blocksOf,
  newBlockId,
  parseShare,
  shownSlots,
  withBlock,
  withBlockOrder,
  withClickCounting,
  withNewBlock,
  withoutBlock,
} from '../../../streams/administration/plan/blocks.ts'
import { isDraftChanged, templateEntries, templatesOf } from '../../../streams/administration/plan/draft.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { freePath } from '../../../streams/administration/plan/items.ts'
import { draftPreviewOf, samplePerson } from '../../../streams/administration/plan/preview.ts'
import { withoutSignature } from '../../../streams/administration/plan/signatures.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { orNull } from '../../../streams/kernel/schema.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { SIGNATURE_ID_PATTERN } from '../../../streams/organisation/release/names.ts'
import { isPicturePath, isTemplatePath } from '../../../streams/organisation/release/paths.ts'
import { placeholderProblems, vocabularyOf } from '../../../streams/organisation/release/placeholders.ts'
import type { Block, ReleaseDocument, Selection } from '../../../streams/organisation/release/release.ts'
import { parseTemplate } from '../../../streams/organisation/template/template.ts'
import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { MAX_EDGE_PX } from '../../../src/folder/pictureFormats.ts'
import { MAX_PICTURE_BYTES } from '../../../src/folder/files.ts'
import { asPhoto, GIF, JPEG, png, WEBP } from '../../folder/pictures.ts'
import { alex, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { block, someBlocks, withTheseBlocks } from '../../support/blocks.ts'
import { northwind } from '../../support/northwind.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const PICTURES = 'https://p.example/images'
const ids = (document: ReleaseDocument) => blocksOf(document).map(({ id }) => id)
const others = ({ blocks: _, ...rest }: ReleaseDocument) => rest
const isOfWire = (document: ReleaseDocument) => orNull(documentSchema).read(document, '') !== null
/** A document of the wire with blocks, and one of its blocks, if it has any. */
const given = someBlocks.chain((blocks) =>
  fc.record({
    document: fc.constant(deepFreeze(withTheseBlocks(northwind.document, blocks))),
    one: fc.nat(Math.max(0, blocks.length - 1)).map((index) => blocks[index]),
  }),
)
const name = fc.string({ unit: 'grapheme', maxLength: 80 }).filter((text) => !/[\0\p{Cs}]/u.test(text))

describe('an edit of a block', () => {
  test('sets and removes hours and own days, and leaves none behind', () => {
    const hours = { spans: [{ days: [1], from: '08:00', to: '18:00' }], timeZone: 'UTC' }
    const ownDays = { from: 'away_from', to: 'away_to', before: 3, timeZone: 'UTC' }
    fc.assert(
      fc.property(given, ({ document, one }) => {
        if (!one) return
        const inHours = withBlock(document, one.id, { hours })
        const onOwnDays = withBlock(inHours, one.id, { hours: null, ownDays })
        const blockIn = (edited: ReleaseDocument) => edited.blocks?.find(({ id }) => id === one.id)
        expect(blockIn(inHours)).toStrictEqual({ ...one, hours })
        expect(blockIn(onOwnDays)).toStrictEqual({ ...one, ownDays })
        expect(withBlock(onOwnDays, one.id, { ownDays: null })).toStrictEqual(document)
        expect(withBlock(document, one.id, { hours: null, ownDays: null })).toBe(document)
        expect([inHours, onOwnDays].every(isOfWire)).toBe(true)
        expect(isOfWire(withBlock(inHours, one.id, { ownDays }))).toBe(false)
      }),
    )
  })

  test('shares messages below 100 % alone, or people again', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 99 }), ({ document, one }, share) => {
        if (!one) return
        const byMail = withBlock(document, one.id, { share, turns: 'mail' })
        const blockIn = (edited: ReleaseDocument) => edited.blocks?.find(({ id }) => id === one.id)
        const { turns: _, ...rest } = one
        expect(blockIn(byMail)).toStrictEqual({ ...rest, share, turns: 'mail' })
        expect(blockIn(withBlock(byMail, one.id, { turns: 'people' }))).toStrictEqual({ ...rest, share })
        expect(blockIn(withBlock(byMail, one.id, { share: 100 }))).toStrictEqual({ ...rest, share: 100 })
        expect(withBlock(byMail, one.id, { turns: 'mail' })).toBe(byMail)
        expect(isOfWire(byMail)).toBe(true)
      }),
    )
  })

  test('changes its fields alone, and nothing when they are the same', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 100 }), ({ document, one }, share) => {
        if (!one) return
        const after = withBlock(document, one.id, { share })
        expect(after.blocks?.find(({ id }) => id === one.id)).toEqual({ ...one, share })
        expect(blocksOf(after).filter(({ id }) => id !== one.id)).toEqual(
          blocksOf(document).filter(({ id }) => id !== one.id),
        )
        expect(others(after)).toEqual(others(document))
        expect(withBlock(after, one.id, { share })).toBe(after)
        expect(isOfWire(after)).toBe(true)
      }),
    )
    expect(withBlock(northwind.document, 'no_such', { share: 1 })).toBe(northwind.document)
  })

  test('moves it within its slot, and keeps the order of all others and of other slots', () => {
    fc.assert(
      fc.property(given, fc.integer({ min: -2, max: 8 }), ({ document, one }, to) => {
        if (!one) return
        const inSlot = (each: ReleaseDocument) => blocksOf(each).filter(({ slot }) => slot === one.slot)
        const after = withBlockOrder(document, one.id, to)
        expect(inSlot(after).indexOf(one)).toBe(Math.max(0, Math.min(inSlot(document).length - 1, to)))
        const without = (all: readonly Block[]) => all.filter((each) => each !== one)
        expect(without(inSlot(after))).toEqual(without(inSlot(document)))
        const slots = (each: ReleaseDocument) => blocksOf(each).map(({ slot }) => slot)
        expect(slots(after)).toEqual(slots(document))
        expect(others(after)).toEqual(others(document))
        expect(withBlockOrder(after, one.id, to)).toBe(after)
      }),
    )
    expect(withBlockOrder(northwind.document, 'no_such', 0)).toBe(northwind.document)
  })

  test('adds one with an id and a template that are free, last in its slot, and with what it copies', () => {
    fc.assert(
      fc.property(given, name, fc.boolean(), ({ document, one }, text, isCopy) => {
        const like = isCopy ? (one?.id ?? null) : null
        const id = newBlockId(document, text)
        const after = withNewBlock(document, id, text, like)
        const added = blocksOf(after).at(-1)
        expect(blocksOf(after).slice(0, -1)).toEqual(blocksOf(document))
        expect(added).toMatchObject({ id, name: text })
        expect(ids(document)).not.toContain(id)
        expect(id).toMatch(SIGNATURE_ID_PATTERN)
        if (!added) return
        expect(isTemplatePath(added.template)).toBe(true)
        expect(Object.hasOwn(document.templates, added.template)).toBe(false)
        const { [added.template]: written = '', ...before } = after.templates
        expect(before).toEqual(document.templates)
        if (one && like !== null) {
          expect(added).toEqual({ ...one, id, name: text, template: added.template })
          expect(written).toBe(document.templates[one.template])
        } else expect(placeholderProblems(added.template, written, vocabularyOf(after))).toEqual([])
        expect(isOfWire(after)).toBe(true)
      }),
    )
  })

  test('adds one for the first slot that signatures show, and for a slot of its own while none shows one', () => {
    const named = newBlockId(northwind.document, '営業')
    const document = withNewBlock(northwind.document, named, '営業', null)
    expect(document.blocks).toEqual([
      ...blocksOf(northwind.document),
      block({ id: 'block', name: '営業', slot: 'banner', template: 'templates/blocks/block.html' }),
    ])
    const shown = {
      ...releaseDocument,
      templates: { ...releaseDocument.templates, 'templates/a.html': '{{block notice}}' },
    }
    expect(withNewBlock(shown, 'new', 'New', null).blocks).toMatchObject([{ slot: 'notice' }])
  })

  test('removes it with the template that only it used, and the field with the last block', () => {
    fc.assert(
      fc.property(given, ({ document, one }) => {
        if (!one) return
        const after = withoutBlock(document, one.id)
        expect(blocksOf(after)).toEqual(blocksOf(document).filter((each) => each !== one))
        expect(Object.hasOwn(after, 'blocks')).toBe(blocksOf(after).length > 0)
        const isUsed = blocksOf(after).some(({ template }) => template === one.template)
        expect(Object.hasOwn(after.templates, one.template)).toBe(isUsed)
        const { [one.template]: _, ...templates } = document.templates
        expect(after.templates).toMatchObject(templates)
        expect(isOfWire(after)).toBe(true)
      }),
    )
    expect(withoutBlock(northwind.document, 'no_such')).toBe(northwind.document)
    const asked = {
      missing: 'signature',
      selection: { for: 'everyone', not: [] },
      recipients: 'everyone',
    } as const
    const [first, second] = blocksOf(northwind.document)
    const ofBlocks = [first, second].map((one) => ({ missing: 'block' as const, block: one?.id ?? '' }))
    const guarded = { ...northwind.document, guard: [...ofBlocks, asked] }
    expect(withoutBlock(guarded, first?.id ?? '').guard).toEqual([ofBlocks[1], asked])
    expect(withoutBlock({ ...guarded, guard: ofBlocks.slice(0, 1) }, first?.id ?? '')).not.toHaveProperty(
      'guard',
    )
  })

  test('and the removal of a signature keep a template that the other one uses', () => {
    const shared = withTheseBlocks(releaseDocument, [block({ template: 'templates/b.html' })])
    expect(withoutBlock(shared, 'autumn').templates).toHaveProperty(['templates/b.html'])
    expect(withoutSignature(shared, 'b').templates).toHaveProperty(['templates/b.html'])
  })

  test('switches counting, which a document without it does not name', () => {
    const counting = withClickCounting(releaseDocument, true)
    expect(counting).toEqual({ ...releaseDocument, counting: true })
    expect(withClickCounting(counting, true)).toBe(counting)
    expect(Object.keys(withClickCounting(counting, false))).toEqual(Object.keys(releaseDocument))
    expect(withClickCounting(releaseDocument, false)).toBe(releaseDocument)
  })
})

test('the path of a block leads to the block, and no other path does', () => {
  expect(blockAt(blockPath('autumn_2'))).toBe('autumn_2')
  for (const path of ['/signatures/id/autumn', '/blocks/id', '/blocks/id/A', '/blocks/banner'])
    expect(blockAt(path)).toBeNull()
})

test('a new file has a path that is no file and no folder', () => {
  expect(freePath('banners/a', 'png', [])).toBe('banners/a.png')
  expect(freePath('banners/a', 'png', ['banners/A.png', 'banners/a-2.png/x.png'])).toBe('banners/a-3.png')
})

test('a share is a whole number from 1 to 100', () => {
  expect(['1', ' 50 ', '100'].map(parseShare)).toEqual([1, 50, 100])
  for (const wrong of ['', '0', '101', '1000', '5.5', '-1', '1e1', 'half', '050'])
    expect(parseShare(wrong)).toBeNull()
})

describe('the slots', () => {
  const document: ReleaseDocument = {
    ...withTheseBlocks(releaseDocument, [
      block({ id: 'n', slot: 'notice' }),
      block(),
      block({ id: 'g', slot: 'gone' }),
    ]),
    templates: {
      ...releaseDocument.templates,
      'templates/a.html': '{{> legal}}{{#block banner}}<p>{{block}}</p>{{/block}}',
      'templates/b.html': '{{block award}}{{> legal}}',
      'templates/legal.part.html': '{{block notice}}',
      'templates/unused.html': '{{block unused}}',
    },
  }

  test('are those that templates of signatures show, also by their parts, in the order of signatures', () => {
    expect(shownSlots(document)).toEqual([
      { slot: 'notice', templates: ['templates/a.html', 'templates/b.html'] },
      { slot: 'banner', templates: ['templates/a.html'] },
      { slot: 'award', templates: ['templates/b.html'] },
    ])
  })

  test('have their blocks in order; those that only a block names come last', () => {
    expect(
      blocksBySlot(document).map(({ slot, templates, blocks }) => [
        slot,
        templates.length,
        blocks.map(({ id }) => id),
      ]),
    ).toEqual([
      ['notice', 2, ['n']],
      ['banner', 1, ['autumn']],
      ['award', 1, []],
      ['gone', 0, ['g']],
    ])
  })
})

describe('the template of a block', () => {
  const document = withTheseBlocks(
    {
      ...releaseDocument,
      templates: { ...releaseDocument.templates, 'templates/a.html': '<p>{{block banner}}</p>' },
    },
    [block()],
  )

  test('is listed with its block', () => {
    const entry = templateEntries(document, []).find(({ path }) => path === block().template)
    expect(entry?.usedBy).toEqual([{ kind: 'block', id: 'autumn', name: 'Autumn fair', uses: ['template'] }])
    expect(templatesOf(document, block())).toEqual([block().template])
  })

  test('is open on the page of its block', () => {
    const begun = Planning.draftBegun({ draft: draftOf({ document }), findings: [] })
    const after = (...events: readonly AdministrationEvent[]) =>
      replayLog(initialState, evolveAdministration, logOf(begun, ...events)).plan
    const there = after(Place.entered({ path: '/blocks/id/autumn' }))
    expect([there.block, there.open?.path]).toEqual(['autumn', block().template])
    const removed = after(
      Place.entered({ path: '/blocks/id/autumn' }),
      Planning.blockRemoved({ block: 'autumn' }),
    )
    expect(removed.open?.path).toBe('templates/a.html')
    expect(after(Place.entered({ path: '/signatures' })).block).toBeNull()
  })
})

describe('the preview of a block', () => {
  const during = { from: '2026-10-01', to: '2026-10-31', timeZone: 'UTC' }
  const AT = Date.parse('2026-10-15T12:00:00Z')
  const base: ReleaseDocument = {
    ...releaseDocument,
    templates: { ...releaseDocument.templates, 'templates/a.html': '<p>{{phone}}</p>{{block banner}}' },
  }
  const shown = (
    blocks: readonly Block[],
    over: Partial<Parameters<typeof blockPreview>[2]> = {},
    document = base,
  ) =>
    blockPreview(
      withTheseBlocks(document, blocks),
      'autumn',
      { person: alex, at: AT, use: 'signature', recipients: null, ...over },
      PICTURES,
    )
  const standing = (...args: Parameters<typeof shown>) => shown(...args)?.standing

  test('has the block in the signature of the person, and by itself', () => {
    expect(shown([block()])).toEqual({
      standing: { code: 'stands' },
      signature: { id: 'a', name: 'Corporate', kind: 'signature' },
      html: '<p>+49 30 5550</p><p>Autumn fair</p>',
      alone: '<p>Autumn fair</p>',
    })
    expect(shown([block({ id: 'other' })])).toBeNull()
  })

  test('says the first reason why it does not stand there', () => {
    const closed = { for: [[{ by: 'group', values: ['none'] }]], not: [] } as const
    expect(standing([block()], {}, releaseDocument)).toEqual({ code: 'slot' })
    expect(standing([block({ selection: closed, share: 1, during })])).toEqual({ code: 'person' })
    expect(standing([block({ share: 1, during })], { at: 0 })).toEqual({ code: 'share' })
    expect(standing([block({ during, replies: false })], { at: 0, use: 'reply' })).toEqual({ code: 'day' })
    expect(standing([block({ replies: false, recipients: 'internal' })], { use: 'reply' })).toEqual({
      code: 'reply',
    })
    expect(standing([block({ recipients: 'external' })])).toEqual({ code: 'recipients' })
    expect(standing([block({ recipients: 'external' })], { recipients: 'internal' })).toEqual({
      code: 'recipients',
    })
    expect(standing([block({ recipients: 'external' })], { recipients: 'external' })).toEqual({
      code: 'stands',
    })
    expect(standing([block({ id: 'first', name: 'First' }), block()])).toEqual({
      code: 'before',
      name: 'First',
    })
    expect(standing([block({ id: 'first', recipients: 'external' }), block()])).toEqual({ code: 'stands' })
    expect(standing([block({ share: 1, turns: 'mail' })])).toEqual({ code: 'stands', share: 1 })
    const hiding = {
      ...base,
      templates: {
        ...base.templates,
        'templates/a.html': '{{#if none}}{{block banner}}{{/if}}',
        'templates/b.html': '',
      },
    }
    expect(standing([block()], {}, hiding)).toEqual({ code: 'hidden' })
    const { [block().template]: _, ...templates } = withTheseBlocks(base, [block()]).templates
    const gone = blockPreview(
      { ...base, blocks: [block()], templates },
      'autumn',
      { person: alex, at: AT, use: 'signature', recipients: null },
      PICTURES,
    )
    expect(gone).toMatchObject({ standing: { code: 'template' }, alone: null })
  })

  test('is in a signature that shows the slot, if the person has one or not', () => {
    const onlyB = {
      ...releaseDocument,
      templates: { ...releaseDocument.templates, 'templates/b.html': '{{block banner}}' },
    }
    expect(shown([block()], {}, onlyB)?.signature?.id).toBe('b')
    expect(shown([block()], { use: 'reply' }, onlyB)?.signature).toBeNull()
    expect(shown([block()], { use: 'reply' })?.signature).toEqual({
      id: 'a',
      name: 'Corporate',
      kind: 'signature',
    })
  })

  test('and that of a signature are of a message to these recipients', () => {
    const document = withTheseBlocks(base, [block({ recipients: 'internal' })])
    const htmlFor = (recipients: null | 'internal' | 'external') =>
      draftPreviewOf(
        document,
        { path: 'templates/a.html', person: samplePerson(document), at: AT, use: 'signature', recipients },
        PICTURES,
      ).html
    expect(([null, 'internal', 'external'] as const).map((to) => htmlFor(to)?.includes('Autumn'))).toEqual([
      false,
      true,
      false,
    ])
  })

  test('is that of the block whose page is open, or of the first one over a template that no signature uses', () => {
    const own = block().template
    const document = withTheseBlocks(base, [
      block(),
      block({ id: 'second' }),
      block({ id: 'shared', template: 'templates/a.html' }),
    ])
    const found = (path: string | null, page: string | null) =>
      blockOfTemplate(document, path, page)?.id ?? null
    expect([found(own, 'second'), found(own, null), found(null, 'second')]).toEqual([
      'second',
      'autumn',
      'second',
    ])
    expect([found('templates/a.html', null), found('templates/a.html', 'shared')]).toEqual([null, 'shared'])
    expect([found(null, null), found('templates/b.html', 'second')]).toEqual([null, null])
  })

  test('and its card say whether the person has it, and when', () => {
    const document = withTheseBlocks(base, [block(), block({ id: 'b', selection: { for: [], not: [] } })])
    expect(renderDraftBlocks(document, { person: alex }, PICTURES)).toEqual([
      { block: document.blocks?.[0], html: '<p>Autumn fair</p>', isForPerson: true },
      { block: document.blocks?.[1], html: '<p>Autumn fair</p>', isForPerson: false },
    ])
    const moment = (day: string) => Date.parse(`${day}T00:00:00Z`)
    expect(periodState(null, 0)).toBe('always')
    expect(periodState(during, moment('2026-10-01') - 1)).toBe('later')
    expect(periodState(during, moment('2026-10-01'))).toBe('now')
    expect(periodState(during, moment('2026-11-01') - 1)).toBe('now')
    expect(periodState(during, moment('2026-11-01'))).toBe('over')
    expect(periodState({ ...during, to: '2026-09-01' }, 0)).toBe('never')
  })
})

const raster = { type: 'image/png', width: 880, height: 220 } as const
const picture = {
  name: 'autumn.png',
  base64: asPhoto(png(880, 220)),
  hash: '0123456789abcdef0123456789abcdef',
  raster,
}
const banner = (over: Partial<Banner> = {}): Banner => ({
  name: 'Autumn fair',
  alt: 'Autumn fair, 5 October',
  address: 'https://www.northwind.example/fair?a=1&b=2',
  selection: { for: 'everyone', not: [] },
  during: null,
  recipients: 'everyone',
  slot: 'banner',
  isCounted: false,
  into: null,
  ...over,
})

const FOR_SALES: Selection = { for: [[{ by: 'group', values: ['sales'] }]], not: [] }

describe('a banner', () => {
  test('is the first block of its slot, over a picture that the draft has then', () => {
    fc.assert(
      fc.property(given, name, fc.boolean(), ({ document, one }, text, isCounted) => {
        const selection = isCounted ? banner().selection : FOR_SALES
        const slot = one?.slot ?? 'banner'
        const before = { document, pictures: {} }
        const {
          id,
          document: after,
          pictures,
        } = withBanner(before, banner({ name: text, slot, selection, isCounted }), picture)
        expect(blocksOf(after).filter(({ id: each }) => each !== id)).toEqual(blocksOf(document))
        const first = blocksOf(after).find((each) => each.slot === slot)
        expect(first?.id).toBe(id)
        expect(first?.selection).toEqual(selection)
        expect(pictures).toEqual({ [picture.hash]: { mediaType: 'image/png', base64: picture.base64 } })
        const added = Object.keys(after.pictures).filter((path) => !Object.hasOwn(document.pictures, path))
        expect(added.map(isPicturePath)).toEqual([true])
        expect(after.templates).toMatchObject(document.templates)
        const made = after.templates[first?.template ?? ''] ?? ''
        expect(made).toContain(`{{picture ${added[0] ?? ''}}}`)
        expect(placeholderProblems(first?.template ?? '', made, vocabularyOf(after))).toEqual([])
        expect(isOfWire(after)).toBe(true)
        // The same picture again has no second copy.
        const again = withBanner({ document: after, pictures }, banner({ slot }), picture)
        expect(again.document.pictures).toEqual(after.pictures)
      }),
    )
  })

  test('puts its slot into a template when that is wanted, and changes no other one', () => {
    const { document } = withBanner(draftOf(), banner({ into: 'templates/a.html' }), picture)
    expect(document.templates['templates/a.html']).toBe('<p>{{phone}}</p>\n{{block banner}}\n')
    expect(document.templates['templates/b.html']).toBe(releaseDocument.templates['templates/b.html'])
    expect(
      withBanner(draftOf(), banner({ into: 'templates/gone.html' }), picture).document.templates,
    ).not.toHaveProperty(['templates/gone.html'])
  })

  test('has a slot at the end of a template, before the ends of a document', () => {
    expect(withSlotAtEnd('', 's')).toBe('{{block s}}\n')
    expect(withSlotAtEnd('<p>a</p>\n', 's')).toBe('<p>a</p>\n{{block s}}\n')
    expect(withSlotAtEnd('<html><BODY>a\n</BODY></html>', 's')).toBe(
      '<html><BODY>a\n{{block s}}\n</BODY></html>',
    )
    expect(withSlotAtEnd('<html>a</html>', 's')).toBe('<html>a\n{{block s}}\n</html>')
  })

  test('is as large as its picture, but not wider than a phone shows', () => {
    expect(bannerSize({ width: 300, height: 100 })).toEqual({ width: 300, height: 100 })
    expect(bannerSize({ width: 880, height: 221 })).toEqual({ width: 440, height: 111 })
    expect(bannerSize({ width: 4000, height: 1 })).toEqual({ width: 440, height: 1 })
  })

  test('has its texts as they are: no markup and no placeholder', () => {
    const made = bannerTemplate(
      'banners/a.png',
      raster,
      banner({ alt: "\"><b> {{phone}} & 'more'", address: null }),
    )
    expect(made).not.toContain('<b>')
    expect(made).not.toContain('<a')
    expect(parseTemplate(made, new Map()).template.placeholders.map(({ kind }) => kind)).toEqual(['picture'])
    expect(made).toContain(
      'width="440" height="110" alt="&quot;&gt;&lt;b&gt; &#123;&#123;phone&#125;&#125; &amp; &#39;more&#39;"',
    )
    const linked = bannerTemplate('banners/a.png', raster, banner())
    expect(linked).toContain('<a href="https://www.northwind.example/fair?a=1&amp;b=2"><img ')
    const counted = bannerTemplate('banners/a.png', raster, banner({ isCounted: true }))
    expect(counted).toContain('<a href="{{counted https://www.northwind.example/fair?a=1&b=2}}"><img ')
  })

  test('leads to an https address, in which nothing ends a placeholder', () => {
    expect(linkAddress(' https://www.northwind.example/fair ')).toBe('https://www.northwind.example/fair')
    for (const wrong of [
      '',
      'http://a.example',
      'https://',
      'javascript:x',
      'https://a b.example',
      'data:image/png;base64,AAAA',
      `https://a.example/${'x'.repeat(500)}`,
    ])
      expect(linkAddress(wrong)).toBeNull()
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (rest) => {
        const address = linkAddress(`https://a.example/${rest}`)
        if (address === null) return
        const { problems, template } = parseTemplate(`{{counted ${address}}}`, new Map())
        expect([problems, template.placeholders.map(({ kind, names }) => [kind, names])]).toEqual([
          [],
          [['counted', [address]]],
        ])
      }),
    )
  })

  const label = fc.stringMatching(/^[a-z\d]([a-z\d-]{0,8}[a-z\d])?$/)
  const host = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.stringMatching(/^[a-z]{2,8}$/))
    .map(([labels, last]) => [...labels, last].join('.'))
  const port = fc.option(
    fc.integer({ min: 1, max: 65_535 }).map((number) => `:${number}`),
    { nil: '' },
  )
  const rest = fc.option(fc.stringMatching(/^[/?#][\w/?#&=.~%-]{0,20}$/), { nil: '' })

  test('leads to https also when the address was typed without it', () => {
    fc.assert(
      fc.property(host, port, rest, (name, number, more) => {
        const bare = `${name}${number}${more}`
        expect(linkAddress(` ${bare} `)).toBe(`https://${bare}`)
        expect(linkAddress(`https://${bare}`)).toBe(`https://${bare}`)
      }),
    )
    expect(['www.münchen.de', 'xn--a-0ia.xn--p1ai/x', 'WWW.Example.COM'].map(linkAddress)).toEqual([
      'https://www.münchen.de',
      'https://xn--a-0ia.xn--p1ai/x',
      'https://WWW.Example.COM',
    ])
  })

  test('has an address with a host or none, and the same when it is typed again', () => {
    const any = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), host, fc.webUrl())
    fc.assert(
      fc.property(any, (typed) => {
        const address = linkAddress(typed)
        if (address === null) return
        expect(address).toMatch(/^https:\/\/[^/?#]/)
        expect(linkAddress(address)).toBe(address)
      }),
    )
  })

  test.each([
    'autumn',
    'fair 2026',
    'e.g.',
    '1.5',
    '3.14/x',
    'maria@northwind.example',
    'maria.silva@northwind.example/x',
    'mailto:maria@northwind.example',
    'javascript.example:alert(1)',
    'tel:+49.89',
    '/page.html',
    '//www.example.com',
    'www.example.com fair',
    'a.b',
    'www.example.com:port',
    '\\\\server.example\\share',
    'ftp://www.example.com',
    'http://www.example.com',
    `www.example.com/${'x'.repeat(480)}`,
  ])('has no link over what is no web address: %s', (typed) => {
    expect(linkAddress(typed)).toBeNull()
  })

  test('has a name from the name of its file', () => {
    expect(['autumn-fair_2.png', 'Fair', '.png', '  a  b.c.jpg'].map(bannerNameOf)).toEqual([
      'Autumn fair 2',
      'Fair',
      '.png',
      'A b.c',
    ])
  })

  test('has a picture that the service takes', () => {
    const chosen = (content: Buffer) => ({ name: 'a', base64: asPhoto(content), hash: 'h' })
    for (const [content, type] of [
      [png(8, 2), 'image/png'],
      [JPEG, 'image/jpeg'],
      [GIF, 'image/gif'],
      [WEBP, 'image/webp'],
    ] as const)
      expect(readBannerPicture(chosen(content))).toMatchObject({ hash: 'h', raster: { type } })
    expect(readBannerPicture(chosen(Buffer.from('<svg/>')))).toBe('format')
    expect(readBannerPicture(chosen(png(MAX_EDGE_PX, 1)))).toMatchObject({ name: 'a' })
    expect(readBannerPicture(chosen(png(1, MAX_EDGE_PX + 1)))).toBe('tooLong')
    expect(readBannerPicture(chosen(png(1, 1, MAX_PICTURE_BYTES)))).toBe('tooLarge')
    expect(readBannerPicture(null)).toBe('tooLarge')
    expect([MAX_BANNER_BYTES, MAX_BANNER_EDGE_PX]).toEqual([MAX_PICTURE_BYTES, MAX_EDGE_PX])
  })
})

describe('the draft', () => {
  const begun = Planning.draftBegun({ draft: draftOf(), findings: [] })
  const stateAfter = (...events: readonly AdministrationEvent[]) =>
    deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).plan
  const read = [
    Planning.pictureChosen({ picture: { handle: '<handle>' } }),
    Planning.pictureRead({ picture }),
  ]

  test('has new rules after an edit of its blocks', () => {
    const added = Planning.blockAdded({ block: 'autumn', name: 'Autumn', like: null })
    const other = Planning.blockAdded({ block: 'other', name: 'Other', like: null })
    const edits = [
      [added],
      [added, Planning.blockChanged({ block: 'autumn', changes: { share: 50 } })],
      [added, other, Planning.blockMoved({ block: 'other', to: 0 })],
      [added, other, Planning.blockRemoved({ block: 'other' })],
      [Planning.countingSwitched({ isOn: true })],
    ]
    const seen = edits.map((events) => {
      const { draft } = stateAfter(begun, ...events)
      expect(draft && isDraftChanged(draft)).toBe(true)
      return [
        blocksOf(draft?.document ?? releaseDocument).map(({ id, share }) => [id, share]),
        draft?.document.counting,
      ]
    })
    expect(seen).toEqual([
      [[['autumn', 100]], undefined],
      [[['autumn', 50]], undefined],
      [
        [
          ['other', 100],
          ['autumn', 100],
        ],
        undefined,
      ],
      [[['autumn', 100]], undefined],
      [[], true],
    ])
  })

  test('gets nothing twice: a new block whose id is there already changes nothing', () => {
    const added = Planning.blockAdded({ block: 'autumn', name: 'Autumn', like: null })
    const fair = Planning.bannerAdded({ block: 'autumn', banner: banner() })
    const once = stateAfter(begun, added).draft
    expect(stateAfter(begun, added, added).draft).toEqual(once)
    expect(stateAfter(begun, added, ...read, fair).draft).toEqual(once)
  })

  test('takes a banner once its picture is read', () => {
    const add = Planning.bannerAdded({ block: 'autumn_fair', banner: banner({ into: 'templates/a.html' }) })
    expect(stateAfter(begun, add).draft).toEqual(draftOf())
    expect(stateAfter(begun, ...read).banner).toEqual({ status: 'success', value: picture })
    const after = stateAfter(begun, ...read, add)
    expect(after.banner).toEqual({ status: 'idle' })
    expect(after.draft).toMatchObject({ edited: ['templates/a.html'], hasNewRules: true })
    expect(after.draft?.pictures).toHaveProperty([picture.hash])
    expect(after.draft?.pictures).toHaveProperty(['c0ffee'])
    expect(after.draft?.document.blocks).toMatchObject([{ id: 'autumn_fair' }])
  })

  test('keeps the people for a banner until it is added, or another page opens', () => {
    const audience = { selection: FOR_SALES, isComplete: false }
    const chosen = [begun, ...read, Planning.audienceChosen({ audience })]
    const added = Planning.bannerAdded({ block: 'autumn_fair', banner: banner() })
    const on = (...events: readonly AdministrationEvent[]) => stateAfter(...chosen, ...events).audience
    expect(stateAfter(begun).audience).toEqual(FOR_EVERYONE)
    expect([on(), on(Place.entered({ path: '/blocks/banner' }))]).toEqual([audience, audience])
    expect([on(added), on(Place.entered({ path: '/signatures' }))]).toEqual([FOR_EVERYONE, FOR_EVERYONE])
  })

  test('forgets the picture of a banner that was not added when another page opens', () => {
    const on = (path: string) => stateAfter(begun, ...read, Place.entered({ path })).banner.status
    expect([on('/blocks/banner'), on('/signatures')]).toEqual(['success', 'idle'])
    const refused = stateAfter(begun, ...read, Planning.pictureRefused({ refusal: 'format' })).banner
    expect(refused).toEqual({ status: 'refused', refusal: 'format' })
  })
})
