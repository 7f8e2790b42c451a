import { randomBytes } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBearers, type BearerContent } from '../../../src/service/identity/bearers.ts'
import { createKeyRing } from '../../../src/service/identity/keyRing.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { embeddedData } from '../../support/databases.ts'
import { claimsOf } from '../running.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const INVALID = { code: 'invalid_token' }
const SECRET = randomBytes(32)
const ALEX: BearerContent = {
  organisation: 'default',
  person: 'p-1',
  account: { tenant: 'northwind', oid: 'alex' },
  email: 'alex.kim@northwind.example',
  isAdmin: true,
  authTime: START,
}

let store: Store
let clock = START
const now = () => clock
beforeAll(async () => {
  store = await embeddedData()()
})
beforeEach(async () => {
  clock = START
  for (const { id } of await store.keys()) await store.dropKey(id)
})
afterAll(() => store.close())

/** One instance of the service. */
const instance = async (secret: Uint8Array = SECRET) => {
  const keys = await createKeyRing(store, secret, now)
  const bearers = createBearers({ keysOf: () => keys, lifetimeSeconds: 3600, now })
  return {
    ...bearers,
    read: async (authorization: string | undefined) => bearers.read(authorization, null),
    keys,
    issue: async (bearer: BearerContent = ALEX) => `Bearer ${await bearers.issue(bearer)}`,
  }
}
const kidOf = (authorization: string) =>
  (
    JSON.parse(Buffer.from(authorization.split(/[ .]/)[1] ?? '', 'base64url').toString()) as Readonly<{
      kid: string
    }>
  ).kid

