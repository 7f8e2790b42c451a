import { NEVER, of } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { asPhoneMailbox } from '../../src/playground/mailbox/model.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { contentIds } from '../../streams/html/message.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { selectUndoDirection } from '../../streams/pane/insertion/selectors.ts'
import type { LaunchOutcome } from '../../streams/launch/events.ts'
import { FRESH_COPY_MS } from '../../streams/wire/freshCopy.ts'
import { LAUNCH_RECORD_KEY } from '../../streams/launch/record.ts'
import { SelfTest } from '../../streams/pane/selfTest/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { type Launched, startLaunch } from '../support/launch.ts'
import { createWorld, openPane, type Pane, production, type World } from '../support/pane.ts'
import { cachedSignature, image, listedSignature, profile, replyVersion } from '../support/state.ts'

const LOGO = 'https://images.northwind.example/logo.png'
const standard = (words = 'Alex Kim, Northwind') =>
  cachedSignature({
    html: `<p>${words}</p><img src="${LOGO}">`,
    reply: replyVersion(`<p>${words}, replying</p>`),
    images: [image(LOGO)],
  })

/** A message in a mailbox whose pane was open before, so that there is a copy; the pane is closed. */
const withCopy = (options: Parameters<typeof openPane>[0] = {}): World => {
  const pane = openPane({ standard: standard(), ...options })
  pane.clock.advance(5_000)
  pane.app.stop()
  for (const { calls } of Object.values(pane.ports.api)) (calls as unknown[]).length = 0
  return pane
}
const signature = (world: World) => world.message().body.signature
/** Without the marker, which also tells why the signature is there. */
const contentOf = (html: string) => html.replace(/ (?:data-signet-[a-z]+|id)="[^"]*"/g, '')
const begin = (world: World, type: 'newMessage' | 'reply' | 'forward' = 'newMessage') => {
  world.mailbox.act({ type })
  world.clock.advance(100)
}
const requests = ({ ports }: World) => ports.sent.filter(({ name }) => name.startsWith('api.'))
/** How many insertions a runtime has carried out. */
const launchedInsertions = ({ store }: Launched) =>
  store.log.filter(({ type }) => type === 'insertion/succeeded').length
const writes = ({ mailbox }: World) =>
  mailbox.calls.filter(({ name }) => name === 'body.setSignatureAsync' || name === 'body.setAsync')

describe('a new message, with the pane closed', () => {
  it('[AUTO-1] [AUTO-5] gets the kept default with its pictures within a second, without a request', () => {
    const world = withCopy()
    begin(world)
    const before = requests(world).length
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(1_000)
    expect(signature(world)).toContain('Alex Kim, Northwind')
    expect(world.message().attachments).toHaveLength(1)
    expect(requests(world)).toHaveLength(before)
    expect(launched.completed).toEqual([{ id: 1, outcome: 'inserted', at: expect.any(Number) as number }])
  })

  it('[AUTO-6] gets an older copy before anything is asked, and once what the service says differently', () => {
    const world = withCopy()
    world.clock.advance(FRESH_COPY_MS)
    world.service.standard = standard('Alex Kim, Director')
    begin(world)
    const [before, asked] = [writes(world).length, requests(world).length]
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(5_000)
    expect(signature(world)).toContain('Alex Kim, Director')
    expect(world.message().attachments).toHaveLength(1)
    expect(launched.outcome()).toBe('inserted')
    const inserted = launched.store.log.filter(({ type }) => type === 'insertion/succeeded')
    expect(inserted).toHaveLength(2)
    expect(requests(world)[asked]?.at).toBeGreaterThanOrEqual(inserted[0]?.meta.at ?? Infinity)
    // The picture of the first is removed before the second is set.
    expect(writes(world).length - before).toBeLessThanOrEqual(3)
  })

  it('[AUTO-1] gets what the service gives when no copy is kept, and keeps it', () => {
    const world = createWorld({ standard: standard() })
    begin(world)
    const launched = startLaunch(world, 'newMessage', { runtime: 'classic' })
    world.clock.advance(3_000)
    expect(signature(world)).toContain('Alex Kim, Northwind')
    expect(launched.outcome()).toBe('inserted')
    begin(world)
    const asked = requests(world).length
    startLaunch(world, 'newMessage')
    world.clock.advance(1_000)
    expect(signature(world)).toContain('Alex Kim, Northwind')
    expect(requests(world)).toHaveLength(asked)
  })
})

