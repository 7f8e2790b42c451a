import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { type Draft, parseDraft, templateEntries } from '../../../streams/administration/plan/draft.ts'
import {
  FolderExport,
  PlannedPeople,
  Planning,
  Publishing,
} from '../../../streams/administration/plan/events.ts'
import {
  chooseFolderFiles,
  MAX_FOLDER_BYTES,
  MAX_FOLDER_FILES,
} from '../../../streams/administration/plan/folder.ts'
import { splitIntoUploads } from '../../../streams/administration/plan/pictures.ts'
import {
  draftImages,
  draftPreviewOf,
  type PreviewUse,
  samplePerson,
} from '../../../streams/administration/plan/preview.ts'
import { holderOf, type PlanState } from '../../../streams/administration/plan/reducer.ts'
import { templateFindingsOf } from '../../../streams/administration/plan/refused.ts'
import {
  planHeadline,
  isBaseOutdated,
  isPreviewPersonAwaited,
  isPlanOutdated,
  mustPlanAgain,
  offeredFields,
  offsetAt,
  peoplePage,
  lineAndColumnAt,
  selectTemplateProblems,
  selectShownSelection,
  selectTemplates,
  selectEditorWords,
} from '../../../streams/administration/plan/selectors.ts'
import { hasNoOwnPerson, signatureToHold } from '../../../streams/administration/plan/openPage.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { hasFailedTemporarily } from '../../../streams/kernel/load.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Signature } from '../../../streams/organisation/release/release.ts'
import { me } from '../../support/administration/answers.ts'
import { alex, draftOf, personPlan, planOf, releaseDocument } from '../../support/administration/plans.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const after = (...events: readonly AdministrationEvent[]): PlanState =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).plan
const failure = { kind: 'network' } as const
const finding = {
  file: 'templates/a.html',
  line: 1,
  column: 1,
  level: 'error',
  rule: 'r',
  message: 'm',
} as const
const warning = { ...finding, level: 'warning' } as const
const begun = (draft: Draft = draftOf()) => Planning.draftBegun({ draft, findings: [finding] })
const ask = Planning.planRequested()
const planned = Planning.planned({ plan: planOf(), document: releaseDocument })
const made = [begun(), ask, planned] as const
const publish = Publishing.requested({ note: '', all: false })
const person = { id: 'p-1' } as PersonState

