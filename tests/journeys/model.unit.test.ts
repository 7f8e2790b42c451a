import { selectListedEntries } from '../../streams/pane/signatures/selectors.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  closesDraftOnSwitch,
  type ClientProfile,
  CLIENT_PROFILES,
} from '../../src/playground/mailbox/profiles.ts'
import { composeBody, QUIRKS, type Quirk } from '../../src/playground/mailbox/body.ts'
import {
  type Attachment,
  type ComposeItem,
  type MailboxItem,
  type MailboxState,
  applyAction,
  ownItems,
} from '../../src/playground/mailbox/model.ts'
import { htmlToText } from '../../src/playground/mailbox/text.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import { revealSecret } from '../../streams/kernel/secret.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { findEntry } from '../../streams/message/signatures/rules.ts'
import type { ListedSignature } from '../../streams/wire/signatures.ts'
import { contentIds } from '../../streams/html/message.ts'
import { contentHash } from '../../streams/html/hash.ts'
import { arm, faultKinds, faultyCalls, type MailFault, spoiltField } from '../support/mailFaults.ts'
import type { SpoiltField } from '../../src/playground/mailbox/spoil.ts'
import { type Launched, startLaunch } from '../support/launch.ts'
import { createLine, type Pace, twoPaces } from '../support/line.ts'
import { openPane, type Pane } from '../support/pane.ts'
import { fillSlots } from '../../streams/html/slots.ts'
import {
  cachedSignature,
  image,
  listedSignature,
  masterId,
  replyVersion,
  withNotice,
} from '../support/state.ts'
import { cases } from '../support/cases.ts'

// No message is harmed, whatever users, mail clients and services do, in any order and at any pace. The whole
// application runs over the mailbox model on virtual time, beside the runtimes that the mail client starts at its
// launch events: the pane and these have different speeds. fast-check generates the schedules. The limits of every
// add-in are named in docs/decisions/0006-what-an-insertion-promises.md, and not asserted here.

const CDN = 'https://cdn.northwind.example'
/** Enough words to be recognised without a mark, and none that another signature has together. */
const wordsOf = (name: string) => `${name} of Northwind Traders in Bergen`
const showing = (name: string, ...paths: readonly string[]) =>
  `<p>${wordsOf(name)}</p>${paths.map((path) => `<img src="${CDN}/${path}">`).join('')}`
/** A block that goes with recipients outside of the organisation, with a picture of its own. */
const NOTICE = 'Only for whom it is addressed to'
const slotted = (html: string) => withNotice(html, `<p>${NOTICE}</p><img src="${CDN}/notice.png">`)
const images = (...paths: readonly string[]) => paths.map((path) => image(`${CDN}/${path}`))
const listed = (name: string, ...paths: readonly string[]): ListedSignature =>
  listedSignature({
    name,
    combinedIds: `c-${name}`,
    html: showing(name, ...paths),
    images: images(...paths),
  })

/**
 * The third comes without contents; the picture of the fourth is named like one in a quoted thread. The second and the
 * fourth have a slot, and so has the default.
 */
const OWN = [
  listed('Plain'),
  listed('Rich', 'rich/a.png', 'rich/b.png', 'other/a.png', 'rich/c.png'),
  { ...listed('Bare', 'bare.png'), images: [] },
  listed('Same', 'logo.png'),
].map((each, index) =>
  index % 2 === 0
    ? each
    : { ...each, ...slotted(each.html), images: [...each.images, ...images('notice.png')] },
)
const MEETING = { name: 'Meeting', combinedIds: 'c-meeting' }
const standard = (version: number) =>
  cachedSignature({
    ...slotted(showing(`Standard ${version}`, 'standard.png')),
    reply: { ...replyVersion(''), ...slotted(showing(`Reply ${version}`)) },
    meeting: { ...MEETING, ...slotted(showing(`Meeting ${version}`, 'meeting.png')) },
    images: images('standard.png', 'meeting.png', 'notice.png'),
  })
const VERSIONS = [1, 2, 3]
/** The default of this version, its reply version, and its version for meetings, by the name in their words. */
const versionsOf = (version: number) => {
  const { html, slots, reply, meeting } = standard(version)
  return [
    { name: `Standard ${version}`, html, slots },
    { name: `Reply ${version}`, html: reply?.html ?? '', slots: reply?.slots },
    { name: `Meeting ${version}`, html: meeting?.html ?? '', slots: meeting?.slots },
  ]
}
const ALL = [...OWN, ...VERSIONS.flatMap(versionsOf)]
const DEFAULTS = VERSIONS.flatMap((version) => versionsOf(version).map(({ html }) => contentHash(html)))