describe('without a copy', () => {
  const delegated = [
    listedSignature({
      name: 'Sales desk',
      email: 'sales@northwind.example',
      combinedIds: 'c-sales',
      html: '<p>Sales desk</p>',
    }),
  ]
  const insertionsOf = ({ store }: Launched) =>
    store.log.flatMap((event) => (event.type === 'insertion/succeeded' ? [event.data.inMessage.name] : []))

  it('[AUTO-1] the default of a new message waits for the sign-in and itself, and for no list', () => {
    const world = createWorld({ standard: standard(), profile: profile({ delegations: ['u-2'] }), delegated })
    world.service.ms = 400
    begin(world)
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(900)
    expect(signature(world)).toContain('Alex Kim, Northwind')
    expect(launched.completed).toEqual([])
    world.clock.advance(5_000)
    expect(insertionsOf(launched)).toEqual(['Standard'])
    expect(launched.outcome()).toBe('inserted')
  })

  it.each([
    ['another signature', 'c-short', [{}, { combinedIds: 'c-short' }], 'Short'],
    ['the default', 'c-standard', [{}], 'Standard'],
    ['nothing', null, [{}], 'Standard'],
  ])('[AUTO-14] a reply names what its version belongs to, by the profile: %s', (_, reply, asked, name) => {
    const world = createWorld({
      standard: cachedSignature({ reply: replyVersion('<p>In reply</p>', null) }),
      profile: profile({
        metadata: { defaultSignature: { master: 'c-standard', reply }, others: {} },
      }),
      own: [listedSignature({ name: 'Short', combinedIds: 'c-short' })],
    })
    begin(world, 'reply')
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(5_000)
    expect(signature(world)).toContain('In reply')
    expect(world.ports.api.signature.calls).toEqual(asked.map((each) => [each]))
    expect(insertionsOf(launched)).toEqual([name])
  })

  it('[AUTO-12] a message from a shared mailbox gets its signature at once, and never the default of the user', () => {
    const world = createWorld({ standard: standard(), profile: profile({ delegations: ['u-2'] }), delegated })
    begin(world)
    world.mailbox.act({ type: 'setFrom', from: { address: 'sales@northwind.example', name: 'Sales desk' } })
    const launched = startLaunch(world, 'fromChanged')
    world.clock.advance(5_000)
    expect(signature(world)).toContain('Sales desk')
    expect(insertionsOf(launched)).toEqual(['Sales desk'])
  })
})

