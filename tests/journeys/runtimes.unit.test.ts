import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BODY_BEFORE_KEY,
  INSERTED_SIGNATURE_KEY,
  MAX_BODY_BEFORE_CHARACTERS,
} from '../../effects/message/mailbox.ts'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { CLIENT_PROFILES } from '../../src/playground/mailbox/profiles.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { cases } from '../support/cases.ts'
import { createLine, type Line, type Pace, type Slip } from '../support/line.ts'
import { type Launched, startLaunch } from '../support/launch.ts'
import { openPane, type World } from '../support/pane.ts'
import { cachedSignature, image, listedSignature, profile, replyVersion } from '../support/state.ts'

// Several runtimes at work on one message, each with its own speed, while anything is slow.

const LOGO = 'https://images.northwind.example/logo.png'
const STANDARD = 'Alex Kim, Purchasing at Northwind Traders'
const REPLY = 'Alex Kim, Purchasing, in short for replies'
const SALES = 'The sales desk of Northwind Traders in Bergen'
const SENDER = { address: 'sales@northwind.example', name: 'Sales desk' }
const ALEX = { address: 'alex.kim@northwind.example', name: 'Alex Kim' }
const known = {
  standard: cachedSignature({
    html: `<p>${STANDARD}</p><img src="${LOGO}">`,
    reply: replyVersion(`<p>${REPLY}</p>`),
    images: [image(LOGO)],
  }),
  profile: profile({ delegations: ['u-2'] }),
  delegated: [
    listedSignature({
      name: 'Sales desk',
      email: SENDER.address,
      combinedIds: 'c-sales',
      html: `<p>${SALES}</p><img src="${LOGO}">`,
      images: [image(LOGO)],
    }),
  ],
}
const withCopy = (options: Parameters<typeof openPane>[0] = {}): World => {
  const pane = openPane({ ...known, ...options })
  pane.clock.advance(5_000)
  pane.app.stop()
  return pane
}
const bodyOf = (world: World) => composeBody(world.message())

describe('a slow runtime', () => {
  // The sender changes before, while and after the slow runtime reads the message.
  it.each([0, 300, 600, 900, 1_200])(
    '[AUTO-9] does not put its older decision in the place of a newer one, made after %d ms',
    (gapMs) => {
      const world = withCopy()
      const { mailbox, clock } = world
      mailbox.act({ type: 'newMessage' })
      clock.advance(100)
      startLaunch(world, 'newMessage', { line: createLine([290]) })
      clock.advance(gapMs)
      mailbox.act({ type: 'setFrom', from: SENDER })
      const fast = startLaunch(world, 'fromChanged')
      clock.advance(120_000)
      expect(bodyOf(world)).toContain(SALES)
      expect(bodyOf(world)).not.toContain(STANDARD)
      expect(['inserted', 'already']).toContain(fast.outcome())
    },
  )

  it('[AUTO-9] keeps the sender that it knows when the client does not tell the sender again', () => {
    const world = withCopy()
    const { mailbox, clock } = world
    mailbox.act({ type: 'newMessage' })
    mailbox.act({ type: 'setFrom', from: SENDER })
    clock.advance(100)
    const line = createLine([290])
    startLaunch(world, 'newMessage', { line })
    clock.advance(1_000)
    mailbox.fail('from.getAsync', { code: 5001, name: 'InternalError' })
    clock.advance(120_000)
    expect(bodyOf(world)).toContain(SALES)
  })
})