/** The content hashes of the signatures in a message, by their words: whatever the client made of the marks. */
const NAMED = new Map(ALL.map(({ name, html }) => [contentHash(html), wordsOf(name)]))
/** The hash of a content without its block, for a content with it. */
const WITHOUT_BLOCK = new Map(
  ALL.flatMap(({ html, slots }) =>
    slots
      ? [
          [
            contentHash(
              fillSlots({ html, slots }, { isReply: false, recipients: ['fabrikam.example'] }).html,
            ),
            contentHash(html),
          ],
        ]
      : [],
  ),
)
/** The hashes of the contents that have a slot. */
const SLOTTED = new Set(WITHOUT_BLOCK.values())
const signaturesIn = (item: ComposeItem): readonly string[] => {
  const body = composeBody(item)
  return [...NAMED].flatMap(([hash, words]) => Array<string>(body.split(words).length - 1).fill(hash))
}

/** The text of the mail client's own signature. */
const OWN_SIGNATURE = 'Sent from my mail client'
const ownIn = (body: string): number => body.split(OWN_SIGNATURE).length - 1

/** The mailbox with the mail client's own signature on, and a new message that gets it. */
const withOwnSignature = (state: MailboxState): MailboxState =>
  [
    { type: 'setClientSignature', on: true } as const,
    { type: 'close' } as const,
    { type: 'newMessage' } as const,
  ].reduce((now, action) => applyAction(now, action).state, state)

/** What the test knows of one message. */
type Known = {
  /** Hashes of the contents requested for it. */
  readonly asked: Set<string>
  /** The words that the user wrote into it. */
  words: string[]
  /** Those written while a runtime inserted: it may have read the message before, and cannot tell that they are lost. */
  readonly unread: Set<string>
  /** The thread below it, and its pictures. */
  readonly quoted: string
  readonly pictures: readonly Attachment[]
  /** The user removed the signature, or did something that may remove it. */
  mayBeBare: boolean
  /**
   * The mail client's own signature may be in it beside Signet's: the mail client failed a call about it, the user
   * switched it on while it was pending, or it returned as text with a restored body.
   */
  mayHaveOwn: boolean
  /** The user took something back, or made plain text of it: its blocks are then not those of the recipients. */
  isUndone: boolean
  /** Two runtimes worked on it while session data failed, so without a claim: a limit that the decision names. */
  isUnclaimed: boolean
  /** The current choice: its event's number, and the hash of what was chosen (null: no signature). */
  choice: { seq: number; hash: string | null; isCalm: boolean } | null
}

type World = Pane & {
  readonly quirks: readonly Quirk[]
  readonly received: readonly MailboxItem[]
  readonly known: Map<string, Known>
  /** The runtimes of launch events, in the order of their starts. */
  readonly launched: Launched[]
  /** A fault is active. `faults` and `switches` have the length of the log at each fault and switch of messages. */
  isFaulty: boolean
  /** Session data may be lost. */
  isForgetful: boolean
  /** Session data fail now. */
  isUnclaiming: boolean
  /**
   * What a message holds may be recorded nowhere: its properties were not written, in an edition that ends the session
   * data with the window. In one that returns no mark either, whatever delays the record may be too much.
   */
  isUnrecorded: boolean
  /** The mail client may not report its own signature, or not switch it off. */
  isUnwilling: boolean
  readonly faults: number[]
  readonly switches: number[]
  written: number
}

type Command = fc.Command<object, World>

const compositions = ({ mailbox }: Pane): readonly ComposeItem[] =>
  ownItems(mailbox.state$.value).filter((item): item is ComposeItem => item.mode === 'compose')

/** The id of the item with this key. */
const idOf = (itemKey: string): string => itemKey.slice(0, itemKey.lastIndexOf('/'))

function learn(world: World): void {
  for (const { id, body, attachments } of compositions(world))
    if (!world.known.has(id))
      world.known.set(id, {
        asked: new Set(),
        words: [],
        unread: new Set(),
        quoted: body.quoted,
        pictures: attachments,
        mayBeBare: false,
        mayHaveOwn: world.isUnwilling,
        isUndone: false,
        isUnclaimed: false,
        choice: null,
      })
}

