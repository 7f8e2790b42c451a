import fc from 'fast-check'
import { firstValueFrom, forkJoin } from 'rxjs'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createSecret, revealSecret } from '../../../streams/kernel/secret.ts'
import { type VariableDrafts, Variables } from '../../../streams/pane/variables/events.ts'
import type { VariableValues } from '../../../streams/wire/user.ts'
import { toSavePayload } from '../../../streams/pane/variables/rules.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { cases } from '../../support/cases.ts'
import { type Caller, createCaller } from './api.ts'
import { asPhoto, png } from '../../folder/pictures.ts'
import { ALEX, JONAS, type Running, start } from '../running.ts'
import { forEachDatabase, overPostgres } from '../../support/databases.ts'
import { createSavingPane, playShared, type SharedPerson, sharedStep } from '../../support/twoPanes.ts'

const PORTRAIT_URL = /^http:\/\/localhost:\d+\/images\/[0-9a-f]{32}\/portrait\.png$/
const get = firstValueFrom

let running: Running
let caller: Caller

/** Starts both servers for the tests of a block. */
function serve(open: () => Promise<Store>): void {
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
}

const journal = async () => (await running.journal()).filter(({ method }) => method !== 'OPTIONS')
/** The calls that arrived, as `METHOD path`, with the query if there is one. */
const arrived = async () =>
  (await journal()).map(({ method, path, query }) =>
    Object.keys(query).length > 0 ? [`${method} ${path}`, query] : [`${method} ${path}`],
  )

