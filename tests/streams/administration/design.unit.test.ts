import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DesignAct } from '../../../streams/administration/design/acts.ts'
import { changeByAct, writtenWithin } from '../../../streams/administration/design/change.ts'
import {
  type Designed,
  initialDesign,
  withAct,
  withRedone,
  withUndone,
} from '../../../streams/administration/design/design.ts'
import { Designing } from '../../../streams/administration/design/events.ts'
import {
  type DesignStep,
  NO_HISTORY,
  redo,
  undo,
  withStep,
} from '../../../streams/administration/design/history.ts'
import { allItems, outlineOf } from '../../../streams/administration/design/outline.ts'
import {
  boxAround,
  type DrawnPlace,
  isItemAt,
  meantIndex,
  lastOwnItem,
  partPlaces,
  surfaceOf,
} from '../../../streams/administration/design/surface.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { type Draft, editsBetween } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { samplePerson, withSampleValues } from '../../../streams/administration/plan/preview.ts'
import {
  placedElements,
  type RenderedPiece,
  type SourcePlace,
  withSourceMarks,
} from '../../../streams/administration/plan/wordPlaces.ts'
import { evolveAdministration, initialState } from '../../../streams/administration/state.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { variableOf } from '../../support/variables.ts'
import { actedIn, anyDesignAct, designTemplate } from '../../support/administration/design.ts'
import { alex, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { block, withTheseBlocks } from '../../support/blocks.ts'
import { cases } from '../../support/cases.ts'
import { deepFreeze, logOf } from '../../support/state.ts'

const A = 'templates/a.html'
const B = 'templates/b.html'
const LEGAL = 'templates/legal.part.html'

const documentOf = (texts: Readonly<Record<string, string>>): ReleaseDocument => ({
  ...releaseDocument,
  templates: { ...releaseDocument.templates, ...texts },
})
const stateOf = (events: readonly AdministrationEvent[]) =>
  deepFreeze(replayLog(initialState, evolveAdministration, logOf(...events))).plan
/** An event, or what the page records for the draft's document of that time. */
type Step = AdministrationEvent | ((document: ReleaseDocument) => AdministrationEvent | null)
function stateAfter(...steps: readonly Step[]) {
  const events: AdministrationEvent[] = []
  for (const each of steps) {
    const document = stateOf(events).draft?.document
    const event = typeof each === 'object' ? each : document ? each(document) : null
    if (event) events.push(event)
  }
  return stateOf(events)
}
const begun = (texts: Readonly<Record<string, string>> = {}) =>
  Planning.draftBegun({ draft: draftOf({ document: documentOf(texts) }), findings: [] })
const textIn = ({ draft }: Readonly<{ draft: Draft | null }>, path = A) => draft?.document.templates[path]
/** The place of a source in the text of a template. */
function placeOf(path: string, text: string, source: string): SourcePlace {
  const from = text.indexOf(source)
  return { path, from, to: from + source.length }
}
const PHONE = placeOf(A, '<p>{{phone}}</p>', '{{phone}}')
const bold: DesignAct = { kind: 'style', property: 'font-weight', value: 'bold' }
const acted =
  (given: Parameters<typeof actedIn>[1]): Step =>
  (document) =>
    actedIn(document, given)
const onPhone = (act: DesignAct) => acted({ place: PHONE, act })
const typingBegan = Designing.typingBegan({ place: PHONE })
/** A letter is typed before the phone number, which moves it. */
const typed = (letter: string, before: number) =>
  Designing.typed({
    path: A,
    edits: [{ from: 3 + before, to: 3 + before, insert: letter }],
    selected: { from: 3, to: 13 + before },
  })

const step = (over: Partial<DesignStep>): DesignStep => ({
  path: A,
  before: 'a',
  after: 'b',
  selectedBefore: null,
  selected: null,
  typing: null,
  ...over,
})

describe('the history of the design', () => {
  test('gives back the same bytes for as many undone acts, and the last ones when they are redone [EDIT-2]', () => {
    const walk = fc.array(fc.tuple(fc.nat(40), anyDesignAct), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(designTemplate, walk, (text, acts) => {
        let designed: Designed = {
          draft: draftOf({ document: documentOf({ [A]: text }) }),
          design: initialDesign,
        }
        const texts = [text]
        for (const [seq, [index, act]] of acts.entries()) {
          const items = allItems(outlineOf(textIn(designed) ?? ''))
          const item = items[index % Math.max(1, items.length)]
          const place = item && { path: A, from: item.from, to: item.to }
          const change = place && changeByAct(designed.draft.document, { place, act, within: null })
          const after = change && withAct(designed, { act, ...change }, { seq, at: seq })
          if (!after) continue
          if (textIn(after) !== textIn(designed)) texts.push(textIn(after) ?? '')
          designed = after
        }
        const meta = { seq: 99, at: 99 }
        for (const each of texts.slice(0, -1).toReversed()) {
          designed = withUndone(designed, meta) ?? expect.fail('nothing to undo')
          expect(textIn(designed)).toBe(each)
        }
        expect(withUndone(designed, meta)).toBeNull()
        for (const each of texts.slice(1)) {
          designed = withRedone(designed, meta) ?? expect.fail('nothing to redo')
          expect(textIn(designed)).toBe(each)
        }
        expect(withRedone(designed, meta)).toBeNull()
      }),
      cases(100),
    )
  })

  test('has one step for all that is typed without leaving the words', () => {
    const { done } = [
      step({ typing: 7, before: '', after: 'a', selectedBefore: PHONE }),
      step({ typing: 7, before: 'a', after: 'ab', selected: PHONE }),
    ].reduce(withStep, NO_HISTORY)
    expect(done).toEqual([
      step({ typing: 7, before: '', after: 'ab', selectedBefore: PHONE, selected: PHONE }),
    ])
  })

  test.each([
    ['other words', step({ typing: 8 })],
    ['another template', step({ typing: 7, path: B })],
    ['another act', step({ typing: null })],
  ])('has another step for %s', (_, next) => {
    expect(withStep(withStep(NO_HISTORY, step({ typing: 7 })), next).done).toHaveLength(2)
    expect(withStep(withStep(NO_HISTORY, step({})), step({})).done).toHaveLength(2)
  })

  test('keeps the last hundred steps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 250 }), (count) => {
        const steps = Array.from({ length: count }, (_, index) => step({ before: String(index) }))
        expect(steps.reduce(withStep, NO_HISTORY).done).toEqual(steps.slice(-100))
      }),
    )
  })

  test('forgets what was undone when there is another act', () => {
    const moved = undo(withStep(NO_HISTORY, step({})), { [A]: 'b' })
    expect(moved?.history).toEqual({ done: [], undone: [step({})] })
    expect(withStep(moved?.history ?? NO_HISTORY, step({})).undone).toEqual([])
    const typing = { done: [step({ typing: 7 })], undone: [step({})] }
    expect(withStep(typing, step({ typing: 7 })).undone).toEqual([])
  })

  test.each([
    ['nothing was done', NO_HISTORY, { [A]: 'b' }],
    ['its template has changed otherwise', withStep(NO_HISTORY, step({})), { [A]: 'c' }],
    ['its template is gone', withStep(NO_HISTORY, step({})), {}],
    ['its template has a name of every object', withStep(NO_HISTORY, step({ path: 'constructor' })), {}],
  ])('undoes nothing when %s', (_, history, texts) => {
    expect(undo(history, texts)).toBeNull()
    expect(redo({ done: [], undone: history.done }, texts)).toBeNull()
  })

  test('selects what was selected before an undone act, and after a redone one', () => {
    const history = withStep(NO_HISTORY, step({ selectedBefore: PHONE, selected: { ...PHONE, to: 40 } }))
    const undone = undo(history, { [A]: 'b' })
    expect(undone).toMatchObject({ path: A, text: 'a', selection: PHONE })
    expect(redo(undone?.history ?? NO_HISTORY, { [A]: 'a' })).toEqual({
      history,
      path: A,
      text: 'b',
      selection: { ...PHONE, to: 40 },
    })
  })
})

