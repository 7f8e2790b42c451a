import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PaneGesture } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { Insertion, type InsertionTarget } from '../../../streams/message/insertion/events.ts'
import { chooseContent } from '../../../streams/message/insertion/choose.ts'
import { dueContentHash } from '../../../streams/message/insertion/rules.ts'
import { selectUndoDirection, selectSignatureReason } from '../../../streams/pane/insertion/selectors.ts'
import { selectDueSignature } from '../../../streams/message/senders/selectors.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { SignatureReason } from '../../../streams/pane/signatures/why.ts'
import {
  cachedSignature,
  listedSignature,
  masterId,
  recorded,
  signedInWriting,
  stateAfter,
} from '../../support/state.ts'

// Undo and Redo over any sequence of insertions, each of which succeeds or fails; the test plays the mail client.

const OWN = ['One', 'Two'].map((name) =>
  listedSignature({ name, combinedIds: `c-${name}`, html: `<p>${name}</p>` }),
)
const itemKey = 'item-1'
const LISTED = Signatures.pageLoaded({
  list: 'own',
  epoch: 0,
  page: { page: 1, total: OWN.length, objects: OWN },
})
const BY_DEFAULT = Defaults.loaded({ value: cachedSignature({ reply: null }) })
const writing = stateAfter(...signedInWriting(itemKey), LISTED, BY_DEFAULT)

/** What the message has, as the user sees it, and what brought it there. */
type InIt = Readonly<{ html: string; why: SignatureReason['kind'] | null }>

type Step = Readonly<{
  does: 'one' | 'two' | 'none' | 'default' | 'button' | 'undo' | 'redo'
  fails: boolean
}>
const anySteps = fc.array(
  fc.record<Step>({
    does: fc.constantFrom('one', 'two', 'none', 'default', 'button', 'button', 'undo', 'redo'),
    fails: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  }),
  { maxLength: 12 },
)

const TARGETS = {
  one: { kind: 'entry', entryId: masterId(1, 0) },
  two: { kind: 'entry', entryId: masterId(1, 1) },
  none: { kind: 'none' },
  default: { kind: 'default' },
  undo: { kind: 'previous' },
  redo: { kind: 'previous' },
} as const satisfies Record<string, InsertionTarget>

const eventOf = (does: Exclude<Step['does'], 'default' | 'button'>): PaneGesture => {
  if (does === 'none') return Insertion.noneChosen({ itemKey })
  if (does === 'undo') return Insertion.undoRequested({ itemKey })
  if (does === 'redo') return Insertion.redoRequested({ itemKey })
  return Insertion.chosen({ itemKey, entryId: TARGETS[does].entryId })
}

const inIt = (state: AppState): InIt => ({
  html: state.insertion.content?.html ?? '',
  why: selectSignatureReason(state)?.kind ?? null,
})

/** Asks for an insertion and ends it; null when it cannot be asked for. */
function play(state: AppState, { does, fails }: Step, seq: number): AppState | null {
  const wanted = does === 'button' ? selectUndoDirection(state) : does
  // A view offers no other step than the button's.
  if (wanted === null || ((wanted === 'undo' || wanted === 'redo') && selectUndoDirection(state) !== wanted))
    return null
  const { message: open } = state.mailbox
  const hash =
    wanted === 'default' && open
      ? dueContentHash(state.insertion, selectDueSignature(state), itemKey, open)
      : null
  if (wanted === 'default' && hash === null) return null
  const event = wanted === 'default' ? Insertion.defaultDue({ itemKey, hash: hash ?? '' }) : eventOf(wanted)
  const asked = evolveApp(state, recorded(event, seq))
  expect(selectUndoDirection(asked), 'while it is under way').toBeNull()
  const target = TARGETS[wanted]
  const chosen = chooseContent(asked, target, { composeType: 'newMail' })
  // The button offers only what can be done, and the lists have every entry.
  if (chosen === null) return expect.fail(`nothing to insert for ${wanted}`)
  const { name, combinedIds, html, images, reason } = chosen
  const inMessage = { name, combinedIds, hash: contentHash(html), reason }
  const end = fails
    ? Insertion.failed({ id: seq, itemKey, target, failure: { kind: 'timeout' } })
    : Insertion.succeeded({ id: seq, itemKey, target, inMessage, content: { html, images } })
  return evolveApp(asked, recorded(end, seq + 1))
}

/** The states after each step that could be done, with it. */
const played = (steps: readonly Step[]) =>
  steps.reduce<readonly Readonly<{ step: Step; before: AppState; after: AppState; does: string }>[]>(
    (all, step, index) => {
      const before = all.at(-1)?.after ?? writing
      const does = step.does === 'button' ? (selectUndoDirection(before) ?? '') : step.does
      const after = play(before, step, 1_000 + 2 * index)
      return after === null ? all : [...all, { step, before, after, does }]
    },
    [],
  )

const button = (state: AppState, fails = false) => play(state, { does: 'button', fails }, 5_000)

