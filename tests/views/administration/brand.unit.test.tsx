import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { InsightLoad } from '../../../streams/administration/overview/events.ts'
import type { BrandChange } from '../../../streams/administration/plan/brand.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { insight } from '../../support/administration/answers.ts'
import { brandChangedIn, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { at } from '../../support/administration/story.ts'
import { block, withTheseBlocks } from '../../support/blocks.ts'
import {
  all,
  button,
  check,
  field,
  fill,
  press,
  problemOf,
  textOf,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'
import { outline } from '../outline.ts'

const { recorded, draw, go } = useAdministrationDrawing()

const document_: ReleaseDocument = {
  ...releaseDocument,
  brand: { colours: { Navy: '#1f3a5f', Paper: 'white' }, fonts: ['Arial', 'Georgia'], logos: ['logo.png'] },
  templates: {
    ...releaseDocument.templates,
    'templates/a.html': '<td bgcolor="#1F3A5F" style="color:#1f3a5f">',
  },
  pictures: { 'logo.png': 'c0ffee', 'b.png': 'c0ffee', 'a/b.png': 'decaf' },
}
const on = (document: ReleaseDocument = document_) => [
  ...at('/signatures/brand'),
  Planning.draftRestored({ draft: draftOf({ document }) }),
]
const told = InsightLoad.loaded({
  value: {
    ...insight(),
    signatures: [
      { signature: 'a', name: 'Corporate', people: 4_210 },
      { signature: 'b', name: 'Sales', people: 90 },
    ],
  },
})
const gesturesOf = (changes: readonly BrandChange[]) =>
  changes.map((change) => brandChangedIn(document_, change))
const dialog = () => outline(document.querySelector('dialog'))
const said = () => textOf('main [role=status]')[1]
type ColourChange = Extract<BrandChange, { kind: 'colourChanged' }>
const colour = (over: Partial<ColourChange> = {}): ColourChange => ({
  kind: 'colourChanged',
  from: 'Navy',
  name: 'Navy',
  colour: '#2563eb',
  isFollowed: false,
  ...over,
})

test('the cards lead to the brand', async () => {
  await draw(...at('/signatures'), Planning.draftRestored({ draft: draftOf() }))
  expect(all('a[href="#/signatures/brand"]').map(({ textContent }) => textContent)).toEqual(['Brand'])
})

describe('a colour of the brand', () => {
  test('is added with its name and its value', async () => {
    await draw(...on())
    press('Add a colour')
    press('Save')
    expect(['Name', 'Hex value'].map((label) => problemOf(field(label)))).toEqual([
      'A name has letters, digits and spaces.',
      'This is not a colour. Write it like #1f3a5f.',
    ])
    expect(document.activeElement).toBe(field('Name'))
    fill(field('Name'), 'Navy')
    expect(problemOf(field('Name'))).toBe('The brand has this name already.')
    press('Save')
    fill(field('Name'), ' Blue ')
    fill(field('Hex value'), '2563EB')
    expect(field('Colour').value).toBe('#2563eb')
    press('Save')
    expect(recorded).toEqual(gesturesOf([{ kind: 'colourAdded', name: 'Blue', colour: '#2563eb' }]))
    expect(all('dialog')).toEqual([])
    expect(said()).toBe('Added: Blue.')
  })

  test('has no problem before the first try, and one while its text is no colour', async () => {
    await draw(...on())
    press('Add a colour')
    expect(all('[aria-invalid]')).toEqual([])
    fill(field('Hex value'), '#12')
    expect(problemOf(field('Hex value'))).toBe('This is not a colour. Write it like #1f3a5f.')
    expect(field('Colour').value).toBe('#000000')
  })

  test('is asked for in a form, whose first field has the focus and which Enter submits', async () => {
    await draw(...on())
    press('Add a colour')
    expect(document.activeElement).toBe(field('Name'))
    fill(field('Name'), 'Blue')
    fill(field('Hex value'), '#2563eb')
    act(() => field('Hex value').closest('form')?.requestSubmit(button('Save')))
    expect(recorded).toEqual(gesturesOf([{ kind: 'colourAdded', name: 'Blue', colour: '#2563eb' }]))
    expect(all('dialog')).toEqual([])
  })

  test('is chosen in the picker, with a warning when it is too light for text', async () => {
    await draw(...on())
    press('Change Navy')
    const warning = () => textOf('dialog [role=status]')[0]
    expect(warning()).toBe('')
    fill(field('Colour'), '#777777')
    expect(field('Hex value').value).toBe('#777777')
    expect(warning()).toBe(
      'This colour is hard to read as text on white: its contrast is 4.4 to 1, and text needs 4.5 to 1.',
    )
    fill(field('Colour'), '#767676')
    expect(warning()).toBe('')
  })

  test('asks whether the signatures follow, with the number of places, signatures and people', async () => {
    await draw(...on(), told)
    press('Change Navy')
    fill(field('Hex value'), '#2563eb')
    press('Save')
    expect(recorded).toEqual([])
    expect(dialog()).toEqual([
      '## Change it in the signatures too?',
      '[Close]',
      '#1f3a5f is used in 2 places in 2 signatures. 4,300 people have one of these signatures as the default.',
      '[Change it in these signatures too][Only the brand]',
    ])
    press('Change it in these signatures too')
    expect(recorded).toEqual(gesturesOf([colour({ isFollowed: true })]))
    expect(said()).toBe('Changed: Navy, and 2 places in the templates.')
    expect(all('dialog')).toEqual([])
  })

  test('can change in the brand alone, or not at all', async () => {
    await draw(...on())
    const ask = () => {
      press('Change Navy')
      fill(field('Hex value'), '#2563eb')
      press('Save')
    }
    ask()
    press('Close')
    expect([recorded, said()]).toEqual([[], ''])
    ask()
    press('Only the brand')
    expect(recorded).toEqual(gesturesOf([colour()]))
    expect(said()).toBe('Changed: Navy. The templates stay as they are.')
  })

  test('names blocks, and templates that no signature shows', async () => {
    const use = '<td bgcolor="navy">'
    const brand = { colours: { Navy: '#000080' }, fonts: [], logos: [] }
    const blocks = withTheseBlocks({ ...document_, brand }, [block()])
    const templates = { ...blocks.templates, [block().template]: use }
    const ask = async (document: ReleaseDocument) => {
      await draw(...on(document), told)
      press('Change Navy')
      fill(field('Colour'), '#000000')
      press('Save')
      return dialog()[2]
    }
    expect(await ask({ ...blocks, templates })).toBe('#000080 is used in 1 place in 1 block.')
    press('Close')
    expect(
      await ask({ ...document_, brand, templates: { ...document_.templates, 'templates/c.html': use } }),
    ).toBe('#000080 is used in 1 place in templates that no signature shows.')
  })

  test('that no template uses changes at once', async () => {
    await draw(...on())
    press('Change Paper')
    fill(field('Hex value'), 'ivory')
    press('Save')
    expect(recorded).toEqual(gesturesOf([colour({ from: 'Paper', name: 'Paper', colour: '#fffff0' })]))
    expect(said()).toBe('Changed: Paper. The templates stay as they are.')
  })

  test('keeps its notation when only its name changes, and records nothing when nothing does', async () => {
    await draw(...on())
    press('Change Paper')
    expect(field('Hex value').value).toBe('#ffffff')
    press('Save')
    expect(recorded).toEqual([])
    press('Change Paper')
    fill(field('Hex value'), 'FFF')
    fill(field('Name'), 'White')
    press('Save')
    expect(recorded).toEqual(gesturesOf([colour({ from: 'Paper', name: 'White', colour: 'white' })]))
  })

  test('is removed, and its templates stay', async () => {
    await draw(...on())
    press('Remove Navy')
    expect(recorded).toEqual(gesturesOf([{ kind: 'colourRemoved', name: 'Navy' }]))
    expect(said()).toBe('Removed: Navy. The templates stay as they are.')
  })
})

describe('a font of the brand', () => {
  test('is one that most recipients have, or another one', async () => {
    await draw(...on())
    expect(all('main option').map(({ textContent }) => textContent)).toEqual([
      ...['Courier New', 'Tahoma', 'Times New Roman', 'Trebuchet MS', 'Verdana', 'Another font'],
    ])
    press('Add the font')
    fill(field('Font'), 'Verdana')
    press('Add the font')
    fill(field('Font'), '')
    expect(problemOf(field('Name of the font'))).toBeNull()
    press('Add the font')
    expect(problemOf(field('Name of the font'))).toBe('The name of a font has letters, digits and spaces.')
    fill(field('Name of the font'), 'georgia')
    expect(problemOf(field('Name of the font'))).toBe('The brand has this name already.')
    press('Add the font')
    fill(field('Name of the font'), ' Source Sans 3 ')
    press('Add the font')
    expect(recorded).toEqual(
      gesturesOf(
        ['Courier New', 'Verdana', 'Source Sans 3'].map((font) => ({ kind: 'fontAdded' as const, font })),
      ),
    )
    expect(said()).toBe('Added: Source Sans 3.')
    expect(field('Name of the font').value).toBe('')
    expect(problemOf(field('Name of the font'))).toBeNull()
  })

  test('is not offered any more when the brand has it', async () => {
    await draw(...on())
    fill(field('Font'), 'Tahoma')
    const { brand } = document_
    await go(...on({ ...document_, brand: { ...brand!, fonts: ['Tahoma'] } }))
    expect(field('Font').value).toBe('Arial')
  })

  test('is removed', async () => {
    await draw(...on())
    press('Remove Georgia')
    expect(recorded).toEqual(gesturesOf([{ kind: 'fontRemoved', font: 'Georgia' }]))
    expect(said()).toBe('Removed: Georgia. The templates stay as they are.')
  })
})

describe('a logo of the brand', () => {
  const pictures = () => all('main img, dialog img').map((image) => image.getAttribute('src'))

  /** Chooses a picture in the open picker. */
  const pick = (path: string) => {
    const choice = all('dialog label').find(({ textContent }) => textContent.startsWith(`${path} `))
    act(() => choice?.querySelector('input')?.click())
    press('Use this picture')
  }

  test('is chosen from the pictures of the draft, and is shown', async () => {
    await draw(...on())
    const [shown] = pictures()
    expect(shown).toMatch(/^data:image\/png;base64,iVBOR/)
    press('Add a logo')
    pick('a/b.png')
    expect(recorded).toEqual(gesturesOf([{ kind: 'logoAdded', path: 'a/b.png' }]))
    expect(said()).toBe('Added: a/b.png.')
    expect(all('dialog')).toEqual([])
  })

  test('is replaced, and the signatures follow on request', async () => {
    await draw(...on(), told)
    const ask = (answer: string) => {
      press('Replace logo.png')
      pick('b.png')
      expect(dialog()).toEqual([
        '## Change it in the signatures too?',
        '[Close]',
        'logo.png is used in 1 place in 1 signature. 90 people have one of these signatures as the default.',
        'The new picture gets the width and height of the old one. Check it in the preview.',
        '[Change it in these signatures too][Only the brand]',
      ])
      press(answer)
    }
    ask('Change it in these signatures too')
    expect(said()).toBe('Changed: b.png, and 1 place in the templates.')
    ask('Only the brand')
    const replaced = { kind: 'logoReplaced', path: 'logo.png', by: 'b.png' } as const
    expect(recorded).toEqual(
      gesturesOf([
        { ...replaced, isFollowed: true },
        { ...replaced, isFollowed: false },
      ]),
    )
  })

  test('is removed', async () => {
    await draw(...on())
    press('Remove logo.png')
    expect(recorded).toEqual(gesturesOf([{ kind: 'logoRemoved', path: 'logo.png' }]))
  })

  test('that the brand has is not added again', async () => {
    await draw(...on())
    press('Add a logo')
    pick('logo.png')
    expect(recorded).toEqual([])
    expect(all('dialog')).toEqual([])
  })
})

test('the focus goes on to the button that adds when a row is removed', async () => {
  await draw(...on())
  button('Remove Paper').focus()
  const { brand } = document_
  await go(...on({ ...document_, brand: { ...brand!, colours: { Navy: '#1f3a5f' } } }))
  expect(document.activeElement?.textContent).toBe('Add a colour')
})

test('all pictures are linked, and attached again', async () => {
  const name = 'Link all pictures instead of attaching them'
  await draw(...on())
  check(name)
  await go(...on({ ...document_, linked: true }))
  check(name)
  expect(recorded).toEqual([
    Planning.linkingSwitched({ isOn: true }),
    Planning.linkingSwitched({ isOn: false }),
  ])
})