describe('a bearer', () => {
  it('that was read before is none after its end, without its key, and with another key of the same id', async () => {
    const key = { id: 'k', bytes: randomBytes(32) }
    let found: typeof key | null = key
    const keys = { current: async () => key, find: async () => found, rotate: async () => 'k' }
    const { issue, ...bearers } = createBearers({ keysOf: () => keys, lifetimeSeconds: 3600, now })
    const read = async (authorization: string) => bearers.read(authorization, null)
    const bearer = `Bearer ${await issue(ALEX)}`
    for (let turn = 0; turn < 2; turn += 1) expect(await read(bearer)).toEqual(ALEX)
    found = { ...key, bytes: randomBytes(32) }
    await expect(read(bearer)).rejects.toMatchObject(INVALID)
    found = null
    await expect(read(bearer)).rejects.toMatchObject(INVALID)
    found = key
    expect(await read(bearer)).toEqual(ALEX)
    clock += HOUR_MS
    await expect(read(bearer)).rejects.toMatchObject(INVALID)
  })

  it('says who signed in, for which mailbox, when, and whether they publish', async () => {
    const { issue, read } = await instance()
    expect(await read(await issue())).toEqual(ALEX)
    const other = { ...ALEX, isAdmin: false, email: 'sales@northwind.example', authTime: START - HOUR_MS }
    expect(await read(await issue(other))).toEqual(other)
  })

  it('has the claims that the pane reads', async () => {
    const { issue } = await instance()
    expect(claimsOf(await issue())).toMatchObject({
      sub: 'p-1',
      email: 'alex.kim@northwind.example',
      exp: START / 1000 + 3600,
    })
  })

  it('is good for an hour', async () => {
    const { issue, read } = await instance()
    const bearer = await issue()
    clock += HOUR_MS - SECOND_MS
    expect(await read(bearer)).toEqual(ALEX)
    clock += SECOND_MS
    await expect(read(bearer)).rejects.toMatchObject(INVALID)
  })

  it('[SRV-5] is renewed until 12 hours after the sign-in', async () => {
    const { issue, read, renewable } = await instance()
    let bearer = await issue()
    for (let renewals = 0; renewals < 24; renewals++) {
      clock += 30 * MINUTE_MS
      const { authTime } = await read(bearer)
      renewable(authTime)
      bearer = await issue({ ...ALEX, authTime })
    }
    expect(clock).toBe(START + 12 * HOUR_MS)
    clock += 1
    const { authTime } = await read(bearer)
    expect(() => renewable(authTime)).toThrow(expect.objectContaining(INVALID))
  })

  it('is none when it is missing, of another form or too long', async () => {
    const { issue, read } = await instance()
    const bearer = await issue()
    const [, token = ''] = bearer.split(' ')
    const wrong = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `${bearer} x`,
      `${bearer}.x`,
      ` ${bearer}`,
    ]
    for (const each of [...wrong, `${bearer}${'A'.repeat(5000)}`])
      await expect(read(each)).rejects.toMatchObject(INVALID)
    expect(await read(`bearer ${token}`)).toEqual(ALEX)
    await expect(read(undefined)).rejects.toThrow('The token is missing.')
    const tooLong = 'The token is too long.'
    await expect(read(`Bearer ${'A'.repeat(4090)}`)).rejects.toThrow(tooLong)
    await expect(read(`Bearer ${'A'.repeat(4089)}`)).rejects.not.toThrow(tooLong)
  })

  it('is none when another signed it', async () => {
    const { issue, read } = await instance()
    const bearer = await issue()
    const kid = kidOf(bearer)
    const claims = { ...claimsOf(bearer), admin: true }
    const { privateKey } = await generateKeyPair('RS256')
    const content = [{ alg: 'none', kid }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    const forged = [
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(randomBytes(32)),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(kid.repeat(2))),
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
      `${content.join('.')}.`,
    ]
    for (const token of forged) await expect(read(`Bearer ${token}`)).rejects.toMatchObject(INVALID)
  })

  it('is none with another algorithm, without a key id, or without one of its claims', async () => {
    const { issue, keys, read } = await instance()
    const claims = claimsOf(await issue())
    const { id: kid, bytes } = await keys.current()
    const good = { alg: 'HS256', kid }
    const sign = async (header: { alg: string; kid?: string }, body: object = claims) =>
      `Bearer ${await new SignJWT({ ...body }).setProtectedHeader(header).sign(Buffer.concat([bytes]))}`
    expect(await read(await sign(good))).toEqual(ALEX)
    await expect(read(await sign({ alg: 'HS256' }))).rejects.toMatchObject(INVALID)
    await expect(read(await sign({ alg: 'HS256', kid: 'other' }))).rejects.toMatchObject(INVALID)
    for (const claim of ['sub', 'email', 'tid', 'oid', 'exp', 'auth_time'])
      await expect(read(await sign(good, { ...claims, [claim]: undefined }))).rejects.toMatchObject(INVALID)
  })

  it('has no rights when the claim says anything but true', async () => {
    const { issue, keys, read } = await instance()
    const claims = claimsOf(await issue())
    const { id: kid, bytes } = await keys.current()
    for (const admin of [undefined, 'true', 1, {}]) {
      const token = await new SignJWT({ ...claims, admin })
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(bytes)
      expect((await read(`Bearer ${token}`)).isAdmin).toBe(false)
    }
  })
})

