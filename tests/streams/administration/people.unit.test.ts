import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  DepartmentsLoad,
  PersonErasure,
  PeopleImport,
  OnePerson,
  People,
  PersonExport,
  UnsignedPeople,
} from '../../../streams/administration/people/events.ts'
import {
  isFiltered,
  NO_FILTERS,
  type PeopleFilters,
  sortedBy,
  withoutFilters,
} from '../../../streams/administration/people/filters.ts'
import {
  dayAt,
  isCalendarDay,
  isUnsignedPeoplePath,
  middleOfDay,
  matchesPerson,
  personPath,
  personAt,
  UNSIGNED_PEOPLE_PATH,
  personTimeZoneOf,
  periodTimeZoneOf,
} from '../../../streams/administration/people/rules.ts'
import { stoppedImportOf } from '../../../streams/administration/people/stopped.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import { isPeriodOpen } from '../../../streams/organisation/rules/rules.ts'
import type { BlockReason } from '../../../streams/organisation/rules/why.ts'
import { explained, found } from '../../support/administration/people.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/Sao_Paulo',
]
const zone = fc.constantFrom(...ZONES)
const day = fc
  .integer({ min: Date.UTC(2011, 0, 1) / DAY_MS, max: Date.UTC(2040, 0, 1) / DAY_MS })
  .map((days) => new Date(days * DAY_MS).toISOString().slice(0, 10))
  // The day that Samoa does not have.
  .filter((each) => each !== '2011-12-30')

const stateAfter = (...events: readonly AdministrationEvent[]) =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events)))
const failure = { kind: 'network' } as const
const ana = explained()
const anaAt = Place.entered({ path: personPath('p-ana') })
const shown = [anaAt, OnePerson.explained({ person: 'p-ana', value: ana })] as const
const loadedPage = (query: string, after: string | null, next: string | null, ...ids: readonly string[]) =>
  People.pageLoaded({ query, after, page: { people: ids.map(found), next } })
const listEntered = Place.entered({ path: '/people' })

describe('a day', () => {
  test('is the one of its middle, in its time zone, and of no other', () => {
    fc.assert(
      fc.property(day, zone, (given, timeZone) => {
        const moment = middleOfDay(given, timeZone) ?? NaN
        expect(dayAt(moment, timeZone)).toBe(given)
      }),
    )
  })

  test('opens exactly the periods that have it, in each time zone less than half a day away', () => {
    fc.assert(
      fc.property(
        day,
        day,
        day,
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
        (given, from, to, its) => {
          const moment = middleOfDay(given, 'Europe/Berlin') ?? NaN
          expect(isPeriodOpen({ from, to, timeZone: its }, moment)).toBe(from <= given && given <= to)
        },
      ),
    )
  })

  test.each(['', '2026-02-30', '0202-10-01', '2026-1-1', 'today'])('is not %j', (text) => {
    expect(isCalendarDay(text)).toBe(false)
    expect(middleOfDay(text, 'UTC')).toBeNull()
  })

  test('is meant in the time zone of a block when no signature has a period', () => {
    const during = { from: '2026-01-01', to: '2026-01-02', timeZone: 'Asia/Kolkata' }
    const block = (reason: BlockReason) => ({ block: 'b', name: 'B', reason })
    const blocks = [
      { slot: 'banner', blocks: [block({ kind: 'nothingFits' })] },
      { slot: 'notice', blocks: [block({ kind: 'over', during })] },
    ]
    expect(personTimeZoneOf({ signatures: ana.signatures, blocks })).toBe('Asia/Kolkata')
    const dated = { ...during, timeZone: 'Europe/Berlin' }
    const signatures = ana.signatures.map((each) => ({ ...each, during: dated }))
    expect(personTimeZoneOf({ signatures, blocks })).toBe('Europe/Berlin')
    expect(personTimeZoneOf({ signatures: ana.signatures })).toBe('UTC')
  })

  test('is meant in the time zone of the first period', () => {
    const during = { from: '2026-01-01', to: '2026-01-02', timeZone: 'Asia/Kolkata' }
    const [signature] = ana.signatures
    expect(periodTimeZoneOf({ signatures: [] })).toBe('UTC')
    expect(
      periodTimeZoneOf({
        signatures: [
          { ...signature, during: null },
          { ...signature, during },
          { ...signature, during: { ...during, timeZone: 'UTC' } },
        ] as typeof ana.signatures,
      }),
    ).toBe('Asia/Kolkata')
  })
})

