import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { SWEEP_CHECK_INTERVAL_MS } from '../../../src/service/directory/sweepDirectory.ts'
import { TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import { listen, type RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { createUserApplier, scimUserReader } from '../../../src/service/scim/applying.ts'
import { userAttributesOf } from '../../../src/service/scim/attributes.ts'
import { ENTERPRISE_USER_URN, SIGNET_USER_URN } from '../../../src/service/scim/schemas.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { assignedSignatures, matchesSelection } from '../../../streams/organisation/rules/rules.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { runCommand } from '../../../src/cli/command.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { overPostgres } from '../../support/databases.ts'
import { createTimers, type VirtualTimers } from '../../support/timers.ts'
import { ADDIN_HEADERS, ALEX, send, startProvider } from '../running.ts'

// What SCIM tells, as it arrives at the people: the service as it runs, with SCIM as its directory.

const TOKEN = 'the-token-of-the-directory-0123456789'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const START = Date.parse('2026-09-01T10:00:00Z')
const HOUR_MS = 3_600_000
const SECRET = randomBytes(32)
const ACME = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'
const ATTRIBUTES = [`${ACME}:costCentre`, `${ACME}:floor`]
const OID = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef'

overPostgres('people from SCIM', (open) => {
  let store: Store
  let provider: RunningServer
  let service: Service
  let url: string
  let document: ReleaseDocument
  let clock = START
  const now = () => clock

  async function start(timers: VirtualTimers) {
    const started = await createService({
      store,
      organisation: 'Northwind Trading',
      tenants: [TENANT_IDS.northwind],
      authority: provider.url,
      tokenAudiences: ['api://signet'],
      scope: 'access_as_user',
      secret: SECRET,
      origins: [],
      now,
      publicUrl: () => 'https://signet.northwind.example',
      timers,
      scimToken: TOKEN,
      scimAttributes: ATTRIBUTES,
    })
    await started.context.directory.state()
    return started
  }

  beforeAll(async () => {
    store = await open()
    provider = await startProvider({ now })
    document = (await readDemonstration()).document
    service = await start(createTimers())
    // The sweep at the start must have ended before the first test clears the people it applies.
    await vi.waitFor(async () => expect((await lastRun())?.outcome).toBe('done'), { timeout: 60_000 })
    url = (await listen(service.app, 0)).url
  })
  afterAll(() => Promise.all([service.close(), provider.close()]))
  beforeEach(async () => {
    clock += 25 * HOUR_MS
    await store.clearPeople()
    await publish(document)
  })

  const publish = (content: ReleaseDocument) => publishDocument(service.context, content)

  async function ask(method: string, path: string, body?: unknown) {
    clock += 1
    const answer = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/scim+json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${String(answer.status)} ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>> & { id: string }
  }
  const patch = (path: string, ...Operations: readonly object[]) =>
    ask('PATCH', path, { schemas: [PATCH_OP], Operations })
  const addUser = async (address: string, more: object = {}) =>
    (
      await ask('POST', '/Users', {
        userName: address,
        active: true,
        emails: [{ type: 'work', value: address }],
        ...more,
      })
    ).id
  const addUsers = async (count: number) => {
    const ids: string[] = []
    for (let at = 0; at < count; at++) ids.push(await addUser(`p${String(at)}@northwind.example`))
    return ids
  }
  const disable = (id: string) => patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })
  const personOf = (address: string) => store.personByAddress(address)
  const activePeople = () => store.countPeople()
  const sync = async (retire: boolean) => {
    clock += 1
    const ask = () =>
      service.context.directory.sync({ isTrial: false, mayDeactivate: retire }, 'admin@northwind.example')
    await expect
      .poll(() =>
        ask().then(
          () => 'begun',
          () => 'busy',
        ),
      )
      .toBe('begun')
    await expect.poll(async () => (await service.context.directory.state()).isRunning).toBe(false)
  }
  const lastRun = async () => (await service.context.directory.state()).runs[0]
  const signaturesOf = async (address: string) => {
    const [person, release] = [await personOf(address), service.context.releases.current()]
    return person === null || release === null
      ? []
      : assignedSignatures(release, person, clock).map(({ id }) => id)
  }

  it('have the fields, the addresses, the account and the language that SCIM told', async () => {
    await addUser('Ann@northwind.example', {
      externalId: OID.toUpperCase(),
      displayName: 'Ann Example',
      name: { givenName: 'Ann', familyName: 'Example' },
      title: 'Pilot',
      preferredLanguage: 'pt-BR, en;q=0.7',
      emails: [
        { type: 'other', value: 'pilot@northwind.example', primary: true },
        { type: 'work', value: 'A.Example@northwind.example' },
        { type: 'home', value: 'no address' },
      ],
      phoneNumbers: [
        { type: 'mobile', value: '+49 170' },
        { type: 'work', value: '+49 30' },
        { type: 'fax', value: '+49 40' },
      ],
      addresses: [
        { type: 'other', formatted: 'Pier 4' },
        {
          type: 'work',
          formatted: 'Quay 1',
          streetAddress: 'Quay 1',
          locality: 'Hamburg',
          region: 'HH',
          postalCode: '20457',
          country: 'DE',
        },
      ],
      [ENTERPRISE_USER_URN]: { department: 'Harbour', organization: 'Northwind', employeeNumber: '7' },
      [SIGNET_USER_URN]: { extensionAttribute3: 'blue' },
    })
    const person = await personOf('ann@northwind.example')
    expect(person).toMatchObject({
      account: { tenant: TENANT_IDS.northwind, oid: OID },
      active: true,
      language: 'pt-BR',
      groups: [],
      directory: {
        displayName: 'Ann Example',
        givenName: 'Ann',
        surname: 'Example',
        jobTitle: 'Pilot',
        department: 'Harbour',
        companyName: 'Northwind',
        employeeId: '7',
        officeLocation: 'Pier 4',
        'businessPhones.0': '+49 30',
        mobilePhone: '+49 170',
        faxNumber: '+49 40',
        streetAddress: 'Quay 1',
        city: 'Hamburg',
        state: 'HH',
        postalCode: '20457',
        country: 'DE',
        mail: 'A.Example@northwind.example',
        userPrincipalName: 'Ann@northwind.example',
        preferredLanguage: 'pt-BR',
        'onPremisesExtensionAttributes.extensionAttribute3': 'blue',
      },
    })
    expect(Object.keys(person?.directory ?? {})).toHaveLength(20)
    expect(person?.addresses).toEqual([
      'a.example@northwind.example',
      'pilot@northwind.example',
      'ann@northwind.example',
    ])
  })

  it('[PERSON-3] have the attributes that the settings name, and a run tells which ones nobody has', async () => {
    const { Resources: schemas } = await ask('GET', '/Schemas')
    expect(schemas).toContainEqual(expect.objectContaining({ id: ACME }))
    const fieldsOf = async (address: string) => (await personOf(address))?.directory
    const unknown = async () => (await lastRun())?.unknownAttributes
    const named = (...names: readonly string[]) => [
      { source: 'scim', names: names.map((name) => `${ACME}:${name}`) },
    ]
    const ann = await addUser('ann@northwind.example', { title: 'Pilot' })
    expect(await unknown()).toEqual(named('costCentre', 'floor'))
    await addUser('ben@northwind.example', {
      schemas: [ACME],
      [ACME]: { costCentre: '4711', other: 'x' },
    })
    expect(await fieldsOf('ben@northwind.example')).toMatchObject({ costCentre: '4711' })
    expect(await fieldsOf('ben@northwind.example')).not.toHaveProperty('other')
    expect(await unknown()).toEqual(named('floor'))
    expect(await ask('GET', `/Users/${ann}`)).not.toHaveProperty([ACME])

    await patch(`/Users/${ann}`, { op: 'Add', path: `${ACME}:costCentre`, value: '4712' })
    expect(await fieldsOf('ann@northwind.example')).toMatchObject({ costCentre: '4712' })
    expect(await ask('GET', `/Users/${ann}`)).toMatchObject({
      schemas: expect.arrayContaining([ACME]) as unknown,
      [ACME]: { costCentre: '4712' },
    })
    clock += HOUR_MS
    await patch(`/Users/${ann}`, { op: 'Replace', path: `${ACME}:costCentre`, value: '4713' })
    expect(await unknown()).toEqual(named('floor'))
    await sync(false)
    expect(await lastRun()).toMatchObject({ outcome: 'done', unknownAttributes: named('floor') })
    await patch(`/Users/${ann}`, { op: 'Add', path: `${ACME}:floor`, value: '3' })
    expect(await fieldsOf('ann@northwind.example')).toMatchObject({ costCentre: '4713', floor: '3' })
    expect((await ask('GET', `/Users?filter=${ACME}:floor eq "3"`))['totalResults']).toBe(1)
    await sync(false)
    expect(await unknown()).toBeUndefined()
    await patch(`/Users/${ann}`, { op: 'Remove', path: ACME })
    expect(await fieldsOf('ann@northwind.example')).not.toHaveProperty('floor')
  })

  it('[SRV-30] are added, changed, moved between groups and removed with the request; what they edited stays', async () => {
    const id = await addUser(ALEX, { title: 'Pilot', [ENTERPRISE_USER_URN]: { department: 'Harbour' } })
    const other = await addUser('other@northwind.example')
    const group = (await ask('POST', '/Groups', { displayName: 'Voyage-Planning' })).id
    expect(await signaturesOf(ALEX)).not.toContain('standard')
    await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value: id }, { value: other }] })
    expect(await signaturesOf(ALEX)).toContain('standard')

    const { body: granted } = await send('POST', `${provider.url}/mail-client/token`, {}, { email: ALEX })
    const call = (method: string, path: string, token: string | null, body?: unknown) =>
      send(
        method,
        url + path,
        { ...ADDIN_HEADERS, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
        body,
      )
    const { body: session } = await call('POST', '/authentication/addin/azure', null, {
      accessToken: granted.access_token,
      email: ALEX,
    })
    const token = session.data['access_token'] ?? ''
    const values = async () => (await call('GET', '/api/addin/user/variables', token)).body.values
    await call('PUT', '/api/addin/user/variables_with_options', token, {
      data: { job_title: 'Captain' },
      reset_fields: [],
    })
    await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'title', value: 'Purser' },
      { op: 'Replace', path: `${ENTERPRISE_USER_URN}:department`, value: 'Deck' },
    )
    expect(await values()).toMatchObject({ job_title: 'Captain', department: 'Deck' })
    expect((await personOf(ALEX))?.directory).toMatchObject({ jobTitle: 'Purser', department: 'Deck' })

    await patch(`/Groups/${group}`, { op: 'Remove', path: 'members', value: [{ value: id }] })
    expect(await signaturesOf(ALEX)).not.toContain('standard')
    expect(await signaturesOf('other@northwind.example')).toContain('standard')
    await patch(`/Groups/${group}`, { op: 'Replace', path: 'displayName', value: 'Archive' })
    expect(await signaturesOf('other@northwind.example')).not.toContain('standard')

    await addUsers(40)
    await ask('DELETE', `/Users/${id}`)
    expect((await personOf(ALEX))?.active).toBe(false)
    expect((await call('GET', '/api/addin/user/variables', token)).status).toBe(401)
    await addUser(ALEX, { title: 'Purser' })
    expect(await personOf(ALEX)).toMatchObject({ active: true, values: { job_title: 'Captain' } })
    expect(await lastRun()).toMatchObject({
      source: 'scim',
      outcome: 'done',
      by: 'scim',
      added: 42,
      retired: 1,
      returned: 1,
    })
  })

  it('follow the groups that another release names', async () => {
    const id = await addUser('ann@northwind.example')
    await ask('POST', '/Groups', { displayName: 'Crew', externalId: 'crew-1', members: [{ value: id }] })
    const [first, ...others] = document.signatures
    if (first === undefined) throw new Error('The demonstration has signatures.')
    const selection = { for: [[{ by: 'group', values: ['CREW-1'] } as const]], not: [] }
    await publish({ ...document, signatures: [{ ...first, selection }, ...others] })
    const timers = createTimers()
    const another = await start(timers)
    timers.advance(SWEEP_CHECK_INTERVAL_MS / 2)
    await expect.poll(() => signaturesOf('ann@northwind.example')).toContain(first.id)
    expect((await another.context.directory.state()).groups).toEqual(
      expect.arrayContaining([{ named: 'CREW-1', members: 1 }]),
    )
    await another.close()
  })

  it('whom a killed process left unapplied are brought at the next start, and by the next request', async () => {
    const id = await addUser('ann@northwind.example', { title: 'Pilot' })
    const [entry] = await store.directory.entries('scim', 'user', [id])
    if (entry === undefined) throw new Error('not told')
    const data = JSON.parse(JSON.stringify(entry.data).replace('Pilot', 'Purser')) as typeof entry.data
    await store.directory.writeOver('scim', 'user', { ...entry, data }, entry.revision)
    expect((await personOf('ann@northwind.example'))?.directory['jobTitle']).toBe('Pilot')
    await patch(`/Users/${id}`, { op: 'Replace', path: 'title', value: 'Purser' })
    expect((await personOf('ann@northwind.example'))?.directory['jobTitle']).toBe('Purser')
  })

  it('without an address, or with that of another person, are told as refused, and SCIM keeps them', async () => {
    await addUser('ann@northwind.example', { externalId: OID })
    const nameless = await addUser('Test_User_1', { emails: [] })
    await addUser('bob', {
      externalId: OID.replace('0a', '0b'),
      emails: [{ value: 'ann@northwind.example' }],
    })
    expect(await activePeople()).toBe(1)
    expect((await ask('GET', `/Users/${nameless}`))['userName']).toBe('Test_User_1')
    const run = await lastRun()
    expect(run).toMatchObject({ added: 1, refused: 2 })
    expect(run?.samples.map(({ change, reason }) => [change, reason])).toEqual([
      ['added', null],
      ['refused', 'The directory has no mail address for the person.'],
      ['refused', 'The address ann@northwind.example belongs to another person.'],
    ])
    await patch(`/Users/${nameless}`, {
      op: 'Add',
      path: 'emails[type eq "work"].value',
      value: 'cid@northwind.example',
    })
    expect(await activePeople()).toBe(2)
  })

  describe('with one mail address', () => {
    const MAIL = 'bert@northwind.example'
    const BERT = { userName: 'bert@corp.example', externalId: 'bert', displayName: 'Bert', title: 'Engineer' }
    const ADMIN = {
      userName: 'adm-bert@corp.example',
      externalId: 'adm-bert',
      displayName: 'ADM Bert',
      title: 'Admin account',
    }
    const add = (user: object) => addUser(MAIL, user)
    const fieldsOf = async (address = MAIL) => (await personOf(address))?.directory ?? null
    const refused = async () =>
      (await lastRun())?.samples.flatMap(({ person, reason }) => (reason === null ? [] : [[person, reason]]))
    const bert = { displayName: 'Bert', jobTitle: 'Engineer', userPrincipalName: BERT.userName }
    const admin = { displayName: 'ADM Bert', jobTitle: 'Admin account', userPrincipalName: ADMIN.userName }
    const BELONGS = [MAIL, `The address ${MAIL} belongs to another person.`]

    it.each([
      ['a nickname', {}, {}],
      ['nothing', { externalId: undefined }, { externalId: undefined }],
      ['an object id', { externalId: OID }, { externalId: OID.replace('0a', '0b') }],
    ])('and %s outside are not one person: the second is refused, and told', async (_, one, other) => {
      const first = await add({ ...BERT, ...one })
      const second = await add({ ...ADMIN, ...other })
      expect(await fieldsOf()).toMatchObject(bert)
      expect(await lastRun()).toMatchObject({ added: 1, changed: 0, refused: 1 })
      expect(await refused()).toEqual([BELONGS])
      await patch(`/Users/${second}`, { op: 'Replace', path: 'title', value: 'Administrator' })
      expect(await fieldsOf()).toMatchObject(bert)
      await patch(`/Users/${first}`, { op: 'Replace', path: 'title', value: 'Chief engineer' })
      expect(await fieldsOf()).toMatchObject({ ...bert, jobTitle: 'Chief engineer' })
      expect(await activePeople()).toBe(1)
    })

    it.each(['second', 'first'])('are two people as soon as the %s has another address', async (which) => {
      const [first, second] = [await add(BERT), await add(ADMIN)]
      const isFirst = which === 'first'
      const emails = [{ type: 'work', value: 'other@northwind.example' }]
      const id = isFirst ? first : second
      await patch(`/Users/${id}`, { op: 'Replace', path: 'emails', value: emails })
      const people = isFirst ? [admin, bert] : [bert, admin]
      expect([await fieldsOf(), await fieldsOf('other@northwind.example')]).toMatchObject(people)
    })

    it('are one person after the other, when the first one leaves', async () => {
      const first = await add(BERT)
      await add(ADMIN)
      await disable(first)
      expect(await personOf(MAIL)).toMatchObject({ active: true, directory: admin })
      await patch(`/Users/${first}`, { op: 'Replace', path: 'active', value: 'True' })
      expect(await personOf(MAIL)).toMatchObject({ active: true, directory: admin })
      expect((await refused())?.at(-1)).toEqual(BELONGS)
      await patch(`/Users/${first}`, { op: 'Replace', path: 'title', value: 'Retired' })
      expect(await fieldsOf()).toMatchObject(admin)
      await disable(first)
      expect((await personOf(MAIL))?.active).toBe(true)
    })

    it('that an earlier version took for one person are separated when one changes', async () => {
      const first = await add(BERT)
      const second = await addUser('adm-bert@northwind.example', ADMIN)
      const person = await personOf(MAIL)
      const [entry] = await store.directory.entries('scim', 'user', [second])
      await store.directory.settle('scim', [
        { id: second, revision: entry?.revision ?? 0, person: person?.id ?? '' },
      ])
      const emails = [{ type: 'work', value: MAIL }]
      await patch(`/Users/${second}`, { op: 'Replace', path: 'emails', value: emails })
      expect([await refused(), await fieldsOf()]).toMatchObject([[BELONGS], bert])
      await patch(`/Users/${first}`, { op: 'Replace', path: 'title', value: 'Chief engineer' })
      expect(await fieldsOf()).toMatchObject({ ...bert, jobTitle: 'Chief engineer' })
    })
  })

  it('with one mail address in Unicode and in ASCII are not one person, and are found by both', async () => {
    await addUser('joerg@corp.example', { emails: [{ type: 'work', value: 'joerg@m\u00FCller.example' }] })
    await addUser('adm@corp.example', { emails: [{ type: 'work', value: 'joerg@xn--mller-kva.example' }] })
    expect(await lastRun()).toMatchObject({ added: 1, refused: 1 })
    const [one, other] = [
      await personOf('joerg@m\u00FCller.example'),
      await personOf('joerg@xn--mller-kva.example'),
    ]
    expect(one?.directory['userPrincipalName']).toBe('joerg@corp.example')
    expect(other).toEqual(one)
  })

  it('with one object id are not one person: the second is refused', async () => {
    await addUser('ann@northwind.example', { externalId: OID, title: 'Pilot' })
    await addUser('bob@northwind.example', { externalId: OID, title: 'Purser' })
    expect((await personOf('ann@northwind.example'))?.directory['jobTitle']).toBe('Pilot')
    const run = await lastRun()
    expect(run).toMatchObject({ added: 1, refused: 1 })
    expect(run?.samples.at(-1)?.reason).toBe(`The account ${OID} belongs to another person.`)
  })

  it('have what was told last when their groups change at the same time', async () => {
    const ids = await addUsers(8)
    const groups: string[] = []
    for (const displayName of ['Voyage-Planning', 'Crew', 'Deck'])
      groups.push((await ask('POST', '/Groups', { displayName })).id)
    const members = ids.map((value) => ({ value }))
    await Promise.all([
      ...groups.map((group) => patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: members })),
      ...ids.map((id) => patch(`/Users/${id}`, { op: 'Add', path: 'title', value: 'Pilot' })),
    ])
    for (const at of ids.keys()) {
      const address = `p${String(at)}@northwind.example`
      expect((await personOf(address))?.directory['jobTitle']).toBe('Pilot')
      expect(await signaturesOf(address)).toContain('standard')
    }
    expect(await store.directory.changedUsers('scim', true, null, 10)).toEqual([])
  })

  it('of whom one is refused are brought once', async () => {
    const [first, second] = await addUsers(2)
    const nameless = await addUser('Test_User_1', { emails: [] })
    const { people, releases } = service.context
    const brought: number[] = []
    const attributes = userAttributesOf([])
    const apply = createUserApplier({
      store,
      releases,
      userOf: scimUserReader([TENANT_IDS.northwind], attributes),
      attributes,
      newId: randomUUID,
      now,
      people: {
        ...people,
        importEach(rows, ...rest) {
          brought.push(rows.length)
          return people.importEach(rows, ...rest)
        },
      },
    })
    await apply([first ?? '', nameless, second ?? ''])
    expect(brought).toEqual([2, 0])
    expect(await lastRun()).toMatchObject({ read: 3, added: 0, refused: 1 })
  })

  it('[SRV-30] have the name of their manager, which follows the manager', async () => {
    const managerOf = async (address: string) => (await personOf(address))?.directory['manager.displayName']
    const boss = await addUser('boss@northwind.example', { displayName: 'Mia Boss' })
    await addUser('ann@northwind.example', { [ENTERPRISE_USER_URN]: { manager: { value: boss } } })
    const bob = await addUser('bob@northwind.example')
    const told = [{ $ref: `${url}/scim/v2/Users/${boss}`, value: boss }]
    await patch(`/Users/${bob}`, { op: 'Add', path: 'manager', value: told })
    expect([await managerOf('ann@northwind.example'), await managerOf('bob@northwind.example')]).toEqual([
      'Mia Boss',
      'Mia Boss',
    ])
    const ofMia = { by: 'field', field: 'displayName', values: ['Mia Boss'] } as const
    const isTheirs = async () => {
      const ann = await personOf('ann@northwind.example')
      return ann && matchesSelection({ for: [[{ by: 'manager', conditions: [ofMia] }]], not: [] }, ann)
    }
    expect(await isTheirs()).toBe(true)
    await patch(`/Users/${boss}`, { op: 'Replace', path: 'displayName', value: 'Mia Chief' })
    expect(await isTheirs()).toBe(false)
    expect([await managerOf('ann@northwind.example'), await managerOf('bob@northwind.example')]).toEqual([
      'Mia Chief',
      'Mia Chief',
    ])
    await patch(`/Users/${boss}`, { op: 'Add', path: 'title', value: 'Managing director' })
    expect((await personOf('bob@northwind.example'))?.directory).toMatchObject({
      'manager.jobTitle': 'Managing director',
      'manager.userPrincipalName': 'boss@northwind.example',
    })
    await patch(`/Users/${bob}`, { op: 'Remove', path: `${ENTERPRISE_USER_URN}:manager` })
    expect(await managerOf('bob@northwind.example')).toBeUndefined()
    await disable(boss)
    expect(await managerOf('ann@northwind.example')).toBeUndefined()
    await patch(`/Users/${boss}`, { op: 'Replace', path: 'active', value: true })
    expect(await managerOf('ann@northwind.example')).toBe('Mia Chief')
    await ask('DELETE', `/Users/${boss}`)
    expect(await managerOf('ann@northwind.example')).toBeUndefined()
    expect(await store.directory.changedUsers('scim', true, null, 9)).toEqual([])
  })

  it('have the manager’s name that came with them, when the manager is not provisioned', async () => {
    const manager = { value: 'elsewhere', displayName: 'Mia Elsewhere' }
    await addUser('ann@northwind.example', { [ENTERPRISE_USER_URN]: { manager } })
    expect((await personOf('ann@northwind.example'))?.directory['manager.displayName']).toBe('Mia Elsewhere')
  })

  it('[SRV-30] [ADOPT-11] in a group inside another have what a rule gives to the other, as long as they are in it', async () => {
    const [first, ...others] = document.signatures
    if (first === undefined) throw new Error('The demonstration has signatures.')
    const selection = { for: [[{ by: 'group', values: ['Fleet'] } as const]], not: [] }
    await publish({ ...document, signatures: [{ ...first, selection }, ...others] })
    const hasIt = async () => (await signaturesOf('ann@northwind.example')).includes(first.id)
    const ann = await addUser('ann@northwind.example')
    const crew = (await ask('POST', '/Groups', { displayName: 'Crew', members: [{ value: ann }] })).id
    const ship = (await ask('POST', '/Groups', { displayName: 'Ship', members: [{ value: crew }] })).id
    expect(await hasIt()).toBe(false)
    const fleet = (await ask('POST', '/Groups', { displayName: 'Fleet', members: [{ value: ship }] })).id
    expect(await hasIt()).toBe(true)
    // In a circle.
    await patch(`/Groups/${crew}`, { op: 'Add', path: 'members', value: [{ value: fleet }] })
    expect(await hasIt()).toBe(true)
    expect((await ask('GET', `/Groups/${crew}`))['members']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: ann, type: 'User' }),
        expect.objectContaining({
          value: fleet,
          type: 'Group',
          $ref: `https://signet.northwind.example/scim/v2/Groups/${fleet}`,
        }),
      ]),
    )
    await patch(`/Groups/${fleet}`, { op: 'Replace', path: 'displayName', value: 'Navy' })
    expect(await hasIt()).toBe(false)
    await patch(`/Groups/${fleet}`, { op: 'Replace', path: 'displayName', value: 'Fleet' })
    expect(await hasIt()).toBe(true)
    await patch(`/Groups/${crew}`, { op: 'Remove', path: `members[value eq "${ann}"]` })
    expect(await hasIt()).toBe(false)
    await patch(`/Groups/${crew}`, { op: 'Add', path: 'members', value: [{ value: ann }] })
    expect(await hasIt()).toBe(true)
    await ask('DELETE', `/Groups/${ship}`)
    expect(await hasIt()).toBe(false)
    expect((await ask('GET', `/Groups/${fleet}`))['members']).toEqual([])
  })

  describe('more than 5 % of them within a day', () => {
    it('[SRV-31] stay and wait until a person lets them go, and SCIM sees them as it told', async () => {
      const ids = await addUsers(40)
      await disable(ids[0] ?? '')
      await ask('DELETE', `/Users/${ids[1] ?? ''}`)
      expect([await activePeople(), (await lastRun())?.outcome]).toEqual([38, 'done'])
      clock += 23 * HOUR_MS
      await ask('DELETE', `/Users/${ids[2] ?? ''}`)
      await sync(false)
      expect([await activePeople(), (await lastRun())?.outcome]).toEqual([38, 'needsLeave'])
      expect(await disable(ids[3] ?? '')).toMatchObject({ active: false })
      expect((await personOf('p2@northwind.example'))?.active).toBe(true)
      expect(await activePeople()).toBe(38)
      expect(await lastRun()).toMatchObject({
        outcome: 'needsLeave',
        retired: 2,
        added: 0,
        source: 'scim',
        by: 'scim',
        samples: expect.arrayContaining(
          ['p2', 'p3'].map(
            (name) => expect.objectContaining({ person: `${name}@northwind.example` }) as unknown,
          ),
        ) as unknown,
      })

      await sync(false)
      expect([await activePeople(), (await lastRun())?.outcome]).toEqual([38, 'needsLeave'])
      await sync(true)
      expect(await lastRun()).toMatchObject({ retired: 2, by: 'admin@northwind.example' })
      expect(await activePeople()).toBe(36)
    })

    it('[SRV-31] stay also when all of them are told to leave at once', async () => {
      const ids = await addUsers(40)
      await Promise.all(ids.slice(0, 12).map((id) => disable(id)))
      expect(await activePeople()).toBe(38)
      expect(await lastRun()).toMatchObject({ outcome: 'needsLeave', retired: 10 })
      const { runs } = await service.context.directory.state()
      expect(runs.find(({ outcome, by }) => outcome === 'done' && by === 'scim')).toMatchObject({
        read: 42,
        added: 40,
        retired: 2,
      })
    })

    it('go on being told: others are added and changed, and one who comes back waits no more', async () => {
      const ids = await addUsers(20)
      for (const id of ids.slice(0, 3)) await disable(id)
      expect([await activePeople(), (await lastRun())?.retired]).toEqual([19, 2])
      await addUser('new@northwind.example')
      expect(await activePeople()).toBe(20)
      const { runs } = await service.context.directory.state()
      expect(runs.map(({ outcome, added, retired }) => [outcome, added, retired])).toEqual([
        ['needsLeave', 0, 2],
        ['done', 21, 1],
      ])
      clock += HOUR_MS
      await addUser('later@northwind.example')
      expect(await lastRun()).toMatchObject({ outcome: 'needsLeave', retired: 2 })
      for (const id of ids.slice(0, 3))
        await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: true })
      expect([await activePeople(), (await lastRun())?.outcome]).toEqual([22, 'done'])
    })

    it('do not keep the others from the groups that another release names', async () => {
      const ids = await addUsers(20)
      const value = ids.map((each) => ({ value: each }))
      await ask('POST', '/Groups', { displayName: 'Crew', externalId: 'crew-2', members: value })
      for (const id of ids.slice(0, 3)) await disable(id)
      expect(await lastRun()).toMatchObject({ outcome: 'needsLeave', retired: 2 })
      const [first, ...others] = document.signatures
      if (first === undefined) throw new Error('The demonstration has signatures.')
      const selection = { for: [[{ by: 'group', values: ['CREW-2'] } as const]], not: [] }
      await publish({ ...document, signatures: [{ ...first, selection }, ...others] })
      await sync(false)
      expect(await signaturesOf('p9@northwind.example')).toContain(first.id)
      expect(await activePeople()).toBe(19)
      // What it did is told beside who waits.
      expect(await lastRun()).toMatchObject({ outcome: 'needsLeave', retired: 2, changed: 17 })
      await sync(true)
      expect([await activePeople(), (await lastRun())?.outcome]).toEqual([17, 'done'])
    })

    it('wait as `signet sync` says, which tells what was applied, and lets them go', async () => {
      const ids = await addUsers(20)
      await ask('POST', '/Groups', { displayName: 'Crew', members: [{ value: ids[9] }] })
      for (const id of ids.slice(0, 3)) await disable(id)
      const [first, ...others] = document.signatures
      if (first === undefined) throw new Error('The demonstration has signatures.')
      const selection = { for: [[{ by: 'group', values: ['Crew'] } as const]], not: [] }
      await publish({ ...document, signatures: [{ ...first, selection }, ...others] })
      const { body } = await send('POST', `${provider.url}/mail-client/token`, {}, { email: ALEX })
      const signet = async (...words: readonly string[]) => {
        clock += 1
        // A run is told to have ended a moment before the next one may begin.
        await expect.poll(async () => (await service.context.directory.state()).isRunning).toBe(false)
        let out = ''
        const write = (text: string) => void (out += text)
        const code = await runCommand(['sync', ...words, '--service', url], {
          write,
          complain: write,
          confirm: null,
          fetch,
          open: () => undefined,
          now,
          environment: { SIGNET_TOKEN: body.access_token },
          wait: () => nextTurn(),
        })
        return { code, out }
      }
      const stopped = await signet()
      expect(stopped.code).toBe(1)
      expect(stopped.out).toContain('p1@northwind.example: waits to be retired\n')
      expect(stopped.out).toContain('0 added, 1 changed, 2 waiting to be retired, 0 returned')
      expect(stopped.out).toContain('everything else was applied')
      expect(stopped.out).not.toMatch(/Would be|nothing was changed/)
      expect((await signet('--try')).out).toMatch(/Would be: .* 2 retired[^]*nothing was changed/)
      expect(await signet('--retire')).toMatchObject({
        code: 0,
        out: expect.stringContaining('0 added, 0 changed, 2 retired') as string,
      })
    })

    it('may retire again a day later', async () => {
      const ids = await addUsers(30)
      await disable(ids[0] ?? '')
      clock += 24 * HOUR_MS - 100
      await disable(ids[1] ?? '')
      expect([await activePeople(), (await lastRun())?.outcome]).toEqual([29, 'needsLeave'])
      clock += 100
      await disable(ids[1] ?? '')
      expect([await activePeople(), (await lastRun())?.outcome]).toEqual([28, 'done'])
    })

    it('are not those who come from elsewhere, or who are still told', async () => {
      const [first] = await addUsers(10)
      const second = await addUser('again@northwind.example', { emails: [{ value: 'p0@northwind.example' }] })
      await ask('DELETE', `/Users/${first ?? ''}`)
      expect(await personOf('p0@northwind.example')).toMatchObject({ active: true })
      expect((await lastRun())?.outcome).toBe('done')
      expect(second).not.toBe(first)
      const record = { addresses: ['csv@northwind.example'], account: null, language: null, fields: {} }
      await service.context.people.importRows(
        [{ id: null, record: { ...record, groups: [], picture: null } }],
        'csv',
        false,
      )
      await sync(true)
      expect(await personOf('csv@northwind.example')).toMatchObject({ active: true })
    })
  })

  it('who are erased are unknown to SCIM, and no longer in its groups', async () => {
    const id = await addUser('ann@northwind.example')
    const group = (await ask('POST', '/Groups', { displayName: 'Crew', members: [{ value: id }] })).id
    const person = await personOf('ann@northwind.example')
    await service.context.people.erase(person?.id ?? '', 'admin')
    await addUser('bob@northwind.example')
    const { runs } = await service.context.directory.state()
    expect(runs[0]?.samples.map(({ person }) => person)).toEqual(['bob@northwind.example'])
    await expect(ask('GET', `/Users/${id}`)).rejects.toThrow('404')
    await expect(disable(id)).rejects.toThrow('404')
    expect((await ask('GET', `/Groups/${group}`))['members']).toEqual([])
    expect(await activePeople()).toBe(1)
  })
})