describe('a draft', () => {
  test.each<readonly [what: string, event: AdministrationEvent, beginning: PlanState['beginning']]>([
    [
      'from what is published',
      Planning.publishedChosen(),
      { status: 'pending', asked: 0, from: 'published' },
    ],
    [
      'from a folder',
      Planning.folderChosen({ folder: createHandle('f') }),
      { status: 'pending', asked: 0, from: 'folder' },
    ],
    [
      'from a folder that is refused',
      Planning.folderRefused({ refusal: { reason: 'noFolder' } }),
      { status: 'refused', refusal: { reason: 'noFolder' } },
    ],
    [
      'from a folder that cannot be read',
      Planning.folderNotRead({ findings: [finding] }),
      { status: 'notRead', findings: [finding] },
    ],
    ['that fails', Planning.beginFailed({ failure }), { status: 'fail', failure }],
  ])('says how it begins: %s', (_, event, beginning) => {
    expect(after(event).beginning).toEqual(beginning)
    expect(after(event, begun()).beginning).toEqual({ status: 'idle' })
  })

  test('opens its first template, and keeps whom the preview shows', () => {
    const chosen = [
      Planning.personChosen({ person: 'p-1' }),
      Planning.personRead({ person }),
      Planning.personSearched({ text: 'mar' }),
      Planning.dayChosen({ day: '2026-10-01' }),
      Planning.kindChosen({ use: 'reply' }),
      Planning.lookChosen({ look: 'dark' }),
      Planning.widthChosen({ width: 'phone' }),
    ]
    const state = after(...chosen, begun())
    expect(state).toMatchObject({
      wasRestored: false,
      kept: 'kept',
      findings: [finding],
      debounced: releaseDocument,
      open: { path: 'templates/a.html', place: null, asked: 0 },
      search: { text: 'mar', found: { status: 'pending' } },
      person: { wanted: { id: 'p-1' }, load: { status: 'success', value: person } },
      day: '2026-10-01',
      use: 'reply',
      look: 'dark',
      width: 'phone',
    })
    const discarded = after(...chosen, begun(), Planning.discarded())
    expect(discarded).toMatchObject({ draft: null, debounced: null, open: null, findings: [], use: 'reply' })
  })

  test.each([
    ['without signatures', []],
    ['whose first template is missing', [{ ...releaseDocument.signatures[0], template: 'constructor' }]],
  ])('%s opens none', (_, signatures) => {
    const document = { ...releaseDocument, signatures } as Draft['document']
    expect(after(begun(draftOf({ document }))).open).toBeNull()
    expect(after(Planning.draftRestored({ draft: draftOf({ document }) })).open).toBeNull()
  })

  test('of an earlier visit opens its first template', () => {
    expect(after(Planning.draftRestored({ draft: draftOf() })).open?.path).toBe('templates/a.html')
  })

  test.each<readonly [line: number | null, column: number | null, place: unknown]>([
    [null, null, null],
    [null, 7, null],
    [3, null, { line: 3, column: 1 }],
    [3, 7, { line: 3, column: 7 }],
  ])('opens a template at line %j and column %j', (line, column, place) => {
    const opened = after(begun(), Planning.templateOpened({ path: 'templates/b.html', line, column }))
    expect(opened.open).toMatchObject({ path: 'templates/b.html', place })
    expect(opened.open?.asked).toBeGreaterThan(0)
  })

  test('opens no template that it has not', () => {
    const none = Planning.templateOpened({ path: 'constructor', line: 1, column: 1 })
    expect(after(begun(), none).open?.path).toBe('templates/a.html')
    expect(after(none).open).toBeNull()
  })

  test('opens the source of a word, with its place, in a narrow window, too', () => {
    const path = 'templates/legal.part.html'
    const opened = after(
      begun(),
      Planning.sideChosen({ side: 'preview' }),
      Planning.wordChosen({ path, from: 3, to: 17 }),
    )
    expect(opened.open).toMatchObject({ path, place: { from: 3, to: 17 } })
    expect(opened.open?.asked).toBeGreaterThan(0)
    expect([opened.selection, opened.side]).toEqual([{ path, from: 3, to: 17 }, 'source'])
    const none = Planning.wordChosen({ path: 'constructor', from: 0, to: 1 })
    expect(after(begun(), none)).toEqual(after(begun()))
    expect(after(none).open).toBeNull()
  })

  test('knows what is selected in the open template, while the preview shows its text', () => {
    const path = 'templates/a.html'
    const selected = Planning.selected({ path, from: 1, to: 2 })
    const shown = (...events: readonly AdministrationEvent[]) =>
      selectShownSelection(after(begun(), ...events))
    const edited = Planning.edited({ path, edits: [{ from: 9, to: 9, insert: 'x' }] })
    expect(shown()).toBeNull()
    expect(shown(selected)).toEqual({ path, from: 1, to: 2 })
    expect(shown(selected, edited)).toBeNull()
    expect(shown(selected, edited, Planning.paused())).toEqual({ path, from: 1, to: 2 })
    expect(shown(Planning.selected({ path: 'templates/b.html', from: 1, to: 2 }))).toBeNull()
    const other = Planning.templateOpened({ path: 'templates/b.html', line: null, column: null })
    expect(shown(selected, other)).toBeNull()
    const before = after(begun(), selected)
    expect(after(begun(), selected, selected)).toEqual(before)
    expect(shown(selected, Planning.selected({ path, from: 1, to: 3 }))).toEqual({ path, from: 1, to: 3 })
    expect(shown(selected, Planning.selected({ path, from: 0, to: 2 }))).toEqual({ path, from: 0, to: 2 })
  })

  test('offers its variables with the values of a person', () => {
    const offered = offeredFields(releaseDocument, alex, 'https://signet.example/images')
    expect(offered.map(({ name }) => name)).toEqual([
      'address',
      'display_name',
      'email',
      'legal_line',
      'manager.display_name',
      'manager.email',
      'manager.phone',
      'phone',
      'picture_url',
      'sender',
      ...['writer.display_name', 'writer.email', 'writer.legal_line', 'writer.phone', 'writer.picture_url'],
    ])
    expect(offered).toContainEqual({ name: 'phone', value: '+49 30 5550' })
    expect(offered).toContainEqual({ name: 'picture_url', value: '' })
    // The address of a card stands in links alone; a variable of this name is offered.
    const variables = releaseDocument.variables.map((each) => ({ ...each, path: 'card' }))
    const names = offeredFields({ ...releaseDocument, variables }, alex, '').map(({ name }) => name)
    expect(names).toContain('card')
  })

  test('is changed at the time of the edit, and only by one that changes its text', () => {
    const edit = (insert: string) =>
      Planning.edited({ path: 'templates/a.html', edits: [{ from: 0, to: 0, insert }] })
    const [before, same, changed] = [after(begun()), after(begun(), edit('')), after(begun(), edit('x'))]
    expect(same).toEqual(before)
    expect(changed.draft?.changed).not.toBe(draftOf().changed)
    expect(changed.draft?.begun).toBe(draftOf().begun)
    expect(changed.debounced).toBe(before.debounced)
    expect(after(edit('x'))).toEqual(after())
    expect(after(Planning.paused()).debounced).toBeNull()
  })

  const mailbox = { address: 'a@b.example', selection: { for: [], not: [] }, values: { phone: '1' } }
  const [corporate] = releaseDocument.signatures
  const kept = { ...draftOf({ base: null }), document: { ...releaseDocument, mailboxes: [mailbox] } }
  const document = (over: object) => ({ ...kept, document: { ...kept.document, ...over } })

  test('that the browser kept is read', () => {
    expect(parseDraft(kept)).toEqual(kept)
    expect(parseDraft({ ...kept, base: 'r', folder: 'f', more: 1 })).toEqual({
      ...kept,
      base: 'r',
      folder: 'f',
    })
  })

  test.each<readonly [what: string, value: unknown]>([
    ['a list', []],
    ['no end of time', { ...kept, begun: Infinity }],
    ['no time of change', { ...kept, changed: '1' }],
    ['a base that is no text', { ...kept, base: 1 }],
    ['a folder that is no text', { ...kept, folder: undefined }],
    ['no document', { ...kept, document: null }],
    ['a document that is a list', { ...kept, document: [] }],
    ['no organisation', document({ organisation: 1 })],
    ['no internal domains', document({ internal: {} })],
    ['no choice of the default', document({ chooseDefault: null })],
    ['a choice for none that is known', document({ chooseDefault: { for: 'unknown', not: [] } })],
    ['a choice without exceptions', document({ chooseDefault: { for: [], not: 'x' } })],
    ['no plan', document({ plan: [] })],
    ['no variables', document({ variables: {} })],
    ['a variable that is none', document({ variables: [null] })],
    ['a variable without a path', document({ variables: [{ path: 1 }] })],
    ['a signature that is none', document({ signatures: [null] })],
    ['a signature without an id', document({ signatures: [{ ...corporate, id: 1 }] })],
    ['a signature without a name', document({ signatures: [{ ...corporate, name: 1 }] })],
    ['a signature without a template', document({ signatures: [{ ...corporate, template: null }] })],
    ['a signature for none that is known', document({ signatures: [{ ...corporate, selection: [] }] })],
    ['no mailboxes', document({ mailboxes: null })],
    ['a mailbox without an address', document({ mailboxes: [{ ...mailbox, address: 1 }] })],
    ['a mailbox for none that is known', document({ mailboxes: [{ ...mailbox, selection: {} }] })],
    ['a mailbox without values', document({ mailboxes: [{ ...mailbox, values: null }] })],
    ['a value that is no text', document({ mailboxes: [{ ...mailbox, values: { phone: 1 } }] })],
    ['no templates', document({ templates: [] })],
    ['a hash that is no text', document({ pictures: { 'a.png': 1 } })],
    ['no pictures', { ...kept, pictures: null }],
    ['a picture that is none', { ...kept, pictures: { a: null } }],
    ['a picture without a type', { ...kept, pictures: { a: { base64: '' } } }],
    ['no edited paths', { ...kept, edited: {} }],
    ['an edited path that is none', { ...kept, edited: ['a', 1] }],
  ])('of another shape is none: %s', (_, value) => {
    expect(parseDraft(value)).toBeNull()
  })

  test('lists a part with the signatures of which any version includes it', () => {
    const signatures = [
      { ...releaseDocument.signatures[1], id: 'c', reply: null, mobile: 'templates/b.html' },
    ]
    const entries = templateEntries({ ...releaseDocument, signatures } as Draft['document'], [])
    expect(entries.map(({ path, usedBy }) => [path, usedBy])).toEqual([
      ['templates/a.html', []],
      ['templates/b.html', [{ kind: 'signature', id: 'c', name: 'Sales', uses: ['template', 'mobile'] }]],
      [
        'templates/legal.part.html',
        [{ kind: 'signature', id: 'c', name: 'Sales', uses: ['template', 'mobile'] }],
      ],
    ])
  })
})

