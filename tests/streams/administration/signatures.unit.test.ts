import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { RollBack } from '../../../streams/administration/overview/events.ts'
import {
  changedItems,
  type Draft,
  isDraftChanged,
  parseDraft,
  templatesOf,
} from '../../../streams/administration/plan/draft.ts'
import { Planning, RulesFileApplying } from '../../../streams/administration/plan/events.ts'
import { copyName, dropIndex, newItemId } from '../../../streams/administration/plan/items.ts'
import {
  renderDraftSignatures,
  renderedInOrder,
  draftPreviewOf,
} from '../../../streams/administration/plan/preview.ts'
import {
  type ConditionText,
  conditionGroupsOf,
  newCondition,
  conditionProblemsOf,
  conditionTextsOf,
} from '../../../streams/administration/plan/ruleTexts.ts'
import {
  directoryFieldProblem,
  isValidPeriod,
  valueLinesOf,
  linesProblem,
  signatureAt,
  signaturePath,
  templateChoices,
  newSignatureId,
  withNewSignature,
  withSignatureOrder,
  withoutSignature,
  withSignature,
} from '../../../streams/administration/plan/signatures.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { orNull } from '../../../streams/kernel/schema.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { SIGNATURE_ID_PATTERN } from '../../../streams/organisation/release/names.ts'
import { isTemplatePath } from '../../../streams/organisation/release/paths.ts'
import { placeholderProblems, vocabularyOf } from '../../../streams/organisation/release/placeholders.ts'
import {
  compileRelease,
  type Condition,
  conditionKeyOf,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import { assignedSignatures, defaultChoice } from '../../../streams/organisation/rules/rules.ts'
import { plainSignature, shortTemplate } from '../../../streams/organisation/release/firstRelease.ts'
import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { cases } from '../../support/cases.ts'
import { explained } from '../../support/administration/people.ts'
import { block } from '../../support/blocks.ts'
import { draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { northwind } from '../../support/northwind.ts'
import { deepFreeze, logOf } from '../../support/state.ts'
import { document as arbitraryDocument, person as arbitraryPerson } from '../organisation/arbitraries.ts'

const stateAfter = (...events: readonly AdministrationEvent[]) =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).plan
const begun = Planning.draftBegun({ draft: draftOf(), findings: [] })
const ids = ({ signatures }: ReleaseDocument) => signatures.map(({ id }) => id)
/** A document of the wire, in which every name is allowed. */
const real = northwind.document
const realId = fc.constantFrom(...ids(real))
/** A signature that was added after the rendering. */
const unknown = plainSignature('unknown', 'Unknown', 'templates/unknown.html')
const isOfWire = (document: ReleaseDocument) => orNull(documentSchema).read(document, '') !== null

describe('an edit of a signature', () => {
  test('changes its fields alone, and nothing when they are the same', () => {
    fc.assert(
      fc.property(realId, fc.string(), (id, name) => {
        const before = real.signatures.find((each) => each.id === id)
        const after = withSignature(real, id, { name })
        expect(after.signatures.find((each) => each.id === id)).toEqual({ ...before, name })
        expect(after.signatures.filter((each) => each.id !== id)).toEqual(
          real.signatures.filter((each) => each.id !== id),
        )
        expect(withSignature(after, id, { name })).toBe(after)
        expect(withSignature(real, 'no_such', { name })).toBe(real)
      }),
    )
  })

  test('moves it to a place, and keeps the order of the others', () => {
    fc.assert(
      fc.property(realId, fc.integer({ min: -3, max: real.signatures.length + 3 }), (id, to) => {
        const after = withSignatureOrder(real, id, to)
        const place = Math.max(0, Math.min(real.signatures.length - 1, to))
        expect(ids(after).indexOf(id)).toBe(place)
        expect(ids(after).filter((each) => each !== id)).toEqual(ids(real).filter((each) => each !== id))
        expect(withSignatureOrder(after, id, to)).toBe(after)
      }),
    )
    expect(withSignatureOrder(real, 'no_such', 0)).toBe(real)
  })

  test('drops it right before or after another one', () => {
    fc.assert(
      fc.property(realId, realId, fc.constantFrom('before', 'after'), (id, other, side) => {
        const [from, beside] = [ids(real).indexOf(id), ids(real).indexOf(other)]
        const after = ids(withSignatureOrder(real, id, dropIndex(from, beside, side)))
        if (id === other) expect(after).toEqual(ids(real))
        else expect(after.indexOf(id) - after.indexOf(other)).toBe(side === 'before' ? -1 : 1)
      }),
    )
  })

  test('names a copy by a number that is free', () => {
    const named = (...names: readonly string[]) => names.map((name) => ({ name }))
    expect(copyName('Sales', named('Sales'))).toBe('Sales (2)')
    expect(copyName('Sales', named('Sales', 'Sales (2)', 'Sales (4)'))).toBe('Sales (3)')
    expect(copyName('Sales (2)', named('Sales (2)'))).toBe('Sales (3)')
    expect(copyName('Fair (2026)', named('Fair (2026)'))).toBe('Fair (2026) (2)')
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (names) => {
        const [name = ''] = names
        const first = copyName(name, named(...names))
        const second = copyName(name, named(...names, first))
        expect([...names, first]).not.toContain(second)
        expect(copyName(second, named(...names, first))).toBe(second)
      }),
    )
  })

  test('adds one with an id and templates that are free, and with what it copies', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'grapheme', maxLength: 90 }),
          fc.constant('Northwind Standard'),
        ),
        fc.option(realId),
        (name, like) => {
          const id = newSignatureId(real, name)
          const document = withNewSignature(real, id, name, like)
          const [added, ...more] = document.signatures.slice(real.signatures.length)
          expect(more).toEqual([])
          expect(document.signatures.slice(0, -1)).toEqual(real.signatures)
          expect(added?.id).toBe(id)
          expect(ids(real)).not.toContain(id)
          expect(id).toMatch(SIGNATURE_ID_PATTERN)
          expect(added?.name).toBe(name)
          for (const [path, text] of Object.entries(real.templates))
            expect(document.templates[path]).toBe(text)
          const made = [added?.template, added?.reply, added?.mobile, added?.meeting].filter(
            (path) => typeof path === 'string',
          )
          for (const path of made) {
            expect(isTemplatePath(path)).toBe(true)
            expect(Object.hasOwn(real.templates, path)).toBe(false)
          }
          expect(new Set(made).size).toBe(made.length)
          const copied = real.signatures.find((each) => each.id === like)
          if (copied && added) {
            expect(added).toEqual({
              ...copied,
              id,
              name,
              template: added.template,
              reply: added.reply,
              mobile: added.mobile,
              ...(added.meeting !== undefined && { meeting: added.meeting }),
            })
            expect(document.templates[added.template]).toBe(real.templates[copied.template])
            expect([added.reply === null, added.mobile === null, added.meeting === undefined]).toEqual([
              copied.reply === null,
              copied.mobile === null,
              copied.meeting === undefined,
            ])
          }
          if (!/[\0\p{Cs}]/u.test(name)) expect(isOfWire(document)).toBe(true)
        },
      ),
    )
  })

  test('begins with a template whose placeholders the organisation has', () => {
    const variables = [[], ['job_title'], ['phone'], ['job_title', 'phone']]
    for (const names of variables) {
      const text = shortTemplate(new Set(names))
      const document = { ...real, variables: real.variables.filter(({ path }) => names.includes(path)) }
      expect(placeholderProblems('templates/new.html', text, vocabularyOf(document))).toEqual([])
      for (const name of ['job_title', 'phone']) expect(text.includes(name)).toBe(names.includes(name))
    }
  })

  test('removes it with the templates that only it used', () => {
    fc.assert(
      fc.property(realId, (id) => {
        const after = withoutSignature(real, id)
        expect(after.signatures).toEqual(real.signatures.filter((each) => each.id !== id))
        const used = (document: ReleaseDocument) =>
          new Set(document.signatures.flatMap(({ template, reply, mobile }) => [template, reply, mobile]))
        for (const path of Object.keys(real.templates)) {
          const isDropped = used(real).has(path) && !used(after).has(path)
          expect(Object.hasOwn(after.templates, path)).toBe(!isDropped)
        }
      }),
    )
    expect(withoutSignature(real, 'no_such')).toBe(real)
  })
})

