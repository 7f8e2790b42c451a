import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  applyEdits,
  type Draft,
  editsBetween,
  editsInField,
  offsetInField,
  offsetInText,
  parseDraft,
  templateEntries,
} from '../../../streams/administration/plan/draft.ts'
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
import { draftImages, draftPreviewOf, samplePerson } from '../../../streams/administration/plan/preview.ts'
import { isPlanCurrent, PEOPLE_PER_PAGE } from '../../../streams/administration/plan/reducer.ts'
import { templateFindingsOf } from '../../../streams/administration/plan/refused.ts'
import {
  changedSignatures,
  isBaseOutdated,
  isPlanOutdated,
  mustPlanAgain,
  offsetAt,
  peoplePage,
  lineAndColumnAt,
  selectTemplateProblems,
  selectTemplates,
  selectEditorWords,
  wouldLoseEdits,
} from '../../../streams/administration/plan/selectors.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { compileRelease } from '../../../streams/organisation/release/release.ts'
import { renderSignature } from '../../../streams/organisation/rendering/render.ts'
import { assignedSignatures } from '../../../streams/organisation/rules/rules.ts'
import { sampleCircumstances } from '../../../streams/organisation/release/supposed.ts'
import { draftOf, personPlan, planOf, signatureGroup } from '../../support/administration/plans.ts'
import { deepFreeze, logOf } from '../../support/state.ts'
import { document as arbitraryDocument, person as arbitraryPerson } from '../organisation/arbitraries.ts'

const stateAfter = (...events: readonly AdministrationEvent[]) =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).plan
const failure = { kind: 'network' } as const

const text = fc.string({ unit: fc.constantFrom('a', 'b', '{', '}', '\n', '\r\n', ' ', 'é', '😀') })
const begun = (draft: Draft = draftOf()) => Planning.draftBegun({ draft, findings: [] })
const PATH = 'templates/a.html'

describe('edits', () => {
  test('an offset in a text field is one in the text, and back', () => {
    fc.assert(
      fc.property(text, fc.nat(20), (given, at) => {
        const shown = given.replaceAll('\r\n', '\n')
        const inField = Math.min(at, shown.length)
        expect(offsetInField(given, offsetInText(given, inField))).toBe(inField)
      }),
    )
  })

  test('the edit between two texts makes one of the other, and is none for the same text', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edits = editsBetween(before, after)
        expect(applyEdits(before, edits)).toBe(after)
        expect(edits.length).toBe(before === after ? 0 : 1)
      }),
    )
  })

  test('the edit of a text field changes what was typed, and keeps the other line ends', () => {
    fc.assert(
      fc.property(text, text, text, (start, end, typed) => {
        const before = `${start}x${end}`
        const shown = `${start}x${end}`.replaceAll('\r\n', '\n')
        expect(editsInField(before, shown)).toEqual([])
        const plainStart = start.replaceAll('\r\n', '\n')
        const plainTyped = typed.replaceAll('\r\n', '\n')
        const after = applyEdits(
          before,
          editsInField(before, plainStart + plainTyped + end.replaceAll('\r\n', '\n')),
        )
        expect(after.replaceAll('\r\n', '\n')).toBe(plainStart + plainTyped + end.replaceAll('\r\n', '\n'))
        const kept = (each: string) => each.split('\r\n').length
        // Only ends of lines that were typed can be others.
        expect(kept(after)).toBeGreaterThanOrEqual(kept(before) - 1)
        expect(kept(after)).toBeLessThanOrEqual(kept(before))
      }),
    )
  })

  test('every edit of a template is in the draft, in their order, and no other template changes', () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const events: AdministrationEvent[] = []
        let last = draftOf().document.templates[PATH] ?? ''
        for (const next of texts) {
          events.push(Planning.edited({ path: PATH, edits: editsBetween(last, next) }))
          last = next
        }
        const { draft, debounced } = stateAfter(begun(), ...events, Planning.paused())
        expect(draft?.document.templates).toEqual({ ...draftOf().document.templates, [PATH]: last })
        expect(debounced).toBe(draft?.document)
        expect(draft?.edited).toEqual(
          texts.some((each, at) => each !== (texts[at - 1] ?? draftOf().document.templates[PATH]))
            ? [PATH]
            : [],
        )
      }),
    )
  })

  test('an edit of a template that is not there changes nothing', () => {
    const before = stateAfter(begun())
    for (const path of ['templates/none.html', 'constructor'])
      expect(
        stateAfter(begun(), Planning.edited({ path, edits: [{ from: 0, to: 0, insert: 'x' }] })),
      ).toEqual(before)
  })

  test('a place and its offset are the same point', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (whole, at) => {
        const offset = Math.min(at, whole.length)
        const { line, column } = lineAndColumnAt(whole, offset)
        expect(offsetAt(whole, line, column)).toBe(offset)
      }),
    )
  })

  test('a place beyond the text is its end', () => {
    expect(offsetAt('ab\nc', 9, 1)).toBe(4)
    expect(offsetAt('ab\nc', 1, 99)).toBe(2)
  })
})