describe('the keys', () => {
  it('are the same for every instance, and after a restart', async () => {
    const [one, other] = [await instance(), await instance()]
    const bearer = await one.issue()
    expect(await other.read(bearer)).toEqual(ALEX)
    expect(await (await instance()).read(bearer)).toEqual(ALEX)
    expect(await store.keys()).toHaveLength(1)
  })

  it('rotate: both are good, the new one signs after a minute, the old one ends with its bearers', async () => {
    const { issue, keys, read } = await instance()
    const before = await issue()
    const next = await keys.rotate()
    expect(kidOf(await issue())).toBe(kidOf(before))
    clock += MINUTE_MS - SECOND_MS
    const last = await issue()
    expect(kidOf(last)).toBe(kidOf(before))
    clock += SECOND_MS
    const after = await issue()
    expect(kidOf(after)).toBe(next)
    for (const bearer of [before, last, after]) expect(await read(bearer)).toEqual(ALEX)
    clock += HOUR_MS - 2 * SECOND_MS
    expect(await read(last)).toEqual(ALEX)
    clock += 2 * MINUTE_MS
    expect(await keys.find(kidOf(before))).toBeNull()
    expect(await keys.find(next)).not.toBeNull()
  })

  it('of two rotations end the first, and one of the others signs', async () => {
    const { issue, keys, read } = await instance()
    const stolen = await issue()
    const second = await keys.rotate()
    // Keys of one moment have no order.
    clock += 1
    const third = await keys.rotate()
    await expect(read(stolen)).rejects.toMatchObject(INVALID)
    const bearer = await issue()
    expect(kidOf(bearer)).toBe(second)
    clock += MINUTE_MS + 1
    expect(kidOf(await issue())).toBe(third)
    expect(await read(bearer)).toEqual(ALEX)
    expect((await store.keys()).map(({ id }) => id).sort()).toEqual([second, third].sort())
  })

  it('that an instance rotates are known to the others before they sign', async () => {
    const [one, other] = [await instance(), await instance()]
    const stolen = await one.issue()
    await one.keys.rotate()
    clock += 30 * SECOND_MS
    await other.issue()
    clock += 30 * SECOND_MS
    expect(await other.read(await one.issue())).toEqual(ALEX)
    expect(kidOf(await other.issue())).toBe(kidOf(await one.issue()))
    await one.keys.rotate()
    clock += 30 * SECOND_MS
    await expect(other.read(stolen)).rejects.toMatchObject(INVALID)
  })

  it('are read again after the clock was set back', async () => {
    clock = START + 10 * HOUR_MS
    const [one, other] = [await instance(), await instance()]
    const stolen = await one.issue()
    clock = START
    await one.keys.rotate()
    await one.keys.rotate()
    await expect(other.read(stolen)).rejects.toMatchObject(INVALID)
  })

  it('that are unknown ask the database once a second', async () => {
    let reads = 0
    const counted = { ...store, keys: () => ((reads += 1), store.keys()) }
    const keys = await createKeyRing(counted, SECRET, now)
    clock += SECOND_MS
    reads = 0
    for (let asked = 0; asked < 20; asked++) expect(await keys.find(`unknown-${asked}`)).toBeNull()
    expect(reads).toBe(1)
    const id = await (await createKeyRing(store, SECRET, now)).rotate()
    clock += SECOND_MS
    expect((await keys.find(id))?.id).toBe(id)
  })

  it('are sealed', async () => {
    const { keys } = await instance()
    const { bytes } = await keys.current()
    const [kept] = await store.keys()
    expect(bytes).toHaveLength(32)
    expect(Buffer.from(kept?.sealed ?? []).includes(Buffer.from(bytes))).toBe(false)
    expect((await store.keys())[0]?.sealed).toHaveLength(12 + 16 + 32)
  })

  it('stop the start with a sentence when the secret is another one', async () => {
    await instance()
    await expect(instance(randomBytes(32))).rejects.toThrow(
      'SIGNET_SECRET is not the secret that sealed the keys in this database.',
    )
    expect(await store.keys()).toHaveLength(1)
  })

  it('stop the start when they were changed, or moved to another id', async () => {
    await instance()
    const [kept] = await store.keys()
    if (kept === undefined) throw new Error('There is no key.')
    for (const at of [0, 12, 28, 59]) {
      const sealed = Uint8Array.from(kept.sealed)
      sealed[at] = (sealed[at] ?? 0) ^ 1
      await store.keepKey({ ...kept, sealed })
      await expect(instance()).rejects.toThrow('SIGNET_SECRET')
    }
    await store.keepKey({ ...kept, sealed: kept.sealed.subarray(0, 20) })
    await expect(instance()).rejects.toThrow('SIGNET_SECRET')
    await store.dropKey(kept.id)
    await store.keepKey({ ...kept, id: 'another' })
    await expect(instance()).rejects.toThrow('SIGNET_SECRET')
  })

  it.each([0, 16, 31, 33])('need a secret of 32 bytes, not of %s', async (length) => {
    await expect(instance(randomBytes(length))).rejects.toThrow('32 bytes')
  })
})
