import { act } from 'react'
import { BehaviorSubject } from 'rxjs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { VALUES } from '../../src/administration/valuesChunk.ts'
import { Planning } from '../../streams/administration/plan/events.ts'
import type { ValueTools } from '../../streams/administration/plan/preview.ts'
import type { ReleaseDocument } from '../../streams/organisation/release.ts'
import { AdministrationProvider } from '../../views/administration/hooks/administration.tsx'
import { DraftPreview } from '../../views/administration/plan/DraftPreview.tsx'
import { NOON } from '../support/administration/answers.ts'
import { alex, draftOf, releaseDocument } from '../support/administration/plans.ts'
import { administrationStateAfter, at } from '../support/administration/story.ts'
import { createClock } from '../support/clock.ts'
import { asIs } from '../support/sanitize.ts'
import { body, useAdministrationDrawing } from './drawingAdministration.tsx'
import { stubIntersectionObserver, stubResizeObserver } from './root.ts'

const { render } = useAdministrationDrawing()

afterEach(() => vi.restoreAllMocks())

const PATH = 'templates/a.html'
const PLAIN_TEXT = 'Phone numbers and addresses are shown here as the directory has them'

/** Draws the preview of a draft with this template, and returns how often the chunk was asked for. */
async function preview(template: string, loadValues: () => Promise<ValueTools>) {
  const near = stubIntersectionObserver()
  const sizes = stubResizeObserver()
  const clock = createClock(NOON)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500)
  let loads = 0
  const document: ReleaseDocument = {
    ...releaseDocument,
    templates: { ...releaseDocument.templates, [PATH]: template },
  }
  const person = {
    ...alex,
    directory: { ...alex.directory, country: 'DE', 'businessPhones.0': '030 901820' },
  }
  const events = [
    ...at('/plan'),
    Planning.draftRestored({ draft: null }),
    Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
    Planning.personRead({ person }),
    Planning.templateOpened({ path: PATH, line: null, column: null }),
  ]
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
        ...{
          imageOrigins: ['https://s.example'],
          time: clock,
          version: '0.1.0',
          documentation: '',
        },
      }}
    >
      <DraftPreview />
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
    expect(await preview('<p>{{phone}}{{email}}</p>', () => Promise.resolve(VALUES))).toBe(0)
    expect(shown()).toContain('030 901820')
    expect(body()).not.toContain(PLAIN_TEXT)
  })

  test('[ADOPT-9] writes numbers as the service does, once that is loaded', async () => {
    expect(await preview('<p>{{phone phone}}</p>', () => Promise.resolve(VALUES))).toBe(1)
    expect(shown()).toContain('+49 30 901820')
    expect(body()).not.toContain(PLAIN_TEXT)
  })

  test('[ADOPT-10] draws the picture of a QR code', async () => {
    await preview('<p>{{email}}</p><img src="{{qr https://a.example/}}" alt="x">', () =>
      Promise.resolve(VALUES),
    )
    const [image] = VALUES.codesIn(`https://s.example/images/${VALUES.formats.qr('https://a.example/')}`)
    expect(shown()).toContain(`data:image/png;base64,${image?.content ?? ''}`)
  })

  test('shows values as they are, and says so, when it could not be loaded', async () => {
    await preview('<p>{{phone phone}}</p>', () => Promise.reject(new Error('offline')))
    expect(shown()).toContain('030 901820')
    expect(body()).toContain(PLAIN_TEXT)
  })
})
