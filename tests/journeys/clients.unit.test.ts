import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import {
  type MailboxAction,
  applyAction,
  type MailboxState,
  ownItems,
  type ReadItem,
} from '../../src/playground/mailbox/model.ts'
import {
  type ClientProfile,
  CLIENT_PROFILES,
  QUOTE_STYLES,
  type QuoteHead,
  quoteHtml,
  type QuoteStyle,
  quoteText,
} from '../../src/playground/mailbox/profiles.ts'
import { htmlToText } from '../../src/playground/mailbox/text.ts'
import { contentIds } from '../../streams/html/message.ts'
import { IMAGE_PREFIX, planInsertion } from '../../streams/html/plan.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import type { LaunchKind } from '../../streams/launch/events.ts'
import { sanitizeMarkup } from '../../streams/html/sanitizeMarkup.ts'
import { IS_LONG } from '../support/cases.ts'
import { type Company, COMPANIES } from '../support/companySignatures.ts'
import { startLaunch } from '../support/launch.ts'
import { createWorld, openPane, type Pane, type World } from '../support/pane.ts'
import { cachedSignature, image, listedSignature, masterId, profile, replyVersion } from '../support/state.ts'

// One signature, the author's words and whole threads in every edition of Outlook, as public reports describe them.

const LOGO = 'https://images.northwind.example/logo.png'
const SALES = { address: 'sales@northwind.example', name: 'Sales desk' }
const ALEX = { address: 'alex.kim@northwind.example', name: 'Alex Kim' }

/** Nothing else in a message has these words. */
const WORDS = {
  own: 'Alex Kim, Purchasing at Northwind Traders',
  reply: 'Alex Kim, Purchasing, in short for replies',
  sales: 'The sales desk of Northwind Traders in Bergen',
  other: 'Alex Kim, on the board of Northwind Traders',
} as const
type Words = keyof typeof WORDS
const html = (words: Words) =>
  `<table cellpadding="0" cellspacing="0"><tr><td><img src="${LOGO}" alt="Northwind"></td><td><p style="margin:0">${WORDS[words]}</p></td></tr></table>`

const known = {
  standard: cachedSignature({ html: html('own'), reply: replyVersion(html('reply')), images: [image(LOGO)] }),
  profile: profile({ delegations: ['u-2'] }),
  own: [
    listedSignature({ name: 'Board', combinedIds: 'c-other', html: html('other'), images: [image(LOGO)] }),
  ],
  delegated: [
    listedSignature({
      name: 'Sales desk',
      email: SALES.address,
      combinedIds: 'c-sales',
      html: html('sales'),
      images: [image(LOGO)],
    }),
  ],
}

const EDITIONS: readonly (ClientProfile | null)[] = [null, ...CLIENT_PROFILES]
const BODY_TYPES = ['html', 'text'] as const
type BodyType = (typeof BODY_TYPES)[number]
/** Every edition with every type of body. */
const EVERYWHERE = EDITIONS.flatMap((edition) =>
  BODY_TYPES.map((type) => [edition ?? 'as documented', type, edition] as const),
)

/** What the author of a message, or a thread, has of these signatures. */
const signaturesIn = ({ message }: Pick<World, 'message'>): readonly Words[] => {
  const text = composeBody(message())
  return (Object.keys(WORDS) as Words[]).flatMap((each) =>
    Array<Words>(text.split(WORDS[each]).length - 1).fill(each),
  )
}

/** Expects every picture that is shown to be attached, and none of Signet's to be left over. */
function expectWhole({ message }: Pick<World, 'message'>): void {
  const item = message()
  if (item.body.type === 'text') return
  const shown = [...contentIds(composeBody(item))]
  const names = item.attachments.map(({ name }) => name)
  for (const id of shown) expect(names).toContain(id)
  for (const name of names) if (name.startsWith(IMAGE_PREFIX)) expect(shown).toContain(name)
}