/** The mail client's own signature may get into the existing messages, and stay. */
const mayKeepOwn = (world: World, isOnItsWay: (item: ComposeItem) => boolean = () => true) => {
  for (const item of compositions(world).filter(isOnItsWay)) {
    const known = world.known.get(item.id)
    if (known) known.mayHaveOwn = true
  }
}

/** Whether a runtime of a launch event works. */
const isLaunchRunning = ({ launched }: World): boolean =>
  launched.some(({ store, completed }) => completed.length < store.state$.value.launch.raised.length)
/** Notes which message two runtimes work on without a claim. */
const noteUnclaimed = (world: World) => {
  const known = world.known.get(world.mailbox.state$.value.open ?? '')
  if (known && world.isUnclaiming && isLaunchRunning(world)) known.isUnclaimed = true
}
/** Whether the pane or a runtime of a launch event inserts, or may. */
const isInserting = (world: World): boolean =>
  world.app.state$.value.insertion.latest?.attempt.status === 'pending' || isLaunchRunning(world)

const command = (name: string, run: (world: World) => void): Command => ({
  check: () => true,
  run(_, world) {
    run(world)
    learn(world)
    noteUnclaimed(world)
    expectUnharmed(world)
  },
  toString: () => name,
})

/** A command on the open message, if it is being composed and the pane knows it. */
const inMessage = (name: string, run: (world: World, known: Known) => void): Command =>
  command(name, (world) => {
    const known = world.known.get(world.mailbox.state$.value.open ?? '')
    if (known && world.itemKey() !== '') run(world, known)
  })

// ---- Actions of users, mail clients and services ----

const request = (
  world: World,
  known: Known,
  hash: string | null,
  event: Parameters<Pane['app']['record']>[0],
) => {
  const seq = world.app.log.length
  known.choice = { seq, hash, isCalm: !world.isFaulty }
  if (hash !== null) known.asked.add(hash)
  world.app.record(event)
}

const choose = (index: number): Command =>
  inMessage(`choose(${index})`, (world, known) => {
    // A slow pane does not show it yet.
    if (!findEntry(world.app.state$.value.signatures, masterId(1, index))) return
    const hash = contentHash(OWN[index]?.html ?? '')
    request(world, known, hash, Insertion.chosen({ entryId: masterId(1, index), itemKey: world.itemKey() }))
  })
const chooseNone = inMessage('chooseNone', (world, known) => {
  known.mayBeBare = true
  request(world, known, null, Insertion.noneChosen({ itemKey: world.itemKey() }))
})
const undo = inMessage('undo', (world, known) => {
  known.mayBeBare = true
  known.isUndone = true
  known.choice = null
  world.app.record(Insertion.undoRequested({ itemKey: world.itemKey() }))
})
const redo = inMessage('redo', (world, known) => {
  known.mayBeBare = true
  known.isUndone = true
  known.choice = null
  world.app.record(Insertion.redoRequested({ itemKey: world.itemKey() }))
})
const restoreBody = inMessage('restoreBody', (world, known) => {
  const { bodyBefore } = world.app.state$.value.insertion
  const before = bodyBefore && revealSecret(bodyBefore)
  if (before === null) return
  known.mayBeBare = true
  known.isUndone = true
  known.mayHaveOwn ||= before.includes(OWN_SIGNATURE)
  known.choice = null
  // Words written since then are lost, too: the user requested the former body.
  known.words = known.words.filter((word) => before.includes(word))
  world.app.record(Insertion.bodyRestoreRequested({ itemKey: world.itemKey() }))
})
const removeByHand = inMessage('removeByHand', ({ mailbox }, known) => {
  known.mayBeBare = true
  known.choice = null
  mailbox.act({ type: 'signatureEdited', signature: '' })
})
const toText = inMessage('toText', ({ mailbox }, known) => {
  known.mayBeBare = true
  known.choice = null
  mailbox.act({ type: 'setBodyType', bodyType: 'text' })
})
const typeLine = (world: World, known: Known, place: 'above' | 'below') => {
  const { author, type } = world.message().body
  world.written += 1
  const word = `word${world.written}.`
  known.words.push(word)
  if (isInserting(world)) known.unread.add(word)
  const line = type === 'html' ? `<p>${word} and more</p>` : `${word} and more\n`
  // A restored body contains the thread; the user does not write below it.
  const end = author.length - (author.endsWith(known.quoted) ? known.quoted.length : 0)
  const below = author.slice(0, end) + line + author.slice(end)
  world.mailbox.act({ type: 'typed', author: place === 'above' ? line + author : below })
}
const write = (place: 'above' | 'below'): Command =>
  inMessage(`write(${place})`, (world, known) => {
    typeLine(world, known, place)
  })

