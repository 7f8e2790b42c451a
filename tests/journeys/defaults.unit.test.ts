import fc from 'fast-check'
import { defer, map, timer } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { asPhoneMailbox } from '../../src/playground/mailbox/model.ts'
import { Defaults, type DefaultUse } from '../../streams/message/defaults/events.ts'
import { selectAdminDefinedId, selectDefaultIds } from '../../streams/pane/defaults/selectors.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { contentIds, findSignatures } from '../../streams/html/message.ts'
import {
  selectEntryToRetry,
  selectInsertedVersion,
  selectShownInMessage,
  selectSignatureReason,
} from '../../streams/pane/insertion/selectors.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import type { ChosenDefaults } from '../../streams/wire/user.ts'
import type { CachedSignature, ListedSignature } from '../../streams/wire/signatures.ts'
import { selectListedEntries } from '../../streams/pane/signatures/selectors.ts'
import { openPane, type Pane, type PaneOptions } from '../support/pane.ts'
import { cachedSignature, image, listedSignature, masterId, profile, replyVersion } from '../support/state.ts'
import { cases } from '../support/cases.ts'

// The defaults for new messages and for replies, end to end: the whole application over the mailbox model and a service
// that keeps what it is told.

const signature = (name: string): ListedSignature =>
  listedSignature({
    name,
    combinedIds: `c-${name}`,
    html: `<p>${name}</p>`,
    variants: [{ code: 'reply', html: `<p>${name}, in reply</p>` }],
  })
/** The last one is on the second page of the list. */
const OWN = ['Standard', 'Short', 'Summer', 'Winter', 'Spring', 'Legal'].map(signature)
const idsOf = (name: string) => `c-${name}`

const chose = (defaultSignature: ChosenDefaults | null) =>
  profile({ metadata: { defaultSignature, others: { tour: 'seen' } } })

type Standing = Extract<ChosenDefaults, { master: string }>

/** What the service answers for these defaults; `names` also which signature goes into replies. */
function answerOf({ master, reply }: Standing, names: boolean): CachedSignature {
  const find = (ids: string) => OWN.find(({ combinedIds }) => combinedIds === ids) ?? signature('')
  const inReplies = find(reply ?? master)
  const { name, html, combinedIds } = find(master)
  const of = names ? { name: inReplies.name, combinedIds: inReplies.combinedIds } : null
  const version = { html: inReplies.variants[0]?.html ?? '', of }
  return cachedSignature({ name, html, combinedIds, reply: version })
}

/** How a change of the default ends: its two calls succeed, the first is refused or its answer is lost, or the second fails. */
type Outcome = 'made' | 'refused' | 'lost' | 'halfMade'

type Options = PaneOptions & Readonly<{ organisation?: Standing; names?: boolean; outcomes?: Outcome[] }>

/** Opens a pane over a service that keeps the defaults that it is sent. Saving takes 50 ms. */
function open({ organisation, names = true, outcomes = [], ...options }: Options = {}): Pane {
  const standing = organisation ?? { master: idsOf('Standard'), reply: null }
  const pane = openPane({
    own: OWN,
    profile: chose(null),
    ...options,
    prepare: (made) => {
      const { ports, service, clock } = made
      const script = [...outcomes]
      let outcome: Outcome = 'made'
      const refreshed = () => {
        const { defaultSignature: chosen } = service.profile.metadata
        service.standard = answerOf(chosen?.master ? chosen : standing, names)
      }
      const answering = (fails: () => boolean, change: () => void = () => undefined) =>
        timer(50, clock.scheduler).pipe(
          map(() => {
            change()
            if (fails()) throw new Failed({ kind: 'timeout' })
          }),
        )
      refreshed()
      ports.api.saveVariables.answers(({ metadata }) =>
        defer(() => {
          outcome = script.shift() ?? 'made'
          const isKept = outcome !== 'refused'
          const fails = outcome === 'refused' || outcome === 'lost'
          return answering(
            () => fails,
            () => {
              if (isKept && metadata) service.profile = { ...service.profile, metadata }
              refreshed()
            },
          ).pipe(map(() => ({ values: {}, changedFields: [] })))
        }),
      )
      ports.api.saveDefaultSignature.answers(() => answering(() => outcome === 'halfMade'))
      options.prepare?.(made)
    },
  })
  pane.clock.advance(1_000)
  return pane
}