const AUTHOR = {
  html: '<p>Dear Sam, here are the figures.</p>',
  text: 'Dear Sam, here are the figures.',
} as const
/** A message that the user has begun to write, in this type. */
const begun =
  (type: BodyType, kind: 'newMessage' | 'reply' = 'newMessage') =>
  (initial: MailboxState): MailboxState =>
    (
      [
        { type: 'close' },
        { type: kind },
        { type: 'setBodyType', bodyType: type },
        { type: 'typed', author: AUTHOR[type] },
      ] as const
    ).reduce<MailboxState>((state, action: MailboxAction) => applyAction(state, action).state, initial)

const open = (
  edition: ClientProfile | null,
  type: BodyType,
  kind: 'newMessage' | 'reply' = 'newMessage',
): Pane => {
  const pane = openPane({ ...known, edition, mailbox: begun(type, kind) })
  pane.clock.advance(10_000)
  return pane
}
/** The user acts, and the pane has time to follow. */
const then = (pane: Pane, ...actions: readonly MailboxAction[]): void => {
  for (const action of actions) {
    pane.mailbox.act(action)
    pane.mailbox.act({ type: 'endSwitch' })
    pane.clock.advance(10_000)
  }
}
const choose = (pane: Pane): void => {
  pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
  pane.clock.advance(10_000)
}
/** As a user would: the words of the signature are gone, and so are its pictures. */
const removeByHand = ({ mailbox, message }: World): void => {
  const { body } = message()
  const author = Object.values(WORDS).reduce((text, words) => text.replace(words, ''), body.author)
  mailbox.act({ type: 'typed', author })
  if (body.signature !== '') mailbox.act({ type: 'signatureEdited', signature: '' })
}