describe('Undo and Redo', () => {
  test('[SAFE-4] Undo then Redo gives the same content; Redo is offered after Undo alone, and neither after a failure', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        for (const { step, before, after, does } of played(steps)) {
          if (step.fails) {
            expect(selectUndoDirection(after)).toBeNull()
            expect(inIt(after).html).toBe(inIt(before).html)
            continue
          }
          if (does === 'undo') expect(selectUndoDirection(after)).toBe('redo')
          if (does === 'redo') expect(selectUndoDirection(after)).toBe('undo')
          if (selectUndoDirection(after) === null) continue
          const undone = button(after) ?? expect.fail('offered, and not possible')
          const again = button(undone) ?? expect.fail('Undo cannot be redone')
          expect(inIt(again).html).toBe(inIt(after).html)
          expect(again.insertion.inMessage?.combinedIds).toBe(after.insertion.inMessage?.combinedIds)
          expect(button(undone, true)?.insertion.inMessage).toEqual(undone.insertion.inMessage)
        }
      }),
    )
  })

  test('[CHOOSE-1] [SAFE-4] the reason is what happened', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        for (const { step, before, after, does } of played(steps)) {
          if (step.fails) {
            expect(inIt(after)).toEqual(inIt(before))
            continue
          }
          const { html, why } = inIt(after)
          const isEmpty = html === ''
          if (does === 'none') expect(why).toBe('none')
          if (does === 'default') expect(why).toBe('default')
          if (does === 'one' || does === 'two') expect(why).toBe('chosen')
          // The user chose none before, or Undo took the first signature out.
          if (does === 'undo' || does === 'redo')
            expect(isEmpty ? ['none', 'takenOut'] : ['putBack']).toContain(why)
          if (why === 'none') expect(steps.some((each) => each.does === 'none')).toBe(true)
        }
      }),
    )
  })

  test('[SIG-8] what was put back or taken out is a choice of the user: no default replaces it', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        for (const { step, after, does } of played(steps)) {
          if (step.fails || (does !== 'undo' && does !== 'redo')) continue
          expect(after.mailbox.message?.stopPush).toBe(true)
          const other = { html: '<p>Another default</p>' }
          // Neither by the flag in the message nor without it: not every mail client keeps it.
          expect(dueContentHash(after.insertion, other, itemKey, { stopPush: true })).toBeNull()
          expect(dueContentHash(after.insertion, other, itemKey, { stopPush: false })).toBeNull()
        }
      }),
    )
  })

  test('[SAFE-4] an undone default leaves none that the user did not choose, and comes back by Redo', () => {
    const after = (...does: readonly Step['does'][]) =>
      played(does.map((each) => ({ does: each, fails: false }))).at(-1)?.after ?? writing
    expect(inIt(after('default', 'undo'))).toEqual({ html: '', why: 'takenOut' })
    expect(inIt(after('default', 'undo', 'redo'))).toEqual({ html: cachedSignature().html, why: 'putBack' })
    expect(inIt(after('default', 'undo', 'redo', 'undo'))).toEqual({ html: '', why: 'takenOut' })
    expect(inIt(after('default', 'one', 'undo'))).toEqual({ html: cachedSignature().html, why: 'putBack' })
    expect(inIt(after('default', 'none', 'undo', 'redo'))).toEqual({ html: '', why: 'none' })
    // Nothing was in, and nothing is: there is nothing to undo.
    expect(selectUndoDirection(after('none'))).toBeNull()
  })

  test('[SAFE-4] puts back what was in the message before the pane opened, once a default or a list has it', () => {
    const [one, two] = OWN
    const { html, combinedIds } = cachedSignature()
    const arrived = [
      { html, combinedIds, origin: 'default' as const },
      { html: one?.html ?? '', combinedIds: one?.combinedIds ?? '', origin: 'manual' as const },
    ]
    for (const order of [
      [LISTED, BY_DEFAULT],
      [BY_DEFAULT, LISTED],
    ])
      for (const { html, combinedIds, origin } of arrived) {
        const inserted = { combinedIds, hash: contentHash(html), name: '', reply: false, origin }
        const opened = stateAfter(...signedInWriting(itemKey, { inserted }), ...order)
        const after = play(opened, { does: 'two', fails: false }, 1_000) ?? expect.fail('not chosen')
        expect(inIt(after).html).toBe(two?.html)
        expect(selectUndoDirection(after)).toBe('undo')
        expect(button(after)?.insertion).toMatchObject({ inMessage: { combinedIds }, content: { html } })
      }
  })

  test('[SAFE-4] is not offered for a signature of which no loaded signature has the content', () => {
    const inserted = {
      combinedIds: 'c-One',
      hash: contentHash('<p>An older One</p>'),
      name: 'One',
      reply: false,
      origin: 'manual' as const,
    }
    const opened = stateAfter(...signedInWriting(itemKey, { inserted }), LISTED)
    expect(opened.signatures.own.entries).toHaveLength(OWN.length)
    const after = play(opened, { does: 'two', fails: false }, 1_000)
    expect(after && inIt(after).html).toBe('<p>Two</p>')
    expect(after && selectUndoDirection(after)).toBeNull()
  })
})
