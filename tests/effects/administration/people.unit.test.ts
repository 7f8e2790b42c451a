import { NEVER, type Observable, of, throwError } from 'rxjs'
import { type RunHelpers, TestScheduler } from 'rxjs/testing'
import { describe, expect, test } from 'vitest'
import { directoryEffects } from '../../../effects/administration/directory.ts'
import { peopleEffects, SEARCH_DELAY_MS, THUMBNAIL_DELAY_MS } from '../../../effects/administration/people.ts'
import type { AdministrationApi, AdministrationPorts } from '../../../effects/administration/ports.ts'
import { DirectoryLoad, DirectorySync, SyncStop } from '../../../streams/administration/directory/events.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  Correction,
  PersonErasure,
  PeopleImport,
  OnePerson,
  People,
  PersonExport,
  Thumbnail,
  UnsignedPeople,
} from '../../../streams/administration/people/events.ts'
import { NO_FILTERS } from '../../../streams/administration/people/filters.ts'
import { UNSIGNED_PEOPLE_PATH } from '../../../streams/administration/people/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import {
  type AdministrationState,
  evolveAdministration,
  initialState,
} from '../../../streams/administration/state.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { createStore, replayLog } from '../../../streams/kernel/store.ts'
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import { answered, directoryOf, explained, found, run } from '../../support/administration/people.ts'
import { VISIT } from '../../support/administration/ports.ts'
import { changedMeanwhile } from '../../support/administration/story.ts'
import { logOf } from '../../support/state.ts'

type Calls = Readonly<{ name: string; args: readonly unknown[]; at: number }>[]
type Answers = Partial<{ [Name in keyof AdministrationApi]: (...args: never) => Observable<unknown> }>

/** Plays gestures at their times into a store of the area's effects; the calls that they made are kept. */
function play(
  test: (
    helpers: RunHelpers &
      Readonly<{
        run: (
          gestures: Readonly<Record<number, AdministrationEvent>>,
          answers: Answers,
          how?: Readonly<{
            given?: readonly AdministrationEvent[]
            until?: number
            ports?: Partial<AdministrationPorts>
          }>,
        ) => Readonly<{ calls: Calls; state: () => AdministrationState; events: AdministrationEvent[] }>
        later: (check: () => void) => void
      }>,
  ) => void,
): void {
  const checks: (() => void)[] = []
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toEqual(expected)
  })
  scheduler.run((helpers) => {
    test({
      ...helpers,
      later: (check) => checks.push(check),
      run: (gestures, answers, { given = [], until = 60_000, ports = {} } = {}) => {
        const calls: Calls = []
        const api = new Proxy({} as AdministrationApi, {
          get:
            (_, name: keyof AdministrationApi) =>
            (...args: readonly unknown[]) => {
              calls.push({ name, args, at: scheduler.now() })
              return (
                (answers[name] as ((...given: readonly unknown[]) => Observable<unknown>) | undefined)?.(
                  ...args,
                ) ?? NEVER
              )
            },
        })
        const store = createStore<AdministrationState, AdministrationEvent, AdministrationPorts>({
          initial: replayLog(initialState, evolveAdministration, logOf(...given)),
          evolve: evolveAdministration,
          effects: { ...peopleEffects, ...directoryEffects },
          deps: { api, time: { scheduler }, visit: VISIT, ...ports } as AdministrationPorts,
          time: { scheduler },
        })
        const events: AdministrationEvent[] = []
        store.event$.subscribe((event) => {
          if (event.meta.source !== 'test')
            events.push({ type: event.type, data: event.data } as AdministrationEvent)
        })
        store.start()
        for (const [at, event] of Object.entries(gestures))
          scheduler.schedule(() => {
            store.record(event, 'test')
          }, Number(at))
        scheduler.schedule(() => {
          store.stop()
        }, until)
        return { calls, events, state: () => store.state$.value }
      },
    })
  })
  for (const check of checks) check()
}

const list = Place.entered({ path: '/people' })
const page = (...ids: readonly string[]) => ({ people: ids.map(found), next: 'n-1' })
const anaAt = Place.entered({ path: '/people/p-ana' })
const failure = { kind: 'network' } as const
const failing = () => throwError(() => new Failed(failure))

