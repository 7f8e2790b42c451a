import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import {
  startDemonstration,
  type RunningDemonstration,
} from '../../../src/service/demonstration/demonstration.ts'
import type { DirectoryRow } from '../../../src/service/context/serviceContext.ts'
import { embeddedData } from '../../support/databases.ts'
import {
  ADDIN_HEADERS,
  ALEX,
  claimsOf,
  JONAS,
  MARIA,
  PAGE_ORIGIN,
  SALES,
  send,
  TESS,
  type WireResponse,
  startProvider,
} from '../running.ts'

// The whole service, and a provider that is laid out like Microsoft Entra.

const START = Date.parse('2026-03-02T09:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOA = 'noa.other@elsewhere.example'
const HANA = 'hana.port@harbour.example'
const OTHER_ALEX = 'alex.kim@harbour.example'
const GUS = 'gus.guest@elsewhere.example'
const INVALID = [401, 'invalid_token']
const UNKNOWN = [403, 'unknown_user']

let provider: RunningServer
let service: RunningDemonstration
let clock = START
const now = () => clock
beforeAll(async () => {
  provider = await startProvider({ layout: 'entra', control: true, now })
  service = await startDemonstration({
    port: 0,
    dataFolder: '',
    open: embeddedData(),
    origins: [PAGE_ORIGIN],
    issuer: `${provider.url}/{tenant}/v2.0`,
    tenants: [TENANT_IDS.northwind, TENANT_IDS.harbour],
    tokenAudiences: ['the-add-in'],
    control: true,
    now,
  })
})
beforeEach(() => {
  clock = START
})
afterEach(() => Promise.all(['u-9', 'u-10'].map((id) => service.context.people.erase(id, 'test'))))
afterAll(() => Promise.all([service.close(), provider.close()]))

const tokenOf = async (account: string, wanted: object = {}) => {
  const url = `${provider.url}/mail-client/token`
  return (await send('POST', url, {}, { email: account, ...wanted })).body.access_token
}
const call = (method: string, path: string, bearer: string | null, body?: unknown) =>
  send(
    method,
    service.url + path,
    { ...ADDIN_HEADERS, ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }) },
    body,
  )
/** Signs in with a token of an account, in the mailbox with this address. */
const signIn = async (account: string, email = account, wanted: object = {}) =>
  call('POST', '/authentication/addin/azure', null, { accessToken: await tokenOf(account, wanted), email })
const bearerOf = ({ body }: WireResponse) => body.data['access_token'] ?? ''
const codeOf = ({ status, body }: WireResponse) => [status, body.code]
/** The id of the person and the mailbox of the bearer that a sign-in answers. */
const signedIn = async (...credentials: Parameters<typeof signIn>) => {
  const { sub, email } = claimsOf(bearerOf(await signIn(...credentials)))
  return [sub, email]
}
const imported = async (id: string, address: string, over: Partial<DirectoryRow['record']> = {}) => {
  const record = {
    addresses: [address],
    account: null,
    language: null,
    fields: {},
    groups: [],
    picture: null,
    ...over,
  }
  await service.context.people.importRows([{ id, record }], 'test', false)
}
const accountOf = async (id: string) => (await service.context.store.person(id))?.account ?? null