describe('what goes wrong', () => {
  const failures = [
    ['the network is down', { kind: 'network' }],
    ['the service is down', { kind: 'http', status: 503, code: null, data: null }],
    ['the service does not know the user', { kind: 'http', status: 403, code: 'unknown_user', data: null }],
  ] as const

  it.each(failures)('[AUTO-7] an old copy goes in and stays when %s', (_, failure) => {
    const world = withCopy()
    world.clock.advance(FRESH_COPY_MS)
    begin(world)
    world.service.failure = failure
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(10_000)
    expect(signature(world)).toContain('Alex Kim, Northwind')
    expect(launched.outcome()).toBe('inserted')
    expect(world.message().notifications).toEqual([])
  })

  it('[AUTO-7] an old copy goes in and stays when the sign-in needs the user', () => {
    const world = withCopy()
    world.clock.advance(FRESH_COPY_MS)
    begin(world)
    world.mailbox.fail('auth.getAccessToken', { code: 13001, name: 'NotSignedIn' })
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(10_000)
    expect(signature(world)).toContain('Alex Kim, Northwind')
    expect(launched.outcome()).toBe('inserted')
  })

  it.each([
    [
      'signInNeeded',
      'de',
      'Ihre Signatur fehlt: Signet konnte sich auf diesem Gerät nicht anmelden.',
      'Signet öffnen',
    ],
    [
      'offline',
      'en',
      'Your signature is missing: it could not be fetched. Open Signet when you are connected.',
      'Open Signet',
    ],
  ] as const)(
    '[AUTO-17] without a copy, %s is told once, with a button',
    (outcome, language, message, actionText) => {
      const world = createWorld({ standard: standard() })
      begin(world)
      if (outcome === 'offline') world.service.failure = { kind: 'network' }
      else world.mailbox.fail('auth.getAccessToken', { code: 13001, name: 'NotSignedIn' })
      for (const kind of ['newMessage', 'recipientsChanged'] as const) {
        const launched = startLaunch(world, kind, { language })
        world.clock.advance(10_000)
        expect(launched.outcome()).toBe(outcome)
        expect(world.message().notifications).toMatchObject([
          {
            key: 'lsi_launch_notice',
            type: 'insightMessage',
            message,
            actions: [{ actionText, commandId: 'signet.open11' }],
          },
        ])
      }
      expect(
        world.mailbox.calls.filter(({ name }) => name === 'notificationMessages.replaceAsync'),
      ).toHaveLength(1)
      // The notice goes when a signature comes.
      world.service.failure = null
      world.mailbox.restore()
      startLaunch(world, 'recipientsChanged')
      world.clock.advance(10_000)
      expect(signature(world)).toContain('Alex Kim')
      expect(world.message().notifications).toEqual([])
    },
  )

  it('[AUTO-4] a mail client that no longer answers ends the event after 40 seconds', () => {
    const world = withCopy()
    begin(world)
    world.mailbox.silence('*')
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(60_000)
    expect(launched.completed).toHaveLength(1)
    expect(launched.completed[0]?.at).toBeLessThanOrEqual(55_000)
  })

  it('[AUTO-4] an item that is gone ends the event, and nothing is written elsewhere', () => {
    const world = withCopy()
    begin(world)
    world.mailbox.delay('body.getAsync', 300)
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(100)
    world.mailbox.act({ type: 'newMessage' })
    world.clock.advance(60_000)
    expect(launched.completed).toHaveLength(1)
    expect(signature(world)).toBe('')
  })

  it('[AUTO-17] a signature that cannot be put in is told by its name, and the event ends after the repairs', () => {
    const world = withCopy()
    begin(world)
    world.mailbox.fail('body.setSignatureAsync', { code: 5001, name: 'InternalError' })
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(60_000)
    expect(launched.completed).toMatchObject([{ outcome: 'failed' }])
    // A repair begins after 20 seconds, and has five.
    expect(launched.completed[0]?.at).toBeGreaterThanOrEqual(25_000)
    expect(launched.completed[0]?.at).toBeLessThan(30_000)
    expect(launched.store.log.map(({ type }) => type)).not.toContain(undefined)
    expect(world.message().notifications).toMatchObject([{ message: '“Standard” could not be put in.' }])
    expect(world.message().attachments).toEqual([])
  })
})

/**
 * What may be in a message that a launch event finds. `prepare` leaves the pane closed; `words` is what the message has of
 * signatures, before and after.
 */
type Found = Readonly<{
  prepare: (type: BodyType) => World
  words: string | null
  outcome: LaunchOutcome
}>
type BodyType = 'html' | 'text'

