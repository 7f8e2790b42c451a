import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { INSERTED_SIGNATURE_KEY } from '../../effects/message/mailbox.ts'
import { composeBody, QUIRKS, type Quirk } from '../../src/playground/mailbox/body.ts'
import { type ComposeItem, ownItems } from '../../src/playground/mailbox/model.ts'
import { type ClientProfile, CLIENT_PROFILES } from '../../src/playground/mailbox/profiles.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { contentIds, findSignatures } from '../../streams/html/message.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import type { ListedSignature } from '../../streams/wire/signatures.ts'
import { findEntry } from '../../streams/message/signatures/rules.ts'
import { now } from '../../streams/kernel/time.ts'
import { createLine, type Pace } from '../support/line.ts'
import { openPane, type Pane } from '../support/pane.ts'
import { fillSlots, type SlottedHtml } from '../../streams/html/slots.ts'
import {
  cachedSignature,
  image,
  listedSignature,
  masterId,
  replyVersion,
  withNotice,
} from '../support/state.ts'
import { cases } from '../support/cases.ts'

// Two applications at work on one message: two whole ones over one mailbox model, on one virtual clock, each with its
// own pace. What an application is (a pane, or what Outlook starts at an event) makes no difference here.

const CDN = 'https://cdn.northwind.example'
const showing = (name: string, ...paths: readonly string[]) =>
  `<p>${name}</p>${paths.map((path) => `<img src="${CDN}/${path}">`).join('')}`
/** With a block, with its own picture, for recipients outside of the organisation. */
const slotted = (html: string) => withNotice(html, showing('Notice', 'notice.png'))
const imagesOf = (...paths: readonly string[]) => paths.map((path) => image(`${CDN}/${path}`))
const listed = (name: string, ...paths: readonly string[]): ListedSignature =>
  listedSignature({
    name,
    combinedIds: `c-${name}`,
    html: showing(name, ...paths),
    images: imagesOf(...paths),
  })
const standardOf = (version: string) =>
  cachedSignature({
    ...slotted(showing(`Standard${version}`, 'logo.png')),
    reply: { ...replyVersion(''), ...slotted(showing(`Reply${version}`, 'reply.png')) },
    meeting: {
      name: 'Meeting',
      combinedIds: 'c-meeting',
      ...slotted(showing(`Meeting${version}`, 'meeting.png')),
    },
    images: imagesOf('logo.png', 'reply.png', 'meeting.png', 'notice.png'),
  })
const standard = standardOf('')
/** The picture of the second is named like that of the default. */
const OWN = [
  listed('Plain'),
  listed('Logo', 'logo.png'),
  {
    ...listed('Rich', 'a.png', 'b.png', 'c.png', 'd.png'),
    ...slotted(showing('Rich', 'a.png', 'b.png', 'c.png', 'd.png')),
    images: imagesOf('a.png', 'b.png', 'c.png', 'd.png', 'notice.png'),
  },
]
const RICH = 2
const outside = (slotted: SlottedHtml) =>
  contentHash(fillSlots(slotted, { isReply: false, recipients: ['fabrikam.example'] }).html)

type Application = Pane & Readonly<{ cut: () => void }>

type Opened = Readonly<{
  gapMs: number
  paces: readonly [Pace, Pace]
  quirks?: readonly Quirk[]
  edition?: ClientProfile | null
}>

function openTwo({ gapMs, paces, quirks = [], edition = null }: Opened): readonly [Application, Application] {
  const [one, other] = [createLine(paces[0]), createLine(paces[1])]
  const first = openPane({ own: OWN, standard, quirks, edition, runtimeId: 'one', client: one.over })
  first.clock.advance(gapMs)
  const second = openPane({ beside: first, runtimeId: 'other', client: other.over })
  return [
    { ...first, cut: one.cut },
    { ...second, cut: other.cut },
  ]
}

const compositions = ({ mailbox }: Pane): readonly ComposeItem[] =>
  ownItems(mailbox.state$.value).filter((item): item is ComposeItem => item.mode === 'compose')

