import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  type BrandChange,
  brandOf,
  brandUse,
  colourNameProblem,
  fontProblem,
  lowContrast,
  MAIL_SAFE_FONTS,
  peopleWith,
  typedColour,
  withBrandChange,
  brandEdit,
  withPicture,
} from '../../../streams/administration/plan/brand.ts'
import { withBrandEdit } from '../../../streams/administration/plan/brandEdit.ts'
import { withColour } from '../../../streams/administration/plan/brandColours.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { orNull } from '../../../streams/kernel/schema.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { parseTemplate } from '../../../streams/organisation/template/template.ts'
import type { Brand, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { block, withTheseBlocks } from '../../support/blocks.ts'
import { brandChangedIn, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { template } from '../../support/administration/acts.ts'
import { northwind } from '../../support/northwind.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const brand: Brand = {
  colours: { Navy: '#1f3a5f', Paper: 'white', Twin: '#1F3A5F' },
  fonts: ['Arial'],
  logos: ['logo.png'],
}
const NAVY = '<td bgcolor="#1F3A5F" style="color:#1f3a5f">'
const document: ReleaseDocument = withTheseBlocks(
  {
    ...releaseDocument,
    brand,
    templates: {
      ...releaseDocument.templates,
      'templates/legal.part.html': `${NAVY}{{legal_line}}`,
      'templates/unused.html': NAVY,
    },
    pictures: { 'logo.png': 'c0ffee', 'new/logo.png': 'decaf', 'a.png': 'decaf' },
  },
  [block({ template: 'templates/blocks/autumn.html' })],
)
const withBlock = (html: string): ReleaseDocument => ({
  ...document,
  templates: { ...document.templates, 'templates/blocks/autumn.html': html },
})
/** The brand after a change, when the templates stay. */
const after = (change: BrandChange): Brand | undefined => {
  const changed = withBrandChange(document, change)
  expect({ ...changed, brand }).toEqual(document)
  return changed.brand
}
const colour = (over: Partial<Extract<BrandChange, { kind: 'colourChanged' }>>): BrandChange => ({
  kind: 'colourChanged',
  from: 'Navy',
  name: 'Navy',
  colour: '#2563eb',
  isFollowed: false,
  ...over,
})
const logo = (over: Partial<Extract<BrandChange, { kind: 'logoReplaced' }>>): BrandChange => ({
  kind: 'logoReplaced',
  path: 'logo.png',
  by: 'new/logo.png',
  isFollowed: false,
  ...over,
})

describe('a change of the brand', () => {
  test('adds a colour last, and removes one by its name', () => {
    expect(after({ kind: 'colourAdded', name: 'Sand', colour: '#f4efe6' })?.colours).toEqual({
      ...brand.colours,
      Sand: '#f4efe6',
    })
    expect(after({ kind: 'colourRemoved', name: 'Navy' })?.colours).toEqual({
      Paper: 'white',
      Twin: '#1F3A5F',
    })
  })

  test('gives a colour another value and another name at its place', () => {
    expect(Object.entries(after(colour({ name: 'Blue' }))?.colours ?? {})).toEqual([
      ['Blue', '#2563eb'],
      ['Paper', 'white'],
      ['Twin', '#1F3A5F'],
    ])
  })

  test('adds and removes a font and a logo', () => {
    expect(after({ kind: 'fontAdded', font: 'Georgia' })?.fonts).toEqual(['Arial', 'Georgia'])
    expect(after({ kind: 'fontRemoved', font: 'Arial' })?.fonts).toEqual([])
    expect(after({ kind: 'logoAdded', path: 'a.png' })?.logos).toEqual(['logo.png', 'a.png'])
    expect(after({ kind: 'logoRemoved', path: 'logo.png' })?.logos).toEqual([])
    expect(after(logo({}))?.logos).toEqual(['new/logo.png'])
  })

  test.each<BrandChange>([
    { kind: 'colourAdded', name: 'Navy', colour: '#2563eb' },
    { kind: 'colourAdded', name: 'constructor', colour: '#2563eb' },
    { kind: 'colourAdded', name: 'Blue', colour: 'blau' },
    { kind: 'colourRemoved', name: 'toString' },
    colour({ from: 'toString' }),
    colour({ colour: '#1f3a5f' }),
    colour({ colour: 'blau' }),
    colour({ name: 'Paper' }),
    colour({ name: '' }),
    { kind: 'fontAdded', font: 'ARIAL' },
    { kind: 'fontAdded', font: 'A"B' },
    { kind: 'fontRemoved', font: 'arial' },
    { kind: 'logoAdded', path: 'logo.png' },
    { kind: 'logoAdded', path: 'toString' },
    { kind: 'logoRemoved', path: 'a.png' },
    logo({ by: 'logo.png' }),
    logo({ by: 'gone.png' }),
    logo({ path: 'a.png' }),
  ])('that is impossible changes nothing: %o', (change) => {
    expect(withBrandChange(document, change)).toBe(document)
    expect(brandEdit(document, change)).toBeNull()
  })

  test('that leaves the brand empty removes it from the document', () => {
    const only = { ...releaseDocument, brand: { ...brand, colours: {}, logos: [] } }
    const bare = withBrandChange(only, { kind: 'fontRemoved', font: 'Arial' })
    expect(Object.hasOwn(bare, 'brand')).toBe(false)
    expect(withBrandChange(bare, { kind: 'fontAdded', font: 'Arial' })).toEqual(only)
    expect(brandOf(bare)).toEqual({ colours: {}, fonts: [], logos: [] })
    for (const over of [{ colours: brand.colours }, { fonts: ['Georgia'] }, { logos: ['logo.png'] }]) {
      const one = { colours: {}, fonts: [], logos: [], ...over }
      const more = withBrandChange({ ...document, brand: one }, { kind: 'fontAdded', font: 'Arial' })
      expect(withBrandChange(more, { kind: 'fontRemoved', font: 'Arial' }).brand).toEqual(one)
    }
  })

  test.each<BrandChange>([
    { kind: 'colourAdded', name: 'Sand', colour: '#f4efe6' },
    { kind: 'colourRemoved', name: 'Navy' },
    colour({ isFollowed: true }),
    colour({ name: 'Blue' }),
    { kind: 'fontAdded', font: 'Georgia' },
    { kind: 'logoAdded', path: 'a.png' },
    logo({ isFollowed: true }),
  ])('is written by its edit, with each field at its place: %o', (change) => {
    const edit = brandEdit(document, change) ?? expect.fail('no edit')
    const changed = withBrandChange(document, change)
    expect(JSON.stringify(withBrandEdit(document, edit))).toBe(JSON.stringify(changed))
    const { templates } = document
    const paths = Object.keys(templates).filter((path) => templates[path] !== changed.templates[path])
    expect(edit.templates.map(({ path }) => path)).toEqual(paths)
    const gone = { ...document, templates: {} }
    expect(withBrandEdit(gone, edit)).toEqual({ ...gone, brand: changed.brand })
  })

  test('can be in a release', () => {
    const { brand: _, ...bare } = northwind.document
    const changes: readonly BrandChange[] = [
      ...MAIL_SAFE_FONTS.map((font): BrandChange => ({ kind: 'fontAdded', font })),
      { kind: 'colourAdded', name: 'Light sand', colour: '#f4efe6' },
      ...Object.keys(bare.pictures)
        .sort()
        .map((path): BrandChange => ({ kind: 'logoAdded', path })),
    ]
    const changed = changes.reduce<ReleaseDocument>(withBrandChange, bare)
    const { fonts, logos } = brandOf(changed)
    expect(orNull(documentSchema).read(changed, '')).toEqual(changed)
    expect([fonts, logos]).toEqual([[...MAIL_SAFE_FONTS], Object.keys(changed.pictures).sort()])
  })
})

describe('templates that follow', () => {
  test('have the new colour, as have parts and blocks, and no other template changes', () => {
    const before = withBlock(NAVY)
    const { templates } = withBrandChange(before, colour({ isFollowed: true }))
    const changed = Object.keys(templates).filter((path) => templates[path] !== before.templates[path])
    expect(changed.sort()).toEqual([
      ...['templates/blocks/autumn.html', 'templates/legal.part.html', 'templates/unused.html'],
    ])
    for (const path of changed)
      expect(templates[path]).toBe(withColour(before.templates[path] ?? '', '#1f3a5f', '#2563eb'))
  })

  test('have the new logo in each placeholder of the old one', () => {
    const { templates } = withBrandChange(document, logo({ isFollowed: true }))
    expect(templates).toEqual({
      ...document.templates,
      'templates/b.html':
        '<p>{{display_name}} <img src="{{picture new/logo.png}}" alt="Northwind"></p>{{> legal}}',
    })
  })

  test('are the same when none of them uses what changes', () => {
    const changes = [colour({ from: 'Paper', name: 'Paper', isFollowed: true })]
    for (const change of changes) expect(withBrandChange(document, change).templates).toBe(document.templates)
  })
})

describe('a picture that is replaced', () => {
  const other = fc.constantFrom(
    'a.png ',
    'x',
    '{{',
    '{{picture b.png}}',
    '{{> a.png}}',
    '{{tel phone}}',
    '<a href="#a.png">',
  )
  const own = fc.constantFrom(
    ...[
      '{{picture a.png}}',
      '{{ picture  a.png }}',
      '{{picture a.png linked}}',
      '<img src="{{picture\n\ta.png}}">',
      '{{picture a.png}}a.png',
    ],
  )

  test('changes in its placeholders alone', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(other, own)), (all) => {
        const text = all.join('|')
        const pathsIn = (given: string) =>
          parseTemplate(given, new Map()).template.placeholders.flatMap(({ kind, names }) =>
            kind === 'picture' ? names : [],
          )
        const changed = withPicture(text, 'a.png', 'picture.png')
        const back = withPicture(changed, 'picture.png', 'a.png')
        expect(pathsIn(changed)).toEqual(
          pathsIn(text).map((path) => (path === 'a.png' ? 'picture.png' : path)),
        )
        expect(back).toBe(text)
        expect(changed.length - text.length).toBe(
          pathsIn(changed).filter((path) => path === 'picture.png').length * 6,
        )
      }),
    )
  })

  test('changes after the word that begins its placeholder', () => {
    expect(withPicture('{{picture pic}}', 'pic', 'b.png')).toBe('{{picture b.png}}')
  })

  test('leaves a template without it as it is', () => {
    fc.assert(
      fc.property(fc.oneof(template, fc.string()), (text) => {
        expect(withPicture(text, 'gone.png', 'b.png')).toBe(text)
      }),
    )
  })
})

