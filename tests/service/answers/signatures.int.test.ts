import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Refusal } from '../../../src/server/webServer.ts'
import { createAdministrationLookup } from '../../../src/service/http/administration/lookup.ts'
import { createImages, createPictureCache, type Images } from '../../../src/service/answers/images.ts'
import { createInsightCounter } from '../../../src/service/publishing/insight.ts'
import { createDelegatedOwners, mailboxAsOwner, findOwners } from '../../../src/service/context/owners.ts'
import type { Plans } from '../../../src/service/publishing/plans.ts'
import {
  createSignatureAnswers,
  imageAddresses,
  type SignatureListQuery,
  type SignatureAnswers,
} from '../../../src/service/answers/signatures.ts'
import type { Picture } from '../../../src/service/sql/pictures.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import type { Caller, ServiceContext } from '../../../src/service/context/serviceContext.ts'
import {
  type Block,
  compileRelease,
  type GuardRule,
  type Release,
  type Signature,
} from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { block as anyBlock } from '../../support/blocks.ts'
import { servingImages } from '../running.ts'

// What the calls answer of signatures and pictures, over a store that a test makes up.

const BASE = 'https://s.example/images'
const HASH = 'a'.repeat(32)
const EVERYONE = { for: 'everyone', not: [] } as const

const person = (id: string, more: Partial<PersonState> = {}): PersonState => ({
  ...mailboxAsOwner(`${id}@x.example`),
  id,
  revision: 1,
  ...more,
})
const signature = (id: string, more: Partial<Signature> = {}): Signature => ({
  id,
  name: `Named ${id}`,
  template: `templates/${id}.html`,
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
  ...more,
})
const templates = {
  'templates/one.html': '<p>one <img src="{{picture logo.png}}"></p>',
  'templates/two.html': '<p>two &middot; &amp;</p>',
  'templates/reply.html': '<p>reply <img src="{{picture logo.png}}"><img src="{{picture small.png}}"></p>',
  'templates/mobile.html': '<p>mobile</p>',
  'templates/desk.html': '<p>desk</p>',
}
const DESK = { address: 'desk@x.example', selection: EVERYONE, values: {} }
const NO_CODES = { codeAt: () => null }
const releaseOf = (signatures: readonly Signature[], mailboxes: readonly (typeof DESK)[] = []): Release =>
  compileRelease('r-1', {
    version: 1,
    organisation: 'Northwind',
    internal: ['x.example'],
    plan: { from: null, value: 'full' },
    variables: [],
    chooseDefault: EVERYONE,
    signatures,
    mailboxes,
    templates,
    pictures: { 'logo.png': HASH, 'small.png': 'b'.repeat(32) },
  })
const release = releaseOf([
  signature('one', { reply: 'templates/reply.html', mobile: 'templates/mobile.html', collection: 'Spring' }),
  signature('two', { recipients: 'external', thread: 'later' }),
  signature('broken', { template: 'templates/gone.html' }),
])

/** A release whose first two signatures have these templates. */
function releaseWith(own: Readonly<Record<string, string>>): Release {
  const { document } = releaseOf([signature('one', { reply: 'templates/reply.html' }), signature('two')])
  return compileRelease('r-2', { ...document, templates: { ...templates, ...own } })
}

let asked: string[][]
let failed: string[]
let kept: Map<string, Picture>
let images: Images
let signatures: SignatureAnswers

const picture = (...bytes: readonly number[]): Picture => ({
  mediaType: 'image/png',
  bytes: new Uint8Array(bytes),
})
const desk = person('desk')
const store = {
  personsByAddress: async (addresses) => {
    asked.push([...addresses])
    return addresses.includes('desk@x.example') ? [desk] : []
  },
  picture: async (hash) => kept.get(hash) ?? null,
  dropPicture: async (hash) => void kept.delete(hash),
} as Partial<Store> as Store

const imagesOf = (store: Store, limitBytes?: number) =>
  createImages(
    { store, publicUrl: () => 'https://s.example' },
    NO_CODES,
    createPictureCache(limitBytes).of('default'),
  )

beforeEach(() => {
  asked = []
  failed = []
  kept = new Map([[HASH, picture(1, 2, 3)]])
  images = imagesOf(store)
  signatures = createSignatureAnswers(
    createDelegatedOwners(store),
    images,
    (_, block, address) => `https://s.example/go/${block}?${address}`,
    (id) => void failed.push(id),
  )
})

const callerOf = (over: Partial<Caller> = {}): Caller => ({
  person: person('ann'),
  release,
  isAdmin: false,
  at: 0,
  ...over,
})
const logo = (content = true) => ({
  id: HASH,
  url: `${BASE}/${HASH}/logo.png`,
  name: 'logo.png',
  ...(content ? { content: 'AQID', status: 200 } : { content: '', status: 404 }),
})
const small = {
  ...logo(false),
  id: 'b'.repeat(32),
  url: `${BASE}/${'b'.repeat(32)}/small.png`,
  name: 'small.png',
}