describe('the search for people without a signature', () => {
  test('waits for the end of the typing, and goes on by itself after an empty page', () => {
    play(({ run: start, later }) => {
      const { calls, state } = start(
        { 0: Place.entered({ path: UNSIGNED_PEOPLE_PATH }), 1000: UnsignedPeople.searched({ query: 'a' }) },
        {
          listPeople: (query: string, after: string | null) =>
            of(
              query === '' && after === null ? { people: [], next: 'n-0' } : { ...page('p-ana'), next: null },
            ),
        },
      )
      later(() => {
        expect(calls.filter(({ name }) => name === 'listPeople')).toEqual([
          { name: 'listPeople', args: ['', null, NO_FILTERS, 'signature'], at: 0 },
          { name: 'listPeople', args: ['', 'n-0', NO_FILTERS, 'signature'], at: 0 },
          { name: 'listPeople', args: ['a', null, NO_FILTERS, 'signature'], at: 1000 + SEARCH_DELAY_MS },
        ])
        expect(state().unsigned).toMatchObject({ items: [found('p-ana')], next: null })
      })
    })
  })
})

describe('the search', () => {
  test('waits for the end of the typing, and asks at once for everyone and for more', () => {
    play(({ run: start, later }) => {
      const { calls } = start(
        {
          0: list,
          1000: People.searched({ query: 'a' }),
          1100: People.searched({ query: 'an' }),
          3000: People.moreRequested(),
        },
        { listPeople: () => of(page('p-ana')) },
      )
      later(() => {
        expect(calls.filter(({ name }) => name === 'listPeople')).toEqual([
          { name: 'listPeople', args: ['', null, NO_FILTERS, null], at: 0 },
          { name: 'listPeople', args: ['an', null, NO_FILTERS, null], at: 1100 + SEARCH_DELAY_MS },
          { name: 'listPeople', args: ['an', 'n-1', NO_FILTERS, null], at: 3000 },
        ])
      })
    })
  })

  test('cancels a request whose answer is no longer wanted, and one of a session that ended', () => {
    play(({ run: start, cold, expectSubscriptions, later }) => {
      const slow$ = cold('500ms a', { a: page('p-ana') })
      const { state } = start(
        { 0: list, 100: People.searched({ query: 'b' }), 400: Session.signedOut() },
        { listPeople: () => slow$ },
      )
      expectSubscriptions(slow$.subscriptions).toBe(['^ 99ms !', '350ms ^ 49ms !'])
      later(() => {
        expect(state().people.items).toBeNull()
      })
    })
  })

  test('says why it failed', () => {
    play(({ run: start, later }) => {
      const { events } = start({ 0: list }, { listPeople: failing })
      later(() => {
        expect(events).toEqual([People.pageFailed({ failure })])
      })
    })
  })
})

describe('a list', () => {
  test('is asked for again at once with other filters, which all of its pages have', () => {
    play(({ run: start, later }) => {
      const filters = { ...NO_FILTERS, department: 'Sales' }
      const { calls } = start(
        { 0: list, 1000: People.filtered({ filters }), 2000: People.moreRequested() },
        { listPeople: () => of(page('p-ana')) },
      )
      later(() => {
        expect(calls.filter(({ name }) => name === 'listPeople').slice(1)).toEqual([
          { name: 'listPeople', args: ['', null, filters, null], at: 1000 },
          { name: 'listPeople', args: ['', 'n-1', filters, null], at: 2000 },
        ])
      })
    })
  })

  test('asks for the departments once', () => {
    play(({ run: start, later }) => {
      const { calls } = start({ 0: list, 10: anaAt }, { fieldValues: () => of({ values: [] }) })
      later(() => {
        expect(calls.filter(({ name }) => name === 'fieldValues')).toEqual([
          { name: 'fieldValues', args: ['department', ''], at: 0 },
        ])
      })
    })
  })
})

