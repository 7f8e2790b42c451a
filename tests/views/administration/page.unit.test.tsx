import { act } from 'react'
import { I18nextProvider } from 'react-i18next'
import { describe, expect, test, vi } from 'vitest'
import {
  AuditLog,
  HistoryComparison,
  InsightLoad,
  MaintenanceChange,
  OverviewLoad,
  ReleasesLoad,
  RollBack,
} from '../../../streams/administration/overview/events.ts'
import { PeopleImport, People } from '../../../streams/administration/people/events.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { Organisation, Person } from '../../../streams/organisation/facts/events.ts'
import { languages } from '../../../streams/wire/languages.ts'
import { useDayText, useFormats } from '../../../views/administration/parts/formats.ts'
import { Crashed } from '../../../views/administration/parts/Crashed.tsx'
import { CrashBoundary } from '../../../views/shared/CrashBoundary.tsx'
import { placeholderProblemText } from '../../../views/administration/text/plan.ts'
import { explainFailure, technicalDetailsOf } from '../../../views/administration/text/failure.ts'
import {
  auditFact,
  auditPage,
  insight,
  NOON,
  overview,
  published,
  releaseId,
  releases,
} from '../../support/administration/answers.ts'
import type { CallerInfo, Overview } from '../../../streams/wire/administration/insight.ts'
import { at, importStopped, noConnection, roleMissing } from '../../support/administration/story.ts'
import { DirectoryLoad, DirectorySync } from '../../../streams/administration/directory/events.ts'
import { FRESH_COPY_MS } from '../../../streams/wire/freshCopy.ts'
import { directoryOf, explained, found, run } from '../../support/administration/people.ts'
import { draftOf, releaseDocument } from '../../support/administration/plans.ts'
import {
  all,
  body,
  button,
  englishTexts,
  field,
  press,
  textOf,
  fill,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'
import { outline } from '../outline.ts'

const { recorded, draw, go, render, forgive } = useAdministrationDrawing()

const history = [...at('/history'), ReleasesLoad.loaded({ value: releases() })]

describe('a directory that asks before it retires people', () => {
  const asking = (source: string) =>
    run({
      id: 'run-2',
      source,
      outcome: 'needsLeave',
      added: 2,
      changed: 7,
      retired: 3,
      samples: [{ person: 'ben@in.example', change: 'retired', fields: [], reason: null }],
    })
  const drawn = async (source: 'graph' | 'scim') => {
    const value = directoryOf({ kind: source, sources: [source], runs: [asking(source)] })
    await draw(...at('/directory'), DirectoryLoad.loaded({ value }))
    const last = all('section').find((section) => section.querySelector('h2')?.textContent === 'Last run')
    return { page: body(), last: last?.textContent ?? '' }
  }

  test('says that it changed nothing, when it did not', async () => {
    const { page, last } = await drawn('graph')
    expect(page).toContain('so the sync changed nothing')
    expect(last).toContain('Changed nothing and asks')
    expect(last).toContain('What it would change')
    expect(last).not.toContain('Waiting')
  })

  test('says what it applied and who waits, when it is one that pushes', async () => {
    const { page, last } = await drawn('scim')
    expect(page).toContain('everything else that the directory told was applied')
    expect(page).not.toMatch(/changed nothing/i)
    expect(last).toContain('What it changed')
    expect(last).toContain('Added2Changed7Waiting to be retired3')
    expect(last).toContain('ben@in.example Waiting to be retired')
  })
})

describe('a sync of the directory', () => {
  const asking = run({ id: 'run-2', outcome: 'needsLeave', retired: 3 })
  const begun = run({ id: 'run-3', outcome: 'running', until: null })
  const directory = (...runs: (typeof begun)[]) =>
    DirectoryLoad.loaded({
      value: directoryOf({
        kind: 'graph',
        sources: ['graph'],
        isRunning: runs[0]?.outcome === 'running',
        runs,
      }),
    })
  const loaded = [...at('/directory'), directory(asking)]

  test('that an administrator allows to retire people is answered when the run ends', async () => {
    await draw(...loaded)
    button('Retire these people').focus()
    const asked = [...loaded, DirectorySync.requested({ kind: 'deactivate' })]
    await go(...asked)
    await go(...asked, DirectorySync.done({ run: begun }))
    expect(document.activeElement?.textContent).toBe('A run is under way. This page follows it.')
    const ended = run({ id: 'run-3', outcome: 'done', retired: 3 })
    await go(...asked, DirectorySync.done({ run: begun }), directory(ended, asking))
    expect(document.activeElement?.textContent).toMatch(/^Sync · .* · Done$/)
  })

  test('that another administrator began takes no focus when it ends', async () => {
    await draw(...at('/directory'), directory(begun))
    button('Sync now').focus()
    await go(...at('/directory'), directory(begun), directory(asking))
    expect(document.activeElement).toBe(button('Sync now'))
    expect(textOf('[data-answer]')).toEqual(['', ''])
  })

  test('does not say that people stay while the next run is under way', async () => {
    await draw(...loaded)
    button('Leave everyone as they are').focus()
    const left = [...loaded, DirectorySync.declined({ run: 'run-2' })]
    await go(...left)
    expect(document.activeElement?.textContent).toContain('Everyone stays as they are.')
    const next = [...left, DirectorySync.requested({ kind: 'sync' }), DirectorySync.done({ run: begun })]
    await go(...next)
    expect(body()).not.toContain('Everyone stays as they are.')
  })
})

describe('signing in', () => {
  test('is one button, and nothing of an area', async () => {
    await draw(Session.started({ known: false }))
    expect(textOf('h1')).toEqual(['Signet administration'])
    expect(all('nav')).toEqual([])
    press('Sign in')
    expect(recorded).toEqual([Session.signInRequested()])
    expect(document.title).toBe('Sign in – Signet administration')
  })

  test('has no button while it goes on', async () => {
    await draw(Session.started({ known: true }))
    expect(textOf('[role=status]')).toEqual(['Signing in…'])
    expect(all('button')).toEqual([])
    await go(Session.started({ known: false }), Session.signInRequested())
    expect(textOf('[role=status]')).toEqual(['Continue in the window that has opened.'])
  })

  test('says what failed, what to do, and the code for the helpdesk', async () => {
    await draw(
      Session.started({ known: false }),
      Session.signInFailed({ failure: { kind: 'auth', code: 'popup_window_error', cause: 'blocked' } }),
    )
    expect(textOf('[role=alert]').join()).toContain('Your browser blocked the sign-in window.')
    expect(textOf('[role=alert]').join()).toContain('Allow windows for this page')
    expect(textOf('details dd')).toEqual(['auth', 'popup_window_error', 'blocked'])
  })

  test('says that a session has ended, and of which organisation it was', async () => {
    await draw(...history, Session.expired({ failure: { kind: 'auth', code: 'login_required' } }))
    expect(textOf('[role=alert]').join()).toContain('Your sign-in has ended')
    expect(textOf('main > p')).toEqual(['Northwind Trading'])
    press('Sign in')
    expect(recorded).toEqual([Session.signInRequested()])
  })

  test('asks for another account when the service refuses this one', async () => {
    await draw(Session.started({ known: true }), Session.signInFailed({ failure: roleMissing }))
    expect(textOf('[role=alert]').join()).toContain('Sign in with another account.')
    expect(textOf('main button')).toEqual(['Use another account'])
    press('Use another account')
    expect(recorded).toEqual([Session.otherAccountRequested()])
  })

  test('after signing out says so, and nothing of the organisation', async () => {
    await draw(...history, Session.signedOut())
    expect(textOf('main > p')).toEqual([
      'You are signed out.',
      'People with one of Signet’s roles can sign in. Your organisation’s account administrator assigns the roles.',
    ])
    expect(textOf('main button')).toEqual(['Sign in'])
  })
})

describe('the frame', () => {
  test('has the organisation, the account, and each area with the current one named', async () => {
    await draw(...history)
    expect(textOf('header strong')).toEqual(['Northwind Trading'])
    expect(outline(all('header button')[0])).toEqual(['[Signed in as alex.kim@northwind.example, A]'])
    expect(
      all('nav a').map((link) => [link.getAttribute('href'), link.getAttribute('aria-current')]),
    ).toEqual([
      ['#/now', null],
      ['#/signatures', null],
      ['#/blocks', null],
      ['#/plan', null],
      ['#/history', 'page'],
      ['#/people', null],
      ['#/directory', null],
      ['#/maintenance', null],
      ['#/audit', null],
    ])
    expect(document.title).toBe('History – Signet administration')
  })

  test('groups the areas under headings, after the start page', async () => {
    await draw(...at('/now', { roles: ['Signet.Read', 'Signet.Operate'] }))
    expect(outline(all('nav')[0])).toEqual([
      '[Menu: Now]',
      'Now, current → #/now',
      'What people get',
      'Signatures → #/signatures',
      'Blocks → #/blocks',
      'Plan → #/plan',
      'History → #/history',
      'Who gets it',
      'People → #/people',
      'Directory → #/directory',
      'The service',
      'Maintenance → #/maintenance',
      'Audit log → #/audit',
      'Organisations → #/organisations',
    ])
    expect(
      all('nav ul').map(
        (list) => document.getElementById(list.getAttribute('aria-labelledby') ?? '')?.textContent,
      ),
    ).toEqual([undefined, 'What people get', 'Who gets it', 'The service'])
  })

  test('opens the navigation with its button, and a followed link closes it', async () => {
    await draw(...history)
    press('Menu: History')
    const [groups] = all('nav > div')
    expect(button('Menu: History').getAttribute('aria-controls')).toBe(groups?.id)
    expect(groups?.dataset['open']).toBe('true')
    act(() => {
      all('nav a')[0]?.click()
    })
    expect(groups?.dataset['open']).toBeUndefined()
    expect(document.activeElement).toBe(button('Menu: History'))
  })

  test('names all areas on the button of the navigation where there is no such page', async () => {
    await draw(...at('/nowhere'))
    expect(button('Areas').getAttribute('aria-expanded')).toBe('false')
  })

  test('says what each role allows in the card of the account', async () => {
    await draw(...history)
    expect(all('header [role=group]')).toEqual([])
    act(() => all('header button')[0]?.click())
    expect(outline(all('header [role=group]')[0])).toEqual([
      'alex.kim@northwind.example',
      'See signatures, people and releases',
      'Publish signatures and roll back',
      'Import, sync and erase people',
      'Read the audit log',
      '[Use another account]',
      '[Sign out]',
    ])
  })

  test('records that a link is followed', async () => {
    await draw(...history)
    act(() => {
      all('nav a')[0]?.click()
    })
    expect(recorded).toEqual([Place.linkFollowed({ to: '/now' })])
  })

  test('leads the focus to the heading after a navigation, and not at the start', async () => {
    await draw(...history)
    expect(document.activeElement).toBe(document.body)
    await go(
      ...history,
      ...at('/audit'),
      AuditLog.pageLoaded({ query: null, after: null, page: auditPage() }),
    )
    expect(document.activeElement?.textContent).toBe('Audit log')
  })

  test('has a link to the content', async () => {
    await draw(...history)
    act(() => {
      all('a[href="#content"]')[0]?.click()
    })
    expect(document.activeElement).toBe(all('main')[0])
  })

  test('leads to the documentation of the service in a window of its own', async () => {
    await draw(...history)
    const [link] = all('header a')
    expect(link?.textContent).toBe('Documentation')
    expect([link?.getAttribute('href'), link?.getAttribute('target')]).toEqual([
      'https://signet.example.com/docs/administrator.md',
      '_blank',
    ])
  })

  test('signs out, or in with another account', async () => {
    await draw(...history)
    act(() => all('header button')[0]?.click())
    press('Use another account')
    press('Sign out')
    expect(recorded).toEqual([Session.otherAccountRequested(), Session.signOutRequested()])
  })

  test('says that there is no such page', async () => {
    await draw(...at('/nowhere'))
    expect(textOf('h1')).toEqual(['There is no such page'])
  })

  test('names the role that an area takes, and shows nothing of it', async () => {
    await draw(...at('/audit', { roles: ['Signet.Read'] }))
    expect(textOf('main h1')).toEqual(['Audit log'])
    expect(textOf('main').join()).toContain('You need the role Signet.Audit')
    expect(all('main ol, main [role=status]')).toEqual([])
  })

  test('stays, and says so, when a view crashes', async () => {
    const crashes: unknown[] = []
    let reloads = 0
    const Broken = () => {
      throw new Error('broken')
    }
    await render(
      <CrashBoundary
        onCrash={(error) => crashes.push(error)}
        instead={<Crashed onReload={() => (reloads += 1)} />}
      >
        <Broken />
      </CrashBoundary>,
    )
    expect(textOf('h1')).toEqual(['This page stopped working'])
    press('Reload')
    expect([crashes.length, reloads]).toEqual([1, 1])
    forgive()
  })
})

describe('now', () => {
  const now = [
    ...at('/now'),
    OverviewLoad.loaded({ value: overview() }),
    InsightLoad.loaded({ value: insight() }),
  ]

  test('has the release, the figures, and tables of counts', async () => {
    await draw(...now)
    expect(body()).toContain(`by alex.kim@northwind.example`)
    expect(textOf('dl dd')).toEqual(['4,980', '3,112', '4,820', '14'])
    const counted = ['Default signatures', 'Versions of the add-in', 'Mail apps']
    expect(textOf('table caption')).toEqual([...counted, 'Signatures inserted automatically'])
    expect(textOf('table:first-of-type tbody th')).toContain('Northwind standard')
    expect(textOf('tbody tr:first-child td')[0]).toBe('4,120')
  })

  test('draws all bars of people on one scale: a full bar is everyone, and a longer one is not drawn', async () => {
    await draw(
      ...now,
      InsightLoad.loaded({
        value: insight({
          people: 1_000,
          signatures: [{ signature: 'a', name: 'A', people: 500 }],
          versions: [{ version: '1.0.0', people: 1 }],
          clients: [{ client: 'Outlook', people: 1_200 }],
          launches: [
            { client: 'Outlook', went: 90, failed: 10 },
            { client: 'OutlookIOS', went: 200, failed: 0 },
          ],
        }),
      }),
    )
    const widths = all('table [aria-hidden] [style]').map(({ style }) => style.width)
    expect(widths).toEqual(['50%', '0.1%', '100%', '20%', '9%', '1%'])
  })

  test('shows people with and without a signature as parts of one bar', async () => {
    const parts = () => all('[style*="flex-grow"]').map(({ style }) => style.flexGrow)
    await draw(...now)
    expect(parts()).toEqual(['4968', '12'])
    await go(...at('/now'), OverviewLoad.loaded({ value: overview({ problems: [] }) }))
    expect(parts()).toEqual(['4980'])
    await go(...at('/now'), OverviewLoad.loaded({ value: overview({ published: null }) }))
    expect(parts()).toEqual([])
  })

  test('shows the next eight signatures on request', async () => {
    const signatures = Array.from({ length: 12 }, (_, i) => ({
      ...{ signature: `s-${String(i)}`, name: `Signature ${String(i)}`, people: 12 - i },
    }))
    await draw(...now, InsightLoad.loaded({ value: insight({ signatures }) }))
    const rows = () => all('table')[0]?.querySelectorAll('tbody th').length
    expect(rows()).toBe(8)
    press('Show more')
    expect(rows()).toBe(12)
  })

  test('draws each period on the days from today, and a way to what it belongs to', async () => {
    await draw(...now)
    const bars = all('[data-begins]').map(({ style, dataset: { begins, ends } }) => ({
      ...{ from: style.insetInlineStart, width: style.width, begins, ends },
    }))
    const days = (number: number) => `${String((number / 31) * 100)}%`
    expect(bars).toEqual([
      { from: days(0), width: days(7), begins: 'false', ends: 'true' },
      { from: days(7), width: days(13), begins: 'true', ends: 'true' },
      { from: days(27), width: days(4), begins: 'true', ends: 'false' },
    ])
    expect(textOf('main [aria-hidden]').join()).toContain('TodayNov 30Dec 7Dec 14Dec 21')
  })

  test('[SRV-32] has for how many people signatures go in, by mail app, and says of whom; nothing when none is told', async () => {
    await draw(...now)
    const table = all('table').at(-1)
    expect(
      [...(table?.querySelectorAll('tr:not([aria-hidden])') ?? [])].map((row) =>
        [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent),
      ),
    ).toEqual([
      ['Mail app', 'Inserted', 'Not inserted'],
      ['Outlook on the web, new Outlook', '1,204', '3'],
      ['Outlook', '980', '12'],
    ])
    const description = table?.getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(description)?.textContent).toContain(
      'people who opened Signet in a message',
    )
    await go(...now, InsightLoad.loaded({ value: insight({ launches: [] }) }))
    expect(all('table')).toHaveLength(3)
    expect(body()).not.toContain('Inserted')
  })

  test.each([
    ['signatures', 'Default signatures'],
    ['versions', 'Versions of the add-in'],
    ['clients', 'Mail apps'],
  ] as const)('has no table of %s when none is known', async (none, caption) => {
    await draw(...now, InsightLoad.loaded({ value: insight({ [none]: [], launches: [] }) }))
    expect(textOf('caption')).toHaveLength(2)
    expect(textOf('caption')).not.toContain(caption)
    expect(body()).not.toContain('Nothing is known yet.')
  })

  test('says that nothing is known of add-ins where only the signatures are', async () => {
    await draw(...now, InsightLoad.loaded({ value: insight({ versions: [], clients: [], launches: [] }) }))
    expect(textOf('caption')).toEqual(['Default signatures'])
    expect(body()).toContain('Nothing is known yet.')
  })

  test('has each problem with the way to it', async () => {
    await draw(...now)
    const [first] = all('main section')
    expect(first?.querySelector('h2')?.textContent).toBe('2 things need attention')
    expect([...(first?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)).toEqual([
      '12 people have no signature. Show these people',
      'A sync of the directory waits for your decision. Directory',
    ])
    expect([...(first?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))).toEqual([
      '#/people?without=signature',
      '#/directory',
    ])
  })

  test('says that everything is well only where nothing needs attention', async () => {
    const wellWith = (over: Partial<Overview>) => [
      ...at('/now'),
      OverviewLoad.loaded({ value: overview({ problems: [], ...over }) }),
    ]
    await draw(...wellWith({}))
    expect(body()).toContain('Everything is well')
    expect(all('main section')[0]?.querySelector('li')).toBeNull()
    for (const over of [{ maintenance: 'planned' as const }, { published: null }, { people: 0 }]) {
      await go(...wellWith(over))
      expect(body()).not.toContain('Everything is well')
      expect(body()).toContain('1 thing needs attention')
    }
  })

  test('says where to begin when nothing is published', async () => {
    await draw(
      ...at('/now'),
      OverviewLoad.loaded({ value: overview({ release: null, published: null, problems: [] }) }),
      InsightLoad.loaded({ value: insight({ signatures: [], versions: [], clients: [], launches: [] }) }),
    )
    expect(body()).toContain('Nothing is published yet')
    expect(body()).toContain('Nothing is known yet.')
    expect(all('main a').map((link) => link.getAttribute('href'))).toContain('#/signatures')
    expect(textOf('h2')).not.toContain('The next 30 days')
    expect(all('table')).toEqual([])
  })

  test('keeps what was loaded below a failure, with a retry', async () => {
    await draw(
      ...now,
      Place.entered({ path: '/now' }),
      OverviewLoad.loadFailed({ failure: noConnection }),
      InsightLoad.loadFailed({ failure: noConnection }),
    )
    expect(textOf('[role=alert]').join()).toContain('This may be out of date')
    expect(textOf('dl dd')).toContain('4,980')
    press('Try again')
    expect(recorded).toEqual([Place.retryRequested()])
  })

  test('says that it loads, and that a call takes a role', async () => {
    await draw(...at('/now'))
    expect(textOf('main [role=status]')).toEqual(['Loading…'])
    expect(all('main div[aria-hidden]')).toHaveLength(2)
    await go(...at('/now'), OverviewLoad.loadFailed({ failure: roleMissing }))
    expect(textOf('main').join()).toContain('You need the role Signet.Read')
    expect(all('[role=alert]')).toEqual([])
  })
})

describe('the search for people', () => {
  test('leaves the arrow keys to an input method while it composes a character', async () => {
    const people = { people: [found('p-ana')], next: null }
    await draw(...at('/people'), People.pageLoaded({ query: '', after: null, page: people }))
    const [box] = all('input[type=search]')
    const arrow = (isComposing: boolean) => {
      act(() => {
        box?.focus()
        box?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true, isComposing }),
        )
      })
      return document.activeElement
    }
    expect(arrow(true)).toBe(box)
    expect(arrow(false)).toBe(all('main tbody a')[0])
  })
})