describe('a list', () => {
  const list = (query: Partial<SignatureListQuery> = {}, withEmail = false, listed = [person('ann')]) =>
    signatures.list(callerOf(), listed, { build_base64: false, page: 1, per_page: 50, ...query }, withEmail)
  const one = {
    name: 'Named one',
    signature: `<p>one <img src="${BASE}/${HASH}/logo.png"></p>`,
    combined_ids: 'one-ann',
    base64_embedded_images: [],
    audiences: [],
    order: 0,
    collection: 'Spring',
    variants: [
      { code: 'reply', signature: expect.stringContaining('<p>reply') as string },
      { code: 'mobile', signature: '<p>mobile</p>' },
    ],
  }
  const two = {
    name: 'Named two',
    signature: '<p>two · &amp;</p>',
    combined_ids: 'two-ann',
    base64_embedded_images: [],
    audiences: ['!x.example'],
    thread: 'later',
    order: 1,
    variants: [],
  }

  it('has each signature with its versions, in the order of the release', async () => {
    expect(await list()).toEqual({ objects: [one, two], total: 3, page: 1 })
    expect(failed).toEqual([])
  })

  it('has the pictures of all versions, each once, when they are wanted', async () => {
    const { objects } = (await list({ build_base64: true })) as {
      objects: readonly Record<string, unknown>[]
    }
    expect(objects.map((each) => each['base64_embedded_images'])).toEqual([[logo(), small], []])
  })

  it('names the owner’s address when it is wanted', async () => {
    const { objects } = (await list({}, true, [person('ann'), person('bob', { addresses: [] })])) as {
      objects: readonly Record<string, unknown>[]
    }
    expect(objects.map((each) => each['email'])).toEqual(['ann@x.example', 'ann@x.example', '', ''])
  })

  it.each<[number, number, readonly string[]]>([
    [1, 1, ['one-ann']],
    [2, 1, ['two-ann']],
    [3, 1, []],
    [1, 2, ['one-ann', 'two-ann']],
    [2, 2, []],
  ])('has on page %i of %i each', async (page, per_page, expected) => {
    const answer = (await list({ page, per_page })) as {
      objects: readonly { combined_ids: string }[]
    }
    expect(answer.objects.map(({ combined_ids }) => combined_ids)).toEqual(expected)
    expect(answer).toMatchObject({ total: 3, page })
  })

  it('[PERSON-5] tells from which own addresses a signature is, not of another owner’s', async () => {
    const address = (...values: readonly string[]) => ({
      selection: { for: [[{ by: 'address' as const, values }]], not: [] },
    })
    const given = releaseOf([
      signature('one'),
      signature('two', address('*@brand-b.example')),
      signature('mobile', address('*')),
    ])
    const ann = person('ann', { addresses: ['ann@x.example', 'Ann@Brand-B.example'] })
    const sendersOf = async (caller: PersonState) => {
      const query = { build_base64: false, page: 1, per_page: 50 }
      const answer = await signatures.list(callerOf({ release: given, person: caller }), [ann], query, false)
      return (answer.objects as readonly Readonly<{ senders?: unknown }>[]).map(({ senders }) => senders)
    }
    expect(await sendersOf(ann)).toEqual([undefined, ['ann@brand-b.example'], undefined])
    expect(await sendersOf(person('bob'))).toEqual([undefined, undefined, undefined])
  })

  it('[PERSON-5] has copies by sender only where they differ, of own signatures, with all their pictures', async () => {
    const given = releaseWith({
      'templates/one.html': '<p>{{sender}}</p>',
      'templates/two.html': '<p>{{email}}</p>',
      'templates/reply.html': '<i>{{sender}}</i><img src="{{picture logo.png}}">',
    })
    const ann = person('ann', { addresses: ['ann@x.example', 'Ann@Brand-B.example'] })
    const copies = async (caller: PersonState, query: Partial<SignatureListQuery> = {}) =>
      (
        await signatures.list(
          callerOf({ release: given, person: caller }),
          [ann],
          { build_base64: false, page: 1, per_page: 50, ...query },
          false,
        )
      ).objects
    const image = `<img src="${BASE}/${HASH}/logo.png">`
    expect(await copies(ann)).toMatchObject([
      {
        signature: '<p>ann@x.example</p>',
        variants: [{ code: 'reply', signature: `<i>ann@x.example</i>${image}` }],
        by_sender: [
          {
            sender: 'ann@brand-b.example',
            signature: '<p>Ann@Brand-B.example</p>',
            variants: [{ code: 'reply', signature: `<i>Ann@Brand-B.example</i>${image}` }],
          },
        ],
      },
      { signature: '<p>ann@x.example</p>' },
    ])
    expect((await copies(ann))[1]).not.toHaveProperty('by_sender')
    expect((await copies(ann, { build_base64: true }))[0]?.base64_embedded_images).toEqual([logo()])
    for (const each of await copies(person('bob'))) {
      expect(each).not.toHaveProperty('by_sender')
      expect(each.signature).toBe('<p>ann@x.example</p>')
    }
  })

  it('[PERSON-5] has copies for the first ten aliases', async () => {
    const given = releaseWith({ 'templates/one.html': '<p>{{sender}}</p>' })
    const addresses = Array.from({ length: 20 }, (_, index) => `ann${String(index)}@x.example`)
    const ann = person('ann', { addresses })
    const { objects } = await signatures.list(
      callerOf({ release: given, person: ann }),
      [ann],
      { build_base64: false, page: 1, per_page: 1 },
      false,
    )
    expect(objects[0]?.by_sender?.map(({ sender }) => sender)).toEqual(addresses.slice(1, 11))
  })

  it('may have one signature alone', async () => {
    expect(await list({ combined_ids: 'two-ann' })).toEqual({ objects: [two], total: 1, page: 1 })
    expect(await list({ combined_ids: 'two-bob' })).toEqual({ objects: [], total: 0, page: 1 })
  })
})

