import { EditorView, runScopeHandlers } from '@codemirror/view'
import { act } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { BehaviorSubject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DesignAct } from '../../../streams/administration/design/acts.ts'
import { findItem, outlineOf } from '../../../streams/administration/design/outline.ts'
import { Designing } from '../../../streams/administration/design/events.ts'
import type { AdministrationEvent, AdministrationGesture } from '../../../streams/administration/events.ts'
import { blockPath, blocksOf } from '../../../streams/administration/plan/blocks.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { signaturePath } from '../../../streams/administration/plan/signatures.ts'
import type { SourcePlace } from '../../../streams/administration/plan/wordPlaces.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { BlockDesign } from '../../../views/administration/design/BlockDesign.tsx'
import { Design } from '../../../views/administration/design/Design.tsx'
import { DesignContext } from '../../../views/administration/design/designed.ts'
import { VALUE_CHARACTER } from '../../../views/administration/dom/wordsField.ts'
import { WordBar } from '../../../views/administration/design/WordBar.tsx'
import { WordsTyping } from '../../../views/administration/design/WordsTyping.tsx'
import {
  AdministrationProvider,
  useAdministrationState,
} from '../../../views/administration/parts/administration.tsx'
import { NOON } from '../../support/administration/answers.ts'
import { actedIn } from '../../support/administration/design.ts'
import { alex, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'
import { block, withTheseBlocks } from '../../support/blocks.ts'
import { createClock } from '../../support/clock.ts'
import { asIs } from '../../support/sanitize.ts'
import { outline } from '../outline.ts'
import { variableOf } from '../../support/variables.ts'
import { stubIntersectionObserver, stubResizeObserver, useEditorSelection } from '../root.ts'
import { all, button, field, fill, press, useAdministrationDrawing } from './drawingAdministration.tsx'

const A = 'templates/a.html'
const LEGAL = 'templates/legal.part.html'
const PICTURE = '<img src="{{picture logo.png}}" alt="Logo" width="80" height="40">'
const TEXT = `<p>Kind regards</p><p>{{phone}} ${PICTURE}</p>{{> legal}}`

/** Both signatures include the part; each has a template of its own. */
const shared: ReleaseDocument = {
  ...releaseDocument,
  brand: { colours: { Navy: '#1f3a5f' }, fonts: ['Source Sans 3'], logos: ['logo.png', 'other.png'] },
  signatures: releaseDocument.signatures.map((each) => ({ ...each, reply: null })),
  templates: { ...releaseDocument.templates, [A]: TEXT },
  pictures: { ...releaseDocument.pictures, 'other.png': 'c0ffee' },
}

const { recorded, render } = useAdministrationDrawing()
useEditorSelection()
const clock = createClock(NOON)
let resized: ReturnType<typeof stubResizeObserver>
let approached: Set<() => void>
/** The window of measured documents, which computes their styles. */
let view: Window | null
/** How often a signature with marks was sanitised. */
let markedSanitised: number
let sources = 0
let log: AdministrationEvent[]
let state$: BehaviorSubject<ReturnType<typeof administrationStateAfter>>

/** No frame is loaded before a test says so. */
const swallow = (event: Event) => {
  if (!(event instanceof CustomEvent)) event.stopImmediatePropagation()
}
beforeEach(() => {
  sources = 0
  view = null
  markedSanitised = 0
  document.addEventListener('load', swallow, { capture: true })
  resized = stubResizeObserver()
  approached = stubIntersectionObserver()
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500)
  vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue(undefined)
  // The ranges here lose their start in the document of a frame, and have no layout.
  const bounds = new WeakMap<Range, [start: number, end: number]>()
  vi.spyOn(Range.prototype, 'setStart').mockImplementation(function (this: Range, _, from) {
    bounds.set(this, [from, from])
  })
  vi.spyOn(Range.prototype, 'setEnd').mockImplementation(function (this: Range, _, to) {
    bounds.set(this, [bounds.get(this)?.[0] ?? to, to])
  })
  vi.spyOn(Range.prototype, 'getClientRects').mockImplementation(function (this: Range) {
    const [start, end] = bounds.get(this) ?? [0, 0]
    return [{ left: 10 * start, width: 10 * (end - start), top: 5, height: 16 }] as unknown as DOMRectList
  })
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([
    { left: 90, width: 40, top: 0, height: 40 },
  ] as unknown as DOMRectList)
})
afterEach(() => {
  document.removeEventListener('load', swallow, { capture: true })
  vi.restoreAllMocks()
})

function Page({ id }: { id: string }) {
  const shown = useAdministrationState(({ plan }) => plan.debounced)
  const given = { document: shown, onSource: () => sources++ }
  const signature = shown?.signatures.find((each) => each.id === id)
  const shownBlock = shown && blocksOf(shown).find((each) => each.id === id)
  return (
    <MemoryRouter>
      {signature && <Design signature={signature} {...given} />}
      {shownBlock && <BlockDesign block={shownBlock} {...given} />}
    </MemoryRouter>
  )
}
const record = (event: AdministrationGesture) => {
  recorded.push(event)
  log.push(event)
  state$.next(administrationStateAfter(...log))
}
const sanitize: Sanitize = (html, ...more) => {
  if (html.includes('signet-from-')) markedSanitised += 1
  return asIs(html, ...more)
}
const failing = () => Promise.reject(new Error('offline'))
const provided = () => ({
  state$,
  record,
  loadSanitizer: () => Promise.resolve(sanitize),
  imageOrigins: [],
  time: clock,
  version: '0.1.0',
  documentation: '',
  loadValues: failing,
})
/** Each frame that is measured loads what it was given. */
async function measure() {
  await act(async () => {
    await vi.dynamicImportSettled()
  })
  for (;;) {
    const frame = document.querySelector<HTMLIFrameElement>('iframe[sandbox=allow-same-origin]')
    if (!frame) return
    const read = document.implementation.createHTMLDocument()
    read.body.innerHTML = new DOMParser().parseFromString(frame.srcdoc, 'text/html').body.innerHTML
    Object.defineProperty(read, 'defaultView', { value: view })
    Object.defineProperties(read.documentElement, {
      scrollWidth: { value: 500 },
      scrollHeight: { value: 90 },
    })
    Object.defineProperty(frame, 'contentDocument', { value: read, configurable: true })
    act(() => {
      frame.dispatchEvent(new CustomEvent('load'))
    })
  }
}
/** Draws the design of a signature or block whose acts are done. */
async function open({
  document: drawn = shared,
  id = 'a',
  events = [],
}: Partial<{ document: ReleaseDocument; id: string; events: readonly AdministrationEvent[] }> = {}) {
  log = [
    ...at(blocksOf(drawn).some((each) => each.id === id) ? blockPath(id) : signaturePath(id)),
    Planning.draftRestored({ draft: null }),
    Planning.draftBegun({ draft: draftOf({ document: drawn }), findings: [] }),
    Planning.personRead({ person: alex }),
    ...events,
  ]
  state$ = new BehaviorSubject(administrationStateAfter(...log))
  await render(
    <AdministrationProvider value={provided()}>
      <Page id={id} />
    </AdministrationProvider>,
  )
  act(() => {
    for (const tell of [...approached]) tell()
    clock.advance(80)
  })
  await measure()
  act(() => {
    for (const tell of [...resized.keys()]) tell()
  })
  await measure()
  recorded.length = 0
}

const tree = () => document.querySelector<HTMLElement>('[role=tree]') ?? expect.fail('There is no tree')
const items = () => all('[role=treeitem]')
const names = () => items().map((item) => item.getAttribute('aria-label'))
const active = () => document.getElementById(tree().getAttribute('aria-activedescendant') ?? '')
const activeName = () => active()?.getAttribute('aria-label') ?? null
const itemNamed = (name: string) => items()[names().indexOf(name)] ?? expect.fail(`There is no item ${name}`)
async function key(name: string, more: KeyboardEventInit = {}) {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })
  act(() => {
    tree().dispatchEvent(event)
  })
  await measure()
  return event.defaultPrevented
}
async function click(name: string) {
  act(() => {
    itemNamed(name).dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: 7, clientY: 9 }))
  })
  await measure()
}
async function pressed(name: string) {
  press(name)
  await measure()
}
/** The button of a list of choices. */
const picker = (name: string) =>
  all('button').find((each) => /^[^:]*/.exec(each.getAttribute('aria-label') ?? '')?.[0] === name) ??
  expect.fail(`There is no list ${name}`)