describe.each(EVERYWHERE)('in Outlook %s, %s,', (_, type, edition) => {
  const expectOnly = (pane: Pick<World, 'message'>, words: Words) => {
    expect(signaturesIn(pane)).toEqual([words])
    expect(composeBody(pane.message())).toContain('Dear Sam, here are the figures.')
    expectWhole(pane)
  }

  test('[CLIENT-1] [CLIENT-5] [SAFE-1] another sender gets their signature, and back', () => {
    const pane = open(edition, type)
    expectOnly(pane, 'own')
    then(pane, { type: 'setFrom', from: SALES })
    expectOnly(pane, 'sales')
    then(pane, { type: 'setFrom', from: ALEX })
    expectOnly(pane, 'own')
  })

  test('[CLIENT-1] [CLIENT-5] a draft that is opened again has its signature once, and follows the sender', () => {
    const pane = open(edition, type)
    then(pane, { type: 'reopen' })
    expectOnly(pane, 'own')
    then(pane, { type: 'setFrom', from: SALES })
    expectOnly(pane, 'sales')
    then(pane, { type: 'reopen' }, { type: 'setFrom', from: ALEX })
    expectOnly(pane, 'own')
  })

  test('[CLIENT-1] [CLIENT-5] so does one that another client opens, which knows no signature in it', () => {
    const pane = open(edition, type)
    then(pane, { type: 'reopen', elsewhere: true }, { type: 'setFrom', from: SALES })
    expectOnly(pane, 'sales')
    choose(pane)
    expectOnly(pane, 'other')
  })

  test('[CLIENT-5] [SAFE-5] a choice stays, whatever is due, and replaces what is there', () => {
    const pane = open(edition, type)
    choose(pane)
    expectOnly(pane, 'other')
    then(pane, { type: 'setFrom', from: SALES })
    expectOnly(pane, 'other')
    then(pane, { type: 'reopen' }, { type: 'setFrom', from: ALEX })
    expectOnly(pane, 'other')
  })

  test('[CLIENT-4] [SAFE-5] [AUTO-8] what the user removed stays removed, also when the draft is opened again', () => {
    for (const elsewhere of [false, true]) {
      const pane = open(edition, type)
      removeByHand(pane)
      then(pane, { type: 'setFrom', from: SALES })
      expect(signaturesIn(pane)).toEqual([])
      const other = open(edition, type)
      removeByHand(other)
      then(other, { type: 'reopen', elsewhere }, { type: 'setFrom', from: SALES })
      expect(signaturesIn(other)).toEqual([])
      then(other, { type: 'reopen', elsewhere }, { type: 'setFrom', from: ALEX })
      expect(signaturesIn(other)).toEqual([])
      choose(other)
      expect(signaturesIn(other)).toEqual(['other'])
    }
  })

  test('[CLIENT-5] [AUTO-10] words that are there are not put in twice', () => {
    const author = type === 'html' ? `<p>Hello</p><p>${WORDS.own}</p>` : `Hello\n\n${WORDS.own}`
    const pane = openPane({
      ...known,
      edition,
      mailbox: (initial) => applyAction(begun(type)(initial), { type: 'typed', author }).state,
    })
    pane.clock.advance(10_000)
    expect(signaturesIn(pane)).toEqual(['own'])
  })

  test('[CLIENT-5] [SAFE-5] a choice stays in a draft with a thread that the author pasted above it', () => {
    const thread = type === 'html' ? '<p><b>From:</b> Oslo</p>' : '-----Original Message-----\nFrom: Oslo\n'
    const pane = openPane({
      ...known,
      edition,
      mailbox: (initial) =>
        applyAction(begun(type)(initial), { type: 'typed', author: `${AUTHOR[type]}\n\n${thread}` }).state,
    })
    pane.clock.advance(10_000)
    choose(pane)
    expect(signaturesIn(pane)).toEqual(['other'])
    then(pane, { type: 'reopen' }, { type: 'setFrom', from: SALES })
    expect(signaturesIn(pane)).toEqual(['other'])
  })

  test("[CLIENT-2] [SIG-8] a forward of the user's own forward gets a signature, though its record is copied", () => {
    const pane = openPane({
      ...known,
      edition,
      quirks: ['copiesCustomPropertiesOnForward'],
      mailbox: begun(type),
    })
    pane.clock.advance(10_000)
    for (const count of [1, 2]) {
      then(pane, { type: 'setRecipients', to: [SALES] }, { type: 'send', date: 0 })
      const sent = ownItems(pane.mailbox.state$.value).findLast((item) => item.mode === 'read')
      then(pane, { type: 'forward', message: sent?.id ?? '' }, { type: 'setBodyType', bodyType: type })
      expect(signaturesIn(pane).toSorted()).toEqual(['own', ...Array<Words>(count).fill('reply')])
    }
  })

  test('[CLIENT-1] a message that is sent again has its signature once', () => {
    const pane = open(edition, type)
    then(pane, { type: 'setRecipients', to: [SALES] }, { type: 'send', date: 0 })
    const sent = ownItems(pane.mailbox.state$.value).findLast((item) => item.mode === 'read')
    then(pane, { type: 'resend', message: sent?.id ?? '' })
    expectOnly(pane, 'own')
  })

  test('[CLIENT-1] [AUTO-3] launch events follow the sender, with the pane closed', () => {
    const world = createWorld({ ...known, edition, mailbox: begun(type) })
    const raise = (kind: LaunchKind) => {
      startLaunch(world, kind)
      world.clock.advance(10_000)
    }
    raise('newMessage')
    expectOnly(world, 'own')
    world.mailbox.act({ type: 'setFrom', from: SALES })
    raise('fromChanged')
    expectOnly(world, 'sales')
    world.mailbox.act({ type: 'reopen' })
    world.mailbox.act({ type: 'endSwitch' })
    world.mailbox.act({ type: 'setFrom', from: ALEX })
    raise('fromChanged')
    expectOnly(world, 'own')
  })
})