describe('the signature that is asked for', () => {
  const shared = releaseOf([signature('one'), signature('two')], [DESK])
  const idsIn = async (caller: Caller, ids?: string) => {
    const { chosen, owners } = await signatures.asked(caller, ids)
    const { master, reply } = chosen()
    const of = (owned: typeof master) => (owned === null ? null : `${owned.signature.id}-${owned.owner.id}`)
    return [of(master), of(reply), owners.map(({ id }) => id)]
  }
  const choosing = (defaultSignature: PersonState['metadata']['defaultSignature']) =>
    callerOf({
      release: shared,
      person: person('ann', { metadata: { ...(defaultSignature && { defaultSignature }) } }),
    })

  it.each<[Parameters<typeof choosing>[0], unknown, number]>([
    [undefined, ['one-ann', null, []], 0],
    [{ master: 'two-ann' }, ['two-ann', null, []], 0],
    [{ master: 'two-ann', reply: 'one-ann' }, ['two-ann', 'one-ann', []], 0],
    [{ master: 'two-desk' }, ['two-desk', null, ['desk']], 1],
    [{ master: 'two-desk', reply: 'one-desk' }, ['two-desk', 'one-desk', ['desk', 'desk']], 1],
    [{ master: 'two-ann', reply: 'one-desk' }, ['two-ann', 'one-desk', ['desk']], 1],
    [{ master: 'gone-ann' }, ['one-ann', null, []], 0],
    [{ master: 'one-bob' }, ['one-ann', null, []], 1],
  ])('is the default with the choice %j', async (choice, expected, questions) => {
    expect(await idsIn(choosing(choice))).toEqual(expected)
    expect(asked).toHaveLength(questions)
  })

  it('is the one that is named, of the user or of a mailbox', async () => {
    const caller = callerOf({ release: shared })
    expect(await idsIn(caller, 'two-ann')).toEqual(['two-ann', null, []])
    expect(asked).toEqual([])
    expect(await idsIn(caller, 'two-desk')).toEqual(['two-desk', null, ['desk']])
    expect(asked).toEqual([['desk@x.example']])
  })

  it.each(['gone-ann', 'one-bob', 'nonsense'])('is refused when it is %s', async (ids) => {
    await expect(signatures.visible(callerOf({ release: shared }), ['one-ann', ids])).rejects.toMatchObject({
      code: 'not_found',
      message: `There is no signature "${ids}" for you.`,
    })
  })

  it('is chosen only when it is sent, unless the choice may name a mailbox', async () => {
    const rules = releaseOf([signature('one')], [DESK])
    const counting = (metadata: PersonState['metadata']) => {
      const looked: string[] = []
      const document = new Proxy(rules.document, {
        get: (of, name) => (looked.push(String(name)), Reflect.get(of, name)),
      })
      return {
        looked,
        caller: callerOf({ release: { ...rules, document }, person: person('ann', { metadata }) }),
      }
    }
    const own = counting({})
    const { chosen } = await signatures.asked(own.caller, undefined)
    // Whether it looks for blocks: then the owners of mailboxes count.
    expect(own.looked).toEqual(['guard'])
    expect(chosen().master?.signature.id).toBe('one')
    expect(own.looked).toContain('signatures')
    const others = counting({ defaultSignature: { master: 'one-desk' } })
    await signatures.asked(others.caller, undefined)
    expect(others.looked).toContain('signatures')
  })

  it('is none for whom no signature is', async () => {
    expect(await idsIn(callerOf({ release: releaseOf([]) }))).toEqual([null, null, []])
  })
})

const cached = async (caller: Caller, withImages = false, ids?: string, of = signatures) =>
  of.cache(caller, (await of.asked(caller, ids)).chosen(), withImages)
/** The default with its pictures, as after a sign-in. */
const defaultOf = (caller: Caller, of?: SignatureAnswers) => cached(caller, true, undefined, of)

describe('what a client keeps', () => {
  const none = {
    name: '',
    user_id: 'ann',
    signature: '',
    reply: null,
    combined_ids: '',
    base64_embedded_images: [],
  }

  it('has the signature with its own reply, and the pictures of both when they are wanted', async () => {
    const one = {
      name: 'Named one',
      user_id: 'ann',
      combined_ids: 'one-ann',
      signature: `<p>one <img src="${BASE}/${HASH}/logo.png"></p>`,
      reply: expect.stringContaining('<p>reply') as string,
      reply_name: 'Named one',
      reply_combined_ids: 'one-ann',
    }
    expect(await cached(callerOf())).toEqual({ ...one, base64_embedded_images: [] })
    expect(await cached(callerOf(), true)).toEqual({ ...one, base64_embedded_images: [logo(), small] })
  })

  it('has no reply where the signature has none', async () => {
    expect(await cached(callerOf(), true, 'two-ann')).toEqual({
      name: 'Named two',
      user_id: 'ann',
      combined_ids: 'two-ann',
      signature: '<p>two · &amp;</p>',
      reply: null,
      base64_embedded_images: [],
    })
  })

  it.each([
    ['one', 'two', '<p>two · &amp;</p>', 'Named two', 'two-ann'],
    ['two', 'one', '<p>reply', 'Named one', 'one-ann'],
    ['one', 'one', '<p>reply', 'Named one', 'one-ann'],
  ])('of %s has the reply of %s that was chosen', async (master, reply, html, name, ids) => {
    const defaultSignature = { master: `${master}-ann`, reply: `${reply}-ann` }
    const answer = await cached(callerOf({ person: person('ann', { metadata: { defaultSignature } }) }))
    expect(answer).toMatchObject({
      reply: expect.stringContaining(html) as string,
      reply_name: name,
      reply_combined_ids: ids,
      combined_ids: `${master}-ann`,
    })
  })

  it('[PERSON-5] has copies of the default by sender, with the chosen reply and the meeting version', async () => {
    const { document } = releaseWith({})
    const given = compileRelease('r-3', {
      ...document,
      signatures: [
        signature('one'),
        signature('two', { reply: 'templates/reply.html', meeting: 'templates/mobile.html' }),
      ],
      templates: {
        'templates/one.html': '<p>one</p>',
        'templates/two.html': '<p>two</p>',
        'templates/reply.html': '<i>{{sender}}</i>',
        'templates/mobile.html': '<b>{{sender}}</b>',
      },
    })
    const ann = person('ann', {
      addresses: ['ann@x.example', 'ann@y.example'],
      metadata: { defaultSignature: { master: 'one-ann', reply: 'two-ann' } },
    })
    expect(await cached(callerOf({ release: given, person: ann }))).toMatchObject({
      signature: '<p>one</p>',
      reply: '<i>ann@x.example</i>',
      meeting: { signature: '<b>ann@x.example</b>' },
      by_sender: [
        {
          sender: 'ann@y.example',
          signature: '<p>one</p>',
          variants: [
            { code: 'reply', signature: '<i>ann@y.example</i>' },
            { code: 'meeting', signature: '<b>ann@y.example</b>' },
          ],
        },
      ],
    })
    const alone = person('ann', { metadata: ann.metadata })
    expect(await cached(callerOf({ release: given, person: alone }))).not.toHaveProperty('by_sender')
  })

  it('is empty without a signature, or with one that cannot be rendered', async () => {
    expect(await cached(callerOf({ release: releaseOf([]) }), true)).toEqual(none)
    expect(await cached(callerOf(), true, 'broken-ann')).toEqual(none)
    const throwing = {
      ...release,
      templateOf: () => {
        throw new Error('broken')
      },
    }
    expect(await cached(callerOf({ release: throwing }), true)).toEqual(none)
    expect(failed).toEqual(['one'])
  })
})