const hashesIn = (item: ComposeItem): readonly string[] =>
  findSignatures(composeBody(item)).map(({ hash }) => hash)

function expectOneAtMost(item: ComposeItem): void {
  expect(hashesIn(item).length, `signatures in ${item.id}`).toBeLessThanOrEqual(1)
}

/** One signature at most, with its pictures, and no picture of Signet besides. */
function expectWhole(item: ComposeItem): void {
  expectOneAtMost(item)
  const shown = contentIds(composeBody(item))
  const attached = item.attachments.map(({ contentId }) => contentId ?? '')
  expect(attached, `pictures of ${item.id}`).toEqual(expect.arrayContaining([...shown]))
  expect(new Set(attached).size).toBe(attached.length)
  const ours = item.attachments.filter(({ name, isInline }) => isInline && name.startsWith('lsi-attach'))
  expect(
    ours.filter(({ contentId }) => !shown.has(contentId ?? '')),
    `pictures for nothing in ${item.id}`,
  ).toEqual([])
}

describe('two panes that open one message', () => {
  // Without a claim the first lost the picture, and the second left two signatures.
  const defaultIn = contentHash(standard.html)

  test('[AUTO-11] 5 ms apart leave one signature with its picture', () => {
    const [{ clock, message }] = openTwo({ gapMs: 5, paces: [[2], [2]] })
    clock.advance(60_000)
    expectWhole(message())
    expect(hashesIn(message())).toEqual([defaultIn])
  })

  test('[AUTO-11] 40 ms apart leave one signature where a client stacks those with pictures', () => {
    const [{ clock, message }] = openTwo({
      gapMs: 40,
      paces: [[15], [15]],
      quirks: ['stacksWithInlineImages'],
    })
    clock.advance(60_000)
    expectWhole(message())
    expect(hashesIn(message())).toEqual([defaultIn])
  })
})

describe('an application whose default comes late', () => {
  /** It reads the message before the other one inserts its default, and has its own, if another, seconds later. */
  const openLate = (late = standard): Pane => {
    const first = openPane({ own: OWN, standard, runtimeId: 'one' })
    const service = { ...first.service, ms: 3_000, standard: late }
    first.clock.advance(5)
    openPane({ beside: { ...first, service }, runtimeId: 'other' })
    first.clock.advance(2_000)
    expect(hashesIn(first.message())).toEqual([contentHash(standard.html)])
    return first
  }

  test('[AUTO-9] writes nothing where the other has inserted the same', () => {
    const { clock, message, mailbox } = openLate()
    const before = message()
    clock.advance(60_000)
    expect(message().body).toEqual(before.body)
    expect(message().attachments).toEqual(before.attachments)
    expect(message().sessionData[INSERTED_SIGNATURE_KEY]).toBe(before.sessionData[INSERTED_SIGNATURE_KEY])
    const written = mailbox.calls.filter(({ name }) => name === 'body.setSignatureAsync')
    expect(written).toHaveLength(1)
  })

  test('[AUTO-11] puts its newer one in the place of the other', () => {
    const newer = standardOf(' 2')
    const { clock, message } = openLate(newer)
    clock.advance(60_000)
    expect(hashesIn(message())).toEqual([contentHash(newer.html)])
    expectWhole(message())
  })

  test('[AUTO-8] leaves a message without, from which the user removed it meanwhile', () => {
    const { clock, message, mailbox } = openLate()
    mailbox.act({ type: 'signatureEdited', signature: '' })
    clock.advance(60_000)
    expect(hashesIn(message())).toEqual([])
  })

  test.each([
    ['a signature', Insertion.chosen, { entryId: masterId(1, 0) }, [contentHash(OWN[0]?.html ?? '')]],
    ['no signature', Insertion.noneChosen, {}, []],
  ] as const)('[AUTO-8] leaves what the user chose meanwhile: %s', (_, choose, what, hashes) => {
    const pane = openLate(standardOf(' 2'))
    pane.app.record(choose({ entryId: '', ...what, itemKey: pane.itemKey() }))
    pane.clock.advance(60_000)
    expect(hashesIn(pane.message())).toEqual(hashes)
  })
})