async function pick(name: string, choice: string) {
  act(() => picker(name).click())
  act(() => {
    const found = all(`ul[aria-label="${name}"] button`).find(({ textContent }) =>
      textContent.startsWith(choice),
    )
    if (!found) throw new Error(`There is no choice ${choice}`)
    found.click()
  })
  await measure()
}
/** A browser reports the chosen colour when its picker is closed. */
async function closePicker(element: HTMLElement) {
  act(() => {
    element.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await measure()
}
const text = (path = A) => state$.value.plan.draft?.document.templates[path]
const templates = () => state$.value.plan.draft?.document.templates
const design = () => state$.value.plan.design
const placeOf = (source: string, path = A, within = text(path) ?? ''): SourcePlace => {
  const from = within.indexOf(source)
  return { path, from, to: from + source.length }
}
const selected = (source: string, path = A) =>
  Designing.selected({ place: placeOf(source, path, shared.templates[path]) })
const reported = () => all('[role=status] span').map((each) => each.textContent)
/** The document of the shown frame. */
const sealed = () => document.querySelector<HTMLIFrameElement>('iframe[sandbox=""]')?.srcdoc
const dialog = () => outline(document.querySelector('dialog'))

const NAMES = [
  'Paragraph: Kind regards',
  'Words: Kind regards',
  'Paragraph: +49 30 5550 Logo',
  'Words: +49 30 5550',
  'Picture: Logo',
  'Shared part “legal”',
  'Words: Northwind Ltd',
]

describe('the tree of what a signature shows', () => {
  test('names each drawn item, with its level and place, and is one stop of Tab [EDIT-9]', async () => {
    await open()
    expect(tree().getAttribute('aria-label')).toBe('What the signature shows')
    expect(
      items().map((item) =>
        ['label', 'level', 'posinset', 'setsize'].map((each) => item.getAttribute(`aria-${each}`)),
      ),
    ).toEqual([
      [NAMES[0], '1', '1', '3'],
      [NAMES[1], '2', '1', '1'],
      [NAMES[2], '1', '2', '3'],
      [NAMES[3], '2', '1', '2'],
      [NAMES[4], '2', '2', '2'],
      [NAMES[5], '1', '3', '3'],
      [NAMES[6], '2', '1', '1'],
    ])
    expect(tree().tabIndex).toBe(0)
    expect(items().filter((item) => item.hasAttribute('tabindex'))).toEqual([])
    expect(itemNamed('Words: Kind regards').style).toMatchObject({ left: '0px', top: '5px', width: '120px' })
  })

  test('has what is drawn without words, such as a line across', async () => {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({
      ...{ left: 0, top: 60, width: 300, height: 2 },
    } as DOMRect)
    await open({
      document: { ...shared, templates: { ...shared.templates, [A]: '<p>Kind regards</p><hr>' } },
    })
    expect(names()).toEqual(['Paragraph: Kind regards', 'Words: Kind regards', 'Line across'])
    expect(itemNamed('Line across').style).toMatchObject({ top: '60px', width: '300px' })
  })

  test('selects the first item when it takes the focus, and keeps a selection [EDIT-9]', async () => {
    await open()
    act(() => tree().focus())
    await measure()
    expect([activeName(), active()?.getAttribute('aria-selected')]).toEqual([NAMES[0], 'true'])
    act(() => tree().blur())
    await key('End')
    act(() => tree().focus())
    expect(activeName()).toBe(NAMES[6])
    expect(items().filter((item) => item.getAttribute('aria-selected') === 'true')).toHaveLength(1)
  })

  test('is walked through with the arrows, Home and End [EDIT-9]', async () => {
    await open()
    const walked: (string | null)[] = []
    for (const name of [
      ...['Home', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp'],
      ...['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'End', 'ArrowDown'],
    ]) {
      expect(await key(name)).toBe(true)
      walked.push(activeName())
    }
    expect(walked).toEqual([0, 1, 2, 3, 3, 2, 1, 0, 0, 0, 6, 6].map((index) => NAMES[index]))
    expect(await key('Tab')).toBe(false)
    expect(await key('x')).toBe(false)
  })

  test('goes to the parent with Escape, and then to nothing [EDIT-9]', async () => {
    await open({ events: [selected('Kind regards')] })
    await key('Escape')
    expect(activeName()).toBe(NAMES[0])
    await key('Escape')
    expect([activeName(), design().selection]).toEqual([null, null])
    expect(await key('Escape')).toBe(false)
  })

  test('is walked through past a part that is shown twice [EDIT-9]', async () => {
    const twice = '{{> legal}}<p>Kind regards</p>{{> legal}}<p>End</p>'
    await open({ document: { ...shared, templates: { ...shared.templates, [A]: twice } } })
    await key('Home')
    const walked = [activeName()]
    for (let count = 1; count < names().length; count++) {
      await key('ArrowDown')
      walked.push(activeName())
    }
    expect(walked.at(-1)).toBe('Words: End')
    for (let count = 1; count < names().length; count++) await key('ArrowUp')
    expect(activeName()).toBe(walked[0])
  })

  test('changes the selected item with the keys, and says what was done [EDIT-9]', async () => {
    await open({ events: [selected('<p>Kind regards</p>')] })
    await key('ArrowDown', { altKey: true })
    expect(text()).toBe(`<p>{{phone}} ${PICTURE}</p><p>Kind regards</p>{{> legal}}`)
    expect([activeName(), reported()]).toEqual(['Paragraph: Kind regards', ['Moved.']])
    await key('ArrowUp', { altKey: true })
    expect(text()).toBe(TEXT)
    await key('d', { ctrlKey: true })
    expect(text()).toBe(`<p>Kind regards</p>${TEXT}`)
    await key('Delete')
    expect(text()).toBe(TEXT)
    await key('z', { ctrlKey: true })
    expect(text()).toBe(`<p>Kind regards</p>${TEXT}`)
    expect(reported()).toEqual(['Undone.'])
    await key('Z', { metaKey: true, shiftKey: true })
    expect([text(), reported()]).toEqual([TEXT, ['Done again.']])
    await key('z', { ctrlKey: true })
    await key('y', { ctrlKey: true })
    expect(text()).toBe(TEXT)
    expect(await key('a', { ctrlKey: true })).toBe(false)
    expect(await key('Home', { altKey: true })).toBe(false)
  })

  test('finds the places of words once the signature is drawn, and sanitises it once for that', async () => {
    await open({ events: [selected('<p>Kind regards</p>')] })
    markedSanitised = 0
    act(() => {
      tree().dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }))
    })
    expect(sealed()).not.toContain('Kind regards')
    expect(markedSanitised).toBe(0)
    await measure()
    expect(markedSanitised).toBe(1)
    expect(names()).toEqual(NAMES.slice(2))
  })

  test('changes nothing with the keys while nothing is selected', async () => {
    await open()
    for (const [name, more] of [
      ['Delete', {}],
      ['d', { ctrlKey: true }],
      ['ArrowDown', { altKey: true }],
      ['Enter', {}],
      ['+', {}],
    ] as const)
      expect(await key(name, more)).toBe(false)
    expect([recorded, text()]).toEqual([[], TEXT])
  })

  test.each([
    ['b', 'font-weight:bold'],
    ['I', 'font-style:italic'],
    ['u', 'text-decoration:underline'],
  ])('styles the selected words with Ctrl+%s', async (letter, style) => {
    await open({ events: [selected('Kind regards')] })
    expect(await key(letter, { ctrlKey: true })).toBe(true)
    expect(text()).toContain(style)
    await key(letter, { ctrlKey: true, shiftKey: true })
    await key(letter)
    expect(recorded).toHaveLength(1)
  })

  test('keeps the browser from its own Ctrl+B where no words are selected', async () => {
    await open({ events: [selected(PICTURE)] })
    expect(await key('b', { ctrlKey: true })).toBe(true)
    expect(recorded).toEqual([])
  })

  test('begins to type in words with Enter, and inserts with + [EDIT-9]', async () => {
    await open({ events: [selected(PICTURE)] })
    await key('+')
    expect(dialog()[0]).toBe('## Add below')
    await pressed('Close')
    await key('ArrowUp')
    await key('Enter')
    expect(recorded.at(-1)).toEqual(Designing.typingBegan({ place: placeOf('{{phone}}') }))
  })

  test('goes to the panel with Enter from an element without words [EDIT-9]', async () => {
    await open({ events: [selected(PICTURE)] })
    expect(await key('Enter')).toBe(true)
    expect(document.activeElement).toBe(document.querySelector('aside'))
    expect(recorded).toEqual([])
  })

  test('selects what is clicked, and begins to type in clicked words', async () => {
    await open()
    await click('Picture: Logo')
    expect(recorded).toEqual([selected(PICTURE)])
    expect(document.activeElement).toBe(tree())
    await click('Words: Kind regards')
    expect(recorded.slice(1)).toEqual([
      selected('Kind regards'),
      Designing.typingBegan({ place: placeOf('Kind regards') }),
    ])
    expect(all('*').filter(({ shadowRoot }) => shadowRoot !== null)).toHaveLength(1)
  })

  test('moves the selected item to the side of a sibling on which it is dropped, and to no other item', async () => {
    const dataTransfer = {
      types: new Array<string>(),
      dropEffect: 'none',
      setData: (kind: string) => void dataTransfer.types.push(kind),
    }
    const drag = async (type: string, name: string, clientY: number) => {
      const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientY })
      Object.assign(event, { dataTransfer })
      act(() => {
        itemNamed(name).dispatchEvent(event)
      })
      await measure()
      return [event.defaultPrevented, all('[data-drop]').map((item) => item.dataset['drop'])]
    }
    await open({ events: [selected('<p>Kind regards</p>')] })
    expect(items().map((item) => item.getAttribute('draggable'))).toEqual(
      NAMES.map((_, index) => String(index < 2)),
    )
    // A file or selected text over the surface moves nothing.
    dataTransfer.types = ['Files', 'text/plain']
    expect(await drag('dragover', 'Words: +49 30 5550', 5)).toEqual([false, []])
    expect(await drag('drop', 'Words: +49 30 5550', 5)).toEqual([false, []])
    dataTransfer.types = []
    await drag('dragstart', 'Paragraph: Kind regards', 0)
    // The items have no height here: they are before or after the line at 0.
    // The words under the pointer stand for the paragraph around them.
    expect(await drag('dragover', 'Words: +49 30 5550', 5)).toEqual([true, ['after']])
    expect(dataTransfer.dropEffect).toBe('move')
    await drag('dragend', 'Paragraph: Kind regards', 0)
    expect(await drag('dragover', 'Paragraph: +49 30 5550 Logo', -5)).toEqual([false, []])
    expect(await drag('dragover', 'Paragraph: +49 30 5550 Logo', 5)).toEqual([true, ['after']])
    expect(await drag('dragend', 'Paragraph: Kind regards', 0)).toEqual([false, []])
    await drag('dragover', 'Shared part “legal”', 5)
    expect(await drag('drop', 'Shared part “legal”', 5)).toEqual([true, []])
    expect(text()).toBe(TEXT.replace('<p>Kind regards</p>', '') + '<p>Kind regards</p>')
    expect(await drag('dragover', 'Paragraph: +49 30 5550 Logo', -5)).toEqual([true, ['before']])
    await drag('drop', 'Paragraph: +49 30 5550 Logo', -5)
    expect(text()).toBe(TEXT)
  })

  test('says that a value is missing where the selected item is not drawn, and shows it on request', async () => {
    const lacking = '{{#if fax}}<p>{{fax}}</p>{{/if}}'
    const templates = { ...shared.templates, [A]: TEXT + lacking }
    const variables = [...shared.variables, variableOf('fax', { from: 'faxNumber' })]
    const place = placeOf(lacking, A, templates[A])
    await open({ document: { ...shared, templates, variables }, events: [Designing.selected({ place })] })
    const isSaid = () => outline(document.body).join().includes('not shown for this person')
    expect([isSaid(), names()]).toEqual([true, NAMES])
    await pressed('Bold')
    expect([text()?.includes('<p style="font-weight:bold">{{fax}}'), isSaid()]).toEqual([true, true])
    await pressed('Show it')
    expect([isSaid(), names()]).toEqual([false, [...NAMES, 'Paragraph: Fax', 'Words: Fax']])
    await click('Paragraph: Kind regards')
    expect(isSaid()).toBe(false)
  })

  test('has nothing selected after a click beside the items', async () => {
    await open({ events: [selected(PICTURE)] })
    act(() => document.querySelector<HTMLElement>('[role=region]')?.click())
    expect(design().selection).toBeNull()
  })

  test('cannot select what is drawn otherwise than it is marked [EDIT-6]', async () => {
    await open()
    expect(items()).toHaveLength(7)
    await open({ document: { ...shared, templates: { ...shared.templates, [A]: '' } } })
    expect(all('[role=treeitem]')).toEqual([])
  })
})