describe('ids of new signatures', () => {
  test('are the letters of the name', () => {
    expect(newItemId('  Größe & Café! ', new Set())).toBe('gro_e_cafe')
    expect(newItemId('営業', new Set())).toBe('signature')
    expect(newItemId('A', new Set(['a', 'a_2']))).toBe('a_3')
  })
})

test('the path of a signature leads to the signature, and no other path does', () => {
  for (const id of ids(real)) expect(signatureAt(signaturePath(id))).toBe(id)
  for (const path of [
    '/signatures',
    '/signatures/files',
    '/people/id/a',
    '/signatures/id/A',
    '/signatures/id/a/b',
  ])
    expect(signatureAt(path)).toBeNull()
})

test('the templates of a signature are its versions, then the parts that they include', () => {
  const sales = releaseDocument.signatures[1]
  if (!sales) throw new Error('The document has two signatures.')
  expect(templatesOf(releaseDocument, sales)).toEqual([
    'templates/b.html',
    'templates/a.html',
    'templates/legal.part.html',
  ])
  expect(templatesOf(releaseDocument, { ...sales, template: 'templates/gone.html' })).toEqual([
    'templates/a.html',
  ])
  expect(templateChoices(releaseDocument)).toEqual(['templates/a.html', 'templates/b.html'])
})

