import { of, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { SEARCH_DELAY_MS } from '../../effects/administration/people.ts'
import { DirectorySync } from '../../streams/administration/directory/events.ts'
import { undecidedRun } from '../../streams/administration/directory/rules.ts'
import { type HandAct, valueForm } from '../../streams/administration/people/byHand.ts'
import {
  Correction,
  PersonErasure,
  PeopleImport,
  OnePerson,
  People,
} from '../../streams/administration/people/events.ts'
import { Place } from '../../streams/administration/place/events.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { loadedValue } from '../../streams/kernel/load.ts'
import type { DirectoryState } from '../../streams/organisation/directory/directory.ts'
import type { ImportResult } from '../../streams/wire/administration/people.ts'
import { signatureReasons } from '../../streams/organisation/rules/why.ts'
import { NOON } from '../support/administration/answers.ts'
import { answered, directoryOf, explained, found, run } from '../support/administration/people.ts'
import { fakeAdministrationPorts, startAdministrationAt, VISIT } from '../support/administration/ports.ts'
import { changedMeanwhile } from '../support/administration/story.ts'
import { createClock } from '../support/clock.ts'

// What an administrator does on the pages People and Directory, through the whole program over fakes.

/** The name of work: of the visit, and of the event that asked for it. */
const WORK = expect.stringMatching(new RegExp(`^${VISIT}[0-9a-f]{8}$`)) as unknown
const during = { from: '2026-10-01', to: '2026-10-31', timeZone: 'Europe/Berlin' }
const OCTOBER = Date.UTC(2026, 9, 15, 10)
const IS_OPEN = (at: number | null) => at === OCTOBER

function open(path: string) {
  const clock = createClock(NOON)
  const ports = fakeAdministrationPorts(clock)
  ports.api.listPeople.answers((search) =>
    of({ people: ['p-ana', 'p-ben'].filter((id) => id.includes(search)).map(found), next: null }),
  )
  ports.api.person.answers((_person, at) =>
    of(
      explained({
        signatures: explained().signatures.map((each) => ({ ...each, during, isOpen: IS_OPEN(at) })),
      }),
    ),
  )
  ports.api.signaturesOf.answers((_person, { at, kind }) =>
    of(
      answered({
        signatures: answered()
          .signatures.slice(0, IS_OPEN(at) ? 1 : 0)
          .map((each) => ({ ...each, html: kind === 'reply' ? '<p>short</p>' : '<p>long</p>' })),
      }),
    ),
  )
  const page = startAdministrationAt(path, ports)
  return { clock, ports, page, state: () => page.state$.value }
}

describe('an administrator', () => {
  test('finds a person, and sees why and what they have on any day, new or reply', () => {
    const { clock, page, ports, state } = open('/people')
    expect(state().people.items).toHaveLength(2)
    page.record(People.searched({ query: 'an' }))
    expect(ports.api.listPeople.calls).toHaveLength(1)
    clock.advance(SEARCH_DELAY_MS)
    expect(state().people.items).toEqual([found('p-ana')])

    page.record(Place.linkFollowed({ to: '/people/p-ana' }))
    const one = () => state().onePerson
    const why = () => {
      const known = one() && loadedValue(one()?.explained ?? { status: 'idle' })
      return known && signatureReasons(known.signatures, known.default?.by ?? null).map(({ kind }) => kind)
    }
    const shown = () => loadedValue(one()?.drawn ?? { status: 'idle' })?.signatures.map(({ html }) => html)
    expect([why(), shown()]).toEqual([['notOpen'], []])

    page.record(OnePerson.dayChosen({ day: '2026-10-15' }))
    expect(ports.api.person.calls.at(-1)).toEqual(['p-ana', OCTOBER])
    expect([why(), shown()]).toEqual([['default'], ['<p>long</p>']])
    page.record(OnePerson.kindChosen({ kind: 'reply' }))
    expect([why(), shown()]).toEqual([['default'], ['<p>short</p>']])

    page.record(Place.linkFollowed({ to: '/people' }))
    expect(state().people).toMatchObject({ query: 'an', items: [found('p-ana')] })
    expect(ports.api.listPeople.calls).toHaveLength(2)
  })

  test('erases a person, who is then in no list any more', () => {
    const { clock, page, ports, state } = open('/people')
    page.record(Place.linkFollowed({ to: '/people/p-ana' }))
    page.record(PersonErasure.opened())
    page.record(PersonErasure.typed({ text: 'ana@in.example' }))
    page.record(PersonErasure.requested())
    expect(ports.api.erase.calls).toEqual([['p-ana']])
    expect(state().place.path).toBe('/people')
    expect(state().people).toMatchObject({ items: [found('p-ben')], erased: 'ana@in.example' })
    clock.advance(0)
  })

  test('corrects a person whom somebody changed meanwhile, and keeps what is entered', () => {
    const { page, ports, state } = open('/people')
    let person = explained().person
    ports.api.person.answers(() => of(explained({ person })))
    ports.api.correct.answers((_id, revision, set) => {
      if (revision !== person.revision) return throwError(() => new Failed(changedMeanwhile))
      const by = { by: 'alex', at: NOON }
      const fields = Object.fromEntries(
        Object.entries(set.fields).map(([field, each]) => [field, { ...each, ...by }]),
      )
      const value = set.fields['jobTitle']?.value ?? 'Seller'
      const corrections = { fields, supplement: {}, under: { jobTitle: 'Seller' } }
      person = { ...person, revision: revision + 1, directory: { jobTitle: value }, corrections }
      return of(undefined)
    })
    const one = () => state().onePerson
    const shown = () => loadedValue(one()?.explained ?? { status: 'idle' })?.person
    page.record(Place.linkFollowed({ to: '/people/p-ana' }))
    const form = valueForm(person, 'jobTitle', '')
    const act = { ...form, value: 'Head of sales' } as HandAct
    page.record(Correction.entered({ act: form }))
    page.record(Correction.entered({ act }))
    // A sync changes the person.
    person = { ...person, revision: 9, language: 'de' }
    page.record(Correction.requested())
    expect(one()).toMatchObject({ act, correcting: { status: 'fail' } })
    expect(shown()).toMatchObject({ revision: 9, language: 'de', directory: { jobTitle: 'Seller' } })
    page.record(Correction.requested())
    expect(one()).toMatchObject({ act: null, correcting: { status: 'success' } })
    expect(shown()).toMatchObject({ language: 'de', directory: { jobTitle: 'Head of sales' } })
    // The list beside the person may show another name or signature now.
    expect(ports.api.listPeople.calls).toHaveLength(2)

    const target = { kind: 'value', field: 'jobTitle' } as const
    page.record(Correction.entered({ act: { kind: 'takeBack', target } }))
    page.record(Correction.requested())
    expect(ports.api.correct.calls.at(-1)).toEqual(['p-ana', 10, { fields: {} }])
    expect(shown()?.directory).toEqual({ jobTitle: 'Seller' })
  })

  test('imports people after a try, and finds the new ones', () => {
    const { page, ports, state } = open('/people')
    const result: ImportResult = { added: 1, changed: 0, unchanged: 0, refused: [], problems: [] }
    ports.files.text.answers(of('email\n'))
    ports.api.importPeople.answers(of(result))
    page.record(PeopleImport.offered({ file: createHandle('a file'), name: 'people.csv' }))
    expect(ports.api.importPeople.calls).toEqual([['email\n', true, WORK]])
    page.record(PeopleImport.confirmed())
    expect(ports.api.importPeople.calls.at(-1)).toEqual(['email\n', false, WORK])
    expect(state().people.load.status).toBe('success')
    expect(ports.api.listPeople.calls).toHaveLength(2)
  })

  test('follows a sync that asks before it retires people, and lets it go', () => {
    const { clock, page, ports, state } = open('/directory')
    let service: DirectoryState = directoryOf()
    ports.api.directory.answers(() => of(service))
    ports.api.sync.answers(({ retire }) => {
      const begun = run({ id: retire ? 'run-3' : 'run-2', outcome: 'running', until: null })
      service = { ...service, isRunning: true, runs: [begun, ...service.runs] }
      return of(begun)
    })
    const end = (outcome: 'done' | 'needsLeave') => {
      const [running, ...before] = service.runs
      service = {
        ...service,
        isRunning: false,
        runs: [{ ...run(running), outcome, retired: 600 }, ...before],
      }
      clock.advance(10_000)
    }
    const question = () => {
      const known = loadedValue(state().directory)
      return known ? undecidedRun(known, state().sync.declined) : null
    }
    page.record(Place.linkFollowed({ to: '/now' }))
    page.record(Place.linkFollowed({ to: '/directory' }))
    page.record(DirectorySync.requested({ kind: 'sync' }))
    expect(loadedValue(state().directory)?.isRunning).toBe(true)
    end('needsLeave')
    expect(question()).toMatchObject({ id: 'run-2', retired: 600 })
    page.record(DirectorySync.requested({ kind: 'deactivate' }))
    expect(ports.api.sync.calls).toEqual([[{ try: false, retire: false }], [{ try: false, retire: true }]])
    end('done')
    expect(question()).toBeNull()
    const asked = ports.api.directory.calls.length
    clock.advance(3_600_000)
    expect(ports.api.directory.calls).toHaveLength(asked)
    expect(loadedValue(state().overview)?.people).toBe(4_980)
  })
})