describe('an import', () => {
  test('shows why lines were left out, fifty more at each press', async () => {
    const refused = Array.from({ length: 70 }, (_, row) => ({ row, reason: 'No.' }))
    const problems = Array.from({ length: 40 }, (_, line) => ({
      file: 'people.csv',
      line,
      column: 1,
      level: 'error' as const,
      code: 'csv.address',
      message: 'No address.',
    }))
    await draw(
      ...at('/people'),
      PeopleImport.offered({ file: createHandle(''), name: 'people.csv' }),
      PeopleImport.tried({ result: { added: 0, changed: 0, unchanged: 0, refused, problems } }),
    )
    const lines = () => all('main li').length
    expect(lines()).toBe(50)
    press('Show more')
    expect(lines()).toBe(100)
    press('Show more')
    expect(lines()).toBe(110)
    expect(body()).not.toContain('Show more')
  })

  test('that was stopped says how far it came, and that repeating it is safe', async () => {
    const result = { added: 2_700, changed: 0, unchanged: 0, refused: [], problems: [] }
    const failed = (failure: Failure) => [
      ...[...at('/people'), PeopleImport.offered({ file: createHandle(''), name: 'people.csv' })],
      ...[PeopleImport.tried({ result }), PeopleImport.confirmed(), PeopleImport.failed({ failure })],
    ]
    const stored = '20 of 2,700 people are stored. Person 21 of the file is the first one missing.'
    await draw(...failed(importStopped))
    expect(body()).toContain(stored)
    expect(body()).toContain('Importing the same file again is safe')
    // Without the counts, as when the connection is lost, nothing is said of them.
    for (const data of [null, { done: '20', all: 2_700, row: 21 }])
      await go(...failed({ kind: 'http', status: 503, code: 'import_stopped', data }))
    expect(body()).not.toContain('people are stored')
    expect(body()).toContain('Importing the same file again is safe')
  })
})

