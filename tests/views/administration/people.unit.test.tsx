import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { DirectoryLoad, DirectorySync } from '../../../streams/administration/directory/events.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import type { HandAct } from '../../../streams/administration/people/byHand.ts'
import {
  Correction,
  DepartmentsLoad,
  PersonErasure,
  PeopleImport,
  OnePerson,
  People,
  PersonExport,
  Thumbnail,
  UnsignedPeople,
} from '../../../streams/administration/people/events.ts'
import { NO_FILTERS, type PeopleFilters } from '../../../streams/administration/people/filters.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { handleValue, createHandle } from '../../../streams/kernel/handle.ts'
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import {
  answered,
  assigned,
  directoryOf,
  explained,
  found,
  mayStand,
  run,
  slotOf,
} from '../../support/administration/people.ts'
import { at, down, noConnection } from '../../support/administration/story.ts'
import {
  all,
  body,
  button,
  check,
  problemOf,
  field,
  press,
  textOf,
  fill,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'
import { outline } from '../outline.ts'
import { part } from '../said.ts'

const { recorded, draw, go } = useAdministrationDrawing()

const key = (target: Element | undefined, name: string, over: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...over })
  act(() => {
    target?.dispatchEvent(event)
  })
  return event
}

const choice = (label: string) => field<HTMLSelectElement>(label)
const choose = (label: string, value: string) => fill(choice(label), value)

describe('the people without a signature', () => {
  const none = { kind: 'nothingFits', asked: ['jobTitle', 'dept', 'group'] } as const
  const path = '/people?without=signature'
  const listed = [
    ...at(path),
    UnsignedPeople.pageLoaded({
      query: '',
      after: null,
      page: { people: [{ ...found('p-ana'), none }], next: 'n', labels: { dept: 'Team' } },
    }),
  ]

  test('are listed with the reason, and with a way back to everyone', async () => {
    await draw(...listed)
    expect(textOf('main tbody tr')).toEqual([
      'Pp-anaana@in.exampleNo signature is for this person. The signatures ask for: Job title, Team, and Group.',
    ])
    expect(textOf('h1')).toEqual(['People without a signature'])
    const links = all('main a').map((link) => link.getAttribute('href'))
    expect(links).toEqual(['#/people/p-ana?without=signature'])
    press('Show everyone')
    expect(recorded).toEqual([
      UnsignedPeople.searched({ query: '' }),
      UnsignedPeople.filtered({ filters: NO_FILTERS }),
      People.searched({ query: '' }),
      People.filtered({ filters: NO_FILTERS }),
      Place.linkFollowed({ to: '/people' }),
    ])
  })

  test('are searched by themselves', async () => {
    await draw(...listed)
    fill(field('Search people'), 'ben')
    press('Show more people')
    expect(recorded).toEqual([UnsignedPeople.searched({ query: 'ben' }), UnsignedPeople.moreRequested()])
  })

  test('are none when everyone has a signature, or when no name fits', async () => {
    const empty = (query: string) =>
      UnsignedPeople.pageLoaded({ query, after: null, page: { people: [], next: null } })
    await draw(...at(path), empty(''))
    expect(body()).toContain('Everyone has a signature.')
    await go(...at(path), UnsignedPeople.searched({ query: 'nemo' }), empty('nemo'))
    expect(body()).toContain('Nobody fits this search and these filters.')
  })

  test('lead from their page back to the filtered list', async () => {
    const person = 'p-ana'
    await draw(
      ...at('/people/p-ana?without=signature'),
      OnePerson.explained({
        person,
        value: explained({
          signatures: [assigned({ isAssigned: false, because: null })],
          default: null,
          none,
          labels: { dept: 'Team' },
          details: [],
        }),
      }),
    )
    expect(all('main a')[0]?.getAttribute('href')).toBe('#/people?without=signature')
    const [first] = textOf('section p').filter((text) => text.startsWith('No signature.'))
    expect(first).toBe(
      'No signature. No signature is for this person. The signatures ask for: Job title, Team, and Group.',
    )
  })
})

