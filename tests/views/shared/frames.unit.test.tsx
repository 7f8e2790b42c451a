import { act, type ReactElement } from 'react'
import { BehaviorSubject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppState } from '../../../streams/pane/state.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import type { SourcePlace } from '../../../streams/administration/plan/wordPlaces.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import { AdministrationProvider } from '../../../views/administration/parts/administration.tsx'
import { FrameWords } from '../../../views/administration/parts/FrameWords.tsx'
import { type FrameSource, SignatureFrame } from '../../../views/administration/parts/SignatureFrame.tsx'
import { AppProvider } from '../../../views/pane/app.tsx'
import { LargePreview } from '../../../views/pane/preview/LargePreview.tsx'
import { HIGH_CONTRAST_CSS, DARK_MODE_CSS, PAPER_COLOURS } from '../../../views/shared/measuredDocument.ts'
import { measureFrame, Preview } from '../../../views/pane/preview/Preview.tsx'
import { WhatChanges } from '../../../views/pane/preview/WhatChanges.tsx'
import { releaseDocument } from '../../support/administration/plans.ts'
import { administrationStateAfter } from '../../support/administration/story.ts'
import { createClock } from '../../support/clock.ts'
import { asIs } from '../../support/sanitize.ts'
import { message, signedInWriting, stateAfter } from '../../support/state.ts'
import { all, inMessage, useDrawing } from '../drawing.tsx'
import { useAdministrationDrawing } from '../administration/drawingAdministration.tsx'
import { outline } from '../outline.ts'
import { stubIntersectionObserver, stubResizeObserver } from '../root.ts'

const IMAGE_ORIGIN = 'https://pictures.example'

/** The width of every element whose width is observed. */
let available: number
let resized: ReturnType<typeof stubResizeObserver>
let approached: Set<() => void>
const clock = createClock()

/** Frames load, and elements have a size, when a test says so. */
const useLayout = () => {
  beforeEach(layOut)
  afterEach(() => {
    document.removeEventListener('load', swallow, { capture: true })
    vi.restoreAllMocks()
  })
}
/** No frame is loaded before a test says so. */
const swallow = (event: Event) => {
  if (!(event instanceof CustomEvent)) event.stopImmediatePropagation()
}
function layOut() {
  document.addEventListener('load', swallow, { capture: true })
  available = 0
  resized = stubResizeObserver()
  approached = stubIntersectionObserver()
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => available)
}

/** The observed elements get this width. */
const resize = (width: number) => {
  available = width
  act(() => {
    for (const tell of [...resized.keys()]) tell()
  })
}
const settle = () =>
  act(async () => {
    await Promise.resolve()
  })
const frames = () => [...document.querySelectorAll('iframe')]
const shownFrame = () => frames().find((frame) => frame.getAttribute('sandbox') === '')
const measuringFrame = () => frames().find((frame) => frame.getAttribute('sandbox') === 'allow-same-origin')

/** The hidden frame is loaded: its document takes this much. */
const load = (width: number, height: number | (() => number), body = '') => {
  const frame = measuringFrame()
  if (!frame) throw new Error('Nothing is measured')
  const read = document.implementation.createHTMLDocument()
  read.body.innerHTML = body
  Object.defineProperties(read.documentElement, {
    scrollWidth: { value: width },
    scrollHeight: { get: typeof height === 'number' ? () => height : height },
  })
  Object.defineProperty(frame, 'contentDocument', { value: read, configurable: true })
  act(() => {
    frame.dispatchEvent(new CustomEvent('load'))
  })
}
const sizeOf = (element: HTMLElement | null | undefined) => [element?.style.width, element?.style.height]

const tools = (sanitize: Sanitize | null) => ({
  loadSanitizer: () => (sanitize ? Promise.resolve(sanitize) : Promise.reject(new Error('offline'))),
  imageOrigins: [IMAGE_ORIGIN],
  time: clock,
  version: '0.1.0',
  documentation: '',
  loadValues: () => Promise.reject(new Error('not here')),
})