describe('the address of a person', () => {
  test('is read back, whatever the id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        expect(personAt(personPath(id))).toBe(id)
      }),
    )
  })

  test.each(['/people', '/people/', '/people?search=x', '/now/x', '/people/%E0%A4%A'])(
    '%s names none',
    (path) => {
      expect(personAt(path)).toBeNull()
    },
  )
})

test('erasing needs an address of the person, whatever the case', () => {
  expect(matchesPerson(' Ana@In.Example ', ana)).toBe(true)
  expect(matchesPerson('p-ana', ana)).toBe(true)
  expect(matchesPerson('', ana)).toBe(false)
  expect(matchesPerson('ana@in.exampl', ana)).toBe(false)
})

describe('the search', () => {
  test('shows the pages of one search in their order, and nothing of another', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('', 'a', 'b'), fc.option(fc.constantFrom('x', 'y')), fc.string()), {
          maxLength: 6,
        }),
        (answers) => {
          const before = stateAfter(listEntered, People.searched({ query: 'a' }))
          const { people } = replayLog(
            before,
            evolveAdministration,
            logOf(...answers.map(([query, after, id]) => loadedPage(query, after, null, id))),
          )
          const first = answers.find(([query, after]) => query === 'a' && after === null)
          expect(people.items?.map(({ id }) => id) ?? null).toEqual(first ? [first[2]] : null)
        },
      ),
    )
  })

  test('goes on after the last page, one page at a time', () => {
    const first = [listEntered, loadedPage('', null, 'n-1', 'p-1')]
    const asked = stateAfter(...first, People.moreRequested(), People.moreRequested())
    expect(asked.people).toMatchObject({ next: 'n-1', load: { status: 'pending', asked: 2 } })
    const all = stateAfter(...first, People.moreRequested(), loadedPage('', 'n-1', null, 'p-2'))
    expect(all.people.items?.map(({ id }) => id)).toEqual(['p-1', 'p-2'])
    expect(
      stateAfter(...first, People.moreRequested(), loadedPage('', 'n-1', null), People.moreRequested())
        .people,
    ).toMatchObject({ load: { status: 'success' } })
  })

  test('keeps what an earlier search found until the next page is there, and drops it when that fails', () => {
    const typed = [listEntered, loadedPage('', null, 'n-1', 'p-1'), People.searched({ query: ' ana ' })]
    expect(stateAfter(...typed).people).toMatchObject({
      query: 'ana',
      next: null,
      items: [found('p-1')],
    })
    expect(stateAfter(...typed, People.pageFailed({ failure })).people.items).toBeNull()
    expect(
      stateAfter(...typed.slice(0, 2), People.moreRequested(), People.pageFailed({ failure })).people.items,
    ).toHaveLength(1)
  })

  test('keeps what it found when a failure comes for which it does not wait', () => {
    const { people } = stateAfter(
      listEntered,
      loadedPage('', null, null, 'p-1'),
      People.pageFailed({ failure }),
    )
    expect(people).toMatchObject({ items: [found('p-1')], load: { status: 'success' } })
  })

  test('is not asked again by a space, nor when the administrator comes back to it', () => {
    const loaded = stateAfter(listEntered, loadedPage('', null, null, 'p-1'))
    for (const event of [People.searched({ query: '  ' }), listEntered, Place.retryRequested()])
      expect(evolveAdministration(loaded, { ...event, meta: { seq: 9, at: 0, source: 'test' } }).people).toBe(
        loaded.people,
      )
  })

  test('is asked again after a failure, after an import, and after a session that ended meanwhile', () => {
    const failed = [listEntered, People.pageFailed({ failure })]
    expect(stateAfter(...failed, Place.retryRequested()).people.load).toMatchObject({ asked: 2 })
    expect(stateAfter(...failed, listEntered).people.load).toMatchObject({ asked: 2 })
    expect(stateAfter(listEntered, listEntered).people.load).toMatchObject({ asked: 1 })
    const imported = [
      PeopleImport.offered({ file: createHandle(''), name: 'a.csv' }),
      PeopleImport.done({ result: nothing }),
    ]
    expect(stateAfter(listEntered, loadedPage('', null, 'n-1', 'p-1'), ...imported).people).toMatchObject({
      load: { status: 'pending', asked: 3 },
      next: null,
      items: [found('p-1')],
    })
  })
})