describe('the name of an item', () => {
  const HOUSE =
    '<table><tr><td><a href="x"><img src="{{picture logo.png}}" alt=""></a></td><td><p><a href="y">{{phone}} and many more words</a></p></td></tr></table>'
  const house = (source: string) => ({
    document: { ...shared, templates: { ...shared.templates, [A]: HOUSE } },
    events: [Designing.selected({ place: placeOf(source, A, HOUSE) })],
  })
  const way = () => outline(document.querySelector('aside nav'))

  test('is its kind with its first words, and a column has its number', async () => {
    await open(house('{{phone}} and many more words'))
    expect(names()).toEqual([
      'Table: logo.png +49 30 5550 and…',
      'Column 1: logo.png',
      'Link: logo.png',
      'Picture: logo.png',
      'Column 2: +49 30 5550 and many…',
      'Link: +49 30 5550 and many…',
      'Words: +49 30 5550 and many more words',
    ])
  })

  test('is on the way to it without the wrappers between it and the outermost one', async () => {
    await open(house('{{phone}} and many more words'))
    expect(way()).toEqual([
      '[Table: logo.png +49 30 5550 and…]',
      '[Column 2: +49 30 5550 and many…]',
      'Words: +49 30 5550 and many…',
    ])
  })

  test('stays while other words are typed, and follows them at once', async () => {
    await open({ events: [selected('Kind regards')] })
    await key('Enter')
    act(() =>
      record(
        Designing.typed({
          path: A,
          edits: [{ from: 3, to: 7, insert: 'Best' }],
          selected: { from: 3, to: 15 },
        }),
      ),
    )
    await measure()
    expect(way()).toEqual(['[Paragraph: Best regards]', 'Words: Best regards'])
  })

  test('is that of the copy after a copy', async () => {
    await open({ events: [selected('<p>Kind regards</p>')] })
    await pressed('Duplicate')
    expect([way(), design().selection?.from]).toEqual([['Paragraph: Kind regards'], 19])
    expect(activeName()).toBe('Paragraph: Kind regards')
  })
})