describe('the search for people', () => {
  const page = (next: string | null, ...people: readonly string[]) =>
    People.pageLoaded({ query: '', after: null, page: { people: people.map(found), next } })
  const listed = [...at('/people'), page(null, 'p-ana', 'p-ben')]
  const search = () => outline(part('Search people'))

  test('searches with each letter, and asks for more', async () => {
    await draw(...at('/people'), page('n', 'p-ana'))
    fill(field('Search people'), 'ben')
    expect(field('Search people').value).toBe('ben')
    press('Show more people')
    expect(recorded).toEqual([People.searched({ query: 'ben' }), People.moreRequested()])
  })

  test('keeps its words when the administrator comes back to it', async () => {
    await draw(...listed, People.searched({ query: 'ana' }))
    expect(field('Search people').value).toBe('ana')
  })

  test('leads from the box through the list and back, and no further', async () => {
    await draw(...listed)
    const box = field('Search people')
    const [ana, ben] = all('main tbody a')
    act(() => {
      box.focus()
    })
    const step = (name: string) => {
      const event = key(document.activeElement ?? undefined, name)
      return [document.activeElement, event.defaultPrevented]
    }
    expect(step('ArrowUp')).toEqual([box, false])
    expect(step('ArrowDown')).toEqual([ana, true])
    expect(step('ArrowDown')).toEqual([ben, true])
    expect(step('ArrowDown')).toEqual([ben, false])
    expect(step('ArrowUp')).toEqual([ana, true])
    expect(step('ArrowUp')).toEqual([box, true])
    expect(step('Enter')).toEqual([box, false])
  })

  test.each(['altKey', 'ctrlKey', 'metaKey'])('leaves an arrow with the %s to the browser', async (held) => {
    await draw(...listed)
    const box = field('Search people')
    act(() => {
      box.focus()
    })
    expect(key(box, 'ArrowDown', { [held]: true }).defaultPrevented).toBe(false)
    expect(document.activeElement).toBe(box)
  })

  test('follows a person, whose id may have any characters', async () => {
    await draw(...at('/people'), page(null, 'p/a b'))
    const [link] = all('main tbody a')
    expect(link?.getAttribute('href')).toBe('#/people/p%2Fa%20b')
    act(() => {
      link?.click()
    })
    expect(recorded).toEqual([Place.linkFollowed({ to: '/people/p%2Fa%20b' })])
  })

  test('is tried again after a failure', async () => {
    await draw(...at('/people'), People.pageFailed({ failure: down }))
    expect(search()).not.toContain('status: Loading people')
    press('Try again')
    expect(recorded).toEqual([Place.retryRequested()])
  })

  test('marks the list while another search goes on', async () => {
    const busy = () => all('main table')[0]?.getAttribute('aria-busy')
    await draw(...listed)
    expect(busy()).toBe('false')
    await go(...listed, People.searched({ query: 'a' }))
    expect(busy()).toBe('true')
  })
})