describe('who writes for the mailbox of the preview', () => {
  const choose = Planning.writerChosen({ person: 'p-1' })
  const read = Planning.writerRead({ person })
  const nobody = { wanted: null, load: { status: 'idle' } }

  test('is nobody in particular until chosen, and stays for the next draft', () => {
    expect(after().writer).toEqual(nobody)
    expect(after(choose).writer).toMatchObject({ wanted: 'p-1', load: { status: 'pending' } })
    const known = { wanted: 'p-1', load: { status: 'success', value: person } }
    expect(after(choose, read).writer).toEqual(known)
    expect(after(choose, read, begun()).writer).toEqual(known)
    expect(after(choose, read, Planning.writerChosen({ person: null })).writer).toEqual(nobody)
    expect(after(choose, Planning.writerFailed({ failure })).writer.load).toEqual({ status: 'fail', failure })
  })

  test('closes the search, and no late answer or expired session changes it', () => {
    const search = Planning.personSearched({ text: 'mar' })
    expect(after(search, choose).search).toEqual({ text: '', found: { status: 'idle' } })
    for (const late of [read, Planning.writerFailed({ failure })]) expect(after(late)).toEqual(after())
    expect(after(choose, Session.expired({ failure })).writer.load).toEqual({ status: 'idle' })
  })
})