describe('the version for meetings', () => {
  const meetings = releaseOf([
    ...release.document.signatures,
    signature('short', { template: 'templates/two.html', meeting: 'templates/mobile.html' }),
    signature('three', { template: 'templates/two.html', meeting: 'templates/reply.html' }),
  ])
  const meetingOf = async (from: Release, defaultSignature?: { master: string }) => {
    const metadata = defaultSignature ? { defaultSignature } : {}
    const answer = await defaultOf(callerOf({ release: from, person: person('ann', { metadata }) }))
    return answer.meeting
  }

  it('[MEET-1] is that of the default, else of the first signature that has one', async () => {
    const short = { name: 'Named short', combined_ids: 'short-ann', signature: '<p>mobile</p>' }
    expect(await meetingOf(meetings)).toEqual(short)
    expect(await meetingOf(meetings, { master: 'two-ann' })).toEqual(short)
    expect(await meetingOf(meetings, { master: 'three-ann' })).toMatchObject({ combined_ids: 'three-ann' })
    expect(await cached(callerOf({ release: meetings }), true, 'three-ann')).toMatchObject({
      meeting: { combined_ids: 'three-ann' },
      base64_embedded_images: [logo(), small],
    })
  })

  it('[MEET-1] is none where no signature has one, and nothing is said of it', async () => {
    expect(await meetingOf(release)).toBeUndefined()
    expect(await defaultOf(callerOf())).not.toHaveProperty('meeting')
    expect(await cached(callerOf({ release: meetings }), true, 'one-ann')).not.toHaveProperty('meeting')
    const broken = releaseOf([
      signature('two', { meeting: 'templates/gone.html' }),
      signature('one', { meeting: 'templates/mobile.html' }),
    ])
    expect(await meetingOf(broken)).toMatchObject({ combined_ids: 'one-ann' })
  })

  it('[MEET-1] is a version of its signature in a list', async () => {
    const { objects } = await signatures.list(
      callerOf({ release: meetings }),
      [person('ann')],
      { build_base64: false, page: 1, per_page: 50 },
      false,
    )
    expect(objects.find(({ combined_ids }) => combined_ids === 'short-ann')?.variants).toEqual([
      { code: 'meeting', signature: '<p>mobile</p>' },
    ])
  })
})

