import { act, type ReactElement } from 'react'
import { BehaviorSubject } from 'rxjs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { VALUE_TOOLS } from '../../../src/administration/valuesChunk.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { ValueTools } from '../../../streams/administration/plan/preview.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { AdministrationProvider } from '../../../views/administration/parts/administration.tsx'
import { DraftPreview } from '../../../views/administration/plan/DraftPreview.tsx'
import { AdoptResult } from '../../../views/administration/signatures/AdoptResult.tsx'
import { adopted } from '../../support/administration/adoptions.ts'
import { NOON } from '../../support/administration/answers.ts'
import { alex, blocksDocument, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'
import { createClock } from '../../support/clock.ts'
import { asIs } from '../../support/sanitize.ts'
import { all, body, useAdministrationDrawing } from './drawingAdministration.tsx'
import { stubIntersectionObserver, stubResizeObserver } from '../root.ts'

const { render } = useAdministrationDrawing()

afterEach(() => vi.restoreAllMocks())

const PATH = 'templates/a.html'
const PLAIN_TEXT = 'Phone numbers and addresses are shown here as the directory has them'

const documentWith = (template: string): ReleaseDocument => ({
  ...releaseDocument,
  templates: { ...releaseDocument.templates, [PATH]: template },
})

const person = {
  ...alex,
  directory: { ...alex.directory, country: 'DE', 'businessPhones.0': '030 901820' },
}
const begun = (document: ReleaseDocument): readonly AdministrationEvent[] => [
  ...at('/plan'),
  Planning.draftRestored({ draft: null }),
  Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
  Planning.personRead({ person }),
]
const loaded = () => Promise.resolve(VALUE_TOOLS)

/** Draws the preview of a template of a draft, and returns how often the chunk was asked for. */
const preview = (document: ReleaseDocument, loadValues: () => Promise<ValueTools> = loaded, path = PATH) =>
  drawNear(
    <DraftPreview />,
    [...begun(document), Planning.templateOpened({ path, line: null, column: null })],
    loadValues,
  )

/** Draws a view whose frames are in sight, and returns how often the chunk was asked for. */
async function drawNear(
  view: ReactElement,
  events: readonly AdministrationEvent[],
  loadValues: () => Promise<ValueTools>,
) {
  const near = stubIntersectionObserver()
  const sizes = stubResizeObserver()
  const clock = createClock(NOON)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500)
  let loads = 0
  await render(
    <AdministrationProvider
      value={{
        state$: new BehaviorSubject(administrationStateAfter(...events)),
        record: () => undefined,
        loadSanitizer: () => Promise.resolve(asIs),
        loadValues: () => {
          loads += 1
          return loadValues()
        },
        imageOrigins: ['https://s.example'],
        time: clock,
        version: '0.1.0',
        documentation: '',
      }}
    >
      {view}
    </AdministrationProvider>,
  )
  await act(async () => {
    for (const tell of [...near]) tell()
    clock.advance(80)
    await Promise.resolve()
  })
  await act(async () => {
    for (const tell of [...sizes.keys()]) tell()
    await Promise.resolve()
  })
  return loads
}
const shown = () =>
  Array.from(document.querySelectorAll('iframe'), (frame) => frame.getAttribute('srcdoc') ?? '').join('')