describe('the departments of the filter', () => {
  const value = { values: [{ value: 'Sales', people: 1 }] }
  const loaded = [listEntered, DepartmentsLoad.loaded({ value })] as const
  const failed = [listEntered, DepartmentsLoad.loadFailed({ failure })] as const

  test('are loaded once, and again after an import', () => {
    expect(stateAfter(listEntered, listEntered).departments).toEqual({ status: 'pending', asked: 0 })
    expect(stateAfter(...loaded, listEntered).departments).toEqual({ status: 'success', value })
    expect(stateAfter(...loaded, PeopleImport.done({ result: nothing })).departments).toEqual({
      status: 'pending',
      asked: 2,
      value,
    })
  })

  test('are tried again after a failure when a page of people is entered', () => {
    expect(stateAfter(...failed, anaAt).departments).toEqual({ status: 'pending', asked: 2 })
    expect(stateAfter(...failed, Place.entered({ path: '/' })).departments.status).toBe('fail')
  })
})

describe('the filters of a list', () => {
  // Filters are compared strictly, so their prototype is that of other objects.
  const filters: fc.Arbitrary<PeopleFilters> = fc.record(
    {
      sort: fc.constantFrom('name', 'department', 'seen'),
      isDescending: fc.boolean(),
      department: fc.option(fc.constantFrom('Sales', 'Law')),
      signature: fc.option(fc.constantFrom('one', 'two')),
      who: fc.constantFrom('active', 'left', 'unseen'),
    },
    { noNullPrototype: true },
  )
  const loaded = [listEntered, loadedPage('', null, 'n-1', 'p-1')] as const

  test('change the direction when a column is chosen again, and nothing else', () => {
    fc.assert(
      fc.property(filters, fc.constantFrom('name', 'department', 'seen'), (given, sort) => {
        const once = sortedBy(given, sort)
        expect(once).toEqual({ ...given, sort, isDescending: once.isDescending })
        expect(once.isDescending).toBe(given.sort === sort ? !given.isDescending : sort === 'seen')
        expect(sortedBy(once, sort).isDescending).toBe(!once.isDescending)
      }),
    )
  })

  test('are taken away, and the order stays', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const { sort, isDescending } = given
        expect(withoutFilters(given)).toEqual({ ...NO_FILTERS, sort, isDescending })
        expect(isFiltered(withoutFilters(given))).toBe(false)
        expect(isFiltered(given)).toBe(
          given.department !== null || given.signature !== null || given.who !== 'active',
        )
      }),
    )
  })

  test('load the first page again, while the earlier people stay', () => {
    fc.assert(
      fc.property(filters, (given) => {
        fc.pre(!isDeepStrictEqual(given, NO_FILTERS))
        const { people } = stateAfter(...loaded, People.filtered({ filters: given }))
        expect(people).toMatchObject({ filters: given, next: null, items: [found('p-1')] })
        expect(people.load).toMatchObject({ status: 'pending', asked: 2 })
        const { unsigned } = stateAfter(UnsignedPeople.filtered({ filters: given }))
        expect(unsigned).toMatchObject({ filters: given, load: { status: 'pending' } })
      }),
    )
  })

  test('that stay the same load nothing', () => {
    expect(stateAfter(...loaded, People.filtered({ filters: { ...NO_FILTERS } })).people.load.status).toBe(
      'success',
    )
  })

  test('stay while a person is open, beside whom the list is loaded', () => {
    const filtered = People.filtered({ filters: { ...NO_FILTERS, who: 'left' } })
    const opened = stateAfter(...loaded, filtered, loadedPage('', null, null, 'p-2'), anaAt, listEntered)
    expect(opened.people).toMatchObject({ items: [found('p-2')], filters: { who: 'left' } })
    expect(opened.people.load.status).toBe('success')
    expect(stateAfter(anaAt).people.load.status).toBe('pending')
  })
})