describe('a thumbnail', () => {
  const pointed = (person: string | null) => Thumbnail.pointed({ person })
  const asked = (calls: readonly { name: string; args: readonly unknown[]; at: number }[]) =>
    calls.filter(({ name }) => name === 'signaturesOf').map(({ args: [person], at }) => [person, at])

  test('is asked for once the pointer has stayed for a moment', () => {
    play(({ run: start, later }) => {
      const { calls, state } = start(
        { 0: pointed('p-ana'), 300: pointed('p-ben'), 900: pointed('p-ben') },
        { signaturesOf: () => of(answered()) },
      )
      later(() => {
        expect(asked(calls)).toEqual([['p-ben', 300 + THUMBNAIL_DELAY_MS]])
        expect(state().thumbnail).toMatchObject({ person: 'p-ben', drawn: { value: answered() } })
      })
    })
  })

  test('is not shown after the pointer has left, or another page was opened', () => {
    play(({ run: start, later }) => {
      const { calls, state } = start(
        { 0: pointed('p-ana'), 100: pointed(null), 1000: pointed('p-ana'), 1100: anaAt },
        { signaturesOf: () => of(answered()) },
      )
      later(() => {
        // The page of the person asks for their signatures at once.
        expect(asked(calls)).toEqual([['p-ana', 1100]])
        expect(state().thumbnail).toBeNull()
      })
    })
  })

  test('that could not be loaded is not shown', () => {
    play(({ run: start, later }) => {
      const { events } = start({ 0: pointed('p-ana') }, { signaturesOf: failing })
      later(() => {
        expect(events).toEqual([Thumbnail.drawFailed({ person: 'p-ana', failure })])
      })
    })
  })
})