describe('a change of a shared part', () => {
  const events = [selected('{{legal_line}}', LEGAL)]
  const copied = {
    place: placeOf('{{legal_line}}', LEGAL, shared.templates[LEGAL]),
    act: { kind: 'copy' },
  } as const

  test('names the other signatures, and changes all of them after that answer, once [EDIT-8]', async () => {
    await open({ events })
    expect(outline(document.querySelector('aside'))).toContain(
      `2 signatures and banners share this. File: ${LEGAL}`,
    )
    await pressed('Duplicate')
    expect(dialog()).toEqual([
      '## Other signatures have this, too',
      '[Close]',
      'It is also in: Sales.',
      '“Only here” gives this signature its own copy. The others stay as they are.',
      '[Only here][Change it in all 2]',
    ])
    expect(recorded).toEqual([])
    await pressed('Change it in all 2')
    expect(recorded).toEqual([Designing.everywhereChosen({ path: LEGAL }), actedIn(shared, copied)])
    expect([text(), text(LEGAL) === shared.templates[LEGAL], dialog()]).toEqual([TEXT, false, []])
    await pressed('Duplicate')
    expect([recorded.length, dialog()]).toEqual([3, []])
  })

  test('is kept to this signature after that answer [EDIT-8]', async () => {
    await open({ events })
    await pressed('Duplicate')
    await pressed('Only here')
    expect(recorded).toEqual([actedIn(shared, { ...copied, within: A })])
    expect(templates()).toEqual({
      ...shared.templates,
      [A]: TEXT.replace('{{> legal}}', '<i>{{legal_line}}<br>{{legal_line}}</i>'),
    })
  })

  test('is asked about with the focus on the question, so that the key that asked does not answer', async () => {
    const document_ = { ...shared, templates: { ...shared.templates, [LEGAL]: PICTURE } }
    await open({
      document: document_,
      events: [Designing.selected({ place: placeOf(PICTURE, LEGAL, PICTURE) })],
    })
    fill(field('What the picture says'), 'Anchor')
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
    act(() => {
      field('What the picture says').dispatchEvent(enter)
    })
    expect([dialog()[0], enter.defaultPrevented]).toEqual(['## Other signatures have this, too', true])
    expect(document.activeElement?.textContent).toContain('It is also in: Sales.')
    expect(document.activeElement?.tagName).toBe('DIV')
  })

  test('is not done when the question is closed [EDIT-8]', async () => {
    await open({ events })
    await pressed('Duplicate')
    await pressed('Close')
    expect([recorded, dialog(), text(LEGAL)]).toEqual([[], [], shared.templates[LEGAL]])
  })

  test('cannot be kept to a signature whose template does not include the part itself [EDIT-8]', async () => {
    const banner = block()
    const document = withTheseBlocks(
      { ...shared, templates: { ...shared.templates, [A]: '<p>{{phone}}</p>{{block banner}}' } },
      [banner],
    )
    const templates = { ...document.templates, [banner.template]: '<p>Fair</p>{{> legal}}' }
    await open({ document: { ...document, templates }, events })
    await pressed('Duplicate')
    expect(dialog().at(-1)).toMatch(/^\[Change it in all \d\]$/)
  })

  test('is not asked about where only this signature has the part', async () => {
    await open({
      document: { ...shared, templates: { ...shared.templates, 'templates/b.html': '<p>Ana</p>' } },
      events,
    })
    await pressed('Duplicate')
    expect([dialog(), recorded]).toEqual([[], [actedIn(shared, copied)]])
  })

  test('is asked about for a template that is also the reply of another signature [EDIT-8]', async () => {
    await open({
      document: { ...shared, signatures: releaseDocument.signatures },
      events: [selected(PICTURE)],
    })
    await pressed('Duplicate')
    expect(dialog().slice(2)).toEqual(['It is also in: Sales.', '[Change it in all 2]'])
  })
})

describe('the bar', () => {
  const toggle = (name: string) => button(name)
  const control = (name: string) =>
    document.querySelector<HTMLElement>(`[role=toolbar] [aria-label="${name}"]`) ??
    expect.fail(`There is no ${name}`)

  test('is off without words, except for undo and redo', async () => {
    await open({ events: [selected(PICTURE)] })
    for (const name of ['Bold', 'Italic', 'Underline', 'Colour of the brand: Navy', 'Undo', 'Redo']) {
      expect(toggle(name).getAttribute('aria-disabled')).toBe('true')
      await pressed(name)
    }
    expect(control('Another colour').hasAttribute('disabled')).toBe(true)
    for (const name of ['Font', 'Size']) {
      expect(toggle(name).getAttribute('aria-disabled')).toBe('true')
      await pressed(name)
      expect(toggle(name).getAttribute('aria-expanded')).toBe('false')
    }
    expect(all('[aria-label="Font"], [aria-label="Size"]').map(({ textContent }) => textContent)).toEqual([
      'Font▾',
      'Size▾',
    ])
    expect(recorded).toEqual([])
  })

  test.each([
    ['Bold', 'font-weight', 'bold'],
    ['Italic', 'font-style', 'italic'],
    ['Underline', 'text-decoration', 'underline'],
    ['Colour of the brand: Navy', 'color', '#1f3a5f'],
  ] as const)('styles the words by %s', async (name, property, value) => {
    await open({ events: [selected('Kind regards')] })
    expect(toggle(name).getAttribute('aria-disabled')).toBeNull()
    await pressed(name)
    expect(recorded).toEqual([
      actedIn(shared, {
        place: placeOf('Kind regards', A, TEXT),
        act: { kind: 'style', property, value },
      }),
    ])
    expect(text()).toContain(`${property}:${value}`)
    expect(reported()).toHaveLength(1)
    await pressed('Undo')
    expect(text()).toBe(TEXT)
    await pressed('Redo')
    expect(text()).not.toBe(TEXT)
  })

  test('styles the words by another colour', async () => {
    await open({ events: [selected('Kind regards')] })
    fill(control('Another colour'), '#00aa00')
    fill(control('Another colour'), '#aa0000')
    expect([recorded, control('Another colour').getAttribute('value')]).toEqual([[], '#aa0000'])
    await closePicker(control('Another colour'))
    expect([recorded.length, text()?.includes('color:#aa0000')]).toEqual([1, true])
  })

  test.each([
    ['Font', 'Verdana', 'font-family:Verdana'],
    ['Size', '20 px', 'font-size:20px'],
  ] as const)('styles the words by %s, when it is chosen in the list', async (name, chosen, style) => {
    await open({ events: [selected('Kind regards')] })
    await pick(name, chosen)
    expect(recorded).toHaveLength(1)
    expect(text()).toContain(style)
    expect(document.activeElement).toBe(picker(name))
    expect(all('[role=toolbar] li')).toEqual([])
  })

  test('only moves in a list with the keys, and closes it with Escape or when the focus leaves', async () => {
    await open({ events: [selected('Kind regards')] })
    press(picker('Font').getAttribute('aria-label') ?? '')
    const focused = () => document.activeElement?.textContent
    const type = (key: string) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      act(() => {
        document.activeElement?.dispatchEvent(event)
      })
      return event.defaultPrevented
    }
    const walked: unknown[] = []
    for (const name of ['End', 'ArrowDown', 'Home', 'ArrowUp', 'ArrowDown', 't', 't', 'x']) {
      expect(type(name)).toBe(true)
      walked.push(focused())
    }
    const [first, second] = ['Source Sans 3', 'Arial']
    expect(walked).toEqual([
      ...['Verdana', 'Verdana', first, first, second],
      ...['Tahoma', 'Times New Roman', 'Times New Roman'],
    ])
    expect([type(' '), type('Enter')]).toEqual([false, false])
    type('Escape')
    expect([all('[role=toolbar] li'), document.activeElement]).toEqual([[], picker('Font')])
    press(picker('Font').getAttribute('aria-label') ?? '')
    act(() => tree().focus())
    expect([all('[role=toolbar] li'), recorded]).toEqual([[], []])
  })

  test('is one stop of Tab, and the arrow keys lead through it', async () => {
    await open({ events: [selected('Kind regards')] })
    const controls = all('[role=toolbar] button, [role=toolbar] input')
    const stops = () => controls.filter(({ tabIndex }) => tabIndex === 0)
    const go = (name: string) =>
      act(() => {
        const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      })
    expect(stops()).toEqual([control('Undo')])
    act(() => control('Undo').focus())
    for (const [name, index] of [
      ['ArrowRight', 1],
      ['ArrowDown', 1],
      ['End', controls.length - 1],
      ['ArrowRight', 0],
      ['ArrowLeft', controls.length - 1],
      ['Home', 0],
    ] as const) {
      go(name)
      expect([controls.indexOf(document.activeElement as HTMLElement), stops()]).toEqual([
        index,
        [controls[index]],
      ])
    }
  })

  test('offers the fonts of the brand first', async () => {
    await open({ events: [selected('Kind regards')] })
    const font = picker('Font').getAttribute('aria-label') ?? ''
    press(font)
    expect(
      all('[role=toolbar] li')
        .map(({ textContent }) => textContent)
        .slice(0, 2),
    ).toEqual(['Source Sans 3', 'Arial'])
    press(font)
  })

  test('links the words to a typed address, and removes the link', async () => {
    await open({ events: [selected('Kind regards')] })
    await pressed('Link')
    fill(field('Address'), 'not an address')
    const use = () => all('dialog button').find(({ textContent }) => textContent === 'Link')
    act(() => use()?.click())
    expect(dialog().join()).toContain('Address, invalid')
    expect(recorded).toEqual([])
    fill(field('Address'), 'www.northwind.example')
    act(() => use()?.click())
    await measure()
    expect(text()).toContain('<a href="https://www.northwind.example">Kind regards</a>')
    expect(dialog()).toEqual([])
    await pressed('Link')
    await pressed('Remove the link')
    expect(text()).toBe(TEXT)
  })

  test('links to a value of the person', async () => {
    await open({ events: [selected(PICTURE)] })
    await pressed('Link')
    fill(field('Where the link leads'), 'tel')
    fill(field('Value of the person'), 'phone')
    act(() =>
      all('dialog button')
        .findLast(({ textContent }) => textContent === 'Link')
        ?.click(),
    )
    await measure()
    expect(text()).toContain(`<a href="tel:{{tel phone}}">${PICTURE}</a>`)
  })
})