describe('what is looked for before a message leaves', () => {
  const EXTERNAL = { missing: 'signature', selection: EVERYONE, recipients: 'external' } as const
  const SOME = { for: [[{ by: 'group', values: ['sales'] }]], not: [] } as const
  const asking = (guard: readonly GuardRule[], over: Partial<Release['document']> = {}): Release =>
    compileRelease('r-3', {
      ...release.document,
      blocks: [anyBlock({ id: 'notice' }), anyBlock({ id: 'fair', selection: SOME })],
      guard,
      ...over,
    })
  const guardOf = async (guard: readonly GuardRule[], over: Parameters<typeof asking>[1] = {}) =>
    (await defaultOf(callerOf({ release: asking(guard, over) }))).guard

  it('[MEET-6] comes with the default: audiences of a signature, and ids of blocks', async () => {
    expect(await guardOf([EXTERNAL, { missing: 'block', block: 'notice' }])).toEqual({
      signature: [['!x.example']],
      blocks: ['notice'],
    })
    expect(
      await guardOf([
        { ...EXTERNAL, recipients: ['a.example'] },
        { ...EXTERNAL, recipients: 'everyone' },
      ]),
    ).toEqual({ signature: [['a.example'], []], blocks: [] })
  })

  it('has only the rules for the user', async () => {
    const rules: readonly GuardRule[] = [
      { ...EXTERNAL, selection: SOME },
      { missing: 'block', block: 'fair' },
      { missing: 'block', block: 'gone' },
    ]
    expect(await guardOf(rules)).toBeUndefined()
    expect(await guardOf([...rules, { missing: 'block', block: 'notice' }])).toEqual({
      signature: [],
      blocks: ['notice'],
    })
    const sales = callerOf({ release: asking(rules), person: person('ann', { groups: ['sales'] }) })
    expect((await defaultOf(sales)).guard).toEqual({
      signature: [['!x.example']],
      blocks: ['fair'],
    })
  })

  it('[MEET-6] has the blocks of the mailboxes for which the user may write, which depend on their owner', async () => {
    const mailboxes = [{ address: 'desk@x.example', selection: EVERYONE, values: {} }]
    const ofDesk = { for: [[{ by: 'person', values: ['desk@x.example'] }]], not: [] } as const
    const blocks = [anyBlock({ id: 'fair', selection: SOME }), anyBlock({ id: 'desk', selection: ofDesk })]
    const rules: readonly GuardRule[] = [
      { missing: 'block', block: 'fair' },
      { missing: 'block', block: 'desk' },
    ]
    expect(await guardOf(rules, { mailboxes, blocks })).toEqual({ signature: [], blocks: ['desk'] })
    expect(await guardOf(rules, { blocks })).toBeUndefined()
    // So the tag of the answer depends on the owner, too.
    const ownersOf = async (guard: readonly GuardRule[]) =>
      (await signatures.asked(callerOf({ release: asking(guard, { mailboxes, blocks }) }), undefined)).owners
    expect(await ownersOf(rules)).toEqual([desk])
    expect(await ownersOf([EXTERNAL])).toEqual([])
    asked = []
    expect(await guardOf([EXTERNAL], { mailboxes, blocks })).toEqual({
      signature: [['!x.example']],
      blocks: [],
    })
    expect(asked).toEqual([])
  })

  it('has no rule for recipients inside or outside of an organisation without domains', async () => {
    expect(await guardOf([EXTERNAL], { internal: [] })).toBeUndefined()
  })

  it('[MEET-6] is in no answer about a named signature, and in none with SIGNET_GUARD=off', async () => {
    const caller = callerOf({ release: asking([EXTERNAL]) })
    const named = await cached(caller, false, 'one-ann')
    expect(named).not.toHaveProperty('guard')
    const off = createSignatureAnswers(
      createDelegatedOwners(store),
      images,
      (_, __, address) => address,
      () => undefined,
      false,
    )
    const without = callerOf({
      release,
    })
    expect(JSON.stringify(await defaultOf(caller, off))).toBe(JSON.stringify(await defaultOf(without)))
  })
})