describe('one person', () => {
  test('is asked for at the middle of the chosen day, and drawn again only for another message', () => {
    play(({ run: start, later }) => {
      const { calls, state } = start(
        {
          0: anaAt,
          10: OnePerson.dayChosen({ day: '2026-10-01' }),
          20: OnePerson.kindChosen({ kind: 'reply' }),
          25: OnePerson.recipientsChosen({ recipients: 'external' }),
          30: OnePerson.themeChosen({ isDark: true }),
          35: OnePerson.writerChosen({
            writer: { id: 'p-ben', address: 'ben@in.example', name: 'Ben', isActive: true },
          }),
        },
        { person: () => of(explained()), signaturesOf: () => of(answered()) },
      )
      const at = Date.UTC(2026, 9, 1, 12)
      later(() => {
        const ofPerson = calls.filter(({ name }) => name === 'person' || name === 'signaturesOf')
        expect(ofPerson.map(({ name, args }) => [name, ...args])).toEqual([
          ['person', 'p-ana', null],
          ['signaturesOf', 'p-ana', { release: null, at: null, kind: 'new', recipients: null }],
          ['person', 'p-ana', at],
          ['signaturesOf', 'p-ana', { release: null, at, kind: 'new', recipients: null }],
          ['signaturesOf', 'p-ana', { release: null, at, kind: 'reply', recipients: null }],
          ['signaturesOf', 'p-ana', { release: null, at, kind: 'reply', recipients: 'external' }],
          [
            ...['signaturesOf', 'p-ana'],
            { release: null, at, kind: 'reply', recipients: 'external', writer: 'p-ben' },
          ],
        ])
        expect(state().onePerson).toMatchObject({
          explained: { value: explained() },
          drawn: { value: answered() },
        })
      })
    })
  })

  test('says why either could not be loaded', () => {
    play(({ run: start, later }) => {
      const { events } = start({ 0: anaAt }, { person: failing, signaturesOf: failing })
      later(() => {
        expect(events).toEqual([
          OnePerson.explainFailed({ person: 'p-ana', failure }),
          OnePerson.drawFailed({ person: 'p-ana', failure }),
        ])
      })
    })
  })

  test('is saved as one file, whose name is the mail address', () => {
    play(({ run: start, later }) => {
      const saved: unknown[] = []
      const data = { person: explained().person, facts: [], told: null, directory: [], pictures: {} }
      const downloads = { save: (file: unknown) => (saved.push(file), of(undefined)) }
      const { events } = start(
        { 0: anaAt, 10: PersonExport.requested() },
        { personalData: () => of(data) },
        { ports: { downloads } },
      )
      later(() => {
        expect(saved).toEqual([
          {
            name: 'ana@in.example.json',
            mediaType: 'application/json',
            content: `${JSON.stringify(data, null, 2)}\n`,
          },
        ])
        expect(events).toEqual([PersonExport.done({ person: 'p-ana' })])
      })
    })
  })

  test('is erased by their id, also when the session ends meanwhile, and their page is left', () => {
    play(({ run: start, cold, later }) => {
      const gone: string[] = []
      const address = {
        path$: NEVER,
        go: (path: string) => gone.push(path),
      } as unknown as AdministrationPorts['address']
      const { calls, events } = start(
        {
          0: Place.entered({ path: '/people/ana@in.example' }),
          10: PersonErasure.opened(),
          20: PersonErasure.typed({ text: 'ana@in.example' }),
          30: PersonErasure.requested(),
          40: Session.expired({ failure }),
        },
        { person: () => of(explained()), erase: () => cold('100ms a', { a: undefined }) },
        { given: [Place.changed({ path: '/people/ana@in.example' })], ports: { address } },
      )
      later(() => {
        expect(calls.filter(({ name }) => name === 'erase')).toEqual([
          { name: 'erase', args: ['p-ana'], at: 30 },
        ])
        expect(events.at(-1)).toEqual(
          PersonErasure.done({ person: 'ana@in.example', id: 'p-ana', address: 'ana@in.example' }),
        )
        expect(gone).toEqual(['/people'])
      })
    })
  })

  test('is corrected over the revision that the page shows, also when the session ends meanwhile', () => {
    play(({ run: start, cold, later }) => {
      const act = { kind: 'pinned', signature: 'board', until: { end: 'removed', day: '' } } as const
      const corrections = {
        fields: { jobTitle: { value: 'Head', until: 'changed', by: 'admin', at: 1 } },
        supplement: {},
        under: { jobTitle: 'Seller' },
      }
      const { calls, events } = start(
        {
          0: Place.entered({ path: '/people/ana@in.example' }),
          10: Correction.entered({ act }),
          20: Correction.requested(),
          30: Session.expired({ failure }),
        },
        {
          person: () => of(explained({ person: { ...explained().person, corrections } })),
          correct: () => cold('100ms a', { a: undefined }),
        },
      )
      later(() => {
        const set = {
          fields: { jobTitle: { value: 'Head', until: 'changed' } },
          pinned: { signature: 'board', until: 'removed' },
        }
        expect(calls.filter(({ name }) => name === 'correct')).toEqual([
          { name: 'correct', args: ['p-ana', 3, set], at: 20 },
        ])
        expect(events.filter(({ type }) => type.startsWith('correction/'))).toEqual([
          Correction.done({ person: 'ana@in.example' }),
        ])
      })
    })
  })

  test('is loaded again after a correction, and after one over an earlier state', () => {
    play(({ run: start, later }) => {
      const act = { kind: 'takeBack', target: { kind: 'excluded' } } as const
      let revision = 3
      const { calls, events, state } = start(
        {
          0: anaAt,
          10: Correction.entered({ act }),
          20: Correction.requested(),
          30: Correction.requested(),
        },
        {
          person: () => of(explained({ person: { ...explained().person, revision } })),
          signaturesOf: () => of(answered()),
          correct: (_person: string, seen: number) => {
            revision = 7
            return seen === 7 ? of(undefined) : throwError(() => new Failed(changedMeanwhile))
          },
        },
      )
      later(() => {
        const asked = calls.filter(({ name }) => ['person', 'signaturesOf', 'correct'].includes(name))
        expect(asked.map(({ name, at }) => [name, at])).toEqual([
          ['person', 0],
          ['signaturesOf', 0],
          ['correct', 20],
          ['person', 20],
          ['correct', 30],
          ['person', 30],
          ['signaturesOf', 30],
        ])
        const failed = Correction.failed({ person: 'p-ana', failure: changedMeanwhile })
        expect(events.find(({ type }) => type === 'correction/failed')).toEqual(failed)
        expect(state().onePerson).toMatchObject({ act: null, correcting: { status: 'success' } })
      })
    })
  })

  describe('while another one is awaited', () => {
    const withId = (id: string) => explained({ person: { ...explained().person, id, addresses: [id] } })
    const goTo = (id: string) => [
      Place.changed({ path: `/people/${id}` }),
      Place.entered({ path: `/people/${id}` }),
    ]

    test('is saved, too', () => {
      play(({ run: start, cold, later }) => {
        const saved: unknown[] = []
        const downloads = {
          save: (file: Readonly<{ name: string }>) => (saved.push(file.name), of(undefined)),
        }
        const data = (id: string) => ({
          person: withId(id).person,
          facts: [],
          told: null,
          pictures: {},
        })
        const [anaPlace, anaHere, benPlace, benHere] = [...goTo('p-ana'), ...goTo('p-ben')]
        const { state } = start(
          {
            0: anaPlace,
            1: anaHere,
            10: PersonExport.requested(),
            20: benPlace,
            21: benHere,
            30: PersonExport.requested(),
          } as Record<number, AdministrationEvent>,
          { personalData: (id: string) => cold(id === 'p-ana' ? '100ms a' : '50ms a', { a: data(id) }) },
          { ports: { downloads } },
        )
        later(() => {
          expect(saved).toEqual(['p-ben.json', 'p-ana.json'])
          expect(state().onePerson?.saving).toEqual({ status: 'success' })
        })
      })
    })

    test('is erased, too, and where the administrator is meanwhile is not left', () => {
      play(({ run: start, cold, later }) => {
        const gone: string[] = []
        const address = { path$: NEVER, go: (path: string) => gone.push(path) }
        const [anaPlace, anaHere, benPlace, benHere] = [...goTo('p-ana'), ...goTo('p-ben')]
        const erasing = (from: number, text: string) => ({
          [from]: PersonErasure.opened(),
          [from + 1]: PersonErasure.typed({ text }),
          [from + 2]: PersonErasure.requested(),
        })
        const { calls, events } = start(
          {
            0: anaPlace,
            1: anaHere,
            ...erasing(10, 'p-ana'),
            20: benPlace,
            21: benHere,
            ...erasing(30, 'p-ben'),
            40: Place.changed({ path: '/plan' }),
          } as Record<number, AdministrationEvent>,
          { person: (id: string) => of(withId(id)), erase: () => cold('100ms a', { a: undefined }) },
          { ports: { address: address } },
        )
        later(() => {
          expect(calls.filter(({ name }) => name === 'erase').map(({ args: [id] }) => id)).toEqual([
            'p-ana',
            'p-ben',
          ])
          expect(events.filter(({ type }) => type === 'erasure/done')).toHaveLength(2)
          expect(gone).toEqual([])
        })
      })
    })
  })
})