describe('the table of people', () => {
  const ana = {
    ...found('p-ana'),
    name: 'Ana Silva',
    department: 'Sales',
    signature: { id: 'one', name: 'Corporate' },
    seenAt: Date.UTC(2026, 10, 23),
  }
  const ben = {
    ...found('p-ben'),
    department: '',
    signature: null,
    none: { kind: 'noneInRelease' } as const,
    seenAt: null,
  }
  const signatures = [{ id: 'one', name: 'Corporate' }]
  const loaded = People.pageLoaded({
    query: '',
    after: null,
    page: { people: [ana, ben], next: null, signatures },
  })
  const departments = DepartmentsLoad.loaded({ value: { values: [{ value: 'Sales', people: 1 }] } })
  const listed = [...at('/people'), loaded, departments]
  const filtered = (change: Partial<PeopleFilters>) =>
    People.filtered({ filters: { ...NO_FILTERS, ...change } })
  const sorts = () => all('main thead th').map((each) => each.getAttribute('aria-sort'))
  const event = (target: Element | undefined, type: string) =>
    act(() => {
      target?.dispatchEvent(new PointerEvent(type, { bubbles: true }))
    })

  test('has the department, the default signature and the last report of each person', async () => {
    await draw(...listed)
    expect(textOf('main tbody tr')).toEqual([
      'ASAna Silvaana@in.exampleSalesCorporateNov 23, 2026',
      'Pp-benben@in.exampleThe published release has no signatures.Not in 90 days',
    ])
    expect(all('main tbody th').map((each) => each.getAttribute('scope'))).toEqual(['row', 'row'])
  })

  test('is sorted by its headings, in both directions', async () => {
    await draw(...listed)
    expect(sorts()).toEqual(['ascending', 'none', null, 'none'])
    for (const name of ['Name', 'Department', 'Last seen'])
      act(() =>
        all('main thead button')
          .find(({ textContent }) => textContent.startsWith(name))
          ?.click(),
      )
    expect(recorded).toEqual([
      filtered({ isDescending: true }),
      filtered({ sort: 'department' }),
      filtered({ sort: 'seen', isDescending: true }),
    ])
    await go(...listed, filtered({ sort: 'seen', isDescending: true }))
    expect(sorts()).toEqual(['none', 'none', null, 'descending'])
  })

  test('is sorted by a field where a narrow window hides the headings', async () => {
    await draw(...listed)
    choose('Sort by', 'department')
    choose('Sort by', 'seen')
    expect(recorded).toEqual([
      filtered({ sort: 'department' }),
      filtered({ sort: 'seen', isDescending: true }),
    ])
    expect(textOf('main thead th > span')).toEqual(['Name', 'Department', 'Last seen'])
  })

  test('is filtered by department, default signature and state', async () => {
    await draw(...listed)
    choose('Department', 'Sales')
    choose('Default signature', 'one')
    choose('People', 'unseen')
    choose('People', 'left')
    expect(recorded).toEqual([
      filtered({ department: 'Sales' }),
      filtered({ signature: 'one' }),
      filtered({ who: 'unseen' }),
      filtered({ who: 'left' }),
    ])
  })

  test('leads to the people without a signature, with the search and the other filters', async () => {
    const sales = { ...NO_FILTERS, department: 'Sales' }
    await draw(
      ...listed,
      People.searched({ query: 'an' }),
      People.filtered({ filters: { ...sales, signature: 'one', who: 'left' } }),
    )
    act(() =>
      all('main a')
        .find(({ textContent }) => textContent === 'People without a signature')
        ?.click(),
    )
    expect(recorded).toEqual([
      UnsignedPeople.searched({ query: 'an' }),
      UnsignedPeople.filtered({ filters: sales }),
      Place.linkFollowed({ to: '/people?without=signature' }),
    ])
  })

  test('has a way back to everyone when nobody fits', async () => {
    const none = People.pageLoaded({ query: 'nemo', after: null, page: { people: [], next: null } })
    await draw(...listed, People.searched({ query: 'nemo' }), filtered({ who: 'left' }), none)
    expect(all('main table')).toEqual([])
    expect(body()).toContain('Nobody fits this search and these filters.')
    press('Show everyone')
    expect(field('Search people').value).toBe('')
    expect(recorded).toEqual([People.searched({ query: '' }), filtered({})])
  })

  test('offers no way to everyone without filters', async () => {
    await draw(...listed)
    expect(body()).not.toContain('Show everyone')
  })

  test('stands beside the opened person, with one heading of the page', async () => {
    await draw(...listed, Place.changed({ path: '/people/p-ana' }), Place.entered({ path: '/people/p-ana' }))
    expect(textOf('h1')).toEqual(['Ana Silva'])
    expect(all('main tbody a').map((each) => each.getAttribute('aria-current'))).toEqual(['page', null])
    expect(body()).not.toContain('Import a CSV file')
  })

  test('has the focus at the person whose page was closed', async () => {
    const onPage = (path: string) => [...listed, Place.changed({ path }), Place.entered({ path })]
    await draw(...onPage('/people/ben@in.example'))
    await go(...onPage('/people'))
    expect(document.activeElement?.textContent).toBe('p-ben')
    await go(...onPage('/people?without=signature'))
    expect(document.activeElement?.textContent).toBe('People without a signature')
  })

  test('shows the signature to which the pointer or the focus points, until Escape', async () => {
    await draw(...listed)
    const [link] = all('main tbody a')
    const [row] = all('main tbody tr')
    act(() => link?.focus())
    expect(recorded.splice(0)).toEqual([Thumbnail.pointed({ person: 'p-ana' })])
    act(() => link?.blur())
    expect(recorded.splice(0)).toEqual([Thumbnail.pointed({ person: null })])
    event(row, 'pointerover')
    expect(recorded.splice(0)).toEqual([Thumbnail.pointed({ person: 'p-ana' })])
    const shown = [...listed, Thumbnail.pointed({ person: 'p-ana' })]
    await go(...shown, Thumbnail.drawn({ person: 'p-ana', value: answered() }))
    expect(row?.querySelector('td div')).not.toBeNull()
    key(document.body, 'a')
    expect(recorded).toEqual([])
    key(document.body, 'Escape')
    expect(recorded).toEqual([Thumbnail.pointed({ person: null })])
  })

  test('shows no signature of a person without one', async () => {
    await draw(...listed)
    event(all('main tbody tr')[1], 'pointerover')
    act(() => all('main tbody a')[1]?.focus())
    expect(recorded).toEqual([])
  })

  test('shows the picture of a person, or the initials if it cannot be loaded', async () => {
    const picture = 'https://s.example/images/a/portrait.png'
    const page = { people: [{ ...ana, picture }], next: null }
    await draw(...at('/people'), People.pageLoaded({ query: '', after: null, page }))
    const [image] = all('main tbody img')
    expect([image?.getAttribute('src'), image?.getAttribute('alt')]).toEqual([picture, ''])
    act(() => {
      image?.dispatchEvent(new Event('error'))
    })
    expect(textOf('main tbody th')).toEqual(['ASAna Silvaana@in.example'])
  })

  test('keeps room for its rows while it loads', async () => {
    await draw(...at('/people'))
    expect(all('main tbody tr[aria-hidden]')).toHaveLength(8)
  })
})

