import { describe, expect, test } from 'vitest'
import { of } from 'rxjs'
import { createApi } from '../../../src/engine/adapters/api.ts'
import type { UserMetadata } from '../../../streams/wire/user.ts'
import type { Read } from '../../../streams/kernel/schema.ts'
import { answerOf, credentials, nothingChanged } from './answers.ts'
import { png } from '../../support/pictures.ts'
import { revealSecret } from '../../../streams/kernel/secret.ts'
import { PNG } from '../../support/state.ts'

const sent = (content: unknown, over: object = {}) => ({
  url: 'https://cdn.example/a.png',
  name: 'a.png',
  content,
  status: 200,
  ...over,
})
const good = sent(PNG)
const verified = answerOf((api) => api.verify(credentials))
const profile = answerOf((api) => api.user())
const cachedSignature = answerOf((api) => api.signature({}))
const signaturePage = answerOf((api) => api.signatures({ page: 1, withImages: true }))
/** Null for a body of another shape. */
const reading = <T>(read: Read<T>, body: unknown): T | null => {
  try {
    return read(body, '')
  } catch {
    return null
  }
}
/** The metadata as they are sent. */
function sentMetadata(metadata: UserMetadata): unknown {
  let body: unknown
  const api = createApi((request) => {
    body = request.body
    return of()
  })
  api.saveVariables({ ...nothingChanged, metadata }).subscribe()
  return (body as { data: { metadata: unknown } }).data.metadata
}
const ofPage = (images: readonly unknown[]) => {
  const object = {
    name: 'Standard',
    signature: '<p>Alex</p>',
    combined_ids: 'c-1',
    base64_embedded_images: images,
  }
  const other = { ...object, name: 'Short', base64_embedded_images: [good] }
  const page = reading(signaturePage, { objects: [object, other], total: 2, page: 1 })
  return page === null ? 'malformed' : page.objects.map((each) => each.images)
}
const ofCache = (images: readonly unknown[]) => {
  const body = {
    name: 'Standard',
    user_id: 'u-1',
    signature: '<p>Alex</p>',
    reply: null,
    combined_ids: 'c-1',
  }
  return reading(cachedSignature, { ...body, base64_embedded_images: images })?.images ?? 'malformed'
}

describe('[SAFE-6] a picture that is none costs only itself', () => {
  test.each([
    ['a PNG and what would end a style', `${PNG}");background:url(//evil.example/a.png`],
    ['a PNG and what would end an attribute', `${PNG}" onerror="alert(1)`],
    ['a PNG without its padding', PNG.slice(0, -1)],
    ['a PNG in two lines', `${PNG.slice(0, 40)}\n${PNG.slice(40)}`],
    ['a PNG of 65,535 pixels in square', png(65_535, 65_535)],
    ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>').toString('base64')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64')],
  ])('%s arrives without its content', (_, content) => {
    expect(ofPage([sent(content), good])).toEqual([[sent(''), good], [good]])
    expect(ofCache([sent(content), good])).toEqual([sent(''), good])
  })

  test.each([
    ['null', null],
    ['a number', 1],
    ['no content', sent(undefined)],
    ['a content of another type', sent({})],
    ['a url of another type', sent(PNG, { url: 1 })],
    ['a status of another type', sent(PNG, { status: '200' })],
  ])('%s does not arrive', (_, image) => {
    expect(ofPage([image, good])).toEqual([[good], [good]])
    expect(ofCache([image, good])).toEqual([good])
  })

  test('has an id if the service gives one', () => {
    for (const given of [sent(PNG, { id: 'p-1' }), good]) {
      expect(ofPage([given])).toStrictEqual([[given], [good]])
      expect(ofCache([given])).toStrictEqual([given])
    }
    expect(ofPage([sent(PNG, { id: 1 }), good])).toStrictEqual([[good, good], [good]])
  })

  test('what is no list is malformed', () => {
    const object = { name: 'Standard', signature: '', combined_ids: 'c-1', base64_embedded_images: {} }
    expect(reading(signaturePage, { objects: [object], total: 1, page: 1 })).toBeNull()
  })
})