/** The user does not type while a meeting is written: a limit that the decision about meetings names. */
const writeCalmly: Command = inMessage('writeCalmly', (world, known) => {
  if (world.app.state$.value.insertion.latest?.settled !== false) typeLine(world, known, 'above')
})

/** Recipients come and go, in and outside of the organisation. */
const address = (...addresses: readonly string[]): Command =>
  inMessage(`address(${addresses.join()})`, ({ mailbox }) => {
    mailbox.act({ type: 'setRecipients', to: addresses.map((each) => ({ address: each, name: '' })) })
  })

const setOwnSignature = (on: boolean): Command =>
  command(`setOwnSignature(${on})`, (world) => {
    // A pending signature arrives in spite of the switch.
    if (on) mayKeepOwn(world, ({ awaitsOwnSignature }) => awaitsOwnSignature === true)
    world.mailbox.act({ type: 'setClientSignature', on })
  })

/** Another message opens. Without session data, a signature that was being replaced may be lost. */
const leave = (world: World) => {
  world.switches.push(world.app.log.length)
  const known = world.known.get(world.mailbox.state$.value.open ?? '')
  const isLost = world.isForgetful || closesDraftOnSwitch(world.mailbox.state$.value.profile)
  const { profile } = world.mailbox.state$.value
  const isPending = isInserting(world)
  // The record of the signature was not written in time, and the session data end with the window.
  const isUnwritten = profile === 'android' || (world.isForgetful && closesDraftOnSwitch(profile))
  if (isUnwritten && isPending) world.isUnrecorded = true
  if (known && isLost && isPending) known.mayBeBare = true
}
const begin = (type: 'newMessage' | 'reply' | 'forward' | 'newMeeting'): Command =>
  command(type, (world) => {
    leave(world)
    world.mailbox.act({ type })
  })
const open = (index: number): Command =>
  command(`open(${index})`, (world) => {
    const messages = compositions(world)
    leave(world)
    world.mailbox.act({ type: 'switchTo', id: messages[index % (messages.length + 1)]?.id ?? null })
  })

const newDefault = (version: number): Command =>
  command(`newDefault(${version})`, ({ app, service }) => {
    service.standard = standard(version)
    app.record(Signatures.refreshRequested())
  })
const serve = (ms: number, fails: boolean): Command =>
  command(`serve(${ms}, ${fails})`, (world) => {
    world.service.ms = ms
    world.service.failure = fails ? { kind: 'network' } : null
    if (!fails) return
    world.faults.push(world.app.log.length)
    world.isFaulty = true
  })
/** The model knows of no answer that comes after the pane gave up. */
const inTime = faultKinds.filter((kind) => kind !== 'late')
/** The mail client fails calls of this name, or spoils their answers. */
const disturb = (world: World, call: string, isFailing: boolean) => {
  world.faults.push(world.app.log.length)
  world.isFaulty = true
  if (isFailing && (call === 'sessionData.setAsync' || call === 'sessionData.getAllAsync'))
    world.isUnclaiming = true
  const { profile } = world.mailbox.state$.value
  const isInProperties = call === 'loadCustomPropertiesAsync' || call === 'customProperties.saveAsync'
  if (profile === 'android' || (isInProperties && closesDraftOnSwitch(profile))) world.isUnrecorded = true
  if (call !== 'isClientSignatureEnabledAsync' && call !== 'disableClientSignatureAsync') return
  world.isUnwilling = true
  mayKeepOwn(world)
}
const fault = ({ call, kind }: MailFault): Command =>
  command(`fault({ call: '${call}', kind: '${kind}' })`, (world) => {
    if (call === 'sessionData.setAsync') world.isForgetful = true
    disturb(world, call, kind !== 'slow' && kind !== 'twice')
    arm(world.mailbox, { call, kind })
  })