test.each(
  EDITIONS.filter((edition) => edition !== 'android').map(
    (edition) => [edition ?? 'as documented', edition] as const,
  ),
)(
  '[CLIENT-1] [CLIENT-2] a signature of few words is known by its mark alone, in Outlook %s',
  (_, edition) => {
    const short = (words: string) => `<p>${words}</p>`
    const quoted = quoteHtml('unknown', HEAD, `<p>Thanks</p>${foreign('own')}`)
    const pane = openPane({
      ...known,
      edition,
      mailbox: answering('html', quoted),
      standard: cachedSignature({ html: short('Alex K.'), reply: replyVersion(short('Alex R.')) }),
    })
    pane.clock.advance(10_000)
    const counts = () =>
      ['Alex R.', WORDS.sales, 'Alex K.'].map((each) => composeBody(pane.message()).split(each).length - 1)
    expect(counts()).toEqual([1, 0, 0])
    then(pane, { type: 'reopen', elsewhere: true }, { type: 'setFrom', from: SALES })
    expect(counts()).toEqual([0, 1, 0])
    then(pane, { type: 'reopen', elsewhere: true }, { type: 'setFrom', from: ALEX })
    expect(counts()).toEqual([1, 0, 0])
  },
)

// ---- Quotes ----

const HEAD: QuoteHead = [
  ['From', 'Priya Shah <priya.shah@northwind.example>'],
  ['Sent', 'Friday, November 20, 2026'],
  ['To', 'Alex Kim <alex.kim@northwind.example>'],
  ['Subject', 'Figures'],
]
/** A signature of Signet as another message has it, with every mark. */
const foreign = (words: Words): string => {
  const plan = planInsertion(
    { html: html(words), images: [], combinedIds: `c-${words}` },
    'html',
    [],
    (given) => given.replace(`src="${LOGO}"`, 'src="cid:lsi-attachlogo.png"'),
    null,
    'another-mark',
  )
  return plan.kind === 'ready' ? plan.content : ''
}
const quoteOf = (style: QuoteStyle, type: BodyType, inner: string): string =>
  type === 'html' ? quoteHtml(style, HEAD, inner) : quoteText(style, HEAD, inner)
/** A thread of answers, the latest in the first of these styles; each of its messages has the user's own signature. */
const thread = (styles: readonly QuoteStyle[], type: BodyType): string =>
  styles.reduceRight(
    (below, style) =>
      quoteOf(
        style,
        type,
        type === 'html'
          ? `<p>Thanks, see below.</p>${foreign('own')}${below}`
          : `Thanks, see below.\n\n${WORDS.own}\n\n${below}`,
      ),
    type === 'html' ? '<p>Could you look at page 3?</p>' : 'Could you look at page 3?',
  )

/** A reply above a thread, as the client begins it. */
const answering =
  (type: BodyType, quoted: string) =>
  (initial: MailboxState): MailboxState => {
    const state = begun(type, 'reply')(initial)
    return {
      ...state,
      items: state.items.map((item) =>
        item.id === state.open ? { ...item, body: { ...item.body, quoted } } : item,
      ),
    }
  }

/** Several styles within each other: every one with every other around it, three deep. */
const MIXED: readonly (readonly QuoteStyle[])[] = QUOTE_STYLES.flatMap((style, index) => [
  [style],
  [style, QUOTE_STYLES[(index + 1) % QUOTE_STYLES.length] ?? style],
  [style, QUOTE_STYLES[(index + 5) % QUOTE_STYLES.length] ?? style, style],
])

describe.each(EVERYWHERE)('a reply in Outlook %s, %s,', (_, type, edition) => {
  test.each(MIXED.map((styles) => [styles.join(', in it '), styles] as const))(
    '[CLIENT-2] [SAFE-3] above a thread quoted as %s has one signature of its own, and the thread is untouched',
    (_name, styles) => {
      const quoted = thread(styles, type)
      const pane = openPane({ ...known, edition, mailbox: answering(type, quoted) })
      pane.clock.advance(10_000)
      const inThread = Array<Words>(styles.length).fill('own')
      const expectAbove = (words: readonly Words[]) => {
        expect(signaturesIn(pane).toSorted()).toEqual([...words, ...inThread].toSorted())
        const text = (body: string) => (type === 'html' ? htmlToText(body) : body)
        expect(text(composeBody(pane.message()))).toContain(text(quoted))
        expect(composeBody(pane.message())).toContain('Dear Sam, here are the figures.')
      }
      expectAbove(['reply'])
      then(pane, { type: 'setFrom', from: SALES })
      expectAbove(['sales'])
      then(pane, { type: 'reopen' }, { type: 'setFrom', from: ALEX })
      expectAbove(['reply'])
      choose(pane)
      expectAbove(['other'])
    },
  )
})