// The one way through the whole service over each database: each of the 17 calls as the pane makes it, the request that
// arrives at the service, and the value that it gives.
forEachDatabase('[SRV-10] the calls of the pane', (open) => {
  serve(open)

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
    expect(revealSecret(session.token)).not.toBe(revealSecret(caller.token() ?? createSecret('')))
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
    const one = { page: 1, withImages: false, combinedIds: page.objects[0]?.combinedIds ?? '' }
    expect(await get(caller.api.signatures(one))).toMatchObject({ total: 1, objects: [page.objects[0]] })
    expect((await arrived()).at(-1)).toEqual([
      ...['GET /signatures-cache/api/v1/signatures'],
      { build_base64: 'false', page: '1', per_page: '5', combined_ids: one.combinedIds },
    ])
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
      caller.api.saveVariables({
        values: { department: 'Deck' },
        resetFields: ['job_title'],
        base: { values: {} },
      }),
    )
    expect(saved.values).toMatchObject({ department: 'Deck', job_title: 'Voyage Planning Manager' })
    expect(saved.changedFields).toEqual(['department'])
    const bySender = { 'alex@northwind.example': 'short-u-1', 'sales@northwind.example': 'sales_desk-u-2' }
    const metadata = {
      defaultSignature: { master: 'harbour_days-u-1', reply: 'portrait-u-1', bySender },
      others: { tour: ['seen'] },
    }
    await get(caller.api.saveVariables({ values: {}, resetFields: [], metadata, base: { values: {} } }))
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

// Every request is made by the pane's own rules and adapter.
overPostgres('a save over what the sender had', (open) => {
  serve(open)
  const SAVE_PATH = '/api/addin/user/variables_with_options'

  const row = async () => {
    const found = await running.context.store.person('u-1')
    if (found === null) throw new Error('There is no Alex')
    return found
  }
  const sync = async (fields: VariableValues) => {
    const { addresses, account, language, groups, directoryPicture: picture, directory } = await row()
    const record = { addresses, account, language, groups, picture, fields: { ...directory, ...fields } }
    const { refused } = await running.context.people.importRows([{ id: 'u-1', record }], 'directory', false)
    expect(refused).toEqual([])
  }
  const shared = (): SharedPerson => {
    const release = running.context.releases.current()
    if (release === null) throw new Error('There is no release')
    return { api: caller.api, release, row, sync }
  }
  const loadedPane = async () => {
    const pane = createSavingPane(caller.api)
    await pane.load()
    return pane
  }
  const save = async (pane: Awaited<ReturnType<typeof loadedPane>>, edits: VariableValues) => {
    for (const [path, value] of Object.entries(edits)) pane.tell(Variables.edited({ path, value }))
    pane.begin()
    await pane.arrive()
    return pane.variables()
  }
  const facts = async () =>
    (await running.context.store.personFacts('u-1', 0)).slice(-2).map(({ data }) => data)

  it('[VAR-6] stores what the sender changed, and answers with what others changed', async () => {
    const [one, other] = [await loadedPane(), await loadedPane()]
    await save(one, { department: 'Bridge' })
    const { values, changedByOthers } = await save(other, { office: 'Hamburg' })
    expect(values).toMatchObject({ department: 'Bridge', office: 'Hamburg' })
    expect(changedByOthers).toEqual(['department'])
    expect(await facts()).toEqual([
      { values: { department: 'Bridge' }, reset: [] },
      { values: { office: 'Hamburg' }, reset: [] },
    ])
  })

  it('[VAR-6] leaves what the directory told meanwhile, and later syncs reach it', async () => {
    const pane = await loadedPane()
    await sync({ department: 'Fleet', companyName: 'Northwind Marine' })
    const { values, changedByOthers, states } = await save(pane, { office: 'Hamburg' })
    expect(values).toMatchObject({ department: 'Fleet', company: 'Northwind Marine' })
    expect(changedByOthers).toEqual(['department', 'company'])
    expect(states.changedFields).not.toContain('department')
    await sync({ department: 'Shore' })
    expect((await get(caller.api.variableValues()))['department']).toBe('Shore')
  })

  it('[VAR-6] keeps the changes of many at once, each with every value that its pane had', async () => {
    const paths = ['first_name', 'department', 'phone', 'office', 'website', 'pronouns']
    const panes = await Promise.all(paths.map(async (path) => ({ path, pane: await loadedPane() })))
    await Promise.all(panes.map(({ path, pane }) => save(pane, { [path]: `${path} at once` })))
    const edits = Object.fromEntries(paths.map((path) => [path, `${path} at once`]))
    expect(await get(caller.api.variableValues())).toMatchObject(edits)
  })

  it('takes the metadata over a base as well', async () => {
    const { metadata } = await get(caller.api.user())
    const base = { values: {}, metadata }
    const changed = (over: object) =>
      get(caller.api.saveVariables({ values: {}, resetFields: [], base, metadata: { ...metadata, ...over } }))
    const defaultSignature = { master: 'short-u-1', reply: 'portrait-u-1' }
    await changed({ defaultSignature })
    await changed({ others: { tour: 'seen' } })
    expect((await get(caller.api.user())).metadata).toEqual({
      defaultSignature,
      others: { tour: 'seen' },
    })
  })

  it('without a base is stored as it was sent', async () => {
    const pane = await loadedPane()
    await save(await loadedPane(), { department: 'Bridge' })
    const { definitions, values } = pane.variables()
    const sent: VariableDrafts = { office: { value: 'Hamburg', resync: false } }
    const { base: _, ...former } = toSavePayload(definitions, values, sent)
    const { status, body } = await running.call('PUT', SAVE_PATH, await running.signIn(ALEX), {
      data: former.values,
      reset_fields: [],
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ department: 'Operations', office: 'Hamburg' })
  })

  it('is refused with a base of another shape', async () => {
    for (const base of [7, { department: 7 }, { metadata: 'x' }]) {
      const { status, body } = await running.call('PUT', SAVE_PATH, await running.signIn(ALEX), {
        data: {},
        reset_fields: [],
        base,
      })
      expect([base, status, body.code]).toEqual([base, 400, 'invalid_body'])
    }
  })

  it('may have a base as long as the values', async () => {
    const paths = ['first_name', 'last_name', 'job_title', 'department', 'phone', 'mobile_phone']
    const more = ['office', 'website', 'network_page', 'pronouns', 'booking_link', 'campaign_line']
    const values = Object.fromEntries([...paths, ...more].map((path) => [path, 'x'.repeat(4_000)]))
    const pane = await loadedPane()
    await save(pane, values)
    expect(await save(pane, { office: 'Hamburg' })).toMatchObject({ save: { status: 'success' } })
  })

  it('[VAR-6] is that of the last writer in each detail, of two panes and syncs in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sharedStep, { maxLength: 20, size: 'max' }), async (steps) => {
        await running.reset()
        await playShared(shared(), steps)
      }),
      cases(5),
    )
  }, 300_000)
})
