import { act } from 'react'
import { BehaviorSubject } from 'rxjs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  FolderExport,
  PlannedPeople,
  Planning,
  Publishing,
} from '../../../streams/administration/plan/events.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { ReleasesLoad } from '../../../streams/administration/overview/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { firstDraftParts } from '../../../streams/administration/plan/first.ts'
import { galleryTemplate } from '../../../streams/organisation/release/gallery.ts'
import { handleValue } from '../../../streams/kernel/handle.ts'
import type { FolderFinding } from '../../../streams/wire/administration/publishing.ts'
import type { PlanSummary } from '../../../streams/organisation/plan/plan.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { AdministrationProvider } from '../../../views/administration/parts/administration.tsx'
import { Workbench } from '../../../views/administration/plan/Workbench.tsx'
import {
  becauseText,
  blockDifferenceText,
  blockRuleTexts,
  defaultChangeText,
  differenceText,
  personChangeTexts,
  folderRefusalText,
} from '../../../views/administration/text/plan.ts'
import { MAX_UNCOVERED_NAMED } from '../../../streams/organisation/rules/coverage.ts'
import { explained, found } from '../../support/administration/people.ts'
import {
  alex,
  blocksDocument,
  blocksSummary,
  coverage,
  draftOf,
  fullSummary,
  personPlan,
  planOf,
  releaseDocument,
  signatureGroup,
} from '../../support/administration/plans.ts'
import { me, NOON, releases } from '../../support/administration/answers.ts'
import { administrationStateAfter, at, down } from '../../support/administration/story.ts'
import { block } from '../../support/blocks.ts'
import { createClock } from '../../support/clock.ts'
import {
  all,
  body,
  button,
  englishTexts,
  field,
  press,
  fill,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'
import { outline } from '../outline.ts'
import { part } from '../said.ts'

const { recorded, draw, go, render } = useAdministrationDrawing()

const alexRead = Planning.personRead({ person: alex })
/** A page without a draft, with a draft, and with the person for whom it is shown. */
const on = (path: string) => {
  const empty = [...at(path), Planning.draftRestored({ draft: null })]
  const withoutPerson = [...empty, Planning.draftBegun({ draft: draftOf(), findings: [] })]
  return { empty, withoutPerson, begun: [...withoutPerson, alexRead] }
}
const { empty } = on('/plan')
const begun = [
  ...empty,
  Planning.draftBegun({ draft: draftOf({ edited: ['templates/a.html'] }), findings: [] }),
  alexRead,
]
const edited = Planning.edited({ path: 'templates/a.html', edits: [{ from: 0, to: 0, insert: 'x' }] })
const planned = (summary: Partial<PlanSummary> = {}, over: Parameters<typeof planOf>[0] = {}) => [
  ...begun,
  Planning.planRequested(),
  Planning.planned({
    plan: planOf({ summary: { ...planOf().summary, ...summary }, ...over }),
    document: releaseDocument,
  }),
]
const folderOf = (event: unknown): unknown => {
  const { type: name, data } = event as ReturnType<typeof Planning.folderChosen>
  expect(name).toBe('plan/folderChosen')
  return handleValue(data.folder)
}

/** An event of a drag over the page, with what is dragged. */
const drag = (name: string, data: object = {}) => {
  const dataTransfer = { types: ['Files'], ...data }
  const event = Object.assign(new Event(name, { bubbles: true, cancelable: true }), { dataTransfer })
  act(() => {
    all('[data-over]')[0]?.dispatchEvent(event)
  })
  return event
}

/** Opens or closes the folded part of this name. */
const unfold = (name: string, open: boolean) => {
  act(() => {
    const details = part(name).querySelector('details')
    if (details) details.open = open
  })
}

/** Chooses files in a field. */
const chooseFiles = (input: HTMLInputElement, files: readonly File[] | null) => {
  Object.defineProperty(input, 'files', { value: files, configurable: true })
  Object.defineProperty(input, 'value', { value: files ? 'C:\\fakepath\\x' : '', writable: true })
  act(() => {
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

describe('the beginning of a draft', () => {
  test('is what is published, or a folder or an archive that is chosen', async () => {
    await draw(...empty)
    press('Begin from what is published')
    expect(recorded).toEqual([Planning.publishedChosen()])
    recorded.length = 0
    const [folder, archive] = [field('Choose a folder'), field('Choose a ZIP archive')]
    expect([folder.hasAttribute('webkitdirectory'), folder.accept]).toEqual([true, ''])
    expect([archive.hasAttribute('webkitdirectory'), archive.accept]).toEqual([false, '.zip,application/zip'])
    const file = new File(['x'], 'signet.yaml')
    chooseFiles(folder, [file])
    expect(recorded.map(folderOf)).toEqual([{ kind: 'files', files: [file] }])
    // It can be chosen once more: without a value, the browser reports the same folder again.
    act(() => folder.click())
    expect(folder.value).toBe('')
    const inner = new File(['x'], 'signet.yaml')
    Object.defineProperty(inner, 'webkitRelativePath', { value: 'our signatures/signet.yaml' })
    chooseFiles(folder, [inner])
    expect(all('main [title="our signatures"]').map(({ textContent }) => textContent)).toEqual([
      'our signatures',
    ])
  })

  test.each([[[]], [null]])('is nothing when no file was chosen: %j', async (files) => {
    await draw(...empty)
    chooseFiles(field('Choose a folder'), files)
    expect(recorded).toEqual([])
  })

  test('is what is dropped, entry by entry, or else its files', async () => {
    await draw(...empty)
    const isOver = () => all('[data-over]')[0]?.dataset['over']
    expect(isOver()).toBe('false')
    expect(drag('dragover').defaultPrevented).toBe(true)
    expect(isOver()).toBe('true')
    drag('dragleave')
    expect(isOver()).toBe('false')
    drag('dragover')
    const entry = { name: 'signatures' }
    const file = new File(['x'], 'signatures.zip')
    const items = [{ webkitGetAsEntry: () => null }, { webkitGetAsEntry: () => entry }]
    expect(drag('drop', { items, files: [file] }).defaultPrevented).toBe(true)
    expect(isOver()).toBe('false')
    drag('drop', { items: items.slice(0, 1), files: [file] })
    expect(recorded.map(folderOf)).toEqual([
      { kind: 'entries', entries: [entry] },
      { kind: 'files', files: [file] },
    ])
  })

  test('is nothing that is dragged within the page, such as a card', async () => {
    await draw(...empty)
    const card = { types: ['application/x-signet-item', 'text/uri-list'], items: [], files: [] }
    expect(drag('dragover', card).defaultPrevented).toBe(false)
    expect(all('[data-over]')[0]?.dataset['over']).toBe('false')
    expect(drag('drop', card).defaultPrevented).toBe(false)
    expect(recorded).toEqual([])
  })

  test.each([
    ['published', Planning.publishedChosen(), 'Loading…'],
    [
      'a folder',
      Planning.folderChosen({ folder: { handle: '<handle>' } }),
      'Reading and checking the folder…',
    ],
  ])('from %s says what is awaited', async (_, event, said) => {
    await draw(...empty, event)
    expect(outline(all('main')[0]).at(-1)).toBe(`status: ${said}`)
  })

  test('is a first signature when nothing is published', async () => {
    const failure = { kind: 'http', status: 404, code: 'not_found', data: null } as const
    await draw(...empty, Planning.draftNeeded(), Planning.beginFailed({ failure }))
    press('Begin with a first signature')
    press('Use Bold')
    const { template, pictures } = galleryTemplate('bold', firstDraftParts(me(), null).document)
    expect(recorded).toEqual([
      Planning.firstChosen({ template: null }),
      Planning.firstChosen({ template: { template, pictures } }),
    ])
    expect(body()).not.toContain('Begin from what is published')
  })

  test('with another refusal than that nothing is published says that it failed', async () => {
    const failure = { kind: 'http', status: 403, code: null, data: null } as const
    await draw(...empty, Planning.publishedChosen(), Planning.beginFailed({ failure }))
    expect(body()).toContain('The draft could not be begun')
    await go(...empty, Planning.publishedChosen(), Planning.beginFailed({ failure: { kind: 'network' } }))
    expect(body()).toContain('The draft could not be begun')
  })
})

describe('a draft', () => {
  test.each([
    [{}, 'Nothing is changed: what you see is what is published.'],
    [
      { hasNewRules: true },
      'from the published release cccccccc. Signatures, blocks or their rules were changed.',
    ],
    [{ folder: 'autumn' }, 'from the folder autumn, over the published release cccccccc.'],
    [{ folder: 'autumn', base: null }, 'from the folder autumn. Nothing is published yet.'],
    [{ edited: ['templates/a.html', 'templates/b.html'] }, '2 templates were changed here.'],
  ])('with %j says where it began', async (over, said) => {
    await draw(...empty, Planning.draftBegun({ draft: draftOf(over), findings: [] }))
    expect(outline(part('Draft'))[1]).toContain(said)
  })

  test('is discarded only after a question', async () => {
    await draw(...begun)
    expect(all('dialog')).toEqual([])
    press('Discard the draft')
    expect(outline(all('dialog')[0])).toEqual([
      '## Discard the draft?',
      '[Close]',
      'What was changed in it is lost. What is published stays as it is.',
      '[Discard the draft][Keep the draft]',
    ])
    expect(document.activeElement).toBe(button('Keep the draft'))
    press('Keep the draft')
    expect([all('dialog'), recorded]).toEqual([[], []])
    press('Discard the draft')
    act(() => {
      all('dialog button')
        .find(({ textContent }) => textContent === 'Discard the draft')
        ?.click()
    })
    expect(recorded).toEqual([Planning.discarded()])
  })

  test('and what is published are saved as folders, each beside its own words', async () => {
    await draw(...begun)
    press('Save the draft as a folder')
    const asked = FolderExport.requested({ source: 'draft' })
    expect(recorded).toEqual([asked])
    const lines = () => outline(part('Draft')).slice(2)
    await go(...begun, asked)
    expect(lines()).toEqual([
      '[Save the draft as a folder]',
      'status: Writing the folder…',
      '[Discard the draft]',
    ])
    await go(...begun, asked, FolderExport.done())
    expect(lines()[1]).toBe('status: The folder was saved as a ZIP archive.')
    await go(...begun, asked, FolderExport.failed({ failure: down }))
    press('Try again')
    expect(recorded).toEqual([asked, asked])
    recorded.length = 0
    await go(...on('/signatures').begun)
    press('Save what is published as a folder')
    expect(recorded).toEqual([FolderExport.requested({ source: 'published' })])
    await go(...begun, FolderExport.requested({ source: 'published' }))
    expect(lines()).toEqual(['[Save the draft as a folder]', '[Discard the draft]'])
  })

  test.each([
    [
      'with an edit that the browser does not keep',
      [edited, Planning.draftWritten({ kept: 'untilClosed' })],
      true,
    ],
    ['with an edit that the browser keeps', [edited, Planning.draftWritten({ kept: 'kept' })], false],
    ['without an edit', [Planning.draftWritten({ kept: 'refused' })], false],
  ])('%s asks before the page is closed: %#', async (_, events, asks) => {
    const { begun } = on('/plan')
    const close = () => {
      const event = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(event)
      return event.defaultPrevented
    }
    await draw(...begun, ...events)
    expect(close()).toBe(asks)
    await go(...empty)
    expect(close()).toBe(false)
  })

  test.each(['untilClosed', 'refused'] as const)('that is kept %s says so', async (kept) => {
    await draw(...begun, Planning.draftWritten({ kept }))
    expect(outline(part('Draft'))).toContain('Your browser does not keep this draft')
    await go(...begun, Planning.draftWritten({ kept: 'kept' }))
    expect(outline(part('Draft'))).not.toContain('Your browser does not keep this draft')
  })
})

describe('what the check found', () => {
  const finding = (line: number, over: Partial<FolderFinding> = {}): FolderFinding => ({
    file: 'signet.yaml',
    line,
    column: 1,
    level: 'warning',
    rule: 'unknownVariable',
    message: 'W.',
    ...over,
  })
  const shown = () => outline(part('What the check found'))

  test('has errors first, and leads to a place in a template', async () => {
    const findings = [finding(1), finding(2, { level: 'error', file: 'templates/a.html', column: 9 })]
    await draw(...empty, Planning.draftBegun({ draft: draftOf(), findings }))
    expect(shown().slice(1)).toEqual([
      'status: 1 error: it keeps the draft from being published.',
      'Error templates/a.html:2:9 → #/signatures/files W.',
    ])
    // Warnings keep nobody from publishing, so they are folded.
    expect(outline(part('Notes (1)'))).toEqual([
      '## Notes (1)',
      '### What the check found',
      'status: 1 warning.',
      'Warning signet.yaml:1:1 → #/signatures/files/signet.yaml W.',
    ])
    act(() => {
      all('main a')
        .find(({ textContent }) => textContent === 'templates/a.html:2:9')
        ?.click()
    })
    expect(recorded).toEqual([
      Planning.templateOpened({ path: 'templates/a.html', line: 2, column: 9 }),
      Place.linkFollowed({ to: '/signatures/files' }),
    ])
  })

  test('is not there when nothing was found', async () => {
    await draw(...begun)
    expect(body()).not.toContain('What the check found')
  })

  test.each([
    [50, [50]],
    [51, [50, 51]],
    [101, [50, 100, 101]],
  ])('of %i is shown fifty at a time', async (count, steps) => {
    const findings = Array.from({ length: count }, (_, index) => finding(index + 1))
    await draw(...empty, Planning.folderNotRead({ findings }))
    const place = part('What the check found')
    const counts: number[] = []
    for (let step = 0; step < steps.length; step += 1) {
      if (step > 0) press('Show more')
      counts.push(place.querySelectorAll('li').length)
    }
    expect(counts).toEqual(steps)
    expect(place.querySelector('button')).toBeNull()
  })
})

describe('the templates', () => {
  const { empty, begun } = on('/signatures/files')
  const nav = () => outline(all('main nav')[0])
  const toggle = 'Choose a template'
  afterEach(() => vi.restoreAllMocks())
  const shown = Planning.listShown({ isShown: true })

  test('are opened from their list, which folds', async () => {
    await draw(...begun)
    expect(all('main nav')).toEqual([])
    expect(button(toggle).getAttribute('aria-expanded')).toBe('false')
    expect(outline(part('Templates'))).toContain('## templates/a.html')
    press(toggle)
    await go(...begun, shown)
    expect(button(toggle).getAttribute('aria-expanded')).toBe('true')
    expect(button(toggle).getAttribute('aria-controls')).toBe(all('main nav')[0]?.parentElement?.id)
    act(() => {
      all('main nav button')[1]?.click()
    })
    press(toggle)
    expect(recorded).toEqual([
      shown,
      Planning.templateOpened({ path: 'templates/b.html', line: null, column: null }),
      Planning.listShown({ isShown: false }),
      Planning.listShown({ isShown: false }),
    ])
    expect(document.activeElement).toBe(button(toggle))
    expect(all('main nav button').map((each) => each.getAttribute('aria-current'))).toEqual([
      'true',
      null,
      null,
    ])
  })

  test('are over the source while there is no room beside it, until Escape or the focus leaves', async () => {
    await draw(...begun, shown)
    const [list] = [...all('main nav')].map((each) => each.parentElement)
    act(() => button(toggle).focus())
    act(() => list?.querySelector('button')?.focus())
    expect(recorded).toEqual([])
    act(() => {
      list?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    expect(recorded).toEqual([Planning.listShown({ isShown: false })])
    expect(document.activeElement).toBe(button(toggle))
    act(() => button('Variable').focus())
    expect(recorded).toEqual(Array(2).fill(Planning.listShown({ isShown: false })))
  })

  test('are listed while none is open', async () => {
    const document = { ...releaseDocument, signatures: [] }
    await draw(...empty, Planning.draftBegun({ draft: draftOf({ document }), findings: [] }), alexRead)
    expect(nav()).toHaveLength(3)
    expect(outline(part('Templates'))).toContain('## No template is open.')
  })

  test.each([
    [1151, null, 'false'],
    [1152, null, 'true'],
    [1152, false, 'false'],
  ])('are listed in a room of %i pixels, and decided %j: %s', async (room, decided, isListed) => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(room)
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(private readonly resized: () => void) {}
        observe() {
          this.resized()
        }
        disconnect() {}
      },
    )
    await draw(...begun, ...(decided === null ? [] : [Planning.listShown({ isShown: decided })]))
    expect(button(toggle).getAttribute('aria-expanded')).toBe(isListed)
  })

  test.each([
    [[], ['[a ', '[b ', '[legal ']],
    [
      ['templates/b.html', 'templates/legal.part.html', 'templates/gone.html'],
      ['[b ', '[legal ', '### All other templates', '[a '],
    ],
    [
      ['templates/a.html', 'templates/b.html', 'templates/legal.part.html'],
      ['[a ', '[b ', '[legal '],
    ],
  ])('are offered with %j before the others', async (first, lines) => {
    await render(
      <AdministrationProvider
        value={{
          state$: new BehaviorSubject(administrationStateAfter(...begun, shown)),
          record: (event) => recorded.push(event),
          loadSanitizer: () => Promise.reject(new Error('not here')),
          imageOrigins: [],
          time: createClock(NOON),
          version: '0.1.0',
          documentation: '',
          loadValues: () => Promise.reject(new Error('not here')),
        }}
      >
        <Workbench first={first} />
      </AdministrationProvider>,
    )
    expect(outline(all('nav')[0]).map((line) => line.replace(/templates\/.*/, ''))).toEqual(lines)
  })

  test('show the source or the preview in a narrow window', async () => {
    await draw(...begun)
    const side = () => all('[data-workbench]')[0]?.dataset['side']
    const choose = (name: string) => {
      act(() => {
        all('[data-workbench] label')
          .find(({ textContent }) => textContent === name)
          ?.querySelector('input')
          ?.click()
      })
    }
    expect(side()).toBe('source')
    choose('Preview')
    const chosen = Planning.sideChosen({ side: 'preview' })
    await go(...begun, chosen)
    expect(side()).toBe('preview')
    choose('Source')
    expect(recorded).toEqual([chosen, Planning.sideChosen({ side: 'source' })])
  })

  test('have below the source what the page and the service find wrong there, each place once', async () => {
    const finding = (line: number, column: number, over: Partial<FolderFinding> = {}): FolderFinding => ({
      file: 'templates/a.html',
      line,
      column,
      level: 'warning',
      rule: 'r',
      message: 'Found.',
      ...over,
    })
    const findings = [
      finding(1, 4),
      finding(1, 9),
      finding(1, 9, { level: 'error', message: 'Wrong.' }),
      finding(1, 1, { file: 'templates/b.html' }),
    ]
    const document = {
      ...releaseDocument,
      templates: { ...releaseDocument.templates, 'templates/a.html': '<p>{{phon}}' },
    }
    await draw(...empty, Planning.draftBegun({ draft: draftOf({ document }), findings }), alexRead)
    const lines = outline(part('Templates'))
    const from = lines.indexOf('status: 1 placeholder is wrong.')
    expect(lines.slice(from + 1, from + 5)).toEqual([
      '[Line 1, column 4] There is no variable phon.',
      'Warning [Line 1, column 9] Found.',
      'Error [Line 1, column 9] Wrong.',
      '### Preview',
    ])
    act(() => {
      all('[data-level=warning] button').at(-1)?.click()
    })
    expect(recorded.at(-1)).toEqual(Planning.templateOpened({ path: 'templates/a.html', line: 1, column: 9 }))
    await go(...begun)
    expect(outline(part('Templates'))).toContain('status: No mistakes in the placeholders.')
    await go(...empty, Planning.draftBegun({ draft: draftOf(), findings: [finding(1, 9)] }), alexRead)
    expect(body()).not.toContain('No mistakes in the placeholders.')
  })

  test('say what uses them', async () => {
    const [first, second] = releaseDocument.signatures
    if (!first || !second) throw new Error('no signatures')
    const document = {
      ...releaseDocument,
      templates: { ...releaseDocument.templates, 'templates/c.html': '' },
      signatures: [{ ...first, mobile: 'templates/a.html' }, second],
    }
    await draw(...empty, Planning.draftBegun({ draft: draftOf({ document }), findings: [] }), edited, shown)
    expect(nav()).toEqual([
      '[a templates/a.html · Changed · Used by Corporate (New message and Mobile message) and Sales (Reply), current]',
      '[b templates/b.html · Used by Sales]',
      '[c templates/c.html · Not used]',
      '[legal templates/legal.part.html · Shared part for other templates · Used by Sales]',
    ])
  })

  test('are none in an empty draft, which has no editor and shows no template', async () => {
    const document = { ...releaseDocument, signatures: [], templates: {}, pictures: {} }
    await draw(...empty, Planning.draftBegun({ draft: draftOf({ document }), findings: [] }), alexRead)
    expect(outline(part('Templates'))).toEqual([
      '## The draft has no templates.',
      'What is shown',
      '<Source, checked>',
      '<Preview>',
      '### Preview',
      'status: New message · Alex Kim · Light · Computer',
      '[Change what is shown]',
      'status: This person has no signature on that day.',
    ])
    press('Change what is shown')
    expect(outline(part('Templates')).slice(6)).toEqual([
      '[Change what is shown, expanded]',
      'status: Shown for alex.kim@northwind.example.',
      '[Change person]',
      'Message',
      '<New message, checked>',
      '<Reply>',
      '<Meeting>',
      'Look',
      '<Light, checked>',
      '<Dark>',
      '<Classic Outlook>',
      'Width',
      '<Computer, checked>',
      '<Phone>',
      '<Day (today if empty)>',
      'status: This person has no signature on that day.',
    ])
  })
})

describe('the preview', () => {
  const { empty, withoutPerson, begun } = on('/signatures/files')
  const radio = (name: string) => {
    const label = [...part('Preview').querySelectorAll('label')].find(
      ({ textContent }) => textContent === name,
    )
    act(() => {
      label?.querySelector('input')?.click()
    })
  }
  const ana = [
    Planning.personChosen({ person: 'p-ana' }),
    Planning.personRead({ person: explained().person }),
  ]
  const unfold = async (...events: readonly AdministrationEvent[]) => {
    await draw(...events)
    press('Change what is shown')
  }
  const statuses = () => outline(part('Preview')).filter((line) => line.startsWith('status: '))
  /** What is said below the line with all that is shown. */
  const status = () => statuses().slice(1)

  test('says in one line what it shows, and has its controls behind a button', async () => {
    await draw(...begun)
    expect(outline(part('Preview')).slice(1, 3)).toEqual([
      'status: New message · Alex Kim · Light · Computer',
      '[Change what is shown]',
    ])
    expect(all('[data-person]')).toEqual([])
    press('Change what is shown')
    expect(all('[data-person]')).toHaveLength(1)
    press('Change what is shown')
    expect(all('[data-person]')).toEqual([])
    await go(
      ...begun,
      ...ana,
      Planning.kindChosen({ use: 'reply' }),
      Planning.lookChosen({ look: 'dark' }),
      Planning.widthChosen({ width: 'phone' }),
      Planning.dayChosen({ day: '2026-10-01' }),
      Planning.recipientsChosen({ recipients: 'external' }),
    )
    expect(statuses()[0]).toBe(
      'status: Reply · ana@in.example · Dark · Phone · October 1, 2026 · Someone outside',
    )
    await go(...begun, Planning.sampleChosen())
    expect(statuses()[0]).toBe('status: New message · example values · Light · Computer')
    await go(...withoutPerson)
    expect(statuses()[0]).toBe('status: New message · Loading… · Light · Computer')
  })

  test('is for another message, another look, another width or another day', async () => {
    await unfold(...begun)
    radio('Reply')
    radio('Dark')
    radio('Phone')
    fill(field('Day (today if empty)'), '2026-10-01')
    expect(recorded).toEqual([
      Planning.kindChosen({ use: 'reply' }),
      Planning.lookChosen({ look: 'dark' }),
      Planning.widthChosen({ width: 'phone' }),
      Planning.dayChosen({ day: '2026-10-01' }),
    ])
    recorded.length = 0
    await go(
      ...[...begun, Planning.kindChosen({ use: 'reply' }), Planning.lookChosen({ look: 'dark' })],
      Planning.widthChosen({ width: 'phone' }),
      Planning.dayChosen({ day: '2026-10-01' }),
    )
    expect(field('Day (today if empty)').value).toBe('2026-10-01')
    radio('New message')
    radio('Light')
    radio('Computer')
    fill(field('Day (today if empty)'), '')
    expect(recorded).toEqual([
      Planning.kindChosen({ use: 'signature' }),
      Planning.lookChosen({ look: 'light' }),
      Planning.widthChosen({ width: 'computer' }),
      Planning.dayChosen({ day: null }),
    ])
  })

  test('says that its drawing for classic Outlook is approximate', async () => {
    await unfold(...begun)
    radio('Classic Outlook')
    expect(recorded).toEqual([Planning.lookChosen({ look: 'classicOutlook' })])
    const approximate =
      'status: Approximately as classic Outlook draws it: with Word, which ignores some styles.'
    expect(status()).not.toContain(approximate)
    await go(...begun, Planning.lookChosen({ look: 'classicOutlook' }))
    expect(status()).toContain(approximate)
  })

  const change = () => press('Change person')
  const dialog = () => outline(all('dialog')[0]).slice(2)

  test('is for the administrator, or for a sample when the service does not know them', async () => {
    await unfold(...withoutPerson)
    expect(status()).toEqual(['status: Loading…'])
    await go(...begun)
    expect(status()[0]).toBe('status: Shown for alex.kim@northwind.example.')
    const refused = (code: number) =>
      Planning.personFailed({ failure: { kind: 'http', status: code, code: null, data: null } })
    await go(...withoutPerson, refused(404))
    expect(status()).toEqual([
      'status: The service does not know alex.kim@northwind.example. Shown with an example person: each value is the name of its variable.',
      'status: Shown in Corporate, New message.',
    ])
    expect(body()).not.toContain('This could not be loaded')
    await go(...withoutPerson, refused(503))
    expect(status()[0]).toBe('status: Shown with an example person: each value is the name of its variable.')
    press('Try again')
    expect(recorded).toEqual([Planning.selfChosen()])
  })

  test('is for another person, who is searched in a dialog', async () => {
    await unfold(...begun)
    change()
    expect(dialog()).toEqual(['<Search for a person>', '[Show an example person]'])
    fill(field('Search for a person'), 'ana')
    const searched = Planning.personSearched({ text: 'ana' })
    expect(recorded).toEqual([searched])
    await go(...begun, searched)
    expect(dialog()[1]).toBe('status: Searching…')
    const people = [found('p-ana'), { ...found('p-cleo'), name: '' }]
    await go(...begun, searched, Planning.peopleFound({ people }))
    expect(dialog().slice(0, 4)).toEqual([
      '<Search for a person> ana',
      'status: 2 people found',
      '[p-anaana@in.example]',
      '[cleo@in.examplecleo@in.example]',
    ])
    press('p-anaana@in.example')
    expect(recorded.at(-1)).toEqual(Planning.personChosen({ person: 'p-ana' }))
    expect(all('dialog')).toEqual([])
    // The person before is shown until the next one is read.
    await go(...begun, Planning.personChosen({ person: 'p-ana' }))
    expect(status()).toEqual(['status: Loading…', 'status: Shown in Corporate, New message.'])
    await go(...begun, ...ana)
    expect(status()[0]).toBe('status: Shown for ana@in.example.')
  })

  test('goes back to the sample, or to the administrator', async () => {
    await unfold(...begun, ...ana)
    change()
    expect(dialog()).toEqual(['<Search for a person>', '[Show it for me][Show an example person]'])
    press('Show it for me')
    expect([recorded.at(-1), all('dialog')]).toEqual([Planning.selfChosen(), []])
    change()
    press('Show an example person')
    expect([recorded.at(-1), all('dialog')]).toEqual([Planning.sampleChosen(), []])
    await go(...begun, Planning.sampleChosen())
    expect(status()[0]).toBe('status: Shown with an example person: each value is the name of its variable.')
    change()
    expect(dialog()).toEqual(['<Search for a person>', '[Show it for me]'])
    press('Close')
    expect(all('dialog')).toEqual([])
  })

  test('of a mailbox whose template names the writer is for a chosen writer, or for anyone', async () => {
    const document = {
      ...releaseDocument,
      mailboxes: [
        { address: 'desk@in.example', selection: { for: 'everyone' as const, not: [] }, values: {} },
      ],
      templates: { ...releaseDocument.templates, 'templates/a.html': '<p>{{writer.phone}}</p>' },
    }
    const desk = { ...explained().person, id: 'p-desk', addresses: ['desk@in.example'] }
    const forDesk = [
      ...empty,
      Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
      Planning.personRead({ person: desk }),
    ]
    const choose = () => press('Choose who writes')
    const anyone = 'status: Values in ‹ › are those of the person who writes.'
    await unfold(...forDesk)
    expect(status()[1]).toBe(anyone)
    choose()
    expect(dialog()).toEqual(['<Search for a person>'])
    const people = [found('p-ana')]
    await go(...forDesk, Planning.personSearched({ text: 'ana' }), Planning.peopleFound({ people }))
    press('p-anaana@in.example')
    const chosen = Planning.writerChosen({ person: 'p-ana' })
    expect([recorded.at(-1), all('dialog')]).toEqual([chosen, []])
    await go(...forDesk, chosen)
    expect(status()[1]).toBe('status: Loading…')
    await go(...forDesk, chosen, Planning.writerFailed({ failure: down }))
    expect(outline(part('Preview'))).toContain('This could not be loaded')
    press('Try again')
    expect(recorded.at(-1)).toEqual(chosen)
    await go(...forDesk, chosen, Planning.writerRead({ person: explained().person }))
    expect(status()[1]).toBe('status: Written by ana@in.example.')
    choose()
    press('Show it for anyone who writes')
    expect([recorded.at(-1), all('dialog')]).toEqual([Planning.writerChosen({ person: null }), []])
    // A person writes for themselves, and other templates name nobody.
    await go(...forDesk.slice(0, -1), Planning.personRead({ person: explained().person }))
    expect(status()).not.toContain(anyone)
    expect(outline(part('Preview'))).toContain('Written by the same person.')
    await go(...begun, Planning.personChosen({ person: 'p-desk' }), Planning.personRead({ person: desk }))
    expect(status()).not.toContain(anyone)
  })

  test('says when no person was found, and has no list then', async () => {
    await unfold(...begun, Planning.personSearched({ text: 'x' }), Planning.peopleFound({ people: [] }))
    change()
    expect(dialog()[1]).toBe('status: 0 people found')
    expect(all('dialog ul')).toEqual([])
  })

  test('names a person without an address by the id', async () => {
    const person = { ...explained().person, addresses: [] }
    await unfold(...begun, Planning.personChosen({ person: 'p-ana' }), Planning.personRead({ person }))
    expect(status()[0]).toBe('status: Shown for p-ana.')
  })

  test('says that the search or the person failed', async () => {
    await unfold(...begun, Planning.personSearched({ text: 'a' }), Planning.searchFailed({ failure: down }))
    change()
    expect(dialog()).toContain('This could not be loaded')
    press('Close')
    await go(...begun, Planning.personChosen({ person: 'p' }), Planning.personFailed({ failure: down }))
    expect(outline(part('Preview'))).toContain('This could not be loaded')
    press('Try again')
    expect(recorded).toEqual([Planning.personChosen({ person: 'p' })])
  })

  test('says which signature it shows, and that the person does not have it', async () => {
    const open = Planning.templateOpened({ path: 'templates/b.html', line: null, column: null })
    const notSales = { ...explained().person, groups: [] }
    await unfold(...begun, Planning.sampleChosen(), open)
    expect(status().at(-1)).toBe('status: Shown in Sales, New message.')
    await go(
      ...begun,
      open,
      Planning.personChosen({ person: 'p-ana' }),
      Planning.personRead({ person: notSales }),
    )
    expect(status().at(-1)).toBe(
      'status: Shown in Sales, New message. This person does not have this signature on November 23, 2026.',
    )
    await go(...begun, open, ...ana, Planning.kindChosen({ use: 'reply' }))
    expect(status().at(-1)).toBe('status: Shown in Sales, New message.')
    await go(...begun, ...ana, Planning.kindChosen({ use: 'reply' }))
    expect(status().at(-1)).toBe('status: Shown in Sales, Reply.')
  })

  test('shows a template by itself that no signature uses', async () => {
    const document = {
      ...releaseDocument,
      templates: { ...releaseDocument.templates, 'templates/c.html': 'C' },
    }
    const open = Planning.templateOpened({ path: 'templates/c.html', line: null, column: null })
    const draft = Planning.draftBegun({ draft: draftOf({ document }), findings: [] })
    await unfold(...empty, draft, alexRead, open)
    expect(status().at(-1)).toBe('status: No signature uses this template. Shown by itself.')
  })
})

describe('what would change', () => {
  const shown = () => outline(part('What would change'))
  const rows = () =>
    all('main li:has(> span), main li > section > details > summary').map(({ textContent }) => textContent)

  test('is asked for, again after a failure, and not while publishing', async () => {
    await draw(...begun)
    press('See what would change')
    await go(...begun, Planning.planRequested(), Planning.planFailed({ failure: down }))
    press('Try again')
    await go(...planned())
    press('Plan again')
    const asked = Planning.planRequested()
    expect(recorded).toEqual([asked, asked, asked])
    await go(...planned(), Publishing.requested({ note: '', all: false }))
    expect(button('Plan again').getAttribute('aria-disabled')).toBe('true')
    press('Plan again')
    expect(recorded).toHaveLength(3)
  })

  test('says at the button that a draft with errors has no plan', async () => {
    const finding: FolderFinding = {
      file: 'templates/a.html',
      line: 1,
      column: 2,
      level: 'error',
      rule: 'x',
      message: 'There is no variable.',
    }
    const findings = [finding, { ...finding, level: 'warning' as const }]
    await draw(...begun)
    button('See what would change').focus()
    await go(...begun, Planning.planRequested())
    await go(...begun, Planning.planRequested(), Planning.draftRefused({ findings }))
    expect(document.activeElement?.textContent).toContain('They are listed below')
    const sentence = () => outline(part('Publish'))[0]
    expect(sentence()).toBe('status: 1 error: it keeps the draft from being published.')
    const warnings = findings.filter(({ level }) => level === 'warning')
    await go(...begun, Planning.planRequested(), Planning.draftRefused({ findings: warnings }))
    expect(sentence()).toBe('status: The plan says for every person what publishing the draft would change.')
  })

  test('refuses nothing while a plan of a draft with errors is made, and after it failed', async () => {
    const findings: readonly FolderFinding[] = [
      { file: 'templates/a.html', line: 1, column: 2, level: 'error', rule: 'x', message: 'X.' },
    ]
    const making = [
      ...empty,
      Planning.draftBegun({ draft: draftOf({ edited: ['templates/a.html'] }), findings }),
      Planning.planRequested(),
    ] as const
    const refusal = 'They are listed below'
    await draw(...making.slice(0, -1))
    expect(body()).toContain(refusal)
    await go(...making)
    expect(body()).not.toContain(refusal)
    await go(
      ...making,
      Planning.planFailed({ failure: { kind: 'http', status: 503, code: null, data: null } }),
    )
    expect(body()).not.toContain(refusal)
    await go(...making, ...planned().slice(-1))
    expect(body()).not.toContain(refusal)
  })

  test('names another release that was published since', async () => {
    await draw(...planned({}, { base: 'e'.repeat(32) }))
    expect(body()).toContain(
      'As of Nov 23, 2026, 12:00 PM. This plan can be published until Nov 24, 2026, 12:00 PM.',
    )
    expect(shown().slice(1)).toEqual([
      'note:',
      'Another release was published since the draft was begun',
      'Publishing the draft replaces it. What changes below is compared with what is published now.',
      'History → #/history',
      '### For whom',
      '345 people',
    ])
    await go(...planned())
    expect(shown()).not.toContain('note:')
  })

  test('is nothing only when no person and no variable changes', async () => {
    const all40 = { people: 40, unchanged: 40 }
    const sentence = () => outline(part('Publish'))[0]
    await draw(...planned(all40))
    expect(sentence()).toBe('status: Nothing changes for anyone.')
    expect(body()).not.toContain('For whom')
    expect(body()).not.toContain('Notes')
    await go(...planned(all40, { variables: [{ path: 'phone', kind: 'removed' }] }))
    expect(sentence()).toBe('status: Only the rules file changes; no signature does.')
    expect(outline(part('Notes (1)')).slice(1)).toEqual(['### Variables', 'phone: goes away'])
    expect(shown()).toContain('### For whom')
  })

  test('has a row for each kind of change, and people to look at only where there are some', async () => {
    await draw(
      ...planned({
        choosing: [{ people: 1, sample: { person: 'p', address: 'p@in.example' }, mayChoose: true }],
        asked: (['added', 'removed', 'changed'] as const).map((kind) => ({
          people: 3,
          sample: { person: 'p', address: 'p@in.example' },
          kind,
        })),
        mailboxes: [
          {
            people: 2,
            sample: { person: 'p', address: 'p@in.example' },
            address: 'a@in.example',
            kind: 'removed',
          },
        ],
      }),
    )
    expect(rows()).toEqual([
      'May choose the default signature from now on. 1 person',
      'Is asked before sending about what is missing. 3 people',
      'Is no longer asked before sending. 3 people',
      'Is asked before sending about something else. 3 people',
      'May no longer write for a@in.example. 2 people',
    ])
    expect(shown()).not.toContain('### Who gets a signature')
    const { losing, missing } = fullSummary
    await go(...planned({ losing }))
    expect(outline(part('Who gets a signature'))).toEqual([
      '### Who gets a signature',
      '12 people lose every signature, for example maria.silva@northwind.example.',
    ])
    await go(...planned({ missing }))
    expect(outline(part('Who gets a signature'))).toEqual([
      '### Who gets a signature',
      '3 people have no phone for Corporate, for example maria.silva@northwind.example.',
    ])
    expect(rows()).toEqual([])
  })

  test('has one row for a signature or block, with all its differences in words', async () => {
    await draw(
      ...planned({
        signatures: [
          signatureGroup(),
          signatureGroup({ aspects: ['reply', 'signature'], people: 2 }),
          signatureGroup({ kind: 'added', aspects: [], people: 4, before: null }),
        ],
        ...(blocksSummary.blocks && { blocks: blocksSummary.blocks }),
      }),
    )
    expect(rows()).toEqual([
      'Corporatechanges in new messages and replies. is new. 339 people',
      'Harbour daysis new at the place “banner”. 3,787 people',
      'Careerschanges in its look and its days. 40 people',
      'Summergoes away from the place “banner”. 1 person',
    ])
  })

  test('draws a difference once its row is opened', async () => {
    await draw(...planned({ signatures: [signatureGroup()] }))
    expect(all('main figure')).toEqual([])
    unfold('Corporate', true)
    expect(all('main figure')).toHaveLength(2)
    unfold('Corporate', false)
    expect(all('main figure')).toHaveLength(2)
  })

  test('says that the values of a mailbox’s writer are a sample', async () => {
    const sentence = 'Values in ‹ › are those of the person who writes. Each writer sees their own.'
    await draw(...planned({ signatures: [signatureGroup({ sampleWriter: true })] }))
    unfold('Corporate', true)
    expect(outline(part('Corporate'))).toContain(sentence)
    await go(...planned({ signatures: [signatureGroup()] }))
    expect(outline(part('Corporate'))).not.toContain(sentence)
  })

  test('says how many changes are not listed, and which differences are not drawn', async () => {
    const sample = { people: 2, sample: { person: 'p', address: 'p@in.example' } }
    const block = { kind: 'changed', block: 'b', name: 'Autumn', slot: 'banner', aspects: ['html'] } as const
    await draw(
      ...planned({
        signatures: [
          {
            ...sample,
            kind: 'changed',
            signature: 'a',
            name: 'Corporate',
            aspects: ['signature'],
            before: null,
            after: null,
          },
        ],
        blocks: [{ ...sample, ...block, before: null, after: null }],
        more: 1_200,
      }),
    )
    expect(shown()).toContain('1,200 more changes of people are not listed: there are too many kinds.')
    for (const name of ['Corporate', 'Autumn']) {
      unfold(name, true)
      expect(outline(part(name))).toContain('Not shown here: the plan has no room for more previews.')
    }
  })

  test.each([
    [50, [50]],
    [51, [50, 51]],
    [101, [50, 100, 101]],
  ])('of %i rows is shown fifty at a time', async (count, steps) => {
    const mailboxes = Array.from({ length: count }, (_, index) => ({
      people: 1,
      sample: { person: 'p', address: 'p@in.example' },
      kind: 'added' as const,
      address: `box-${String(index)}@in.example`,
    }))
    await draw(...planned({ mailboxes }))
    const place = part('What would change')
    const counts: number[] = []
    for (let step = 0; step < steps.length; step += 1) {
      if (step > 0) press('Show more')
      counts.push(rows().length)
    }
    expect(counts).toEqual(steps)
    expect(place.querySelector('button')).toBeNull()
  })

  test('[ADOPT-14] has the coverage: who has no signature and why, and what never decides', async () => {
    await draw(...planned({ unchanged: 4_987, coverage }))
    const place = part('Who gets a signature')
    const newcomers = (count: number) =>
      Array.from({ length: count }, (_, index) => `newcomer${String(index)}@northwind.example`)
    const names = () =>
      [...place.querySelectorAll('tbody tr:first-child td:last-child :is(li, div)')].map(
        (each) => each.textContent,
      )
    expect(names()).toEqual([...newcomers(10), 'Show more'])
    for (let step = 0; step < 4; step += 1)
      act(() => place.querySelector<HTMLElement>('tbody button')?.click())
    expect(names()).toEqual([
      ...newcomers(MAX_UNCOVERED_NAMED - 2),
      'And 13 more people. All of them are below “For whom”.',
    ])
    expect(outline(place).slice(4)).toEqual([
      '1 | Sales leaves them out, because the person is in the group trainees.tess.edge@northwind.example',
      '1 | Board leaves them out by name.cfo@northwind.example',
      '1 | Harbour days is for them, but runs only from November 20, 2026 to December 24, 2026.jonas.weber@northwind.example',
    ])
    expect(outline(part('Notes (6)')).slice(1)).toEqual([
      '### Rules that never apply',
      'Press: none of the people fits its rules.',
      'Block Award: none of the people gets it.',
      'Block Careers: Autumn comes before it and fits every message.',
      'Corporate comes first for all people of these signatures: Service and Harbour days.',
      'Other signatures come first for all people of this signature: Board.',
      'A signature behind another one applies to people who choose it themselves, if they may choose their default signature.',
      '### Only the order differs',
      'Corporate and Service show the same.',
    ])
    // All of them are in the list of people, also when nothing changes.
    expect(shown()).toContain('### For whom')
  })

  test('says when everyone has a signature, and nothing of coverage from an earlier service', async () => {
    await draw(...planned({ unchanged: 4_987, coverage: { none: [], idle: [], alike: [] } }))
    expect(shown().slice(1)).toEqual(['Everyone has a signature.'])
    await go(...planned())
    expect(shown()).not.toContain('Everyone has a signature.')
  })

  test('has three differences of a signature, then three more at each press', async () => {
    const signatures = Array.from({ length: 7 }, (_, index) => signatureGroup({ people: 10 - index }))
    await draw(...planned({ signatures }))
    const place = part('Corporate')
    unfold('Corporate', true)
    const count = () => place.querySelectorAll('strong').length
    expect(count()).toBe(3)
    press('Show 4 more differences')
    expect(count()).toBe(6)
    press('Show 1 more difference')
    expect(count()).toBe(7)
    expect(place.querySelector('button')).toBeNull()
  })

  test('has both sides of a difference, each where there is one', async () => {
    await draw(
      ...planned({
        signatures: [
          signatureGroup({ kind: 'removed', aspects: [], people: 1, after: null }),
          signatureGroup({
            aspects: ['reply', 'mobile'],
            before: { signature: '<p>A</p>', reply: null, mobile: '<p>M</p>' },
            after: { signature: '<p>A</p>', reply: '<p>R</p>', mobile: null },
          }),
        ],
      }),
    )
    unfold('Corporate', true)
    expect(outline(part('Corporate'))).toEqual([
      '### Corporate',
      'goes away. changes in replies and mobile messages.',
      '334 people',
      'goes away. For 1 person; here as maria.silva@northwind.example sees it.',
      '#### New message',
      'Before',
      'After',
      'None',
      'changes in replies and mobile messages. For 333 people; here as maria.silva@northwind.example sees it.',
      '#### Reply',
      'Before',
      'None',
      'After',
      '#### Mobile message',
      'Before',
      'After',
      'None',
    ])
  })
})

describe('the parts of a plan', () => {
  const open = () =>
    all('main section:has(> details[open])').map(
      (each) => document.getElementById(each.getAttribute('aria-labelledby') ?? '')?.textContent,
    )
  const { losing } = fullSummary

  test('are folded', async () => {
    await draw(...planned({ ...fullSummary, ...blocksSummary, coverage }))
    expect(open()).toEqual([])
  })

  test('stay as the administrator left them, until the next plan', async () => {
    await draw(...planned(fullSummary))
    unfold('Corporate', true)
    await go(...planned(fullSummary), edited)
    expect(open()).toEqual(['Corporate'])
    await go(...planned(fullSummary, { at: 1 }))
    expect(open()).toEqual([])
  })

  test('have the people without a signature in a warning before them, if there are any', async () => {
    const lines = () => outline(part('What would change')).slice(1, 4)
    await draw(...planned({ coverage }))
    expect(lines()).toEqual([
      'note:',
      'Afterwards, 64 people have no signature',
      'Their messages have no signature until a rule gives them one.',
    ])
    await go(...planned({ losing }))
    expect(lines()).toContain('Afterwards, 12 people have no signature')
    await go(...planned({ coverage: { none: [], idle: [], alike: [] } }))
    expect(lines()).toEqual(['Everyone has a signature.', '### For whom', '345 people'])
  })

  test('say how much is in each', async () => {
    const during = { from: '2026-09-01', to: '2026-11-20', timeZone: 'UTC' }
    const closed = [
      { signature: 'a', name: 'Autumn fair', during },
      { signature: 'b', name: 'Winter fair', during: { ...during, to: '2026-11-23' } },
    ]
    await draw(
      ...planned(
        { ...fullSummary, ...blocksSummary, ...fullSummary, coverage, more: 3 },
        { closed, variables: [{ path: 'phone', kind: 'added' }] },
      ),
    )
    const counts = all('main summary').map((each) => outline(each).join(' '))
    expect(counts).toEqual([
      '### Corporate changes in new messages and replies. 335 people',
      '### Sales is new. 40 people',
      '### Harbour days is new at the place “banner”. 3,787 people',
      '### Careers changes in its look and its days. 40 people',
      '### Summer goes away from the place “banner”. 1 person',
      '### For whom 345 people · 64 people without a signature',
      '### Blocks: banners and notices 3',
      '## Notes (8)',
    ])
    // Of the signatures that are not shown today, only those whose period is over: the others are periods.
    expect(outline(part('Notes (8)')).slice(-2)).toEqual([
      '### Not shown on this day',
      'Autumn fair: from 2026-09-01 to 2026-11-20 (UTC)',
    ])
  })
})

describe('the periods of a draft', () => {
  const periodsOf = (document: ReleaseDocument) => [
    ...empty,
    Planning.draftBegun({ draft: draftOf({ document, edited: ['templates/a.html'] }), findings: [] }),
    Planning.planRequested(),
    Planning.planned({ plan: planOf(), document }),
  ]
  const period = (from: string, to: string) => ({ from, to, timeZone: 'UTC' })

  test('are told in words, for signatures and blocks', async () => {
    const [corporate, sales] = releaseDocument.signatures
    if (!corporate || !sales) throw new Error('The document has two signatures')
    await draw(
      ...periodsOf({
        ...blocksDocument,
        signatures: [corporate, { ...sales, during: period('2026-11-01', '2026-11-20') }],
        blocks: [
          block({ id: 'fair', name: 'Fair', during: period('2026-11-23', '2026-11-23') }),
          block({ id: 'careers', name: 'Careers' }),
          block({ id: 'winter', name: 'Winter', slot: 'notice', during: period('2027-06-01', '2027-06-30') }),
        ],
      }),
    )
    expect(outline(part('Periods'))).toEqual([
      '### Periods',
      'Careers Not shown now',
      'Always · Other blocks come before it on some of its days',
      'Sales Over',
      'November 1, 2026 to November 20, 2026 (UTC)',
      'Fair Running now',
      'November 23, 2026 to November 23, 2026 (UTC)',
      'Winter Not begun yet',
      'June 1, 2027 to June 30, 2027 (UTC)',
    ])
    // A bar for each stretch of days, and none after the end of the timeline.
    expect(all('[data-state]').map(({ dataset, style }) => [dataset['state'], style.width])).toEqual([
      ['behind', `${String((14 / 90) * 100)}%`],
      ['behind', `${String((75 / 90) * 100)}%`],
      ['over', `${String((12 / 90) * 100)}%`],
      ['open', `${String((1 / 90) * 100)}%`],
    ])
  })

  test('are left out without any, and twelve at a time', async () => {
    await draw(...periodsOf(releaseDocument))
    expect(body()).not.toContain('Periods')
    const [corporate] = releaseDocument.signatures
    if (!corporate) throw new Error('The document has a signature')
    const signatures = Array.from({ length: 13 }, (_, index) => ({
      ...corporate,
      id: `s-${String(index)}`,
      during: period('2026-11-01', '2026-12-31'),
    }))
    await go(...periodsOf({ ...releaseDocument, signatures }))
    expect(part('Periods').querySelectorAll('li')).toHaveLength(12)
    press('Show more')
    expect(part('Periods').querySelectorAll('li')).toHaveLength(13)
  })
})

describe('for whom something changes', () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => personPlan(`p-${String(index)}`))
  const read = (count: number, next: string | null = null, from = 0) => [
    ...planned({ reordered: fullSummary.reordered }),
    PlannedPeople.shown({ plan: planOf().id, from }),
    PlannedPeople.pageLoaded({ query: planOf().id, after: null, page: { people: people(count), next } }),
  ]
  const frame = () => {
    const lines = outline(part('For whom'))
    return lines.filter((line) => !line.includes(' | '))
  }

  test('is shown when it is opened, and read once', async () => {
    await draw(...planned({ reordered: fullSummary.reordered }))
    expect(frame()).toEqual(['### For whom', '345 people'])
    unfold('For whom', true)
    expect(recorded).toEqual([PlannedPeople.shown({ plan: planOf().id, from: 0 })])
    await go(
      ...planned({ reordered: fullSummary.reordered }),
      PlannedPeople.shown({ plan: planOf().id, from: 0 }),
    )
    expect(frame()).toEqual(['### For whom', '345 people', 'status: Loading…'])
    unfold('For whom', false)
    unfold('For whom', true)
    expect(recorded).toHaveLength(1)
  })

  test.each([
    ['no person', read(0), ['status: Nothing changes for anybody.']],
    ['one page', read(50), ['1 to 50']],
    ['a page and one more', read(51), ['1 to 50', '[Next]']],
    ['a page, and more in the service', read(50, 'p-49'), ['1 to 50', '[Next]']],
    [
      'the second page',
      [...read(60), PlannedPeople.shown({ plan: planOf().id, from: 50 })],
      ['51 to 60', '[Previous]'],
    ],
  ])('is %s', async (_, log, lines) => {
    await draw(...log)
    expect(frame().slice(2)).toEqual(lines)
  })

  test('goes on and back by fifty', async () => {
    await draw(...read(120))
    press('Next')
    await go(...read(120), PlannedPeople.shown({ plan: planOf().id, from: 50 }))
    expect(frame()).toEqual(['### For whom', '345 people', '51 to 100', '[Previous][Next]'])
    // However many are read, fifty rows are drawn below that of the headings.
    expect(part('For whom').querySelectorAll('tr')).toHaveLength(51)
    press('Previous')
    press('Next')
    expect(recorded).toEqual([
      PlannedPeople.shown({ plan: planOf().id, from: 50 }),
      PlannedPeople.shown({ plan: planOf().id, from: 0 }),
      PlannedPeople.shown({ plan: planOf().id, from: 100 }),
    ])
  })

  test('is asked for again after a failure, for the same page', async () => {
    await draw(
      ...read(50, 'p-49'),
      PlannedPeople.shown({ plan: planOf().id, from: 50 }),
      PlannedPeople.pageFailed({ failure: down }),
    )
    expect(frame()).not.toContain('[Next]')
    press('Try again')
    expect(recorded).toEqual([PlannedPeople.shown({ plan: planOf().id, from: 50 })])
  })
})

describe('the bar', () => {
  const INTRO = 'status: The plan says for every person what publishing the draft would change.'
  const CHANGES = 'status: Changes for 345 of 4,987 people.'
  const shown = () => outline(part('Publish'))

  test.each<readonly [about: string, events: readonly AdministrationEvent[], lines: readonly string[]]>([
    ['an unchanged draft', on('/plan').begun, ['status: There is nothing to publish.']],
    ['a changed draft', begun, [INTRO, '[See what would change]']],
    [
      'a plan that is made',
      [...begun, Planning.planRequested()],
      [INTRO, '[See what would change, disabled]'],
    ],
    ['a plan of the draft', planned(), [CHANGES, '[Plan again][Publish this plan]']],
    [
      'a plan of an earlier draft',
      [...planned(), edited],
      ['status: The draft was changed after this plan', '[Plan again]'],
    ],
    [
      'a plan that is made again',
      [...planned(), Planning.planRequested()],
      [INTRO, '[See what would change, disabled]'],
    ],
    [
      'a plan that is being published',
      [...planned(), Publishing.requested({ note: '', all: false })],
      [CHANGES, '[Plan again, disabled][Publish this plan, disabled]'],
    ],
  ])('has the next step with %s', async (_, events, lines) => {
    await draw(...events)
    expect(shown()).toEqual(lines)
  })

  test('does not offer to publish without the role', async () => {
    const reader = [...at('/plan', { roles: ['Signet.Read'] }), ...planned().slice(at('/plan').length)]
    await draw(...reader)
    expect(shown()).toEqual([CHANGES, '[Plan again]'])
    expect(body()).toContain('You need the role Signet.Publish')
    await go(...planned())
    expect(body()).not.toContain('You need the role Signet.Publish')
  })

  test('shows no plan of a draft whose changes were all undone', async () => {
    const original = draftOf({ original: releaseDocument })
    const draft = Planning.draftBegun({ draft: original, findings: [] })
    const undone = Planning.edited({ path: 'templates/a.html', edits: [{ from: 0, to: 1, insert: '' }] })
    const made = Planning.planned({ plan: planOf(), document: releaseDocument })
    const changed = [...empty, draft, edited, Planning.planRequested(), made]
    await draw(...changed)
    expect(body()).toContain('What would change')
    await go(...changed, undone)
    expect(shown()).toEqual(['status: There is nothing to publish.'])
    expect(body()).not.toContain('What would change')
  })
})

describe('publishing', () => {
  const shown = () => outline(all('main')[0])
  const question = () => outline(all('dialog')[0])
  /** Presses the button for these people in the question. */
  const confirm = (name = 'Publish for 345 people') => {
    const [found] = all('dialog button').filter(({ textContent }) => textContent === name)
    act(() => {
      if (!found) throw new Error(`The question has no button ${name}`)
      found.click()
    })
  }

  test('asks once more, for whom and with which note', async () => {
    await draw(...planned({ coverage }))
    press('Publish this plan')
    expect(question()).toEqual([
      '## Publish this plan?',
      '[Close]',
      'Changes for 345 of 4,987 people.',
      'note:',
      'Afterwards, 64 people have no signature',
      '<Note for the history>',
      '[Publish for 345 people][Cancel]',
    ])
    press('Cancel')
    expect([all('dialog'), recorded]).toEqual([[], []])
    await go(...planned({ people: 40, unchanged: 40 }))
    press('Publish this plan')
    expect(question().at(-1)).toBe('[Publish this plan][Cancel]')
    expect(question()).not.toContain('note:')
  })

  test('keeps the note of a question that was cancelled, and leaves the focus at the button', async () => {
    await draw(...planned())
    button('Publish this plan').focus()
    press('Publish this plan')
    fill(field('Note for the history'), 'Autumn fair')
    act(() => {
      all('dialog')[0]?.dispatchEvent(new Event('cancel', { cancelable: true }))
    })
    expect([all('dialog'), recorded]).toEqual([[], []])
    expect(document.activeElement).toBe(button('Publish this plan'))
    press('Publish this plan')
    expect(field('Note for the history').value).toBe('Autumn fair')
  })

  test('publishes the plan with the note', async () => {
    await draw(...planned())
    press('Publish this plan')
    expect(field('Note for the history').maxLength).toBe(500)
    fill(field('Note for the history'), 'Autumn fair')
    confirm()
    const asked = Publishing.requested({ note: 'Autumn fair', all: false })
    expect(recorded).toEqual([asked])
    expect(all('dialog')).toEqual([])
    await go(...planned(), asked)
    expect(shown()).toContain('status: Publishing…')
    expect(shown()).toContain('[Plan again, disabled][Publish this plan, disabled]')
    await go(...planned(), asked, Publishing.failed({ failure: down }))
    expect(shown()).toContain('The plan was not published')
    press('Try again')
    expect(recorded).toEqual([asked, asked])
  })

  test('[ADOPT-13] needs a tick when the plan changes more people than its limit, and again for the next plan', async () => {
    const summary = { ...fullSummary, people: 400, unchanged: 67 }
    const beyond = (at: number) => planned(summary, { at, limit: { most: 40, changed: 350 } })
    const warning = 'This plan changes something for 350 people, more than the limit allows'
    const box = () => part('Publish this plan?').querySelector<HTMLInputElement>('input[type=checkbox]')
    const [off, on] = ['[Publish for 350 people, disabled][Cancel]', '[Publish for 350 people][Cancel]']
    await draw(...beyond(0))
    press('Publish this plan')
    expect(question()).toContain(warning)
    expect(body()).toContain('The limit of 40 is set in signet.yaml')
    expect(question().at(-1)).toBe(off)
    confirm('Publish for 350 people')
    expect(recorded).toEqual([])
    act(() => box()?.click())
    expect(question().at(-1)).toBe(on)
    confirm('Publish for 350 people')
    expect(recorded).toEqual([Publishing.requested({ note: '', all: true })])
    await go(...beyond(1))
    press('Publish this plan')
    expect([box()?.checked, question().at(-1)]).toEqual([false, off])
    await go(...planned(summary, { limit: { most: 333, changed: 333 } }))
    expect([box(), question().includes(warning)]).toEqual([null, false])
    expect(question().at(-1)).toBe('[Publish for 333 people][Cancel]')
  })

  test('answers where it was asked for when the published plan is gone', async () => {
    await draw(...planned())
    button('Publish this plan').focus()
    const asked = Publishing.requested({ note: '', all: false })
    await go(...planned(), asked)
    expect(document.activeElement).toBe(button('Publish this plan'))
    const history = releases().history
    await go(...planned(), asked, Publishing.done({ release: 'd'.repeat(32), history }))
    expect(document.activeElement?.textContent).toContain('Published as release dddddddd.')
    expect(outline(document.activeElement)).toEqual([
      'status: Published as release dddddddd. The draft is what is published now. This reaches new messages at once, or up to 15 minutes later on a device with a recent copy. Roll back to an earlier release → #/history',
    ])
    expect(outline(part('Publish'))).toEqual(['status: There is nothing to publish.'])
  })

  test('leads after the first release to the history, because there is nothing to roll back to', async () => {
    const history = releases().history.slice(0, 1)
    await draw(
      ...planned(),
      ReleasesLoad.loaded({ value: releases() }),
      Publishing.requested({ note: '', all: false }),
      Publishing.done({ release: history[0]?.release ?? '', history }),
    )
    expect(shown().join()).toContain('with a recent copy. History → #/history')
  })

  test('begins the note of another plan empty', async () => {
    await draw(...planned())
    press('Publish this plan')
    fill(field('Note for the history'), 'Autumn fair')
    await go(...planned({}, { at: 1 }))
    expect(field('Note for the history').value).toBe('')
  })

  test('needs another plan when another release was published, or the plan is over', async () => {
    const asked = Publishing.requested({ note: '', all: false })
    for (const [status, code] of [
      [409, 'base_moved'],
      [404, 'not_found'],
    ] as const) {
      const failure = { kind: 'http', status, code, data: null } as const
      await draw(...planned(), asked, Publishing.failed({ failure }))
      expect(outline(part('Publish'))).toEqual(['status: The plan was not published', '[Plan again]'])
      expect(shown()).toContain('This plan can no longer be published')
      for (const again of all('main button').filter(({ textContent }) => textContent === 'Plan again'))
        act(() => again.click())
      expect(recorded.splice(0)).toEqual([Planning.planRequested(), Planning.planRequested()])
    }
  })
})

describe('the words of a plan', () => {
  const t = (() => {
    const texts = englishTexts()
    return (...[key, values]: Parameters<Parameters<typeof defaultChangeText>[1]>) =>
      texts.t(key, { ...values })
  })()

  test.each([
    [null, 'nothing fits'],
    ['user', 'it is their own choice'],
    ['everyone', 'it is for everyone'],
    [[{ by: 'group', values: ['a', 'b'] }], 'of group a or b'],
    [[{ by: 'person', values: ['p@x'] }], 'an address is p@x'],
    [[{ by: 'address', values: ['*@x'] }], 'an address is like *@x'],
    [[{ by: 'language', values: ['de'] }], 'the language is de'],
    [[{ by: 'test', field: 'city', tests: [{ is: 'any' }] }], 'city is not empty'],
    [
      [{ by: 'manager', conditions: [{ by: 'field', field: 'city', values: ['Rio'] }] }],
      'manager.city is Rio',
    ],
    [
      [
        { by: 'field', field: 'city', values: ['Rio'] },
        { by: 'group', values: ['a'] },
      ],
      'city is Rio and of group a',
    ],
  ] as const)('a reason of %j is told', (because, said) => {
    expect(becauseText(because, t)).toBe(said)
  })

  test.each([
    [null, 'B', 'Gets a default signature: B, because it is for everyone.'],
    ['A', 'B', 'Another default signature: A → B, because it is for everyone.'],
    ['A', null, 'No default signature any more; it was A.'],
    [null, null, 'No default signature any more; it was .'],
  ])('a default from %s to %s is told', (from, to, said) => {
    expect(defaultChangeText({ from, to, because: 'everyone' }, t)).toBe(said)
  })

  test('every aspect of a difference has a name', () => {
    const aspects = [
      ...([
        'signature',
        'reply',
        'mobile',
        'linked',
        'attached',
        'name',
        'recipients',
        'collection',
      ] as const),
    ]
    expect(differenceText({ kind: 'changed', aspects }, t)).toBe(
      'changes in new messages, replies, mobile messages, its pictures (now linked), its pictures (now attached), its name, its recipients, and its heading in the pane.',
    )
  })

  test('every difference of a block is told, and on which days and in which messages it stands', () => {
    const aspects = [
      'html',
      'name',
      'people',
      'days',
      'hours',
      'ownDays',
      'recipients',
      'replies',
      'order',
      'places',
      'clicks',
    ] as const
    const change = { slot: 'banner', aspects }
    expect(blockDifferenceText({ ...change, kind: 'changed' }, t)).toBe(
      'changes in its look, its name, for whom it is, its days, its hours, the days that people enter, its recipients, whether it is in replies, its order at the place, where it appears, and whether clicks are counted.',
    )
    expect(blockDifferenceText({ ...change, kind: 'added' }, t)).toBe('is new at the place “banner”.')
    expect(blockDifferenceText({ ...change, kind: 'removed' }, t)).toBe('goes away from the place “banner”.')
    const during = { from: '2026-10-01', to: '2026-10-31', timeZone: 'UTC' }
    const day = (text: string) => `<${text}>`
    expect(blockRuleTexts({ during, recipients: 'external', replies: false }, t, day)).toEqual([
      '<2026-10-01> to <2026-10-31> (UTC)',
      'Recipients outside the organisation',
      'Not in replies',
    ])
    const hours = {
      spans: [{ days: [1, 2, 3, 4, 5, 7], from: '08:00', to: '18:00' }],
      timeZone: 'Europe/Berlin',
    }
    const always = { during: null, recipients: 'everyone', replies: true } as const
    const inHours = 'Mon–Fri, Sun 08:00–18:00 (Europe/Berlin)'
    const textsOf = (over: Partial<Parameters<typeof blockRuleTexts>[0]>) =>
      blockRuleTexts({ ...always, ...over }, t, day)[0]
    expect(textsOf({ hours })).toBe(inHours)
    expect(textsOf({ hours, during })).toBe(`<2026-10-01> to <2026-10-31> (UTC) · ${inHours}`)
    const ownDays = { from: 'away_from', to: 'away_to', before: 0, timeZone: 'UTC' }
    expect(textsOf({ ownDays })).toBe('From the first to the last day that each person enters')
    expect(textsOf({ ownDays: { ...ownDays, before: 14 } })).toBe(
      'From 14 days before the first to the last day that each person enters',
    )
    expect(blockRuleTexts({ during: null, recipients: ['a.example'], replies: true }, t, day)).toEqual([
      'Always',
      'Recipients at a.example',
    ])
  })

  test('everything that changes for a person is told, one sentence each', () => {
    const plan = personPlan('p', {
      losesAll: true,
      reordered: true,
      mayChoose: true,
      missing: [{ signature: 'a', name: 'Corporate', variables: ['phone'] }],
      blocks: [{ kind: 'added', block: 'autumn', name: 'Autumn', slot: 'banner', aspects: [] }],
      default: { from: null, to: { choice: { master: 'b' }, name: 'Sales' }, because: null },
      mailboxes: { added: ['a@x'], removed: ['b@x'], more: { added: 1_950, removed: 1 } },
    })
    expect(personChangeTexts(plan, t)).toEqual([
      'Loses every signature.',
      'Has no phone for Corporate.',
      'Corporate: changes in new messages.',
      'Autumn: is new at the place “banner”.',
      'Gets a default signature: Sales, because nothing fits.',
      'Another order of signatures.',
      'May choose the default signature from now on.',
      'May write for a@x.',
      'May no longer write for b@x.',
      'May write for 1,950 more mailboxes, which are not named here.',
      'May no longer write for 1 more mailbox, which is not named here.',
    ])
    const least = personPlan('p', {
      signatures: [],
      mailboxes: { added: [], removed: ['b@x'], more: { added: 0, removed: 2 } },
      missing: [{ signature: 'a', name: 'Corporate', variables: ['phone', 'fax'], more: 480 }],
    })
    expect(personChangeTexts(least, t)).toEqual([
      'Has no phone, fax, and 480 more for Corporate.',
      'May no longer write for b@x.',
      'May no longer write for 2 more mailboxes, which are not named here.',
    ])
    const added = {
      ...least,
      missing: [],
      mailboxes: { added: [], removed: [], more: { added: 2, removed: 0 } },
    }
    expect(personChangeTexts(added, t)).toEqual(['May write for 2 more mailboxes, which are not named here.'])
    const less = personPlan('p', {
      signatures: [],
      mayChoose: false,
      default: { from: { choice: { master: 'b' }, name: 'Sales' }, to: null, because: null },
    })
    expect(personChangeTexts(less, t)).toEqual([
      'No default signature any more; it was Sales.',
      'May no longer choose the default signature.',
    ])
    expect(personChangeTexts(personPlan('p', { signatures: [] }), t)).toEqual([])
  })

  test.each([
    [{ reason: 'noFolder' }, 'It has no file signet.yaml.'],
    [{ reason: 'tooMany', limit: 2_000 }, 'It has more than 2,000 files.'],
    [{ reason: 'tooLarge', limit: 14_500_000 }, 'larger than 14.5 MB together'],
    [{ reason: 'unreadable' }, 'It could not be read.'],
  ] as const)('a folder that is refused for %j says so', (refusal, said) => {
    expect(folderRefusalText(refusal, t)).toContain(said)
  })
})