describe('the answer of a sign-in', () => {
  const claims = Buffer.from(JSON.stringify({ sub: 'u-1', email: 'a@example.com', exp: 2 }))
  const token = `x.${claims.toString('base64url')}.y`
  const standard = {
    name: 'Standard',
    user_id: 'u-1',
    signature: '<p>Alex</p>',
    reply: '<p>A</p>',
    reply_name: 'Short',
    reply_combined_ids: 'c-2',
    combined_ids: 'c-1',
    base64_embedded_images: [good],
  }
  const decode = (data: object) => reading(verified, { data: { access_token: token, ...data } })

  test('gives the default that it carries, as the call for the default would', () => {
    const output = decode({ signature: standard })
    expect(output).toMatchObject({ session: { userId: 'u-1', email: 'a@example.com', expiresAt: 2_000 } })
    expect(output).toHaveProperty('signature', cachedSignature(standard, ''))
  })

  test.each<[string, object]>([
    ['missing', {}],
    ['null', { signature: null }],
    ['no object', { signature: '<p>Alex</p>' }],
    ['without its html', { signature: { ...standard, signature: undefined } }],
    ['with pictures that are no list', { signature: { ...standard, base64_embedded_images: {} } }],
    ["another user's", { signature: { ...standard, user_id: 'u-2' } }],
  ])('gives the session without a default that is %s', (_, data) => {
    expect(decode(data)).toMatchObject({ session: { userId: 'u-1' }, signature: null })
  })

  test('is malformed without a token, whatever else it carries', () => {
    for (const access_token of [undefined, 1, 'none'])
      expect(decode({ access_token, signature: standard })).toBeNull()
  })

  test('may have the token in quotes', () => {
    const { session } = verified({ data: { access_token: `"${token}"` } }, '')
    expect(revealSecret(session.token)).toBe(token)
  })
})

test('a signature chosen for a sender that is none costs only itself, and addresses are lower-case', () => {
  const read = (bySender: unknown) => {
    const body = {
      id: 'u-1',
      email: 'a@x.example',
      is_admin: false,
      picture_url: null,
      auth_type: 'azure',
      client_name: 'X',
      computed_variables: { display_name: 'A' },
      delegations: [],
      metadata: { defaultSignature: { master: 'c-1', bySender } },
    }
    return profile(body, '').metadata.defaultSignature
  }
  const chosen = { master: 'c-1', reply: null }
  expect(read({ 'Sales@x.example': 'c-2', 'b@x.example': 3 })).toEqual({
    ...chosen,
    bySender: { 'sales@x.example': 'c-2' },
  })
  expect(read('junk')).toEqual({ ...chosen, bySender: {} })
  expect(read(undefined)).toMatchObject(chosen)
})

test('[CHOOSE-2] signatures chosen for senders alone have no master, in both directions', () => {
  const read = (defaultSignature: unknown) =>
    profile(
      {
        id: 'u-1',
        email: 'a@x.example',
        is_admin: false,
        picture_url: null,
        auth_type: 'azure',
        client_name: 'X',
        computed_variables: { display_name: 'A' },
        delegations: [],
        metadata: { defaultSignature },
      },
      '',
    ).metadata.defaultSignature
  const bySender = { 'sales@x.example': 'c-2' }
  const alone = { master: null, reply: null, bySender }
  for (const master of [{}, { master: null }, { master: '' }])
    expect(read({ ...master, bySender })).toEqual(alone)
  for (const none of [{}, { master: null }, null, undefined]) expect(read(none)).toBeNull()
  expect(sentMetadata({ defaultSignature: alone, others: {} })).toEqual({ defaultSignature: { bySender } })
  expect(sentMetadata({ defaultSignature: null, others: { a: 1 } })).toEqual({ a: 1 })
})