describe('sign-in', () => {
  it('[SRV-1] [SRV-2] takes tokens of both versions, whose keys stand elsewhere', async () => {
    expect(await signedIn(ALEX)).toEqual(['u-1', ALEX])
    expect(await signedIn(ALEX, ALEX, { version: '1.0', audience: 'the-add-in' })).toEqual(['u-1', ALEX])
  })

  it('[SRV-2] refuses tokens of another tenant, for another audience, and without the scope', async () => {
    expect(codeOf(await signIn(NOA))).toEqual(INVALID)
    expect(codeOf(await signIn(ALEX, ALEX, { audience: 'api://another' }))).toEqual(INVALID)
    expect(codeOf(await signIn(ALEX, ALEX, { scope: 'other' }))).toEqual(INVALID)
  })

  it('[SRV-3] finds the person whose sign-in name is unlike the mail address', async () => {
    expect(await signedIn(MARIA)).toEqual(['u-3', MARIA])
  })

  it("[SRV-3] finds the person of the account, even if the sign-in name is another person's address", async () => {
    await imported('u-9', OTHER_ALEX, { account: { tenant: TENANT_IDS.harbour, oid: '91d2c7b0-alex' } })
    expect(await signedIn(OTHER_ALEX)).toEqual(['u-9', OTHER_ALEX])
    expect(codeOf(await signIn(OTHER_ALEX, ALEX))).toEqual(INVALID)
  })

  it('[SRV-3] finds the person of the account, even if another was imported with the sign-in name', async () => {
    await imported('u-9', 'hana@new.example', {
      account: { tenant: TENANT_IDS.harbour, oid: '91d2c7b0-hana' },
    })
    await imported('u-10', HANA)
    expect(await signedIn(HANA, 'hana@new.example')).toEqual(['u-9', 'hana@new.example'])
    expect(await accountOf('u-10')).toBeNull()
  })

  it("[SRV-3] refuses an account of another tenant with a person's sign-in name", async () => {
    expect(codeOf(await signIn(OTHER_ALEX, ALEX))).toEqual(UNKNOWN)
    expect(await accountOf('u-1')).toEqual({ tenant: TENANT_IDS.northwind, oid: '6f1c0a52-alex' })
  })

  it('[SRV-4] refuses the mailbox of another person', async () => {
    expect(codeOf(await signIn(ALEX, TESS))).toEqual(INVALID)
    expect(codeOf(await signIn(ALEX, 'kim@northwind.example'))).toEqual(INVALID)
  })

  it('[SRV-4] takes a mailbox that is delegated to the person, and no other person', async () => {
    expect(await signedIn(ALEX, SALES)).toEqual(['u-1', SALES])
    expect(codeOf(await signIn(JONAS, SALES))).toEqual(INVALID)
  })

  it('[SRV-4] takes every address of the person, in any case', async () => {
    await imported('u-9', HANA, { addresses: [HANA, 'h.port@harbour.example'] })
    expect(await signedIn(HANA, 'H.Port@Harbour.example')).toEqual(['u-9', 'H.Port@Harbour.example'])
  })

  it('says whether the user may publish', async () => {
    const [alex, maria] = [bearerOf(await signIn(ALEX)), bearerOf(await signIn(MARIA))]
    const isAdmin = async (bearer: string) =>
      (JSON.parse((await call('GET', '/api/addin/user', bearer)).text) as Readonly<{ is_admin: boolean }>)
        .is_admin
    expect([await isAdmin(alex), await isAdmin(maria)]).toEqual([true, false])
  })

  it('refuses a person who left, also with a bearer', async () => {
    await imported('u-9', HANA)
    const bearer = bearerOf(await signIn(HANA))
    expect((await call('GET', '/api/addin/user', bearer)).status).toBe(200)
    await service.context.people.write('u-9', { type: 'deactivate' }, 'test')
    expect(codeOf(await call('GET', '/api/addin/user', bearer))).toEqual(INVALID)
    expect(codeOf(await signIn(HANA))).toEqual(INVALID)
  })
})

describe('a bearer of a person whose id is', () => {
  const hana = { account: { tenant: TENANT_IDS.harbour, oid: '91d2c7b0-hana' } }
  let bearer: string
  beforeEach(async () => {
    await imported('u-9', HANA, hana)
    bearer = bearerOf(await signIn(HANA))
    expect((await call('GET', '/api/addin/user', bearer)).status).toBe(200)
  })
  const renew = () => call('GET', '/authentication/access-token', bearer)

  it("another person's after an erasure is refused", async () => {
    await service.context.people.erase('u-9', 'test')
    expect(codeOf(await call('GET', '/api/addin/user', bearer))).toEqual(INVALID)
    await imported('u-9', 'sven@harbour.example')
    expect(codeOf(await call('GET', '/api/addin/user', bearer))).toEqual(INVALID)
    expect(codeOf(await renew())).toEqual(INVALID)
  })

  it('bound to another account by the directory is refused', async () => {
    await imported('u-9', HANA, { account: { tenant: TENANT_IDS.harbour, oid: '91d2c7b0-sven' } })
    expect(codeOf(await call('GET', '/api/addin/user', bearer))).toEqual(INVALID)
    expect(codeOf(await renew())).toEqual(INVALID)
  })
})