describe('what a launch event finds in the message stays: the author’s words, and', () => {
  const AUTHOR = { html: '<p>Dear Sam, here are the figures.</p>', text: 'Dear Sam, here are the figures.' }
  const WORDS = ['Alex Kim, Northwind Traders', 'Fair and square, Alex'] as const
  const known = {
    standard: standard(WORDS[0]),
    own: [listedSignature({ name: 'Fair', combinedIds: 'c-fair', html: `<p>${WORDS[1]}</p>` })],
  }
  /** A message that its author has begun in this type. */
  const compose = (world: World, type: BodyType, author = AUTHOR[type]) => {
    world.mailbox.act({ type: 'newMessage' })
    world.mailbox.act({ type: 'setBodyType', bodyType: type })
    world.mailbox.act({ type: 'typed', author })
    world.clock.advance(100)
  }
  const inPane = (type: BodyType, choose: (pane: Pane) => void = () => undefined): World => {
    const pane = openPane(known)
    pane.clock.advance(5_000)
    compose(pane, type)
    pane.clock.advance(5_000)
    expect(wordsIn(pane)).toEqual([WORDS[0]])
    choose(pane)
    pane.clock.advance(5_000)
    pane.app.stop()
    return pane
  }
  const wordsIn = (world: World) => {
    const text = composeBody(world.message())
    return WORDS.flatMap((words) => Array<string>(text.split(words).length - 1).fill(words))
  }

  const found: Readonly<Record<string, Found>> = {
    '[AUTO-8] a signature that the user chose': {
      prepare: (type) =>
        inPane(type, (pane) => {
          const [entry] = pane.app.state$.value.signatures.own.entries
          pane.app.record(Insertion.chosen({ entryId: entry?.entryId ?? '', itemKey: pane.itemKey() }))
        }),
      words: WORDS[1],
      outcome: 'leftToPerson',
    },
    '[AUTO-8] a chosen "no signature"': {
      prepare: (type) =>
        inPane(type, (pane) => {
          pane.app.record(Insertion.noneChosen({ itemKey: pane.itemKey() }))
        }),
      words: null,
      outcome: 'leftToPerson',
    },
    '[SAFE-5] [AUTO-8] a signature that was removed by hand': {
      prepare: (type) => {
        const world = inPane(type)
        world.mailbox.act({ type: 'signatureEdited', signature: '' })
        return world
      },
      words: null,
      outcome: 'leftToPerson',
    },
    '[AUTO-10] words of the signature whose marker is lost': {
      prepare: (type) => {
        const world = withCopy(known)
        compose(world, type, AUTHOR[type] + (type === 'html' ? `<p>${WORDS[0]}</p>` : `\n\n${WORDS[0]}`))
        return world
      },
      words: WORDS[0],
      outcome: 'leftToPerson',
    },
    '[SAFE-1] [AUTO-9] [AUTO-11] the signature of another runtime that began together with the pane': {
      prepare: (type) => {
        const world = withCopy(known)
        compose(world, type)
        const pane = openPane({ ...known, beside: world })
        const other = startLaunch(world, 'newMessage')
        world.clock.advance(20_000)
        expect(['inserted', 'already']).toContain(other.outcome())
        pane.app.stop()
        return world
      },
      words: WORDS[0],
      outcome: 'already',
    },
  }

  it.each(
    Object.entries(found).flatMap(([name, each]) =>
      (['html', 'text'] as const).map((type) => [name, type, each] as const),
    ),
  )('[SAFE-2] %s, in %s', (_, type, { prepare, words, outcome }) => {
    const world = prepare(type)
    const [before, written] = [world.message(), writes(world).length]
    expect(before.body.type).toBe(type)
    expect(wordsIn(world)).toEqual(words === null ? [] : [words])
    for (const kind of ['newMessage', 'fromChanged', 'recipientsChanged'] as const) {
      const launched = startLaunch(world, kind)
      world.clock.advance(5_000)
      expect(launched.outcome(), kind).toBe(outcome)
    }
    const shown = contentIds(composeBody(world.message()))
    expect(world.message().attachments.map(({ contentId }) => contentId)).toEqual([...shown])
    openPane({ ...known, beside: world }).clock.advance(5_000)
    expect(world.message().body).toEqual(before.body)
    expect(writes(world)).toHaveLength(written)
  })

  it('[AUTO-9] the same event again, the same sender and recipients without effect write nothing', () => {
    const world = withCopy()
    begin(world)
    const atFirst = writes(world).length
    const launched = startLaunch(world, 'newMessage')
    launched.raise('newMessage')
    world.clock.advance(1_000)
    const before = writes(world).length
    expect(before - atFirst).toBe(1)
    expect(launched.completed.map(({ outcome }) => outcome)).toEqual(['inserted', 'inserted'])
    for (const kind of ['newMessage', 'fromChanged', 'recipientsChanged'] as const) {
      const again = startLaunch(world, kind)
      world.clock.advance(3_000)
      expect(again.outcome()).toBe('already')
    }
    expect(writes(world)).toHaveLength(before)
  })
})

describe('another sender of a message whose signature the user chose', () => {
  it.each([
    ['is told to have signatures, where these are known', 'own', true, 1],
    ['is not mentioned, where they are not', 'own', false, 0],
    ['is not mentioned, where it is one of theirs', 'delegated', true, 0],
  ] as const)('%s', (_, list, isKnown, notices) => {
    const sales = { address: 'sales@northwind.example', name: 'Sales desk' }
    const own = [listedSignature({ name: 'Fair', combinedIds: 'c-fair', html: '<p>Fair</p>' })]
    const pane = openPane({
      own,
      profile: profile({ delegations: ['u-2'] }),
      delegated: [listedSignature({ email: sales.address, combinedIds: 'c-sales', html: '<p>Sales</p>' })],
    })
    pane.clock.advance(5_000)
    begin(pane)
    pane.clock.advance(5_000)
    const [entry] = pane.app.state$.value.signatures[list].entries
    pane.app.record(Insertion.chosen({ entryId: entry?.entryId ?? '', itemKey: pane.itemKey() }))
    pane.clock.advance(5_000)
    pane.app.stop()
    if (!isKnown) pane.ports.storage.kept.clear().subscribe()
    pane.mailbox.act({ type: 'setFrom', from: sales })
    const launched = startLaunch(pane, 'fromChanged')
    pane.clock.advance(5_000)
    expect(launched.outcome()).toBe('leftToPerson')
    expect(signature(pane)).toContain(list === 'own' ? 'Fair' : 'Sales')
    expect(pane.message().sessionData[LAUNCH_RECORD_KEY]).toContain('leftToPerson')
    const messages = pane.message().notifications.map(({ message }) => message)
    expect(messages).toEqual(Array(notices).fill(expect.stringContaining(sales.address)))
  })
})