describe('what the browser keeps', () => {
  test('a draft is read back as it was written', () => {
    fc.assert(
      fc.property(arbitraryDocument, (document) => {
        const draft = draftOf({ document })
        expect(parseDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
      }),
    )
  })

  test('a draft that an earlier version stored, without a signet.yaml, is read', () => {
    const { yaml: _, ...stored } = draftOf()
    expect(parseDraft(stored)).toEqual(draftOf())
    expect(parseDraft(draftOf({ yaml: 'version: 1' }))?.yaml).toBe('version: 1')
  })

  test.each([
    ['nothing', null],
    ['a text', 'draft'],
    ['another version of the document', draftOf({ document: { version: 2 } as never })],
    [
      'a template that is no text',
      { ...draftOf(), document: { ...draftOf().document, templates: { a: 1 } } },
    ],
    ['no signatures', { ...draftOf(), document: { ...draftOf().document, signatures: null } }],
    [
      'a signature without a selection',
      {
        ...draftOf(),
        document: { ...draftOf().document, signatures: [{ id: 'a', name: 'A', template: PATH }] },
      },
    ],
    ['a picture without content', { ...draftOf(), pictures: { c0ffee: { mediaType: 'image/png' } } }],
    ['no time', { ...draftOf(), begun: 'today' }],
    ['edited paths that are none', { ...draftOf(), edited: [1] }],
  ])('%s is no draft', (_, value) => {
    expect(parseDraft(value)).toBeNull()
  })

  test('a draft of an earlier visit is restored once, and never over one that was begun here', () => {
    const earlier = draftOf({ folder: 'earlier' })
    expect(stateAfter(Planning.draftRestored({ draft: earlier }))).toMatchObject({
      wasRestored: true,
      draft: earlier,
    })
    const later = stateAfter(begun(), Planning.draftRestored({ draft: earlier }))
    expect([later.draft?.folder, later.wasRestored]).toEqual([null, false])
    expect(stateAfter(Planning.draftRestored({ draft: null })).wasRestored).toBe(false)
    const discarded = stateAfter(begun(), Planning.discarded(), Planning.draftRestored({ draft: earlier }))
    expect(discarded.draft).toBeNull()
  })

  test('closing the page asks only while edits are in no storage that lasts', () => {
    const edit = Planning.edited({ path: PATH, edits: [{ from: 0, to: 0, insert: 'x' }] })
    const refused = Planning.draftWritten({ kept: 'refused' })
    expect(wouldLoseEdits(stateAfter(begun(), edit))).toBe(false)
    expect(wouldLoseEdits(stateAfter(begun(), refused))).toBe(false)
    expect(wouldLoseEdits(stateAfter(begun(), edit, refused))).toBe(true)
    expect(wouldLoseEdits(stateAfter(begun(), edit, Planning.draftWritten({ kept: 'untilClosed' })))).toBe(
      true,
    )
    expect(wouldLoseEdits(stateAfter(begun(), edit, refused, Planning.discarded()))).toBe(false)
  })

  test('the end of the sign-in keeps the draft, and ends what waits for an answer', () => {
    const waiting = [
      begun(),
      Planning.planRequested(),
      Planning.personSearched({ text: 'a' }),
      Planning.personChosen({ person: 'p-1' }),
      FolderExport.requested({ source: 'draft' }),
    ]
    const { draft, made, person, exporting } = stateAfter(...waiting, Session.expired({ failure }))
    expect(draft).toEqual(draftOf())
    expect([made.status, person.load.status, exporting]).toEqual(['idle', 'idle', null])
  })
})

describe('the files of a folder', () => {
  const sizes = fc.integer({ min: 0, max: 1000 })
  const name = fc.constantFrom('a', 'b', 'templates', 'pictures', '.git', 'x.html', 'logo.png')
  const path = fc.oneof(
    fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/')),
    fc.constantFrom(
      'signet.yaml',
      'own/signet.yaml',
      'own/templates/a.html',
      'own/people.csv',
      'own/notes.txt',
    ),
  )
  const listed = fc.uniqueArray(fc.record({ path, size: sizes }), { selector: (file) => file.path })

  test('are those of the format, in the folder of signet.yaml, without hidden ones', () => {
    fc.assert(
      fc.property(listed, (files) => {
        const chosen = chooseFolderFiles(files, 'dropped')
        const hasOne = files.some((file) => file.path.split('/').at(-1) === 'signet.yaml')
        if ('reason' in chosen) {
          expect([chosen.reason, hasOne]).toEqual(['noFolder', false])
          return
        }
        expect([...chosen.paths.values()]).toContain('signet.yaml')
        for (const [from, to] of chosen.paths) {
          expect(from.endsWith(to)).toBe(true)
          expect(to).toMatch(/^(signet\.yaml|people\.csv|expect\.yaml|(templates|pictures)\/.+)$/)
          expect(`/${to}`).not.toContain('/.')
        }
      }),
    )
  })

  test('of an archive stand in a folder of it, with any slashes', () => {
    const chosen = chooseFolderFiles(
      [
        { path: 'northwind\\signet.yaml', size: 1 },
        { path: 'northwind\\templates\\a.html', size: 1 },
        { path: 'other/templates/b.html', size: 1 },
      ],
      'dropped.zip',
    )
    expect(chosen).toEqual({
      folder: 'northwind',
      paths: new Map([
        ['northwind\\signet.yaml', 'signet.yaml'],
        ['northwind\\templates\\a.html', 'templates/a.html'],
      ]),
    })
  })

  test('are refused when they are too many or too large, of which other files are none', () => {
    const folder = { path: 'signet.yaml', size: 1 }
    const large = (at: string) => ({ path: at, size: MAX_FOLDER_BYTES })
    expect(chooseFolderFiles([folder, large('templates/a.html')], 'x')).toEqual({
      reason: 'tooLarge',
      limit: MAX_FOLDER_BYTES,
    })
    expect(chooseFolderFiles([folder, large('movie.mp4')], 'x')).toMatchObject({ folder: 'x' })
    const many = Array.from({ length: MAX_FOLDER_FILES }, (_, at) => ({
      path: `templates/${String(at)}.html`,
      size: 0,
    }))
    expect(chooseFolderFiles([folder, ...many], 'x')).toEqual({ reason: 'tooMany', limit: MAX_FOLDER_FILES })
    expect(chooseFolderFiles(many, 'x')).toEqual({ reason: 'noFolder' })
  })
})

describe('the preview of a draft', () => {
  const at = Date.UTC(2026, 9, 1)
  const pictures = 'https://signet.example/images'

  test('is what the person would get of the template on that day, when they get a signature of it', () => {
    fc.assert(
      fc.property(arbitraryDocument, arbitraryPerson, fc.boolean(), (document, person, isReply) => {
        const use = isReply ? 'reply' : 'signature'
        const release = compileRelease('draft', document)
        const assigned = assignedSignatures(release, person, at)
        for (const path of Object.keys(document.templates)) {
          const shown = draftPreviewOf(document, { path, person, at, use }, pictures)
          const pathOf = (signature: (typeof assigned)[number]) =>
            isReply ? signature.reply : signature.template
          const expected = assigned.find((signature) => pathOf(signature) === path)
          if (!expected) continue
          expect(shown.signature).toEqual({ id: expected.id, name: expected.name, kind: use })
          expect(shown.isAssigned).toBe(true)
          expect(shown.html).toBe(
            renderSignature(
              release,
              expected,
              use,
              person,
              { pictures, pictureUrl: portrait(person.picture) },
              at,
              sampleCircumstances(release, null, isReply),
            ),
          )
        }
      }),
    )
    function portrait(picture: string | null): string {
      const [hash, extension] = picture?.split('.') ?? []
      return hash === undefined ? '' : `${pictures}/${hash}/portrait.${extension ?? ''}`
    }
  })

  test('of a template without a signature shows it by itself, and of a part the template that includes it', () => {
    const { document } = draftOf()
    const person = samplePerson(document)
    const alone = draftPreviewOf(
      { ...document, signatures: [] },
      { path: PATH, person, at, use: 'signature' },
      pictures,
    )
    expect([alone.signature, alone.html]).toEqual([null, '<p>phone</p>'])
    const part = draftPreviewOf(
      document,
      { path: 'templates/legal.part.html', person, at, use: 'signature' },
      pictures,
    )
    expect(part.signature).toMatchObject({ id: 'b' })
    expect(part.html).toContain('<i>Northwind Ltd</i>')
  })

  test('says when the person does not get the signature', () => {
    const { document } = draftOf()
    const person = { ...samplePerson(document), groups: [] }
    const shown = draftPreviewOf(
      document,
      { path: 'templates/b.html', person, at, use: 'signature' },
      pictures,
    )
    expect([shown.signature?.id, shown.isAssigned]).toEqual(['b', false])
  })

  test('has the pictures of the draft by the addresses of its html', () => {
    const { document, pictures: contents } = draftOf()
    const shown = draftPreviewOf(
      document,
      { path: 'templates/b.html', person: samplePerson(document), at, use: 'signature' },
      pictures,
    )
    const [image, linked] = draftImages(document, contents, pictures)
    expect(shown.html).toContain(`src="${image?.url ?? 'none'}"`)
    expect(image?.content).toBe(contents['c0ffee']?.base64)
    const all = draftPreviewOf(
      { ...document, linked: true },
      { path: 'templates/b.html', person: samplePerson(document), at, use: 'signature' },
      pictures,
    )
    expect(all.html).toContain(`src="${linked?.url ?? 'none'}"`)
    expect(linked).toEqual({ ...image, url: linked?.url })
  })
})

describe('the open template', () => {
  test('is listed with the signatures that show it, also through another one', () => {
    const { document } = draftOf()
    const entries = templateEntries(document, [PATH])
    expect(entries.map(({ path, isPart, isEdited }) => [path, isPart, isEdited])).toEqual([
      ['templates/a.html', false, true],
      ['templates/b.html', false, false],
      ['templates/legal.part.html', true, false],
    ])
    expect(entries.map(({ usedBy }) => usedBy.map(({ id, uses }) => [id, uses]))).toEqual([
      [
        ['a', ['template']],
        ['b', ['reply']],
      ],
      [['b', ['template']]],
      [['b', ['template']]],
    ])
  })

  test('has its problems where they stand, once the typing paused', () => {
    const wrong = '<p>{{phon}} {{#if phone}}</p>'
    const events = [
      begun(),
      Planning.templateOpened({ path: PATH, line: null, column: null }),
      Planning.edited({
        path: PATH,
        edits: editsBetween(draftOf().document.templates[PATH] ?? '', wrong),
      }),
    ]
    expect(selectTemplateProblems(stateAfter(...events))).toEqual([])
    const problems = selectTemplateProblems(stateAfter(...events, Planning.paused()))
    expect(problems.map(({ at, end, code, name }) => [wrong.slice(at, end), code, name])).toEqual([
      ['{{#if phone}}', 'unclosed', 'phone'],
      ['{{phon}}', 'unknownVariable', 'phon'],
    ])
  })

  test('has placeholders with other braces than two, each once', () => {
    const wrong = '<p>{phone} {{{ tel phone }}} {{phone} {us}</p>'
    const edits = editsBetween(draftOf().document.templates[PATH] ?? '', wrong)
    const opened = Planning.templateOpened({ path: PATH, line: null, column: null })
    const problems = selectTemplateProblems(
      stateAfter(begun(), opened, Planning.edited({ path: PATH, edits }), Planning.paused()),
    )
    expect(problems.map(({ at, end, code, name }) => [wrong.slice(at, end), code, name])).toEqual([
      ['{phone}', 'braces', '{{phone}}'],
      ['{{{ tel phone }}}', 'braces', '{{tel phone}}'],
      ['{{phone}', 'braces', '{{phone}}'],
    ])
  })

  test('may name what the document has', () => {
    expect(selectEditorWords(stateAfter(begun()))).toEqual({
      variables: [
        ...['address', 'card', 'display_name', 'email', 'legal_line'],
        ...['manager.display_name', 'manager.email', 'manager.phone', 'phone', 'picture_url', 'sender'],
        ...['writer.display_name', 'writer.email', 'writer.legal_line', 'writer.phone', 'writer.picture_url'],
      ],
      pictures: ['logo.png'],
      parts: ['legal'],
      slots: [],
    })
    const { document } = draftOf()
    const templates = { ...document.templates, [PATH]: '{{block banner}}' }
    expect(
      selectEditorWords(stateAfter(begun(draftOf({ document: { ...document, templates } })))).slots,
    ).toEqual(['banner'])
  })

  test('goes to the place of a finding, which goes away once the template is edited', () => {
    const finding = { file: PATH, line: 1, column: 4, level: 'error', rule: 'x', message: 'Wrong.' } as const
    const started = Planning.draftBegun({ draft: draftOf(), findings: [finding] })
    const opened = stateAfter(started, Planning.templateOpened({ path: PATH, line: 1, column: 4 }))
    expect(opened.open).toMatchObject({ path: PATH, place: { line: 1, column: 4 } })
    expect(opened.findings).toEqual([finding])
    const edit = Planning.edited({ path: PATH, edits: [{ from: 0, to: 0, insert: 'x' }] })
    expect(stateAfter(started, edit).findings).toEqual([])
    const elsewhere = Planning.edited({ path: 'templates/b.html', edits: [{ from: 0, to: 0, insert: 'x' }] })
    expect(stateAfter(started, elsewhere).findings).toEqual([finding])
  })

  test('is in the list when the typing pauses', () => {
    expect(selectTemplates(stateAfter())).toEqual([])
    expect(selectTemplates(stateAfter(begun())).length).toBe(3)
  })
})

describe('a plan', () => {
  const { document } = draftOf()
  const made = [begun(), Planning.planRequested(), Planning.planned({ plan: planOf(), document })]
  const edit = Planning.edited({ path: PATH, edits: [{ from: 0, to: 0, insert: 'x' }] })
  const ask = Publishing.requested({ note: '', all: false })

  test('can be published while it tells of the draft as it is', () => {
    const state = stateAfter(...made)
    expect([isPlanCurrent(state), isPlanOutdated(state)]).toEqual([true, false])
    const edited = stateAfter(...made, edit)
    expect([isPlanCurrent(edited), isPlanOutdated(edited)]).toEqual([false, true])
    expect(stateAfter(...made, edit, ask).publishing.status).toBe('idle')
  })

  test('is not taken from an answer to an earlier request', () => {
    expect(stateAfter(begun(), Planning.planned({ plan: planOf(), document })).made.status).toBe('idle')
    expect(stateAfter(...made, Planning.discarded()).made.status).toBe('idle')
  })

  test('stays the one that is being published until that is answered', () => {
    const publishing = [...made, ask] as const
    expect(stateAfter(...publishing, Planning.planRequested())).toEqual(stateAfter(...publishing))
    const release = 'e'.repeat(64)
    const done = stateAfter(
      ...publishing,
      Planning.planRequested(),
      Publishing.done({ release, history: [] }),
    )
    expect(done.draft?.base).toBe(release)
  })

  test('that is published makes its release the base of the draft', () => {
    const release = planOf().release
    const done = stateAfter(...made, ask, Publishing.done({ release, history: [] }))
    expect(done).toMatchObject({ published: release, draft: { base: release, edited: [] } })
    const meanwhile = stateAfter(...made, ask, edit, Publishing.done({ release, history: [] }))
    expect(meanwhile.draft).toMatchObject({ base: release, edited: [PATH] })
  })

  test('is to be made again when its base moved, its day is over or people have come, and else not', () => {
    const refused = (status: number, code: string) =>
      mustPlanAgain(
        stateAfter(...made, ask, Publishing.failed({ failure: { kind: 'http', status, code, data: null } })),
      )
    expect(refused(409, 'base_moved')).toBe(true)
    expect(refused(404, 'not_found')).toBe(true)
    expect(refused(409, 'beyond_limit')).toBe(true)
    expect(refused(503, 'unavailable')).toBe(false)
    expect(mustPlanAgain(stateAfter(...made, ask, Publishing.failed({ failure })))).toBe(false)
  })

  test('over another release than the base of the draft says so', () => {
    expect(isBaseOutdated(stateAfter(...made))).toBe(false)
    const other = Planning.planned({ plan: planOf({ base: 'f'.repeat(32) }), document })
    expect(isBaseOutdated(stateAfter(begun(), Planning.planRequested(), other))).toBe(true)
  })

  test('that the service refuses leads to the place in the template', () => {
    const refusal = (message: string, status = 422) =>
      templateFindingsOf({ kind: 'http', status, code: 'template_invalid', data: { message } })
    expect(refusal('templates/a.html:3:7: There is no variable "phon": x.')).toEqual([
      {
        file: 'templates/a.html',
        line: 3,
        column: 7,
        level: 'error',
        rule: 'template_invalid',
        message: 'There is no variable "phon": x.',
      },
    ])
    expect(refusal('something else')).toBeNull()
    expect(refusal('templates/a.html:3:7: x', 500)).toBeNull()
    const state = stateAfter(
      begun(),
      Planning.planRequested(),
      Planning.draftRefused({ findings: refusal('templates/a.html:3:7: x') ?? [] }),
    )
    expect([state.made.status, state.findings.length]).toEqual(['idle', 1])
  })

  test('shows its people page by page: each once, in order, whatever pages the service answers', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(sizes, (pages) => {
        const all = pages.flatMap((size, page) =>
          Array.from({ length: size }, (_, at) => personPlan(`p-${String(page)}-${String(at)}`)),
        )
        let read = 0
        let answered = 0
        let state = replayLog(initialState, evolveAdministration, logOf(...made))
        const fold = (event: AdministrationEvent) => {
          state = replayLog(state, evolveAdministration, logOf(event))
        }
        const shown: string[] = []
        for (let from = 0; ; from += PEOPLE_PER_PAGE) {
          fold(PlannedPeople.shown({ plan: planOf().id, from }))
          while (state.plan.people.load.status === 'pending') {
            const size = pages[answered] ?? 0
            answered += 1
            fold(
              PlannedPeople.pageLoaded({
                query: planOf().id,
                after: state.plan.people.next,
                page: {
                  people: all.slice(read, read + size),
                  next: answered === pages.length ? null : String(answered),
                },
              }),
            )
            read += size
          }
          const page = peoplePage(state.plan.people)
          expect(page.people.length).toBeLessThanOrEqual(PEOPLE_PER_PAGE)
          shown.push(...page.people.map(({ person }) => person))
          if (page.isLast) break
        }
        expect(shown).toEqual(all.map(({ person }) => person))
        expect(answered).toBe(pages.length)
      }),
    )
  })

  test('ignores people of another plan', () => {
    const shown = PlannedPeople.shown({ plan: planOf().id, from: 0 })
    const other = PlannedPeople.pageLoaded({
      query: 'other',
      after: null,
      page: { people: [personPlan('p-1')], next: null },
    })
    expect(stateAfter(...made, shown, other).people.items ?? []).toEqual([])
  })

  test('has its differences by signature, with every group once', () => {
    const kinds = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(fc.array(fc.tuple(kinds, fc.integer({ min: 1, max: 9 }))), (all) => {
        const groups = all.map(([signature, people]) =>
          signatureGroup({ signature, name: signature, people }),
        )
        const changed = changedSignatures({ ...planOf().summary, signatures: groups })
        expect(new Set(changed.map(({ id }) => id)).size).toBe(changed.length)
        expect(changed.flatMap((each) => each.groups)).toHaveLength(groups.length)
        for (const { id, people, groups: own } of changed) {
          expect(own).toEqual(groups.filter((group) => group.signature === id))
          expect(people).toBe(own.reduce((sum, group) => sum + group.people, 0))
        }
      }),
    )
  })
})