describe('an import', () => {
  const offered = [...at('/people'), PeopleImport.offered({ file: createHandle(''), name: 'people.csv' })]
  const nothing: ImportResult = { added: 0, changed: 0, unchanged: 3, refused: [], problems: [] }
  const shown = () => outline(part('Import a CSV file'))
  const error = (level: 'error' | 'warning') => ({
    file: 'people.csv',
    line: 4,
    column: 1,
    level,
    code: 'csv.address',
    message: 'No address.',
  })

  test('begins with a file', async () => {
    await draw(...at('/people'))
    const input = field('Choose a CSV file')
    expect(input.accept).toBe('.csv,text/csv')
    const choose = (files: readonly File[] | null) => {
      Object.defineProperty(input, 'files', { value: files, configurable: true })
      act(() => {
        input.dispatchEvent(new Event('change', { bubbles: true }))
      })
    }
    choose(null)
    choose([])
    expect(recorded).toEqual([])
    const file = new File(['x'], 'people.csv')
    choose([file])
    const [event] = recorded as ReturnType<typeof PeopleImport.offered>[]
    expect([event?.type, event?.data.name, event && handleValue(event.data.file)]).toEqual([
      'import/offered',
      'people.csv',
      file,
    ])
    expect(textOf('main [title="people.csv"]')).toEqual(['people.csv'])
  })

  test.each([
    [{ added: 1 }, true],
    [{ changed: 1 }, true],
    [{}, false],
  ])('of %j can be confirmed: %s', async (over, isOffered) => {
    await draw(...offered, PeopleImport.tried({ result: { ...nothing, ...over } }))
    expect(shown().at(-1)).toBe(isOffered ? '[Import now][Choose another file]' : '[Choose another file]')
    press('Choose another file')
    expect(recorded).toEqual([PeopleImport.closed()])
  })

  test('has the focus at each answer, and at the field when it is closed', async () => {
    const said = () => document.activeElement?.textContent
    const tried = [...offered, PeopleImport.tried({ result: { ...nothing, added: 1 } })]
    await draw(...at('/people'))
    field('Choose a CSV file').focus()
    await go(...offered)
    expect(said()).toBe('Trying people.csv')
    await go(...tried)
    expect(said()).toContain('What people.csv would change')
    button('Import now').focus()
    await go(...tried, PeopleImport.confirmed())
    expect(said()).toContain('Importing people.csv')
    await go(...tried, PeopleImport.confirmed(), PeopleImport.done({ result: { ...nothing, changed: 7 } }))
    expect(said()).toContain('What people.csv changed')
    button('Done').focus()
    await go(...at('/people'))
    expect(document.activeElement).toBe(field('Choose a CSV file'))
    expect(all('main details').map((each) => each.hasAttribute('open'))).toEqual([true])
  })

  test('goes on when confirmed, and ends with its result', async () => {
    const tried = [...offered, PeopleImport.tried({ result: { ...nothing, added: 1 } })]
    await draw(...tried)
    press('Import now')
    expect(recorded).toEqual([PeopleImport.confirmed()])
    await go(...tried, PeopleImport.confirmed())
    expect([...part('Import a CSV file').querySelectorAll('button')]).toEqual([])
    await go(...tried, PeopleImport.confirmed(), PeopleImport.done({ result: { ...nothing, changed: 7 } }))
    expect(shown()).toContain('Changed: 7')
    expect(shown()).not.toContain('### What people.csv would change')
    press('Done')
    expect(recorded.at(-1)).toEqual(PeopleImport.closed())
  })

  test.each([
    [{}, true, 0],
    [{ refused: [{ row: 1, reason: 'No.' }] }, false, 1],
    [{ problems: [error('error')] }, false, 1],
    [{ problems: [error('warning')] }, true, 0],
    [{ refused: [{ row: 1, reason: 'No.' }], problems: [error('error'), error('warning')] }, false, 2],
  ])(
    'with %j says whether it changes nothing, and how many lines are left out',
    async (over, isEmpty, left) => {
      await draw(...offered, PeopleImport.tried({ result: { ...nothing, ...over } }))
      expect(shown().includes('The file changes nothing.')).toBe(isEmpty)
      expect(shown()).toContain(`Left out: ${String(left)}`)
      expect(shown().includes('### Why lines were left out')).toBe(Object.keys(over).length > 0)
    },
  )

  test.each([
    [50, 0, [50]],
    [0, 51, [50, 51]],
    [60, 0, [50, 60]],
    [30, 30, [50, 60]],
  ])('shows %i problems and %i refusals fifty at a time', async (problems, refused, steps) => {
    const result = {
      ...nothing,
      refused: Array.from({ length: refused }, (_, row) => ({ row, reason: 'No.' })),
      problems: Array.from({ length: problems }, () => error('error')),
    }
    await draw(...offered, PeopleImport.tried({ result }))
    const counts: number[] = []
    for (let step = 0; step < steps.length; step += 1) {
      if (step > 0) press('Show more')
      counts.push(all('main li').length)
    }
    expect(counts).toEqual(steps)
    expect(body()).not.toContain('Show more')
  })
})