describe('an act', () => {
  test('is drawn at once, and reported', () => {
    const state = stateAfter(begun(), onPhone(bold))
    expect(textIn(state)).toBe('<p style="font-weight:bold">{{phone}}</p>')
    expect(state.debounced).toBe(state.draft?.document)
    expect(state.draft?.edited).toEqual([A])
    expect(state.design.report).toEqual({ act: 'style', seq: 1 })
    const again = stateAfter(begun(), onPhone(bold), Designing.undone())
    expect(again.design.report).toEqual({ act: 'undone', seq: 2 })
    expect(textIn(again)).toBe('<p>{{phone}}</p>')
    expect(again.debounced).toBe(again.draft?.document)
    const redone = stateAfter(begun(), onPhone(bold), Designing.undone(), Designing.redone())
    expect(redone.design.report).toEqual({ act: 'redone', seq: 3 })
    expect(textIn(redone)).toBe(textIn(state))
  })

  test('selects its item in the new text', () => {
    const { design } = stateAfter(
      begun({ [A]: '<p>One</p><p>Two</p>' }),
      acted({
        place: { path: A, from: 0, to: 10 },
        act: { kind: 'move', by: 1 },
      }),
    )
    expect(design.selection).toEqual({ path: A, from: 10, to: 20 })
    const place = { path: A, from: 10, to: 20 }
    const { selection } = stateAfter(
      begun({ [A]: '<p>One</p><p>Two</p>' }),
      Designing.selected({ place }),
      acted({ place, act: { kind: 'copy' } }),
      Designing.undone(),
    ).design
    expect(selection).toEqual(place)
  })

  test('that does not fit its item changes nothing', () => {
    const before = stateAfter(begun())
    for (const event of [
      onPhone({ kind: 'move', by: 1 }),
      onPhone({ kind: 'alternative', text: 'x' }),
      acted({ place: { ...PHONE, path: 'templates/none.html' }, act: bold }),
      acted({ place: { ...PHONE, path: 'constructor' }, act: bold }),
      Designing.undone(),
      Designing.redone(),
      typed('x', 0),
      Designing.typingEnded(),
    ])
      expect(stateAfter(begun(), event)).toEqual(before)
    expect(stateAfter(onPhone(bold)).draft).toBeNull()
  })

  test('that changes no byte is no step', () => {
    const { design } = stateAfter(begun(), onPhone({ kind: 'value', from: 'phone', to: 'phone' }))
    expect(design.history).toEqual(NO_HISTORY)
  })

  test('keeps the findings of other templates', () => {
    const finding = (file: string) => ({
      file,
      line: 1,
      column: 1,
      level: 'error' as const,
      rule: 'x',
      message: 'No.',
    })
    const { findings } = stateAfter(
      Planning.draftBegun({ draft: draftOf(), findings: [finding(A), finding(B)] }),
      onPhone(bold),
    )
    expect(findings).toEqual([finding(B)])
  })

  test('is not undone after another edit of its template', () => {
    const edited = Planning.edited({ path: A, edits: [{ from: 0, to: 0, insert: 'x' }] })
    const state = stateAfter(begun(), onPhone(bold), edited)
    expect(stateAfter(begun(), onPhone(bold), edited, Designing.undone())).toEqual(state)
    const elsewhere = Planning.edited({ path: B, edits: [{ from: 0, to: 0, insert: 'x' }] })
    const undone = stateAfter(begun(), onPhone(bold), elsewhere, Designing.undone())
    expect([textIn(undone), textIn(undone, B)?.slice(0, 4)]).toEqual(['<p>{{phone}}</p>', 'x<p>'])
  })
})