describe('a signature with slots', () => {
  const block = (id: string, more: Partial<Block> = {}): Block =>
    anyBlock({ id, name: `Block ${id}`, template: `templates/${id}.html`, ...more })
  const slotted = compileRelease('r-2', {
    ...release.document,
    templates: {
      ...templates,
      'templates/one.html': '<p>one</p>{{#block banner}}<div>{{block}}</div>{{/block}}',
      'templates/reply.html': '<p>re</p>{{block banner}}',
      'templates/outside.html': '&middot;<img src="{{picture small.png}}">',
      'templates/inside.html': '<img src="{{picture logo.png}}">',
    },
    blocks: [
      block('outside', { recipients: 'external', replies: false, thread: 'first' }),
      block('inside', { during: { from: '1970-01-01', to: '1970-01-31', timeZone: 'UTC' } }),
      block('never'),
    ],
  })
  const outside = {
    id: 'outside',
    name: 'Block outside',
    audiences: ['!x.example'],
    replies: false,
    everyone: true,
    closes: null,
    thread: 'first',
  }
  const { thread: _, ...ofAllMessages } = outside
  const inside = {
    ...ofAllMessages,
    id: 'inside',
    name: 'Block inside',
    audiences: [],
    replies: true,
    closes: 2_678_400_000,
  }
  const seal = `·<img src="${BASE}/${'b'.repeat(32)}/small.png">`
  const mark = `<img src="${BASE}/${HASH}/logo.png">`

  it('[BLOCK-2] [BLOCK-6] is answered with what fits all messages, and with what may stand there instead', async () => {
    const answer = await defaultOf(callerOf({ release: slotted }))
    expect(answer).toMatchObject({
      signature: `<p>one</p><div>${mark}</div>`,
      blocks: [
        {
          name: 'banner',
          start: 10,
          end: 10 + `<div>${mark}</div>`.length,
          candidates: [
            { ...outside, html: `<div>${seal}</div>` },
            { ...inside, html: `<div>${mark}</div>` },
          ],
        },
      ],
      reply: `<p>re</p>${mark}`,
      reply_blocks: [
        {
          candidates: [
            { ...outside, html: seal },
            { ...inside, html: mark },
          ],
        },
      ],
      base64_embedded_images: [logo(), small],
    })
    const { objects } = await signatures.list(
      callerOf({ release: slotted }),
      [person('ann')],
      { build_base64: true, page: 1, per_page: 1 },
      false,
    )
    expect(objects[0]).toMatchObject({
      blocks: [{ name: 'banner' }],
      variants: [{ code: 'reply', blocks: [{ name: 'banner' }] }, { code: 'mobile' }],
      base64_embedded_images: [logo(), small],
    })
    expect(objects[0]?.variants?.[1]).not.toHaveProperty('blocks')
  })

  it('[BLOCK-6] without a block that may stand there is answered byte for byte as one without slots', async () => {
    const none = (release: Release) => defaultOf(callerOf({ release, at: 2_678_400_000 }))
    const { blocks: _, ...document } = slotted.document
    const without = compileRelease('r-2', {
      ...document,
      templates: {
        ...document.templates,
        'templates/one.html': '<p>one</p>',
        'templates/reply.html': '<p>re</p>',
      },
    })
    const closed = compileRelease('r-2', {
      ...slotted.document,
      blocks: [block('inside', { during: { from: '1970-01-01', to: '1970-01-31', timeZone: 'UTC' } })],
    })
    expect(JSON.stringify(await none(closed))).toBe(JSON.stringify(await none(without)))
    expect(JSON.stringify(await none(without))).toBe(
      JSON.stringify({
        name: 'Named one',
        user_id: 'ann',
        signature: '<p>one</p>',
        reply: '<p>re</p>',
        reply_name: 'Named one',
        reply_combined_ids: 'one-ann',
        combined_ids: 'one-ann',
        base64_embedded_images: [],
      }),
    )
  })

  it('is answered with the times at which blocks are open, and never filled with such a block', async () => {
    const hours = { spans: [{ days: [4], from: '08:00', to: '18:00' }], timeZone: 'UTC' }
    const ownDays = { from: 'away_from', to: 'away_to', before: 2, timeZone: 'UTC' }
    const answered = (to: string, at = 12 * 3_600_000) =>
      defaultOf(
        callerOf({
          at,
          release: compileRelease('r-2', {
            ...slotted.document,
            variables: ['away_from', 'away_to'].map((path) => ({
              ...{ path, from: null, edit: true, resync: false, hidden: false, label: null, group: null },
              value: path === 'away_to' ? to : '1970-01-12',
            })),
            blocks: [block('outside', { hours }), block('inside', { ownDays }), block('never')],
            templates: { ...slotted.document.templates, 'templates/never.html': 'always' },
          }),
        }),
      )
    const day = 24 * 3_600_000
    const thursday = (number: number) => [7 * number * day + day / 3, 7 * number * day + (3 * day) / 4]
    const open = { id: 'outside', open: [0, 1, 2, 3, 4].map(thursday) }
    expect(await answered('1970-01-15')).toMatchObject({
      signature: '<p>one</p><div>always</div>',
      blocks: [{ candidates: [open, { id: 'inside', open: [[9 * day, 15 * day]] }, { id: 'never' }] }],
    })
    const without = await answered('no day', 35 * day)
    expect(without.blocks?.[0]?.candidates.map(({ id }) => id)).toEqual(['outside', 'never'])
    expect(without.blocks?.[0]?.candidates[1]).not.toHaveProperty('open')
  })

  it('[BLOCK-7] is whole with an empty slot for a block that cannot be rendered, which is logged', async () => {
    const templateOf = (path: string) => {
      if (path === 'templates/inside.html') throw new Error('broken')
      return slotted.templateOf(path)
    }
    const answer = await defaultOf(callerOf({ release: { ...slotted, templateOf } }))
    expect(answer).toMatchObject({
      signature: '<p>one</p>',
      blocks: [
        {
          candidates: [
            { ...outside, html: `<div>${seal}</div>` },
            { ...inside, html: '' },
          ],
        },
      ],
      reply: '<p>re</p>',
    })
    expect(failed).toEqual(['block inside'])
  })
})