const spoil = ({ answer, field, as }: SpoiltField): Command =>
  command(`spoil({ answer: '${answer}', field: '${field}', as: '${as}' })`, (world) => {
    disturb(world, answer, field === '')
    world.mailbox.spoil(answer, field, as)
  })
const restore = command('restore', (world) => {
  world.mailbox.restore()
  world.service.failure = null
  world.isFaulty = false
  world.isUnwilling = false
  world.isUnclaiming = false
})
const wait = (ms: number): Command =>
  command(`wait(${ms})`, ({ clock }) => {
    clock.advance(ms)
  })

// ---- Invariants at every moment ----

function expectUnharmed(world: World): void {
  const { mailbox, app, known, quirks } = world
  expect(mailbox.state$.value.items.filter(({ mode }) => mode === 'read')).toEqual(world.received)
  for (const item of compositions(world)) {
    const { asked, words, unread, quoted, pictures, mayHaveOwn, isUnclaimed } =
      known.get(item.id) ?? expect.fail(`${item.id} is unknown`)
    const body = composeBody(item)
    if (item.body.type === 'html') {
      const found = signaturesIn(item)
      const mayBeTwo = world.isUnrecorded || isUnclaimed
      if (!mayBeTwo) expect(found.length, `signatures in ${item.id}`).toBeLessThanOrEqual(1)
      if (!mayHaveOwn && !mayBeTwo)
        expect(found.length + ownIn(body), `both signatures in ${item.id}`).toBeLessThanOrEqual(1)
      for (const hash of found) expect([...asked, ...DEFAULTS], `asked for ${item.id}`).toContain(hash)
      // An edition that rewrites what is written leaves the words.
      const written = (html: string) => (mailbox.state$.value.profile ? htmlToText(html) : html)
      expect(written(body).endsWith(written(quoted)), `the thread in ${item.id}`).toBe(true)
    }
    expect(item.attachments, `the thread's pictures in ${item.id}`).toEqual(
      expect.arrayContaining([...pictures]),
    )
    // A plain text is written as a whole: what is typed meanwhile is a limit that the decision names.
    const isReplaced = (word: string) => item.body.type === 'text' && unread.has(word)
    const lost = words.filter((word) => !body.includes(word) && !isReplaced(word))
    if (lost.length === 0) continue
    expect(quirks, `${lost.join()} in ${item.id}`).toContain('losesLineAbove')
    // Not detected in plain text, nor after a fault or a switch: limits that the decision names.
    if (item.body.type === 'text' || world.faults.length > 0 || world.switches.length > 0) continue
    if (lost.every((word) => unread.has(word))) continue
    const isOffered = app.log.some(
      (event) => event.type === 'insertion/bodyAltered' && idOf(event.data.itemKey) === item.id,
    )
    const isUnderWay = app.state$.value.insertion.latest?.attempt.status === 'pending'
    expect(isOffered || isUnderWay, `${lost.join()} in ${item.id} is offered back`).toBe(true)
  }
}

// ---- Invariants once everything has settled ----

function expectSettled(world: World): void {
  const { app, known } = world
  const state = app.state$.value
  expect(state.insertion.latest?.attempt.status).not.toBe('pending')
  expect(selectListedEntries(state).filter(({ status }) => status === 'pending')).toEqual([])
  expect(app.log.filter(({ type }) => type === 'kernel/effectCrashed')).toEqual([])

  const ends = new Map<number, string[]>()
  for (const event of app.log)
    if (
      event.type === 'insertion/succeeded' ||
      event.type === 'insertion/failed' ||
      event.type === 'insertion/superseded' ||
      event.type === 'insertion/skipped' ||
      event.type === 'insertion/leftAsIs' ||
      event.type === 'insertion/settled'
    )
      ends.set(event.data.id, [...(ends.get(event.data.id) ?? []), event.type])
  for (const { type, meta } of app.log)
    if (
      type === 'insertion/chosen' ||
      type === 'insertion/noneChosen' ||
      type === 'insertion/undoRequested' ||
      type === 'insertion/redoRequested' ||
      type === 'insertion/defaultDue'
    ) {
      const [end, settled, ...more] = ends.get(meta.seq) ?? []
      expect([settled, more], `the end of ${type} ${meta.seq}`).toEqual(['insertion/settled', []])
      expect(end).not.toBe('insertion/settled')
    }

  for (const [id, { choice, isUnclaimed }] of known) {
    const item = compositions(world).find((each) => each.id === id)
    if (!choice?.isCalm || !item || item.body.type === 'text' || world.isUnrecorded || isUnclaimed) continue
    const end = app.log.find(
      (event) => event.type.startsWith('insertion/') && 'id' in event.data && event.data.id === choice.seq,
    )
    const ended = app.log.findLast(
      (event) => event.type === 'insertion/settled' && event.data.id === choice.seq,
    )
    const until = ended?.meta.seq ?? 0
    if (world.faults.some((at) => at >= choice.seq)) continue
    if (world.switches.some((at) => at >= choice.seq && at <= until)) continue
    expect(signaturesIn(item), `the choice ${choice.seq} (${end?.type ?? ''}) for ${id}`).toEqual(
      choice.hash === null ? [] : [choice.hash],
    )
  }
}