test('[CLIENT-5] [SAFE-2] plain text around a signature stays as it is, line by line', () => {
  for (const author of ['Über uns,\n¿y ahora?', '\n\nÀ bientôt\n\n']) {
    const pane = openPane({
      ...known,
      edition: 'web',
      mailbox: (initial) => applyAction(begun('text')(initial), { type: 'typed', author }).state,
    })
    then(pane, { type: 'reopen' })
    const around = () => composeBody(pane.message()).split(/Alex Kim.*|The sales.*/)
    const before = around()
    expect(before).toHaveLength(2)
    then(pane, { type: 'setFrom', from: SALES }, { type: 'setFrom', from: ALEX })
    choose(pane)
    expect(around()).toEqual(before)
  }
})

test('[CLIENT-5] in plain text a signature that is chosen after it was removed has its own lines above the thread', () => {
  const thread = quoteText('outlookText', HEAD, 'Thanks')
  const pane = openPane({ ...known, mailbox: answering('html', '') })
  pane.clock.advance(10_000)
  then(pane, { type: 'reopen', elsewhere: true }, { type: 'setFrom', from: SALES })
  then(pane, { type: 'setBodyType', bodyType: 'text' })
  then(pane, { type: 'typed', author: `${AUTHOR.text}\n${thread}` })
  choose(pane)
  expect(composeBody(pane.message())).toContain(`${AUTHOR.text}\n\nNorthwind\n${WORDS.other}\n\n${thread}`)
})

// ---- Reads and events ----

describe('what was read before an event', () => {
  // In each run as documented and in classic Outlook, in `npm run test:long` in each edition.
  const somewhere = EVERYWHERE.filter(([, , edition]) => IS_LONG || edition === null || edition === 'classic')

  test.each(somewhere)('[CLIENT-3] [AUTO-3] never answers it, in Outlook %s, %s', (_, type, edition) => {
    const wrong: string[] = []
    for (const isNewRuntime of [false, true])
      for (let gapMs = 0; gapMs <= 300; gapMs += 10) {
        const pane = openPane({ ...known, edition, mailbox: begun(type) })
        pane.clock.advance(5_000)
        pane.app.stop()
        pane.mailbox.act({ type: 'newMessage' })
        pane.mailbox.act({ type: 'endSwitch' })
        pane.mailbox.act({ type: 'setBodyType', bodyType: type })
        pane.mailbox.delay('*', 30)
        const first = startLaunch(pane, 'newMessage')
        pane.clock.advance(gapMs)
        pane.mailbox.act({ type: 'setFrom', from: SALES })
        const second = isNewRuntime ? startLaunch(pane, 'fromChanged') : first
        if (!isNewRuntime) first.raise('fromChanged')
        // Outlook ends a runtime once it has completed its events.
        for (const { store, completed } of isNewRuntime ? [first, second] : [first]) {
          for (let ms = 0; ms < 20_000 && completed.length < (isNewRuntime ? 1 : 2); ms += 5)
            pane.clock.advance(5)
          expect(completed).toHaveLength(isNewRuntime ? 1 : 2)
          store.stop()
        }
        if (signaturesIn(pane).join() !== 'sales')
          wrong.push(`${String(gapMs)} ms: ${signaturesIn(pane).join()}`)
      }
    expect(wrong).toEqual([])
  })

  test('[CLIENT-3] nor where the message has the signature of the first sender already', () => {
    const wrong: string[] = []
    for (let gapMs = 0; gapMs <= 200; gapMs += 5) {
      const pane = open(null, 'html')
      pane.app.stop()
      pane.mailbox.delay('*', 30)
      const { store, raise, completed } = startLaunch(pane, 'newMessage')
      pane.clock.advance(gapMs)
      pane.mailbox.act({ type: 'setFrom', from: SALES })
      const isOver = completed.length > 0
      if (!isOver) raise('fromChanged')
      for (let ms = 0; ms < 20_000 && completed.length < (isOver ? 1 : 2); ms += 5) pane.clock.advance(5)
      store.stop()
      if (!isOver && signaturesIn(pane).join() !== 'sales') wrong.push(`${String(gapMs)} ms`)
    }
    expect(wrong).toEqual([])
  })

  test('[CLIENT-3] nor do the recipients, nor in a pane', () => {
    const everyone = listedSignature({
      name: 'Everyone',
      combinedIds: 'c-other',
      html: html('other'),
      images: [image(LOGO)],
      audiences: ['!northwind.example'],
    })
    const wrong: string[] = []
    for (let gapMs = 0; gapMs <= 300; gapMs += 10) {
      const world = createWorld({ ...known, own: [everyone] })
      world.mailbox.delay('*', 30)
      const pane = openPane({ beside: world })
      pane.clock.advance(gapMs)
      world.mailbox.act({ type: 'setFrom', from: SALES })
      pane.clock.advance(15_000)
      if (signaturesIn(pane).join() !== 'sales')
        wrong.push(`${String(gapMs)} ms: ${signaturesIn(pane).join()}`)
      pane.app.stop()
    }
    expect(wrong).toEqual([])
  })
})