describe('the person of the preview', () => {
  const found = Planning.peopleFound({ people: [{ id: 'p-1', address: 'a', name: 'n', isActive: true }] })
  const search = Planning.personSearched({ text: 'mar' })
  const choose = Planning.personChosen({ person: 'p-1' })
  const read = Planning.personRead({ person })

  test('is searched, and what was found stays while the next search runs', () => {
    expect(after(search).search).toMatchObject({ text: 'mar', found: { status: 'pending' } })
    expect(after(search, found).search.found).toMatchObject({ status: 'success', value: [{ id: 'p-1' }] })
    expect(after(search, found, search).search.found).toMatchObject({
      status: 'pending',
      value: [{ id: 'p-1' }],
    })
    expect(after(search, Planning.searchFailed({ failure })).search.found).toEqual({
      status: 'fail',
      failure,
    })
    expect(after(search, found, choose).search).toEqual({ text: '', found: { status: 'idle' } })
  })

  test('is none of an answer that nothing waits for', () => {
    for (const late of [found, Planning.searchFailed({ failure }), read, Planning.personFailed({ failure })])
      expect(after(late)).toEqual(after())
  })

  test('is the administrator, who is read as soon as there is a draft', () => {
    expect(after().person).toEqual({ wanted: 'self', load: { status: 'idle' } })
    expect(after(Planning.draftRestored({ draft: null })).person.load.status).toBe('idle')
    for (const begin of [begun(), Planning.draftRestored({ draft: draftOf() })]) {
      const waiting = after(begin)
      expect(waiting.person).toMatchObject({ wanted: 'self', load: { status: 'pending' } })
      expect(isPreviewPersonAwaited(waiting)).toBe(true)
      const known = after(begin, read)
      expect(known.person).toEqual({ wanted: 'self', load: { status: 'success', value: person } })
      expect(isPreviewPersonAwaited(known)).toBe(false)
    }
    // Once known, the administrator is not read for the next draft.
    expect(after(begun(), read, begun()).person.load.status).toBe('success')
    expect(after(Planning.sampleChosen(), begun()).person).toEqual({
      wanted: 'sample',
      load: { status: 'idle' },
    })
  })

  test('may be an administrator whom the service does not know, which is no other failure', () => {
    const refused = (status: number) =>
      Planning.personFailed({ failure: { kind: 'http', status, code: null, data: null } })
    expect(hasNoOwnPerson(after(begun(), refused(404)))).toBe(true)
    expect(hasNoOwnPerson(after(begun(), refused(503)))).toBe(false)
    expect(hasNoOwnPerson(after(begun(), Planning.personFailed({ failure })))).toBe(false)
    expect(hasNoOwnPerson(after(begun()))).toBe(false)
    expect(hasNoOwnPerson(after(begun(), choose, refused(404)))).toBe(false)
  })

  describe('who lacks the signature of the page', () => {
    const page = Place.entered({ path: '/signatures/id/b' })
    const seller = { ...alex, groups: ['sales'] }
    const NOW = Date.UTC(2026, 9, 1, 12)
    const read = (who: PersonState) => Planning.personRead({ person: who })
    const needed = (...events: readonly AdministrationEvent[]) =>
      signatureToHold(after(page, begun(), ...events), NOW)?.id ?? null
    const until = (day: string) =>
      Planning.signatureChanged({
        signature: 'b',
        changes: { during: { from: '2026-01-01', to: day, timeZone: 'UTC' } },
      })
    const unknown = Planning.personFailed({ failure: { kind: 'http', status: 404, code: null, data: null } })

    test.each<readonly [who: string, events: readonly AdministrationEvent[], signature: string | null]>([
      ['a person with other groups', [read(alex)], 'b'],
      ['an administrator whom the service does not know', [unknown], 'b'],
      ['a person who has it', [read(seller)], null],
      ['a person who is being read', [], null],
      ['a person after whom another one is being read', [read(alex), choose], null],
      ['a person who could not be read', [Planning.personFailed({ failure })], null],
      ['the sample', [read(alex), Planning.sampleChosen()], null],
      ['a person, on another page', [read(alex), Place.entered({ path: '/signatures' })], null],
      ['a person, after its period', [read(alex), until('2026-09-30'), Planning.paused()], null],
      ['a person, within its period', [read(alex), until('2026-10-01'), Planning.paused()], 'b'],
      [
        'a person, on a day after its period',
        [read(alex), until('2026-10-01'), Planning.paused(), Planning.dayChosen({ day: '2026-10-02' })],
        null,
      ],
      ['a person, before the typing pauses', [read(alex), until('2026-09-30')], 'b'],
    ])('is %s', (_, events, signature) => {
      expect(needed(...events)).toBe(signature)
    })

    const need = Planning.holderNeeded({ signature: 'b' })
    const [, sales] = releaseDocument.signatures
    const holderAfter = (...events: readonly AdministrationEvent[]) => after(page, begun(), ...events).holder
    const holder = Planning.holderFound({ person: null })

    test('leads to one search for a person who has it', () => {
      const sought = holderAfter(need)
      expect(sought).toEqual({ selection: sales?.selection, load: { status: 'pending', asked: 2 } })
      expect(holderAfter(need, need)).toEqual(sought)
      expect(holderAfter(need, holder, need).load).toEqual({ status: 'success', value: null })
      expect(holderAfter(Planning.holderNeeded({ signature: 'gone' })).selection).toBeNull()
      expect(holderAfter(holder).load).toEqual({ status: 'idle' })
    })

    test('leads to another search after a failure only if the administrator retries', () => {
      const failed = Planning.holderFailed({ failure })
      const retried = Planning.holderRetried()
      expect(holderAfter(need, failed, need).load).toEqual({ status: 'fail', failure })
      expect(holderAfter(need, failed, retried).load.status).toBe('pending')
      expect(holderAfter(need, holder, retried).load.status).toBe('success')
    })

    test('leads to another search when the session ended before the answer', () => {
      expect(holderAfter(need, Session.expired({ failure }))).toEqual(after().holder)
    })

    test('is sought by other rules when the rules have changed', () => {
      const state = after(page, begun(), need, holder)
      const other = { ...releaseDocument.signatures[0], id: 'b' } as Signature
      expect(holderOf(state, sales ?? other).status).toBe('success')
      expect(holderOf(state, other).status).toBe('idle')
    })
  })

  test('is read again in the next session, when the last one ended before the answer', () => {
    const opened = Session.opened({ me: me() })
    const expired = Session.expired({ failure })
    expect(after(begun(), expired).person).toEqual({ wanted: 'self', load: { status: 'idle' } })
    expect(after(begun(), expired, opened).person.load.status).toBe('pending')
    expect(after(begun(), choose, expired, opened).person).toMatchObject({
      wanted: { id: 'p-1' },
      load: { status: 'pending' },
    })
    expect(after(opened).person.load.status).toBe('idle')
  })

  test('is read when chosen, in place of the one before, and the sample needs no reading', () => {
    const chosen = (id: string, load: object) => ({ wanted: { id }, load })
    expect(after(choose).person).toMatchObject(chosen('p-1', { status: 'pending' }))
    expect(after(choose, read).person).toEqual(chosen('p-1', { status: 'success', value: person }))
    const next = after(choose, read, Planning.personChosen({ person: 'p-2' }))
    expect(next.person).toMatchObject(chosen('p-2', { status: 'pending', value: person }))
    expect(isPreviewPersonAwaited(next)).toBe(false)
    expect(after(choose, read, Planning.selfChosen()).person).toMatchObject({
      wanted: 'self',
      load: { status: 'pending', value: person },
    })
    expect(after(choose, Planning.personFailed({ failure })).person).toEqual(
      chosen('p-1', { status: 'fail', failure }),
    )
    expect(after(search, found, choose, read, Planning.sampleChosen())).toMatchObject({
      person: { wanted: 'sample', load: { status: 'idle' } },
      search: { text: '' },
    })
  })
})