describe('an act on a part that is kept to one template', () => {
  const part = '<i>{{legal_line}}</i>'
  const place = placeOf(LEGAL, part, '{{legal_line}}')
  const texts = { [A]: '<p>{{phone}}</p>{{> legal}}' }

  test('writes the part into the template; the part and other templates stay [EDIT-8]', () => {
    const navy: DesignAct = { kind: 'style', property: 'color', value: '#1f3a5f' }
    const state = stateAfter(begun(texts), acted({ place, act: navy, within: A }))
    expect(state.draft?.document.templates).toEqual({
      ...documentOf(texts).templates,
      [A]: '<p>{{phone}}</p><i style="color:#1f3a5f">{{legal_line}}</i>',
    })
    const { selection } = state.design
    expect(textIn(state)?.slice(selection?.from, selection?.to)).toBe('{{legal_line}}')
    const undone = stateAfter(begun(texts), acted({ place, act: navy, within: A }), Designing.undone())
    expect(undone.draft?.document.templates).toEqual(documentOf(texts).templates)
  })

  test('is not done in a template without the part [EDIT-8]', () => {
    const act = acted({ place, act: bold, within: A })
    expect(stateAfter(begun(), act)).toEqual(stateAfter(begun()))
    const none = acted({ place, act: bold, within: 'templates/none.html' })
    expect(stateAfter(begun(), none)).toEqual(stateAfter(begun()))
  })

  test('changes the template itself where that is the place of the act', () => {
    expect(textIn(stateAfter(begun(), acted({ place: PHONE, act: bold, within: A })))).toBe(
      textIn(stateAfter(begun(), onPhone(bold))),
    )
  })

  test('is one step with what is typed in the part then [EDIT-8]', () => {
    const inside = placeOf(A, `<p>{{phone}}</p>${part}`, '{{legal_line}}')
    const events = [
      begun(texts),
      Designing.typingBegan({ place }),
      Designing.typed({
        path: A,
        edits: editsBetween(texts[A], `<p>{{phone}}</p><i>x{{legal_line}}</i>`),
        selected: { from: inside.from, to: inside.to + 1 },
      }),
      Designing.typed({
        path: A,
        edits: [{ from: inside.from + 1, to: inside.from + 1, insert: 'y' }],
        selected: { from: inside.from, to: inside.to + 2 },
      }),
    ]
    const state = stateAfter(...events)
    expect(state.draft?.document.templates).toEqual({
      ...documentOf(texts).templates,
      [A]: '<p>{{phone}}</p><i>xy{{legal_line}}</i>',
    })
    expect(state.design.typing?.place).toEqual({ path: A, from: inside.from, to: inside.to + 2 })
    expect(state.design.history.done).toHaveLength(1)
    expect(textIn(stateAfter(...events, Designing.undone()))).toBe(texts[A])
  })

  test('writes it, changed in the same way, in all places of the template that include it', () => {
    const includes = fc.array(
      fc.constantFrom('{{> legal}}', '{{>legal}}', '{{#if phone}}{{> legal}}{{/if}}', '<hr>'),
    )
    fc.assert(
      fc.property(includes, (pieces) => {
        const text = pieces.join('-')
        const changed = { path: LEGAL, text: '<b>{{legal_line}}</b>', range: { from: 3, to: 17 } }
        const written = writtenWithin({ [A]: text }, changed, A)
        const first = written?.text.indexOf('{{legal_line}}') ?? -1
        expect(written?.text ?? text).toBe(text.replaceAll(/{{> ?legal}}/g, changed.text))
        expect(written?.range ?? null).toEqual(first < 0 ? null : { from: first, to: first + 14 })
      }),
      cases(100),
    )
  })

  test('styles the selected words of the part there', () => {
    const words = { from: 3, to: 17 }
    const act: DesignAct = { kind: 'styleWords', words, property: 'color', value: '#1f3a5f' }
    expect(textIn(stateAfter(begun(texts), acted({ place, act, within: A })))).toBe(
      '<p>{{phone}}</p><i style="color:#1f3a5f">{{legal_line}}</i>',
    )
  })

  test('finds the places of the part, and of no other', () => {
    expect(partPlaces('a{{> legal}}{{> other}}{{#if phone}}{{> legal}}{{/if}}', 'legal')).toEqual([
      { from: 1, to: 12 },
      { from: 36, to: 47 },
    ])
  })
})