describe('what is due', () => {
  it('[AUTO-14] replies and forwards get the reply version, plain text the text version', () => {
    const world = withCopy()
    for (const type of ['reply', 'forward'] as const) {
      begin(world, type)
      startLaunch(world, 'newMessage')
      world.clock.advance(1_000)
      expect(signature(world)).toContain('Alex Kim, Northwind, replying')
    }
    begin(world)
    world.mailbox.act({ type: 'setBodyType', bodyType: 'text' })
    startLaunch(world, 'newMessage')
    world.clock.advance(1_000)
    expect(signature(world)).toBe('Alex Kim, Northwind')
  })

  it('[AUTO-12] a sender whose signatures are delegated gets theirs, and the user theirs again', () => {
    const sales = listedSignature({
      name: 'Sales desk',
      email: 'sales@northwind.example',
      combinedIds: 'c-sales',
      html: '<p>Sales desk</p>',
    })
    const world = withCopy({ profile: profile({ delegations: ['u-2'] }), delegated: [sales] })
    begin(world)
    startLaunch(world, 'newMessage')
    world.clock.advance(1_000)
    const own = world.message().from
    for (const [from, words] of [
      [{ address: 'Sales@Northwind.example', name: 'Sales desk' }, 'Sales desk'],
      [own, 'Alex Kim, Northwind'],
    ] as const) {
      world.mailbox.act({ type: 'setFrom', from })
      const launched = startLaunch(world, 'fromChanged')
      world.clock.advance(1_000)
      expect(signature(world)).toContain(words)
      expect(launched.outcome()).toBe('inserted')
    }
  })

  it('[AUTO-12] another account of the same mail client never gets the copy of the former', () => {
    const world = withCopy()
    world.mailbox.act({ type: 'choosePerson', address: 'maria.silva@northwind.example' })
    begin(world)
    world.service.failure = { kind: 'network' }
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(10_000)
    expect(signature(world)).toBe('')
    expect(launched.outcome()).toBe('offline')
  })

  it('[AUTO-13] ten recipients at once cause one write: what is meant for all of them', () => {
    const own = [
      listedSignature({ audiences: ['northwind.example'] }),
      listedSignature({ name: 'Outside', combinedIds: 'c-outside', html: '<p>For everyone</p>', order: 1 }),
    ]
    const world = withCopy({ own })
    begin(world)
    const first = startLaunch(world, 'newMessage')
    world.clock.advance(1_000)
    expect(first.outcome()).toBe('inserted')
    const before = launchedInsertions(first)
    const launched = startLaunch(world, 'recipientsChanged')
    const to = Array.from({ length: 10 }, (_, index) => ({
      address: `a${String(index)}@fabrikam.example`,
      name: '',
    }))
    for (let count = 1; count <= to.length; count++) {
      world.mailbox.act({ type: 'setRecipients', to: to.slice(0, count) })
      if (count > 1) launched.raise('recipientsChanged')
      world.clock.advance(20)
    }
    world.clock.advance(3_000)
    expect(signature(world)).toContain('For everyone')
    expect(before).toBe(1)
    expect(launchedInsertions(launched)).toBe(1)
    expect(launched.completed).toHaveLength(10)
    expect(launched.completed.filter(({ outcome }) => outcome === 'superseded')).toHaveLength(9)
    expect(launched.completed.at(-1)?.outcome).toBe('inserted')
  })

  describe('a default that is meant for colleagues', () => {
    const inside = cachedSignature({ name: 'Inside', combinedIds: 'c-inside', html: '<p>Inside</p>' })
    const own = [
      listedSignature({ order: 1, html: '<p>For everyone</p>' }),
      listedSignature({ name: 'Inside', combinedIds: 'c-inside', audiences: ['northwind.example'] }),
    ]
    const addOutsider = (world: World) => {
      const launched = startLaunch(world, 'recipientsChanged')
      world.mailbox.act({
        type: 'setRecipients',
        to: [{ address: 'claire.dubois@fabrikam.example', name: '' }],
      })
      world.clock.advance(3_000)
      return launched
    }

    it('[AUTO-13] is exchanged when the pane stored it and closed before it knew for whom it is meant', () => {
      const pane = openPane({ standard: inside })
      pane.ports.api.signatures.answers(() => NEVER)
      pane.clock.advance(5_000)
      pane.app.stop()
      expect(pane.app.log.map(({ type }) => type)).toContain('defaults/loaded')
      expect(pane.app.log.map(({ type }) => type)).not.toContain('senders/loaded')
      pane.ports.api.signatures.answers(() => of({ objects: own, total: 2, page: 1 }))
      begin(pane)
      startLaunch(pane, 'newMessage')
      pane.clock.advance(3_000)
      expect(signature(pane)).toContain('Inside')
      const asked = requests(pane).length
      const launched = addOutsider(pane)
      expect(signature(pane)).toContain('For everyone')
      expect(launched.outcome()).toBe('inserted')
      // The event before has read it.
      expect(requests(pane)).toHaveLength(asked)
    })

    it('[AUTO-13] is exchanged when it is new at the service, on the day of the copy', () => {
      const world = withCopy({ own })
      world.service.standard = inside
      world.clock.advance(FRESH_COPY_MS)
      begin(world)
      startLaunch(world, 'newMessage')
      world.clock.advance(3_000)
      expect(signature(world)).toContain('Inside')
      const launched = addOutsider(world)
      expect(signature(world)).toContain('For everyone')
      expect(launched.outcome()).toBe('inserted')
    })
  })

  it('[AUTO-23] "insert by itself" switched off in the pane holds for launch events and later panes, in production', () => {
    const first = openPane({ standard: standard(), stage: production })
    first.clock.advance(5_000)
    for (const [isOn, words] of [
      [false, ''],
      [true, 'Alex Kim'],
    ] as const) {
      const pane = openPane({ beside: first, stage: production })
      pane.clock.advance(5_000)
      pane.app.record(Settings.updateRequested({ changes: { enableSignaturePush: isOn } }))
      pane.clock.advance(1_000)
      pane.app.stop()
      first.app.stop()
      begin(first)
      const asked = requests(first).length
      const launched = startLaunch(first, 'newMessage')
      first.clock.advance(3_000)
      expect(signature(first)).toContain(words)
      expect(launched.outcome()).toBe(isOn ? 'inserted' : 'none')
      expect(requests(first)).toHaveLength(asked)
      // Another device has the mailbox alone.
      const other = openPane({
        beside: first,
        stage: production,
        prepare: ({ ports }) => ports.storage.persistent.clear().subscribe(),
      })
      other.clock.advance(5_000)
      expect(other.app.state$.value.settings.enableSignaturePush).toBe(isOn)
      other.app.stop()
    }
  })

  it('[AUTO-15] [AUTO-23] signing out in the pane holds for launch events, until the user signs in again', () => {
    const pane = openPane({ standard: standard() })
    pane.clock.advance(5_000)
    pane.app.record(Auth.signOutRequested({ reason: { kind: 'person' } }))
    pane.clock.advance(1_000)
    pane.app.stop()
    begin(pane)
    const asked = requests(pane).length
    const launched = startLaunch(pane, 'newMessage')
    pane.clock.advance(3_000)
    expect(launched.outcome()).toBe('none')
    expect(signature(pane)).toBe('')
    expect(requests(pane)).toHaveLength(asked)
    const again = openPane({ beside: pane })
    again.clock.advance(5_000)
    again.app.record(Auth.signInRequested({ silent: false }))
    again.clock.advance(5_000)
    again.app.stop()
    begin(pane)
    expect(startLaunch(pane, 'newMessage').store.state$.value.launch.raised).toHaveLength(1)
    pane.clock.advance(3_000)
    expect(signature(pane)).toContain('Alex Kim')
  })
})

