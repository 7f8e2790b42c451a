import { describe, expect, test } from 'vitest'
import type { Api } from '../../../effects/ports.ts'
import { isFailed } from '../../../streams/kernel/failure.ts'
import type { Read } from '../../../streams/kernel/schema.ts'
import { revealSecret, type Secret } from '../../../streams/kernel/secret.ts'
import { answerOf, credentials, launchProfile, nothingChanged } from '../../engine/adapters/answers.ts'
import { PNG } from '../../support/state.ts'

// Bodies as the service sends them, with what the add-in makes of them: the names on the wire, and what is read with less
// strictness than declared, which wireFields.test.ts cannot tell from the declarations.

const claims = Buffer.from(JSON.stringify({ sub: 'u-1', email: 'a@x.example', exp: 2 })).toString('base64url')
const token = `x.${claims}.y`
const session = { token, userId: 'u-1', email: 'a@x.example', expiresAt: 2000 }

const picture = { url: 'https://x.example/a.png', name: 'a.png', content: PNG, status: 200 }
const bareCandidate = { id: 'b-1', name: 'Fair', html: '<b>Fair</b>' }
const candidate = { ...bareCandidate, audiences: ['!x.example'], replies: false, everyone: true, closes: 5 }
const blocks = [{ name: 'banner', start: 3, end: 3, candidates: [candidate] }]
const bareBlocks = [{ name: 'banner', start: 3, end: 3, candidates: [bareCandidate] }]
const bareSlots = [
  {
    ...bareBlocks[0],
    candidates: [{ ...bareCandidate, audiences: [], replies: true, everyone: false, closes: null }],
  },
]
const guard = { signature: [['Alex', 'Doe']], blocks: ['Fair'] }
const meeting = { name: 'Meetings', combined_ids: 'c-3', signature: '<p>M</p>', blocks }

const byAlias = {
  sender: 'b@x.example',
  signature: '<p>B</p>',
  blocks,
  variants: [{ code: 'reply', signature: '<p>b</p>', blocks }],
}
const copiesRead = [
  {
    sender: 'b@x.example',
    html: '<p>B</p>',
    slots: blocks,
    variants: [{ code: 'reply', html: '<p>b</p>', slots: blocks }],
  },
]

const bareSignature = {
  name: 'Standard',
  user_id: 'u-1',
  signature: '<p>Alex</p>',
  reply: null,
  combined_ids: 'c-1',
  base64_embedded_images: [],
}
const bareSignatureRead = {
  name: 'Standard',
  userId: 'u-1',
  combinedIds: 'c-1',
  html: '<p>Alex</p>',
  reply: null,
  images: [],
}
const signature = {
  ...bareSignature,
  blocks,
  meeting,
  guard,
  reply: '<p>A</p>',
  reply_blocks: blocks,
  reply_name: 'Short',
  reply_combined_ids: 'c-2',
  by_sender: [byAlias],
  base64_embedded_images: [picture],
}
const meetingRead = { name: 'Meetings', combinedIds: 'c-3', html: '<p>M</p>', slots: blocks }
const signatureRead = {
  ...bareSignatureRead,
  slots: blocks,
  guard,
  images: [picture],
  meeting: meetingRead,
  reply: { html: '<p>A</p>', slots: blocks, of: { name: 'Short', combinedIds: 'c-2' } },
  copies: copiesRead,
}

const bareListed = {
  name: 'Standard',
  signature: '<p>Alex</p>',
  combined_ids: 'c-1',
  base64_embedded_images: [],
}
const bareListedRead = {
  name: 'Standard',
  email: null,
  html: '<p>Alex</p>',
  combinedIds: 'c-1',
  images: [],
  audiences: [],
  order: 0,
  collection: 'main',
  variants: [],
}
const listed = {
  ...bareListed,
  email: 'b@x.example',
  blocks,
  base64_embedded_images: [picture],
  audiences: ['x.example'],
  order: 3,
  collection: 'other',
  variants: [{ code: 'reply', signature: '<p>A</p>', blocks }],
  by_sender: [byAlias],
}
const listedRead = {
  name: 'Standard',
  email: 'b@x.example',
  html: '<p>Alex</p>',
  slots: blocks,
  combinedIds: 'c-1',
  images: [picture],
  audiences: ['x.example'],
  order: 3,
  collection: 'other',
  variants: [{ code: 'reply', html: '<p>A</p>', slots: blocks }],
  copies: copiesRead,
}
const pages = [
  [
    { objects: [listed, bareListed], total: 7, page: 2 },
    { objects: [listedRead, bareListedRead], total: 7, page: 2 },
  ],
  [
    { objects: [], total: 0, page: 1 },
    { objects: [], total: 0, page: 1 },
  ],
] as const

