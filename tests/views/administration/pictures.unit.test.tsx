import { act } from 'react'
import { BehaviorSubject } from 'rxjs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AdministrationEvent, AdministrationGesture } from '../../../streams/administration/events.ts'
import type { BannerPicture } from '../../../streams/administration/plan/banners.ts'
import { HEAVY_PICTURE_BYTES } from '../../../streams/administration/plan/draftPictures.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { createHandle, handleValue } from '../../../streams/kernel/handle.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import {
  alex,
  bannerPicture,
  draftOf,
  largePicture,
  releaseDocument,
} from '../../support/administration/plans.ts'
import { png } from '../../support/pictures.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'
import {
  AdministrationProvider,
  type AdministrationViews,
} from '../../../views/administration/parts/administration.tsx'
import { PicturePicker } from '../../../views/administration/pictures/PicturePicker.tsx'
import { useEditorSelection } from '../root.ts'
import {
  all,
  button,
  field,
  fill,
  press,
  textOf,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'

const { recorded, draw, go, render } = useAdministrationDrawing()
useEditorSelection()

const on = (path: string, document: ReleaseDocument = releaseDocument): readonly AdministrationEvent[] => [
  ...at(path),
  Planning.draftRestored({ draft: null }),
  Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
  Planning.personRead({ person: alex }),
]
const files = on('/signatures/files')
const give = (name: string) => Planning.pictureGiven({ name, picture: { handle: '<handle>' } })
const added = (picture: BannerPicture) => [give(picture.name), Planning.pictureAdded({ picture })]
const withPictures = (paths: readonly string[], logos: readonly string[] = []): ReleaseDocument => ({
  ...releaseDocument,
  brand: { colours: {}, fonts: [], logos },
  pictures: Object.fromEntries(paths.map((path) => [path, 'c0ffee'])),
})
const file = new File(['x'], 'fair.png')

const radios = () => all('dialog [type=radio]') as HTMLInputElement[]
const offered = () =>
  radios().map(({ parentElement }) => parentElement?.querySelector('span > span + span')?.textContent)
const checked = () => offered().filter((_, index) => radios()[index]?.checked)
const pick = (index: number) => act(() => radios()[index]?.click())
const status = () => textOf('dialog [role=status]').filter((text) => text !== '')
const given = () =>
  recorded.flatMap((event) =>
    event.type === 'plan/pictureGiven' ? [[event.data.name, handleValue(event.data.picture)]] : [],
  )
const inserted = () =>
  recorded.flatMap((event) =>
    event.type === 'plan/edited' ? event.data.edits.map(({ insert }) => insert) : [],
  )

/** Dispatches an event that carries files, as a drop or a paste. */
const carry = (
  target: EventTarget | undefined,
  type: string,
  key: string,
  content: readonly File[],
  text = '',
) => {
  const event = new Event(type, { bubbles: true, cancelable: true })
  Object.assign(event, { [key]: { types: ['Files'], files: content, items: [], getData: () => text } })
  act(() => {
    target?.dispatchEvent(event)
  })
  return event
}

const scrolled = vi.fn()
beforeEach(() => {
  scrolled.mockClear()
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(scrolled)
})

describe('the picker of pictures', () => {
  const open = async (...events: readonly AdministrationEvent[]) => {
    await draw(...(events.length > 0 ? events : files))
    press('Picture')
  }

  test('offers the logos of the brand first, then the other pictures by path', async () => {
    await open(
      ...on('/signatures/files', withPictures(['b.png', 'a.png', 'z.png'], ['z.png', 'gone.png', 'z.png'])),
    )
    expect(offered()).toEqual(['z.png', 'a.png', 'b.png'])
    expect(checked()).toEqual([])
    expect(button('Use this picture').getAttribute('aria-disabled')).toBe('true')
    press('Use this picture')
    expect(all('dialog')).toHaveLength(1)
  })

  test('shows each picture with its size and its weight', async () => {
    await open(
      ...on('/signatures/files', { ...releaseDocument, pictures: { 'a.png': 'c0ffee', 'b.png': 'gone' } }),
    )
    expect(textOf('dialog [role=radiogroup] label')).toEqual([
      'a.png 1 × 1 pixels · 1 kB',
      'b.png Size not known',
    ])
    expect(all('dialog [role=radiogroup] img').map((image) => image.getAttribute('src'))).toEqual([
      `data:image/png;base64,${draftOf().pictures['c0ffee']?.base64 ?? ''}`,
    ])
  })

  test('is one stop of the Tab key with radio buttons of one group', async () => {
    await open(...on('/signatures/files', withPictures(['a.png', 'b.png'])))
    expect(new Set(radios().map(({ name }) => name)).size).toBe(1)
  })

  test('chooses the selected picture by its button, by Enter, and by a double click', async () => {
    for (const choose of [
      () => press('Use this picture'),
      () => radios()[1]?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })),
      () => radios()[1]?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true })),
    ]) {
      recorded.length = 0
      await open(...on('/signatures/files', withPictures(['a.png', 'b.png'])))
      pick(1)
      expect(checked()).toEqual(['b.png'])
      act(choose)
      expect(all('dialog')).toEqual([])
      expect(inserted()).toEqual(['<img src="{{picture b.png}}" alt="Northwind Trading" width="1">'])
    }
  })

  test('inserts a large picture at the width of a banner', async () => {
    const events = [...files, ...added(largePicture)]
    await open(...events)
    pick(0)
    press('Use this picture')
    expect(inserted()).toEqual(['<img src="{{picture harbour.png}}" alt="Northwind Trading" width="440">'])
  })

  test('has no search for twelve pictures, and one for more, which keeps what is selected', async () => {
    const paths = Array.from({ length: 13 }, (_, index) => `social/${String.fromCharCode(97 + index)}.png`)
    await open(...on('/signatures/files', withPictures(paths.slice(1))))
    expect(all('dialog [type=search]')).toEqual([])
    await open(...on('/signatures/files', withPictures(paths)))
    pick(0)
    fill(field('Search pictures'), ' L/B ')
    expect(offered()).toEqual(['social/a.png', 'social/b.png'])
    expect(status()).toEqual(['2 pictures found'])
    fill(field('Search pictures'), 'nothing')
    expect(offered()).toEqual(['social/a.png'])
  })

  test('takes files that are chosen, dropped or pasted', async () => {
    await open()
    const input = field('Add pictures')
    Object.defineProperty(input, 'files', { value: [file, file] })
    act(() => {
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect(given()).toEqual([
      ['fair.png', file],
      ['fair.png', file],
    ])
    carry(all('dialog [data-over]')[0], 'drop', 'dataTransfer', [file])
    expect(given()).toHaveLength(3)
    expect(carry(document.body, 'paste', 'clipboardData', [file]).defaultPrevented).toBe(true)
    expect(given()).toHaveLength(4)
  })

  test('leaves pasted text alone, and everything once it is closed', async () => {
    await open()
    expect(carry(document.body, 'paste', 'clipboardData', [file], 'a table').defaultPrevented).toBe(false)
    expect(carry(document.body, 'paste', 'clipboardData', []).defaultPrevented).toBe(false)
    press('Close')
    carry(document.body, 'paste', 'clipboardData', [file])
    expect(given()).toEqual([])
  })

  test('selects a picture that was added, until another is selected', async () => {
    await open()
    pick(0)
    await go(...files, give('autumn-fair.png'))
    expect(status()).toEqual(['Adding 1 picture…'])
    await go(...files, ...added(bannerPicture))
    expect(status()).toEqual(['autumn-fair.png was added.'])
    expect(checked()).toEqual(['autumn-fair.png'])
    expect(scrolled).toHaveBeenLastCalledWith({ block: 'nearest' })
    pick(1)
    expect(checked()).toEqual(['logo.png'])
    expect(button('Use this picture').getAttribute('aria-disabled')).toBeNull()
  })

  test('says that the draft has the picture already', async () => {
    await open()
    await go(...files, ...added({ ...bannerPicture, hash: 'c0ffee' }))
    expect(status()).toEqual(['The draft already has this picture: logo.png.'])
    expect(checked()).toEqual(['logo.png'])
  })

  test.each([
    ['format', 'Mail apps cannot show this picture.'],
    ['tooLarge', 'This picture is larger than 1 MB.'],
    ['tooLong', 'This picture is wider or higher than 4,096 pixels.'],
    ['unreadable', 'This file could not be read.'],
    ['notScaled', 'This browser could not scale the picture down.'],
    ['notLighter', 'A smaller copy would weigh no less'],
  ] as const)('says which file was not added, and why: %s', async (refusal, expected) => {
    await open()
    await go(...files, give('a.svg'), Planning.pictureNotAdded({ name: 'a.svg', refusal }))
    expect(status().join()).toContain(`a.svg ${expected}`)
  })

  test('offers to scale a picture beyond the limits down, or to leave it out', async () => {
    await open()
    const picture = createHandle(file)
    const raster = { type: 'image/jpeg', width: 4032, height: 3024 } as const
    const tooLarge = Planning.pictureTooLarge({ name: 'a.jpg', picture, bytes: 4_400_000, raster })
    await go(...files, give('a.jpg'), tooLarge)
    expect(status()).toEqual([
      'a.jpg has 4.2 MB and 4,032 × 3,024 pixels. Signet takes at most 1 MB and 4,096 pixels. Scale it down?',
    ])
    press('Scale a.jpg down to a width of 880 pixels')
    press('Do not add a.jpg')
    expect(recorded.slice(-2)).toEqual([
      Planning.largePictureWanted({ name: 'a.jpg', picture, width: 880, height: 660 }),
      Planning.largePictureLeftOut({ picture }),
    ])
    await go(...files, give('a.jpg'), tooLarge, Planning.largePictureLeftOut({ picture }))
    expect([status(), all('[data-large]')]).toEqual([[], []])
  })

  test('leaves out what was said before it opened', async () => {
    const before = [
      ...added(bannerPicture),
      give('a.svg'),
      Planning.pictureNotAdded({ name: 'a.svg', refusal: 'format' }),
    ]
    await open(...files, ...before)
    expect(status()).toEqual([])
    expect(checked()).toEqual([])
  })

  test('offers a smaller copy of a picture that is too large', async () => {
    await open(...files, ...added(largePicture))
    expect(all('dialog button').map(({ textContent }) => textContent)).not.toContain(
      'Scale down to 880 × 220 pixels',
    )
    pick(0)
    expect(status()).toEqual([
      'This picture is larger than signatures need. Scaling adds a smaller copy, and the original stays.',
    ])
    press('Scale down to 880 × 220 pixels')
    expect(recorded).toContainEqual(
      Planning.smallerPictureWanted({ path: 'harbour.png', width: 880, height: 220 }),
    )
    pick(1)
    expect(status()).toEqual([])
  })

  test('offers a smaller copy of a picture that is too heavy', async () => {
    const content = Buffer.concat([Buffer.from(png(800, 200), 'base64'), Buffer.alloc(HEAVY_PICTURE_BYTES)])
    const heavy = { ...bannerPicture, base64: content.toString('base64') }
    await open(...files, ...added(heavy))
    pick(0)
    press('Scale down to 440 × 110 pixels')
    expect(textOf('dialog label').join()).toContain('800 × 200 pixels · 100 kB')
  })

  test('begins with the picture to replace, and scales for the width at which it is shown', async () => {
    const chosen: unknown[] = []
    const state$ = new BehaviorSubject(
      administrationStateAfter(
        ...on('/signatures/files', withPictures(['logo.png', 'social/gone.png'])),
        ...added(largePicture),
      ),
    )
    const value = {
      state$,
      record: (event: AdministrationGesture) => recorded.push(event),
    } as unknown as AdministrationViews
    await render(
      <AdministrationProvider value={value}>
        <dialog open>
          <PicturePicker
            selected="harbour.png"
            shownWidth={300}
            onChoose={(...given) => chosen.push(given)}
          />
        </dialog>
      </AdministrationProvider>,
    )
    expect(checked()).toEqual(['harbour.png'])
    expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' })
    press('Scale down to 600 × 150 pixels')
    press('Use this picture')
    pick(1)
    press('Use this picture')
    expect(chosen).toEqual([
      ['harbour.png', { type: 'image/png', width: 1760, height: 440 }],
      ['logo.png', { type: 'image/png', width: 1, height: 1 }],
    ])
  })

  test('adds the first picture of a draft that has none', async () => {
    const none = on('/signatures/files', { ...releaseDocument, pictures: {} })
    await open(...none)
    expect(textOf('dialog p')).toContain('The draft has no pictures yet.')
    expect(radios()).toEqual([])
    await go(...none, ...added(bannerPicture))
    expect(checked()).toEqual(['autumn-fair.png'])
  })
})