describe('the list of people without a signature', () => {
  const entered = Place.entered({ path: UNSIGNED_PEOPLE_PATH })
  const unsignedPage = (after: string | null, next: string | null, ...ids: readonly string[]) =>
    UnsignedPeople.pageLoaded({
      query: '',
      after,
      page: { people: ids.map(found), next, labels: { a: 'A' } },
    })

  test('has a path of its own, from which people are opened and to which the way back leads', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.boolean(), (id, from) => {
        expect(personAt(personPath(id, from))).toBe(id)
        expect(isUnsignedPeoplePath(personPath(id, from))).toBe(from)
      }),
    )
    expect([
      personAt(UNSIGNED_PEOPLE_PATH),
      isUnsignedPeoplePath(UNSIGNED_PEOPLE_PATH),
      isUnsignedPeoplePath('/people'),
    ]).toEqual([...[null, true, false]])
  })

  test('is loaded on each visit, and leaves the list of everyone as it is', () => {
    const visited = stateAfter(listEntered, loadedPage('', null, null, 'p-1'), entered)
    expect(visited.unsigned.load).toMatchObject({ status: 'pending', asked: 2 })
    expect(visited.people).toMatchObject({ items: [found('p-1')], load: { status: 'success' } })
    expect(stateAfter(entered).people.load.status).toBe('idle')
    const again = stateAfter(entered, unsignedPage(null, 'n', 'p-2'), entered)
    expect(again.unsigned).toMatchObject({ items: [found('p-2')], next: null, load: { asked: 2 } })
    expect(stateAfter(listEntered).unsigned.load.status).toBe('idle')
    expect(stateAfter(Place.entered({ path: '/now?without=signature' })).unsigned.load.status).toBe('idle')
  })

  test('goes on by itself after a page without people, until the last page', () => {
    const empty = stateAfter(entered, unsignedPage(null, 'n-1'))
    expect(empty.unsigned).toMatchObject({ items: [], next: 'n-1', load: { status: 'pending', asked: 1 } })
    const later = stateAfter(entered, unsignedPage(null, 'n-1', 'p-1'), UnsignedPeople.moreRequested())
    const next = unsignedPage('n-1', 'n-2')
    expect(
      evolveAdministration(later, { ...next, meta: { seq: 7, at: 0, source: 'test' } }).unsigned,
    ).toMatchObject({
      items: [found('p-1')],
      next: 'n-2',
      load: { status: 'pending', asked: 7 },
    })
    expect(stateAfter(entered, unsignedPage(null, null)).unsigned.load.status).toBe('success')
    expect(stateAfter(entered, unsignedPage(null, 'n-1', 'p-1')).unsigned).toMatchObject({
      load: { status: 'success' },
      labels: { a: 'A' },
    })
  })

  test('is searched, and asked again after a failure and after an import', () => {
    const loaded = [entered, unsignedPage(null, null, 'p-1')]
    expect(stateAfter(...loaded, UnsignedPeople.searched({ query: ' ben ' })).unsigned.query).toBe('ben')
    const failed = [entered, UnsignedPeople.pageFailed({ failure })]
    expect(stateAfter(...failed, Place.retryRequested()).unsigned.load).toMatchObject({ asked: 2 })
    expect(
      stateAfter(...loaded, UnsignedPeople.searched({ query: 'b' }), UnsignedPeople.pageFailed({ failure }))
        .unsigned.items,
    ).toBeNull()
    expect(stateAfter(...loaded, PeopleImport.done({ result: nothing })).unsigned.load).toMatchObject({
      asked: 2,
    })
    expect(stateAfter(PeopleImport.done({ result: nothing })).unsigned.load.status).toBe('idle')
  })

  test('names the person who was erased until another list is entered', () => {
    const gone = PersonErasure.done({ person: 'p-1', id: 'p-1', address: 'one@in.example' })
    const erased = [entered, unsignedPage(null, null, 'p-1', 'p-2'), gone]
    expect(stateAfter(...erased).unsigned).toMatchObject({ items: [found('p-2')], erased: 'one@in.example' })
    expect(stateAfter(...erased, entered).unsigned.erased).toBe('one@in.example')
    expect(stateAfter(...erased, listEntered).unsigned.erased).toBeNull()
    expect(stateAfter(...erased, anaAt).unsigned.erased).toBeNull()
    expect(stateAfter(listEntered, gone, entered).people.erased).toBeNull()
  })
})

describe('a search that found no person among many', () => {
  test('goes on by itself', () => {
    expect(stateAfter(listEntered, loadedPage('', null, 'n-1')).people).toMatchObject({
      items: [],
      next: 'n-1',
      load: { status: 'pending', asked: 1 },
    })
    const late = stateAfter(listEntered, loadedPage('other', null, 'n-1'))
    expect(late.people).toMatchObject({ items: null, load: { asked: 0 } })
  })
})