describe('the preview of a draft', () => {
  test('loads nothing for values that are written as they are', async () => {
    expect(await preview(documentWith('<p>{{phone}}{{email}}</p>'))).toBe(0)
    expect(shown()).toContain('030 901820')
    expect(body()).not.toContain(PLAIN_TEXT)
  })

  test('[ADOPT-9] writes numbers as the service does, once that is loaded', async () => {
    expect(await preview(documentWith('<p>{{phone phone}}</p>'))).toBe(1)
    expect(shown()).toContain('+49 30 901820')
    expect(body()).not.toContain(PLAIN_TEXT)
  })

  test('[ADOPT-10] draws the picture of a QR code', async () => {
    await preview(documentWith('<p>{{email}}</p><img src="{{qr https://a.example/}}" alt="x">'))
    const [image] = VALUE_TOOLS.codesIn(
      `https://s.example/images/${VALUE_TOOLS.formats.qr('https://a.example/')}`,
    )
    expect(shown()).toContain(`data:image/png;base64,${image?.content ?? ''}`)
  })

  test('shows values as they are, and says so, when it could not be loaded', async () => {
    await preview(documentWith('<p>{{phone phone}}</p>'), () => Promise.reject(new Error('offline')))
    expect(shown()).toContain('030 901820')
    expect(body()).toContain(PLAIN_TEXT)
  })

  const looking = (...events: readonly AdministrationEvent[]) =>
    drawNear(
      <DraftPreview />,
      [
        ...begun(documentWith('<p style="color:red;opacity:0.5">{{email}}</p>')),
        Planning.templateOpened({ path: PATH, line: null, column: null }),
        ...events,
      ],
      loaded,
    )

  test('is without the styles that classic Outlook ignores, in the look of classic Outlook only', async () => {
    await looking()
    expect(shown()).toContain('<p style="color:red;opacity:0.5">')
    await looking(Planning.lookChosen({ look: 'classicOutlook' }))
    expect(shown()).toContain('<p style="color:red;">')
    expect(shown()).not.toContain('opacity')
  })

  test('is laid out at the width of its place, or of a phone', async () => {
    const widths = () => all('iframe').map((frame) => frame.style.width)
    await looking()
    expect(new Set(widths())).toEqual(new Set(['500px']))
    await looking(Planning.widthChosen({ width: 'phone' }))
    expect(new Set(widths())).toEqual(new Set(['360px']))
  })

  test('leads from the words of a block with a formatted number to their places', async () => {
    const rect = [{ left: 0, top: 0, width: 9, height: 9 }] as unknown as DOMRectList
    vi.spyOn(Range.prototype, 'setStart').mockReturnValue()
    vi.spyOn(Range.prototype, 'setEnd').mockReturnValue()
    vi.spyOn(Range.prototype, 'getClientRects').mockReturnValue(rect)
    const path = blocksDocument.blocks?.[0]?.template ?? ''
    const templates = { ...blocksDocument.templates, [path]: '<p>{{phone phone}}</p>' }
    // The frames here load on their own, without their content.
    const swallow = (event: Event) => {
      if (!(event instanceof CustomEvent)) event.stopImmediatePropagation()
    }
    document.addEventListener('load', swallow, { capture: true })
    await preview({ ...blocksDocument, templates }, undefined, path)
    for (const frame of document.querySelectorAll('iframe[aria-hidden]')) {
      const read = new DOMParser().parseFromString(frame.getAttribute('srcdoc') ?? '', 'text/html')
      Object.defineProperty(frame, 'contentDocument', { value: read, configurable: true })
      act(() => {
        frame.dispatchEvent(new CustomEvent('load'))
      })
    }
    document.removeEventListener('load', swallow, { capture: true })
    expect(all('[role=option]').map((option) => option.getAttribute('aria-label'))).toContain('+49 30 901820')
  })
})

describe('[ADOPT-6] the template of an existing signature', () => {
  const compare = (loadValues: () => Promise<ValueTools>) =>
    drawNear(
      <AdoptResult
        draft={draftOf()}
        result={{ adopted: adopted({ template: '<p>{{phone phone}}</p>' }), person }}
      />,
      begun(releaseDocument),
      loadValues,
    )

  test('has its numbers as the service writes them, though the draft has no such number', async () => {
    expect(await compare(loaded)).toBe(1)
    expect(shown()).toContain('+49 30 901820')
    expect(body()).not.toContain(PLAIN_TEXT)
  })

  test('has them as they are, and says so, when what writes them could not be loaded', async () => {
    await compare(() => Promise.reject(new Error('offline')))
    expect(shown()).toContain('030 901820')
    expect(body()).toContain(PLAIN_TEXT)
  })
})
