import { describe, expect, it } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { selectMissingContent } from '../../streams/pane/notifications/selectors.ts'
import { GUARD_RECORD_KEY, parseGuardRecord } from '../../streams/launch/record.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type Pane, type PaneOptions, type World } from '../support/pane.ts'
import {
  cachedSignature,
  candidate,
  listedSignature,
  masterId,
  replyVersion,
  withSlot,
} from '../support/state.ts'

// The last look before a message leaves: with the pane closed, from the message and the kept copy.

const INSIDE = { address: 'leo@northwind.example', name: 'Leo' }
const OUTSIDE = { address: 'tess@fabrikam.example', name: 'Tess' }
const NOTICE = '<p>This message is meant for its recipients only.</p>'
const notice = candidate({ id: 'notice', name: 'Notice', html: NOTICE, audiences: ['!northwind.example'] })
const guard = { signature: [['!northwind.example']], blocks: ['notice'] }
const WORDS = 'Alex Kim, Northwind Trading'
const standard = cachedSignature({
  ...withSlot(`<p>${WORDS}</p>`, notice),
  reply: { ...replyVersion(''), ...withSlot('<p>Alex Kim of Northwind, replying</p>', notice) },
  guard,
})
const SHORT = listedSignature({
  name: 'Short',
  combinedIds: 'c-short',
  ...withSlot('<p>Alex, in short</p>', notice),
})
/** The default as the list has it. */
const LISTED = listedSignature({
  name: 'Standard',
  combinedIds: 'c-standard',
  ...withSlot(`<p>${WORDS}</p>`, notice),
})
const SIGNATURE = { kind: 'signature', name: 'Standard' }
const BLOCK = { kind: 'block', name: 'Notice' }

/** A new message to a recipient outside, with its signature and its notice; the pane is open. */
const written = (more: PaneOptions = {}): Pane => {
  const pane = openPane({ standard, own: [SHORT], ...more })
  pane.clock.advance(5_000)
  address(pane, OUTSIDE)
  return pane
}
const address = ({ mailbox, clock }: World, ...to: readonly (typeof INSIDE)[]) => {
  mailbox.act({ type: 'setRecipients', to })
  clock.advance(3_000)
}
const calls = ({ ports, mailbox }: World) => [
  ports.sent.filter(({ name }) => name.startsWith('api.') || name.startsWith('identity.')).length,
  mailbox.calls.filter(({ name }) => /^body\.set|Attachment/.test(name)).length,
]
/** Looks into the message as it leaves; the pane stays as it is. */
const look = (world: World) => {
  const before = calls(world)
  const launched = startLaunch(world, 'send')
  world.clock.advance(3_000)
  expect(launched.completed).toHaveLength(1)
  // No request, and nothing is written into the message.
  expect(calls(world)).toEqual(before)
  return launched
}
const asked = (world: World) => look(world).asked()
/** What the user does to the signature in the message. */
const edit = ({ mailbox }: World, change: (signature: string) => string, world: World) => {
  mailbox.act({ type: 'signatureEdited', signature: change(world.message().body.signature) })
}
const remove = (pane: Pane) => {
  pane.app.stop()
  edit(pane, () => '', pane)
}