describe('a signature on the administration page', () => {
  const { render } = useAdministrationDrawing()
  useLayout()
  const place = () => document.querySelector<HTMLElement>('body > div > div')
  const region = () => document.querySelector<HTMLElement>('[role=region]')
  const state$ = new BehaviorSubject(administrationStateAfter())
  const draw = async (
    props: Partial<Parameters<typeof SignatureFrame>[0]> = {},
    sanitize: Sanitize | null = asIs,
  ) => {
    await render(
      <AdministrationProvider value={{ state$, record: () => undefined, ...tools(sanitize) }}>
        <SignatureFrame html="<p>Ana</p>" title="Preview" {...props} />
      </AdministrationProvider>,
    )
  }
  const see = async (width: number) => {
    act(() => {
      for (const tell of [...approached]) tell()
      clock.advance(80)
    })
    await settle()
    resize(width)
  }

  test('has its place on paper before it is near', async () => {
    await draw()
    expect(place()?.style.background).toBe(PAPER_COLOURS.light)
    expect(sizeOf(place()?.querySelector('div'))).toEqual(['', '160px'])
    expect(frames()).toEqual([])
    await draw({ isDark: true })
    expect(place()?.style.background).toBe(PAPER_COLOURS.dark)
  })

  describe('whose words have places', () => {
    const shown = '<p>Ana Lee<img alt="Logo"></p>'
    const places = [
      { path: 'a.html', from: 3, to: 19 },
      { path: 'a.html', from: 20, to: 23 },
      { path: 'b.html', from: 0, to: 9 },
    ]
    const chosen: unknown[] = []
    const sourceWith = (
      selection: SourcePlace | null,
      html = '<p>\ufdd0\ufdd1Ana \ufdd0\ufdd2Lee<img class="signet-from-2" alt="Logo"></p>',
    ): FrameSource => ({
      html,
      marked: { document: releaseDocument, places, unmarked: releaseDocument },
      draw: ({ words, isCurrent, marked }) =>
        isCurrent &&
        words.length > 0 && (
          <FrameWords
            words={words}
            source={{ places: marked.places, selection, onChoose: (place) => chosen.push(place) }}
          />
        ),
    })
    beforeEach(() => {
      chosen.length = 0
      // The ranges here lose their start in the document of a frame, and have no layout.
      const bounds = new WeakMap<Range, [start: number, end: number]>()
      vi.spyOn(Range.prototype, 'setStart').mockImplementation(function (this: Range, _, at) {
        bounds.set(this, [at, at])
      })
      vi.spyOn(Range.prototype, 'setEnd').mockImplementation(function (this: Range, _, at) {
        bounds.set(this, [bounds.get(this)?.[0] ?? at, at])
      })
      vi.spyOn(Range.prototype, 'getClientRects').mockImplementation(function (this: Range) {
        const [start, end] = bounds.get(this) ?? [0, 0]
        return [{ left: 10 * start, width: 10 * (end - start), top: 5, height: 16 }] as unknown as DOMRectList
      })
      vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(
        () => [{ left: 90, width: 40, top: 0, height: 40 }] as unknown as DOMRectList,
      )
    })
    const list = () => document.querySelector<HTMLElement>('[role=listbox]')
    const options = () => all('[role=option]')
    const active = () => document.getElementById(list()?.getAttribute('aria-activedescendant') ?? '')
    const press = (key: string, more: KeyboardEventInit = {}) => {
      act(() => {
        list()?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
      })
      return active()?.getAttribute('aria-label')
    }
    const open = async (selection: SourcePlace | null = null) => {
      await draw({ html: shown, source: sourceWith(selection) })
      await see(500)
      load(500, 90, shown)
    }

    test('has a list of them where they are drawn, above its sealed frame [ADOPT-8]', async () => {
      await open()
      expect(shownFrame()?.getAttribute('sandbox')).toBe('')
      expect(list()?.getAttribute('aria-label')).toMatch(/^Words and pictures/)
      expect(list()?.tabIndex).toBe(0)
      expect(
        options().map((option) => [
          option.getAttribute('aria-label'),
          option.style.left,
          option.style.top,
          ...sizeOf(option),
        ]),
      ).toEqual([
        ['Ana', '0px', '5px', '30px', '16px'],
        ['Lee', '40px', '5px', '30px', '16px'],
        ['Picture: Logo', '90px', '0px', '40px', '40px'],
      ])
    })

    test('goes to the place of a word that is clicked [ADOPT-8]', async () => {
      await open()
      act(() => options()[1]?.click())
      act(() => options()[2]?.click())
      expect(chosen).toEqual([places[1], places[2]])
    })

    test('goes from word to word with the keys, and to the place with Enter or Space [ADOPT-8]', async () => {
      await open()
      expect(active()?.getAttribute('aria-label')).toBe('Ana')
      expect(
        ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'End', 'Home', 'l'].map(
          (key) => press(key),
        ),
      ).toEqual(['Lee', 'Picture: Logo', 'Picture: Logo', 'Lee', 'Ana', 'Ana', 'Picture: Logo', 'Ana', 'Lee'])
      press('Enter')
      expect(chosen).toEqual([places[1]])
      expect(press('ArrowLeft')).toBe('Ana')
      press(' ')
      expect(chosen).toEqual([places[1], places[0]])
      expect(press('l')).toBe('Lee')
      expect(press('End', { ctrlKey: true })).toBe('Lee')
      expect(press('Tab')).toBe('Lee')
    })

    test('frames all that is selected in the source [ADOPT-8]', async () => {
      await open({ path: 'a.html', from: 10, to: 22 })
      expect(list()?.getAttribute('aria-multiselectable')).toBe('true')
      expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual([
        'true',
        'true',
        'false',
      ])
    })

    test('frames what is selected in the source, where the keys begin [ADOPT-8]', async () => {
      await open({ path: 'a.html', from: 21, to: 21 })
      expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual([
        'false',
        'true',
        'false',
      ])
      expect(active()?.getAttribute('aria-label')).toBe('Lee')
    })

    test('leads nowhere when the signature with marks is another one, or what is drawn has no size', async () => {
      await draw({ html: shown, source: sourceWith(null, '<p>Eva</p>') })
      await see(500)
      load(500, 90, shown)
      expect(list()).toBeNull()
      vi.spyOn(Range.prototype, 'getClientRects').mockReturnValue([] as unknown as DOMRectList)
      vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([] as unknown as DOMRectList)
      await draw({ html: shown, source: sourceWith(null) })
      load(500, 90, shown)
      expect(list()).toBeNull()
    })
  })

  test('is measured at the available width, at most that of a message, and drawn as large as it is', async () => {
    await draw()
    await see(500)
    expect(region()?.getAttribute('aria-label')).toBe('Preview')
    const sheet = () => shownFrame()?.parentElement
    expect([sizeOf(sheet()), sizeOf(shownFrame()), sizeOf(measuringFrame())]).toEqual([
      ['500px', '160px'],
      ['500px', '160px'],
      ['500px', '1px'],
    ])
    expect(shownFrame()?.title).toBe('Preview')
    expect(measuringFrame()?.getAttribute('aria-hidden')).toBe('true')
    expect(region()?.getAttribute('tabindex')).toBeNull()
    load(700, 90)
    expect([sizeOf(sheet()), sizeOf(shownFrame())]).toEqual([
      ['700px', '90px'],
      ['700px', '90px'],
    ])
    expect(measuringFrame()).toBeUndefined()
    // It scrolls by the arrow keys.
    expect(region()?.getAttribute('tabindex')).toBe('0')
    resize(900)
    expect(sizeOf(measuringFrame())).toEqual(['680px', '1px'])
    expect(sizeOf(sheet())).toEqual(['700px', '90px'])
    load(680, 80)
    expect(sizeOf(sheet())).toEqual(['680px', '80px'])
    expect(region()?.getAttribute('tabindex')).toBeNull()
  })

  test('is as high as it is at its width when it is wider than its place', async () => {
    await draw()
    await see(320)
    const frame = measuringFrame()
    const isWide = () => frame?.style.width === '600px'
    load(600, () => (isWide() ? 90 : 150))
    expect(sizeOf(shownFrame())).toEqual(['600px', '90px'])
  })

  test('keeps its height until what it became is measured', async () => {
    await draw()
    await see(500)
    load(500, 90)
    await draw({ html: '<p>Ben</p>' })
    expect(shownFrame()?.srcdoc).toContain('Ben')
    expect(sizeOf(shownFrame())).toEqual(['500px', '90px'])
    load(500, 30)
    expect(sizeOf(shownFrame())).toEqual(['500px', '30px'])
  })

  test('is dark with the colours that were measured', async () => {
    await draw({ isDark: true })
    await see(500)
    expect(shownFrame()?.srcdoc).toContain(DARK_MODE_CSS)
    expect(shownFrame()?.srcdoc).toContain('<p>Ana</p>')
    expect(measuringFrame()?.srcdoc).not.toContain(DARK_MODE_CSS)
    load(500, 90, '<p>Inverted</p>')
    expect(shownFrame()?.srcdoc).toContain(DARK_MODE_CSS)
    expect(shownFrame()?.srcdoc).toContain('<p>Inverted</p>')
    await draw({ isDark: false })
    expect(shownFrame()?.srcdoc).not.toContain(DARK_MODE_CSS)
    expect(shownFrame()?.srcdoc).toContain('<p>Ana</p>')
  })

  test('may load the pictures of the service alone', async () => {
    await draw()
    await see(500)
    for (const frame of frames()) expect(frame.srcdoc).toContain(`img-src data: ${IMAGE_ORIGIN};`)
  })

  test('is not measured without a width, nor by a frame that cannot be read', async () => {
    await draw()
    await see(0)
    expect(measuringFrame()).toBeUndefined()
    resize(500)
    Object.defineProperty(measuringFrame(), 'contentDocument', { value: null })
    act(() => {
      measuringFrame()?.dispatchEvent(new CustomEvent('load'))
    })
    expect(sizeOf(shownFrame())).toEqual(['500px', '160px'])
  })

  test('says why it is not drawn', async () => {
    await draw({}, null)
    await see(500)
    expect(outline(document.body)).toEqual(['The preview could not be loaded. Reload the page.'])
    await draw({ html: 'x'.repeat(31_000) })
    await settle()
    expect(outline(document.body)).toEqual([
      'The signature is longer than Outlook takes. Shorten the template.',
    ])
  })
})