const replying = ({ mailbox, clock }: Pane, type: 'reply' | 'forward') => {
  mailbox.act({ type })
  mailbox.act({ type: 'endSwitch' })
  clock.advance(1_000)
}

/** Everything that says which signature is in the open message. */
function namesIn(pane: Pane) {
  const state = pane.app.state$.value
  const shown = selectShownInMessage(state)?.inMessage
  const [found] = findSignatures(composeBody(pane.message()))
  const logged = pane.app.log.flatMap((event) =>
    event.type === 'insertion/succeeded' ? [event.data.inMessage] : [],
  )
  const marker = JSON.parse(pane.message().sessionData['lsi_inserted'] ?? 'null') as Record<string, unknown>
  return {
    shown: [shown?.name, shown?.combinedIds],
    body: found?.combinedIds,
    marker: [marker['name'], marker['combinedIds']],
    logged: [logged.at(-1)?.name, logged.at(-1)?.combinedIds],
    badge: selectListedEntries(state)
      .filter(({ inUse }) => inUse)
      .map(({ entry }) => [entry.name, entry.code]),
    latest: selectInsertedVersion(state)?.name,
  }
}
const everywhere = (name: string, code: string) => ({
  shown: [name, idsOf(name)],
  body: idsOf(name),
  marker: [name, idsOf(name)],
  logged: [name, idsOf(name)],
  badge: [[name, code]],
  latest: name,
})

describe('a default for replies that is another signature', () => {
  const own = { master: idsOf('Standard'), reply: idsOf('Short') }

  test.each([
    ['reply', true],
    ['forward', true],
    ['reply', false],
    ['forward', false],
  ] as const)(
    '[SIG-7] [INS-3] [CHOOSE-1] is named by everything in a %s; by the service: %s',
    (type, names) => {
      const pane = open({ profile: chose(own), names })
      replying(pane, type)
      expect(composeBody(pane.message())).toContain('<p>Short, in reply</p>')
      expect(namesIn(pane)).toEqual(everywhere('Short', 'reply'))
      expect(selectSignatureReason(pane.app.state$.value)).toEqual({
        kind: 'replyDefault',
        by: 'person',
        composeType: type,
      })
    },
  )

  test('[CHOOSE-1] is named when it is on a page that is not loaded, and in the next pane before any answer', () => {
    const legal = { master: idsOf('Standard'), reply: idsOf('Legal') }
    const first = open({ profile: chose(legal), names: false })
    replying(first, 'reply')
    const { badge, ...named } = everywhere('Legal', 'reply')
    expect(badge).toHaveLength(1)
    expect(namesIn(first)).toMatchObject(named)
    const second = open({
      profile: chose(legal),
      names: false,
      ms: 60_000,
      prepare: ({ ports }) => {
        const copies = [
          [first.ports.storage.local, ports.storage.local],
          [first.ports.storage.privateCache('u-alex'), ports.storage.privateCache('u-alex')],
          [first.ports.storage.kept, ports.storage.kept],
        ] as const
        for (const [from, to] of copies)
          for (const [key, value] of Object.entries(from.content())) to.set(key, value).subscribe()
      },
    })
    replying(second, 'reply')
    expect(namesIn(second)).toMatchObject({ ...named, latest: 'Legal' })
  })

  test('[SIG-8] [HOST-5] a new message, and one of unknown kind, have the default for new messages', () => {
    const pane = open({ profile: chose(own) })
    expect(namesIn(pane)).toEqual(everywhere('Standard', 'master'))
    pane.mailbox.fail('getComposeTypeAsync', { code: 5000, name: 'InternalError' })
    replying(pane, 'reply')
    expect(composeBody(pane.message())).toContain('<p>Standard</p>')
    expect(namesIn(pane)).toEqual(everywhere('Standard', 'master'))
    expect(selectSignatureReason(pane.app.state$.value)).toEqual({ kind: 'default', by: 'person' })
  })

  test('[CHOOSE-1] is named by what says that it could not be inserted', () => {
    const pane = open({ profile: chose(own) })
    pane.mailbox.fail('body.setSignatureAsync', { code: 5000, name: 'InternalError' })
    replying(pane, 'reply')
    const state = pane.app.state$.value
    expect(state.insertion.latest?.attempt.status).toBe('fail')
    expect(selectInsertedVersion(state)).toMatchObject({ name: 'Short', code: 'reply' })
    expect(selectEntryToRetry(state)).toMatchObject({ name: 'Short', code: 'reply' })
    expect(pane.message().notifications.map(({ message }) => message)).toEqual([
      'defaultNotInserted: Short (reply)',
    ])
  })

  test('[CHOOSE-1] is told apart from the version of the default for new messages', () => {
    const why = (defaults: ChosenDefaults) => {
      const pane = open({ profile: chose(defaults) })
      replying(pane, 'reply')
      return selectListedEntries(pane.app.state$.value)
        .filter(({ role }) => role !== null)
        .map(({ entry, why: { kind } }) => [entry.name, entry.code, kind])
    }
    expect(why(own)).toEqual([
      ['Standard', 'master', 'forNew'],
      ['Short', 'reply', 'replyDefault'],
    ])
    expect(why({ master: idsOf('Standard'), reply: null })).toEqual([
      ['Standard', 'master', 'forNew'],
      ['Standard', 'reply', 'replyDefault'],
    ])
  })
})