describe('the use of a brand', () => {
  test('counts places in all templates, and lists the signatures and blocks that show them', () => {
    expect(brandUse(document, { colour: 'rgb(31,58,95)' })).toEqual({
      places: 4,
      signatures: ['b'],
      blocks: [],
    })
    expect(brandUse(withBlock(NAVY), { colour: '#1f3a5f' })).toEqual({
      places: 6,
      signatures: ['b'],
      blocks: ['autumn'],
    })
    expect(brandUse(document, { picture: 'logo.png' })).toEqual({ places: 1, signatures: ['b'], blocks: [] })
    expect(brandUse(document, { picture: 'a.png' })).toEqual({ places: 0, signatures: [], blocks: [] })
  })

  test('is for the people whose default is one of its signatures', () => {
    const signatures = ['a', 'b', 'c'].map((signature, index) => ({
      signature,
      name: '',
      people: 10 ** index,
    }))
    const use = { places: 1, signatures: ['a', 'c', 'new'], blocks: ['b'] }
    expect(peopleWith(use, { signatures })).toBe(101)
  })
})

describe('a field of the form', () => {
  test('takes a colour name that is free or its own', () => {
    expect(['Sand', 'Navy', '', 'a/b'].map((name) => colourNameProblem(brand, name, null))).toEqual([
      ...[null, 'taken', 'name', 'name'],
    ])
    expect(colourNameProblem(brand, 'Navy', 'Navy')).toBeNull()
  })

  test('takes a font that the brand does not have', () => {
    expect(['Georgia', 'arial', '', 'A,B'].map((font) => fontProblem(brand, font))).toEqual([
      ...[null, 'taken', 'font', 'font'],
    ])
  })

  test('takes an opaque colour in every notation', () => {
    expect(
      ['1F3A5F', ' #1f3a5f ', ' abc ', 'navy', 'rgb(31,58,95)', '#1f3a5f80', 'blau', ''].map(typedColour),
    ).toEqual([...['#1f3a5f', '#1f3a5f', '#aabbcc', '#000080', '#1f3a5f', null, null, null]])
  })

  test('has a contrast with white that is too low below 4.5 to 1', () => {
    expect(['#767676', '#1f3a5f', 'black', 'no colour'].map(lowContrast)).toEqual([null, null, null, null])
    expect(
      ['#777777', 'white', '#ffff00', 'rgba(0,0,0,0)'].map((each) => lowContrast(each)?.toFixed(2)),
    ).toEqual([...['4.48', '1.00', '1.07', '1.00']])
  })
})