describe('a line of the author that a launch event lost', () => {
  /** Signatures with pictures are replaced in two steps, in which this client loses nothing. */
  const plain = {
    ...known,
    standard: cachedSignature({ html: `<p>${STANDARD}</p>`, reply: replyVersion(`<p>${REPLY}</p>`) }),
    delegated: known.delegated.map((each) => ({ ...each, html: `<p>${SALES}</p>`, images: [] })),
  }
  /** A message with the default, in a client that loses the line above a signature that is replaced. */
  const withLine = (line: string) => {
    const world = withCopy({ ...plain, quirks: ['losesLineAbove'] })
    world.mailbox.act({ type: 'newMessage' })
    world.clock.advance(100)
    startLaunch(world, 'newMessage')
    world.clock.advance(10_000)
    world.mailbox.act({ type: 'typed', author: `<p>${line}</p>` })
    return world
  }
  /** A launch event replaces the default. */
  const lose = (world: World, line: string) => {
    world.mailbox.act({ type: 'setFrom', from: SENDER })
    startLaunch(world, 'fromChanged')
    world.clock.advance(10_000)
    expect(bodyOf(world)).toContain(SALES)
    expect(bodyOf(world)).not.toContain(line)
  }

  it('[SAFE-2] is offered by a pane that opens later, and comes back once', () => {
    const world = withLine('Dear Sam,')
    lose(world, 'Dear Sam,')
    const pane = openPane({ ...plain, beside: world })
    pane.clock.advance(5_000)
    expect(pane.app.state$.value.insertion.bodyBefore).not.toBeNull()
    pane.app.record(Insertion.bodyRestoreRequested({ itemKey: pane.itemKey() }))
    expect(pane.app.state$.value.insertion.bodyRestore.status).toBe('pending')
    pane.clock.advance(5_000)
    expect(bodyOf(world)).toContain('Dear Sam,')
    expect(pane.app.state$.value.insertion.bodyBefore).toBeNull()
    pane.app.stop()
    const next = openPane({ ...plain, beside: world, runtimeId: 'next' })
    next.clock.advance(5_000)
    expect(next.app.state$.value.insertion.bodyBefore).toBeNull()
  })

  it('[SAFE-2] is offered by a pane that inserts nothing itself', () => {
    const world = withLine('Dear Sam,')
    lose(world, 'Dear Sam,')
    const service = { ...world.service, ms: 600_000 }
    const pane = openPane({ ...plain, beside: { ...world, service } })
    pane.clock.advance(10_000)
    expect(pane.app.state$.value.insertion.latest).toBeNull()
    expect(pane.app.state$.value.insertion.bodyBefore).not.toBeNull()
    pane.app.record(Insertion.bodyRestoreRequested({ itemKey: pane.itemKey() }))
    expect(pane.app.state$.value.insertion.bodyRestore.status).toBe('pending')
    pane.clock.advance(10_000)
    expect(bodyOf(world)).toContain('Dear Sam,')
    expect(pane.app.state$.value.insertion.bodyBefore).toBeNull()
  })

  it('[SAFE-2] is offered by an open pane with its next insertion', () => {
    const world = withLine('Dear Sam,')
    const pane = openPane({ ...plain, beside: world, client: createLine([290]).over })
    pane.clock.advance(10_000)
    lose(world, 'Dear Sam,')
    pane.clock.advance(60_000)
    pane.app.record(Insertion.noneChosen({ itemKey: pane.itemKey() }))
    pane.clock.advance(60_000)
    pane.app.record(Insertion.bodyRestoreRequested({ itemKey: pane.itemKey() }))
    pane.clock.advance(60_000)
    expect(bodyOf(world)).toContain('Dear Sam,')
  })

  it('[SAFE-2] is kept with the first body alone, which has all the text', () => {
    const world = withLine('Dear Sam,')
    lose(world, 'Dear Sam,')
    const kept = world.message().sessionData[BODY_BEFORE_KEY]
    world.mailbox.act({ type: 'typed', author: '<p>Kind regards</p>' })
    world.mailbox.act({ type: 'setFrom', from: ALEX })
    startLaunch(world, 'fromChanged')
    world.clock.advance(10_000)
    expect(bodyOf(world)).not.toContain('Kind regards')
    expect(kept).toContain('Dear Sam,')
    expect(world.message().sessionData[BODY_BEFORE_KEY]).toBe(kept)
  })

  it('leaves the room of the session data to the record of the signature', () => {
    const line = 'word '.repeat(MAX_BODY_BEFORE_CHARACTERS / 5)
    const world = withLine(line)
    lose(world, line)
    expect(world.message().sessionData[BODY_BEFORE_KEY]).toBeUndefined()
    expect(world.message().sessionData[INSERTED_SIGNATURE_KEY]).toContain('c-sales')
  })
})