describe('the preview of a draft', () => {
  test('is of the chosen day in the time zone of its periods, wherever that is', async () => {
    const day = '2026-10-01'
    const during = { from: day, to: day, timeZone: 'Pacific/Auckland' }
    const { document: published } = draftOf()
    const document = {
      ...published,
      signatures: published.signatures.map((signature) => ({ ...signature, during })),
    }
    await draw(
      ...at('/signatures/files'),
      Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
      Planning.personChosen({ person: 'p-ana' }),
      Planning.personRead({ person: explained().person }),
      Planning.dayChosen({ day }),
    )
    expect(body()).toContain('Shown in Corporate, New message.')
    expect(body()).not.toContain('does not have this signature')
  })
})

test('numbers, moments and days are in the language of the page, dates for the region of the browser', async () => {
  const german = englishTexts()
  german.addResourceBundle('de', 'translation', { frame: { now: 'Jetzt' } })
  await german.changeLanguage('de')
  const Shown = () => {
    const { count, moment, day } = useFormats()
    const dayText = useDayText()
    return [count(1_234), moment(NOON), day(NOON), dayText('2026-10-01'), dayText('no day')].join(' | ')
  }
  await render(
    <I18nextProvider i18n={german}>
      <Shown />
    </I18nextProvider>,
  )
  expect(body()).toBe('1.234 | 23.11.2026, 12:00 | 23.11.2026 | 1. Oktober 2026 | no day')
  await render(<Shown />)
  expect(body().replace(/\s/g, ' ')).toBe(
    '1,234 | Nov 23, 2026, 12:00 PM | Nov 23, 2026 | October 1, 2026 | no day',
  )
  const languages = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB'])
  await render(
    <div>
      <Shown />
    </div>,
  )
  expect(body()).toBe('1,234 | 23 Nov 2026, 12:00 | 23 Nov 2026 | 1 October 2026 | no day')
  languages.mockRestore()
})