// ---- Any schedule ----

type Step = Readonly<{ by: 0 | 1; waitMs: number }> &
  (
    | Readonly<{ do: 'choose'; index: number }>
    | Readonly<{ do: 'address'; to: readonly string[] }>
    | Readonly<{ do: 'chooseNone' | 'undo' | 'removeByHand' | 'newDefault' | 'reply' | 'switchBack' | 'cut' }>
  )

const stepOf = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('address' as const),
      to: fc.subarray(['leo@northwind.example', 'tess@fabrikam.example']),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('choose' as const), index: fc.nat(OWN.length - 1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(['chooseNone', 'undo', 'removeByHand', 'newDefault', 'reply', 'switchBack', 'cut'] as const),
      ),
    }),
  },
)
const wait = fc.oneof(fc.nat(60), fc.nat(2_000), fc.constant(30_000))
/** What one of the two applications does, and how long it is until the next step. */
const scheduled = <What extends object>(what: fc.Arbitrary<What>) =>
  fc.tuple(what, fc.constantFrom<0 | 1>(0, 1), wait).map(([given, by, waitMs]) => ({ ...given, by, waitMs }))
const step: fc.Arbitrary<Step> = scheduled(stepOf)
const pace: fc.Arbitrary<Pace> = fc.oneof(
  fc.constantFrom([0], [10], [80]),
  fc.array(fc.nat(120), { minLength: 1, maxLength: 12 }),
  fc.array(fc.nat(900), { minLength: 1, maxLength: 12 }),
)

/** A choice by the user: in which message, what, and when. */
type Choice = Readonly<{ item: string; at: number; hash: string | null }>

function play(
  gapMs: number,
  paces: readonly [Pace, Pace],
  quirks: readonly Quirk[],
  steps: readonly Step[],
): void {
  const panes = openTwo({ gapMs, paces, quirks })
  const [{ clock, mailbox }] = panes
  const isCut = [false, false]
  const choices: Choice[] = []
  /** Messages whose signature the user removed by hand while nothing was under way, and has chosen none since. */
  const bare = new Set<string>()
  let isQuiet = false
  let versions = 0
  /** Messages that were left while something was under way, or undone: no choice is expected there. */
  const unsure = new Set<string>()
  const check = () => {
    for (const item of compositions(panes[0])) expectOneAtMost(item)
  }
  const advance = (ms: number) => {
    clock.advance(ms)
    check()
  }

  for (const each of steps) {
    const pane = panes[each.by]
    const { open, items } = mailbox.state$.value
    const itemKey = pane.itemKey()
    if (each.do === 'newDefault') {
      pane.service.standard = standardOf(String(++versions))
      pane.app.record(Signatures.refreshRequested())
    } else if (each.do === 'removeByHand') {
      if (open === null) continue
      unsure.add(open)
      if (isQuiet && hashesIn(pane.message()).length > 0) bare.add(open)
      mailbox.act({ type: 'signatureEdited', signature: '' })
    } else if (each.do === 'address') {
      if (open === null) continue
      mailbox.act({ type: 'setRecipients', to: each.to.map((address) => ({ address, name: '' })) })
    } else if (each.do === 'reply') {
      for (const { id } of items) unsure.add(id)
      mailbox.act({ type: 'reply' })
    } else if (each.do === 'switchBack') {
      for (const { id } of items) unsure.add(id)
      mailbox.act({ type: 'switchTo', id: compositions(pane)[0]?.id ?? null })
    } else if (each.do === 'cut') {
      if (!isCut.some(Boolean)) {
        pane.cut()
        pane.app.stop()
        isCut[each.by] = true
      }
    } else if (open !== null && !isCut[each.by] && itemKey.startsWith(`${open}/`)) {
      const at = now(clock)
      bare.delete(open)
      if (each.do === 'choose') {
        const entryId = masterId(1, each.index)
        if (!findEntry(pane.app.state$.value.signatures, entryId)) continue
        const hash = contentHash(OWN[each.index]?.html ?? '')
        choices.push({ item: open, at, hash })
        pane.app.record(Insertion.chosen({ entryId, itemKey }))
      } else if (each.do === 'chooseNone') {
        choices.push({ item: open, at, hash: null })
        pane.app.record(Insertion.noneChosen({ itemKey }))
      } else {
        unsure.add(open)
        pane.app.record(Insertion.undoRequested({ itemKey }))
      }
    }
    advance(each.waitMs)
    isQuiet = each.waitMs >= 30_000
  }
  advance(60_000)

  // What a killed application left is repaired when the message is opened again.
  for (const { id } of compositions(panes[0])) {
    mailbox.act({ type: 'switchTo', id: null })
    advance(1_000)
    mailbox.act({ type: 'switchTo', id })
    advance(30_000)
    expectWhole(panes[0].message())
  }
  for (const item of compositions(panes[0])) {
    if (bare.has(item.id) && !isCut.some(Boolean))
      expect(hashesIn(item), `removed by hand from ${item.id}`).toEqual([])
    const made = choices.filter((choice) => choice.item === item.id)
    // A killed application may have been stopped before its choice was in.
    if (made.length === 0 || unsure.has(item.id) || isCut.some(Boolean)) continue
    // Of two choices in the same millisecond either may be the last.
    const last = made.filter(({ at }) => at === made.at(-1)?.at).map(({ hash }) => hash)
    const [found = null] = hashesIn(item)
    const isWithBlock = found === outside(OWN[RICH] ?? { html: '' })
    expect(last, `the last choice for ${item.id}`).toContain(
      isWithBlock ? contentHash(OWN[RICH]?.html ?? '') : found,
    )
  }
  for (const { app } of panes)
    expect(app.log.filter(({ type }) => type === 'kernel/effectCrashed')).toEqual([])
}