describe('the lines of a form', () => {
  test('are its values: without blanks around them, empty lines and repetitions', () => {
    expect(valueLinesOf(' a \r\nb\n\n b\r c d ')).toEqual(['a', 'b', 'c d'])
  })

  test('are checked as the service checks them', () => {
    expect(linesProblem('group', [])).toEqual({ code: 'empty' })
    expect(linesProblem('group', ['Sales, EMEA'])).toBeNull()
    expect(linesProblem('person', ['ana@x.example', 'ana'])).toEqual({ code: 'address', value: 'ana' })
    expect(linesProblem('person', ['*@x.example'])).toEqual({ code: 'address', value: '*@x.example' })
    expect(linesProblem('address', ['*@x.example'])).toBeNull()
    expect(linesProblem('address', ['x.example'])).toEqual({ code: 'pattern', value: 'x.example' })
    expect(linesProblem('domain', ['x.example', 'X.example'])).toEqual({ code: 'domain', value: 'X.example' })
    expect(linesProblem('field', ['a\0'])).toEqual({ code: 'text', value: 'a\0' })
    expect(directoryFieldProblem('department')).toBeNull()
    expect(directoryFieldProblem('')).toEqual({ code: 'empty' })
    expect(directoryFieldProblem('group')).toEqual({ code: 'directoryField', value: 'group' })
  })

  const given = (
    by: ConditionText['by'],
    lines: string,
    field = '',
    over: Partial<ConditionText> = {},
  ): ConditionText => ({ ...newCondition, by, lines, field, ...over })

  test('become conditions when all of them are right', () => {
    expect(
      conditionGroupsOf([
        [given('group', 'a\nb'), given('field', 'Sales', 'department')],
        [given('person', 'a@b.c')],
      ]),
    ).toEqual([
      [
        { by: 'group', values: ['a', 'b'] },
        { by: 'field', field: 'department', values: ['Sales'] },
      ],
      [{ by: 'person', values: ['a@b.c'] }],
    ])
    expect(conditionGroupsOf([])).toEqual([])
    expect(conditionGroupsOf([[]])).toBeNull()
    expect(conditionGroupsOf([[newCondition]])).toBeNull()
    expect(conditionGroupsOf([[given('field', 'Sales')]])).toBeNull()
    const twice = [given('group', 'a'), given('group', 'b')]
    expect(conditionGroupsOf([twice])).toBeNull()
    expect(conditionProblemsOf(twice, 0)).toEqual({ field: null, lines: null, day: null })
    expect(conditionProblemsOf(twice, 1)).toEqual({ field: { code: 'twice' }, lines: null, day: null })
  })

  test('that test one field become one condition, and those on the manager another one', () => {
    expect(
      conditionGroupsOf([
        [
          given('field', '', 'hired', { is: 'after', day: '2025-12-31' }),
          given('managerField', 'Sales', 'department'),
          given('language', 'de'),
          given('field', '', 'hired', { is: 'before', day: '2026-02-01' }),
          given('managerField', '', 'jobTitle', { is: 'any' }),
          given('managerPerson', 'ana@in.example'),
          given('managerAddress', '*@in.example'),
          given('managerField', 'Head of\nDirector', 'jobTitle', { is: 'starts' }),
        ],
      ]),
    ).toEqual([
      [
        {
          by: 'test',
          field: 'hired',
          tests: [
            { is: 'after', day: '2025-12-31' },
            { is: 'before', day: '2026-02-01' },
          ],
        },
        {
          by: 'manager',
          conditions: [
            { by: 'field', field: 'department', values: ['Sales'] },
            {
              by: 'test',
              field: 'jobTitle',
              tests: [{ is: 'any' }, { is: 'starts', values: ['Head of', 'Director'] }],
            },
            { by: 'person', values: ['ana@in.example'] },
            { by: 'address', values: ['*@in.example'] },
          ],
        },
        { by: 'language', values: ['de'] },
      ],
    ])
  })

  test.each<[string, readonly ConditionText[], 'field' | 'lines' | 'day', string | null]>([
    ['a day that is none', [given('field', '', 'f', { is: 'after', day: '2026-02-30' })], 'day', 'day'],
    ['no day', [given('managerField', '', 'f', { is: 'before' })], 'day', 'day'],
    ['no text to begin with', [given('field', '', 'f', { is: 'starts' })], 'lines', 'empty'],
    ['nothing for a field that is not empty', [given('field', '', 'f', { is: 'any' })], 'lines', null],
    ['no language', [given('language', 'Deutsch!')], 'lines', 'language'],
    ['a group of the manager', [given('managerField', 'a', 'group')], 'field', 'directoryField'],
    ['a field `language`', [given('field', 'de', 'language')], 'field', 'directoryField'],
    [
      'a test of a field `manager`',
      [given('field', '', 'manager', { is: 'any' })],
      'field',
      'directoryField',
    ],
    ['values of a field `manager`', [given('field', 'Ann', 'manager')], 'field', null],
    [
      'values of a field `manager` beside the manager',
      [given('managerPerson', 'a@b.c'), given('field', 'Ann', 'manager')],
      'field',
      'twice',
    ],
    [
      'the manager beside values of a field `manager`',
      [given('field', 'Ann', 'manager'), given('managerField', 'a', 'city')],
      'field',
      'twice',
    ],
    [
      'values and a test of one field',
      [given('field', 'a', 'f'), given('field', '', 'f', { is: 'any' })],
      'field',
      'twice',
    ],
    [
      'a test and values of one field',
      [given('field', '', 'f', { is: 'any' }), given('field', 'a', 'f')],
      'field',
      'twice',
    ],
    [
      'two tests of one kind',
      [given('field', 'a', 'f', { is: 'ends' }), given('field', 'b', 'f', { is: 'ends' })],
      'field',
      'twice',
    ],
    [
      'a field of the person and one of the manager',
      [given('field', 'a', 'f'), given('managerField', 'a', 'f')],
      'field',
      null,
    ],
  ])('tell the problem of %s', (_, group, at, code) => {
    expect(conditionProblemsOf(group, group.length - 1)[at]?.code ?? null).toBe(code)
    expect(conditionGroupsOf([group]) === null).toBe(code !== null)
  })

  const isTwice = (keys: readonly string[]) => new Set(keys).size < keys.length

  test('of conditions that the form does not change are these conditions', () => {
    fc.assert(
      fc.property(arbitraryDocument, ({ signatures }) => {
        for (const { selection } of signatures) {
          const groups = selection.for === 'everyone' ? selection.not : selection.for
          if (groups.some((group) => group.length === 0 || isTwice(group.map(conditionKeyOf)))) continue
          expect(conditionGroupsOf(groups.map((group) => group.flatMap(conditionTextsOf)))).toEqual(groups)
        }
      }),
    )
    const odd: Condition = { by: 'field', field: 'department', values: ['', ' a'] }
    expect(conditionGroupsOf([conditionTextsOf(odd)])).toEqual([[odd]])
  })
})