describe('the draft', () => {
  const stateOf = (events: readonly AdministrationEvent[]) =>
    deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).plan
  /** The draft after events, and after changes that the page computes for the draft of that time. */
  function stateAfter(
    begun: Parameters<typeof draftOf>[0],
    ...steps: readonly (AdministrationEvent | BrandChange)[]
  ) {
    const events: AdministrationEvent[] = [
      Planning.draftBegun({ draft: draftOf({ document, ...begun }), findings }),
    ]
    for (const step of steps) {
      if (!('kind' in step)) events.push(step)
      else {
        const edit = brandEdit(stateOf(events).draft?.document ?? document, step)
        if (edit) events.push(Planning.brandChanged({ edit }))
      }
    }
    return stateOf(events)
  }
  const finding = { line: 1, column: 1, level: 'warning', rule: 'r', message: 'm' } as const
  const findings = ['signet.yaml', 'templates/a.html', 'templates/legal.part.html'].map((file) => ({
    ...finding,
    file,
  }))
  const followed = ['templates/legal.part.html', 'templates/unused.html']

  test.each([null, document])('lists the templates that follow as edited', (original) => {
    const { draft } = stateAfter({ original }, colour({ isFollowed: true }))
    expect(draft?.edited).toEqual(followed)
    expect(draft?.hasNewRules).toBe(true)
  })

  test('keeps the templates that were edited before, when their first text is unknown', () => {
    const edit = Planning.edited({ path: 'templates/a.html', edits: [{ from: 0, to: 0, insert: 'x' }] })
    const { draft } = stateAfter({ original: null }, edit, colour({ isFollowed: true }))
    expect(draft?.edited).toEqual(['templates/a.html', ...followed])
  })

  test('is unchanged after the way back', () => {
    const templates = { ...releaseDocument.templates, 'templates/a.html': '<td bgcolor="#1f3a5f">' }
    const original = { ...document, templates }
    const { draft } = stateAfter(
      { original, document: original },
      colour({ isFollowed: true }),
      colour({ colour: '#1f3a5f', isFollowed: true }),
    )
    expect(draft).toMatchObject({ document: original, edited: [], hasNewRules: false })
  })

  test('loses the findings about its rules and about the templates that follow', () => {
    const files = (change: BrandChange) => stateAfter({}, change).findings.map(({ file }) => file)
    expect(files(colour({ isFollowed: true }))).toEqual(['templates/a.html'])
    expect(files(colour({}))).toEqual(['templates/a.html', 'templates/legal.part.html'])
    expect(files(colour({ from: 'none' }))).toHaveLength(3)
  })

  test('stays the same after an impossible change, and without a draft', () => {
    const before = stateAfter({})
    expect(stateAfter({}, colour({ from: 'none' })).draft).toEqual(before.draft)
    const { plan } = replayLog(
      initialState,
      evolveAdministration,
      logOf(brandChangedIn(document, colour({}))),
    )
    expect(plan.draft).toBeNull()
  })
})