describe('setting a default', () => {
  const ask = (pane: Pane, name: string, use: DefaultUse) => {
    pane.app.record(Defaults.changeRequested({ combinedIds: idsOf(name), use }))
  }
  const kept = ({ service }: Pane) => service.profile.metadata.defaultSignature
  const shown = ({ app }: Pane) => selectDefaultIds(app.state$.value)

  test("[SIG-7] for replies leaves the organisation's default in new messages", () => {
    const pane = open()
    ask(pane, 'Short', 'reply')
    pane.clock.advance(1_000)
    expect(kept(pane)).toEqual({ master: idsOf('Standard'), reply: idsOf('Short') })
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1_000)
    expect(namesIn(pane)).toEqual(everywhere('Standard', 'master'))
    replying(pane, 'reply')
    expect(namesIn(pane)).toEqual(everywhere('Short', 'reply'))
  })

  test("[SIG-7] for new messages leaves the organisation's default in replies, which is another signature", () => {
    const pane = open({ organisation: { master: idsOf('Standard'), reply: idsOf('Winter') } })
    ask(pane, 'Short', 'master')
    pane.clock.advance(1_000)
    expect(kept(pane)).toEqual({ master: idsOf('Short'), reply: idsOf('Winter') })
    replying(pane, 'reply')
    expect(namesIn(pane)).toEqual(everywhere('Winter', 'reply'))
  })

  test('[SIG-7] both of two changes in a row count, and other programs keep their metadata', () => {
    const pane = open()
    ask(pane, 'Short', 'master')
    ask(pane, 'Winter', 'reply')
    expect(pane.app.state$.value.defaults.pending).toHaveLength(2)
    pane.clock.advance(1_000)
    expect(kept(pane)).toEqual({ master: idsOf('Short'), reply: idsOf('Winter') })
    expect(shown(pane)).toEqual({ master: idsOf('Short'), reply: idsOf('Winter') })
    expect(pane.service.profile.metadata.others).toEqual({ tour: 'seen' })
  })

  test('[SIG-7] the pane shows what the service has, however quick the changes and whatever fails', () => {
    const change = fc.record({
      name: fc.constantFrom(...OWN.slice(0, 4).map(({ name }) => name)),
      use: fc.constantFrom<DefaultUse>('master', 'reply'),
      outcome: fc.constantFrom<Outcome>('made', 'made', 'refused', 'lost', 'halfMade'),
      after: fc.integer({ min: 0, max: 120 }),
    })
    const anyId = fc.constantFrom(...OWN.slice(0, 4).map(({ combinedIds }) => combinedIds))
    const anyChoice = fc.record({ master: anyId, reply: fc.option(anyId) })
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        anyChoice,
        fc.option(anyChoice),
        (changes, organisation, own) => {
          const pane = open({
            organisation,
            profile: chose(own),
            outcomes: changes.map(({ outcome }) => outcome),
          })
          for (const { name, use, after } of changes) {
            pane.clock.advance(after)
            ask(pane, name, use)
          }
          pane.clock.advance(5_000)
          const standing = own ?? organisation
          const expected = changes.reduce(
            (before, { name, use, outcome }) =>
              outcome === 'refused' ? before : { ...before, [use]: idsOf(name) },
            { master: standing.master, reply: standing.reply ?? standing.master },
          )
          expect(shown(pane)).toEqual(expected)
          if (changes.some(({ outcome }) => outcome !== 'refused')) expect(kept(pane)).toEqual(expected)
          expect(pane.app.state$.value.defaults.pending).toEqual([])
        },
      ),
      cases(40),
    )
  })

  test('[SIG-7] is taken back for the organisation’s, which then changes with it, and choices for senders stay', () => {
    const bySender = { 'sales@northwind.example': idsOf('Winter') }
    const pane = open({ profile: chose({ master: idsOf('Short'), reply: idsOf('Winter'), bySender }) })
    expect(shown(pane)).toEqual({ master: idsOf('Short'), reply: idsOf('Winter') })
    pane.app.record(Defaults.organisationRequested())
    pane.clock.advance(1_000)
    expect(kept(pane)).toEqual({ master: null, reply: null, bySender })
    expect(pane.service.profile.metadata.others).toEqual({ tour: 'seen' })
    expect(pane.ports.api.saveDefaultSignature.calls).toEqual([])
    expect(shown(pane)).toEqual({ master: idsOf('Standard'), reply: idsOf('Standard') })
    expect(selectAdminDefinedId(pane.app.state$.value)).toBe(idsOf('Standard'))
    pane.mailbox.act({ type: 'newMessage' })
    pane.clock.advance(1_000)
    expect(namesIn(pane)).toEqual(everywhere('Standard', 'master'))
    expect(selectSignatureReason(pane.app.state$.value)).toEqual({ kind: 'default', by: 'organisation' })
  })

  test('[SIG-7] a failure is shown until the same default is asked for again', () => {
    const pane = open({ outcomes: ['refused', 'made', 'made'] })
    ask(pane, 'Short', 'master')
    ask(pane, 'Winter', 'reply')
    pane.clock.advance(1_000)
    const refused = () => pane.app.state$.value.defaults.refused.map(({ change }) => change.combinedIds)
    expect(refused()).toEqual([idsOf('Short')])
    expect(shown(pane)).toEqual({ master: idsOf('Standard'), reply: idsOf('Winter') })
    ask(pane, 'Short', 'master')
    expect(refused()).toEqual([])
    pane.clock.advance(1_000)
    expect(kept(pane)).toEqual({ master: idsOf('Short'), reply: idsOf('Winter') })
  })
})