describe('an import', () => {
  const result: ImportResult = { added: 1, changed: 0, unchanged: 0, refused: [], problems: [] }
  const file = createHandle('a file')
  const files = {
    picture: () => of(null),
    text: (handle: unknown) => (handle === file ? of('email\n') : failing()),
  }

  test('is tried with the text of the file, and done when the administrator says so', () => {
    play(({ run: start, later }) => {
      const { calls, events } = start(
        { 0: PeopleImport.offered({ file, name: 'a.csv' }), 10: PeopleImport.confirmed() },
        { importPeople: () => of(result) },
        { ports: { files } },
      )
      later(() => {
        expect(calls.map(({ args }) => args)).toEqual([
          ['email\n', true, `${VISIT}00000000`],
          ['email\n', false, `${VISIT}00000002`],
          // The list and the departments may be others now.
          ['', null, NO_FILTERS, null],
          ['department', ''],
        ])
        expect(events).toEqual([PeopleImport.tried({ result }), PeopleImport.done({ result })])
      })
    })
  })

  test('that is dropped asks nothing more, and one that cannot be read says so', () => {
    play(({ run: start, cold, expectSubscriptions, later }) => {
      const slow$ = cold('100ms a', { a: result })
      start(
        { 0: PeopleImport.offered({ file, name: 'a.csv' }), 50: PeopleImport.closed() },
        { importPeople: () => slow$ },
        { ports: { files } },
      )
      expectSubscriptions(slow$.subscriptions).toBe('^ 49ms !')
      const other = start(
        { 0: PeopleImport.offered({ file: createHandle(''), name: 'b.csv' }) },
        {},
        { ports: { files } },
      )
      later(() => {
        expect(other.events).toEqual([PeopleImport.tryFailed({ failure })])
      })
    })
  })
})