describe('the panel', () => {
  const act$ = (event: AdministrationGesture | undefined) =>
    event?.type === 'design/acted' ? event.data.act : expect.fail('no act')

  test('says how to begin, and inserts into what is empty', async () => {
    await open({ document: { ...shared, templates: { ...shared.templates, [A]: '' } } })
    expect(outline(document.querySelector('aside'))[0]).toMatch(/^Click on something/)
    await pressed('Add an element')
    await pressed('TextWords that everyone has')
    expect(text()).toContain('New text')
  })

  test('says where the item is, and leads to what contains it', async () => {
    await open({ events: [selected(PICTURE)] })
    expect(outline(document.querySelector('aside nav'))).toEqual([
      '[Paragraph: +49 30 5550 Logo]',
      'Picture: Logo',
    ])
    await pressed('Paragraph: +49 30 5550 Logo')
    expect(activeName()).toBe('Paragraph: +49 30 5550 Logo')
  })

  test('moves the item, up to the ends', async () => {
    await open({ events: [selected('<p>Kind regards</p>')] })
    const isOff = (name: string) => button(name).getAttribute('aria-disabled') === 'true'
    expect([isOff('Move up'), isOff('Move down')]).toEqual([true, false])
    await pressed('Move up')
    expect(text()).toBe(TEXT)
    await pressed('Move down')
    await pressed('Move down')
    expect([isOff('Move up'), isOff('Move down')]).toEqual([false, true])
    expect(text()?.endsWith('{{> legal}}<p>Kind regards</p>')).toBe(true)
    await pressed('Move up')
    await pressed('Remove')
    expect(text()).toBe(TEXT.replace('<p>Kind regards</p>', ''))
  })

  test('shows another value, and shows it always or only with a value', async () => {
    await open({ events: [selected('{{phone}}')] })
    expect(picker('Shows the value').textContent).toBe('Phone▾')
    await pick('Shows the value', 'Legal line')
    expect(text()).toContain('{{legal_line}}')
    await pick('When it is shown', 'Only with a value: Legal line')
    expect(text()).toContain('{{#if legal_line}}{{legal_line}}{{/if}}')
    expect(picker('When it is shown').textContent).toBe('Only with a value: Legal line▾')
    await pick('When it is shown', 'Always')
    expect(text()).toBe(TEXT.replace('{{phone}}', '{{legal_line}}'))
  })

  test('leaves what depends on a value in two ways to the source', async () => {
    const both = '<p>{{#if phone}}{{phone}}{{else}}None{{/if}}</p>'
    await open({
      document: { ...shared, templates: { ...shared.templates, [A]: both } },
      events: [Designing.selected({ place: placeOf('{{#if phone}}{{phone}}{{else}}None{{/if}}', A, both) })],
    })
    expect(outline(document.querySelector('aside')).join()).toContain('This shows one thing or another')
  })

  test('gives a picture a width, with its ratio, and another text', async () => {
    await open({ events: [selected(PICTURE)] })
    const width = field('Width in pixels')
    expect(width.value).toBe('80')
    fill(width, '120')
    expect(recorded).toEqual([])
    act(() => {
      width.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    })
    await measure()
    expect(act$(recorded[0])).toEqual({ kind: 'size', width: 120, height: 60 })
    for (const wrong of ['', '0', '1201', '120']) {
      fill(field('Width in pixels'), wrong)
      act(() => {
        field('Width in pixels').dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
      })
    }
    expect(recorded).toHaveLength(1)
    expect(field('Width in pixels').value).toBe('120')
    fill(field('What the picture says'), 'Northwind "N" ')
    act(() => {
      field('What the picture says').dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
    })
    await measure()
    expect(act$(recorded[1])).toEqual({ kind: 'alternative', text: 'Northwind "N"' })
  })

  test('exchanges a picture for a logo of the brand, or another picture', async () => {
    await open({ events: [selected(PICTURE)] })
    expect(all('aside button').filter(({ textContent }) => textContent === 'Use the logo logo.png')).toEqual(
      [],
    )
    await pressed('Use the logo other.png')
    expect(text()).toContain('{{picture other.png}}')
    await pressed('Replace the picture')
    act(() => document.querySelector<HTMLInputElement>('dialog [type=radio]')?.click())
    await pressed('Use this picture')
    expect(text()).toContain('{{picture logo.png}}')
    expect(dialog()).toEqual([])
  })

  test('links a picture in place of attaching it, unless all are linked', async () => {
    const label = 'Link the picture instead of attaching it'
    await open({ events: [selected(PICTURE)] })
    await act(async () => field(label).click())
    await measure()
    expect(act$(recorded[0])).toEqual({ kind: 'linkedPicture', isLinked: true })
    expect(text()).toContain('{{picture logo.png linked}}')
    await pressed('Use the logo other.png')
    expect(text()).toContain('{{picture other.png linked}}')
    await act(async () => field(label).click())
    await measure()
    expect(text()).toContain('{{picture other.png}}')
    await open({ document: { ...shared, linked: true }, events: [selected(PICTURE)] })
    const panel = document.querySelector('aside')?.textContent
    expect(panel).not.toContain(label)
    expect(panel).toContain('No picture is attached')
  })

  test('gives a paragraph room, a background, a line and an alignment', async () => {
    await open({ events: [selected('<p>Kind regards</p>')] })
    const leave = async (label: string, value: string) => {
      fill(field(label), value)
      act(() => {
        field(label).dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
      })
      await measure()
    }
    await pick('Alignment', 'Centred')
    await leave('Space below, in pixels', '12')
    fill(field('Background'), '#f4efe6')
    await closePicker(field('Background'))
    fill(field('Line at'), 'top')
    await leave('Width of the line in pixels, 0 for none', '2')
    expect(recorded.map(act$)).toEqual([
      { kind: 'align', to: 'center' },
      { kind: 'room', side: 'bottom', px: 12 },
      { kind: 'background', colour: '#f4efe6' },
      { kind: 'border', side: 'top', px: 2, colour: '#1f3a5f' },
    ])
    expect([
      picker('Alignment').textContent,
      field('Space below, in pixels').value,
      field('Background').value,
      field('Width of the line in pixels, 0 for none').value,
      field('Colour of the line').value,
    ]).toEqual(['Centred▾', '12', '#f4efe6', '2', '#1f3a5f'])
    await pressed('No background')
    expect(field('Background').value).toBe('#ffffff')
    fill(field('Colour of the line'), '#aa0000')
    await closePicker(field('Colour of the line'))
    expect(act$(recorded.at(-1))).toEqual({ kind: 'border', side: 'top', px: 2, colour: '#aa0000' })
  })

  test('leads to the source of the item', async () => {
    await open({ events: [selected(PICTURE)] })
    await pressed('Edit in the source')
    expect([recorded, sources]).toEqual([[Planning.wordChosen(placeOf(PICTURE))], 1])
  })
})