const told = (hash = '') => WITHOUT_BLOCK.get(hash) ?? hash

/** Checks the open message. */
function expectWhole(world: World): void {
  const { app, known, mailbox, message } = world
  const item = message()
  if (item.body.type === 'text' || known.get(item.id)?.isUnclaimed === true) return
  const body = composeBody(item)
  const shown = contentIds(body)
  const ids = item.attachments.map(({ contentId }) => contentId)
  for (const id of shown) expect(ids, `pictures of ${item.id}`).toContain(id)
  const ours = item.attachments.filter(({ name, isInline }) => isInline && name.startsWith('lsi-attach'))
  // Beside a signature that nothing names, its pictures stay.
  if (!world.isUnrecorded)
    expect(
      ours.filter(({ contentId }) => !shown.has(contentId ?? '')),
      `pictures for nothing in ${item.id}`,
    ).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)

  const [found] = signaturesIn(item)
  if (found && !world.isUnrecorded)
    expect(told(app.state$.value.insertion.inMessage?.hash), `told of ${item.id}`).toBe(found)
  const blocks = body.split(NOTICE).length - 1
  if (!world.isUnrecorded) expect(blocks, `blocks in ${item.id}`).toBeLessThanOrEqual(found ? 1 : 0)
  const isCalm =
    world.faults.length === 0 && world.switches.length === 0 && known.get(item.id)?.isUndone === false
  if (found && isCalm && !world.isUnrecorded && mailbox.state$.value.profile === null)
    expect(blocks, `the block in ${item.id}`).toBe(
      SLOTTED.has(found) && item.to.some(({ address: to }) => to.endsWith('@fabrikam.example')) ? 1 : 0,
    )
  const wasIn = app.log.some(
    (event) =>
      event.type === 'insertion/succeeded' &&
      idOf(event.data.itemKey) === item.id &&
      event.data.content.html !== '',
  )
  if (wasIn && !known.get(item.id)?.mayBeBare) expect(found, `the signature of ${item.id}`).toBeDefined()
}

/** `paces`: of the pane, and of the runtimes of launch events. */
type Schedule = Readonly<{
  paces?: readonly [Pace, Pace]
  quirks?: readonly Quirk[]
  hasOwn?: boolean
  edition?: ClientProfile | null
}>

/** Opens the pane, runs the commands, waits until everything has settled, and checks every message. */
function play(
  commands: Iterable<Command>,
  { paces = [[0], [30]], quirks = [], hasOwn = false, edition = null }: Schedule = {},
): void {
  const pane = openPane({
    own: OWN,
    standard: standard(1),
    quirks,
    edition,
    ...(hasOwn && { mailbox: withOwnSignature }),
    client: createLine(paces[0]).over,
  })
  const world: World = {
    ...pane,
    quirks,
    received: pane.mailbox.state$.value.items.filter(({ mode }) => mode === 'read'),
    known: new Map(),
    launched: [],
    isFaulty: false,
    isForgetful: false,
    isUnclaiming: false,
    isUnrecorded: false,
    isUnwilling: false,
    faults: [],
    switches: [],
    written: 0,
  }
  learn(world)
  const line = createLine(paces[1])
  /** How many events the last runtime has got, and for which item. */
  let last = { raised: 0, item: '' }
  const raise = (kind: LaunchKind, item: string) => {
    const running = world.launched.at(-1)
    // A runtime whose events are all completed is over.
    if (running && last.item === item && running.completed.length < last.raised) {
      running.raise(kind)
      last.raised += 1
    } else {
      world.launched.push(startLaunch(world, kind, { line }))
      last = { raised: 1, item }
    }
  }
  const events = pane.mailbox.launchEvent$.subscribe(({ kind, item }) => {
    raise(kind, item)
  })
  raise('newMessage', pane.message().id)
  world.clock.advance(1_000)
  fc.modelRun(() => ({ model: {}, real: world }), commands)
  world.mailbox.restore()
  world.service.failure = null
  world.service.ms = 20
  world.clock.advance(600_000)
  expectUnharmed(world)
  expectSettled(world)
  for (const { id } of compositions(world)) {
    world.mailbox.act({ type: 'switchTo', id: null })
    world.mailbox.act({ type: 'switchTo', id })
    world.clock.advance(30_000)
    expectUnharmed(world)
    expectWhole(world)
  }
  expectSettled(world)
  events.unsubscribe()
  world.app.stop()
}