describe('one person', () => {
  test('is loaded when their page is entered, and again when it is entered again', () => {
    expect(stateAfter(anaAt).onePerson).toMatchObject({
      person: 'p-ana',
      day: null,
      kind: 'new',
      isDark: false,
      explained: { status: 'pending', asked: 0 },
      drawn: { status: 'pending', asked: 0 },
    })
    expect(stateAfter(...shown, anaAt).onePerson?.explained).toMatchObject({
      status: 'pending',
      asked: 2,
      value: ana,
    })
    expect(stateAfter(...shown, listEntered).onePerson).toBeNull()
    expect(stateAfter(...shown, Session.signedOut()).onePerson).toBeNull()
  })

  test('is looked at on the same day, in the same message, as the one before', () => {
    const looked = [
      OnePerson.dayChosen({ day: '2026-10-01' }),
      OnePerson.kindChosen({ kind: 'reply' }),
      OnePerson.recipientsChosen({ recipients: 'external' }),
      OnePerson.themeChosen({ isDark: true }),
    ]
    const { onePerson } = stateAfter(...shown, ...looked, Place.entered({ path: '/people/p-ben' }))
    expect(onePerson).toMatchObject({
      person: 'p-ben',
      day: '2026-10-01',
      kind: 'reply',
      recipients: 'external',
      isDark: true,
    })
    expect(onePerson?.explained).toEqual({ status: 'pending', asked: 6 })
  })

  test('is asked about another day, whose answer replaces the one that is shown', () => {
    const asked = stateAfter(...shown, OnePerson.dayChosen({ day: '2026-10-01' }))
    expect(asked.onePerson).toMatchObject({
      day: '2026-10-01',
      explained: { status: 'pending', asked: 2, value: ana },
      drawn: { status: 'pending', asked: 2 },
    })
    for (const same of ['2026-10-01', '2026-02-30', ''])
      expect(
        evolveAdministration(asked, {
          ...OnePerson.dayChosen({ day: same }),
          meta: { seq: 9, at: 0, source: 'test' },
        }),
      ).toBe(asked)
    expect(
      stateAfter(...shown, OnePerson.dayChosen({ day: '2026-10-01' }), OnePerson.dayChosen({ day: null }))
        .onePerson?.day,
    ).toBeNull()
  })

  test('is drawn again for other recipients, and not for the same', () => {
    const none = stateAfter(...shown)
    const choose = (recipients: 'external' | null) => ({
      ...OnePerson.recipientsChosen({ recipients }),
      meta: { seq: 9, at: 0, source: 'test' },
    })
    expect(evolveAdministration(none, choose(null))).toBe(none)
    const outside = evolveAdministration(none, choose('external'))
    expect(outside.onePerson).toMatchObject({
      recipients: 'external',
      drawn: { status: 'pending', asked: 9 },
      explained: { status: 'success' },
    })
    expect(evolveAdministration(outside, choose('external'))).toBe(outside)
    expect(evolveAdministration(outside, choose(null)).onePerson?.recipients).toBeNull()
    expect(evolveAdministration(stateAfter(listEntered), choose('external')).onePerson).toBeNull()
  })

  test('is drawn again as another person writes, whose search is closed; the next page has no writer', () => {
    const found = { id: 'p-ben', address: 'ben@in.example', name: 'Ben', isActive: true }
    const chosen = OnePerson.writerChosen({ writer: found })
    const search = Planning.personSearched({ text: 'ben' })
    const state = stateAfter(...shown, search, chosen)
    expect(state.onePerson).toMatchObject({
      writer: found,
      drawn: { status: 'pending', asked: 3 },
      explained: { status: 'success' },
    })
    expect(state.plan.search).toEqual({ text: '', found: { status: 'idle' } })
    expect(
      stateAfter(...shown, chosen, OnePerson.writerChosen({ writer: null })).onePerson?.writer,
    ).toBeNull()
    expect(
      stateAfter(...shown, chosen, Place.entered({ path: '/people/p-ben' })).onePerson?.writer,
    ).toBeNull()
    expect(stateAfter(listEntered, chosen).onePerson).toBeNull()
  })

  test('is drawn again for a reply, and not for another theme', () => {
    const reply = stateAfter(...shown, OnePerson.kindChosen({ kind: 'reply' })).onePerson
    expect(reply).toMatchObject({
      kind: 'reply',
      drawn: { status: 'pending', asked: 2 },
      explained: { status: 'success' },
    })
    const dark = stateAfter(...shown, OnePerson.themeChosen({ isDark: true })).onePerson
    expect(dark).toMatchObject({ isDark: true, drawn: { status: 'pending', asked: 0 } })
  })

  test('knows nothing of what was asked for another', () => {
    const before = stateAfter(anaAt)
    const late: readonly AdministrationEvent[] = [
      OnePerson.explained({ person: 'p-ben', value: ana }),
      OnePerson.explainFailed({ person: 'p-ben', failure }),
      OnePerson.drawFailed({ person: 'p-ben', failure }),
      PersonExport.done({ person: 'p-ben' }),
      PersonExport.failed({ person: 'p-ben', failure }),
      PersonErasure.failed({ person: 'p-ben', failure }),
    ]
    for (const event of late)
      expect(
        evolveAdministration(before, { ...event, meta: { seq: 9, at: 0, source: 'test' } }).onePerson,
      ).toBe(before.onePerson)
  })

  test('stays when another day could not be loaded', () => {
    const { onePerson } = stateAfter(
      ...shown,
      OnePerson.dayChosen({ day: '2026-10-01' }),
      OnePerson.explainFailed({ person: 'p-ana', failure }),
    )
    expect(onePerson?.explained).toEqual({ status: 'fail', failure, value: ana })
    expect(
      stateAfter(anaAt, OnePerson.drawFailed({ person: 'p-ana', failure }), Place.retryRequested()).onePerson,
    ).toMatchObject({
      drawn: { status: 'pending', asked: 2 },
      explained: { status: 'pending', asked: 0 },
    })
  })

  test('means a day in the time zone that the periods have', () => {
    const [signature] = ana.signatures
    const during = { from: '2026-01-01', to: '2026-01-02', timeZone: 'Asia/Kolkata' }
    const value = { ...ana, signatures: [{ ...signature, during }] as typeof ana.signatures }
    expect(stateAfter(anaAt, OnePerson.explained({ person: 'p-ana', value })).onePerson?.zone).toBe(
      'Asia/Kolkata',
    )
  })
})