describe('one person', () => {
  const person = 'p-ana'
  const opened = at('/people/p-ana')
  const known = [...opened, OnePerson.explained({ person, value: explained() })]
  const shown = [...known, OnePerson.drawn({ person, value: answered() })]
  const heading = () => textOf('main h1')[0]

  test('is named by what is known of them', async () => {
    const nameless = { ...explained(), name: '' }
    const listed = (name: string) =>
      People.pageLoaded({
        query: '',
        after: null,
        page: { people: [{ ...found(person), name }], next: null },
      })
    await draw(...opened)
    expect(heading()).toBe('p-ana')
    await go(...at('/people'), listed(''), ...opened.slice(1))
    expect(heading()).toBe('ana@in.example')
    await go(...at('/people'), listed('Ana'), ...opened.slice(1))
    expect(heading()).toBe('Ana')
    await go(...opened, OnePerson.explained({ person, value: nameless }))
    expect(heading()).toBe('ana@in.example')
    await go(...known)
    expect(heading()).toBe('Ana Silva')
    expect(document.title).toBe('Ana Silva – Signet administration')
    act(() => {
      all('main a')[0]?.click()
    })
    expect(recorded).toEqual([Place.linkFollowed({ to: '/people' })])
  })

  test('is loaded again after a failure that can pass', async () => {
    await draw(
      ...opened,
      OnePerson.explainFailed({ person, failure: { kind: 'http', status: 403, code: null, data: null } }),
    )
    expect(body()).not.toContain('There is no such person')
    await go(...opened, OnePerson.explainFailed({ person, failure: noConnection }))
    press('Try again')
    expect(recorded).toEqual([Place.retryRequested()])
  })

  test('is drawn in a new message or a reply, in light or dark', async () => {
    await draw(...shown)
    check('Reply')
    check('Dark')
    await go(...shown, OnePerson.kindChosen({ kind: 'reply' }), OnePerson.themeChosen({ isDark: true }))
    check('New message')
    check('Light')
    expect(recorded).toEqual([
      OnePerson.kindChosen({ kind: 'reply' }),
      OnePerson.themeChosen({ isDark: true }),
      OnePerson.kindChosen({ kind: 'new' }),
      OnePerson.themeChosen({ isDark: false }),
    ])
  })

  test('is drawn for recipients inside and outside where there are blocks, and says which stand', async () => {
    const blocks = [slotOf('banner', { 'Autumn banner': mayStand() })]
    const withBlocks = [
      ...opened,
      OnePerson.explained({
        person,
        value: explained({
          blocks,
          places: { 'blocks.autumn_banner': { path: 'blocks.autumn_banner.for', line: 31 } },
        }),
      }),
      OnePerson.drawn({
        person,
        value: answered({
          signatures: answered().signatures.map((each) => ({ ...each, blocks: ['Autumn banner', 'Notice'] })),
        }),
      }),
    ]
    await draw(...withBlocks)
    const texts = () => textOf('fieldset label')
    expect(body()).toContain('With Autumn banner and Notice.')
    expect(body()).toContain('line 31')
    check('Someone outside')
    check('Only inside')
    await go(...withBlocks, OnePerson.recipientsChosen({ recipients: 'internal' }))
    check('No recipients yet')
    expect(recorded).toEqual([
      OnePerson.recipientsChosen({ recipients: 'external' }),
      OnePerson.recipientsChosen({ recipients: 'internal' }),
      OnePerson.recipientsChosen({ recipients: null }),
    ])
    expect(texts()).toContain('Only inside')
    await go(...shown)
    expect(texts()).not.toContain('Only inside')
  })

  test('is drawn for a mailbox as a chosen person writes, and again for anyone', async () => {
    const named = OnePerson.drawn({ person, value: answered({ namesWriter: true }) })
    const ben = { id: 'p-ben', address: 'ben@in.example', name: 'Ben', isActive: true }
    await draw(...shown)
    expect(body()).not.toContain('Choose who writes')
    await go(...shown, named)
    expect(body()).toContain('Values in ‹ › are those of the person who writes.')
    press('Choose who writes')
    expect(body()).not.toContain('Show it for anyone who writes')
    await go(
      ...[...shown, named, Planning.personSearched({ text: 'ben' })],
      Planning.peopleFound({ people: [ben] }),
    )
    press('Benben@in.example')
    const chosen = OnePerson.writerChosen({ writer: ben })
    expect(recorded.at(-1)).toEqual(chosen)
    await go(...shown, named, chosen, named)
    expect(body()).toContain('Written by ben@in.example.')
    press('Choose who writes')
    press('Show it for anyone who writes')
    expect(recorded.at(-1)).toEqual(OnePerson.writerChosen({ writer: null }))
  })

  test('is drawn on a day as soon as what is typed is one', async () => {
    await draw(...shown)
    const day = field('Day')
    expect(day.value).toBe('2026-11-23')
    fill(day, '')
    expect([day.value, recorded]).toEqual(['', []])
    fill(day, '2026-10-01')
    const chosen = OnePerson.dayChosen({ day: '2026-10-01' })
    expect(recorded).toEqual([chosen])
    await go(...shown, chosen)
    expect(day.value).toBe('2026-10-01')
    fill(day, '')
    await go(...shown, chosen, OnePerson.dayChosen({ day: '2026-10-02' }))
    expect(day.value).toBe('2026-10-02')
    fill(day, '')
    press('Today')
    expect(day.value).toBe('2026-10-02')
    expect(recorded.at(-1)).toEqual(OnePerson.dayChosen({ day: null }))
  })

  test('has the signature that an administrator gave first, and then the default', async () => {
    const pinned = { signature: 'c', by: 'kim', at: 1, until: 'removed' }
    const signatures = ['a', 'b', 'c'].map((id) => ({
      signature: id,
      name: id.toUpperCase(),
      isDefault: id === 'b',
      html: null,
    }))
    await draw(
      ...opened,
      OnePerson.explained({
        person,
        value: explained({
          person: {
            ...explained().person,
            corrections: { fields: {}, supplement: {}, under: {}, pinned },
          },
        }),
      }),
      OnePerson.drawn({ person, value: answered({ signatures }) }),
    )
    const heads = outline(part('As this person').querySelector('ul')).filter((line) => line.startsWith('###'))
    expect(heads).toEqual(['### C', '### B Default signature', '### A'])
  })

  test('has the default signature first, and is busy while others are drawn', async () => {
    const signatures = [
      { signature: 'a', name: 'A', isDefault: false, html: null },
      { signature: 'b', name: 'B', isDefault: true, html: null },
      { signature: 'c', name: 'C', isDefault: false, html: null },
    ]
    const drawn = OnePerson.drawn({ person, value: answered({ signatures }) })
    await draw(...known, drawn)
    const list = () => part('As this person').querySelector('ul')
    expect(outline(list()).filter((line) => line.startsWith('###'))).toEqual([
      '### B Default signature',
      '### A',
      '### C',
    ])
    expect(list()?.getAttribute('aria-busy')).toBe('false')
    await go(...known, drawn, OnePerson.dayChosen({ day: '2026-10-01' }))
    expect(list()?.getAttribute('aria-busy')).toBe('true')
  })

  test('says nothing of the dark theme without a signature', async () => {
    const none = OnePerson.drawn({ person, value: answered({ signatures: [] }) })
    await draw(...known, OnePerson.themeChosen({ isDark: true }), none)
    expect(outline(part('As this person'))).toContain('status: This person has no signature on that day.')
    expect(body()).not.toContain('About as mail apps')
    await go(...known, OnePerson.drawFailed({ person, failure: down }))
    press('Try again')
    expect(recorded).toEqual([Place.retryRequested()])
  })

  test('has a sentence of another mailbox only where that is the choice', async () => {
    const value = (by: 'user' | 'organisation', isDefault: boolean) =>
      explained({ signatures: [assigned({ isDefault })], default: { choice: { master: 'x' }, by } })
    const says = async (...[by, isDefault]: Parameters<typeof value>) => {
      await go(...opened, OnePerson.explained({ person, value: value(by, isDefault) }))
      return body().includes('The default is a signature of another mailbox')
    }
    await draw(...opened)
    expect(await says('user', false)).toBe(true)
    expect(await says('user', true)).toBe(false)
    expect(await says('organisation', false)).toBe(false)
    expect(body()).not.toContain('Why not the others')
  })

  test('is busy with the reasons while those of another day are asked for', async () => {
    const busy = () => part('Why these signatures').getAttribute('aria-busy')
    await draw(...known)
    expect(busy()).toBe('false')
    await go(...known, OnePerson.dayChosen({ day: '2026-10-01' }))
    expect(busy()).toBe('true')
  })
})