describe('before a message leaves', () => {
  it('[MEET-6] nothing is asked when all is there, in well below two seconds and without a request', () => {
    const pane = written()
    expect(composeBody(pane.message())).toContain('meant for its recipients')
    const { completed, outcome } = look(pane)
    expect(outcome()).toBe('none')
    expect(completed[0]?.at).toBeLessThan(300)
  })

  it('[MEET-6] a missing signature is asked about, with its blocks', () => {
    const pane = written()
    remove(pane)
    const launched = look(pane)
    expect(launched.asked()).toEqual([SIGNATURE, BLOCK])
    expect(launched.outcome()).toBe('asked')
  })

  it('[MEET-6] is asked once at most', () => {
    const pane = written()
    remove(pane)
    expect(asked(pane)).toEqual([SIGNATURE, BLOCK])
    expect(asked(pane)).toEqual([])
    expect(parseGuardRecord(pane.message().sessionData[GUARD_RECORD_KEY] ?? null)).toEqual([
      { name: 'Standard' },
      { name: 'Notice' },
    ])
  })

  it('[MEET-6] a block that is removed by hand is asked about, and one that is not due is not', () => {
    const pane = written()
    pane.app.stop()
    edit(pane, (signature) => signature.replace(NOTICE, ''), pane)
    expect(composeBody(pane.message())).not.toContain('meant for')
    expect(asked(pane)).toEqual([BLOCK])
  })

  it('[MEET-6] what is for recipients outside is not asked about inside', () => {
    const pane = written()
    address(pane, INSIDE)
    remove(pane)
    expect(asked(pane)).toEqual([])
  })

  it('[MEET-6] a block that recipients brought at the last moment is asked about', () => {
    const pane = written()
    address(pane, INSIDE)
    pane.app.stop()
    address(pane, INSIDE, OUTSIDE)
    expect(asked(pane)).toEqual([BLOCK])
  })

  it('[MEET-6] a signature that the user chose counts, and needs its blocks', () => {
    const pane = written()
    pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(composeBody(pane.message())).toContain('in short')
    expect(asked(pane)).toEqual([])
    pane.app.stop()
    edit(pane, (signature) => signature.replace(NOTICE, ''), pane)
    expect(asked(pane)).toEqual([BLOCK])
  })

  it('[MEET-6] a user who chose no signature is not asked', () => {
    const pane = written()
    pane.app.record(Insertion.noneChosen({ itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(composeBody(pane.message())).not.toContain(WORDS)
    expect(asked(pane)).toEqual([])
  })

  it('[MEET-6] a block that was just undone is not asked about', () => {
    const pane = written()
    pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(composeBody(pane.message())).not.toContain('meant for')
    expect(asked(pane)).toEqual([])
  })

  it('[MEET-6] words tell a signature whose marks the client took away', () => {
    const pane = written()
    pane.app.stop()
    const unmarked = pane.message().body.signature.replace(/ (?:data-signet-[a-z]+|id)="[^"]*"/g, '')
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1_000)
    address(pane, OUTSIDE)
    pane.mailbox.act({ type: 'typed', author: `<p>Dear Tess</p>${unmarked}` })
    expect(asked(pane)).toEqual([])
    pane.mailbox.act({ type: 'typed', author: '<p>Dear Tess</p>' })
    expect(asked(pane)).toEqual([SIGNATURE, BLOCK])
  })

  it('[MEET-6] a reply is asked about by its own version', () => {
    const pane = written()
    pane.mailbox.act({ type: 'reply' })
    pane.clock.advance(5_000)
    address(pane, OUTSIDE)
    expect(composeBody(pane.message())).toContain('replying')
    expect(asked(pane)).toEqual([])
    remove(pane)
    expect(asked(pane)).toEqual([{ kind: 'signature', name: 'Standard' }, BLOCK])
  })

  it.each([
    [
      'switched automatic insertion off',
      Settings.updateRequested({ changes: { enableSignaturePush: false } }),
    ],
    ['signed out', Auth.signOutRequested({ reason: { kind: 'person' } })],
  ])('[MEET-6] a user who %s is not asked', (_, event) => {
    const pane = written()
    pane.app.record(event)
    pane.clock.advance(3_000)
    remove(pane)
    expect(asked(pane)).toEqual([])
  })

  it('[MEET-6] nothing is asked without a guard', () => {
    const { guard: _, ...unguarded } = standard
    const pane = written({ standard: unguarded })
    remove(pane)
    expect(look(pane).outcome()).toBe('none')
  })
})

describe('the pane that the question opens', () => {
  const state = ({ app }: Pane) => app.state$.value
  /** The user was asked, and opens the pane by the button of the question. */
  const opened = (before: Pane) => {
    expect(asked(before)).not.toEqual([])
    const pane = openPane({ beside: before })
    pane.clock.advance(5_000)
    return pane
  }
  const use = (pane: Pane) => {
    const offered = selectMissingContent(state(pane))
    expect(offered?.entry).toBeTruthy()
    pane.app.record(Insertion.chosen({ entryId: offered?.entry?.entryId ?? '', itemKey: pane.itemKey() }))
    pane.clock.advance(5_000)
  }

  it('[MEET-6] offers the signature that is missing, with its blocks, until it is in', () => {
    const before = written({ own: [LISTED] })
    remove(before)
    const pane = opened(before)
    expect(selectMissingContent(state(pane))).toMatchObject({
      names: ['Standard', 'Notice'],
      entry: { name: 'Standard' },
    })
    use(pane)
    expect(composeBody(pane.message())).toContain('meant for its recipients')
    expect(composeBody(pane.message())).toContain(WORDS)
    expect(selectMissingContent(state(pane))).toBeNull()
    expect(asked(pane)).toEqual([])
  })

  it('[MEET-6] offers the signature of the message again, for its block', () => {
    const before = written({ own: [SHORT] })
    before.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: before.itemKey() }))
    before.clock.advance(3_000)
    before.app.stop()
    edit(before, (signature) => signature.replace(NOTICE, ''), before)
    const pane = opened(before)
    expect(selectMissingContent(state(pane))).toMatchObject({ names: ['Notice'], entry: { name: 'Short' } })
    use(pane)
    expect(composeBody(pane.message()).match(/meant for its recipients/g)).toHaveLength(1)
    expect(composeBody(pane.message()).match(/in short/g)).toHaveLength(1)
  })

  it('[MEET-6] says nothing any more once a signature was inserted, by the pane or with the pane closed', () => {
    const again = (before: Pane) => {
      before.app.stop()
      const pane = openPane({ beside: before })
      pane.clock.advance(5_000)
      expect(composeBody(pane.message())).toContain('meant for its recipients')
      expect(selectMissingContent(state(pane))).toBeNull()
      expect(asked(pane)).toEqual([])
    }
    const before = written({ own: [LISTED] })
    remove(before)
    const pane = opened(before)
    use(pane)
    again(pane)

    const closed = written()
    address(closed, INSIDE)
    closed.app.stop()
    address(closed, INSIDE, OUTSIDE)
    expect(asked(closed)).toEqual([BLOCK])
    startLaunch(closed, 'recipientsChanged')
    closed.clock.advance(10_000)
    again(closed)
  })

  it('[MEET-6] offers no second signature where the first is known by its words alone', () => {
    const before = written()
    before.app.stop()
    const unmarked = before.message().body.signature.replace(/ (?:data-signet-[a-z]+|id)="[^"]*"/g, '')
    edit(before, () => unmarked.replace(NOTICE, ''), before)
    expect(asked(before)).toEqual([{ ...BLOCK, wordsOnly: true }])
    const pane = openPane({ beside: before })
    pane.clock.advance(5_000)
    expect(composeBody(pane.message()).match(new RegExp(WORDS, 'g'))).toHaveLength(1)
    expect(selectMissingContent(state(pane))).toEqual({ names: ['Notice'], entry: null })
  })

  it.each(['html', 'text'] as const)(
    '[MEET-6] inserts no default beside a signature that is known by its words alone: %s',
    (bodyType) => {
      const before = written()
      before.app.stop()
      before.mailbox.act({ type: 'newMessage' })
      before.clock.advance(1_000)
      address(before, OUTSIDE)
      before.mailbox.act({ type: 'setBodyType', bodyType })
      before.mailbox.act({ type: 'typed', author: bodyType === 'text' ? WORDS : `<p>${WORDS}</p>` })
      expect(asked(before)).toEqual([{ ...BLOCK, wordsOnly: true }])
      const pane = openPane({ beside: before })
      pane.clock.advance(5_000)
      expect(composeBody(pane.message()).match(new RegExp(WORDS, 'g'))).toHaveLength(1)
      expect(selectMissingContent(state(pane))).toEqual({ names: ['Notice'], entry: null })
      startLaunch(pane, 'recipientsChanged')
      pane.clock.advance(10_000)
      expect(composeBody(pane.message()).match(new RegExp(WORDS, 'g'))).toHaveLength(1)
    },
  )

  it('[MEET-6] offers nothing in plain text in which no signature is known', () => {
    const before = written()
    remove(before)
    before.mailbox.act({ type: 'setBodyType', bodyType: 'text' })
    expect(asked(before)).toEqual([SIGNATURE, BLOCK])
    const pane = openPane({ beside: before })
    pane.clock.advance(5_000)
    expect(selectMissingContent(state(pane))).toEqual({ names: ['Standard', 'Notice'], entry: null })
  })

  it('[MEET-6] plain text: a deleted notice is missing alone, and an altered word is nothing', () => {
    const text = (change: (body: string) => string) => {
      const pane = openPane({ standard, own: [SHORT] })
      pane.clock.advance(5_000)
      pane.mailbox.act({ type: 'newMessage' })
      pane.mailbox.act({ type: 'setBodyType', bodyType: 'text' })
      pane.clock.advance(5_000)
      address(pane, OUTSIDE)
      expect(composeBody(pane.message())).toContain('meant for its recipients')
      pane.app.stop()
      const { author, signature } = pane.message().body
      pane.mailbox.act({ type: 'signatureEdited', signature: change(signature) })
      pane.mailbox.act({ type: 'typed', author: change(author) })
      return asked(pane)
    }
    expect(text((body) => body)).toEqual([])
    expect(text((body) => body.replace('This message is meant for its recipients only.', ''))).toEqual([
      { ...BLOCK, wordsOnly: true },
    ])
    expect(text((body) => body.replace('Trading', 'Trader'))).toEqual([])
  })

  it('[MEET-6] offers nothing where nothing was asked, although the signature is missing', () => {
    const before = written({ own: [LISTED] })
    remove(before)
    const pane = openPane({ beside: before })
    pane.clock.advance(5_000)
    expect(composeBody(pane.message())).not.toContain(WORDS)
    expect(selectMissingContent(state(pane))).toBeNull()
  })
})