describe('an erasure', () => {
  const opened = [...shown, PersonErasure.opened()]

  test('begins only after an address of the person was typed, once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'ana', 'ben@in.example', 'ana@in.example', 'ANA@in.example'),
        (typed) => {
          const { onePerson } = stateAfter(
            ...opened,
            PersonErasure.typed({ text: typed }),
            PersonErasure.requested(),
            PersonErasure.requested(),
          )
          expect(onePerson?.erasing).toEqual(
            typed.toLowerCase() === 'ana@in.example' ? { status: 'pending', asked: 4 } : { status: 'idle' },
          )
        },
      ),
    )
  })

  test('is not asked for while the question is closed or the person unknown', () => {
    const closed = [
      ...opened,
      PersonErasure.typed({ text: 'ana@in.example' }),
      PersonErasure.closed(),
      PersonErasure.requested(),
    ]
    expect(stateAfter(...closed).onePerson).toMatchObject({ typed: null, erasing: { status: 'idle' } })
    expect(stateAfter(...shown, PersonErasure.typed({ text: 'ana@in.example' })).onePerson?.typed).toBeNull()
    expect(
      stateAfter(
        anaAt,
        PersonErasure.opened(),
        PersonErasure.typed({ text: 'p-ana' }),
        PersonErasure.requested(),
      ).onePerson?.erasing.status,
    ).toBe('idle')
  })

  test('stays open while it runs, may be tried again, and ends with the person', () => {
    const asked = [...opened, PersonErasure.typed({ text: 'ana@in.example' }), PersonErasure.requested()]
    expect(stateAfter(...asked, PersonErasure.closed()).onePerson?.typed).toBe('ana@in.example')
    const failed = [...asked, PersonErasure.failed({ person: 'p-ana', failure })]
    expect(stateAfter(...failed, PersonErasure.requested()).onePerson?.erasing).toEqual({
      status: 'pending',
      asked: 6,
    })
    const done = PersonErasure.done({ person: 'p-ana', id: 'p-ana', address: 'ana@in.example' })
    const list = [listEntered, loadedPage('', null, null, 'p-ana', 'p-ben')]
    const after = stateAfter(...list, ...asked, done)
    expect(after.onePerson).toBeNull()
    expect(after.people).toMatchObject({ items: [found('p-ben')], erased: 'ana@in.example' })
    expect(stateAfter(...list, ...asked, done, anaAt).people.erased).toBeNull()
    expect(stateAfter(...list, ...asked, done, People.searched({ query: 'x' })).people.erased).toBeNull()
  })
})

