import { Picture } from '../../streams/pane/picture/events.ts'
import { selectAdminDefinedId, selectDefaultIds } from '../../streams/pane/defaults/selectors.ts'
import { selectSignatureReason } from '../../streams/pane/insertion/selectors.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AppEvent } from '../../streams/pane/events.ts'
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import type { ListedSignature } from '../../streams/wire/signatures.ts'
import { selectListedEntries } from '../../streams/pane/signatures/selectors.ts'
import { type SignatureReason, whyInMessage, whyOffered } from '../../streams/pane/signatures/why.ts'
import { openPane, type Pane } from '../support/pane.ts'
import {
  cachedSignature,
  listedSignature,
  masterId,
  profile,
  signedInWriting,
  stateAfter,
} from '../support/state.ts'

const SALES = 'sales@northwind.example'
const own = [
  listedSignature({ variants: [{ code: 'reply', html: '<p>Alex</p>' }] }),
  listedSignature({ name: 'Short', combinedIds: 'c-short', html: '<p>A. K.</p>' }),
]
const delegated = [
  listedSignature({ name: 'Sales', email: SALES, combinedIds: 'd-sales', html: '<p>Sales</p>' }),
]
const chose = (master: string, reply: string | null = null) =>
  profile({
    delegations: ['u-sales'],
    metadata: { defaultSignature: { master, reply }, others: {} },
  })
const ofOrganisation = profile({ delegations: ['u-sales'] })

const open = (options: Parameters<typeof openPane>[0] = {}): Pane => {
  const pane = openPane({ own, delegated, profile: ofOrganisation, ...options })
  pane.clock.advance(1_000)
  return pane
}
const why = ({ app }: Pane) => selectSignatureReason(app.state$.value)
/** Begins a reply or a forward, and waits until the pane has read it. */
const replying = ({ mailbox, clock }: Pane, type: 'reply' | 'forward') => {
  mailbox.act({ type })
  mailbox.act({ type: 'endSwitch' })
  clock.advance(1_000)
}

describe('the reason of a signature', () => {
  test('[CHOOSE-1] is the default, set by the user or the organisation', () => {
    expect(why(open())).toEqual({ kind: 'default', by: 'organisation' })
    expect(why(open({ profile: chose('c-standard') }))).toEqual({ kind: 'default', by: 'person' })
  })

  test.each(['reply', 'forward'] as const)(
    '[CHOOSE-1] is the reply version in a %s, or that there is none',
    (composeType) => {
      const pane = open({ profile: chose('c-standard') })
      replying(pane, composeType)
      expect(why(pane)).toEqual({ kind: 'replyDefault', by: 'person', composeType })
      const without = open({ standard: cachedSignature({ reply: null }) })
      replying(without, composeType)
      expect(why(without)).toEqual({ kind: 'noReplyVersion', by: 'organisation' })
    },
  )

  test('[CHOOSE-1] is a choice, "no signature", or the sender that the user writes as', () => {
    const pane = open()
    const choose = (entryId: string) => {
      pane.app.record(Insertion.chosen({ entryId, itemKey: pane.itemKey() }))
      pane.clock.advance(1_000)
    }
    choose(masterId(1, 1))
    expect(why(pane)).toEqual({ kind: 'chosen' })
    pane.mailbox.act({ type: 'setFrom', from: { address: SALES.toUpperCase(), name: 'Sales desk' } })
    pane.clock.advance(4_000)
    expect(why(pane)).toEqual({ kind: 'chosen' })
    choose(`${SALES}-1-0-master`)
    expect(why(pane)).toEqual({ kind: 'sender', sender: 'Sales desk' })
    pane.app.record(Insertion.noneChosen({ itemKey: pane.itemKey() }))
    pane.clock.advance(1_000)
    expect(why(pane)).toEqual({ kind: 'none' })
  })

  test('[CHOOSE-1] is the same for an offered default as after its insertion', () => {
    const origin = fc.record({
      standing: fc.constantFrom('default' as const, 'defaultReply' as const),
      composeType: fc.constantFrom('newMail' as const, 'reply' as const, 'forward' as const, null),
      isForNewOnly: fc.boolean(),
      by: fc.constantFrom('person' as const, 'organisation' as const, null),
    })
    const goesInItself = new Set<SignatureReason['kind']>(['default', 'replyDefault', 'noReplyVersion'])
    fc.assert(
      fc.property(origin, ({ standing, composeType, isForNewOnly, by }) => {
        const has = isForNewOnly || standing === 'defaultReply'
        const offered = whyOffered(
          { owner: 'user' },
          standing,
          isForNewOnly,
          { composeType },
          null,
          by,
          null,
          false,
        )
        const isReply = composeType === 'reply' || composeType === 'forward'
        const goesIn = (standing === 'defaultReply') === (isReply && has)
        expect(goesInItself.has(offered.kind)).toBe(goesIn)
        if (!goesIn) return
        const reason = { origin: 'default', composeType, reply: isReply && has } as const
        expect(whyInMessage({ combinedIds: 'c-1', reason }, null, null, by, null)).toEqual(offered)
      }),
    )
  })

  test('[CHOOSE-1] is, for every listed entry, its role or its owner', () => {
    const listed = selectListedEntries(open().app.state$.value)
    expect(listed.map((each) => each.why)).toEqual([
      { kind: 'default', by: 'organisation' },
      { kind: 'forReplies' },
      { kind: 'own' },
      { kind: 'shared', owner: SALES },
    ])
  })
})