describe('plain text', () => {
  const inText = (world: World, type: 'newMessage' | 'reply') => {
    world.mailbox.act({ type })
    world.mailbox.act({ type: 'setBodyType', bodyType: 'text' })
    world.clock.advance(100)
  }
  const countIn = (world: World) =>
    [STANDARD, REPLY, SALES].map((words) => bodyOf(world).split(words).length - 1)

  it('[AUTO-9] [SAFE-1] has its signature once when two runtimes write it late', () => {
    const world = withCopy({ edition: 'web' })
    inText(world, 'newMessage')
    world.mailbox.act({ type: 'typed', author: 'Dear Sam,' })
    const before = bodyOf(world)
    const late = () => createLine([0], { call: 'body.setSignatureAsync', late: [8_000] })
    const launched = [late(), late()].map((line) => startLaunch(world, 'newMessage', { line }))
    world.clock.advance(14_000)
    expect(countIn(world)).toEqual([2, 0, 0])
    world.clock.advance(60_000)
    expect(countIn(world)).toEqual([1, 0, 0])
    expect(bodyOf(world)).toBe(`${STANDARD}\n\n${before}`)
    for (const { completed } of launched) expect(completed).toHaveLength(1)
    // Nothing awaits a text any more, and the signature is known.
    const pane = openPane({ ...known, edition: 'web', beside: world })
    pane.clock.advance(5_000)
    expect(pane.app.state$.value.insertion.inMessage?.combinedIds).toBe('c-standard')
    expect(pane.app.state$.value.insertion.awaitedUntil).toBeNull()
  })

  it.each(['newMessage', 'reply'] as const)(
    '[AUTO-9] [SAFE-1] has its signature once when a runtime ends between text and record: %s',
    (type) => {
      const world = withCopy({ edition: 'web' })
      inText(world, type)
      const line = createLine([0])
      startLaunch(world, 'newMessage', { line })
      const cut = world.mailbox.state$.subscribe(() => {
        if (countIn(world).some((count) => count > 0)) line.cut()
      })
      world.clock.advance(5_000)
      cut.unsubscribe()
      expect(world.message().sessionData[INSERTED_SIGNATURE_KEY]).toBeUndefined()
      const other = startLaunch(world, 'newMessage')
      world.clock.advance(120_000)
      expect(countIn(world)).toEqual(type === 'reply' ? [0, 1, 0] : [1, 0, 0])
      expect(other.completed).toHaveLength(1)
      expect(world.message().sessionData[INSERTED_SIGNATURE_KEY]).toContain('c-standard')
      // The next one is put in its place.
      world.mailbox.act({ type: 'setFrom', from: SENDER })
      startLaunch(world, 'fromChanged')
      world.clock.advance(60_000)
      expect(countIn(world)).toEqual([0, 0, 1])
    },
  )

  it.each([...CLIENT_PROFILES, null])(
    '[INS-5] is as before after Undo, blank lines and all: %s',
    (edition) => {
      fc.assert(
        fc.property(
          fc.constantFrom('newMessage' as const, 'reply' as const),
          fc.array(fc.constantFrom('\n', '\n\n', 'Dear Sam,', 'here are the figures.'), { maxLength: 5 }),
          (type, lines) => {
            const pane = openPane({ ...known, edition })
            pane.app.stop()
            inText(pane, type)
            pane.mailbox.act({ type: 'typed', author: lines.join('\n') })
            const before = bodyOf(pane)
            const beside = openPane({ ...known, edition, beside: pane })
            beside.clock.advance(10_000)
            expect(countIn(beside).reduce((sum, count) => sum + count)).toBe(1)
            beside.app.record(Insertion.undoRequested({ itemKey: beside.itemKey() }))
            beside.clock.advance(10_000)
            expect(bodyOf(beside)).toBe(before)
          },
        ),
        cases(10),
      )
    },
  )
})

// ---- Any schedule ----

const OUTSIDE = { address: 'tess@fabrikam.example', name: 'Tess' }

type Act = Readonly<{ waitMs: number; by: 0 | 1 }> &
  (
    | Readonly<{ do: 'sender'; from: typeof ALEX }>
    | Readonly<{ do: 'recipients'; to: readonly (typeof ALEX)[] }>
    | Readonly<{ do: 'type' | 'cut' }>
  )
const act: fc.Arbitrary<Act> = fc
  .tuple(
    fc.oneof(
      fc.record({ do: fc.constant('sender' as const), from: fc.constantFrom(ALEX, SENDER) }),
      fc.record({ do: fc.constant('recipients' as const), to: fc.subarray([OUTSIDE]) }),
      fc.record({ do: fc.constantFrom('type' as const, 'cut' as const) }),
    ),
    fc.constantFrom(0, 20, 150, 400, 900, 1_300, 4_000, 15_000),
    fc.constantFrom<0 | 1>(0, 1),
  )
  .map(([what, waitMs, by]) => ({ ...what, waitMs, by }))