test('what is wrong in a template names the placeholder as it should be', () => {
  const texts = englishTexts()
  const problem = { at: 0, end: 7, code: 'braces', name: '{{phone}}' } as const
  expect(placeholderProblemText(problem, (key, values) => texts.t(key, { ...values }))).toBe(
    'A placeholder has two braces on each side: {{phone}}.',
  )
})

describe('history', () => {
  const REACH = 'This reaches new messages at once, or up to 15 minutes later on a device with a recent copy.'

  test('says how long copies on devices still count, as long as devices use them', async () => {
    expect(FRESH_COPY_MS).toBe(15 * 60_000)
    await draw(...history)
    expect(body()).toContain(REACH)
  })

  test('offers each release but the published one', async () => {
    await draw(...history)
    expect(all('main ol > li')).toHaveLength(3)
    expect(all('main ol > li').map((item) => item.querySelector('button') !== null)).toEqual([
      false,
      true,
      true,
    ])
    expect(textOf('main ol > li')[0]).toContain('published now')
    expect(textOf('main ol > li')[1]).toContain('application the-pipeline')
  })

  test('asks before it rolls back, says what that does, and sends the note', async () => {
    await draw(...history)
    act(() => {
      all('main ol button')[0]?.click()
    })
    expect(textOf('dialog h2')).toEqual(['Roll back to Release 2 – Nov 14, 2026?'])
    expect(textOf('dialog').join()).toContain('Everyone gets the signatures of Nov 14, 2026')
    expect(textOf('dialog').join()).toContain(REACH)
    expect(recorded).toEqual([])
    fill(field('Note (optional)'), ' Too early ')
    const [confirm] = all('dialog button').filter(({ textContent }) => textContent === 'Roll back')
    act(() => {
      confirm?.click()
    })
    expect(recorded).toEqual([RollBack.requested({ release: releaseId('b'), note: 'Too early' })])
    expect(all('dialog')).toEqual([])
  })

  const unfold = (index: number) => {
    act(() => {
      const details = all('main ol details')[index] as HTMLDetailsElement
      details.open = true
    })
  }
  const template = (html: string) => ({
    ...releaseDocument,
    templates: { 'templates/one.html': html },
    signatures: releaseDocument.signatures
      .slice(0, 1)
      .map((each) => ({ ...each, id: 'one', name: 'One', template: 'templates/one.html' })),
  })
  const compared = (before: string | null, after: string) =>
    HistoryComparison.loaded({
      number: 2,
      value: { before: before === null ? null : template(before), after: template(after), person: null },
    })
  const second = () => textOf('main ol > li')[1] ?? ''

  test('shows what a release changed once it is unfolded, with its id', async () => {
    await draw(...history)
    expect(second()).not.toContain(releaseId('b'))
    unfold(1)
    expect(recorded).toEqual([HistoryComparison.opened({ number: 2 })])
    expect(second()).toContain(releaseId('b'))
    expect(second()).toContain('Loading…')
    await go(...history, HistoryComparison.opened({ number: 2 }), compared('<p>a</p>', '<p>b</p>'))
    expect(second()).toContain('One Changed')
    expect(all('main ol figcaption').map(({ textContent }) => textContent)).toEqual(['Before', 'After'])
    expect(second()).toContain('As an example person sees it')
    expect(second()).not.toContain('first release')
  })

  test('draws the first release only after, and says when no signature changed', async () => {
    await draw(...history)
    unfold(1)
    await go(...history, HistoryComparison.opened({ number: 2 }), compared(null, '<p>b</p>'))
    expect(second()).toContain('This was the first release.')
    expect(second()).toContain('One New')
    expect(all('main ol figcaption').map(({ textContent }) => textContent)).toEqual(['After'])
    await go(...history, HistoryComparison.opened({ number: 2 }), compared('<p>b</p>', '<p>b</p>'))
    expect(second()).toContain('No signature changed, but something else')
    expect(all('main ol figure')).toEqual([])
  })

  test('tries again what could not be compared', async () => {
    await draw(...history)
    unfold(1)
    const failure = HistoryComparison.loadFailed({ number: 2, failure: noConnection })
    await go(...history, HistoryComparison.opened({ number: 2 }), failure)
    press('Try again')
    expect(recorded.at(-1)).toEqual(Place.retryRequested())
  })

  test('names a release by the beginning of a long note, and has the whole note below', async () => {
    const note = 'n'.repeat(81)
    const long = releases({ history: [published({ note, rolledBack: true }), published({ note: 'x' })] })
    await draw(...at('/history'), ReleasesLoad.loaded({ value: long }))
    const [first] = textOf('main ol > li')
    expect(first).toContain(`Release 2 – ${'n'.repeat(80)}… – Nov 23, 2026`)
    expect(first).toContain(note)
    expect(first).toContain('back to release 1')
    await go(
      ...at('/now'),
      OverviewLoad.loaded({
        value: overview({ published: published({ note: '' }), numbers: { number: 7, backTo: 3 } }),
      }),
    )
    expect(textOf('main section')[1]).toContain('Release 7 – back to release 3 – Nov 23, 2026')
  })

  test('does nothing when it is cancelled', async () => {
    await draw(...history)
    act(() => {
      all('main ol button')[0]?.click()
    })
    press('Cancel')
    expect(all('dialog')).toEqual([])
    expect(recorded).toEqual([])
  })

  test('says what became of it at the release that was asked for, also when others have the same one', async () => {
    const [c, b, a] = releases().history
    if (!c || !b || !a) throw new Error('There are three releases')
    const twice = { ...releases(), current: c.release, history: [c, { ...b, at: b.at + 1 }, b, a] }
    const loaded = [...at('/history'), ReleasesLoad.loaded({ value: twice })]
    const answers = () =>
      all('main ol > li').flatMap((entry, index) => {
        const answer = entry.querySelector('[data-answer]')
        return answer ? [[index, answer.textContent]] : []
      })
    await draw(...loaded)
    act(() => {
      all('main ol button')[1]?.click()
    })
    expect(answers()).toEqual([[2, '']])
    act(() => {
      ;[...document.querySelectorAll<HTMLButtonElement>('dialog button')]
        .find(({ textContent }) => textContent === 'Roll back')
        ?.click()
    })
    const asked = RollBack.requested({ release: b.release, note: '' })
    expect(recorded).toEqual([asked])
    await go(...loaded, asked)
    expect(answers()).toEqual([[2, 'Rolling back…']])
    const history = [published({ release: b.release, rolledBack: true, note: '' }), ...twice.history]
    await go(...loaded, asked, RollBack.done({ release: b.release, history }))
    expect(answers()).toEqual([[3, 'Release 3 is published again.']])
    act(() => {
      all('main ol button')[0]?.click()
    })
    expect(answers()).toEqual([[1, '']])
    press('Cancel')
    expect(answers()).toEqual([[3, 'Release 3 is published again.']])
  })

  test('says once what became of it', async () => {
    const asked = [...history, RollBack.requested({ release: releaseId('b'), note: '' })]
    await draw(...asked)
    expect(textOf('main [role=status]')).toEqual(['Rolling back…'])
    expect(all('main ol button').every((button) => button.getAttribute('aria-disabled') === 'true')).toBe(
      true,
    )
    act(() => {
      all('main ol button')[0]?.click()
    })
    expect(all('dialog')).toEqual([])
    await go(...asked, RollBack.done({ release: releaseId('b'), history: releases().history }))
    expect(textOf('main [role=status]')).toEqual(['Release 2 is published again.'])
    await go(
      ...asked,
      RollBack.failed({ failure: { kind: 'http', status: 409, code: 'base_moved', data: null } }),
    )
    expect(textOf('[role=alert]').join()).toContain('Something was changed in the meantime.')
  })

  test('has no button for who may only read, and names the role', async () => {
    await draw(...at('/history', { roles: ['Signet.Read'] }), ReleasesLoad.loaded({ value: releases() }))
    expect(all('main ol > li')).toHaveLength(3)
    expect(all('main button')).toEqual([])
    expect(textOf('main').join()).toContain('You need the role Signet.Publish')
  })
})