const bareProfile = {
  id: 'u-1',
  email: 'a@x.example',
  is_admin: false,
  picture_url: null,
  auth_type: 'azure',
  client_name: 'Northwind',
  computed_variables: { display_name: 'Alex' },
  delegations: [],
}
const bareProfileRead = {
  id: 'u-1',
  email: 'a@x.example',
  isAdmin: false,
  pictureUrl: null,
  authType: 'azure',
  language: 'en',
  clientName: 'Northwind',
  displayName: 'Alex',
  delegations: [],
  metadata: { defaultSignature: null, others: {} },
}
const chosen = { master: 'c-1', reply: 'c-2', bySender: { 'Sales@x.example': 'c-3', 'b@x.example': 3 } }
const chosenBesides = { reply: 'c-2', bySender: { 'sales@x.example': 'c-3' } }
const profile = {
  ...bareProfile,
  is_admin: true,
  picture_url: 'https://x.example/p.png',
  language: 'de',
  delegations: ['u-2'],
  metadata: { defaultSignature: chosen, colour: 'red' },
}
const profileRead = {
  ...bareProfileRead,
  isAdmin: true,
  pictureUrl: 'https://x.example/p.png',
  language: 'de',
  delegations: ['u-2'],
  metadata: { defaultSignature: { master: 'c-1', ...chosenBesides }, others: { colour: 'red' } },
}

const meta = {
  custom_type: 'mapped',
  display_name: 'City',
  hidden: true,
  non_editable: true,
  resettable: true,
}
const bareMeta = { custom_type: null, hidden: false, non_editable: false, resettable: false }

type Examples = readonly (readonly [body: unknown, read: unknown])[]
type Row = readonly [read: Read<unknown>, examples: Examples]

const nothing: Examples = [
  [{ anything: 1 }, undefined],
  [null, undefined],
]