describe('what can be inserted', () => {
  const choose = async (name: string) => {
    const found = all('dialog button').find(({ textContent }) => textContent.startsWith(name))
    act(() => found?.click())
    await measure()
  }
  const inserted = () => {
    const event = recorded.findLast(({ type }) => type === 'design/acted')
    return event?.type === 'design/acted' && event.data.act.kind === 'insert'
      ? [event.data.act.where, event.data.act.element]
      : null
  }
  const begin = async (where = 'Add above') => {
    await open({ events: [selected('<p>Kind regards</p>')] })
    await pressed(where)
  }

  test.each([
    ['Text', { kind: 'text', text: 'New text' }],
    ['Line across', { kind: 'divider', colour: '#c8c8c8' }],
    ['Space', { kind: 'space', height: 12 }],
    ['Two columns', { kind: 'columns', texts: ['New text', 'New text'] }],
  ])('is %s at once', async (name, element) => {
    await begin()
    await choose(name)
    expect([inserted(), dialog()]).toEqual([['before', element], []])
    expect(text()).not.toBe(TEXT)
    expect(reported()).toHaveLength(1)
  })

  test('is a text that is typed at once, with all of its words selected', async () => {
    await begin()
    await choose('Text')
    const at = text()?.indexOf('New text') ?? -1
    expect(recorded.at(-1)).toEqual(Designing.typingBegan({ place: { path: A, from: at, to: at + 8 } }))
    expect(design().typing?.place.from).toBe(at)
  })

  test('is a line with a value of the person', async () => {
    await begin('Add below')
    await choose('Line with a value')
    await choose('Phone')
    expect(inserted()).toEqual(['after', { kind: 'valueLine', name: 'phone' }])
  })

  test('is a button when it has a text and an address', async () => {
    await begin()
    await choose('Button')
    await choose('Insert')
    expect(dialog().filter((line) => line.includes('invalid'))).toHaveLength(2)
    expect(inserted()).toBeNull()
    fill(field('Text on the button'), ' Book a meeting ')
    fill(field('Address'), 'northwind.example/book')
    await choose('Insert')
    expect(inserted()).toEqual([
      'before',
      {
        kind: 'button',
        text: 'Book a meeting',
        address: 'https://northwind.example/book',
        colour: '#1f3a5f',
      },
    ])
  })

  test('is a QR code of an address or of the card', async () => {
    await begin()
    await choose('QR code')
    fill(field('Address in the code'), 'no address')
    await choose('Insert')
    expect(inserted()).toBeNull()
    fill(field('Address in the code'), '')
    await choose('Insert')
    expect(inserted()).toEqual(['before', { kind: 'code', address: null, alternative: 'QR code' }])
  })

  test('is a picture of the draft, with what it says', async () => {
    await begin('Add below')
    await choose('Picture')
    fill(field('What the picture says'), ' Our logo ')
    act(() => document.querySelector<HTMLInputElement>('dialog [type=radio]')?.click())
    await pressed('Use this picture')
    expect(inserted()).toEqual([
      'after',
      { kind: 'picture', path: 'logo.png', alternative: 'Our logo', width: 1, height: 1 },
    ])
    expect(dialog()).toEqual([])
  })

  test('is a row of links to social networks', async () => {
    await begin()
    await choose('Social networks')
    fill(field('LinkedIn'), 'linkedin.example/northwind')
    await choose('Insert')
    expect(inserted()).toEqual([
      'before',
      {
        kind: 'social',
        links: [{ name: 'LinkedIn', address: 'https://linkedin.example/northwind', picture: null }],
      },
    ])
    expect(dialog()).toEqual([])
  })

  test('is a place for banners that the template does not have', async () => {
    const withSlot = withTheseBlocks(shared, [block()])
    await open({ document: withSlot, events: [selected('<p>Kind regards</p>')] })
    await pressed('Add above')
    await choose('Place for banners')
    await choose('banner')
    expect(inserted()).toEqual(['before', { kind: 'slot', name: 'banner' }])
    await pressed('Add above')
    await choose('Place for banners')
    expect(dialog().join()).toContain('This template already has a place for every block.')
  })

  test('goes before the legal text when nothing is selected', async () => {
    await open()
    await pressed('Add an element')
    await choose('Line across')
    expect(text()).toMatch(/<\/p><table.*<\/table>{{> legal}}$/)
  })

  test('is nothing when the dialog is closed', async () => {
    await begin()
    await pressed('Close')
    expect([dialog(), text()]).toEqual([[], TEXT])
  })
})

