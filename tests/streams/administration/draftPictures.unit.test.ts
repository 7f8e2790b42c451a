import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { type BannerPicture, MAX_BANNER_EDGE_PX } from '../../../streams/administration/plan/banners.ts'
import { type Draft, isDraftChanged } from '../../../streams/administration/plan/draft.ts'
import {
  draftPictureAt,
  HEAVY_PICTURE_BYTES,
  listedPictures,
  pictureUses,
  MAX_GIVEN_PICTURE_BYTES,
  NOTHING_ADDED,
  scalableRaster,
  scaledDownSize,
  sizeWithinLimits,
  unusedPictures,
  withLinkedPictures,
  withoutUnusedPictures,
  withPicture,
  withSmallerPicture,
} from '../../../streams/administration/plan/draftPictures.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import type { PlanState } from '../../../streams/administration/plan/reducer.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { MAX_IMAGE_BYTES, readRaster } from '../../../streams/html/raster.ts'
import { isPicturePath } from '../../../streams/organisation/release/paths.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { vocabularyOf, placeholderProblems } from '../../../streams/organisation/release/placeholders.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { bannerPicture, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { png } from '../../support/pictures.ts'
import { deepFreeze, logOf } from '../../support/state.ts'
import { cases } from '../../support/cases.ts'

const PATHS = ['logo.png', 'mark.png', 'banners/autumn.png', 'people/alex.jpg', 'constructor.gif'] as const
const path = fc.constantFrom(...PATHS)

/** A template that may name pictures: with spaces, in a comment for Outlook, in an attribute, with wrong braces. */
const template = fc
  .array(
    fc.oneof(
      fc.constantFrom('<p>', '{{phone}}', '{{> legal}}', 'logo.png', '{{#if a}}', ' '),
      path.map((each) => `<img src="{{picture ${each}}}">`),
      path.map((each) => `<!--[if mso]>{{ picture  ${each} }}<![endif]-->`),
      path.map((each) => `{picture ${each}}`),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const document: fc.Arbitrary<ReleaseDocument> = fc
  .record({
    templates: fc.dictionary(
      fc.constantFrom('templates/a.html', 'templates/blocks/b.html', 'templates/legal.part.html'),
      template,
      { maxKeys: 3 },
    ),
    logos: fc.option(fc.uniqueArray(path, { maxLength: 2 }), { nil: undefined }),
    pictures: fc.dictionary(path, fc.constantFrom('a1', 'b2', 'c3'), { maxKeys: 5 }),
  })
  .map(({ templates, logos, pictures }) => ({
    ...releaseDocument,
    templates,
    pictures,
    ...(logos && { brand: { colours: {}, fonts: [], logos } }),
  }))

const content = (base64: string) => ({ mediaType: 'image/png', base64 })
const contents = { a1: content(png(8, 4)), b2: content(png(9, 4)), c3: content(png(10, 4)) }
const draft: fc.Arbitrary<Draft> = fc
  .record({ document, original: fc.option(document) })
  .map((parts) => draftOf({ ...parts, pictures: contents }))

/** The pictures that a release would miss: those that templates and the brand name and the document lacks. */
const missing = (of: ReleaseDocument): readonly string[] => [
  ...Object.entries(of.templates).flatMap(([each, text]) =>
    placeholderProblems(each, text, vocabularyOf(of)).flatMap(({ code, name }) =>
      code === 'unknownPicture' ? [name] : [],
    ),
  ),
  ...(of.brand?.logos ?? []).filter((logo) => !Object.hasOwn(of.pictures, logo)),
]

describe('the removal of unused pictures', () => {
  test('never makes a picture missing that a template or the brand names', () => {
    fc.assert(
      fc.property(draft, (before) => {
        const after = withoutUnusedPictures(before, PATHS)
        expect(missing(after.document)).toEqual(missing(before.document))
      }),
      cases(200),
    )
  })

  test('leaves nothing unused, and everything else as it was', () => {
    fc.assert(
      fc.property(draft, (before) => {
        const after = withoutUnusedPictures(before, PATHS)
        expect(unusedPictures(after.document)).toEqual([])
        expect({ ...after, document: null, pictures: null }).toEqual({
          ...before,
          document: null,
          pictures: null,
        })
        expect({ ...after.document, pictures: {} }).toEqual({ ...before.document, pictures: {} })
        expect(before.document.pictures).toMatchObject(after.document.pictures)
        for (const each of Object.keys(before.document.pictures))
          expect([each, Object.hasOwn(after.document.pictures, each)]).toEqual([
            each,
            pictureUses(before.document).has(each),
          ])
      }),
      cases(200),
    )
  })

  test('removes only the pictures at the given paths', () => {
    fc.assert(
      fc.property(draft, fc.subarray([...PATHS]), (before, given) => {
        const { pictures } = withoutUnusedPictures(before, given).document
        const gone = Object.keys(before.document.pictures).filter((each) => !Object.hasOwn(pictures, each))
        expect(gone.sort()).toEqual(
          unusedPictures(before.document).filter((each) => given.some((one) => one === each)),
        )
      }),
      cases(100),
    )
  })

  test('keeps the content of every picture of the draft and of its beginning', () => {
    fc.assert(
      fc.property(draft, (before) => {
        const after = withoutUnusedPictures(before, PATHS)
        const named = [
          ...Object.values(after.document.pictures),
          ...Object.values(before.original?.pictures ?? {}),
        ]
        if (after === before) return
        expect(Object.keys(after.pictures).sort()).toEqual([...new Set(named)].sort())
      }),
      cases(100),
    )
  })

  test('changes nothing when there is nothing to remove', () => {
    const used = draftOf()
    expect(withoutUnusedPictures(used, ['logo.png', 'gone.png'])).toBe(used)
  })
})

test('a picture is used by templates, parts and the brand', () => {
  const of = (templates: Readonly<Record<string, string>>, logos: readonly string[] = []) =>
    pictureUses({ ...releaseDocument, templates, brand: { colours: {}, fonts: [], logos } })
  const twice = '{{picture a.png}}{{picture a.png}}<i>{picture b.png}</i>'
  expect([...of({ 'x.html': twice, 'x.part.html': '{{picture a.png}}' }, ['a.png', 'a.png'])]).toEqual([
    [
      'a.png',
      [{ kind: 'template', path: 'x.html' }, { kind: 'template', path: 'x.part.html' }, { kind: 'logo' }],
    ],
    ['b.png', [{ kind: 'template', path: 'x.html' }]],
  ])
  expect(of({ 'x.html': 'a.png {{phone}}' }).size).toBe(0)
})

describe('a picture that is added', () => {
  const named = (name: string, hash = 'new', base64 = png(8, 4)): BannerPicture => ({
    name,
    base64,
    hash,
    raster: readRaster(base64) ?? bannerPicture.raster,
  })

  test('gets a free path that a release accepts, and takes no other path', () => {
    fc.assert(
      fc.property(
        draft,
        fc.oneof(path, fc.string({ unit: 'binary' })),
        fc.boolean(),
        (before, name, isCopy) => {
          const given = named(name)
          const made = isCopy
            ? withSmallerPicture(before, 'northwind/logo.png', given)
            : withPicture(before, given)
          expect(isPicturePath(made.path)).toBe(true)
          expect(made.isNew).toBe(true)
          expect(before.document.pictures).not.toHaveProperty([made.path])
          expect(made.draft.document).toEqual({
            ...before.document,
            pictures: { ...before.document.pictures, [made.path]: 'new' },
          })
          expect(made.draft.pictures).toEqual({ ...before.pictures, new: content(given.base64) })
        },
      ),
      cases(100),
    )
  })

  test.each([
    ['Our Logo (2).PNG', 'our-logo-2.png'],
    ['logo.png', 'logo-2.png'],
    ['banners.old.jpg', 'banners-old.png'],
    ['.png', 'png.png'],
    ['', 'picture.png'],
    ['图.png', 'picture.png'],
  ])('is named after its file %j: %s', (name, expected) => {
    expect(withPicture(draftOf(), named(name)).path).toBe(expected)
  })

  test.each([
    ['northwind/logo.png', 'northwind/logo-8.png'],
    ['v1.2/logo', 'v1.2/logo-8.png'],
    ['logo.old.jpg', 'logo.old-8.png'],
  ])('stands beside its original %s: %s', (original, expected) => {
    expect(withSmallerPicture(draftOf(), original, named('logo.png')).path).toBe(expected)
  })

  test('leads to the picture of the draft with the same content', () => {
    const before = draftOf()
    expect(withPicture(before, named('other.png', 'c0ffee'))).toMatchObject({
      path: 'logo.png',
      isNew: false,
    })
    const again = withPicture(before, named('other.png', 'c0ffee')).draft
    expect(again.document).toBe(before.document)
    expect(again.pictures).toBe(before.pictures)
    const without = withPicture({ ...before, pictures: {} }, named('other.png', 'c0ffee')).draft
    expect(without.pictures).toHaveProperty(['c0ffee'])
  })
})

test('the pictures of a draft are listed by path, with what they weigh', () => {
  const base64 = png(8, 4)
  const listed = listedPictures(
    draftOf({
      document: { ...releaseDocument, pictures: { 'z.png': 'known', 'a.png': 'unknown', 'b.svg': 'svg' } },
      pictures: { known: content(base64), svg: content('PHN2Zz4=') },
    }),
  )
  expect(listed).toEqual([
    { path: 'a.png', content: null, bytes: 0, raster: null },
    { path: 'b.svg', content: content('PHN2Zz4='), bytes: 5, raster: null },
    {
      path: 'z.png',
      content: content(base64),
      bytes: Buffer.from(base64, 'base64').length,
      raster: { type: 'image/png', width: 8, height: 4 },
    },
  ])
})

test('a picture of the draft is found with its content', () => {
  const of = draftOf({
    document: { ...releaseDocument, pictures: { 'northwind/logo.png': 'known', 'a.png': 'unknown' } },
    pictures: { known: content(png(8, 4)), constructor: content(png(8, 4)) },
  })
  expect(draftPictureAt(of, 'northwind/logo.png')).toEqual({
    name: 'logo.png',
    base64: png(8, 4),
    hash: 'known',
    raster: { type: 'image/png', width: 8, height: 4 },
  })
  for (const none of ['a.png', 'gone.png', 'constructor']) expect(draftPictureAt(of, none)).toBeNull()
})

describe('a picture beyond the limits', () => {
  test('can be scaled down as a PNG or JPEG, however much follows its header', () => {
    const large = Buffer.concat([Buffer.from(png(4_000, 3_000), 'base64'), Buffer.alloc(MAX_IMAGE_BYTES)])
    expect(scalableRaster(large.toString('base64'))).toEqual({
      type: 'image/png',
      width: 4_000,
      height: 3_000,
    })
    expect(scalableRaster(Buffer.from('GIF89a\x09\x00\x09\x00____').toString('base64'))).toBeNull()
    expect(scalableRaster(png(10_000, 10_000))).toBeNull()
    expect(scalableRaster('AAAA')).toBeNull()
    expect(MAX_GIVEN_PICTURE_BYTES).toBeGreaterThan(MAX_IMAGE_BYTES)
  })

  const side = fc.integer({ min: 1, max: 7_000 })
  test('becomes narrower and stays within the limits, in its ratio, or has no size', () => {
    fc.assert(
      fc.property(side, side, fc.option(side, { nil: undefined }), (width, height, shown) => {
        const size = sizeWithinLimits({ type: 'image/jpeg', width, height }, shown)
        if (size === null) return
        expect(size.width).toBeLessThan(width)
        expect(size.height).toBeLessThanOrEqual(MAX_BANNER_EDGE_PX)
        expect(Math.abs(size.height - (height * size.width) / width)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test.each([
    [4_000, 3_000, undefined, { width: 880, height: 660 }],
    [4_000, 3_000, 300, { width: 600, height: 450 }],
    [4_000, 3_000, 5_000, { width: 880, height: 660 }],
    [600, 600, undefined, { width: 440, height: 440 }],
    [300, 300, undefined, null],
    [1_000, 6_000, undefined, null],
  ])('of %i × %i pixels, shown at %s, is scaled to %j', (width, height, shown, expected) => {
    expect(sizeWithinLimits({ type: 'image/jpeg', width, height }, shown)).toEqual(expected)
  })
})

describe('the size to which a picture is scaled down', () => {
  const raster = fc.record({
    type: fc.constantFrom('image/png', 'image/jpeg', 'image/gif', 'image/webp'),
    width: fc.integer({ min: 1, max: 4096 }),
    height: fc.integer({ min: 1, max: 4096 }),
  })
  const bytes = fc.integer({ min: 1, max: 1024 * 1024 })

  test('is smaller than the picture, at least as wide as it is shown, and has the same shape', () => {
    fc.assert(
      fc.property(raster, bytes, fc.integer({ min: 1, max: 2000 }), (of, weight, shown) => {
        const size = scaledDownSize({ raster: of, bytes: weight }, shown)
        if (size === null) return
        expect(size.width).toBeLessThan(of.width)
        expect(size.width).toBeGreaterThanOrEqual(shown)
        expect(size.width).toBeLessThanOrEqual(2 * shown)
        expect(Math.abs(size.height - (of.height * size.width) / of.width)).toBeLessThanOrEqual(1)
        expect(size.height).toBeGreaterThanOrEqual(1)
      }),
      cases(200),
    )
  })

  test('is none for a light picture that is at most twice as wide as it is shown', () => {
    fc.assert(
      fc.property(raster, fc.integer({ min: 1, max: HEAVY_PICTURE_BYTES }), (of, weight) => {
        expect(scaledDownSize({ raster: of, bytes: weight }, Math.ceil(of.width / 2))).toBeNull()
      }),
      cases(100),
    )
  })

  const photo = { type: 'image/jpeg', width: 880, height: 221 } as const
  const heavy = HEAVY_PICTURE_BYTES + 1
  test.each([
    [{ ...photo, width: 1760, height: 442 }, 1, undefined, { width: 880, height: 221 }],
    [photo, heavy, undefined, { width: 440, height: 111 }],
    [photo, HEAVY_PICTURE_BYTES, undefined, null],
    [{ ...photo, width: 440 }, heavy, undefined, null],
    [photo, 1, 100.4, { width: 201, height: 50 }],
    [photo, heavy, 600, { width: 600, height: 151 }],
    [{ ...photo, height: 1 }, 1, 100, { width: 200, height: 1 }],
    [{ ...photo, type: 'image/gif' as const }, heavy, undefined, null],
    [{ ...photo, type: 'image/webp' as const }, heavy, undefined, null],
  ])('of %j with %i bytes, shown %s wide, is %j', (of, weight, shown, expected) => {
    expect(scaledDownSize({ raster: of, bytes: weight }, shown)).toEqual(expected)
  })
})

describe('the draft', () => {
  const begun = Planning.draftBegun({ draft: draftOf({ original: releaseDocument }), findings: [] })
  const after = (...events: readonly AdministrationEvent[]): PlanState =>
    deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).plan
  const give = Planning.pictureGiven({ name: 'fair.png', picture: { handle: '<handle>' } })
  const added = Planning.pictureAdded({ picture: bannerPicture })
  const notAdded = Planning.pictureNotAdded({ name: 'a.svg', refusal: 'format' })
  const wanted = Planning.smallerPictureWanted({ path: 'logo.png', width: 440, height: 110 })
  const smaller = Planning.smallerPictureAdded({ path: 'logo.png', picture: bannerPicture })

  test('has new rules with a picture that is added, and none once it is removed', () => {
    const state = after(begun, give, added)
    expect(state.draft?.document.pictures).toEqual({
      'logo.png': 'c0ffee',
      'autumn-fair.png': bannerPicture.hash,
    })
    expect(state.draft?.pictures).toHaveProperty([bannerPicture.hash])
    expect(state.draft && isDraftChanged(state.draft)).toBe(true)
    expect(state.adding).toEqual({
      pending: 0,
      added: { path: 'autumn-fair.png', isNew: true },
      large: [],
      refused: [],
    })
    const removed = after(begun, give, added, Planning.picturesRemoved({ paths: ['autumn-fair.png'] })).draft
    expect(removed).toMatchObject({ document: releaseDocument, pictures: draftOf().pictures })
    expect(removed && isDraftChanged(removed)).toBe(false)
  })

  test('links all pictures, and attaches them again', () => {
    const switched = (isOn: boolean) => Planning.linkingSwitched({ isOn })
    const linking = after(begun, switched(true)).draft
    expect(linking?.document).toEqual({ ...releaseDocument, linked: true })
    expect(linking && isDraftChanged(linking)).toBe(true)
    const again = after(begun, switched(true), switched(false)).draft
    expect(again?.document).toStrictEqual(releaseDocument)
    expect(again && isDraftChanged(again)).toBe(false)
    for (const isOn of [true, false]) {
      const document = isOn ? { ...releaseDocument, linked: true } : releaseDocument
      expect(withLinkedPictures(document, isOn)).toBe(document)
    }
  })

  test('keeps a picture that is used, whoever removes it', () => {
    const state = after(begun)
    const removal = Planning.picturesRemoved({ paths: ['logo.png'] })
    expect(after(begun, removal).draft).toEqual(state.draft)
    expect(after(removal).draft).toBeNull()
  })

  test('has a smaller copy beside the original', () => {
    expect(after(begun, wanted).adding.pending).toBe(1)
    const { draft: made, adding } = after(begun, wanted, smaller)
    expect(made?.document.pictures).toEqual({ 'logo.png': 'c0ffee', 'logo-880.png': bannerPicture.hash })
    expect(adding).toMatchObject({ pending: 0, added: { path: 'logo-880.png' } })
  })

  test('waits for every picture, and keeps the refusals of those that were given together', () => {
    expect(after(begun, give, give).adding.pending).toBe(2)
    const first = after(begun, give, give, notAdded).adding
    expect(first).toMatchObject({ pending: 1, added: null, refused: [{ name: 'a.svg', refusal: 'format' }] })
    expect(after(begun, give, give, notAdded, give).adding.refused).toHaveLength(1)
    expect(after(begun, give, give, notAdded, notAdded).adding).toMatchObject({
      pending: 0,
      refused: [{ refusal: 'format' }, { refusal: 'format' }],
    })
    expect(after(begun, give, notAdded, give).adding).toEqual({ ...NOTHING_ADDED, pending: 1 })
  })

  test('keeps a picture beyond the limits apart until it is scaled down or left out', () => {
    const { picture } = give.data
    const raster = { type: 'image/jpeg', width: 4_000, height: 3_000 } as const
    const tooLarge = Planning.pictureTooLarge({ name: 'a.jpg', picture, bytes: 4_200_000, raster })
    const scaled = Planning.largePictureWanted({ name: 'a.jpg', picture, width: 880, height: 660 })
    const leftOut = Planning.largePictureLeftOut({ picture })
    const other = Planning.largePictureLeftOut({ picture: { handle: '<handle>' } })
    const large = [{ name: 'a.jpg', picture, bytes: 4_200_000, raster }]
    expect(after(begun, give, tooLarge).adding).toEqual({ ...NOTHING_ADDED, large })
    expect(after(begun, give, tooLarge, give, notAdded).adding.large).toEqual(large)
    expect(after(begun, give, tooLarge, other).adding.large).toEqual(large)
    expect(after(begun, give, tooLarge, leftOut).adding).toEqual(NOTHING_ADDED)
    expect(after(begun, give, tooLarge, scaled).adding).toEqual({ ...NOTHING_ADDED, pending: 1 })
    expect(after(begun, give, tooLarge, scaled, scaled).adding.pending).toBe(1)
    expect(after(begun, give, tooLarge, scaled, added).adding).toMatchObject({
      pending: 0,
      added: { path: 'autumn-fair.png' },
      large: [],
    })
    expect(after(begun, tooLarge).adding).toEqual(NOTHING_ADDED)
  })

  test('takes no picture without being asked, and none before it begins', () => {
    for (const event of [added, smaller, notAdded]) {
      expect(after(begun, event)).toEqual(after(begun))
      expect(after(event)).toEqual(after())
    }
    for (const event of [give, wanted]) expect(after(event).adding.pending).toBe(0)
    const gone = Planning.smallerPictureWanted({ path: 'gone.png', width: 1, height: 1 })
    expect(after(begun, gone).adding.pending).toBe(0)
    expect(after(begun, give, Planning.discarded(), begun, added).draft?.document).toEqual(releaseDocument)
  })

  test('forgets which pictures were added when another page opens, but waits for the others', () => {
    const enter = Place.entered({ path: '/blocks/banner' })
    expect(after(begun, give, added, give, notAdded, enter).adding).toEqual(NOTHING_ADDED)
    expect(after(begun, give, give, added, enter).adding).toMatchObject({
      pending: 1,
      added: { path: 'autumn-fair.png' },
    })
  })

  test('gives one of its pictures to a banner', () => {
    const choose = Planning.draftPictureChosen({ path: 'logo.png' })
    expect(after(begun, choose).banner).toMatchObject({
      status: 'success',
      value: { name: 'logo.png', hash: 'c0ffee', raster: { width: 1, height: 1 } },
    })
    for (const events of [[choose], [begun, Planning.draftPictureChosen({ path: 'gone.png' })]])
      expect(after(...events).banner).toEqual({ status: 'idle' })
  })
})
