import { firstValueFrom, forkJoin } from 'rxjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSecret, reveal } from '../../streams/kernel/secret.ts'
import { type Caller, createCaller } from './api.ts'
import { asPhoto, png } from './pictures.ts'
import { ALEX, JONAS, type Running, start } from './running.ts'
import { forEachDatabase } from '../support/databases.ts'

forEachDatabase('[SRV-10] the calls of the pane', (open) => {
  // Each of the 17 calls as the pane makes it: the request that arrives at the service, and the value that it gives.

  const PORTRAIT_URL = /^http:\/\/localhost:\d+\/images\/[0-9a-f]{32}\/portrait\.png$/
  let running: Running
  let caller: Caller
  beforeAll(async () => {
    running = await start({ open })
    caller = createCaller(running)
  })
  beforeEach(async () => {
    await caller.signIn(ALEX)
    await running.reset()
  })
  afterAll(async () => {
    await caller.close()
    await running.stop()
  })

  const journal = async () => (await running.journal()).filter(({ method }) => method !== 'OPTIONS')
  /** The calls that arrived, as `METHOD path`, with the query if there is one. */
  const arrived = async () =>
    (await journal()).map(({ method, path, query }) =>
      Object.keys(query).length > 0 ? [`${method} ${path}`, query] : [`${method} ${path}`],
    )
  const get = firstValueFrom

  describe('each call of the specification', () => {
    it('[HTTP-7] POST /authentication/addin/azure verifies a token of the mail client', async () => {
      const accessToken = createSecret(await running.mailClientToken(ALEX))
      const { session, signature } = await get(caller.api.verify({ accessToken, email: ALEX }))
      expect(await arrived()).toEqual([['POST /authentication/addin/azure']])
      expect(session).toMatchObject({ userId: 'u-1', email: ALEX })
      expect(session.expiresAt).toBeGreaterThan(Date.now())
      expect(signature).toEqual(await get(caller.api.signature({})))
    })

    it('[HTTP-7] GET /authentication/access-token gives a fresh session', async () => {
      const session = await get(caller.api.renew())
      expect(await arrived()).toEqual([['GET /authentication/access-token']])
      expect(session.userId).toBe('u-1')
      expect(reveal(session.token)).not.toBe(reveal(caller.token() ?? createSecret('')))
    })

    it('[HTTP-7] PUT /api/addin/user/addin-info takes the telemetry payload', async () => {
      const payload = {
        package: { name: 'signet', version: '0.1.0' },
        context: [{ platform: 'simulated', language: 'en-US' }],
        settings: {
          enableLogs: true,
          enableTelemetry: true,
          enableSilentSSO: true,
          enableSignaturePush: true,
          enableVariablesResync: true,
          enableEmbedImages: false,
          enableVariablesMissing: false,
          enableVariablesAutosave: false,
        },
        beta: false,
        navigator: { userAgent: 'test', language: 'en' },
      }
      await get(caller.api.sendTelemetry(payload))
      expect(await arrived()).toEqual([['PUT /api/addin/user/addin-info']])
      expect((await journal())[0]?.bodySize).toBe(JSON.stringify(payload).length)
    })

    it('[HTTP-7] [PROF-1] GET /api/addin/user gives the profile and, from the same response, the variable states', async () => {
      const { user, states } = await get(
        forkJoin({ user: caller.api.user(), states: caller.api.variableStates() }),
      )
      expect(await arrived()).toEqual([['GET /api/addin/user']])
      expect(user).toEqual({
        id: 'u-1',
        email: ALEX,
        isAdmin: true,
        pictureUrl: expect.stringMatching(PORTRAIT_URL) as string,
        authType: 'azure',
        language: 'en',
        clientName: 'Northwind Trading',
        displayName: 'Alex Kim',
        delegations: ['u-2', 'u-3'],
        metadata: { defaultSignature: { master: 'portrait-u-1', reply: 'portrait-u-1' }, others: {} },
      })
      expect(states).toEqual({
        id: 'u-1',
        changedFields: ['jobTitle'],
        originalData: { jobTitle: 'Voyage Planning Manager' },
      })
    })

    it('[HTTP-7] GET, PUT and DELETE /api/addin/user/photo read, replace and remove the picture', async () => {
      const photo = asPhoto(png())
      expect(await get(caller.api.photo())).toMatch(PORTRAIT_URL)
      const url = await get(caller.api.savePhoto(photo))
      expect(await get(caller.api.photo())).toBe(url)
      await get(caller.api.deletePhoto())
      expect(await get(caller.api.photo())).toBeNull()
      const path = '/api/addin/user/photo'
      expect(await arrived()).toEqual(
        ['GET', 'PUT', 'GET', 'DELETE', 'GET'].map((method) => [`${method} ${path}`]),
      )
      expect((await journal())[1]?.bodySize).toBe(JSON.stringify({ photo }).length)
    })

    it('[HTTP-7] GET /signatures-cache/api/v1/signature/addin gives the default, or the named one, with images', async () => {
      const cached = await get(caller.api.signature({}))
      const named = await get(caller.api.signature({ combinedIds: 'harbour_days-u-1' }))
      const path = 'GET /signatures-cache/api/v1/signature/addin'
      expect(await arrived()).toEqual([
        [path, { build_base64: 'true' }],
        [path, { build_base64: 'true', combined_ids: 'harbour_days-u-1' }],
      ])
      expect(cached).toMatchObject({ userId: 'u-1', combinedIds: 'portrait-u-1' })
      expect(cached.reply?.of).toEqual({ combinedIds: 'portrait-u-1', name: cached.name })
      expect(cached.images.some(({ status, content }) => status === 200 && content.length > 100)).toBe(true)
      expect(named.combinedIds).toBe('harbour_days-u-1')
    })

    it('[HTTP-7] GET /signatures-cache/api/v1/signatures gives a page of five', async () => {
      const page = await get(caller.api.signatures({ page: 2, withImages: false }))
      expect(await arrived()).toEqual([
        ['GET /signatures-cache/api/v1/signatures', { build_base64: 'false', page: '2', per_page: '5' }],
      ])
      expect(page.page).toBe(2)
      expect(page.total).toBeGreaterThan(5)
      expect(page.objects.length).toBeGreaterThan(0)
    })

    it('[HTTP-4] identical reads of delegated signatures share one request', async () => {
      const query = { userIds: ['u-2'], page: 1, withImages: false }
      const read = () => caller.api.delegatedSignatures(query)
      await get(forkJoin([read(), read()]))
      expect(await arrived()).toHaveLength(1)
    })

    it('[HTTP-7] POST /signatures-cache/api/v1/signatures/get/batch gives delegated signatures', async () => {
      const query = { userIds: ['u-2', 'u-3'], page: 1, withImages: true }
      const page = await get(caller.api.delegatedSignatures(query))
      expect(await arrived()).toEqual([
        [
          'POST /signatures-cache/api/v1/signatures/get/batch',
          { build_base64: 'true', page: '1', per_page: '5' },
        ],
      ])
      expect((await journal())[0]?.bodySize).toBe('{"user_ids":["u-2","u-3"]}'.length)
      expect(page.objects.every(({ email }) => email !== null && email !== ALEX)).toBe(true)
    })

    it('[HTTP-7] PUT /signatures-cache/api/v2/signature/default makes a signature the default', async () => {
      await get(caller.api.saveDefaultSignature('harbour_days-u-1'))
      expect(await arrived()).toEqual([['PUT /signatures-cache/api/v2/signature/default']])
      expect((await get(caller.api.user())).metadata.defaultSignature?.master).toBe('harbour_days-u-1')
    })

    it('[HTTP-7] GET /api/addin/variables gives the definitions', async () => {
      const definitions = await get(caller.api.variableDefinitions())
      expect(await arrived()).toEqual([['GET /api/addin/variables']])
      expect(definitions.find(({ path }) => path === 'job_title')).toEqual({
        path: 'job_title',
        lookups: { azure: 'jobTitle' },
        customType: 'mapped',
        displayName: null,
        hidden: false,
        nonEditable: false,
        resettable: true,
      })
      expect(definitions.find(({ path }) => path === 'pronouns')?.displayName).toBe('Pronouns')
    })

    it('[HTTP-7] GET /api/addin/user/variables gives the values', async () => {
      const values = await get(caller.api.variableValues())
      expect(await arrived()).toEqual([['GET /api/addin/user/variables']])
      expect(values['first_name']).toBe('Alex')
    })

    it('[HTTP-7] PUT /api/addin/user/variables_with_options saves values, fields to reset, and the metadata', async () => {
      const saved = await get(
        caller.api.saveVariables({ values: { department: 'Deck' }, resetFields: ['job_title'] }),
      )
      expect(saved.values).toMatchObject({ department: 'Deck', job_title: 'Voyage Planning Manager' })
      expect(saved.changedFields).toEqual(['department'])
      const bySender = { 'alex@northwind.example': 'short-u-1', 'sales@northwind.example': 'gone' }
      const metadata = {
        defaultSignature: { master: 'harbour_days-u-1', reply: 'portrait-u-1', bySender },
        others: { tour: ['seen'] },
      }
      await get(caller.api.saveVariables({ values: {}, resetFields: [], metadata }))
      expect((await arrived())[0]).toEqual(['PUT /api/addin/user/variables_with_options'])
      // Metadata that Signet does not know goes back to the service unchanged.
      expect((await get(caller.api.user())).metadata).toEqual(metadata)
    })

    it('[HTTP-7] [PROF-3] GET /api/addin/subscription gives the plan; an unknown one is basic', async () => {
      expect(await get(caller.api.subscription())).toBe('full')
      expect(await arrived()).toEqual([['GET /api/addin/subscription']])
      await caller.signIn(JONAS)
      expect(await get(caller.api.subscription())).toBe('basic')
    })

    it('[HTTP-7] GET /api/addin/maintenance gives the status', async () => {
      expect(await get(caller.api.maintenance())).toBeNull()
      expect(await arrived()).toEqual([['GET /api/addin/maintenance']])
    })

    it('[HTTP-7] the probe of the self-test asks for the maintenance status too, and gives what it learnt', async () => {
      expect(await get(caller.api.probe())).toMatchObject({ status: 200 })
      expect(await arrived()).toEqual([['GET /api/addin/maintenance']])
    })

    it('[HTTP-7] [CFG-2] GET /api/addin/configs gives whether a default may be chosen', async () => {
      expect(await get(caller.api.configuration())).toEqual({ allowDefaultSignature: true })
      expect(await arrived()).toEqual([['GET /api/addin/configs']])
      await caller.signIn(JONAS)
      expect(await get(caller.api.configuration())).toEqual({ allowDefaultSignature: false })
    })
  })
})