describe('what is set for a person by hand', () => {
  const person = 'p-ana'
  const by = { by: 'kim@in.example', at: Date.UTC(2026, 10, 12) }
  const value = explained({
    person: {
      ...explained().person,
      directory: { jobTitle: 'Head of sales', office: 'Lisbon' },
      corrections: {
        fields: { jobTitle: { value: 'Head of sales', until: '2026-12-24', ...by } },
        supplement: {},
        under: { jobTitle: 'Seller' },
        excluded: { until: 'removed', ...by },
      },
    },
    details: [
      {
        path: 'job_title',
        label: 'Job title',
        value: 'Head of sales',
        replaces: null,
        field: 'jobTitle',
        source: 'administrator',
      },
      { path: 'office', label: null, value: 'Lisbon', replaces: null, field: 'office', source: 'directory' },
      { path: 'motto', label: 'Motto', value: 'Onwards', replaces: null, field: null, source: 'person' },
    ],
    signatures: [assigned(), assigned({ signature: 'board', name: 'Board' })],
  })
  const known = (over: Partial<typeof value> = {}) => [
    ...at('/people/p-ana'),
    OnePerson.explained({ person, value: { ...value, ...over } }),
  ]
  const entering = (act: HandAct, ...more: AdministrationEvent[]) => [
    ...known(),
    Correction.entered({ act }),
    ...more,
  ]
  const names = () =>
    all('main section:nth-of-type(-n+3) button').map(
      (each) => each.getAttribute('aria-label') ?? each.textContent,
    )
  const entered = (act: HandAct) => Correction.entered({ act })
  const correcting: HandAct = {
    kind: 'value',
    field: 'jobTitle',
    value: 'Head of sales',
    until: { end: 'day', day: '2026-12-24' },
  }

  test('has its buttons beside it, and each says what it is about', async () => {
    await draw(...known())
    const about = names().filter((name) => /orrect|Take back|ithout|Give/.test(name))
    expect(about).toEqual([
      'Correct Job title…',
      'Take back the correction of Job title',
      'Correct Office…',
      'Take back “No signature”',
      'Keep without a signature…',
      'Give a certain signature…',
    ])
    for (const name of about) press(name)
    expect(recorded).toEqual([
      entered(correcting),
      entered({ kind: 'takeBack', target: { kind: 'value', field: 'jobTitle' } }),
      entered({ kind: 'value', field: 'office', value: 'Lisbon', until: { end: 'changed', day: '' } }),
      entered({ kind: 'takeBack', target: { kind: 'excluded' } }),
      entered({ kind: 'excluded', until: { end: 'removed', day: '' } }),
      entered({ kind: 'pinned', signature: 'corporate', until: { end: 'removed', day: '' } }),
    ])
  })

  test('is offered only with the role, for people who are there, and with published signatures', async () => {
    await draw(
      ...at('/people/p-ana', { roles: ['Signet.Read'] }),
      OnePerson.explained({ person, value: { ...value } }),
    )
    expect(names().filter((name) => /orrect|Take back|Keep|Give/.test(name))).toEqual([])
    expect(outline(part('Set by hand'))).toHaveLength(2)
    await go(...known({ signatures: [] }))
    expect(names()).toContain('Keep without a signature…')
    expect(names()).not.toContain('Give a certain signature…')
    await go(...known({ person: { ...value.person, active: false } }))
    expect(names()).toContain('Take back “No signature”')
    expect(names()).not.toContain('Keep without a signature…')
  })

  test('is not a part of the page of a reader, when nothing is set', async () => {
    const plain = OnePerson.explained({ person, value: explained() })
    await draw(...at('/people/p-ana', { roles: ['Signet.Read'] }), plain)
    expect(textOf('main h2')).not.toContain('Set by hand')
    await go(...at('/people/p-ana'), plain)
    expect(outline(part('Set by hand'))[1]).toBe('The rules decide this person’s signatures.')
  })

  test('is entered with its end, and saved with Enter', async () => {
    await draw(...entering(correcting))
    expect(document.activeElement).toBe(field('Job title'))
    fill(field('Job title'), 'Chief')
    fill(field('Last day (UTC)'), '2027-01-01')
    fill(field<HTMLSelectElement>('It ends'), 'changed')
    const { day } = correcting.until
    expect(recorded.splice(0)).toEqual([
      entered({ ...correcting, value: 'Chief' }),
      entered({ ...correcting, until: { end: 'day', day: '2027-01-01' } }),
      entered({ ...correcting, until: { end: 'changed', day } }),
    ])
    await go(...entering({ ...correcting, until: { end: 'changed', day } }))
    expect(() => field('Last day (UTC)')).toThrow()
    press('Save')
    press('Cancel')
    expect(recorded).toEqual([Correction.requested(), Correction.closed()])
  })

  test('says that a day is over only once it was to be saved, and leads to it', async () => {
    await draw(...entering({ ...correcting, until: { end: 'day', day: '2026-11-22' } }))
    const day = field('Last day (UTC)')
    expect([day.min, problemOf(day)]).toEqual(['2026-11-23', null])
    press('Save')
    expect(problemOf(day)).toBe('Choose today or a later day.')
    expect(document.activeElement).toBe(day)
    await go(...entering({ ...correcting, until: { end: 'day', day: '2026-11-23' } }))
    expect(problemOf(day)).toBeNull()
    await go(...known())
    await go(...entering({ ...correcting, until: { end: 'day', day: '' } }))
    expect(problemOf(field('Last day (UTC)'))).toBeNull()
  })

  test.each<HandAct>([
    { kind: 'excluded', until: { end: 'removed', day: '' } },
    { kind: 'takeBack', target: { kind: 'value', field: 'jobTitle' } },
  ])('begins on Cancel where something is removed: %j', async (act) => {
    await draw(...entering(act))
    expect(document.activeElement).toBe(button('Cancel'))
  })

  test('gives one of the published signatures, until a day', async () => {
    const act: HandAct = { kind: 'pinned', signature: 'corporate', until: { end: 'removed', day: '' } }
    await draw(...entering(act))
    const choices = [...field<HTMLSelectElement>('Signature').options].map(({ value: id, text }) => [
      id,
      text,
    ])
    expect(choices).toEqual([
      ['corporate', 'Corporate'],
      ['board', 'Board'],
    ])
    fill(field<HTMLSelectElement>('Signature'), 'board')
    fill(field<HTMLSelectElement>('It ends'), 'day')
    press('Give this signature')
    expect(recorded).toEqual([
      entered({ ...act, signature: 'board' }),
      entered({ ...act, until: { end: 'day', day: '' } }),
      Correction.requested(),
    ])
  })

  test('is tried again after a failure, with the focus at what went wrong', async () => {
    await draw(...entering(correcting))
    button('Save').focus()
    await go(...entering(correcting, Correction.requested()))
    await go(
      ...entering(correcting, Correction.requested(), Correction.failed({ person, failure: noConnection })),
    )
    expect(document.activeElement?.textContent).toContain('This couldn’t be saved')
    expect(field('Job title').value).toBe('Head of sales')
  })
})