describe('typing', () => {
  const typing = [begun(), typingBegan, typed('+', 0), typed('4', 1)]

  test('is in the draft at once, and drawn when it pauses or ends', () => {
    const state = stateAfter(...typing)
    expect(textIn(state)).toBe('<p>+4{{phone}}</p>')
    expect(state.debounced?.templates[A]).toBe('<p>{{phone}}</p>')
    expect(state.design.typing).toEqual({ place: { path: A, from: 3, to: 14 }, step: 1 })
    expect(state.design.selection).toEqual(state.design.typing?.place)
    for (const event of [Planning.paused(), Designing.typingEnded(), Designing.selected({ place: null })]) {
      const after = stateAfter(...typing, event)
      expect(after.debounced).toBe(after.draft?.document)
    }
  })

  test('is one step, and ends when it is undone', () => {
    const state = stateAfter(...typing, Designing.undone())
    expect(textIn(state)).toBe('<p>{{phone}}</p>')
    expect(state.design.typing).toBeNull()
    expect(state.design.history.done).toEqual([])
    const twice = stateAfter(
      ...typing,
      Designing.typingEnded(),
      Designing.typingBegan({ place: { path: A, from: 3, to: 14 } }),
      typed('9', 2),
      Designing.undone(),
    )
    expect(textIn(twice)).toBe('<p>+4{{phone}}</p>')
  })

  test('keeps the selection when it ends', () => {
    const { design } = stateAfter(...typing, Designing.typingEnded())
    expect([design.typing, design.selection]).toEqual([null, { path: A, from: 3, to: 14 }])
  })

  test('ends with an act, and with another selection', () => {
    const place = { path: A, from: 3, to: 14 }
    const copy = acted({ place, act: { kind: 'copy' } })
    expect(stateAfter(...typing, copy).design.typing).toBeNull()
    expect(stateAfter(...typing, Designing.selected({ place: PHONE })).design).toMatchObject({
      typing: null,
      selection: PHONE,
    })
  })

  test('begins without a change, and in no template that is not there', () => {
    const [before, after] = [stateAfter(begun()), stateAfter(begun(), typingBegan)]
    expect([after.draft, after.design.history]).toEqual([before.draft, NO_HISTORY])
    for (const path of ['templates/none.html', 'constructor']) {
      const nowhere = Designing.typingBegan({ place: { ...PHONE, path } })
      expect(stateAfter(begun(), nowhere)).toEqual(before)
    }
    expect(stateAfter(typingBegan)).toEqual(stateAfter())
  })

  test('that is taken back where it was typed is no step', () => {
    const back = Designing.typed({
      path: A,
      edits: [{ from: 3, to: 5, insert: '' }],
      selected: { from: 3, to: 12 },
    })
    const { draft, design } = stateAfter(...typing, back)
    expect([draft?.document, design.history]).toEqual([documentOf({}), NO_HISTORY])
  })
})