describe('words that are typed', () => {
  const host = () => all('*').find(({ shadowRoot }) => shadowRoot !== null)
  const view = () => {
    const content = host()?.shadowRoot?.querySelector<HTMLElement>('.cm-content')
    return (content && EditorView.findFromDOM(content)) ?? expect.fail('There is no field')
  }
  const type = async (insert: string) => {
    act(() => {
      view().dispatch({ changes: { from: 0, insert } })
    })
    await measure()
  }

  test('are in the template as they are typed, one step for all', async () => {
    await open({ events: [selected('Kind regards')] })
    await key('Enter')
    expect(view().state.doc.toString()).toBe('Kind regards')
    await type('<')
    await type('&')
    expect(text()).toBe(TEXT.replace('Kind', '&amp;&lt;Kind'))
    expect(recorded.slice(1).map(({ type: of }) => of)).toEqual(['design/typed', 'design/typed'])
    expect(design().selection).toEqual(placeOf('&amp;&lt;Kind regards'))
    await pressed('Undo')
    expect([text(), design().typing]).toEqual([TEXT, null])
  })

  test('are typed within the condition that they depend on', async () => {
    const words = (typed: string) => `<p>{{#if phone}}${typed}T {{phone}}{{/if}}</p>`
    const document = { ...shared, templates: { ...shared.templates, [A]: words('') } }
    await open({
      document,
      events: [Designing.selected({ place: { path: A, from: 3, to: words('').length - 4 } })],
    })
    await key('Enter')
    await type('x')
    expect(text()).toBe(words('x'))
  })

  test('have what is typed before their field is loaded, where no key is a command', async () => {
    await open({ events: [selected('Kind regards')] })
    for (const pressed of ['Enter', '+', '1', 'Delete'])
      act(() => {
        tree().dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }))
      })
    expect(text()).toBe(TEXT)
    await measure()
    expect([text(), dialog()]).toEqual([TEXT.replace('regards', 'regards+1'), []])
  })

  test('end with Escape, which gives the focus back to the tree [EDIT-9]', async () => {
    await open({ events: [selected('Kind regards')] })
    await key('Enter')
    act(() => {
      runScopeHandlers(view(), new KeyboardEvent('keydown', { key: 'Escape' }), 'editor')
    })
    await measure()
    expect([design().typing, document.activeElement, activeName()]).toEqual([null, tree(), NAMES[1]])
    expect(recorded.at(-1)).toEqual(Designing.typingEnded())
  })

  test('end when the focus goes elsewhere, but not to the bar', async () => {
    await open({ events: [selected('Kind regards')] })
    await key('Enter')
    const leave = (to: Element) => {
      act(() => {
        host()?.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: to }))
      })
    }
    leave(button('Bold'))
    expect(design().typing).not.toBeNull()
    leave(button('Duplicate'))
    expect(design().typing).toBeNull()
  })

  describe('in a part that other signatures have', () => {
    const OWN = '<i>{{legal_line}}</i>'
    const begin = async (drawn: ReleaseDocument = shared) => {
      await open({ document: drawn, events: [selected('{{legal_line}}', LEGAL)] })
      await key('Enter')
    }
    const doc = () => view().state.doc.toString()

    test('are open without a question, which the first character asks', async () => {
      await begin()
      expect([dialog(), design().typing?.place]).toEqual([[], placeOf('{{legal_line}}', LEGAL)])
      expect(outline(document.querySelector('aside'))).toContain(
        `2 signatures and banners share this. File: ${LEGAL}`,
      )
      await type('x')
      expect(dialog()[0]).toBe('## Other signatures have this, too')
      expect([templates(), recorded.map(({ type: of }) => of)]).toEqual([
        shared.templates,
        ['design/typingBegan'],
      ])
    })

    test('are typed in the copy of this signature after that answer; no other byte changes', async () => {
      await begin()
      await type('x')
      await pressed('Only here')
      const changed = (words: string) => ({
        ...shared.templates,
        [A]: TEXT.replace('{{> legal}}', OWN.replace('{{', `${words}{{`)),
      })
      expect(templates()).toEqual(changed('x'))
      await type('y')
      expect([templates(), dialog()]).toEqual([changed('yx'), []])
      await pressed('Undo')
      expect(templates()).toEqual(shared.templates)
    })

    test('are typed in every copy that this signature shows', async () => {
      const twice = { ...shared.templates, [A]: '{{> legal}}<hr>{{>legal}}' }
      await begin({ ...shared, templates: twice })
      await type('x')
      await pressed('Only here')
      await type('y')
      const own = OWN.replace('{{', 'yx{{')
      expect(templates()).toEqual({ ...twice, [A]: `${own}<hr>${own}` })
    })

    test('are typed in the copy in an attribute, too', async () => {
      const legal = '{{legal_line}}'
      const own = (words: string) => `${words}<img src="a.png" alt="${words}">`
      const plain = { ...shared.templates, [A]: own('{{> legal}}'), [LEGAL]: legal }
      await open({
        document: { ...shared, templates: plain },
        events: [Designing.selected({ place: { path: LEGAL, from: 0, to: legal.length } })],
      })
      await key('Enter')
      await type('x')
      await pressed('Only here')
      await type('y')
      expect(templates()).toEqual({ ...plain, [A]: own(`yx${legal}`) })
    })

    test('are typed in all signatures after that answer, once', async () => {
      await begin()
      await type('x')
      await pressed('Change it in all 2')
      await type('y')
      expect([templates(), dialog()]).toEqual([
        { ...shared.templates, [LEGAL]: OWN.replace('{{', 'yx{{') },
        [],
      ])
    })

    test('are as before when the question is closed', async () => {
      await begin()
      await type('x')
      await pressed('Close')
      expect([templates(), design().typing, host()]).toEqual([shared.templates, null, undefined])
      expect(document.activeElement).toBe(tree())
    })

    test('have what is typed while the question is open, and no key that is a command', async () => {
      await begin()
      await type('x')
      const keyIn = (name: string, more: KeyboardEventInit = {}, isAltGr = false) => {
        const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })
        Object.assign(event, { getModifierState: () => isAltGr })
        act(() => {
          document.activeElement?.dispatchEvent(event)
        })
        return event.defaultPrevented
      }
      act(() => {
        view().dispatch({ selection: { anchor: 1 } })
      })
      expect(['a', ' ', '😀'].map((name) => keyIn(name))).toEqual([true, true, true])
      expect(keyIn('@', { ctrlKey: true, altKey: true }, true)).toBe(true)
      expect([
        keyIn('c', { ctrlKey: true }),
        keyIn('v', { metaKey: true }),
        keyIn('f', { altKey: true }),
      ]).toEqual([false, false, false])
      expect([keyIn('Enter'), keyIn('Tab')]).toEqual([false, false])
      expect([doc(), templates()]).toEqual([`xa 😀@${VALUE_CHARACTER}`, shared.templates])
      await pressed('Change it in all 2')
      expect(text(LEGAL)).toBe(OWN.replace('{{', 'xa 😀@{{'))
    })

    test('have what is pasted or dictated while the question is open', async () => {
      await begin()
      await type('x')
      const field = document.activeElement as HTMLTextAreaElement
      const give = (value: string, kind: string, isComposing: boolean) => {
        field.value = value
        act(() => {
          field.dispatchEvent(new InputEvent(kind, { bubbles: true, isComposing }))
        })
      }
      act(() => {
        view().dispatch({ selection: { anchor: 1 } })
      })
      give(' and more', 'input', false)
      give('に', 'input', true)
      expect(doc()).toBe(`x and more${VALUE_CHARACTER}`)
      give('日本', 'compositionend', false)
      expect([doc(), field.value]).toEqual([`x and more日本${VALUE_CHARACTER}`, ''])
    })

    test('go on while the question has the focus, and end when it goes elsewhere', async () => {
      await begin()
      await type('x')
      const to = document.activeElement
      act(() => {
        host()?.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: to }))
      })
      expect([to?.closest('dialog') === null, design().typing === null]).toEqual([false, false])
    })

    test('are not asked about when they are as before', async () => {
      await begin()
      act(() => {
        view().contentDOM.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
        view().dispatch({ changes: { from: 0, insert: 'x' } })
        view().dispatch({ changes: { from: 0, to: 1 } })
        view().contentDOM.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
      })
      await measure()
      expect([dialog(), templates()]).toEqual([[], shared.templates])
    })
  })

  test('are styled alone when some of them are selected', async () => {
    await open({ events: [selected('Kind regards')] })
    await key('Enter')
    act(() => {
      view().dispatch({ selection: { anchor: 0, head: 4 } })
    })
    await pressed('Bold')
    expect(text()).toContain('<span style="font-weight:bold">Kind</span> regards')
  })

  test('have a field that says when it cannot be loaded', async () => {
    await open()
    await render(
      <AdministrationProvider value={provided()}>
        <WordsTyping
          box={null}
          look={null}
          at={null}
          typedBefore={() => ''}
          onLeave={() => undefined}
          load={failing}
        />
      </AdministrationProvider>,
    )
    expect(outline(document.body)).toEqual([
      'alert:',
      'The field for typing could not be loaded. Check the connection and load the page again, or edit the source.',
    ])
  })
})

test('bold, italic and underlined words say so in the bar, and are so no more when it is pressed', async () => {
  const look = {
    color: 'rgb(15, 61, 94)',
    background: 'transparent',
    fontFamily: '"Comic Sans MS", cursive',
    fontSize: '15px',
    fontStyle: 'italic',
    fontWeight: '700',
    lineHeight: 'normal',
    textAlign: 'start',
    textDecoration: 'underline',
  }
  const acts: DesignAct[] = []
  const found = findItem(outlineOf('x'), { from: 0, to: 1 })
  await open()
  await render(
    <AdministrationProvider value={provided()}>
      <DesignContext
        value={{
          document: shared,
          subject: { kind: 'signature', id: 'a' },
          root: A,
          selected: found && { ...found, path: A, text: 'x', place: { path: A, from: 0, to: 1 } },
          panel: { current: null },
          field: { current: null },
          act: (each) => acts.push(each),
          change: () => undefined,
          stepOver: () => 0,
          select: () => undefined,
          openSource: () => undefined,
        }}
      >
        <WordBar look={look} />
      </DesignContext>
    </AdministrationProvider>,
  )
  for (const name of ['Bold', 'Italic', 'Underline']) {
    expect(button(name).getAttribute('aria-pressed')).toBe('true')
    press(name)
  }
  expect(acts).toEqual([
    { kind: 'style', property: 'font-weight', value: 'normal' },
    { kind: 'style', property: 'font-style', value: 'normal' },
    { kind: 'style', property: 'text-decoration', value: 'none' },
  ])
  expect(outline(document.body).join()).toContain(
    '<Another colour> #0f3d5e,[Font: Comic Sans MS],[Size: 15 px]',
  )
})