describe('the pictures of a signature', () => {
  it.each<[string, readonly string[]]>([
    [`<img src="${BASE}/1">`, [`${BASE}/1`]],
    [
      `<IMG alt="" SRC = "${BASE}/1" /><img src="${BASE}/2"><img src="${BASE}/1">`,
      [`${BASE}/1`, `${BASE}/2`],
    ],
    [`<img/src="x" src="${BASE}/1">`, [`${BASE}/1`]],
    [`<img src="${BASE}/1?a&amp;b">`, [`${BASE}/1?a&b`]],
    [`<img src="https://elsewhere.example/1"><img data-src="${BASE}/1"><img alt="x">`, []],
    [`<imgs src="${BASE}/1"><a href="${BASE}/1">`, []],
    ['', []],
  ])('in %s are those of the service', (html, expected) => {
    expect(imageAddresses(html, `${BASE}/`)).toEqual(expected)
  })

  it('[PERSON-9] are served at the address of linked ones, which are never attached', async () => {
    const linked = `/images/linked/${HASH}/logo.png`
    const linking = compileRelease('r-2', {
      ...release.document,
      signatures: [signature('one', { reply: 'templates/reply.html' })],
      blocks: [anyBlock({ id: 'banner', slot: 'banner', template: 'templates/banner.html' })],
      templates: {
        'templates/one.html': '<p><img src="{{picture logo.png linked}}"></p>{{block banner}}',
        'templates/reply.html': '<p><img src="{{picture small.png}}"></p>',
        'templates/banner.html': '<img src="{{picture logo.png linked}}" alt="b">',
      },
    })
    const embedded = async (of: Release) => {
      const { chosen } = await signatures.asked(callerOf({ release: of }), undefined)
      const { signature: html, base64_embedded_images } = await signatures.cache(
        callerOf({ release: of }),
        chosen(),
        true,
      )
      expect(html.split(`https://s.example${linked}`)).toHaveLength(3)
      return base64_embedded_images
    }
    expect(await embedded(linking)).toEqual([small])
    expect(await embedded({ ...linking, document: { ...linking.document, linked: true } })).toEqual([])
    const app = await servingImages(images)
    const answers = await Promise.all(
      [
        linked,
        `/images/${HASH}/logo.png`,
        `/images/linked/linked/${HASH}/logo.png`,
        '/images/linked/x/a',
      ].map((address) => app.inject(address)),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 404, 404])
    expect(answers[0]?.rawPayload).toEqual(answers[1]?.rawPayload)
    expect(Object.keys(answers[0]?.headers ?? {})).not.toContain('set-cookie')
  })

  it('are read once, until they are dropped', async () => {
    const address = `${BASE}/${HASH}/logo.png`
    expect(await images.embedded(address)).toEqual(logo())
    kept.clear()
    expect(await images.embedded(address)).toEqual(logo())
    await images.drop(`${HASH}.png`)
    expect(await images.embedded(address)).toEqual(logo(false))
  })

  it.each([
    ['', '', ''],
    ['/x', 'x', ''],
    [`/${HASH}`, HASH, ''],
  ])('at %j are none', async (path, id, name) => {
    kept.set(id, picture(1))
    const found = await images.embedded(`${BASE}${path}`)
    expect(found).toMatchObject({ id, name, status: id === HASH ? 200 : 404 })
  })

  it('of a person are named by their content', () => {
    expect(images.base()).toBe(BASE)
    expect(images.addressOf(person('ann'))).toBe('')
    expect(images.addressOf(person('ann', { picture: `${HASH}.jpg` }))).toBe(`${BASE}/${HASH}/portrait.jpg`)
  })

  it('leave the memory when there is no room, and the least used first', async () => {
    const reads: string[] = []
    const counting = {
      ...store,
      picture: async (hash: string) => {
        reads.push(hash.slice(0, 1))
        return picture(1, 2, 3)
      },
    }
    // Each weighs 3 bytes, and 4 as base64.
    const small = imagesOf(counting, 14)
    const ask = (name: string) => small.embedded(`${BASE}/${name.repeat(32)}/x.png`)
    for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(name)
    expect(reads).toEqual(['a', 'b', 'c', 'b'])
    await small.drop(`${'a'.repeat(32)}.png`)
    for (const name of ['b', 'd', 'b', 'a']) await ask(name)
    expect(reads).toEqual(['a', 'b', 'c', 'b', 'd', 'a'])
  })

  it('are answered for ever, to every page', async () => {
    const app = await servingImages(images)
    const answer = await app.inject(`/images/${HASH}/any%20name.png`)
    expect([answer.statusCode, answer.headers['content-type'], [...answer.rawPayload]]).toEqual([
      ...[200, 'image/png', [1, 2, 3]],
    ])
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const none = await app.inject(`/images/${'b'.repeat(32)}/x.png`)
    expect([none.statusCode, none.json()]).toEqual([
      ...[404, { code: 'not_found', message: 'There is no such picture.' }],
    ])
  })
})

describe('the owners of mailboxes', () => {
  it('are those who are there, each once, in their order; others by their address', async () => {
    const two = person('two', { addresses: ['a@x.example', 'c@x.example'] })
    const gone = person('gone', { addresses: ['d@x.example'], active: false })
    const found = await findOwners({ personsByAddress: async () => [gone, two] }, [
      ...['b@x.example', 'c@x.example', 'a@x.example', 'd@x.example'],
    ])
    expect(found).toEqual([mailboxAsOwner('b@x.example'), two])
    expect(mailboxAsOwner('b@x.example')).toEqual({
      id: 'b@x.example',
      revision: 0,
      account: null,
      active: true,
      addresses: ['b@x.example'],
      language: null,
      directory: {},
      groups: [],
      values: {},
      metadata: {},
      picture: null,
      directoryPicture: null,
    })
  })

  it('are not asked for when there are none, and are not the user', async () => {
    expect(await findOwners(store, [])).toEqual([])
    expect(asked).toEqual([])
    const owners = createDelegatedOwners(store)
    const shared = releaseOf([], [DESK])
    expect(await owners.delegated({ person: person('ann'), release: shared })).toEqual([desk])
    expect(await owners.delegated({ person: { ...desk, addresses: [] }, release: shared })).toEqual([])
  })
})