const always = <T>(...values: readonly [T, ...T[]]) => fc.constantFrom(...values)
const anyCommand: readonly fc.Arbitrary<Command>[] = [
  fc.nat(OWN.length - 1).map(choose),
  fc.nat(OWN.length - 1).map(choose),
  always(chooseNone, undo, undo, redo, restoreBody, removeByHand),
  always('above' as const, 'below' as const).map(write),
  fc.subarray(['leo@northwind.example', 'tess@fabrikam.example']).map((to) => address(...to)),
  always('newMessage' as const, 'reply' as const, 'forward' as const).map(begin),
  fc.nat(4).map(open),
  fc.constantFrom(...VERSIONS).map(newDefault),
  fc.tuple(always(0, 20, 400), fc.boolean()).map(([ms, fails]) => serve(ms, fails)),
  fc.record({ call: fc.constantFrom(...faultyCalls), kind: fc.constantFrom(...inTime) }).map(fault),
  spoiltField.map(spoil),
  fc.constant(restore),
  fc.boolean().map(setOwnSignature),
  fc.oneof(fc.nat(40), always(100, 1_000, 6_000, 30_000)).map(wait),
  fc.oneof(fc.nat(40), always(100, 1_000, 6_000, 30_000)).map(wait),
  always(toText, wait(0), wait(10), wait(30)),
]