const nothing: ImportResult = { added: 0, changed: 0, unchanged: 1, refused: [], problems: [] }

describe('an import', () => {
  const offered = PeopleImport.offered({ file: createHandle('csv'), name: 'people.csv' })

  test('is tried first, and begins once, when the administrator says so after the try', () => {
    expect(stateAfter(offered, PeopleImport.confirmed()).importing).toMatchObject({
      tried: { status: 'pending', asked: 0 },
      done: { status: 'idle' },
    })
    const tried = [offered, PeopleImport.tried({ result: nothing })]
    expect(stateAfter(...tried).importing?.tried).toEqual({ status: 'success', value: nothing })
    expect(stateAfter(...tried, PeopleImport.confirmed(), PeopleImport.confirmed()).importing?.done).toEqual({
      status: 'pending',
      asked: 2,
    })
    expect(
      stateAfter(
        ...tried,
        PeopleImport.confirmed(),
        PeopleImport.done({ result: nothing }),
        PeopleImport.confirmed(),
      ).importing?.done.status,
    ).toBe('success')
    expect(
      stateAfter(
        ...tried,
        PeopleImport.confirmed(),
        PeopleImport.failed({ failure }),
        PeopleImport.confirmed(),
      ).importing?.done,
    ).toMatchObject({ asked: 4 })
    expect(
      stateAfter(offered, PeopleImport.tryFailed({ failure }), PeopleImport.confirmed()).importing?.done
        .status,
    ).toBe('idle')
  })

  test('is not left, nor replaced by another file, while it runs', () => {
    const running = [offered, PeopleImport.tried({ result: nothing }), PeopleImport.confirmed()]
    expect(stateAfter(...running, PeopleImport.closed()).importing?.name).toBe('people.csv')
    expect(
      stateAfter(...running, PeopleImport.offered({ file: createHandle(''), name: 'other.csv' })).importing
        ?.name,
    ).toBe('people.csv')
    expect(stateAfter(offered, PeopleImport.closed()).importing).toBeNull()
    expect(stateAfter(offered, Session.expired({ failure })).importing).toBeNull()
    expect(stateAfter(...running, Session.expired({ failure })).importing?.name).toBe('people.csv')
    expect(
      stateAfter(offered, PeopleImport.closed(), PeopleImport.tried({ result: nothing })).importing,
    ).toBeNull()
  })
})

test.each<readonly [over: object, stopped: unknown]>([
  [{}, { done: 1, all: 3, row: 2 }],
  [{ kind: 'network' }, null],
  [{ code: 'other' }, null],
  [{ data: null }, null],
  [{ data: { all: 3, row: 2 } }, null],
  [{ data: { done: 1, all: '3', row: 2 } }, null],
  [{ data: { done: 1, all: 3 } }, null],
])('an import that the service stopped says how far it came: %j', (over, stopped) => {
  const failure = {
    kind: 'http',
    status: 503,
    code: 'import_stopped',
    data: { done: 1, all: 3, row: 2 },
    ...over,
  }
  expect(stoppedImportOf(failure as Parameters<typeof stoppedImportOf>[0])).toEqual(stopped)
})

test.each([
  [Date.UTC(2026, 0, 1), 'UTC', '2026-01-01'],
  [Date.UTC(2026, 0, 1), 'America/Los_Angeles', '2025-12-31'],
  [Date.parse('0202-10-09T12:00:00Z'), 'UTC', '0202-10-09'],
])('%i is in %s the day %s', (at, timeZone, given) => {
  expect(dayAt(at, timeZone)).toBe(given)
})

test('the export is asked for once, and says how it ended', () => {
  const asked = [...shown, PersonExport.requested()]
  expect(stateAfter(...asked, PersonExport.requested()).onePerson?.saving).toEqual({
    status: 'pending',
    asked: 2,
  })
  expect(stateAfter(...asked, PersonExport.done({ person: 'p-ana' })).onePerson?.saving.status).toBe(
    'success',
  )
  expect(
    stateAfter(...asked, PersonExport.failed({ person: 'p-ana', failure })).onePerson?.saving.status,
  ).toBe('fail')
})