describe('maintenance', () => {
  const loaded = [...at('/maintenance'), OverviewLoad.loaded({ value: overview() })]
  const choose = (index: number) => {
    act(() => {
      all('input[type=radio]')[index]?.click()
    })
  }

  test('sets what was chosen, once it is saved', async () => {
    await draw(...loaded)
    expect(all('input').map((input) => (input as HTMLInputElement).checked)).toEqual([true, false, false])
    press('Save')
    expect(recorded).toEqual([])
    choose(2)
    expect(recorded).toEqual([])
    press('Save')
    expect(recorded).toEqual([MaintenanceChange.requested({ status: 'active' })])
  })

  test('shows the words that people see in the pane, in every language', async () => {
    await draw(...loaded)
    expect(body()).toContain('“The signature service is down for maintenance.”')
    for (const language of languages) {
      const pane = (await import(`../../../views/pane/text/${language}.json`)) as {
        default: { maintenance: unknown }
      }
      const own = (await import(`../../../views/administration/text/${language}.json`)) as {
        default: { overview: { maintenance: { said: unknown } } }
      }
      expect(own.default.overview.maintenance.said, language).toEqual(pane.default.maintenance)
    }
  })

  test('says that it was saved, or why not', async () => {
    const asked = [...loaded, MaintenanceChange.requested({ status: 'active' })]
    await draw(...asked, MaintenanceChange.done({ status: 'active' }))
    expect(textOf('main [role=status]')).toEqual(['Saved. Open panes show it within a few minutes.'])
    expect(all('input').map((input) => (input as HTMLInputElement).checked)).toEqual([false, false, true])
    await go(...asked, MaintenanceChange.failed({ failure: noConnection }))
    expect(textOf('[role=alert]').join()).toContain('The maintenance was not changed')
  })

  test('is only read without the role', async () => {
    await draw(
      ...at('/maintenance', { roles: ['Signet.Read'] }),
      OverviewLoad.loaded({ value: overview({ maintenance: 'planned' }) }),
    )
    expect(all('fieldset')[0]?.hasAttribute('disabled')).toBe(true)
    expect(all('main button')).toEqual([])
    expect(textOf('main').join()).toContain('You need the role Signet.Publish')
  })
})