test('a period has a moment when it does not end before it begins', () => {
  const period = (from: string, to: string, timeZone = 'Europe/Berlin') =>
    isValidPeriod({ from, to, timeZone })
  expect(period('2026-09-01', '2026-09-01')).toBe(true)
  expect(period('2026-09-02', '2026-09-01')).toBe(false)
  expect(period('2026-02-30', '2026-03-01')).toBe(false)
  expect(period('2026-09-01', '2026-09-01', 'Nowhere')).toBe(false)
})

describe('the pictures of signatures', () => {
  test('say whether a person has each signature, and which one is the default', () => {
    fc.assert(
      fc.property(arbitraryDocument, arbitraryPerson, fc.nat(4e12), (document, person, at) => {
        const release = compileRelease('x', document)
        const shown = renderDraftSignatures(document, { person, at }, 'https://p.example')
        expect(shown.map(({ signature }) => signature)).toEqual(document.signatures)
        expect(shown.filter(({ isAssigned }) => isAssigned).map(({ signature }) => signature)).toEqual(
          assignedSignatures(release, person, at),
        )
        const master = defaultChoice(release, person, at)?.choice.master
        for (const { signature, isDefault } of shown)
          expect(isDefault).toBe(`${signature.id}-${person.id}` === master)
      }),
    )
  })

  test('stand in the order of a newer draft, without the signatures that it has no more', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...real.signatures]), arbitraryPerson, (signatures, person) => {
        const shown = renderDraftSignatures(real, { person, at: 0 }, 'https://p.example')
        const ordered = renderedInOrder(shown, { ...real, signatures: [...signatures, unknown] })
        expect(ordered.map(({ signature }) => signature)).toEqual(signatures)
        expect(shown).toEqual(expect.arrayContaining([...ordered]))
      }),
      cases(10),
    )
  })

  test('and the preview of a template show the signature whose page is open', () => {
    const { person } = explained()
    const wanted = { path: 'templates/a.html', person, at: 0, use: 'reply' } as const
    const nameFor = (signature: string | null) =>
      draftPreviewOf(releaseDocument, { ...wanted, signature }, 'https://p.example').signature?.id
    expect(nameFor('a')).toBe('a')
    expect(nameFor('b')).toBe('b')
    expect(nameFor('no_such')).toBe(nameFor(null))
  })
})