// ---- Pictures ----

describe('a picture that is shown and not attached', () => {
  const lose = (pane: Pane) => {
    for (const { id, name } of pane.message().attachments)
      if (name.startsWith(IMAGE_PREFIX)) pane.mailbox.act({ type: 'discardAttachment', id })
  }

  test.each(EDITIONS.map((edition) => [edition ?? 'as documented', edition] as const))(
    '[CLIENT-6] is attached again by the pane that opens next, in Outlook %s',
    (_, edition) => {
      const first = open(edition, 'html')
      first.app.stop()
      lose(first)
      const body = first.message().body
      const pane = openPane({ beside: first })
      pane.clock.advance(10_000)
      expect(signaturesIn(pane)).toEqual(['own'])
      expectWhole(pane)
      expect(pane.message().attachments.filter(({ name }) => name.startsWith(IMAGE_PREFIX))).toHaveLength(1)
      // The message itself is not written.
      expect(pane.message().body).toEqual(body)
      expect(pane.app.log.filter(({ type }) => type.startsWith('insertion/'))).toEqual([])
    },
  )

  test('[CLIENT-6] stays away with the signature, and where nothing says what it showed', () => {
    const first = open(null, 'html')
    first.app.stop()
    lose(first)
    removeByHand(first)
    const pane = openPane({ beside: first })
    pane.clock.advance(10_000)
    expect(pane.message().attachments).toEqual([])
    const other = open(null, 'html')
    other.app.stop()
    lose(other)
    other.service.standard = cachedSignature({ html: html('other'), images: [image(LOGO)] })
    const later = openPane({ beside: other, runtimeId: 'later' })
    later.clock.advance(10_000)
    expect(signaturesIn(later)).toEqual(['other'])
    expectWhole(later)
  })
})

test('[INS-6] a picture of a refused signature is removed at once, though its id is another when it is uploaded', () => {
  const pane = open('web', 'html')
  pane.mailbox.fail('body.setSignatureAsync', { code: 5000, name: 'InternalError' }, 2)
  choose(pane)
  expect(pane.app.log.some(({ type }) => type === 'insertion/failed')).toBe(true)
  expect(signaturesIn(pane)).toEqual(['own'])
  expectWhole(pane)
})