describe('the data of a person', () => {
  const person = 'p-ana'
  const known = [...at('/people/p-ana'), OnePerson.explained({ person, value: explained() })]
  const shown = () => outline(part('Personal data'))
  const erasing = (...typed: readonly string[]) => [
    ...known,
    PersonErasure.opened(),
    ...typed.map((text) => PersonErasure.typed({ text })),
  ]

  test('are exported', async () => {
    await draw(...known)
    press('Export as JSON')
    const asked = PersonExport.requested()
    await go(...known, asked)
    expect(shown().at(-1)).toBe('status: Loading…')
    await go(...known, asked, PersonExport.failed({ person, failure: noConnection }))
    press('Try again')
    expect(recorded).toEqual([asked, asked])
  })

  test('are erased only after a question', async () => {
    await draw(...known)
    expect(all('dialog')).toEqual([])
    press('Erase this person')
    expect(recorded.splice(0)).toEqual([PersonErasure.opened()])
    await go(...erasing())
    press('Cancel')
    press('Close')
    expect(recorded.splice(0)).toEqual([PersonErasure.closed(), PersonErasure.closed()])
    fill(field('To confirm, type ana@in.example'), 'ana@in.example')
    expect(recorded.splice(0)).toEqual([PersonErasure.typed({ text: 'ana@in.example' })])
    await go(...erasing('ana@in.example'))
    press('Erase for good')
    key(field('To confirm, type ana@in.example'), 'Enter')
    expect(recorded).toEqual([PersonErasure.requested(), PersonErasure.requested()])
  })

  test('stay after another key, and while an input method composes', async () => {
    await draw(...erasing('ana@in.example'))
    const input = field('To confirm, type ana@in.example')
    key(input, 'a')
    key(input, 'Enter', { isComposing: true })
    expect(recorded).toEqual([])
  })

  test('stay when another text was typed, which is said until it changes', async () => {
    await draw(...erasing('ben'))
    const input = field('To confirm, type ana@in.example')
    const isWrong = () => [
      input.getAttribute('aria-invalid'),
      document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent !== '',
    ]
    expect(isWrong()).toEqual(['false', false])
    press('Erase for good')
    expect(isWrong()).toEqual(['true', true])
    fill(input, 'ana')
    expect(isWrong()).toEqual(['false', false])
  })

  test('of a person without an address are erased by the id', async () => {
    const value = explained({ person: { ...explained().person, addresses: [] } })
    await draw(...at('/people/p-ana'), OnePerson.explained({ person, value }), PersonErasure.opened())
    expect(field('To confirm, type p-ana')).toBeDefined()
  })

  test('are being erased once that is confirmed', async () => {
    await draw(...erasing('ana@in.example'), PersonErasure.requested())
    expect(outline(all('dialog')[0])).toContain('status: Loading…')
  })
})