describe('a person who was imported without an account', () => {
  beforeEach(() => imported('u-9', HANA))

  it('is bound by the sign-in name, as a fact, and found by the account from then on', async () => {
    expect(await signedIn(HANA)).toEqual(['u-9', HANA])
    expect(await accountOf('u-9')).toEqual({ tenant: TENANT_IDS.harbour, oid: '91d2c7b0-hana' })
    const facts = await service.context.store.personFacts('u-9', 1)
    expect(facts.map(({ type, meta }) => [type, meta.source])).toEqual([['person/accountBound', 'sign-in']])
    await imported('u-9', 'hana@new.example', { addresses: ['hana@new.example'] })
    expect(await signedIn(HANA, 'hana@new.example')).toEqual(['u-9', 'hana@new.example'])
    expect(codeOf(await signIn(HANA))).toEqual(INVALID)
  })

  it('is bound once by sign-ins at the same time', async () => {
    const all = await Promise.all([signIn(HANA), signIn(HANA), signIn(HANA)])
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await service.context.store.personFacts('u-9', 1)).toHaveLength(1)
  })

  it('is not bound by a sign-in that is refused', async () => {
    expect(codeOf(await signIn(HANA, TESS))).toEqual(INVALID)
    expect(await accountOf('u-9')).toBeNull()
  })

  it('is not bound after they left', async () => {
    await service.context.people.write('u-9', { type: 'deactivate' }, 'test')
    expect(codeOf(await signIn(HANA))).toEqual(INVALID)
    expect(await accountOf('u-9')).toBeNull()
  })

  it('is not bound by a guest', async () => {
    await imported('u-10', GUS)
    expect(codeOf(await signIn(GUS))).toEqual(UNKNOWN)
    expect(await accountOf('u-10')).toBeNull()
  })

  it('is found as a guest when the directory brings the account', async () => {
    await imported('u-10', GUS, { account: { tenant: TENANT_IDS.northwind, oid: '77a0e1f3-guest' } })
    expect(await signedIn(GUS)).toEqual(['u-10', GUS])
  })
})

describe('a bearer', () => {
  const renew = (bearer: string) => call('GET', '/authentication/access-token', bearer)

  it('[SRV-5] is renewed for 12 hours after the sign-in, for the same mailbox, and then refused', async () => {
    let bearer = bearerOf(await signIn(ALEX, SALES))
    for (let renewals = 0; renewals < 24; renewals++) {
      clock += 30 * MINUTE_MS
      bearer = bearerOf(await renew(bearer))
    }
    expect(clock - START).toBe(12 * HOUR_MS)
    expect(claimsOf(bearer)).toMatchObject({ sub: 'u-1', email: SALES })
    clock += 1000
    expect((await call('GET', '/api/addin/user', bearer)).status).toBe(200)
    expect(codeOf(await renew(bearer))).toEqual(INVALID)
    expect((await renew(bearerOf(await signIn(ALEX)))).status).toBe(200)
  })

  it('is no token of the identity provider', async () => {
    expect(codeOf(await call('GET', '/api/addin/user', await tokenOf(ALEX)))).toEqual(INVALID)
  })
})

// Last, because the provider's keys are others afterwards.
describe('sign-ins while the identity provider is away', () => {
  it('are refused with 503, and users who are signed in go on', async () => {
    const bearer = bearerOf(await signIn(ALEX))
    await send('POST', `${provider.url}/_control/keys`, {})
    const fault = { call: '*', fault: { kind: 'status', status: 500 } }
    const accessToken = await tokenOf(ALEX)
    await send('PUT', `${provider.url}/_control/faults`, {}, fault)
    clock += MINUTE_MS
    const refused = await call('POST', '/authentication/addin/azure', null, { accessToken, email: ALEX })
    const going = await call('GET', '/api/addin/user', bearer)
    await send('DELETE', `${provider.url}/_control/faults`, {})
    expect(codeOf(refused)).toEqual([503, 'identity_provider_unavailable'])
    expect(going.status).toBe(200)
    clock += MINUTE_MS
    expect(await signedIn(ALEX)).toEqual(['u-1', ALEX])
  })
})