/** Of each call: a body with all fields, and one with those alone that have to be there. */
const CALLS: Readonly<Record<Exclude<keyof Api, 'probe'>, Row>> = {
  verify: [
    answerOf((api) => api.verify(credentials)),
    [
      [{ data: { access_token: `"${token}"`, signature } }, { session, signature: signatureRead }],
      [{ data: { access_token: token } }, { session, signature: null }],
    ],
  ],
  renew: [answerOf((api) => api.renew()), [[{ data: { access_token: token } }, session]]],
  user: [
    answerOf((api) => api.user()),
    [
      [profile, profileRead],
      [bareProfile, bareProfileRead],
    ],
  ],
  signature: [
    answerOf((api) => api.signature({})),
    [
      [signature, signatureRead],
      [bareSignature, bareSignatureRead],
      [
        { ...bareSignature, reply: '', blocks: bareBlocks },
        { ...bareSignatureRead, reply: { html: '', of: null }, slots: bareSlots },
      ],
    ],
  ],
  signatures: [answerOf((api) => api.signatures({ page: 1, withImages: true })), pages],
  delegatedSignatures: [
    answerOf((api) => api.delegatedSignatures({ userIds: ['u-2'], page: 1, withImages: true })),
    pages,
  ],
  variableStates: [
    answerOf((api) => api.variableStates()),
    [
      [
        { id: 'u-1', changed_fields: ['city'], original_data: { city: 'Ulm', fax: null } },
        { id: 'u-1', changedFields: ['city'], originalData: { city: 'Ulm', fax: '' } },
      ],
      [
        { id: 'u-1', changed_fields: [], original_data: {} },
        { id: 'u-1', changedFields: [], originalData: {} },
      ],
    ],
  ],
  variableDefinitions: [
    answerOf((api) => api.variableDefinitions()),
    [
      [
        {
          objects: [
            { path: 'city', lookups: { azure: 'city' }, metas: meta },
            { path: 'fax', lookups: {}, metas: bareMeta },
          ],
        },
        [
          {
            path: 'city',
            lookups: { azure: 'city' },
            customType: 'mapped',
            displayName: 'City',
            hidden: true,
            nonEditable: true,
            resettable: true,
          },
          {
            path: 'fax',
            lookups: {},
            customType: null,
            displayName: null,
            hidden: false,
            nonEditable: false,
            resettable: false,
          },
        ],
      ],
      [{ objects: [] }, []],
    ],
  ],
  variableValues: [
    answerOf((api) => api.variableValues()),
    [
      [{ values: { city: 'Ulm', fax: null, toString: 'x' } }, { city: 'Ulm', fax: '', toString: 'x' }],
      [{ values: {} }, {}],
    ],
  ],
  saveVariables: [
    answerOf((api) => api.saveVariables(nothingChanged)),
    [
      [
        { data: { city: 'Ulm', fax: null, metadata: { colour: 'red' } }, changed_fields: ['city'] },
        { values: { city: 'Ulm', fax: '' }, changedFields: ['city'] },
      ],
      [
        { data: {}, changed_fields: [] },
        { values: {}, changedFields: [] },
      ],
    ],
  ],
  photo: [
    answerOf((api) => api.photo()),
    [
      [{ data: { url: 'https://x.example/p.png' } }, 'https://x.example/p.png'],
      [{ data: { url: null } }, null],
    ],
  ],
  savePhoto: [
    answerOf((api) => api.savePhoto('')),
    [[{ data: { url: 'https://x.example/p.png' } }, 'https://x.example/p.png']],
  ],
  deletePhoto: [answerOf((api) => api.deletePhoto()), nothing],
  saveDefaultSignature: [answerOf((api) => api.saveDefaultSignature('c-1')), nothing],
  sendTelemetry: [answerOf((api) => api.sendTelemetry({} as never)), nothing],
  subscription: [
    answerOf((api) => api.subscription()),
    [
      [{ plan_id: 'full' }, 'full'],
      [{ plan_id: 'another' }, 'basic'],
    ],
  ],
  maintenance: [
    answerOf((api) => api.maintenance()),
    ['planned', 'active', null].map((status) => [{ data: { status } }, status]),
  ],
  configuration: [
    answerOf((api) => api.configuration()),
    [true, undefined, false, null, 'true', 1].map((given) => [
      { config: { addin: { signature_by_default: given } } },
      { allowDefaultSignature: given === true },
    ]),
  ],
}

const atLaunch: Row = [
  launchProfile,
  [
    [profile, { id: 'u-1', delegations: ['u-2'], chosen: chosenBesides }],
    // What launch events do not read may be anything.
    [
      { id: 'u-1', delegations: [], email: 1, metadata: { defaultSignature: { master: 1 } } },
      { id: 'u-1', delegations: [], chosen: { reply: null, bySender: null } },
    ],
    [
      { id: 'u-1', delegations: [] },
      { id: 'u-1', delegations: [], chosen: null },
    ],
  ],
]

/** With the text that a secret hides. */
function shown(read: unknown): unknown {
  if (typeof read !== 'object' || read === null) return read
  if ('session' in read) return { ...read, session: shown(read.session) }
  return 'token' in read ? { ...read, token: revealSecret(read.token as Secret) } : read
}

test.each([...Object.entries(CALLS), ['user, at launch', atLaunch] as const])(
  'the answer of %s is read with the names of the wire',
  (_, [read, examples]) => {
    for (const [body, answer] of examples) expect(shown(read(body, ''))).toEqual(answer)
  },
)

const [readSignature] = CALLS.signature
const [readPage] = CALLS.signatures