describe('the page of a signature', () => {
  const enter = (path: string) => Place.entered({ path })
  const [PAGE_A, PAGE_B] = ['/signatures/id/a', '/signatures/id/b']

  test('begins with nothing selected and nothing reported', () => {
    const events = [
      begun(),
      enter(PAGE_A),
      onPhone(bold),
      Designing.everywhereChosen({ path: LEGAL }),
      typingBegan,
    ]
    const { design } = stateAfter(...events, enter(PAGE_A))
    expect(design).toEqual({ ...stateAfter(...events).design, selection: null, typing: null, report: null })
    expect(design.history.done).toHaveLength(1)
  })

  test('undoes only what was done there, after a visit elsewhere, too', () => {
    const done = [begun(), enter(PAGE_A), onPhone(bold)]
    for (const elsewhere of [PAGE_B, '/blocks/id/autumn']) {
      const there = [...done, enter(elsewhere)]
      expect(stateAfter(...there).design.history).toEqual(NO_HISTORY)
      expect(textIn(stateAfter(...there, Designing.undone()))).toBe(textIn(stateAfter(...done)))
      const back = stateAfter(...there, enter('/signatures'), enter(PAGE_A), Designing.undone())
      expect(textIn(back)).toBe('<p>{{phone}}</p>')
    }
    expect(textIn(stateAfter(...done, enter('/plan'), Designing.undone()))).toBe('<p>{{phone}}</p>')
  })

  test('redoes there what was undone there', () => {
    const undone = [begun(), enter(PAGE_A), onPhone(bold), Designing.undone(), enter(PAGE_B)]
    expect(textIn(stateAfter(...undone, Designing.redone()))).toBe('<p>{{phone}}</p>')
    expect(textIn(stateAfter(...undone, enter(PAGE_A), Designing.redone()))).toContain('bold')
  })

  test('has its acts also in a draft that was begun there', () => {
    const again = [begun(), enter(PAGE_A), Planning.discarded(), begun(), onPhone(bold)]
    const back = stateAfter(...again, enter(PAGE_B), enter(PAGE_A), Designing.undone())
    expect(textIn(back)).toBe('<p>{{phone}}</p>')
  })

  test('forgets acts and answers with their draft', () => {
    const events = [begun(), onPhone(bold), Designing.everywhereChosen({ path: LEGAL })]
    expect(stateAfter(...events, Planning.discarded()).design).toEqual(initialDesign)
  })

  test('may change a shared part everywhere after one answer [EDIT-8]', () => {
    const chosen = Designing.everywhereChosen({ path: LEGAL })
    expect(stateAfter(begun(), chosen, chosen).design.everywhere).toEqual([LEGAL])
    const again = stateAfter(begun(), chosen)
    expect(
      evolveAdministration({ ...initialState, plan: again }, logOf(chosen)[0] ?? expect.fail()).plan,
    ).toBe(again)
  })
})