describe('in the pane', () => {
  const { render } = useDrawing()
  useLayout()
  const NO_IMAGES: readonly SignatureImage[] = []
  const draw = async (
    element: ReactElement,
    written: 'html' | 'text' | AppState = 'html',
    sanitize: Sanitize | null = asIs,
  ) => {
    const state =
      typeof written === 'string'
        ? stateAfter(...signedInWriting('item-1', message({ bodyType: written })))
        : written
    render(
      <AppProvider
        value={{
          state$: new BehaviorSubject(state),
          record: () => undefined,
          ...tools(sanitize),
          viewOf: () => null,
          supportUrl: null,
        }}
      >
        {element}
      </AppProvider>,
    )
    await settle()
  }

  /** The browser says how wide the body is by itself. */
  const loadOwn = (own: number, width: number, height: number) => {
    const spy = vi
      .spyOn(Element.prototype, 'getBoundingClientRect')
      .mockReturnValue(new DOMRect(0, 0, own, 1))
    load(width, height)
    spy.mockRestore()
  }

  describe('a preview', () => {
    /** Each content is measured once. */
    let count = 0
    const drawn = async (title: string | null = 'Preview') => {
      count += 1
      const planned = { html: `<p>${String(count)}</p>`, images: NO_IMAGES, combinedIds: 'c' }
      await draw(<Preview planned={planned} bodyType="html" title={title} maxHeight={100} />)
    }
    const look = () => {
      const { width = '', height = '', transform = '' } = shownFrame()?.style ?? {}
      return [width, height, transform]
    }
    const paper = () => shownFrame()?.parentElement

    test.each([
      // It is whole.
      [300, 150, 600, 50, ['600px', '50px', 'scale(1)'], false],
      [300, 300, 600, 100, ['600px', '100px', 'scale(1)'], false],
      // It is scaled down to the width, and to the height, but to half of that at most.
      [300, 600, 600, 60, ['600px', '60px', 'scale(0.5)'], false],
      [300, 600, 600, 250, ['600px', '250px', 'scale(0.4)'], false],
      [300, 600, 600, 400, ['600px', '400px', 'scale(0.25)'], false],
      [300, 600, 600, 401, ['600px', '401px', 'scale(0.25)'], true],
      // It is wider than the layout.
      [300, 600, 1_200, 100, ['1200px', '100px', 'scale(0.25)'], false],
    ])(
      'in %i px of a body of %i px, %i by %i px: %j',
      async (width, own, scrollWidth, height, expected, isCut) => {
        await drawn()
        resize(width)
        expect(shownFrame()?.className).toBe('unscaled')
        loadOwn(own, scrollWidth, height)
        expect(look()).toEqual(expected)
        expect(shownFrame()?.className).toBe('')
        expect(paper()?.className.split(' ').includes('fade')).toBe(isCut)
        expect(measuringFrame()).toBeUndefined()
      },
    )

    test('takes its height from the start, and its scale at once when its content was drawn before', async () => {
      await drawn()
      expect(all('[style*="min-height"]').map(({ style }) => style.minHeight)).toEqual(['100px'])
      expect(paper()?.style.height).toBe('100px')
      expect([look()[0], look()[1], sizeOf(measuringFrame())]).toEqual(['600px', '100px', ['600px', '1px']])
      resize(300)
      loadOwn(600, 600, 60)
      count -= 1
      await draw(<p />)
      await drawn()
      expect(measuringFrame()).toBeUndefined()
      resize(300)
      expect(look()).toEqual(['600px', '60px', 'scale(0.5)'])
    })

    test('keeps its scale until a changed content is measured', async () => {
      await drawn()
      resize(300)
      loadOwn(600, 600, 60)
      await drawn()
      expect(shownFrame()?.srcdoc).toContain(`<p>${String(count)}</p>`)
      expect(look()).toEqual(['600px', '60px', 'scale(0.5)'])
      expect(measuringFrame()).toBeDefined()
    })

    test('is hidden from screen readers without a title', async () => {
      await drawn(null)
      const hidden = () => [
        ...['title', 'aria-hidden', 'inert', 'tabindex'].map(
          (name) => shownFrame()?.getAttribute(name) ?? null,
        ),
      ]
      expect(hidden()).toEqual([null, 'true', '', '-1'])
      await drawn('Preview of Short')
      expect(hidden()).toEqual(['Preview of Short', 'false', null, '-1'])
    })

    test('says that there is none', async () => {
      const planned = { html: 'x'.repeat(31_000), images: NO_IMAGES, combinedIds: 'c' }
      const preview = <Preview planned={planned} bodyType="html" title={null} maxHeight={100} />
      await draw(preview)
      expect(outline(document.body).join()).toContain('This signature is too long for Outlook')
      await draw(preview, 'html', null)
      expect(frames()).toEqual([])
    })

    test('of an empty signature is a sentence', async () => {
      const planned = { html: '<p> </p>', images: NO_IMAGES, combinedIds: 'c' }
      await draw(<Preview planned={planned} bodyType="html" title={null} maxHeight={100} />)
      expect(outline(document.body)).toEqual(['This signature is empty.'])
      expect(frames()).toEqual([])
    })

    test.each([
      ['<p>A</p>', 120],
      ['<table width="100%">', 0],
      ["<table width='50%'>", 0],
      ['<td style="width: 100%">', 0],
      ['<td align="right">', 0],
      ['<p align=center>', 0],
      ['<td align="left" width="100">', 120],
      ['<p style="max-width:100%">', 120],
    ])('fits %s to its content: %i', (srcdoc, fits) => {
      const frame = document.createElement('iframe')
      const content = document.implementation.createHTMLDocument()
      Object.defineProperty(frame, 'contentDocument', { value: content })
      Object.defineProperties(content.documentElement, {
        scrollWidth: { value: 600 },
        scrollHeight: { value: 40 },
      })
      content.body.getBoundingClientRect = () =>
        new DOMRect(0, 0, content.body.style.width === 'fit-content' ? 119.2 : 0, 1)
      expect(measureFrame(frame, srcdoc)).toEqual({ width: Math.max(1, fits), height: 40 })
    })

    test('has no size in a frame that cannot be read', () => {
      const frame = document.createElement('iframe')
      Object.defineProperty(frame, 'contentDocument', { value: null })
      expect(measureFrame(frame, '')).toBeNull()
    })
  })

  describe('a large preview', () => {
    const why = { kind: 'chosen' } as const
    const drawn = async (
      html = '<p>Ana</p>',
      bodyType: 'html' | 'text' = 'html',
      sanitize: Sanitize | null = asIs,
    ) => {
      const planned = { html, images: NO_IMAGES, combinedIds: contentHash(html) }
      await draw(
        <LargePreview
          name="Standard"
          planned={planned}
          why={why}
          actOn={(mayInsert) => <p>{mayInsert ? 'Insert' : 'Copy only'}</p>}
          onClose={() => undefined}
        />,
        bodyType,
        sanitize,
      )
    }
    const choose = (name: string) => {
      act(() => {
        all('label')
          .find(({ textContent }) => textContent === name)
          ?.querySelector('input')
          ?.click()
      })
    }
    const region = () => document.querySelector<HTMLElement>('[role=region]')
    const room = () => shownFrame()?.parentElement
    const widths = new Set<string>(['Pane', 'Desktop', 'Phone'])
    const busy = () => document.querySelector('[aria-busy]')?.getAttribute('aria-busy')

    test('is measured and drawn as wide as a message on a desktop, on a phone, or in the pane', async () => {
      await drawn()
      resize(800)
      expect(busy()).toBe('true')
      expect([sizeOf(room()), sizeOf(shownFrame()), sizeOf(measuringFrame())]).toEqual([
        ['680px', '200px'],
        ['680px', '200px'],
        ['680px', '1px'],
      ])
      load(680, 89.5)
      expect([sizeOf(room()), sizeOf(shownFrame())]).toEqual([
        ['680px', '90px'],
        ['680px', '90px'],
      ])
      expect([busy(), measuringFrame(), region()?.getAttribute('tabindex')]).toEqual([
        'false',
        undefined,
        null,
      ])
      choose('Phone')
      expect([sizeOf(room()), room()?.className, busy()]).toEqual([['375px', '90px'], 'room phone', 'true'])
      load(375, 120)
      expect(sizeOf(shownFrame())).toEqual(['375px', '120px'])
      choose('Pane')
      expect([sizeOf(room()), room()?.className]).toEqual([['800px', '120px'], 'room'])
    })

    test('is scaled as a whole where it has too little room, with the edge of a phone, and says so', async () => {
      const said = () => /Shown at [^.]* of its size/.exec(outline(document.body).join())?.[0] ?? null
      const shown = () => [sizeOf(room())[0], said()]
      await drawn()
      choose('Desktop')
      resize(680)
      expect(shown()).toEqual(['680px', null])
      resize(340)
      expect(shown()).toEqual(['340px', 'Shown at 50% of its size'])
      choose('Phone')
      resize(391)
      expect(shown()).toEqual(['375px', null])
      resize(195.5)
      expect(shown()).toEqual(['187.5px', 'Shown at 50% of its size'])
      expect(region()?.getAttribute('tabindex')).toBeNull()
    })

    test('that is wider than its room is laid out for that room', async () => {
      await drawn()
      resize(800)
      load(900, 50)
      expect(sizeOf(shownFrame())).toEqual(['900px', '50px'])
      // 900 px in the 800 px of the dialog.
      expect(shownFrame()?.style.transform).toBe(`scale(${String(8 / 9)})`)
      expect(shownFrame()?.srcdoc).toContain('body{width:680px}')
      expect(outline(document.body).join()).toContain('1 thing is hard to read')
      // The pane is as wide as its user makes it.
      choose('Pane')
      load(900, 50)
      expect(outline(document.body).join()).toContain('Easy to read')
    })

    test('opens at the width that fits, until another is chosen', async () => {
      const width = () =>
        all('label').find(
          (label) => label.querySelector<HTMLInputElement>('input:checked') && widths.has(label.textContent),
        )?.textContent
      await drawn()
      const opened = [679, 680, 320].map((available) => {
        resize(available)
        return width()
      })
      expect(opened).toEqual(['Pane', 'Desktop', 'Pane'])
      choose('Phone')
      resize(800)
      expect(width()).toBe('Phone')
    })

    test('is scaled to the pane where it is wider, so that nothing is cut', async () => {
      const drawing = () => [sizeOf(room()), sizeOf(shownFrame()), shownFrame()?.style.transform]
      await drawn()
      resize(300)
      load(300, 80)
      expect(drawing()).toEqual([['300px', '80px'], ['300px', '80px'], ''])
      expect(region()?.getAttribute('aria-label')).toBe('Signature at its real size')
      await drawn('<table width="600"><tr><td>Ana</td></tr></table>')
      resize(300)
      load(600, 81)
      expect(drawing()).toEqual([['150px', '40.5px'], ['600px', '81px'], 'scale(0.5)'])
      expect([region()?.getAttribute('aria-label'), region()?.getAttribute('tabindex')]).toEqual([
        'Signature, made smaller so that it fits',
        null,
      ])
    })

    test('is in each theme as mail apps show it', async () => {
      await drawn()
      resize(800)
      const paper = () => region()?.parentElement?.style.background
      const srcdoc = () => shownFrame()?.srcdoc ?? ''
      expect([paper(), srcdoc().includes('body{width')]).toEqual([PAPER_COLOURS.light, false])
      const meaning = () => outline(document.querySelector('dialog')).at(-2)
      const meanings = [meaning()]
      choose('Dark')
      expect([
        paper(),
        srcdoc().includes(`${DARK_MODE_CSS}</style>`),
        srcdoc().includes('<p>Ana</p>'),
      ]).toEqual([PAPER_COLOURS.dark, true, true])
      load(680, 50, '<p>Inverted</p>')
      expect(srcdoc()).toContain('<p>Inverted</p>')
      meanings.push(meaning())
      choose('High contrast')
      expect([
        paper(),
        srcdoc().includes(`${HIGH_CONTRAST_CSS}</style>`),
        srcdoc().includes('<p>Ana</p>'),
      ]).toEqual([PAPER_COLOURS.highContrast, true, true])
      meanings.push(meaning())
      expect(new Set(meanings).size).toBe(3)
    })

    test('of an empty signature is a sentence, and no box', async () => {
      await drawn('<p> </p>')
      expect(frames()).toEqual([])
      expect([region(), all('input')]).toEqual([null, []])
      expect(outline(document.body)).toContain('This signature is empty.')
      expect(outline(document.body)).toContain('Insert')
    })

    test('says that there is none, and offers no insertion then', async () => {
      await drawn('<p>Ana</p>', 'text')
      expect(outline(document.body)).toContain('Insert')
      expect(outline(document.body)).toContain(
        'This message is plain text, so only the signature’s text is inserted.',
      )
      await drawn('x'.repeat(31_000))
      expect(outline(document.body)).toContain('Copy only')
      expect(outline(document.body).join()).toContain('This signature is too long for Outlook')
      await drawn('<p>Ana</p>', 'html', null)
      expect(outline(document.body)).toContain('Copy only')
      expect(frames()).toEqual([])
    })
  })

  describe('what changes in the message', () => {
    const before = '<p>+49 30 1234</p><p>Kept</p>'
    const drawn = async (
      after: string,
      over: Partial<{ name: string; isKnown: boolean }> = {},
      sanitize: Sanitize | null = asIs,
    ) => {
      const { name = 'Standard', isKnown = true } = over
      const state = stateAfter(
        ...signedInWriting('item-1'),
        Insertion.defaultDue({ itemKey: 'item-1', hash: inMessage.hash }),
        Insertion.succeeded({
          id: -1,
          itemKey: 'item-1',
          target: { kind: 'default' },
          inMessage: { ...inMessage, name },
          content: { html: before, images: [] },
        }),
      )
      const shown = isKnown ? state : { ...state, insertion: { ...state.insertion, content: null } }
      await draw(
        <WhatChanges name="Short" planned={{ html: after, images: NO_IMAGES, combinedIds: 'c-short' }} />,
        shown,
        sanitize,
      )
    }
    const captions = () => all('figcaption').map(({ textContent }) => textContent)
    const shown = () => frames().filter((frame) => frame.getAttribute('sandbox') === '')
    const heights = () => all('figure [style*=height]').map(({ style }) => style.height)

    test('is drawn before and after, at one scale, once both are measured', async () => {
      await drawn('<p>+49 30 5678</p><p>Kept</p>')
      expect(captions()).toEqual(['Now: Standard', 'Then: Short'])
      resize(300)
      expect([shown(), heights().slice(0, 1)]).toEqual([[], ['100px']])
      loadOwn(150, 600, 40)
      expect(shown()).toEqual([])
      loadOwn(600, 600, 61)
      expect(shown().map(({ title, style }) => [title, style.width, style.height, style.transform])).toEqual([
        ['Now: Standard', '600px', '40px', 'scale(0.5)'],
        ['Then: Short', '600px', '61px', 'scale(0.5)'],
      ])
      resize(700)
      expect(shown().map(({ style }) => style.transform)).toEqual(['', ''])
    })

    test('is a sentence where the signature is empty, beside the picture of the other', async () => {
      await drawn('')
      expect(outline(document.body)).toContain('This signature is empty.')
      resize(300)
      loadOwn(150, 600, 40)
      expect(shown().map(({ title }) => title)).toEqual(['Now: Standard'])
    })

    test('is told line by line, not by colour alone', async () => {
      await drawn('<p>+49 30 5678</p><p>Kept</p>')
      const items = all('details li').map((item) => [item.className, item.textContent])
      expect(items).toEqual([
        ['removed', '−Removed: +49 30 1234'],
        ['added', '+Added: +49 30 5678'],
        ['same', 'Kept'],
      ])
      const details = outline(all('details')[0])
      expect(details).toContain('The pictures stay the same.')
      expect(details).toContain('Size 0 KB now, 0 KB after the change')
      expect(all('details [aria-labelledby]').map((each) => each.querySelector('h3')?.id)).toEqual(
        all('details [aria-labelledby]').map((each) => each.getAttribute('aria-labelledby')),
      )
    })

    test('is one picture and one sentence where nothing changes', async () => {
      await drawn(before)
      expect(captions()).toEqual(['Now: Standard'])
      expect(all('details')).toEqual([])
      expect(outline(document.body)).toContain('Nothing changes. Your message already has this signature.')
    })

    test('is told of a signature without a name', async () => {
      await drawn('<p>B</p>', { name: '' })
      expect(captions()).toEqual(['Now', 'Then: Short'])
    })

    test('is only what it becomes where what is there is not known', async () => {
      await drawn('<p>B</p>', { isKnown: false })
      expect(captions()).toEqual(['Then: Short'])
      expect(all('details')).toEqual([])
      expect(outline(document.body)).toContain(
        'The current signature is no longer in your list, so only the new one is shown.',
      )
    })

    test('is not compared when it could not be loaded', async () => {
      await drawn('<p>B</p>', {}, null)
      expect(captions()).toEqual([])
      expect(outline(document.body)).toEqual(['Couldn’t load the preview.'])
    })
  })
})