describe('a message that a client took the marker from', () => {
  const standard = cachedSignature({ html: '<p><b>Alex Kim</b>, Northwind Traders</p>', reply: null })
  const words = '<p>Hello</p><p>Alex Kim, Northwind Traders</p>'
  /** A message with this author's part, in which the pane is opened. */
  const openOver = (author: string, kind: 'newMessage' | 'reply' = 'newMessage') => {
    const pane = openPane({
      own: OWN,
      standard,
      prepare: ({ mailbox }) => {
        mailbox.act({ type: kind })
        mailbox.act({ type: 'typed', author })
      },
    })
    pane.clock.advance(5_000)
    return pane
  }
  const reopen = (pane: Pane) => {
    const { id } = pane.message()
    pane.mailbox.act({ type: 'switchTo', id: null })
    pane.mailbox.act({ type: 'switchTo', id })
    pane.clock.advance(5_000)
  }

  test('[AUTO-10] gets no second signature, and no flag that keeps the default away for good', () => {
    const pane = openOver(words)
    expect(pane.message().body).toMatchObject({ author: words, signature: '' })
    expect(pane.message().attachments).toEqual([])
    expect(pane.message().customProperties).toEqual({})
    expect(pane.app.log.filter(({ type }) => type === 'insertion/skipped')).toHaveLength(1)
    reopen(pane)
    expect(pane.message().body.signature).toBe('')
    pane.mailbox.act({ type: 'typed', author: '<p>Hello</p>' })
    reopen(pane)
    expect(findSignatures(composeBody(pane.message()))).toHaveLength(1)
  })

  test('[AUTO-10] gets what the user chooses all the same', () => {
    const pane = openOver(words)
    pane.app.record(Insertion.chosen({ entryId: masterId(1, 1), itemKey: pane.itemKey() }))
    pane.clock.advance(1_000)
    expect(findSignatures(composeBody(pane.message()))).toHaveLength(1)
  })

  test.each([
    ['has other words', '<p>Alex Kim, Northwind Sailors</p>', 'newMessage' as const],
    ['is a reply, whose thread a client may not mark', words, 'reply' as const],
  ])('[AUTO-10] but not where it %s', (_, author, kind) => {
    expect(findSignatures(composeBody(openOver(author, kind).message()))).toHaveLength(1)
  })
})