// ---- Signatures of companies ----

/** A sent message, in the inbox of the one that it was sent to. */
const delivered = (state: MailboxState, to: string): MailboxState => {
  const sent = state.items.findLast((item) => item.mode === 'read' && item.folder === 'sent')
  if (sent?.mode !== 'read') throw new Error('nothing was sent')
  const lastId = state.lastId + 1
  const received: ReadItem = {
    ...sent,
    id: `item-${String(lastId)}`,
    owner: to,
    folder: 'inbox',
    isRead: false,
  }
  return { ...state, lastId, items: [received, ...state.items] }
}

const sanitized = ({ ports }: Pick<World, 'ports'>) => {
  Object.assign(ports, { sanitizer: () => of(sanitizeMarkup) })
}

test('there are thirty signatures of companies', () => {
  expect(COMPANIES).toHaveLength(30)
  expect(new Set(COMPANIES.map(({ html: each }) => each)).size).toBe(30)
})

describe.each(EDITIONS.map((edition) => [edition ?? 'as documented', edition] as const))(
  'with Signet on both sides, in Outlook %s,',
  (_, edition) => {
    test.each(COMPANIES.map((company, index) => [company.kind, index] as const))(
      '[CLIENT-1] [CLIENT-2] [SAFE-1] [SAFE-3] a signature that is %s goes in once, with its pictures, into a message and each answer',
      (_kind, index) => {
        const [one, other] = [COMPANIES[index], COMPANIES[(index + 7) % COMPANIES.length]]
        if (!one || !other) throw new Error('no such company')
        const signatureOf = ({ html: content, pictures }: Company) =>
          cachedSignature({ html: content, reply: null, images: pictures.map((each) => image(each)) })
        let pane = openPane({
          standard: signatureOf(one),
          edition,
          prepare: sanitized,
          mailbox: (initial) =>
            applyAction(begun('html')(initial), { type: 'setRecipients', to: [SALES] }).state,
        })
        pane.clock.advance(10_000)
        const count = ({ line }: Company) => composeBody(pane.message()).split(line).length - 1
        const expectCounts = (ones: number, others: number) => {
          expect([count(one), count(other)]).toEqual([ones, others])
          const shown = [...contentIds(composeBody(pane.message()))]
          const names = pane.message().attachments.map(({ name }) => name)
          for (const id of shown) expect(names).toContain(id)
          expect(pane.app.log.filter(({ type }) => type === 'insertion/failed')).toEqual([])
        }
        expectCounts(1, 0)
        /** Sends the open message, and answers it on the other side, whose signature this is. */
        const answer = (kind: 'reply' | 'forward', to: string, company: Company) => {
          then(pane, { type: 'send', date: 0 })
          pane.app.stop()
          const state = delivered(pane.mailbox.state$.value, to)
          const received = state.items[0]?.id ?? ''
          const begunBy = [
            { type: 'choosePerson', address: to } as const,
            { type: kind, message: received } as const,
            { type: 'setRecipients', to: [to === SALES.address ? ALEX : SALES] } as const,
          ].reduce((now, action) => applyAction({ ...now, switching: false }, action).state, state)
          pane = openPane({
            standard: signatureOf(company),
            edition,
            prepare: sanitized,
            runtimeId: `${kind}-${to}`,
            mailbox: () => ({ ...begunBy, switching: false }),
          })
          const { quoted } = pane.message().body
          pane.clock.advance(10_000)
          expect(htmlToText(composeBody(pane.message())).endsWith(htmlToText(quoted))).toBe(true)
        }
        answer('reply', SALES.address, other)
        expectCounts(1, 1)
        answer('reply', ALEX.address, one)
        expectCounts(2, 1)
        answer('forward', SALES.address, other)
        expectCounts(2, 2)
        // In a draft that is opened again, another one takes its place.
        then(pane, { type: 'reopen' })
        expectCounts(2, 2)
      },
    )
  },
)