const pace: fc.Arbitrary<Pace> = fc.oneof(
  fc.constantFrom([0], [30], [290], [700]),
  fc.array(fc.nat(400), { minLength: 1, maxLength: 8 }),
)
/** In plain text only: an HTML signature that comes late is a limit that the decision about insertions names. */
const lateText: fc.Arbitrary<Slip | null> = fc.option(
  fc.record({
    call: fc.constant('body.setSignatureAsync' as const),
    late: fc.array(fc.constantFrom(0, 4_000, 8_000, 14_000, 'unanswered' as const), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
)
/** Session data that come late are a limit of the claim. */
const slip: fc.Arbitrary<Slip | null> = fc.oneof(
  lateText,
  fc.record({
    call: fc.constantFrom('sessionData.setAsync' as const, 'customProperties.saveAsync' as const),
    late: fc.array(fc.constantFrom(0, 4_000, 'unanswered' as const), { minLength: 1, maxLength: 3 }),
  }),
)
const schedule = fc.record({
  type: fc.constantFrom('newMessage' as const, 'reply' as const),
  isText: fc.boolean(),
  edition: fc.constantFrom(null, ...CLIENT_PROFILES),
  isTwice: fc.boolean(),
  paces: fc.tuple(pace, pace),
  slips: fc.tuple(slip, lateText),
  acts: fc.array(act, { maxLength: 5 }),
})

/** Every event of the client goes to one of two runtimes, each with its own speed. */
function play({
  type,
  isText,
  edition,
  isTwice,
  paces,
  slips,
  acts,
}: typeof schedule extends fc.Arbitrary<infer Schedule> ? Schedule : never): void {
  const world = withCopy({ edition })
  const { mailbox, clock } = world
  mailbox.act({ type })
  if (isText) mailbox.act({ type: 'setBodyType', bodyType: 'text' })
  clock.advance(100)
  const lineOf = (by: 0 | 1) => createLine(paces[by], isText ? slips[by] : null)
  const lines: [Line, Line] = [lineOf(0), lineOf(1)]
  const running: [Launched | null, Launched | null] = [null, null]
  const raised = [0, 0]
  const raise = (kind: LaunchKind, by: 0 | 1) => {
    const last = running[by]
    // A runtime whose events are all completed is over.
    if (last && last.completed.length < (raised[by] ?? 0)) last.raise(kind)
    else {
      running[by] = startLaunch(world, kind, { line: lines[by] })
      raised[by] = 0
    }
    raised[by] = (raised[by] ?? 0) + 1
  }
  let by: 0 | 1 = 0
  let words = 0
  let isCut = false
  const events = mailbox.launchEvent$.subscribe(({ kind }) => {
    raise(kind, by)
  })
  raise('newMessage', 0)
  if (isTwice) raise('newMessage', 1)
  for (const each of acts) {
    by = each.by
    if (each.do === 'sender') mailbox.act({ type: 'setFrom', from: each.from })
    else if (each.do === 'recipients') mailbox.act({ type: 'setRecipients', to: each.to })
    else if (each.do === 'cut') {
      // What a killed runtime had begun is the next one's. The other one goes on.
      isCut = true
      lines[each.by].cut()
      lines[each.by] = lineOf(each.by)
      running[each.by] = null
    } else {
      words += 1
      const { author } = world.message().body
      const word = `Word ${String(words)} of the author`
      mailbox.act({ type: 'typed', author: isText ? `${author}\n${word}` : `${author}<p>${word}</p>` })
    }
    clock.advance(each.waitMs)
  }
  clock.advance(120_000)
  events.unsubscribe()
  const due = world.message().from.address === SENDER.address ? SALES : type === 'reply' ? REPLY : STANDARD
  const found = [STANDARD, REPLY, SALES].flatMap((each) =>
    Array<string>(bodyOf(world).split(each).length - 1).fill(each),
  )
  expect(found.length, 'signatures').toBeLessThanOrEqual(1)
  const isDisturbed = isCut || (isText && slips.some((each) => each !== null))
  if (!isDisturbed) expect(found).toEqual([due])
}

describe('two runtimes, each with its own speed', () => {
  it('[AUTO-9] [SAFE-1] leave one signature in plain text although the claim comes too late', () => {
    play({
      type: 'newMessage',
      isText: true,
      edition: null,
      isTwice: true,
      paces: [[7], [49]],
      slips: [
        { call: 'sessionData.setAsync', late: [14_000, 0] },
        { call: 'body.setSignatureAsync', late: [4_000, 0] },
      ],
      acts: [
        { do: 'recipients', to: [], waitMs: 4_000, by: 0 },
        { do: 'sender', from: SENDER, waitMs: 0, by: 1 },
        { do: 'recipients', to: [OUTSIDE], waitMs: 0, by: 0 },
      ],
    })
  })

  it('[AUTO-9] [SAFE-1] leave one signature in plain text although the client loses the answers to both claims', () => {
    play({
      type: 'newMessage',
      isText: true,
      edition: 'web',
      isTwice: true,
      paces: [[0], [132]],
      acts: [],
      slips: [
        { call: 'sessionData.setAsync', late: [4_000, 'unanswered'] },
        { call: 'sessionData.setAsync', late: ['unanswered', 4_000, 0] },
      ],
    })
  })

  it('[AUTO-9] [SAFE-1] leave one signature at most, and the one that is due, by any schedule', () => {
    fc.assert(fc.property(schedule, play), cases(60, 3_000))
  })
})