/** Each marked place of a document, drawn as a box of its own, if `isDrawn` says so. */
const drawnOf = (document: ReleaseDocument, isDrawn: (index: number) => boolean): readonly DrawnPlace[] =>
  withSourceMarks(document).places.flatMap((place, index) =>
    isDrawn(index)
      ? [
          {
            ...place,
            boxes: [{ left: (index * 7) % 50, top: index * 10, width: 5 + (index % 3), height: 8 }],
          },
        ]
      : [],
  )

describe('the surface of a drawn signature', () => {
  const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height })

  test('has the smallest box around all boxes of an item', () => {
    expect(boxAround([box(10, 20, 5, 5)])).toEqual(box(10, 20, 5, 5))
    expect(boxAround([box(10, 20, 30, 5), box(5, 22, 3, 13), box(12, 8, 4, 4)])).toEqual(box(5, 8, 35, 27))
  })

  test('has every item that is drawn, around all that is drawn of it, and no other', () => {
    fc.assert(
      fc.property(designTemplate, fc.array(fc.boolean(), { minLength: 1 }), (text, flags) => {
        const document: ReleaseDocument = { ...documentOf({ [A]: text }), templates: { [A]: text } }
        const drawn = drawnOf(document, (index) => flags[index % flags.length] === true)
        const surface = surfaceOf(document, A, drawn)
        const expected = allItems(outlineOf(text)).flatMap(({ from, to }) => {
          const boxes = drawn.flatMap((place) => (from <= place.from && place.to <= to ? place.boxes : []))
          return boxes.length > 0 ? [{ from, to, box: boxAround(boxes) }] : []
        })
        expect(surface.map(({ item: { from, to }, box: around }) => ({ from, to, box: around }))).toEqual(
          expected,
        )
      }),
      cases(200),
    )
  })

  test('is a tree: parents before their children, each with its level and its position', () => {
    fc.assert(
      fc.property(designTemplate, (text) => {
        const document = documentOf({ [A]: text })
        const surface = surfaceOf(
          document,
          A,
          drawnOf(document, () => true),
        )
        for (const [index, { parent, level, position, count }] of surface.entries()) {
          const siblings = surface.filter((each) => each.parent === parent)
          expect(parent).toBeLessThan(index)
          expect(level).toBe((surface[parent]?.level ?? 0) + 1)
          expect(count).toBe(siblings.length)
          expect(siblings[position - 1]).toBe(surface[index])
        }
      }),
      cases(100),
    )
  })

  test('leaves out the content of a condition that is not met', () => {
    const text = '<p>Ana</p>{{#if phone}}<p>Phone</p>{{/if}}'
    const document = documentOf({ [A]: text })
    const drawn = drawnOf(document, () => true).filter(({ to }) => to <= 10)
    expect(surfaceOf(document, A, drawn).map(({ item }) => text.slice(item.from, item.to))).toEqual([
      '<p>Ana</p>',
      'Ana',
    ])
  })

  test('has the items of a part and of the blocks of a slot, each in its own file', () => {
    const document = withTheseBlocks(documentOf({ [A]: '{{> legal}}<hr>{{block banner}}' }), [
      block(),
      block({ id: 'twice' }),
      block({ id: 'other', slot: 'other', template: 'templates/blocks/other.html' }),
    ])
    const surface = surfaceOf(
      document,
      A,
      drawnOf(document, () => true),
    )
    expect(surface.map(({ path, level, item: { kind, name } }) => [path, level, kind, name])).toEqual([
      [A, 1, 'part', 'legal'],
      [LEGAL, 2, 'words', ''],
      [A, 1, 'divider', ''],
      [A, 1, 'slot', 'banner'],
      ['templates/blocks/autumn.html', 2, 'group', ''],
      ['templates/blocks/autumn.html', 3, 'words', ''],
    ])
    expect(surface[0]?.box).toEqual(surface[1]?.box)
  })

  test('ends with a part that contains itself', () => {
    const document = documentOf({ [A]: 'a {{> legal}}', [LEGAL]: 'b {{> legal}}' })
    const surface = surfaceOf(
      document,
      A,
      drawnOf(document, () => true),
    )
    expect(Math.max(...surface.map(({ level }) => level))).toBeLessThan(10)
    expect(surface.filter(({ item: { kind } }) => kind === 'words')).toHaveLength(3)
  })

  test('has nothing of a template that is not there, or of which nothing is drawn [EDIT-6]', () => {
    expect(surfaceOf(releaseDocument, 'constructor', [])).toEqual([])
    expect(surfaceOf(releaseDocument, A, [])).toEqual([])
  })

  test('has no place for an element when the drawn elements are others [EDIT-6]', () => {
    const element = (name: string, number: number | null): RenderedPiece => ({
      kind: 'element',
      name,
      classes: number === null ? null : `signet-from-${String(number)}`,
    })
    const marked = [element('p', 4), element('b', 5), element('i', null)]
    const shown = marked.map((piece) => ({ ...piece, classes: null }))
    expect([...placedElements(marked, shown)]).toEqual([
      [0, 4],
      [1, 5],
    ])
    for (const other of [shown.slice(0, 2), [...shown, element('p', null)], shown.toReversed()])
      expect(placedElements(marked, other).size).toBe(0)
  })

  test('means, in a box of several lines, the words that are in one of them', () => {
    const document = documentOf({ [A]: '<p><b>{{title}}</b>{{phone}}</p>' })
    const line = (left: number, top: number, width: number) => ({ left, top, width, height: 10 })
    const [TITLE, NUMBER] = [
      placeOf(A, document.templates[A] ?? '', '{{title}}'),
      placeOf(A, document.templates[A] ?? '', '{{phone}}'),
    ]
    const items = surfaceOf(document, A, [
      { ...TITLE, boxes: [line(0, 0, 60)] },
      { ...NUMBER, boxes: [line(60, 0, 40), line(0, 10, 50)] },
    ])
    const last = items.length - 1
    const meant = (left: number, top: number) => items[meantIndex(items, last, { left, top })]
    expect(items.map(({ box }) => box)).toEqual([
      ...items.slice(0, -1).map(({ box }) => box),
      { left: 0, top: 0, width: 100, height: 20 },
    ])
    expect([meant(59, 5), meant(60, 5), meant(0, 10), meant(49, 19)].map((each) => each?.item.from)).toEqual([
      TITLE.from,
      NUMBER.from,
      NUMBER.from,
      NUMBER.from,
    ])
    // Beside both is what they are in; outside of it, the browser knows better.
    expect(meant(70, 15)?.item.kind).toBe('group')
    expect(meantIndex(items, last, { left: 200, top: 5 })).toBe(last)
    expect(meantIndex(items, 0, { left: 200, top: 5 })).toBe(0)
    expect(meantIndex(items, 99, { left: 0, top: 0 })).toBe(99)
  })

  test('says which item is at a place', () => {
    const [group, words] = surfaceOf(
      releaseDocument,
      A,
      drawnOf(releaseDocument, () => true),
    )
    if (!group || !words) throw new Error('Nothing is drawn')
    expect([words, group].map((each) => isItemAt(each, PHONE))).toEqual([true, false])
    expect(isItemAt(words, { ...PHONE, path: B })).toBe(false)
    expect(isItemAt(words, { ...PHONE, to: PHONE.to + 1 })).toBe(false)
    expect(isItemAt(words, null)).toBe(false)
  })
})