/** Each copy of an object in which a value, at any depth, is of a kind that belongs nowhere in it. */
function damaged(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [{ none: 1 }]
  return [
    { none: 1 },
    ...Object.entries(value).flatMap(([name, part]) =>
      damaged(part).map((one) =>
        Array.isArray(value) ? (value as unknown[]).with(Number(name), one) : { ...value, [name]: one },
      ),
    ),
  ]
}

describe('what is damaged costs only itself:', () => {
  const { meeting: _, ...withoutMeeting } = signatureRead
  const { guard: __, ...withoutGuard } = signatureRead
  const { slots: ___, ...withoutSlots } = signatureRead
  const { slots: ____, ...replyWithoutSlots } = signatureRead.reply
  const { slots: _____, ...meetingWithoutSlots } = meetingRead
  const { copies: _______, ...withoutCopies } = signatureRead
  const { blocks: ________, variants: _________, ...bareCopy } = byAlias
  const { blocks: ______, ...bareMeeting } = meeting

  test.each<[string, readonly unknown[], (one: unknown) => object, object]>([
    ['a meeting', damaged(bareMeeting), (one) => ({ meeting: one }), withoutMeeting],
    // All fields of a guard may be missing.
    ['a guard', damaged(guard).slice(1), (one) => ({ guard: one }), withoutGuard],
    ['the blocks', damaged(blocks), (one) => ({ blocks: one }), withoutSlots],
    ['the copies', damaged([bareCopy]), (one) => ({ by_sender: one }), withoutCopies],
    [
      'the blocks of a reply',
      damaged(blocks),
      (one) => ({ reply_blocks: one }),
      { ...signatureRead, reply: replyWithoutSlots },
    ],
    [
      'the blocks of a meeting',
      damaged(blocks),
      (one) => ({ meeting: { ...meeting, blocks: one } }),
      { ...signatureRead, meeting: meetingWithoutSlots },
    ],
    [
      'a picture',
      damaged(picture),
      (one) => ({ base64_embedded_images: [one] }),
      { ...signatureRead, images: [] },
    ],
  ])('%s', (_name, all, put, without) => {
    for (const one of all) expect(readSignature({ ...signature, ...put(one) }, '')).toEqual(without)
  })

  test('the blocks of a listed signature and of its variant', () => {
    const { slots, ...listedWithout } = listedRead
    expect(slots).toEqual(blocks)
    const variants = (one: unknown) => [{ code: 'reply', signature: '<p>A</p>', blocks: one }]
    for (const one of damaged(blocks))
      expect(
        readPage({ objects: [{ ...listed, blocks: one, variants: variants(one) }], total: 1, page: 1 }, ''),
      ).toEqual({
        objects: [{ ...listedWithout, variants: [{ code: 'reply', html: '<p>A</p>' }] }],
        total: 1,
        page: 1,
      })
  })
})

const inMetadata = (defaultSignature: unknown) => ({ ...bareProfile, metadata: { defaultSignature } })

test.each<[Row, body: unknown, at: string]>([
  [CALLS.verify, { data: { access_token: 'none', signature } }, 'data.access_token'],
  [CALLS.renew, { data: { access_token: 'x.e30.y' } }, 'data.access_token'],
  [CALLS.maintenance, { data: { status: 'done' } }, 'data.status'],
  [CALLS.saveVariables, { data: { city: 1 }, changed_fields: [] }, 'data.city'],
  [CALLS.saveVariables, { data: [], changed_fields: [] }, 'data'],
  [CALLS.user, inMetadata(1), 'metadata.defaultSignature'],
  [CALLS.user, inMetadata({ master: 1 }), 'metadata.defaultSignature.master'],
  [CALLS.user, { ...bareProfile, metadata: [] }, 'metadata'],
  ...[CALLS.user, atLaunch].map((row): [Row, unknown, string] => [
    row,
    inMetadata({ reply: 1 }),
    'metadata.defaultSignature.reply',
  ]),
])('what cannot be left out is refused at its place, %#', ([read], body, at) => {
  let refused: unknown
  try {
    read(body, '')
  } catch (error) {
    refused = isFailed(error) ? error.failure : error
  }
  expect(refused).toEqual({ kind: 'malformed', at })
})