describe('two applications', () => {
  test('[AUTO-11] [BLOCK-5] leave one signature at most, with its pictures, and the last choice, by any schedule', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000),
        fc.tuple(pace, pace),
        fc.subarray([...QUIRKS]),
        fc.array(step, { maxLength: 6 }),
        (gapMs, paces, quirks, steps) => {
          play(gapMs, paces, quirks, steps)
        },
      ),
      cases(80, 10_000),
    )
  })
})

// ---- Meetings ----

const TEAMS =
  '<div><div>________________________________________________________________________________</div><div>Microsoft Teams</div><div><a href="https://teams.microsoft.com/l/meetup-join/19%3ameeting_A">Join the meeting now</a></div></div>'
/** In which editions there are meetings with an add-in. */
const EDITIONS = [null, ...CLIENT_PROFILES.filter((each) => each !== 'ios' && each !== 'android')]

type MeetingStep = Readonly<{ by: 0 | 1; waitMs: number }> &
  (
    | Readonly<{ do: 'choose'; index: number }>
    | Readonly<{ do: 'invite'; to: readonly string[] }>
    | Readonly<{ do: 'chooseNone' | 'undo' | 'newDefault' | 'type' | 'online' | 'save' | 'reopen' | 'cut' }>
  )
const meetingStep: fc.Arbitrary<MeetingStep> = scheduled(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('choose' as const), index: fc.nat(OWN.length - 1) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('invite' as const),
        to: fc.subarray(['leo@northwind.example', 'tess@fabrikam.example']),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constantFrom(
          ...(['chooseNone', 'undo', 'newDefault', 'type', 'online', 'save', 'reopen', 'cut'] as const),
        ),
      }),
    },
  ),
)