describe('the workbench', () => {
  const open = (line: number | null) =>
    Planning.templateOpened({ path: 'templates/b.html', line, column: null })
  const preview = Planning.sideChosen({ side: 'preview' })

  test('keeps its side and its list, for the next draft too', () => {
    expect(after(begun())).toMatchObject({ side: 'source', isListShown: null })
    const chosen = [begun(), preview, Planning.listShown({ isShown: true })]
    for (const state of [after(...chosen), after(...chosen, begun()), after(...chosen, open(null))])
      expect(state).toMatchObject({ side: 'preview', isListShown: true })
    expect(after(...chosen, Planning.listShown({ isShown: false })).isListShown).toBe(false)
  })

  test('shows the source when a place in it is opened', () => {
    expect(after(begun(), preview, open(3)).side).toBe('source')
  })
})

describe('the plan of a draft', () => {
  test('is asked for only with a draft', () => {
    expect(after(ask).made.status).toBe('idle')
    expect(after(begun(), ask).made.status).toBe('pending')
    expect(after(...made, ask).made).toMatchObject({ status: 'pending', value: { plan: planOf() } })
  })

  test('takes errors away when it is made, and keeps warnings', () => {
    const told = (findings: readonly (typeof finding | typeof warning)[]) =>
      after(Planning.draftBegun({ draft: draftOf(), findings }), ask, planned).findings
    expect(told([finding, warning])).toEqual([])
    expect(told([warning])).toEqual([warning])
  })

  test('fails, or is refused, only while it is asked for', () => {
    expect(after(begun(), ask, Planning.planFailed({ failure })).made).toEqual({ status: 'fail', failure })
    expect(after(begun(), ask, Planning.draftRefused({ findings: [warning] }))).toMatchObject({
      made: { status: 'idle' },
      findings: [warning],
    })
    for (const late of [Planning.planFailed({ failure }), Planning.draftRefused({ findings: [] }), planned])
      expect(after(begun(), late)).toEqual(after(begun()))
  })

  test('forgets the people, the publishing and the release of the one before', () => {
    const people = PlannedPeople.shown({ plan: planOf().id, from: 0 })
    const published = [publish, Publishing.done({ release: 'r', history: [] })]
    expect(after(...made, ...published).published).toBe('r')
    expect(after(...made, people, ...published, ask)).toMatchObject({
      published: null,
      publishing: { status: 'idle' },
      people: { items: null, next: null, load: { status: 'idle' }, from: 0 },
    })
  })

  const page = (count: number, next: string | null, plan = planOf().id) =>
    PlannedPeople.pageLoaded({
      query: plan,
      after: null,
      page: { people: Array.from({ length: count }, (_, index) => personPlan(`p-${String(index)}`)), next },
    })
  const show = (from: number) => PlannedPeople.shown({ plan: planOf().id, from })

  test('has people once they are shown', () => {
    expect(after(...made, show(0)).people.load.status).toBe('pending')
    expect(after(...made, page(1, null)).people.items ?? []).toEqual([])
    expect(after(...made, show(0), page(1, null, 'other')).people.load.status).toBe('pending')
    expect(after(...made, show(0), page(1, null)).people).toMatchObject({
      load: { status: 'success' },
      next: null,
    })
    expect(after(...made, show(0), PlannedPeople.pageFailed({ failure })).people.load).toEqual({
      status: 'fail',
      failure,
    })
    expect(after(...made, PlannedPeople.pageFailed({ failure })).people.load.status).toBe('idle')
    expect(after(...made, show(0), PlannedPeople.pageFailed({ failure }), show(0)).people.load).toEqual({
      status: 'pending',
      asked: 5,
    })
  })

  test('asks for more people until a page is full, or the last', () => {
    const asked = (...events: readonly AdministrationEvent[]) => after(...made, ...events).people.load.status
    expect(asked(show(0), page(49, 'n'))).toBe('pending')
    expect(asked(show(0), page(50, 'n'))).toBe('success')
    expect(asked(show(0), page(49, null))).toBe('success')
    expect(asked(show(0), page(50, 'n'), show(1))).toBe('pending')
    expect(asked(show(0), page(50, null), show(1))).toBe('success')
    const { from } = after(...made, show(-3)).people
    expect([from, after(...made, show(2.7)).people.from]).toEqual([0, 2])
  })

  test.each([
    [50, null, 0, [50, true]],
    [51, null, 0, [50, false]],
    [51, null, 50, [1, true]],
    [50, 'n', 0, [50, false]],
    [0, null, 0, [0, true]],
  ])('of %i people and after %j shows from %i on: %j', (count, next, from, [shown, isLast]) => {
    const { people } = after(...made, show(0), page(count, next), ...(count >= 50 ? [show(from)] : []))
    const drawn = peoplePage(people)
    expect([drawn.people.length, drawn.isLast, drawn.from]).toEqual([shown, isLast, from])
  })

  test('is published once it is there, and only what is being published ends', () => {
    expect(after(begun(), ask, publish).publishing.status).toBe('idle')
    expect(after(...made, publish).publishing.status).toBe('pending')
    const release = Publishing.done({ release: 'r', history: [] })
    expect(after(...made, release)).toEqual(after(...made))
    expect(after(...made, Publishing.failed({ failure }))).toEqual(after(...made))
    const done = after(...made, show(0), page(1, null), publish, release)
    expect(done).toMatchObject({
      publishing: { status: 'success' },
      made: { status: 'idle' },
      people: { items: null, load: { status: 'idle' } },
    })
    expect(after(...made, publish, Planning.discarded(), release).draft).toBeNull()
  })

  test('ends with the session while it waits, and stays when it is there', () => {
    const expired = Session.expired({ failure })
    const waiting = after(
      ...made,
      show(0),
      publish,
      FolderExport.requested({ source: 'published' }),
      Planning.publishedChosen(),
      Planning.personSearched({ text: 'a' }),
      expired,
    )
    expect(waiting).toMatchObject({
      beginning: { status: 'idle' },
      search: { text: 'a', found: { status: 'idle' } },
      people: { load: { status: 'idle' } },
      publishing: { status: 'idle' },
      exporting: null,
      made: { status: 'success' },
    })
    const done = [
      ...made,
      Planning.personSearched({ text: 'a' }),
      Planning.searchFailed({ failure }),
      Planning.personChosen({ person: 'p-1' }),
      Planning.personRead({ person }),
      FolderExport.requested({ source: 'draft' }),
      FolderExport.done(),
      publish,
      Publishing.failed({ failure }),
      Planning.beginFailed({ failure }),
      show(0),
      PlannedPeople.pageFailed({ failure }),
    ]
    expect(after(...done, expired)).toEqual(after(...done))
  })

  test('is exported, or why not', () => {
    const begin = FolderExport.requested({ source: 'draft' })
    expect(after(begin).exporting).toMatchObject({ source: 'draft', attempt: { status: 'pending' } })
    expect(after(begin, FolderExport.done()).exporting?.attempt).toEqual({ status: 'success' })
    expect(after(begin, FolderExport.failed({ failure })).exporting?.attempt).toEqual({
      status: 'fail',
      failure,
    })
    for (const late of [FolderExport.done(), FolderExport.failed({ failure })])
      expect(after(late)).toEqual(after())
  })
})

