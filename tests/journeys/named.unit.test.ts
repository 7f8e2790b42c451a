import fc from 'fast-check'
import { throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { selectShownInMessage, selectSignatureReason } from '../../streams/pane/insertion/selectors.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { findSignatures } from '../../streams/html/message.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import type { ChosenDefaults } from '../../streams/wire/user.ts'
import type { CachedSignature, ListedSignature } from '../../streams/wire/signatures.ts'
import { selectListedEntries, selectOwnerGroups } from '../../streams/pane/signatures/selectors.ts'
import { startLaunch } from '../support/launch.ts'
import { createWorld, openPane, type Pane, type World } from '../support/pane.ts'
import { cachedSignature, listedSignature, masterId, profile } from '../support/state.ts'
import { cases } from '../support/cases.ts'

// What is named is what is in: whatever is due, whichever runtime inserts it, and whether or not the service says which signature
// a reply version belongs to, everything names the signature whose html is in the message.

const SALES = 'sales@northwind.example'
const listed = (name: string, hasReply: boolean, over: Partial<ListedSignature> = {}): ListedSignature =>
  listedSignature({
    name,
    combinedIds: `c-${name}`,
    html: `<p>${name}</p>`,
    variants: hasReply ? [{ code: 'reply', html: `<p>${name}, in reply</p>` }] : [],
    ...over,
  })
const OWN = [
  listed('Standard', true),
  listed('Short', false),
  listed('Inner', true, { audiences: ['northwind.example'] }),
  listed('Hiring', false, { audiences: ['!northwind.example'] }),
] as const
const DELEGATED = [
  listed('Sales', true, { email: SALES }),
  listed('Offer', false, { email: SALES, order: 2 }),
]
const ALL = [...OWN, ...DELEGATED]
const find = (ids: string) => ALL.find(({ combinedIds }) => combinedIds === ids) ?? OWN[0]

type Defaults = Extract<ChosenDefaults, { master: string }>

/** What a service answers for these defaults; `names` also which signature goes into replies. */
function answerOf({ master, reply }: Defaults, names: boolean): CachedSignature {
  const { name, html, combinedIds } = find(master)
  const other = find(reply ?? master)
  const version = other.variants[0]?.html ?? (other.combinedIds === combinedIds ? null : other.html)
  const of = names ? { name: other.name, combinedIds: other.combinedIds } : null
  return cachedSignature({ name, html, combinedIds, reply: version === null ? null : { html: version, of } })
}

type Case = Readonly<{
  defaults: Defaults
  names: boolean
  type: 'newMessage' | 'reply' | 'forward'
  from: string | null
  to: readonly string[]
}>
const anyIds = fc.constantFrom(...OWN.map(({ combinedIds }) => combinedIds))
const anyCase: fc.Arbitrary<Case> = fc.record({
  defaults: fc.record({
    master: anyIds,
    reply: fc.option(anyIds),
    bySender: fc.constantFrom<Readonly<Record<string, string>>>(
      {},
      { [SALES]: 'c-Offer' },
      { [SALES]: 'c-Standard' },
    ),
  }),
  names: fc.boolean(),
  type: fc.constantFrom('newMessage', 'reply', 'forward'),
  from: fc.constantFrom(null, SALES),
  to: fc.constantFrom([], ['a@northwind.example'], ['b@elsewhere.example']),
})

const served = ({ defaults, names }: Case) => ({
  own: OWN,
  delegated: DELEGATED,
  profile: profile({
    delegations: ['u-sales'],
    metadata: { defaultSignature: defaults, others: {} },
  }),
  standard: answerOf(defaults, names),
})

/** Begins the message of the case; time does not pass. */
function begin({ mailbox }: World, { type, from, to }: Case): void {
  mailbox.act({ type })
  mailbox.act({ type: 'endSwitch' })
  if (from !== null) mailbox.act({ type: 'setFrom', from: { address: from, name: 'Sales desk' } })
  const addresses = to.map((address) => ({ address, name: '' }))
  mailbox.act({ type: 'setRecipients', to: addresses, cc: [] })
}

/** The signature in the message, by its words. */
function wordsIn(world: World) {
  const [, name = '', reply] = /<p>(\w+)(, in reply)?<\/p>/.exec(composeBody(world.message())) ?? []
  return { name, ids: name && `c-${name}`, code: reply === undefined ? 'master' : 'reply' }
}

function markersIn(world: World) {
  const [found] = findSignatures(composeBody(world.message()))
  const stored = JSON.parse(world.message().sessionData['lsi_inserted'] ?? 'null') as Record<string, unknown>
  return { body: found?.combinedIds, name: stored['name'], ids: stored['combinedIds'] }
}

/** Checks what the item says. */
function expectMarked(world: World): void {
  const { name, ids } = wordsIn(world)
  expect(markersIn(world)).toEqual({ body: ids, name, ids })
}

/** Checks what the pane says. */
function expectNamed(pane: Pane): void {
  const { name, ids, code } = wordsIn(pane)
  expect(name).not.toBe('')
  const state = pane.app.state$.value
  const shown = selectShownInMessage(state)
  expect([shown?.inMessage.name, shown?.inMessage.combinedIds]).toEqual([name, ids])
  const entries = [
    ...selectListedEntries(state),
    ...selectOwnerGroups(state).flatMap((group) => group.entries),
  ]
  const used = entries.filter(({ inUse }) => inUse).map(({ entry }) => `${entry.name}, ${entry.code}`)
  expect([...new Set(used)]).toEqual([`${name}, ${code}`])
  expect(shown?.content?.html).toBe(code === 'reply' ? find(ids).variants[0]?.html : find(ids).html)
  const why = selectSignatureReason(state)
  // A version of its own for replies, or another signature for them: no reason says that there is none.
  if (why?.kind === 'noReplyVersion') expect(find(ids).variants).toEqual([])
  if (why?.kind === 'senderChoice') expect(find(ids).combinedIds).toBe(chosenFor(state.mailbox.message?.from))
  function chosenFor(from: Readonly<{ address: string }> | null | undefined) {
    const { profile: load } = state
    const chosen = load.status === 'success' ? load.value.metadata.defaultSignature?.bySender : undefined
    return chosen?.[from?.address ?? '']
  }
}

/** Checks what the log says of the last insertion. */
function expectLogged(log: Pane['app']['log'], world: World): void {
  const { name, ids } = wordsIn(world)
  const { inMessage, content } =
    log.flatMap((event) => (event.type === 'insertion/succeeded' ? [event.data] : [])).at(-1) ??
    expect.fail('nothing is logged')
  expect([inMessage.name, inMessage.combinedIds]).toEqual([name, ids])
  expect(contentHash(content.html)).toBe(inMessage.hash)
}

describe('what is named is what is in', () => {
  test('[SIG-7] [INS-3] [CHOOSE-1] when the pane inserts it, and in the next pane', () => {
    fc.assert(
      fc.property(anyCase, (each) => {
        const pane = openPane(served(each))
        pane.clock.advance(1_000)
        begin(pane, each)
        pane.clock.advance(10_000)
        expectMarked(pane)
        expectNamed(pane)
        expectLogged(pane.app.log, pane)
        pane.app.stop()
        const next = openPane({ beside: pane, runtimeId: 'next' })
        next.clock.advance(5_000)
        expectNamed(next)
      }),
      cases(20),
    )
  })

  test('[AUTO-1] [CHOOSE-1] when a launch event inserts it, with a kept copy and without', () => {
    fc.assert(
      fc.property(anyCase, fc.boolean(), (each, hasCopy) => {
        const world = hasCopy ? openPane(served(each)) : createWorld(served(each))
        world.clock.advance(5_000)
        if ('app' in world) (world as Pane).app.stop()
        begin(world, each)
        const { store } = startLaunch(world, 'newMessage')
        world.clock.advance(20_000)
        expectMarked(world)
        expectLogged(store.log, world)
        const pane = openPane({ beside: world })
        pane.clock.advance(5_000)
        expectNamed(pane)
      }),
      cases(20),
    )
  })

  test('[SIG-7] [CHOOSE-1] by its content, and by no other name, when the service does not say whose reply version it is', () => {
    fc.assert(
      fc.property(anyCase, fc.boolean(), (each, launches) => {
        const unsaid: Case = { ...each, names: false, from: null, to: [] }
        const world = createWorld(served(unsaid))
        world.ports.api.user.answers(() => throwError(() => new Failed({ kind: 'timeout' })))
        const insert = () => {
          begin(world, unsaid)
          if (launches) return startLaunch(world, 'newMessage').store.log
          return openPane({ beside: world }).app.log
        }
        const first = openPane({ beside: world, runtimeId: 'first' })
        world.clock.advance(5_000)
        first.app.stop()
        const log = insert()
        world.clock.advance(10_000)
        const { name } = wordsIn(world)
        expect(['', name]).toContain(markersIn(world).name)
        expect(
          log.flatMap((event) => (event.type === 'insertion/succeeded' ? [event.data.inMessage.name] : [])),
        ).toHaveLength(1)
        const pane = openPane({ beside: world, runtimeId: 'last' })
        pane.clock.advance(10_000)
        expectNamed(pane)
      }),
      cases(15),
    )
  })

  test('[INS-3] in the body, too, after another signature with the same content was chosen, and Undo names the former', () => {
    const twin = listed('Twin', false, { html: '<p>Short</p>' })
    const pane = openPane({ own: [OWN[1], twin], standard: cachedSignature({ reply: null }) })
    pane.clock.advance(1_000)
    const does = (event: Parameters<Pane['app']['record']>[0]) => {
      pane.app.record(event)
      pane.clock.advance(1_000)
    }
    does(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
    does(Insertion.chosen({ entryId: masterId(1, 1), itemKey: pane.itemKey() }))
    expect(markersIn(pane)).toEqual({ body: 'c-Twin', name: 'Twin', ids: 'c-Twin' })
    does(Insertion.undoRequested({ itemKey: pane.itemKey() }))
    expect(markersIn(pane)).toEqual({ body: 'c-Short', name: 'Short', ids: 'c-Short' })
  })
})