describe('what the administration looks up', () => {
  const ann = person('ann')
  const context = (
    over: Partial<Store> = {},
    current: Release | null = null,
    others: readonly Release[] = [],
  ) =>
    ({
      store: {
        ...store,
        person: async (id: string) => (id === 'ann' ? ann : null),
        personByAddress: async (address: string) => (address === 'ann@x.example' ? ann : null),
        ...over,
      },
      releases: {
        current: () => current,
        of: async (id: string) => others.find((each) => each.id === id) ?? null,
      },
    }) as unknown as ServiceContext
  const plans = {
    read: async () => ({ plan: { release: 'planned' }, document: release.document, pictures: [] }),
  } as unknown as Plans
  const noPerson = { status: 404, code: 'not_found', message: 'There is no such person.' }

  it('is a person by the id or by an address, in any case', async () => {
    const { person: find, owner } = createAdministrationLookup(context(), plans)
    for (const text of ['ann', 'Ann@X.example', 'ann@x.example'])
      expect([await find(text), await owner(text)]).toEqual([ann, ann])
    for (const text of ['bob', 'Ann', 'bob@x.example']) {
      await expect(find(text)).rejects.toMatchObject(noPerson)
      await expect(owner(text)).rejects.toMatchObject(noPerson)
    }
  })

  it('is a mailbox by its address, as an owner alone', async () => {
    const { person: find, owner } = createAdministrationLookup(context({}, releaseOf([], [DESK])), plans)
    expect(await owner('Desk@X.example')).toEqual(mailboxAsOwner('desk@x.example'))
    await expect(find('desk@x.example')).rejects.toMatchObject(noPerson)
    await expect(owner('other@x.example')).rejects.toMatchObject(noPerson)
  })

  it('is the release that is published, an earlier one, or that of a plan', async () => {
    const earlier = compileRelease('r-0', release.document)
    const { published, releaseOf: find } = createAdministrationLookup(context({}, release, [earlier]), plans)
    expect([published(), await find(undefined), await find('r-0')]).toEqual([release, release, earlier])
    expect((await find('plan')).id).toBe('planned')
    expect(createAdministrationLookup(context(), plans).published).toThrow(
      expect.objectContaining({
        status: 404,
        code: 'not_found',
        message: 'Nothing is published yet.',
      }) as Refusal,
    )
  })

  it('are the pictures that are kept, or that a plan has, each once, in lines of their own', async () => {
    const reads: string[] = []
    const reading = async (hash: string) => (reads.push(hash), kept.get(hash) ?? null)
    const planned = { mediaType: 'image/gif', bytes: new Uint8Array([4, 5, 6]) }
    const find = async (hash: string) => (await reading(hash)) ?? (hash === 'planned' ? planned : null)
    const pictures = { ...plans.pictures, find }
    const { withPictures } = createAdministrationLookup(context(), { ...plans, pictures })
    const lines = withPictures({ release: 'r' }, [HASH, 'none', HASH, 'planned'])
    expect((await lines.next()).value).toBe('{"release":"r","pictures":{\n')
    // Nothing is read before the client has taken what comes before it.
    expect(reads).toEqual([])
    const others: string[] = []
    for await (const line of lines) others.push(line)
    expect(others).toEqual([
      `"${HASH}":{"mediaType":"image/png","base64":"AQID"}\n`,
      `,"planned":{"mediaType":"image/gif","base64":"BAUG"}\n`,
      '}}',
    ])
    expect(reads).toEqual([HASH, 'none', 'planned'])
  })
})

describe('counts', () => {
  const DAY = 24 * 60 * 60 * 1000
  type Asked = readonly [string, ...(string | number | null)[]]
  function counting(people: number, told = 0) {
    const calls: Asked[] = []
    const state = { now: 100 * DAY + 5, release, isBroken: false }
    const page = <Item>(
      all: readonly Item[],
      last: string | null,
      limit: number,
      idOf: (item: Item) => string,
    ) => {
      const from = last === null ? 0 : all.findIndex((each) => idOf(each) === last) + 1
      return all.slice(from, from + limit)
    }
    const everyone = Array.from({ length: people }, (_, index) => person(`p${String(index)}`))
    const tellers = Array.from({ length: told }, (_, index) => ({
      person: `p${String(index)}`,
      reported: {},
      at: state.now,
    }))
    const context = {
      store: {
        ...store,
        people: async (last: string | null, limit: number) => {
          calls.push(['people', last, limit])
          if (state.isBroken) throw new Error('broken')
          return page(everyone, last, limit, ({ id }) => id)
        },
        reportedByPeople: async (last: string | null, limit: number, since: number) => {
          calls.push(['told', last, limit, since])
          return page(tellers, last, limit, (each) => each.person)
        },
      },
      releases: { current: () => state.release },
      now: () => state.now,
    } as unknown as ServiceContext
    return { count: createInsightCounter(context), calls, state }
  }

  it.each([
    [0, [null]],
    [499, [null]],
    [500, [null, 'p499']],
    [1_001, [null, 'p499', 'p999']],
  ])('of %i people are read in pages', async (people, pages) => {
    const { count, calls } = counting(people)
    const counted = await count()
    expect(counted).toMatchObject({ people, since: 10 * DAY + 5 })
    expect(calls.filter(([what]) => what === 'people')).toEqual(pages.map((last) => ['people', last, 500]))
    expect(calls.at(-1)).toEqual(['told', null, 100, 10 * DAY + 5])
  })

  it.each([
    [99, 1],
    [100, 2],
    [201, 3],
  ])('of what %i people told are read in %i pages', async (told, pages) => {
    const { count, calls } = counting(told, told)
    expect((await count()).toldToday).toBe(told)
    expect(calls.filter(([what]) => what === 'told')).toHaveLength(pages)
  })

  it('of the people of one page leave turns to other requests', async () => {
    // Each look at the clock is a millisecond: every step is a turn.
    let clock = 0
    const watched = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1))
    const over = new AbortController()
    let turns = 0
    const others = (async () => {
      for (; !over.signal.aborted; turns += 1)
        await new Promise<void>((resolve) => void setImmediate(resolve))
    })()
    const { count } = counting(200, 90)
    await count()
    over.abort()
    await others
    watched.mockRestore()
    expect(turns).toBeGreaterThan(200)
  })

  it('are kept for a minute, in either direction of the clock, and for one release', async () => {
    const { count, calls, state } = counting(1)
    const first = count()
    expect(count()).toBe(first)
    await first
    state.now += 59_999
    expect(count()).toBe(first)
    state.now += 1
    const second = count()
    expect(second).not.toBe(first)
    await second
    state.now -= 60_000
    const third = count()
    expect(third).not.toBe(second)
    state.release = compileRelease('r-2', release.document)
    expect(count()).not.toBe(third)
    await count()
    expect(calls.filter(([what]) => what === 'people')).toHaveLength(4)
  })

  it('that failed are made once more', async () => {
    const { count, state } = counting(1)
    state.isBroken = true
    await expect(count()).rejects.toThrow('broken')
    state.isBroken = false
    expect((await count()).people).toBe(1)
  })
})