describe('what the views ask of a plan', () => {
  const edit = Planning.edited({ path: 'templates/a.html', edits: [{ from: 0, to: 0, insert: 'x' }] })
  const other = Planning.planned({ plan: planOf({ base: 'other' }), document: releaseDocument })

  test.each<
    readonly [what: string, events: readonly AdministrationEvent[], isOld: boolean, isOther: boolean]
  >([
    ['without a draft', [], false, false],
    ['not made', [begun()], false, false],
    ['made', made, false, false],
    ['made, and the draft edited', [...made, edit], true, false],
    ['made over another release', [begun(), ask, other], false, true],
    ['asked for once more', [...made, edit, ask], false, false],
  ])('whether it is old or over another base: %s', (_, events, isOld, isOther) => {
    const state = after(...events)
    expect([isPlanOutdated(state), isBaseOutdated(state)]).toEqual([isOld, isOther])
    const discarded = { ...state, draft: null }
    expect([isPlanOutdated(discarded), isBaseOutdated(discarded)]).toEqual([false, false])
  })

  test('whether it waits for the service, or must be made again', () => {
    const http = (status: number, code = '') => ({ kind: 'http', status, code, data: null }) as const
    const state = (...events: readonly AdministrationEvent[]) => after(begun(), ask, ...events)
    const notPublished = (why: ReturnType<typeof http> | typeof failure) =>
      after(...made, publish, Publishing.failed({ failure: why }))
    const isAway = ({ made, publishing }: PlanState) =>
      hasFailedTemporarily(made) || hasFailedTemporarily(publishing)
    expect(isAway(state())).toBe(false)
    expect(isAway(state(Planning.planFailed({ failure })))).toBe(true)
    expect(isAway(state(Planning.planFailed({ failure: http(422) })))).toBe(false)
    expect(isAway(notPublished(failure))).toBe(true)
    expect(mustPlanAgain(notPublished(http(404)))).toBe(true)
    expect(mustPlanAgain(notPublished(http(409, 'base_moved')))).toBe(true)
    expect(mustPlanAgain(notPublished(http(409, 'approval_lapsed')))).toBe(true)
    expect(mustPlanAgain(notPublished(http(409, 'approval_missing')))).toBe(false)
    expect(mustPlanAgain(notPublished(http(409)))).toBe(false)
    expect(mustPlanAgain(notPublished(failure))).toBe(false)
    expect(mustPlanAgain(state())).toBe(false)
  })

  test.each([
    [3, 3, 0, true],
    [3, 2, 0, false],
    [3, 3, 1, false],
  ])(
    'of %i people %i unchanged, and %i variables: nothing changes is %s',
    (people, unchanged, variables, nothing) => {
      const summary = { ...planOf().summary, people, unchanged }
      const changes = Array.from({ length: variables }, () => ({ path: 'phone', kind: 'added' }) as const)
      expect(planHeadline({ summary, variables: changes, closed: [] }).kind === 'nothing').toBe(nothing)
    },
  )

  test.each<readonly [text: string, line: number, column: number, offset: number]>([
    ['', 1, 1, 0],
    ['ab', 1, 2, 1],
    ['ab', 1, 0, 0],
    ['\nb', 1, 5, 0],
    ['\nb', 2, 1, 1],
    ['\nb', 3, 1, 2],
    ['a\n\nb', 2, 9, 2],
    ['a\n\nb', 3, 2, 4],
  ])('of %j line %i and column %i are the offset %i', (text, line, column, offset) => {
    expect(offsetAt(text, line, column)).toBe(offset)
  })

  test.each([
    ['a\nb', 2, { line: 2, column: 1 }],
    ['a\nb', 1, { line: 1, column: 2 }],
    ['', 0, { line: 1, column: 1 }],
  ])('in %j the offset %i is at %j', (text, offset, place) => {
    expect(lineAndColumnAt(text, offset)).toEqual(place)
  })

  test('are computed once for each document', () => {
    const state = after(begun())
    expect(selectTemplates(state)).toBe(selectTemplates({ ...state }))
    expect(selectEditorWords(state)).toBe(selectEditorWords({ ...state }))
    expect(selectTemplateProblems(state)).toBe(selectTemplateProblems({ ...state }))
    expect(selectEditorWords(after())).toEqual({ variables: [], pictures: [], parts: [], slots: [] })
    expect(selectTemplateProblems(after())).toEqual([])
    expect(selectTemplateProblems({ ...state, open: null })).toEqual([])
    expect(selectTemplates({ ...state, debounced: null })).toEqual([])
  })
})