/** The texts of a body in their order: what the author wrote, the signature, and the block of the online meeting. */
const PIECES = /Word \d+ of the author|^(?:Standard|Meeting|Plain|Logo|Rich)|Join the meeting now/gm
const piecesOf = (item: ComposeItem): readonly string[] =>
  composeBody(item)
    .replace(/<[^>]*>/g, '\n')
    .match(PIECES) ?? []
const isSignature = (piece: string) => !/^(?:Word|Join)/.test(piece)

function playMeeting(
  gapMs: number,
  paces: readonly [Pace, Pace],
  edition: ClientProfile | null,
  steps: readonly MeetingStep[],
): void {
  const panes = openTwo({ gapMs, paces, edition })
  const [{ clock, mailbox, message }] = panes
  clock.advance(30_000)
  mailbox.act({ type: 'newMeeting' })
  const isCut = [false, false]
  let words = 0
  let hasBlock = false
  let isQuiet = false
  let versions = 0
  /** Nothing that the author or Teams wrote is ever lost or moved, and there is one signature at most, between them. */
  const check = () => {
    const pieces = piecesOf(message())
    expect(pieces.filter((piece) => !isSignature(piece))).toEqual([
      ...Array.from({ length: words }, (_, index) => `Word ${String(words - index)} of the author`),
      ...(hasBlock ? ['Join the meeting now'] : []),
    ])
    const place = pieces.findIndex(isSignature)
    expect([-1, words]).toContain(place)
    expect(pieces.filter(isSignature).length).toBeLessThanOrEqual(1)
    expectOneAtMost(message())
  }

  for (const each of steps) {
    const pane = panes[each.by]
    const itemKey = pane.itemKey()
    const isOpen = itemKey.startsWith(`${message().id}/`) && !isCut[each.by]
    if (each.do === 'newDefault') {
      pane.service.standard = standardOf(` ${String(++versions)}`)
      pane.app.record(Signatures.refreshRequested())
    } else if (each.do === 'invite') {
      mailbox.act({ type: 'setRecipients', to: each.to.map((address) => ({ address, name: '' })) })
    } else if (each.do === 'type' && isQuiet) {
      words++
      const { author } = message().body
      mailbox.act({ type: 'typed', author: `<p>Word ${String(words)} of the author</p>${author}` })
    } else if (each.do === 'online' && isQuiet && !hasBlock) {
      hasBlock = true
      mailbox.act({ type: 'onlineMeetingArrives', block: TEAMS })
    } else if (each.do === 'save') mailbox.act({ type: 'save' })
    else if (each.do === 'reopen' && isQuiet) {
      mailbox.act({ type: 'save' })
      mailbox.act({ type: 'reopen' })
    } else if (each.do === 'cut' && !isCut.some(Boolean)) {
      pane.cut()
      pane.app.stop()
      isCut[each.by] = true
    } else if (each.do === 'choose' && isOpen) {
      const entryId = masterId(1, each.index)
      if (findEntry(pane.app.state$.value.signatures, entryId))
        pane.app.record(Insertion.chosen({ entryId, itemKey }))
    } else if (each.do === 'chooseNone' && isOpen) pane.app.record(Insertion.noneChosen({ itemKey }))
    else if (each.do === 'undo' && isOpen) pane.app.record(Insertion.undoRequested({ itemKey }))
    clock.advance(each.waitMs)
    isQuiet = each.waitMs >= 30_000
    check()
  }
  clock.advance(60_000)
  check()
  if (!isCut.some(Boolean)) expectWhole(message())
  for (const { app } of panes)
    expect(app.log.filter(({ type }) => type === 'kernel/effectCrashed')).toEqual([])
}

describe('two applications in a meeting', () => {
  test('[MEET-3] [MEET-4] [MEET-5] leave the words, and one signature at most in its place, by any schedule', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000),
        fc.tuple(pace, pace),
        fc.constantFrom(...EDITIONS),
        fc.array(meetingStep, { maxLength: 6 }),
        (gapMs, paces, edition, steps) => {
          playMeeting(gapMs, paces, edition, steps)
        },
      ),
      cases(80, 10_000),
    )
  })
})