test('a person without a value gets its name, and keeps the values that are there', () => {
  const document = {
    ...releaseDocument,
    variables: [variableOf('title', { from: 'jobTitle' }), variableOf('fax', { from: 'faxNumber' })],
  }
  const person = { ...alex, directory: { jobTitle: 'Buyer', faxNumber: '', city: 'Porto' } }
  expect(withSampleValues(document, person)).toEqual({
    ...person,
    directory: { ...samplePerson(document).directory, jobTitle: 'Buyer', faxNumber: 'fax', city: 'Porto' },
  })
})

describe('what is added without a selection', () => {
  const document = documentOf({
    'templates/banner.part.html': '{{block banner}}',
    'templates/both.part.html': '<p>Ana</p>{{block banner}}',
  })
  const ROW = '<tr><td>Alex</td></tr>'
  const follows = (text: string) => {
    const item = lastOwnItem({ ...document, templates: { ...document.templates, [A]: text } }, A)
    return item && text.slice(item.from, item.to)
  }

  test.each([
    ['<p>Alex</p><p>Kim</p>', '<p>Kim</p>'],
    ['<p>Alex</p>{{block banner}}', '<p>Alex</p>'],
    ['<p>Alex</p>{{> banner}}{{> legal}}', '<p>Alex</p>'],
    ['<p>Alex</p>{{> both}}{{> legal}}', '{{> both}}'],
    ['<p>Alex</p><p>{{legal_line}}</p>', '<p>Alex</p>'],
    [`<table>${ROW}<tr><td>{{block banner}}</td></tr></table><p>{{legal_line}}</p>`, ROW],
    [
      '<table><tr><td>Alex</td><td>{{block banner}}</td></tr></table>',
      '<table><tr><td>Alex</td><td>{{block banner}}</td></tr></table>',
    ],
    ['<p>Alex {{legal_line}} <b>x</b></p>', '<p>Alex {{legal_line}} <b>x</b></p>'],
    ['<p>Alex</p>{{block banner}}<p>Kim</p>', '<p>Kim</p>'],
    ['{{block banner}}{{> legal}}', '{{> legal}}'],
    ['', null],
  ])('in %s follows %s', (text, item) => {
    expect(follows(text)).toBe(item)
  })
})