test('a signature that is not drawn yet is said to load', async () => {
  await open()
  await render(
    <AdministrationProvider value={provided()}>
      <Design signature={shared.signatures[0] ?? expect.fail()} document={null} onSource={() => undefined} />
    </AdministrationProvider>,
  )
  expect(outline(document.body)).toContain('status: Loading…')
})

test('the colours of a signature are inverted only in the dark look', async () => {
  const coloured = '<p style="color: rgb(1, 2, 3)">Kind regards</p>'
  view = window
  await open({ document: { ...shared, templates: { ...shared.templates, [A]: coloured } } })
  expect(sealed()).toContain(coloured)
  act(() => record(Planning.lookChosen({ look: 'dark' })))
  expect(sealed()).toContain(coloured)
  await measure()
  expect(sealed()).not.toContain(coloured)
  expect(sealed()).toContain('!important')
})

test('a signature without a version for the message shows the one for new messages, and says so', async () => {
  await open({ events: [Planning.kindChosen({ use: 'meeting' })] })
  expect(outline(document.body).join('\n')).toContain(
    'status: This signature has no version of its own for: Meeting.',
  )
  expect(names()).toEqual(NAMES)
})

describe('the design of a block', () => {
  const FAIR = block().template
  const FAIR_TEXT = '<p>Meet us</p>{{> legal}}'
  /** Two signatures include the part, and one of them has the block's slot. */
  const document_ = withTheseBlocks(
    { ...shared, templates: { ...shared.templates, [A]: `${TEXT}{{block banner}}` } },
    [block(), block({ id: 'careers', slot: 'careers', template: 'templates/blocks/careers.html' })],
  )
  const fair: ReleaseDocument = { ...document_, templates: { ...document_.templates, [FAIR]: FAIR_TEXT } }
  const inFair = (source: string, path = FAIR) =>
    Designing.selected({ place: placeOf(source, path, fair.templates[path]) })
  const openFair = (
    events: readonly AdministrationEvent[] = [],
    over: Partial<ReleaseDocument> = {},
    id = 'autumn',
  ) => open({ document: { ...fair, ...over }, id, events })
  const IN_FAIR = ['Paragraph: Meet us', 'Words: Meet us', 'Shared part “legal”', 'Words: Northwind Ltd']
  const said = () => outline(document.querySelector('section'))

  test('shows the message, in which only the block can be selected', async () => {
    await openFair()
    expect([tree().getAttribute('aria-label'), names()]).toEqual(['What the block shows', IN_FAIR])
    // The words of the signature are before those of the block.
    expect(document.querySelector('iframe')?.srcdoc).toMatch(/Kind regards.*Northwind Ltd.*Meet us/s)
    expect(itemNamed('Words: Northwind Ltd').style.width).toBe('130px')
    await key('End')
    await key('Home')
    expect([activeName(), design().selection]).toEqual([IN_FAIR[0], inFair('<p>Meet us</p>').data.place])
  })

  test('says how many signatures have its slot, and where it stands, and leads to that signature', async () => {
    await openFair()
    expect(said()).toContain('status: It is in Corporate, New message.')
    expect(said()).toContain(
      '1 signature has its place. Only the block can be changed here. Open Corporate → /signatures/id/a',
    )
    expect(said().join()).not.toContain('by itself')
  })

  test('shows the block by itself where the message does not have it, and says why', async () => {
    await openFair([Planning.recipientsChosen({ recipients: 'internal' })], {
      blocks: [block({ recipients: 'external' })],
    })
    expect(said()).toContain('status: Not here: it is not for these recipients. Here, it is shown by itself.')
    expect(said().join()).not.toContain('Only the block can be changed here.')
    expect([document.querySelector('iframe')?.srcdoc.includes('Kind regards'), names()]).toEqual([
      false,
      IN_FAIR,
    ])
    act(() =>
      state$.next(administrationStateAfter(...log, Planning.recipientsChosen({ recipients: 'external' }))),
    )
    await measure()
    expect(said()).toContain('status: It is in Corporate, New message.')
    expect([document.querySelector('iframe')?.srcdoc.includes('Kind regards'), names()]).toEqual([
      true,
      IN_FAIR,
    ])
  })

  test('says what to do where no signature has its slot', async () => {
    await openFair([], {}, 'careers')
    expect(said()).toContain(
      'No signature has this place yet. Open a signature in Design, and add “Place for banners”.',
    )
    expect(names()).toEqual(['Paragraph: Autumn fair', 'Words: Autumn fair'])
  })

  test('says what to do when its template is missing, and offers no acts', async () => {
    const { [FAIR]: _, ...templates } = fair.templates
    await openFair([], { templates })
    expect(said()).toContain('status: Its template is missing. Choose another one under “Rules”.')
    expect([all('[role=tree]'), all('aside')]).toEqual([[], []])
  })

  test('changes its own template without a question, and undoes it', async () => {
    await openFair()
    await click('Paragraph: Meet us')
    expect(outline(document.querySelector('aside')).join()).not.toContain('signatures and banners')
    await pressed('Duplicate')
    expect([text(FAIR), text(), dialog()]).toEqual([`<p>Meet us</p>${FAIR_TEXT}`, fair.templates[A], []])
    expect(reported()).toEqual(['Duplicated.'])
    await pressed('Undo')
    expect(text(FAIR)).toBe(FAIR_TEXT)
  })

  test('types in its words', async () => {
    await openFair()
    await click('Words: Meet us')
    expect(recorded.at(-1)).toEqual(Designing.typingBegan({ place: placeOf('Meet us', FAIR, FAIR_TEXT) }))
    expect(design().typing?.place.path).toBe(FAIR)
  })

  test('adds below what it shows, before legal text, and offers no slot', async () => {
    await openFair()
    expect(outline(document.querySelector('aside'))[0]).toBe(
      'Click on something in the block to change it. Click on words to type.',
    )
    await pressed('Add an element')
    expect(dialog().join()).not.toContain('Place for banners')
    await pressed('TextWords that everyone has')
    expect(text(FAIR)).toBe('<p>Meet us</p><p>New text</p>{{> legal}}')
  })

  test('asks about what signatures have, too, and keeps it to the block', async () => {
    await openFair([inFair('{{legal_line}}', LEGAL)])
    await pressed('Duplicate')
    expect(dialog()).toEqual([
      '## This is also used elsewhere',
      '[Close]',
      'It is also in 2 others: Corporate and Sales.',
      '“Only here” gives this block its own copy. The others stay as they are.',
      '[Only here][Change it in all 3]',
    ])
    await pressed('Only here')
    expect([text(LEGAL), text()]).toEqual([shared.templates[LEGAL], fair.templates[A]])
    expect(text(FAIR)).toContain('<i>{{legal_line}}')
  })

  test('is asked about on the page of a signature as a part of the block', async () => {
    await open({ document: fair, events: [inFair('<p>Meet us</p>')] })
    await pressed('Remove')
    expect(dialog()).toEqual([
      '## This is also used elsewhere',
      '[Close]',
      'It is part of Autumn fair, and can appear in other signatures, too.',
      '[Change it]',
    ])
    await pressed('Change it')
    expect(text(FAIR)).toBe('{{> legal}}')
  })

  test('asks about a template that another block has, too', async () => {
    await openFair([inFair('<p>Meet us</p>')], {
      blocks: [block(), block({ id: 'a', name: 'Winter break', slot: 'winter' })],
    })
    await pressed('Remove')
    expect(dialog().slice(2)).toEqual(['It is also in: Winter break.', '[Change it in all 2]'])
  })

  test('is offered no slot in a signature either, whose own template may have one', async () => {
    await open({ document: fair, events: [inFair('<p>Meet us</p>')] })
    await pressed('Add below')
    expect(dialog().join()).not.toContain('Place for banners')
    await open({ document: fair, events: [selected(PICTURE)] })
    await pressed('Add below')
    expect(dialog().join()).toContain('Place for banners')
  })
})