describe('Outlook on a phone', () => {
  const url = 'https://cdn.northwind.example/logo.png'
  const standard = cachedSignature({
    html: `<p>Standard</p><img src="${url}">`,
    reply: replyVersion('<p>In reply</p>'),
    images: [image(url)],
  })

  test.each([
    ['newMessage', 'html', 'Standard'],
    ['reply', 'html', 'In reply'],
    ['newMessage', 'text', 'Standard'],
  ] as const)('[AUTO-19] %s, %s: the default goes in by itself', (type, bodyType, words) => {
    const pane = openPane({
      standard,
      mailbox: asPhoneMailbox,
      prepare: ({ mailbox }) => {
        mailbox.act({ type })
        mailbox.act({ type: 'setBodyType', bodyType })
      },
    })
    pane.clock.advance(5_000)
    const { body, attachments } = pane.message()
    expect(body.signature).toContain(words)
    const before = pane.message()
    const shown = [...contentIds(body.signature)]
    expect(shown).toHaveLength(type === 'newMessage' && bodyType === 'html' ? 1 : 0)
    expect(attachments.map(({ contentId }) => contentId)).toEqual(expect.arrayContaining(shown))
    pane.clock.advance(120_000)
    expect(pane.message()).toEqual(before)
    expect(pane.mailbox.calls.filter(({ name, ok }) => ok && name === 'body.setSignatureAsync')).toHaveLength(
      1,
    )
  })

  test('[AUTO-19] a choice replaces the default, without a second signature', () => {
    const pane = openPane({ own: OWN, standard, mailbox: asPhoneMailbox })
    pane.clock.advance(5_000)
    pane.app.record(Insertion.chosen({ entryId: masterId(1, 1), itemKey: pane.itemKey() }))
    pane.clock.advance(5_000)
    expect(findSignatures(composeBody(pane.message())).map(({ html }) => html)).toEqual(['<p>Short</p>'])
  })
})