describe('the audit log', () => {
  test('says what each fact means, and names one that it does not know', async () => {
    const facts = [
      auditFact(),
      auditFact({ type: 'person/fromTheFuture', person: 'u-7', note: null, fields: ['phone', 'title'] }),
    ]
    await draw(
      ...at('/audit'),
      AuditLog.pageLoaded({ query: null, after: null, page: auditPage({ facts, next: 'b' }) }),
    )
    const [first, second] = textOf('main ol > li')
    expect(first).toContain('A release was published.')
    expect(first).toContain('The banner for the winter fair')
    expect(first).toContain('by alex.kim@northwind.example')
    expect(second).toContain('person/fromTheFuture u-7')
    expect(second).toContain('Changed: Phone and Title')
    press('Show older entries')
    expect(recorded).toEqual([AuditLog.moreRequested()])
  })

  test('names people by name and address, and by the id alone who was erased since', async () => {
    const facts = [
      auditFact({ type: 'person/departed', person: 'u-7', note: null }),
      auditFact({ type: 'person/returned', person: 'u-8', note: null }),
      auditFact({
        type: 'person/valuesSaved',
        person: 'u-7',
        actor: 'u-7',
        note: null,
        fields: ['job_title'],
      }),
      auditFact({ type: 'person/erased', person: 'u-9', note: null }),
      auditFact({ type: 'person/imported', person: 'u-6', note: null }),
    ]
    const people = {
      'u-6': { name: '', address: 'six@in.example' },
      'u-7': { name: 'Ana Silva', address: 'ana@in.example' },
    }
    const page = auditPage({ facts, people, labels: { job_title: 'Role' } })
    const events = (roles: CallerInfo['roles']) => [
      ...at('/audit', { roles }),
      AuditLog.pageLoaded({ query: null, after: null, page }),
    ]
    await draw(...events(['Signet.Audit', 'Signet.Read']))
    const words = () => all('main ol > li > div').map((each) => each.textContent)
    const said = [
      'A person left: Ana Silva (ana@in.example)',
      'A person came back: u-8 (erased since)',
      'A person saved details: Ana Silva (ana@in.example)Changed: Role',
      'A person was erased: u-9',
      'A person was added: six@in.example',
    ]
    expect(words()).toEqual(said)
    expect(textOf('main ol > li')[2]).toContain('by Ana Silva')
    expect(all('main ol a').map((link) => link.getAttribute('href'))).toEqual([
      ...['#/people/u-7', '#/people/u-7', '#/people/u-6'],
    ])
    await go(...events(['Signet.Audit']))
    expect(words()).toEqual(said)
    expect(all('main ol a')).toEqual([])
  })

  test('has words for every fact of the service', () => {
    const texts = englishTexts()
    for (const { type } of [Organisation, Person].flatMap((domain) => Object.values(domain)))
      expect(texts.exists(`overview.audit.type.${type.replace('/', '.')}`), type).toBe(true)
  })

  test('has no button after the last page, and none while one loads', async () => {
    const loaded = [
      ...at('/audit'),
      AuditLog.pageLoaded({ query: null, after: null, page: auditPage({ next: 'b' }) }),
    ]
    await draw(...loaded, AuditLog.moreRequested())
    expect(all('main button')).toEqual([])
    expect(textOf('main [role=status]')).toEqual(['Loading…'])
    await go(
      ...loaded,
      AuditLog.moreRequested(),
      AuditLog.pageLoaded({ query: null, after: 'b', page: auditPage() }),
    )
    expect(all('main button')).toEqual([])
    expect(all('main ol > li')).toHaveLength(6)
  })

  test('keeps the pages above a failure', async () => {
    const loaded = [
      ...at('/audit'),
      AuditLog.pageLoaded({ query: null, after: null, page: auditPage({ next: 'b' }) }),
    ]
    await draw(...loaded, AuditLog.moreRequested(), AuditLog.pageFailed({ failure: noConnection }))
    expect(all('main ol > li')).toHaveLength(3)
    expect(textOf('[role=alert]').join()).toContain('Older entries could not be loaded')
    press('Try again')
    expect(recorded).toEqual([Place.retryRequested()])
  })
})