describe('what the service refuses of a draft', () => {
  const refusal = (over: object) =>
    templateFindingsOf({
      kind: 'http',
      status: 422,
      code: 'template_invalid',
      data: { message: 'a.html:3:7: Wrong: x.' },
      ...over,
    })

  test('is a finding at its place', () => {
    expect(refusal({})).toEqual([
      { file: 'a.html', line: 3, column: 7, level: 'error', rule: 'template_invalid', message: 'Wrong: x.' },
    ])
  })

  test.each([
    [{ kind: 'network' }],
    [{ status: 400 }],
    [{ code: 'other' }],
    [{ data: null }],
    [{ data: { message: 7 } }],
    [{ data: { message: 'a.html:3: x' } }],
    [{ data: { message: ':3:7: x' } }],
    [{ data: { message: 'x'.repeat(201) + ':3:7: x' } }],
  ])('is none of %j', (over) => {
    expect(refusal(over)).toBeNull()
  })
})

describe('a folder', () => {
  const chosen = (...paths: readonly string[]) => {
    const found = chooseFolderFiles(
      paths.map((path) => ({ path, size: 1 })),
      'dropped',
    )
    return 'reason' in found ? found.reason : [found.folder, ...found.paths.values()]
  }

  test.each<readonly [paths: readonly string[], found: unknown]>([
    [[], 'noFolder'],
    [['signet.yaml'], ['dropped', 'signet.yaml']],
    [
      ['/signet.yaml', '//people.csv'],
      ['dropped', 'signet.yaml', 'people.csv'],
    ],
    [['my-signet.yaml'], 'noFolder'],
    [['signet.yaml.bak'], 'noFolder'],
    [
      ['a/b/signet.yaml', 'a/b/expect.yaml', 'a/people.csv'],
      ['b', 'signet.yaml', 'expect.yaml'],
    ],
    [
      ['a/deep/signet.yaml', 'b/signet.yaml', 'b/templates/x/y.html'],
      ['b', 'signet.yaml', 'templates/x/y.html'],
    ],
    [
      ['b/signet.yaml', 'c/signet.yaml'],
      ['b', 'signet.yaml'],
    ],
    [['.git/signet.yaml', '__MACOSX/signet.yaml'], 'noFolder'],
    [
      ['signet.yaml', 'templates/', 'templates/.x', 'pictures/__MACOSX/a.png', 'pictures/a.png'],
      ['dropped', 'signet.yaml', 'pictures/a.png'],
    ],
    [
      ['signet.yaml', 'templates', 'other/templates/a.html', 'people.csv/x'],
      ['dropped', 'signet.yaml'],
    ],
  ])('of %j has %j', (paths, found) => {
    expect(chosen(...paths)).toEqual(found)
  })

  test('may have files up to the limits', () => {
    const yaml = { path: 'signet.yaml', size: 0 }
    const files = (count: number, folder: string) =>
      Array.from({ length: count }, (_, index) => ({ path: `${folder}/${String(index)}`, size: 0 }))
    const read = (...listed: readonly { path: string; size: number }[]) => {
      const found = chooseFolderFiles(listed, 'x')
      return 'reason' in found ? found : found.paths.size
    }
    const tooMany = { reason: 'tooMany', limit: MAX_FOLDER_FILES }
    expect(read(yaml, ...files(MAX_FOLDER_FILES - 1, 'templates'))).toBe(MAX_FOLDER_FILES)
    expect(read(yaml, ...files(MAX_FOLDER_FILES, 'templates'))).toEqual(tooMany)
    expect(read(yaml, ...files(2 * MAX_FOLDER_FILES - 1, 'other'))).toBe(1)
    expect(read(yaml, ...files(2 * MAX_FOLDER_FILES, 'other'))).toEqual(tooMany)
    const picture = (size: number) => ({ path: `pictures/${String(size)}.png`, size })
    expect(read(yaml, picture(MAX_FOLDER_BYTES - 1), picture(1))).toBe(3)
    expect(read(yaml, picture(MAX_FOLDER_BYTES), picture(1))).toEqual({
      reason: 'tooLarge',
      limit: MAX_FOLDER_BYTES,
    })
  })

  test('sends its pictures in parts of eight million characters', () => {
    const sizes = (...lengths: readonly number[]) =>
      splitIntoUploads(
        Object.fromEntries(lengths.map((length, index) => [`h${String(index)}`, 'x'.repeat(length)])),
      ).map((part) => Object.entries(part).map(([hash, content]) => [hash, content.length]))
    expect(sizes()).toEqual([])
    expect(sizes(5_000_000, 3_000_000, 1)).toEqual([
      [
        ['h0', 5_000_000],
        ['h1', 3_000_000],
      ],
      [['h2', 1]],
    ])
    expect(sizes(9_000_000, 0)).toEqual([[['h0', 9_000_000]], [['h1', 0]]])
  })
})