describe('no message is harmed', () => {
  test('[SAFE-1] [SAFE-2] [SAFE-3] [INS-4] [INS-5] [INS-6] [BLOCK-5] by any schedule of actions, faults and quirks', () => {
    fc.assert(
      fc.property(
        fc.commands([...anyCommand], { maxCommands: 25, size: '+1' }),
        fc.subarray([...QUIRKS]),
        fc.boolean(),
        fc.constantFrom(null, ...CLIENT_PROFILES),
        twoPaces,
        (commands, quirks, hasOwn, edition, paces) => {
          play(commands, { paces, quirks, hasOwn, edition })
        },
      ),
      cases(80, 10_000),
    )
  })

  test('[MEET-1] [MEET-4] in meetings, by any schedule of actions and faults', () => {
    const inMeetings = [
      ...[0, 1].map(() => fc.nat(OWN.length - 1).map(choose)),
      always(chooseNone, undo, undo, redo, writeCalmly, writeCalmly),
      fc.subarray(['leo@northwind.example', 'tess@fabrikam.example']).map((to) => address(...to)),
      always('newMeeting' as const, 'newMeeting' as const, 'newMessage' as const, 'reply' as const).map(
        begin,
      ),
      fc.nat(4).map(open),
      fc.constantFrom(...VERSIONS).map(newDefault),
      fc.tuple(always(0, 20, 400), fc.boolean()).map(([ms, fails]) => serve(ms, fails)),
      fc.record({ call: fc.constantFrom(...faultyCalls), kind: fc.constantFrom(...inTime) }).map(fault),
      spoiltField.map(spoil),
      fc.constant(restore),
      fc.oneof(fc.nat(40), always(100, 1_000, 6_000, 30_000)).map(wait),
      fc.oneof(fc.nat(40), always(100, 1_000, 6_000, 30_000)).map(wait),
    ]
    fc.assert(
      fc.property(
        fc.commands(inMeetings, { maxCommands: 25, size: '+1' }),
        fc.constantFrom(null, ...CLIENT_PROFILES.filter((each) => each !== 'ios' && each !== 'android')),
        twoPaces,
        (commands, edition, paces) => {
          play([begin('newMeeting'), ...commands], { paces, edition })
        },
      ),
      cases(60, 10_000),
    )
  })

  test('[BLOCK-5] the block is there exactly when recipients and signature ask for it, in any order', () => {
    const calm = [
      fc.nat(OWN.length - 1).map(choose),
      fc.subarray(['leo@northwind.example', 'tess@fabrikam.example']).map((to) => address(...to)),
      fc.constantFrom(...VERSIONS).map(newDefault),
      always('above' as const, 'below' as const).map(write),
      fc.oneof(fc.nat(40), always(1_000, 6_000)).map(wait),
    ]
    fc.assert(
      fc.property(fc.commands(calm, { maxCommands: 12 }), twoPaces, (commands, paces) => {
        play(commands, { paces })
      }),
      cases(60, 3_000),
    )
  })

  // Schedules that failed before their fix.
  test.each<
    [string, readonly Command[], readonly Quirk[], edition?: ClientProfile, paces?: readonly [Pace, Pace]]
  >([
    [
      'a forward that becomes plain text during a repair keeps the pictures of its thread',
      [fault({ call: 'sessionData.getAsync', kind: 'slow' }), begin('forward'), wait(100), toText, open(4)],
      [],
    ],
    [
      'a reply that is left before its signature is recorded is known again, though no claim was stored',
      [
        fault({ call: 'sessionData.setAsync', kind: 'silence' }),
        ...[begin('reply'), wait(30), choose(3), wait(6000), begin('newMessage'), chooseNone],
      ],
      ['stacksWithInlineImages'],
    ],
    [
      'a signature that is put back in classic Outlook keeps its pictures',
      [fault({ call: 'body.setSignatureAsync', kind: 'slow' }), choose(0), wait(6000), open(1)],
      [],
      'classic',
    ],
    [
      'a signature that was not recorded is known again, though the client does not say what the message is',
      [fault({ call: 'getComposeTypeAsync', kind: 'fail' }), begin('newMessage'), open(0), wait(100)],
      [],
      'web',
    ],
    [
      'a signature restored with the lost words is replaced in place',
      [choose(2), wait(30), write('above'), choose(0), wait(100), restoreBody, choose(0), wait(0)],
      ['losesLineAbove'],
    ],
    [
      'a picture that may be left over shares its name with no other',
      [
        fault({ call: 'body.setSignatureAsync', kind: 'failOnce' }),
        fault({ call: 'getAttachmentsAsync', kind: 'fail' }),
        choose(3),
        wait(100),
        choose(3),
        wait(0),
        choose(3),
      ],
      [],
    ],
    [
      'a picture of a removed signature shares its name with no other when attachments are unreadable',
      [
        choose(3),
        wait(100),
        fault({ call: 'getAttachmentsAsync', kind: 'fail' }),
        removeByHand,
        choose(3),
        wait(0),
        serve(0, false),
      ],
      [],
    ],
    [
      'text written after a restored body is above the thread',
      [
        begin('forward'),
        wait(30),
        choose(0),
        write('above'),
        wait(100),
        restoreBody,
        wait(0),
        write('below'),
      ],
      ['losesLineAbove'],
    ],
    [
      'a signature inserted into a restored reply is above the thread',
      [
        begin('reply'),
        wait(1_000),
        choose(1),
        wait(1_000),
        write('above'),
        choose(0),
        wait(1_000),
        restoreBody,
        wait(1_000),
        choose(3),
        wait(1_000),
        chooseNone,
        wait(1_000),
        choose(1),
      ],
      ['losesLineAbove', 'stacksWithInlineImages'],
    ],
    [
      'a runtime that knows of another writer waits for it, while slow calls keep session data from it',
      [
        begin('newMeeting'),
        newDefault(3),
        open(3),
        fault({ call: 'getAttachmentsAsync', kind: 'slow' }),
        wait(100),
        begin('newMeeting'),
        begin('newMeeting'),
        wait(30_000),
        open(0),
        restore,
      ],
      [],
      'web',
      [[186, 121, 260, 138, 230, 186, 36], [700]],
    ],
  ])('%s', (_, commands, quirks, edition, paces) => {
    play(commands, { quirks, ...(edition && { edition }), ...(paces && { paces }) })
  })
})