describe('beside the pane', () => {
  it('[AUTO-21] the self-test tells when, how fast, from what and where the signature went in', () => {
    const world = withCopy()
    world.clock.advance(60_000)
    begin(world)
    const at = world.clock.scheduler.now()
    startLaunch(world, 'newMessage', { runtime: 'classic' })
    world.clock.advance(5_000)
    const pane = openPane({ beside: world })
    pane.clock.advance(5_000)
    pane.app.record(SelfTest.requested())
    pane.clock.advance(5_000)
    const launch = pane.app.state$.value.selfTest.result?.findings.launch
    expect(launch).toMatchObject({ outcome: 'inserted', runtime: 'classic', told: [] })
    if (typeof launch !== 'object' || launch === null) throw new Error('no launch event')
    expect(launch.ms).toBeLessThan(1_000)
    expect(launch.at - launch.ms).toBe(at)
    // The copy is from the opening of the first pane.
    expect(launch.age).toBeGreaterThan(60_000)
    expect(launch.age).toBeLessThan(70_000)
    // A message that is opened without an event.
    begin(world)
    pane.clock.advance(5_000)
    pane.app.record(SelfTest.requested())
    pane.clock.advance(5_000)
    expect(pane.app.state$.value.selfTest.result?.findings.launch).toBeNull()
  })

  it('[AUTO-17] the pane removes the notice of a missing signature when it puts one in', () => {
    const world = createWorld({ standard: standard(), failure: { kind: 'network' } })
    begin(world)
    startLaunch(world, 'newMessage')
    world.clock.advance(10_000)
    expect(world.message().notifications).toHaveLength(1)
    world.service.failure = null
    const pane = openPane({ beside: world })
    pane.clock.advance(10_000)
    expect(signature(world)).toContain('Alex Kim')
    expect(world.message().notifications).toEqual([])
  })

  it('[AUTO-11] pane and launch runtime at once leave one signature with its picture, and a later choice', () => {
    for (const ms of [0, 5, 40, 300]) {
      const first = withCopy({
        own: [listedSignature({ name: 'Fair', combinedIds: 'c-fair', html: '<p>Fair</p>' })],
      })
      first.clock.advance(FRESH_COPY_MS)
      first.service.standard = standard('Alex Kim, Director')
      begin(first)
      const pane = openPane({ beside: first })
      first.clock.advance(ms)
      const launched = startLaunch(first, 'newMessage')
      first.clock.advance(20_000)
      expect(signature(first).match(/data-signet-hash/g)).toHaveLength(1)
      expect(signature(first)).toContain('Alex Kim, Director')
      expect(first.message().attachments).toHaveLength(1)
      expect(['inserted', 'already']).toContain(launched.outcome())
      const [entry] = pane.app.state$.value.signatures.own.entries
      pane.app.record(Insertion.chosen({ entryId: entry?.entryId ?? '', itemKey: pane.itemKey() }))
      const late = startLaunch(first, 'recipientsChanged')
      first.clock.advance(20_000)
      expect(signature(first)).toContain('Fair')
      expect(first.message().attachments).toEqual([])
      expect(late.completed).toHaveLength(1)
      pane.app.stop()
    }
  })

  it('[SAFE-4] the first choice in a pane that opens afterwards can be undone, with the pictures of the default', () => {
    const world = withCopy({
      own: [listedSignature({ name: 'Fair', combinedIds: 'c-fair', html: '<p>Fair</p>' })],
    })
    for (const type of ['newMessage', 'reply'] as const) {
      begin(world, type)
      const launched = startLaunch(world, 'newMessage')
      world.clock.advance(5_000)
      expect(launched.outcome()).toBe('inserted')
      const pictures = () => world.message().attachments.map(({ name }) => name)
      const automatic = [contentOf(signature(world)), pictures()]
      const pane = openPane({ beside: world })
      world.clock.advance(5_000)
      const [entry] = pane.app.state$.value.signatures.own.entries
      pane.app.record(Insertion.chosen({ entryId: entry?.entryId ?? '', itemKey: pane.itemKey() }))
      world.clock.advance(5_000)
      expect(signature(world)).toContain('Fair')
      // The picture of the quoted message stays.
      expect(pictures()).toHaveLength(type === 'newMessage' ? 0 : 1)
      expect(selectUndoDirection(pane.app.state$.value)).toBe('undo')
      pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
      world.clock.advance(5_000)
      expect([contentOf(signature(world)), pictures()]).toEqual(automatic)
      pane.app.stop()
    }
  })

  it('[AUTO-8] [SAFE-4] a pane that opens at any time offers to undo what was inserted automatically', () => {
    for (let ms = 0; ms <= 600; ms += 100)
      for (const isNewer of [false, true]) {
        const world = withCopy()
        begin(world)
        startLaunch(world, 'newMessage')
        world.clock.advance(ms)
        if (isNewer) world.service.standard = standard('Alex Kim, Director')
        const pane = openPane({ beside: world })
        world.clock.advance(10_000)
        expect(signature(world), String(ms)).toContain(isNewer ? 'Director' : 'Northwind')
        expect(selectUndoDirection(pane.app.state$.value), String(ms)).toBe('undo')
        while (selectUndoDirection(pane.app.state$.value) === 'undo') {
          pane.app.record(Insertion.undoRequested({ itemKey: pane.itemKey() }))
          world.clock.advance(10_000)
        }
        expect(signature(world), String(ms)).not.toContain('Director')
        if (!isNewer) expect(signature(world), String(ms)).toBe('')
        expect(selectUndoDirection(pane.app.state$.value), String(ms)).toBe('redo')
        pane.app.stop()
      }
  })

  it('[AUTO-11] a pane that opens while the launch runtime writes takes its default for a default', () => {
    for (let ms = 0; ms <= 300; ms += 10) {
      const world = withCopy({
        profile: profile({ delegations: ['u-2'] }),
        delegated: [
          listedSignature({
            name: 'Sales desk',
            email: 'sales@northwind.example',
            combinedIds: 'c-sales',
            html: '<p>Sales desk</p>',
          }),
        ],
      })
      begin(world)
      world.mailbox.delay('*', 12)
      startLaunch(world, 'newMessage')
      world.clock.advance(ms)
      const pane = openPane({ beside: world })
      world.clock.advance(10_000)
      const { inMessage } = pane.app.state$.value.insertion
      expect(inMessage?.reason.origin, `${String(ms)} ms later`).toBe('default')
      world.mailbox.act({ type: 'setFrom', from: { address: 'sales@northwind.example', name: 'Sales desk' } })
      world.clock.advance(10_000)
      expect(signature(world)).toContain('Sales desk')
      pane.app.stop()
    }
  })

  it('[AUTO-16] keeps no token, and tells nothing of the user outside of the copy', () => {
    const world = createWorld({ standard: standard() })
    const accessToken = vi.spyOn(world.ports.identity, 'accessToken')
    begin(world)
    startLaunch(world, 'newMessage')
    world.clock.advance(5_000)
    expect(signature(world)).toContain('Alex Kim')
    expect(accessToken.mock.calls).toEqual([
      [{ allowConsentPrompt: false, silent: true, loginHint: 'alex.kim@northwind.example' }],
    ])
    const { sessionData, notifications, customProperties } = world.message()
    const { mailbox, ports } = world
    const kept = Object.values(ports.storage.kept.content())
    const outside = JSON.stringify([
      ...[sessionData, notifications, customProperties],
      mailbox.state$.value.accounts.map(({ roamingSettings }) => roamingSettings),
      ports.log.lines,
    ])
    expect(outside).not.toMatch(/alex\.kim|token of|session-token|Alex Kim/i)
    expect(JSON.stringify(kept)).not.toMatch(/token/i)
    expect(Object.keys((kept[0] as { value: object }).value).sort()).toEqual([
      'at',
      'email',
      'senders',
      'signature',
    ])
    const asked = mailbox.calls.filter(({ name }) => name === 'auth.getAccessToken')
    expect(asked).toHaveLength(1)
  })

  it('[AUTO-19] puts the signature in with the calls of a phone, and tells without a button what is missing', () => {
    const world = createWorld({ standard: standard(), mailbox: asPhoneMailbox })
    begin(world)
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(5_000)
    expect(signature(world)).toContain('Alex Kim')
    expect(launched.outcome()).toBe('inserted')
    const failing = createWorld({
      standard: standard(),
      mailbox: asPhoneMailbox,
      failure: { kind: 'network' },
    })
    begin(failing)
    startLaunch(failing, 'newMessage')
    failing.clock.advance(10_000)
    expect(failing.message().notifications).toMatchObject([
      { type: 'informationalMessage', message: 'Your signature is missing: it could not be fetched.' },
    ])
  })
})