describe('a failure', () => {
  const http = (status: number): Failure => ({
    kind: 'http',
    status,
    code: 'a_code',
    data: { message: 'Why.' },
  })

  test.each([
    [noConnection, 'failure.network', true],
    [{ kind: 'timeout' }, 'failure.timeout', true],
    [{ kind: 'notLoaded' }, 'failure.notLoaded', true],
    [{ kind: 'malformed', at: 'x' }, 'failure.malformed', true],
    [http(401), 'failure.notAccepted', true],
    [http(403), 'failure.notAllowed', false],
    [http(404), 'failure.notFound', false],
    [http(409), 'failure.changedMeanwhile', false],
    [http(422), 'failure.refused', false],
    [http(429), 'failure.busy', true],
    [http(500), 'failure.serviceError', true],
    [http(502), 'failure.unavailable', true],
    [http(503), 'failure.unavailable', true],
    [http(504), 'failure.unavailable', true],
    [{ kind: 'auth', code: 'user_cancelled' }, 'failure.windowClosed', true],
    [{ kind: 'auth', code: 'endpoints_resolution_error' }, 'failure.providerUnreachable', true],
    [{ kind: 'auth', code: 'consent_required' }, 'failure.signInNeeded', true],
    [{ kind: 'auth', code: 'AUTH_GENERIC_ERROR' }, 'failure.signIn', true],
    [{ kind: 'defect', message: 'x' }, 'failure.defect', true],
  ] as const)('%j has words of its own', (failure, what, mayRetry) => {
    expect(explainFailure(failure)).toMatchObject({ what, mayRetry })
  })

  test('tells a helpdesk what the service said', () => {
    expect(technicalDetailsOf(http(422))).toEqual([
      ['notice.kind', 'http'],
      ['notice.status', '422'],
      ['notice.code', 'a_code'],
      ['notice.message', 'Why.'],
    ])
    expect(technicalDetailsOf({ kind: 'malformed', at: 'roles.0' })).toContainEqual([
      'notice.place',
      'roles.0',
    ])
  })

  test('tells a helpdesk where the log has an unexpected error, and not its message', () => {
    expect(technicalDetailsOf({ kind: 'defect', message: 'TypeError: x is not a function' })).toEqual([
      ['notice.kind', 'defect'],
      ['notice.log', 'unexpected_error'],
    ])
    const failed = { kind: 'http', status: 500, code: 'internal_error', data: { request: 'r-17' } } as const
    expect(technicalDetailsOf(failed)).toContainEqual(['notice.request', 'r-17'])
  })
})