describe('the preview of a template', () => {
  const AT = Date.UTC(2026, 9, 1)
  const PICTURES = 'https://signet.example/images'
  const [corporate, sales] = releaseDocument.signatures as [
    Draft['document']['signatures'][number],
    Draft['document']['signatures'][number],
  ]
  const someone = (over: Partial<PersonState> = {}) => ({ ...samplePerson(releaseDocument), ...over })
  const shown = (
    document: Draft['document'],
    path: string | null,
    use: PreviewUse = 'signature',
    who = someone(),
  ) => draftPreviewOf(document, { path, person: who, at: AT, use }, PICTURES)
  const withSignatures = (...signatures: readonly (typeof corporate)[]) => ({
    ...releaseDocument,
    signatures,
  })

  test('without a template is that of the default, as a reply where it has one', () => {
    expect(shown(releaseDocument, null)).toMatchObject({
      html: '<p>phone</p>',
      signature: { id: 'a', name: 'Corporate', kind: 'signature' },
      isAssigned: true,
      assigned: [{ id: 'a', name: 'Corporate' }],
    })
    expect(shown(releaseDocument, null, 'reply').signature?.kind).toBe('signature')
    const salesFirst = withSignatures(sales, corporate)
    const member = someone({ groups: ['sales'] })
    expect(shown(salesFirst, null, 'reply', member).signature).toEqual({
      id: 'b',
      name: 'Sales',
      kind: 'reply',
    })
    expect(shown(salesFirst, null, 'signature', member).signature?.kind).toBe('signature')
    expect(shown(salesFirst, null, 'meeting', member)).toMatchObject({ html: null, signature: null })
    const forMeetings = withSignatures(sales, { ...corporate, meeting: 'templates/b.html' })
    expect(shown(forMeetings, null, 'meeting', member).signature).toEqual({
      id: 'a',
      name: 'Corporate',
      kind: 'meeting',
    })
    expect(shown(withSignatures(), null)).toEqual({
      html: null,
      signature: null,
      isAssigned: false,
      assigned: [],
    })
  })

  test('is that of the wanted use before another, and of their own signatures before the others', () => {
    const twice = { ...corporate, id: 'c', template: 'templates/b.html', reply: 'templates/a.html' }
    const document = withSignatures(corporate, twice)
    expect(shown(document, 'templates/a.html').signature).toMatchObject({ id: 'a', kind: 'signature' })
    expect(shown(document, 'templates/a.html', 'reply').signature).toMatchObject({ id: 'c', kind: 'reply' })
    const others = withSignatures({ ...sales, reply: null }, { ...twice, reply: 'templates/b.html' })
    expect(shown(others, 'templates/b.html', 'reply').signature).toMatchObject({ id: 'c', kind: 'reply' })
    expect(shown(others, 'templates/b.html').signature).toMatchObject({ id: 'c', kind: 'signature' })
    const mobile = withSignatures({ ...corporate, template: 'templates/b.html', mobile: 'templates/a.html' })
    expect(shown(mobile, 'templates/a.html', 'reply')).toMatchObject({
      signature: { id: 'a', kind: 'mobile' },
      isAssigned: true,
    })
  })

  test('of a part is that of a template that includes it, or the part by itself', () => {
    const legal = 'templates/legal.part.html'
    expect(shown(releaseDocument, legal, 'reply').signature).toMatchObject({ id: 'b', kind: 'signature' })
    expect(shown(withSignatures(corporate), legal)).toMatchObject({
      html: '<i>Northwind Ltd</i>',
      signature: null,
      isAssigned: false,
      assigned: [{ id: 'a', name: 'Corporate' }],
    })
    expect(shown(withSignatures(), 'templates/b.html').html).toContain('<i>Northwind Ltd</i>')
    const gone = withSignatures({ ...corporate, template: 'templates/gone.html' })
    expect(shown(gone, legal).signature).toBeNull()
    const templates = { ...releaseDocument.templates, 'templates/c.html': '{{legal}}{{> other}}' }
    const others = { ...withSignatures({ ...corporate, template: 'templates/c.html' }), templates }
    expect(shown(others, legal).signature).toBeNull()
    expect(shown(releaseDocument, 'templates/gone.html')).toMatchObject({ html: null, signature: null })
  })

  test('without a person has the names of variables for their values', () => {
    const variables = releaseDocument.variables.map((variable) => ({ ...variable, label: 'Telephone' }))
    expect(samplePerson({ ...releaseDocument, variables })).toEqual({
      id: 'sample',
      revision: 1,
      account: null,
      active: true,
      language: null,
      groups: [],
      values: {},
      addresses: ['name@organisation.example'],
      metadata: {},
      picture: null,
      directoryPicture: null,
      directory: {
        'businessPhones.0': 'Telephone',
        'manager.businessPhones.0': 'manager.Telephone',
        'manager.displayName': 'manager.display_name',
        'manager.mail': 'manager.email',
        streetAddress: 'address',
      },
    })
    expect(samplePerson(releaseDocument).directory).toMatchObject({ 'businessPhones.0': 'phone' })
  })

  test('has the pictures whose content is known', () => {
    const document = {
      ...releaseDocument,
      pictures: { 'a/b c.png': 'h1', 'd.png': 'h2', 'e.png': 'constructor' },
    }
    expect(draftImages(document, { h1: { mediaType: 'image/png', base64: 'AA==' } }, PICTURES)).toEqual([
      { url: `${PICTURES}/h1/b%20c.png`, name: 'b c.png', content: 'AA==', status: 200 },
      { url: `${PICTURES}/linked/h1/b%20c.png`, name: 'b c.png', content: 'AA==', status: 200 },
    ])
  })
})