describe('the directory', () => {
  const loaded = (over: Parameters<typeof directoryOf>[0] = {}) => [
    ...at('/directory'),
    DirectoryLoad.loaded({ value: directoryOf(over) }),
  ]
  const asking = run({ id: 'run-3', outcome: 'needsLeave', retired: 640 })

  test('is synced, or tried, unless a run is under way', async () => {
    await draw(...loaded())
    press('Dry run')
    press('Sync now')
    expect(recorded.splice(0)).toEqual([
      DirectorySync.requested({ kind: 'try' }),
      DirectorySync.requested({ kind: 'sync' }),
    ])
    await go(...loaded({ isRunning: true }))
    press('Dry run')
    press('Sync now')
    expect(recorded).toEqual([])
    await go(...loaded(), DirectorySync.requested({ kind: 'sync' }))
    expect(button('Sync now').getAttribute('aria-disabled')).toBe('true')
  })

  test('retires the people of a run that asked, or leaves them', async () => {
    await draw(...loaded({ runs: [asking] }))
    press('Retire these people')
    press('Leave everyone as they are')
    expect(recorded).toEqual([
      DirectorySync.requested({ kind: 'deactivate' }),
      DirectorySync.declined({ run: 'run-3' }),
    ])
    await go(...loaded({ runs: [asking], isRunning: true }))
    expect(body()).not.toContain('Retire 640 people?')
  })

  test('says that everyone stays only while the run of that answer is shown', async () => {
    const declined = DirectorySync.declined({ run: 'run-3' })
    await draw(...loaded({ runs: [run(), asking] }), declined)
    expect(body()).toContain('Everyone stays as they are.')
    await go(...loaded({ runs: [run()] }), declined)
    expect(body()).not.toContain('Everyone stays as they are.')
  })

  test('that failed to start for another reason than a run under way says so', async () => {
    const failure = { kind: 'http', status: 409, code: 'other', data: null } as const
    await draw(...loaded(), DirectorySync.requested({ kind: 'sync' }), DirectorySync.failed({ failure }))
    expect(body()).toContain('The run couldn’t be started')
    expect(body()).not.toContain('A run is under way already.')
    await go(
      ...loaded(),
      DirectorySync.requested({ kind: 'sync' }),
      DirectorySync.failed({ failure: noConnection }),
    )
    expect(body()).toContain('The run couldn’t be started')
  })

  test.each([
    [run({ isTrial: true, added: 1 }), '### What it would change', 'Dry run · Nov 23, 2026, 11:00 AM · Done'],
    [run({ added: 1 }), '### What it changed', 'Sync · Nov 23, 2026, 11:00 AM · Done'],
    [run(), 'Nothing changed.', 'Sync · Nov 23, 2026, 11:00 AM · Done'],
    [run({ isTrial: true }), 'Nothing would change.', 'Dry run · Nov 23, 2026, 11:00 AM · Done'],
    [asking, '### What it would change', 'Sync · Nov 23, 2026, 11:00 AM · Changed nothing and asks'],
  ])('tells of a run what it did: %#', async (last, said, summary) => {
    await draw(...loaded({ runs: [last] }))
    const lines = outline(part('Last run'))
    expect(lines).toContain(said)
    expect(lines[1]).toBe(summary)
    expect(body()).not.toContain('Earlier runs')
  })

  test('shows a warning for a group that it does not have', async () => {
    await draw(...loaded())
    const marked = [...part('Groups in rules').querySelectorAll('dd')].map(({ className }) => className)
    expect(marked).toEqual(['', 'warning'])
  })
})
