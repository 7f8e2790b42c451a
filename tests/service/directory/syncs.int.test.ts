import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RunningGraph } from '../../support/graph.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import type { Demonstration } from '../../../src/service/demonstration/northwind.ts'
import { runCommand } from '../../../src/cli/command.ts'
import { ENTRIES_PER_PAGE } from '../../../src/service/directory/apply.ts'
import { createGraphSource } from '../../../src/service/directory/graph.ts'
import { runSync } from '../../../src/service/directory/runs.ts'
import { assignedSignatures, matchesSelection } from '../../../streams/organisation/rules/rules.ts'
import { overPostgres } from '../../support/databases.ts'
import {
  ended,
  fillTenant,
  graphOptions,
  type Instance,
  readDemonstration,
  startDouble,
  startInstance,
  startProvider,
  TENANT,
  type Waits,
} from './directoryRunning.ts'
import { ADDIN_HEADERS, ALEX, JONAS, MARIA, send, TESS } from '../running.ts'

// The service connected to Microsoft Graph.

const VARIABLES_PATH = '/api/addin/user/variables'
const SAVE_PATH = '/api/addin/user/variables_with_options'
const LIST_PATH = '/signatures-cache/api/v1/signatures'

overPostgres('a directory', (open) => {
  let provider: RunningServer
  let demonstration: Demonstration
  let graph: RunningGraph
  let instance: Instance
  const waits: Waits = []
  const tenant = () => graph.tenant(TENANT)
  const person = (address: string) => instance.store.personByAddress(address)

  beforeAll(async () => {
    provider = await startProvider()
    demonstration = await readDemonstration()
  })
  afterAll(() => provider.close())
  beforeEach(async () => {
    graph = await startDouble()
    fillTenant(graph, demonstration)
    waits.length = 0
    const store = await open()
    await store.clear()
    instance = await startInstance(store, provider, graph, waits)
    await instance.publish(demonstration.document)
    return async () => {
      await instance.close()
      await graph.close()
    }
  })

  /** The calls of a person who is signed in. */
  async function signIn(email: string) {
    const { body: granted } = await send('POST', `${provider.url}/mail-client/token`, {}, { email })
    const credentials = { accessToken: granted.access_token, email }
    const answer = await send(
      'POST',
      `${instance.url}/authentication/addin/azure`,
      ADDIN_HEADERS,
      credentials,
    )
    const headers = {
      ...ADDIN_HEADERS,
      Authorization: `Bearer ${answer.status === 200 ? String(answer.body.data['access_token']) : ''}`,
    }
    return {
      status: answer.status,
      call: (method: string, path: string, body?: unknown) =>
        send(method, instance.url + path, headers, body),
    }
  }
  const signaturesOf = async (email: string) => {
    const { body } = await (await signIn(email)).call('GET', LIST_PATH)
    return body.objects.map(({ name }) => name)
  }

  describe('a sync', () => {
    it('[SRV-30] brings people who were added, changed and moved between groups; what they edited stays', async () => {
      expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 5, changed: 0, refused: 0 })
      const alex = await signIn(ALEX)
      expect(alex.status).toBe(200)
      expect(await signaturesOf(ALEX)).toContain('Northwind standard')
      const saved = { data: { job_title: 'Own title' }, reset_fields: [] }
      expect((await alex.call('PUT', SAVE_PATH, saved)).status).toBe(200)

      tenant().putUser('6f1c0a52-alex', { jobTitle: 'Told title', department: 'Told department' })
      tenant().leave('g-1', '6f1c0a52-alex')
      tenant().join('g-2', '6f1c0a52-alex')
      tenant().putUser('new', { accountEnabled: true, mail: 'new@northwind.example', givenName: 'New' })
      const run = await instance.sync()
      expect(run).toMatchObject({ outcome: 'done', added: 1, changed: 1, retired: 0, read: 4 })
      expect(run.samples).toEqual(
        expect.arrayContaining([
          { person: ALEX, change: 'changed', fields: ['department', 'jobTitle', 'groups'], reason: null },
          { person: 'new@northwind.example', change: 'added', fields: [], reason: null },
        ]),
      )
      const values = (await alex.call('GET', VARIABLES_PATH)).body.values
      expect(values).toMatchObject({ job_title: 'Own title', department: 'Told department' })
      const { body } = await alex.call('GET', '/api/addin/user')
      expect([body.changed_fields, body.original_data]).toEqual([['jobTitle'], { jobTitle: 'Told title' }])
      expect((await person(ALEX))?.groups).toEqual(['quality'])
      expect(await signaturesOf(ALEX)).not.toContain('Northwind standard')
      expect(await person('new@northwind.example')).toMatchObject({
        active: true,
        account: { tenant: TENANT, oid: 'new' },
        language: null,
        directory: { givenName: 'New', mail: 'new@northwind.example' },
      })
    })

    it.each(['changed', 'deleted'] as const)(
      '[SRV-30] retires whom the directory removed (%s), who is back when the directory has them again',
      async (reason) => {
        await instance.sync()
        const maria = await signIn(MARIA)
        await maria.call('PUT', SAVE_PATH, { data: { phone: '+351 1' }, reset_fields: [] })
        tenant().removeUser('6f1c0a52-maria', reason)
        expect(await instance.sync({ retire: true })).toMatchObject({ outcome: 'done', retired: 1, read: 1 })
        expect((await maria.call('GET', VARIABLES_PATH)).status).toBe(401)
        expect((await signIn(MARIA)).status).toBe(401)

        tenant().putUser('6f1c0a52-maria', { mail: MARIA, userPrincipalName: MARIA, jobTitle: 'Back' })
        expect(await instance.sync()).toMatchObject({ returned: 1, added: 0, changed: 0 })
        const { body } = await (await signIn(MARIA)).call('GET', VARIABLES_PATH)
        expect(body.values).toMatchObject({ phone: '+351 1', job_title: 'Back' })
      },
    )

    it('[SRV-30] retires a disabled account and a guest, and brings neither in', async () => {
      tenant().putUser('gus', { userType: 'Guest', mail: 'gus@elsewhere.example' })
      tenant().putUser('off', { accountEnabled: false, mail: 'off@northwind.example' })
      expect(await instance.sync()).toMatchObject({ added: 5, retired: 0 })
      tenant().putUser('6f1c0a52-tess', { accountEnabled: false })
      tenant().putUser('6f1c0a52-jonas', { userType: 'Guest' })
      expect(await instance.sync({ retire: true })).toMatchObject({ retired: 2 })
      tenant().putUser('6f1c0a52-tess', { accountEnabled: true })
      expect(await instance.sync()).toMatchObject({ returned: 1, changed: 0, added: 0 })
      expect([(await person(TESS))?.active, (await person(JONAS))?.active]).toEqual([true, false])
      expect([await person('gus@elsewhere.example'), await person('off@northwind.example')]).toEqual([
        null,
        null,
      ])
    })

    it('[SRV-31] that would retire more than 5 % of the people changes nothing, and says so', async () => {
      await instance.sync()
      tenant().removeUser('6f1c0a52-maria', 'deleted')
      tenant().putUser('6f1c0a52-alex', { jobTitle: 'Waits' })
      const before = await instance.store.people(null, 100)
      for (const isTrial of [false, true])
        expect(await instance.sync({ try: isTrial })).toMatchObject({
          outcome: 'needsLeave',
          isTrial,
          retired: 1,
          changed: 1,
          samples: [{ person: ALEX }, { person: MARIA, change: 'retired' }],
        })
      expect(await instance.store.people(null, 100)).toEqual(before)
      expect(await instance.sync({ retire: true })).toMatchObject({ outcome: 'done', retired: 1, changed: 1 })
      expect(await instance.sync()).toMatchObject({ outcome: 'done', retired: 0, changed: 0, read: 0 })
    })

    it('[SRV-31] of 20 people retires one without a question, and not two', async () => {
      for (let user = 6; user <= 20; user += 1)
        tenant().putUser(`u-${String(user)}`, { mail: `u${String(user)}@northwind.example` })
      expect(await instance.sync()).toMatchObject({ added: 20 })
      tenant().removeUser('u-6', 'deleted')
      expect(await instance.sync()).toMatchObject({ outcome: 'done', retired: 1 })
      tenant().removeUser('u-7', 'deleted')
      expect(await instance.sync()).toMatchObject({ outcome: 'needsLeave', retired: 1 })
    })

    it('that is tried tells what it would do, and changes no person', async () => {
      const run = await instance.sync({ try: true })
      expect(run).toMatchObject({ outcome: 'done', isTrial: true, added: 5, by: 'test', source: 'graph' })
      expect(await instance.store.countPeople()).toBe(0)
      expect(await instance.sync()).toMatchObject({ added: 5 })
      expect(await instance.sync()).toMatchObject({ added: 0, changed: 0, read: 0 })
    })

    it('leaves people alone whom the directory never told, and takes those of an import over', async () => {
      const row = { account: null, language: null, groups: [], fields: {}, picture: null }
      const rows = [ALEX, 'csv@northwind.example'].map((address) => ({
        id: null,
        record: { ...row, addresses: [address] },
      }))
      await instance.service.context.people.importRows(rows, 'test', false)
      const before = await person(ALEX)
      expect(await instance.sync()).toMatchObject({ added: 4, changed: 1, retired: 0 })
      expect(await person(ALEX)).toMatchObject({ id: before?.id, account: { oid: '6f1c0a52-alex' } })
      expect((await person('csv@northwind.example'))?.active).toBe(true)
    })

    it('does not bring back who was erased, nor keep what the directory tells of them', async () => {
      await instance.sync()
      const alex = await person(ALEX)
      await instance.service.context.people.erase(alex?.id ?? '', 'test')
      tenant().putUser('6f1c0a52-alex', { jobTitle: 'Still there' })
      expect(await instance.sync()).toMatchObject({ added: 0, changed: 0 })
      graph.expireLinks('gone')
      expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 0, read: 5 + 2 })
      expect(await person(ALEX)).toBeNull()
      const entries = await instance.store.directory.entries(`graph:${TENANT}`, 'user', ['6f1c0a52-alex'])
      expect(JSON.stringify(entries)).not.toMatch(/alex\.kim|Still there/)
    })

    it('brings the user who has the address of a person who left, once that person is erased', async () => {
      await instance.sync()
      tenant().removeUser('6f1c0a52-alex', 'deleted')
      tenant().putUser('second', { mail: ALEX })
      expect(await instance.sync({ retire: true })).toMatchObject({ retired: 1, refused: 1 })
      await instance.service.context.people.erase((await person(ALEX))?.id ?? '', 'test')
      expect(await instance.sync()).toMatchObject({ added: 1, refused: 0 })
      expect(await person(ALEX)).toMatchObject({ active: true, account: { oid: 'second' } })
    })

    it('brings in the end of a swap of addresses, and tells whom it refuses', async () => {
      for (let user = 1; user <= 3; user += 1)
        tenant().putUser(`s-${String(user)}`, { mail: `s${String(user)}@northwind.example` })
      await instance.sync()
      tenant().putUser('s-1', { mail: 's2@northwind.example' })
      tenant().putUser('s-2', { mail: 's4@northwind.example' })
      tenant().putUser('none', { displayName: 'Room' })
      tenant().putUser('s-3', { mail: ALEX })
      const run = await instance.sync()
      expect(run).toMatchObject({ changed: 2, refused: 2, added: 0 })
      expect(run.samples.filter(({ change }) => change === 'refused')).toEqual([
        {
          person: 'none',
          change: 'refused',
          fields: [],
          reason: 'The directory has no mail address for the person.',
        },
        {
          person: ALEX,
          change: 'refused',
          fields: [],
          reason: `The address ${ALEX} belongs to another person.`,
        },
      ])
      // A refused entry is tried again.
      tenant().putUser('6f1c0a52-alex', {
        mail: 'alex@northwind.example',
        userPrincipalName: null,
        proxyAddresses: [],
      })
      expect(await instance.sync()).toMatchObject({ changed: 2, refused: 1 })
      expect((await person(ALEX))?.account?.oid).toBe('s-3')
    })

    it('reads a group when a release names it, and forgets it when none does', async () => {
      await instance.sync()
      const groups = async () => (await instance.service.context.directory.state()).groups
      expect(await groups()).toEqual(
        expect.arrayContaining([
          { named: 'voyage-planning', members: 1 },
          { named: 'quality', members: 1 },
        ]),
      )
      tenant().join('g-3', '6f1c0a52-jonas')
      expect(await instance.sync()).toMatchObject({ changed: 0, read: 0 })
      const { document } = demonstration
      const selection = { for: [[{ by: 'group', values: ['IN-NO-RULE', 'unknown'] }]], not: [] } as const
      const [first, ...others] = document.signatures
      if (first === undefined) throw new Error('The demonstration has no signature.')
      await instance.publish({ ...document, signatures: [{ ...first, selection }, ...others] })
      expect(await instance.sync()).toMatchObject({ changed: 1, read: 1 })
      expect((await person(JONAS))?.groups).toEqual(['IN-NO-RULE'])
      expect(await groups()).toEqual(
        expect.arrayContaining([
          { named: 'IN-NO-RULE', members: 1 },
          { named: 'unknown', members: null },
        ]),
      )
      await instance.publish(document)
      expect(await instance.sync()).toMatchObject({ changed: 1 })
      expect((await person(JONAS))?.groups).toEqual([])
      tenant().removeGroup('g-1')
      expect(await instance.sync()).toMatchObject({ changed: 1 })
      expect((await person(ALEX))?.groups).toEqual([])
    })
  })

  describe('groups inside groups', () => {
    /** `Leads` is not named by a rule, nor is `Deep`. */
    beforeEach(async () => {
      tenant().putGroup('leads', { displayName: 'Leads', mailNickname: 'leads' })
      tenant().putGroup('deep', { displayName: 'Deep', mailNickname: 'deep' })
      tenant().join('g-2', 'leads', 'group')
      tenant().join('leads', 'deep', 'group')
      tenant().join('deep', '6f1c0a52-jonas')
      tenant().join('deep', 'device-1', 'device')
      // In a circle.
      tenant().join('deep', 'g-2', 'group')
      await instance.sync()
    })
    const groupsOf = async (address: string) => (await person(address))?.groups

    it('[ADOPT-11] give a member what a rule gives to the outer group, after the next sync', async () => {
      const { document } = demonstration
      const [first, ...others] = document.signatures
      if (first === undefined) throw new Error('The demonstration has no signature.')
      const selection = { for: [[{ by: 'group', values: ['quality'] } as const]], not: [] }
      await instance.publish({ ...document, signatures: [{ ...first, selection }, ...others] })
      const hasIt = async (address: string) => {
        const [release, one] = [instance.service.context.releases.current(), await person(address)]
        if (release === null || one === null) throw new Error(address)
        return assignedSignatures(release, one, Date.now()).some(({ id }) => id === first.id)
      }
      expect([await hasIt(JONAS), await hasIt(ALEX)]).toEqual([true, false])
      tenant().join('deep', '6f1c0a52-alex')
      tenant().leave('deep', '6f1c0a52-jonas')
      expect([await hasIt(JONAS), await hasIt(ALEX)]).toEqual([true, false])
      await instance.sync()
      expect([await hasIt(JONAS), await hasIt(ALEX)]).toEqual([false, true])
    })

    it('[SRV-30] have their people in the group that a rule names, and those who come and go later', async () => {
      expect(await groupsOf(JONAS)).toEqual(['quality'])
      const state = await instance.service.context.directory.state()
      expect(state.groups).toContainEqual({ named: 'quality', members: 2 })
      tenant().join('leads', '6f1c0a52-alex')
      tenant().leave('deep', '6f1c0a52-jonas')
      expect(await instance.sync()).toMatchObject({ outcome: 'done', changed: 2 })
      expect([await groupsOf(ALEX), await groupsOf(JONAS)]).toEqual([
        ['voyage-planning', 'quality'].sort(),
        [],
      ])
    })

    it('[SRV-30] lose their people when the group inside leaves, and when it is deleted', async () => {
      tenant().leave('leads', 'deep')
      expect(await instance.sync()).toMatchObject({ changed: 1 })
      expect(await groupsOf(JONAS)).toEqual([])
      tenant().join('leads', 'deep', 'group')
      expect(await instance.sync()).toMatchObject({ changed: 1 })
      expect(await groupsOf(JONAS)).toEqual(['quality'])
      tenant().removeGroup('leads')
      expect(await instance.sync()).toMatchObject({ outcome: 'done', changed: 1 })
      expect(await groupsOf(JONAS)).toEqual([])
    })

    it('are read again whole when their links are too old, and change no one then', async () => {
      graph.expireLinks('gone')
      expect(await instance.sync()).toMatchObject({ outcome: 'done', changed: 0 })
      expect(await groupsOf(JONAS)).toEqual(['quality'])
    })

    it('are asked for no more when no rule leads to them', async () => {
      const { document } = demonstration
      const everyone = { for: 'everyone', not: [] } as const
      await instance.publish({
        ...document,
        chooseDefault: everyone,
        signatures: document.signatures.map((each) => ({ ...each, selection: everyone })),
        mailboxes: document.mailboxes.map((each) => ({ ...each, selection: everyone })),
      })
      await instance.sync()
      const before = graph.asked().requests.length
      await instance.sync()
      expect(graph.asked().requests.slice(before)).toEqual([expect.stringContaining('users/delta')])
      expect(await groupsOf(JONAS)).toEqual([])
    })
  })

  describe('the manager', () => {
    const managerOf = async (address: string) => (await person(address))?.directory['manager.displayName']
    beforeEach(async () => {
      tenant().putUser('6f1c0a52-alex', { manager: '6f1c0a52-maria' })
      tenant().putUser('6f1c0a52-maria', { displayName: 'Maria Silva' })
      expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 5 })
    })

    it('[SRV-30] is a field with the name that the directory tells of that user, and follows it', async () => {
      expect([await managerOf(ALEX), await managerOf(MARIA)]).toEqual(['Maria Silva', undefined])
      tenant().putUser('6f1c0a52-maria', { displayName: 'Maria Costa' })
      const run = await instance.sync()
      expect(run).toMatchObject({ read: 1, changed: 2 })
      expect(run.samples).toContainEqual({
        person: ALEX,
        change: 'changed',
        fields: ['manager.displayName'],
        reason: null,
      })
      expect(await managerOf(ALEX)).toBe('Maria Costa')
      tenant().putUser('6f1c0a52-maria', { jobTitle: 'Captain', businessPhones: ['+351 21 000 0000'] })
      await instance.sync()
      expect((await person(ALEX))?.directory).toMatchObject({
        'manager.jobTitle': 'Captain',
        'manager.businessPhones.0': '+351 21 000 0000',
      })
    })

    it('decides for whom a condition on the manager holds, as the directory says', async () => {
      const ofMaria = { by: 'field', field: 'displayName', values: ['Maria Silva'] } as const
      const selection = { for: [[{ by: 'manager', conditions: [ofMaria] } as const]], not: [] }
      const areTheirs = () =>
        Promise.all(
          [ALEX, JONAS].map(async (address) => {
            const one = await person(address)
            return one && matchesSelection(selection, one)
          }),
        )
      expect(await areTheirs()).toEqual([true, false])
      tenant().putUser('6f1c0a52-jonas', { manager: '6f1c0a52-maria' })
      tenant().putUser('6f1c0a52-alex', { manager: null })
      await instance.sync()
      expect(await areTheirs()).toEqual([false, true])
    })

    it('[SRV-30] is another one, or none, as soon as the directory says so', async () => {
      tenant().putUser('6f1c0a52-jonas', { displayName: 'Jonas Weber' })
      tenant().putUser('6f1c0a52-alex', { manager: '6f1c0a52-jonas' })
      await instance.sync()
      expect(await managerOf(ALEX)).toBe('Jonas Weber')
      tenant().putUser('6f1c0a52-alex', { manager: null })
      await instance.sync()
      expect(await managerOf(ALEX)).toBeUndefined()
    })

    it('stays when something else changes, and in a reading of everything', async () => {
      tenant().putUser('6f1c0a52-alex', { jobTitle: 'Captain' })
      expect(await instance.sync()).toMatchObject({ changed: 1 })
      graph.expireLinks('gone')
      expect(await instance.sync()).toMatchObject({ outcome: 'done', changed: 0 })
      expect(await managerOf(ALEX)).toBe('Maria Silva')
    })

    it.each<[string, () => void]>([
      ['is disabled', () => tenant().putUser('6f1c0a52-maria', { accountEnabled: false })],
      ['is deleted', () => tenant().removeUser('6f1c0a52-maria', 'deleted')],
    ])('is named no more when that user %s', async (_, leave) => {
      leave()
      expect(await instance.sync({ retire: true })).toMatchObject({ changed: 1, retired: 1 })
      expect(await managerOf(ALEX)).toBeUndefined()
    })

    it('is named no more after that person is erased', async () => {
      await instance.service.context.people.erase((await person(MARIA))?.id ?? '', 'test')
      expect(await instance.sync()).toMatchObject({ changed: 1 })
      expect(await managerOf(ALEX)).toBeUndefined()
    })

    it('may be outside of the users, and then has no name', async () => {
      tenant().putUser('6f1c0a52-tess', { manager: 'a-contact' })
      expect(await instance.sync()).toMatchObject({ outcome: 'done', changed: 0 })
      expect(await managerOf(TESS)).toBeUndefined()
    })

    it('is asked for by a link that selects it: one of before is not gone on with', async () => {
      const { directory } = instance.store
      const source = `graph:${TENANT}`
      const [current = ''] = [...(await directory.cursors(source)).values()].filter((link) =>
        link.includes('users/delta'),
      )
      await directory.dropCursor(source, 'users with hire dates')
      await directory.keepCursor(source, 'users', current)
      expect(await instance.sync()).toMatchObject({ outcome: 'done', read: 5, changed: 0 })
      expect([...(await directory.cursors(source)).keys()]).not.toContain('users')
    })
  })

  describe('signet sync', () => {
    async function signet(...words: readonly string[]) {
      const { body } = await send('POST', `${provider.url}/mail-client/token`, {}, { email: ALEX })
      let out = ''
      const write = (text: string) => void (out += text)
      const code = await runCommand(['sync', ...words, '--service', instance.url], {
        write,
        complain: write,
        confirm: null,
        fetch,
        open: () => undefined,
        now: Date.now,
        environment: { SIGNET_TOKEN: body.access_token },
        wait: () => nextTurn(),
      })
      return { code, out }
    }

    it('tells what would change, syncs, and asks before it retires many', async () => {
      const tried = await signet('--try')
      expect(tried.code).toBe(0)
      expect(tried.out).toContain(`${ALEX}: added\n`)
      expect(tried.out).toContain('Would be: 5 added, 0 changed, 0 retired, 0 returned, 0 problems\n')
      expect(await signet()).toEqual({
        code: 0,
        out: '5 added, 0 changed, 0 retired, 0 returned, 0 problems\n',
      })
      tenant().removeUser('6f1c0a52-tess', 'deleted')
      const stopped = await signet()
      expect(stopped.code).toBe(1)
      expect(stopped.out).toContain('Would be: 0 added, 0 changed, 1 retired')
      expect(stopped.out).toContain('--retire')
      expect((await signet('--retire')).out).toContain(`${TESS}: retired\n0 added, 0 changed, 1 retired`)
      graph.answerNext({ status: 500 })
      const failed = await signet()
      expect([failed.code, failed.out]).toEqual([
        1,
        expect.stringContaining('refused: Microsoft Graph answers'),
      ])
    })
  })

  it('keeps the lease of a sync that begins while the one before gives it back', async () => {
    await instance.close()
    const store = await open()
    let begin = () => {}
    let goOn = () => {}
    let end = () => {}
    const isEnding = new Promise<void>((resolve) => (begin = resolve))
    const mayEnd = new Promise<void>((resolve) => (goOn = resolve))
    const isGivenBack = new Promise<void>((resolve) => (end = resolve))
    const slow: typeof store = {
      ...store,
      async giveBack(...lease) {
        begin()
        await mayEnd
        await store.giveBack(...lease)
        end()
      },
    }
    const wait = (_: number, signal: AbortSignal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    instance = await startInstance(slow, provider, graph, waits, { sources: { wait } })
    const { directory } = instance.service.context
    await directory.sync({ isTrial: true, mayDeactivate: false }, 'test')
    await isEnding
    graph.answerNext({ status: 429 })
    const next = directory.sync({ isTrial: false, mayDeactivate: false }, 'test')
    await nextTurn()
    goOn()
    await isGivenBack
    const { id } = await next
    expect(await directory.state()).toMatchObject({ isRunning: true, runs: [{ id, outcome: 'running' }, {}] })
  })

  it.each(['the same', 'another'])(
    'refuses no sync that is asked of %s instance once the end of the one before can be read',
    async (which) => {
      await instance.close()
      const store = await open()
      let askNext: (next: Promise<Readonly<{ id: string }>>) => void = () => undefined
      let isAsked = false
      const next = new Promise<Readonly<{ id: string }>>((resolve) => (askNext = resolve))
      const telling: typeof store = {
        ...store,
        directory: {
          ...store.directory,
          async keepRun(run) {
            await store.directory.keepRun(run)
            if (run.until === null || isAsked) return
            isAsked = true
            const { directory } = (which === 'another' ? other : instance).service.context
            const begun = directory.sync({ isTrial: true, mayDeactivate: false }, 'test')
            askNext(begun)
            await begun.catch(() => undefined)
          },
        },
      }
      const other = await startInstance(await open(), provider, graph, waits)
      instance = await startInstance(telling, provider, graph, waits)
      try {
        expect(await instance.sync()).toMatchObject({ outcome: 'done', added: 5 })
        // The end of a run can be read before `keepRun` returns.
        const { id } = await next
        expect(await ended(other.service, id)).toMatchObject({ outcome: 'done', isTrial: true })
      } finally {
        await other.close()
      }
    },
  )

  describe('two instances', () => {
    let other: Instance
    /** Holds the first instance while it waits for Graph. */
    let goOn: () => void
    beforeEach(async () => {
      await instance.close()
      const gate = new Promise<void>((resolve) => (goOn = resolve))
      const wait = (_: number, signal: AbortSignal) =>
        Promise.race([
          gate,
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('stopped'))),
          ),
        ])
      instance = await startInstance(await open(), provider, graph, waits, { sources: { wait } })
      other = await startInstance(await open(), provider, graph, waits)
      graph.answerNext({ status: 429 })
      return () => other.close()
    })
    const sync = ({ service }: Instance) =>
      service.context.directory.sync({ isTrial: false, mayDeactivate: false }, 'test')
    const stateOf = ({ service }: Instance) => service.context.directory.state()

    it('sync one at a time, and both tell which runs', async () => {
      const { id } = await sync(instance)
      for (const each of [instance, other]) {
        expect(await stateOf(each)).toMatchObject({ isRunning: true, runs: [{ id, outcome: 'running' }] })
        await expect(sync(each)).rejects.toMatchObject({ code: 'sync_running' })
      }
      goOn()
      expect(await ended(instance.service, id)).toMatchObject({ outcome: 'done', added: 5 })
      expect(await other.sync()).toMatchObject({ outcome: 'done', added: 0, read: 0 })
    })

    it('take over at once from one that stops in the middle', async () => {
      const { id } = await sync(instance)
      await instance.close()
      expect(await stateOf(other)).toMatchObject({ isRunning: false, runs: [{ id, outcome: 'interrupted' }] })
      expect(await other.sync()).toMatchObject({ outcome: 'done', added: 5 })
    })

    it.each(['before', 'after'])(
      '[SRV-30] take over from one that was killed between reading and noting what it applied, %s the people were written',
      async (when) => {
        goOn()
        const { people, releases, store } = instance.service.context
        const source = createGraphSource({ ...graphOptions(graph), store })
        let killed: () => void
        const isKilled = new Promise<void>((resolve) => (killed = resolve))
        const importEach: typeof people.importEach = async (...rows) => {
          if (when === 'after') await people.importEach(...rows)
          killed()
          return new Promise(() => undefined)
        }
        const ports = { kind: 'graph', sources: [source], store, releases, now: Date.now } as const
        const request = { id: 'killed', by: 'test', isTrial: false, mayDeactivate: false }
        void runSync(
          { ...ports, people: { ...people, importEach } },
          request,
          () => undefined,
          new AbortController().signal,
        )
        await isKilled
        expect((await stateOf(other)).runs).toMatchObject([{ id: 'killed', outcome: 'interrupted' }])
        expect(await other.sync()).toMatchObject({ outcome: 'done', added: when === 'after' ? 0 : 5 })
        expect((await stateOf(other)).runs[1]).toMatchObject({
          id: 'killed',
          outcome: 'interrupted',
          until: expect.any(Number) as number,
        })
        expect(await other.store.countPeople()).toBe(5)
        expect(await other.store.directory.changedUsers(`graph:${TENANT}`, true, null, 9)).toEqual([])
      },
    )
  })

  it('holds no more entries at once than a page has, for three pages of people', async () => {
    const pageSize = 100
    const large = await startDouble({ pageSize })
    const count = 3 * ENTRIES_PER_PAGE
    for (let user = 0; user < count; user += 1)
      large.tenant(TENANT).putUser(`u-${String(user)}`, { mail: `u${String(user)}@northwind.example` })
    let most = 0
    const { people, releases, store } = instance.service.context
    const seen = <Value>(value: Value): Value => {
      if (Array.isArray(value)) most = Math.max(most, value.length)
      return value
    }
    const directory = Object.fromEntries(
      Object.entries(store.directory).map(([name, call]) => [
        name,
        async (...given: readonly unknown[]) => {
          given.forEach(seen)
          return seen(await (call as (...each: readonly unknown[]) => Promise<unknown>)(...given))
        },
      ]),
    ) as unknown as typeof store.directory
    const importEach: typeof people.importEach = (rows, ...others) => people.importEach(seen(rows), ...others)
    const counted = { ...store, directory }
    const sources = [createGraphSource({ ...graphOptions(large), store: counted })]
    const ran = await runSync(
      { kind: 'graph', sources, store: counted, releases, people: { ...people, importEach }, now: Date.now },
      { id: 'r', by: 'test', isTrial: false, mayDeactivate: false },
      () => undefined,
      new AbortController().signal,
    )
    await large.close()
    expect(ran).toMatchObject({ outcome: 'done', added: count, read: count })
    expect(most).toBe(ENTRIES_PER_PAGE)
  })
})