describe('a run of the directory', () => {
  const me = { name: 'Ada', roles: [], organisation: 'Northwind', version: '1' }
  const here = [Session.opened({ me }), Place.changed({ path: '/directory' })]
  const entered = Place.entered({ path: '/directory' })
  const running = directoryOf({ isRunning: true })

  test('is followed less and less often until it is done', () => {
    play(({ run: start, later }) => {
      let asked = 0
      const { calls } = start(
        { 0: entered },
        { directory: () => of(++asked < 4 ? running : directoryOf()) },
        { given: here },
      )
      later(() => {
        expect(calls.map(({ at }) => at)).toEqual([0, 1_000, 2_500, 4_500])
      })
    })
  })

  test('is not asked after before the time that a busy service asked for', () => {
    play(({ run: start, later }) => {
      let asked = 0
      const busy = { kind: 'http', status: 429, code: null, data: null, retryAfter: 20_000 } as const
      const { calls } = start(
        { 0: entered },
        {
          directory: () => {
            asked += 1
            if (asked === 2) return throwError(() => new Failed(busy))
            return of(asked < 4 ? running : directoryOf())
          },
        },
        { given: here },
      )
      later(() => {
        // At once, after a second, and then a second after the time, and so on.
        expect(calls.map(({ at }) => at)).toEqual([0, 1_000, 22_000, 23_500])
      })
    })
  })

  test('is followed on through a failed question, and not when the administrator is elsewhere', () => {
    play(({ run: start, later }) => {
      let asked = 0
      const { calls } = start(
        { 0: entered, 3000: Place.changed({ path: '/now' }) },
        { directory: () => (++asked === 2 ? failing() : of(running)) },
        { given: here },
      )
      later(() => {
        expect(calls.map(({ at }) => at)).toEqual([0, 1_000, 2_500])
      })
    })
  })

  test.each([
    ['try', { try: true, retire: false }],
    ['sync', { try: false, retire: false }],
    ['deactivate', { try: false, retire: true }],
  ] as const)('begins as a %s, and is followed', (kind, how) => {
    play(({ run: start, later }) => {
      const begun = run({ id: 'run-2', outcome: 'running' })
      let asked = 0
      const { calls, events } = start(
        { 0: entered, 100: DirectorySync.requested({ kind }) },
        { sync: () => of(begun), directory: () => (++asked === 2 ? of(running) : of(directoryOf())) },
        { given: here },
      )
      later(() => {
        expect(calls).toEqual([
          { name: 'directory', args: [], at: 0 },
          { name: 'sync', args: [how], at: 100 },
          { name: 'directory', args: [], at: 100 },
          { name: 'directory', args: [], at: 1_100 },
        ])
        expect(events[1]).toEqual(DirectorySync.done({ run: begun }))
        expect(events.at(-1)).toEqual(DirectoryLoad.loaded({ value: directoryOf() }))
      })
    })
  })

  test('is stopped when the administrator asks for it', () => {
    play(({ run: start, later }) => {
      const { calls, events } = start({ 0: SyncStop.requested() }, { stopSync: () => of(undefined) })
      const other = start({ 0: SyncStop.requested() }, { stopSync: failing })
      later(() => {
        expect(calls).toEqual([{ name: 'stopSync', args: [], at: 0 }])
        expect(events).toEqual([SyncStop.done()])
        expect(other.events).toEqual([SyncStop.failed({ failure })])
      })
    })
  })

  test('that cannot begin says why', () => {
    play(({ run: start, later }) => {
      const { events } = start({ 0: DirectorySync.requested({ kind: 'sync' }) }, { sync: failing })
      later(() => {
        expect(events).toEqual([DirectorySync.failed({ failure })])
      })
    })
  })
})