describe('the draft', () => {
  test('has new rules after an edit of its signatures, and loses findings about them', () => {
    const findings = [
      { file: 'signet.yaml', line: 1, column: 1, level: 'warning', rule: 'x', message: 'x' },
      { file: 'templates/a.html', line: 1, column: 1, level: 'warning', rule: 'x', message: 'x' },
    ] as const
    const read = Planning.draftBegun({ draft: draftOf(), findings })
    const edits = [
      Planning.signatureChanged({ signature: 'a', changes: { name: 'New' } }),
      Planning.signatureMoved({ signature: 'a', to: 1 }),
      Planning.signatureAdded({ signature: 'third', name: 'Third', like: null }),
      Planning.signatureRemoved({ signature: 'b' }),
    ]
    for (const edit of edits) {
      const after = stateAfter(read, edit)
      expect(after.draft?.hasNewRules).toBe(true)
      expect(after.draft && isDraftChanged(after.draft)).toBe(true)
      expect(after.findings).toEqual([findings[1]])
    }
    expect(stateAfter(read, Planning.signatureMoved({ signature: 'a', to: 0 })).draft?.hasNewRules).toBe(
      false,
    )
    expect(stateAfter(read, Planning.signatureMoved({ signature: 'a', to: 0 })).findings).toEqual(findings)
  })

  test('gets nothing twice: a new signature whose id is there already changes nothing', () => {
    const added = Planning.signatureAdded({ signature: 'third', name: 'Third', like: null })
    const taken = { name: 'Third', template: '', pictures: {}, variables: [] }
    const once = stateAfter(begun, added).draft
    expect(stateAfter(begun, added, added).draft).toEqual(once)
    expect(stateAfter(begun, added, Planning.templateTaken({ signature: 'third', taken })).draft).toEqual(
      once,
    )
  })

  test('is drawn at once with a new signature, and with other edits when the typing pauses', () => {
    const added = Planning.signatureAdded({ signature: 'third', name: 'Third', like: null })
    const taken = { name: 'Fourth', template: 'Fourth', pictures: {}, variables: [] }
    const took = Planning.templateTaken({ signature: 'fourth', taken })
    for (const [events, count] of [
      [[added], 3],
      [[took], 3],
      [[added, took, Planning.signatureRemoved({ signature: 'a' })], 4],
    ] as const)
      expect(stateAfter(begun, ...events).debounced?.signatures).toHaveLength(count)
  })

  test('says which of its signatures and blocks it changes', () => {
    const document = {
      ...draftOf().document,
      blocks: [block({ id: 'autumn', template: 'templates/b.html' })],
    }
    const draft = draftOf({ document, original: document })
    const read = (base: Draft) => Planning.draftBegun({ draft: base, findings: [] })
    const changedAfter = (base: Draft, ...events: readonly AdministrationEvent[]) => {
      const after = stateAfter(read(base), ...events).draft ?? base
      return [[...changedItems(after, 'signatures')], [...changedItems(after, 'blocks')]]
    }
    const typedIn = (path: string) => Planning.edited({ path, edits: [{ from: 0, to: 0, insert: 'x' }] })
    expect(changedAfter(draft)).toEqual([[], []])
    expect(changedAfter(draft, typedIn('templates/a.html'))).toEqual([['a', 'b'], []])
    expect(changedAfter(draft, typedIn('templates/legal.part.html'))).toEqual([['b'], ['autumn']])
    const renamed = Planning.signatureChanged({ signature: 'a', changes: { name: 'New' } })
    expect(changedAfter(draft, renamed)).toEqual([['a'], []])
    expect(changedAfter(draft, Planning.blockChanged({ block: 'autumn', changes: { share: 5 } }))).toEqual([
      [],
      ['autumn'],
    ])
    const added = Planning.signatureAdded({ signature: 'third', name: 'Third', like: null })
    expect(changedAfter(draft, added)).toEqual([['third'], []])
    expect(changedAfter(draft, Planning.signatureMoved({ signature: 'a', to: 1 }))).toEqual([[], []])
    // Without its original, nobody knows which rules are new.
    const unknown = draftOf({ document })
    expect(changedAfter(unknown, renamed, typedIn('templates/legal.part.html'))).toEqual([['b'], ['autumn']])
  })

  test('has no change after an edit that was undone', () => {
    const draft = { ...draftOf(), original: draftOf().document }
    const [path = '', text = ''] = Object.entries(draft.document.templates)[0] ?? []
    const [{ name } = { name: '' }] = draft.document.signatures
    const read = Planning.draftBegun({ draft, findings: [] })
    const touched = (...events: readonly AdministrationEvent[]) => {
      const after = stateAfter(read, ...events).draft
      return [
        after?.edited.length ?? null,
        after?.hasNewRules ?? null,
        after !== null && isDraftChanged(after),
      ]
    }
    const typed = Planning.edited({ path, edits: [{ from: 0, to: 0, insert: 'x' }] })
    const deleted = Planning.edited({ path, edits: [{ from: 0, to: 1, insert: '' }] })
    const renamed = Planning.signatureChanged({ signature: 'a', changes: { name: 'New' } })
    const back = Planning.signatureChanged({ signature: 'a', changes: { name } })
    expect(touched(typed)).toEqual([1, false, true])
    expect(touched(typed, deleted)).toEqual([0, false, false])
    expect(touched(renamed)).toEqual([0, true, true])
    expect(touched(renamed, back)).toEqual([0, false, false])
    expect(touched(renamed, typed, back)).toEqual([1, false, true])
    expect(touched(renamed, typed, back, deleted)).toEqual([0, false, false])
    expect(
      touched(
        Planning.signatureMoved({ signature: 'a', to: 1 }),
        Planning.signatureMoved({ signature: 'a', to: 0 }),
      ),
    ).toEqual([0, false, false])
    // A signature that was added and removed again leaves nothing.
    const added = Planning.signatureAdded({ signature: 'third', name: 'Third', like: null })
    const third = stateAfter(read, added).draft?.document.signatures.at(-1)?.id ?? ''
    expect(touched(added, Planning.signatureRemoved({ signature: third }))).toEqual([0, false, false])
    // Another text in the file of rules may have other comments.
    const file = RulesFileApplying.done({ yaml: '# x', document: draft.document, findings: [] })
    expect(touched(file)).toEqual([0, true, true])
    expect(touched(file, renamed, back)).toEqual([0, true, true])
    expect(text).not.toBe('')
  })

  test('opens a template of the signature whose page is open', () => {
    const opened = (path: string, ...more: readonly AdministrationEvent[]) =>
      stateAfter(begun, Place.entered({ path }), ...more).open?.path
    expect(opened('/signatures')).toBe('templates/a.html')
    expect(opened('/signatures/id/b')).toBe('templates/a.html')
    const onPart = Planning.templateOpened({ path: 'templates/legal.part.html', line: null, column: null })
    expect(opened('/signatures', onPart)).toBe('templates/legal.part.html')
    expect(opened('/signatures', onPart, Place.entered({ path: '/signatures/id/b' }))).toBe(
      'templates/legal.part.html',
    )
    expect(opened('/signatures', onPart, Place.entered({ path: '/signatures/id/a' }))).toBe(
      'templates/a.html',
    )
    expect(
      opened(
        '/signatures/id/a',
        Planning.signatureChanged({ signature: 'a', changes: { template: 'templates/b.html' } }),
      ),
    ).toBe('templates/b.html')
    expect(stateAfter(Place.entered({ path: '/signatures/id/b' }), begun).signature).toBe('b')
  })

  test('that is only a copy of what is published ends with a roll-back', () => {
    const rolledBack = [
      RollBack.requested({ release: 'x', note: '' }),
      RollBack.done({ release: 'x', history: [] }),
    ]
    expect(stateAfter(begun, ...rolledBack).draft).toBeNull()
    const changed = Planning.signatureRemoved({ signature: 'b' })
    expect(stateAfter(begun, changed, ...rolledBack).draft).not.toBeNull()
  })

  test('of an earlier version of the page, without this mark, is read', () => {
    const { hasNewRules: _, ...earlier } = draftOf()
    expect(parseDraft(earlier)).toEqual(draftOf())
  })
})