describe('the default', () => {
  const page = (objects: readonly ListedSignature[]) => ({ page: 1, total: objects.length, objects })
  const known = [
    ...signedInWriting('item-1'),
    Defaults.loaded({ value: cachedSignature() }),
    Signatures.pageLoaded({ list: 'own', epoch: 0, page: page(own) }),
  ]
  const roles = (...events: readonly AppEvent[]) =>
    selectListedEntries(stateAfter(...events)).map(({ role, by }) => [role, by])

  test('[SIG-2] state holds both lists with total and offset, the default, its ids and the admin-defined id', () => {
    const { app } = open({ profile: chose('c-standard', 'c-short') })
    const state = app.state$.value
    expect(state.signatures.own).toMatchObject({ load: { status: 'success' }, total: 2, offset: 2 })
    expect(state.signatures.delegated).toMatchObject({ load: { status: 'success' }, total: 1, offset: 1 })
    expect(state.defaults.load).toEqual({ status: 'success', value: cachedSignature() })
    expect(state.signatures.reloading).toBe(false)
    expect(selectDefaultIds(state)).toEqual({ master: 'c-standard', reply: 'c-short' })
    expect(selectAdminDefinedId(state)).toBeNull()
    expect(selectAdminDefinedId(open().app.state$.value)).toBe('c-standard')
  })

  test('[SIG-2] sets the loading flags of list, default and reload', () => {
    const pane = openPane({ own, ms: 100 })
    pane.clock.advance(150)
    expect(pane.app.state$.value).toMatchObject({
      signatures: { own: { load: { status: 'pending' } } },
      defaults: { load: { status: 'pending' } },
    })
    pane.clock.advance(1_000)
    pane.app.record(Picture.deleteRequested())
    expect(pane.app.state$.value.signatures).toMatchObject({ reloading: true, own: { offset: 0, total: 0 } })
    pane.clock.advance(5_000)
    expect(pane.app.state$.value.signatures).toMatchObject({ reloading: false, own: { offset: 2, total: 2 } })
  })

  test('[SIG-2] is marked in the list, as the user’s or the organisation’s once that is known', () => {
    expect(roles(...known)).toEqual([
      ['default', null],
      ['defaultReply', null],
      [null, null],
    ])
    expect(roles(...known, Profile.loaded({ value: profile() }))).toEqual([
      ['default', 'organisation'],
      ['defaultReply', 'organisation'],
      [null, null],
    ])
    expect(roles(...known, Profile.loaded({ value: chose('c-standard') }))).toEqual([
      ['default', 'person'],
      ['defaultReply', 'person'],
      [null, null],
    ])
  })

  test('[SIG-2] for replies is the chosen signature itself when it has no reply version', () => {
    expect(roles(...known, Profile.loaded({ value: chose('c-standard', 'c-short') }))).toEqual([
      ['default', 'person'],
      [null, null],
      ['defaultReply', 'person'],
    ])
  })

  test('[SIG-2] is the choice of the user until the service responds', () => {
    const state = stateAfter(Profile.loaded({ value: chose('c-1', 'c-2') }))
    expect(selectDefaultIds(state)).toEqual({ master: 'c-1', reply: 'c-2' })
    expect(selectDefaultIds(stateAfter(Mailbox.itemChanged({ item: null })))).toEqual({
      master: null,
      reply: null,
    })
  })
})