describe('the pictures of the draft', () => {
  const unused = [...files, ...added(largePicture), ...added(bannerPicture), Planning.paused()]
  const removed = () =>
    recorded.flatMap((event) => (event.type === 'plan/picturesRemoved' ? [event.data.paths] : []))

  test('are listed with what uses them', async () => {
    await draw(
      ...on('/signatures/files', {
        ...withPictures(['a.png', 'logo.png'], ['logo.png']),
        templates: { ...releaseDocument.templates, 'templates/legal.part.html': '{{picture a.png}}' },
      }),
    )
    const lines = textOf('li p').filter((text) => text.startsWith('Used by'))
    expect(lines).toEqual([
      'Used by templates/legal.part.html',
      'Used by templates/b.html and the brand’s logos',
    ])
    expect(textOf('[data-remove-pictures]')).toEqual([])
  })

  test('that nothing uses are removed in one act, after a question', async () => {
    await draw(...unused)
    press('Remove 2 pictures')
    expect(textOf('dialog p').join()).toContain('autumn-fair.png and harbour.png')
    expect(removed()).toEqual([])
    act(() => {
      all('dialog button')
        .find(({ textContent }) => textContent === 'Remove 2 pictures')
        ?.click()
    })
    expect(removed()).toEqual([['autumn-fair.png', 'harbour.png']])
    await go(...unused, Planning.picturesRemoved({ paths: ['autumn-fair.png', 'harbour.png'] }))
    expect(textOf('main [role=status]')).toContain('2 pictures were removed from the draft.')
    expect(textOf('[data-remove-pictures]')).toEqual([])
  })

  test('stay where the administrator unticks them', async () => {
    await draw(...unused)
    act(() => field('autumn-fair.png').click())
    press('Remove 1 picture')
    expect(textOf('dialog p').join()).toContain(': harbour.png.')
    press('Cancel')
    act(() => field('harbour.png').click())
    expect(textOf('[data-remove-pictures]')).toEqual([])
    act(() => field('harbour.png').click())
    act(() => field('autumn-fair.png').click())
    expect(textOf('[data-remove-pictures]')).toEqual(['Remove 2 pictures'])
    expect(removed()).toEqual([])
  })

  test('get what is dropped on them, and say what became of it', async () => {
    await draw(...files)
    carry(all('main [data-over]').at(-1), 'drop', 'dataTransfer', [file])
    expect(given()).toEqual([['fair.png', file]])
    await go(...files, ...added(bannerPicture))
    expect(textOf('main [role=status]')).toContain('autumn-fair.png was added.')
    carry(document.body, 'paste', 'clipboardData', [file])
    expect(given()).toHaveLength(1)
  })
})

test('a banner gets a picture of the draft, and the field forgets the file that was chosen before', async () => {
  const banner = on('/blocks/banner')
  await draw(...banner)
  const input = field('Choose a picture')
  Object.defineProperty(input, 'files', { value: [file] })
  act(() => {
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  expect(all('[title="fair.png"]')).toHaveLength(1)
  press('Choose a picture of the draft')
  pick(0)
  press('Use this picture')
  expect(all('dialog')).toEqual([])
  expect(recorded.at(-1)).toEqual(Planning.draftPictureChosen({ path: 'logo.png' }))
  expect(all('[title="fair.png"]')).toEqual([])
})
