import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseDriver, type DatabaseSession, sqlState } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { openPostgres } from '../../../src/service/sql/pg.ts'
import { VersionConflict } from '../../../src/service/sql/problems.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { completeRowSecurity, readRowSecurity } from '../../../src/service/sql/rowSecurity.ts'
import { Organisation, Person } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { DATABASES_AND_POOLER, newDatabase, newDirectUrl } from '../../support/databases.ts'
import { type Change, changed, WITHOUT_CONDITION } from './firstRowSecurity.ts'

const INSUFFICIENT_PRIVILEGE = '42501'
const SIGNED = { actor: 'tests', at: 100 }
const HASH = 'a'.repeat(32)
const SOURCE = 'graph:t'

const personOf = (mark: string): PersonState => ({
  id: 'maria',
  revision: 1,
  account: { tenant: 't', oid: 'o' },
  active: true,
  language: null,
  addresses: ['maria@x.example'],
  groups: ['g'],
  directory: { title: mark },
  values: {},
  metadata: {},
  picture: `${HASH}.png`,
  directoryPicture: null,
  corrections: {
    fields: {},
    supplement: {},
    under: {},
    excluded: { by: mark, at: 1, until: '2026-12-24' },
  },
})
const entryOf = (mark: string, more: object = {}) => ({
  id: 'o',
  data: { title: mark },
  name: 'maria@x.example',
  externalId: 'x',
  addresses: ['maria@x.example'],
  manager: 'boss',
  active: true,
  ...more,
})

/** The same keys in each organisation; the mark is in the values. */
async function fill(store: Store, mark: string): Promise<void> {
  const { directory } = store
  await store.appendOrganisation(0, [Organisation.founded({ name: mark, tenants: [] })], SIGNED)
  await store.appendPerson('maria', 0, [Person.departed()], personOf(mark), SIGNED)
  await store.keepPicture(HASH, { mediaType: `image/${mark}`, bytes: new Uint8Array([1]) })
  await store.keepRelease('r', { name: mark } as never)
  await store.keepLinks([{ id: 'l', block: 'b', address: `https://${mark}.example/` }])
  await store.addClicks([{ day: '2026-11-26', block: 'b', clicks: mark.length }])
  await store.keepKey({ id: 'k', sealed: Buffer.from(mark), from: 1, until: 2 })
  await store.keepReported('maria', mark, 50)
  await store.keepPlan('p', { mark }, 500)
  await store.keepPlannedPicture(HASH, { mediaType: `image/${mark}`, bytes: new Uint8Array([1]) }, 500)
  await store.keepProgress('w', { done: mark.length, of: 9 }, 500)
  await store.requestStop('w', mark, 500)
  await store.lease('lease', mark, 1, 1_000)
  await directory.write(SOURCE, 'user', [entryOf(mark)], 'round')
  await directory.write(SOURCE, 'group', [entryOf(mark, { id: 'g', name: 'g', manager: null })], 'round')
  await directory.write(SOURCE, 'group', [entryOf(mark, { id: 'inner', name: 'i', manager: null })], 'round')
  await directory.changeMembers(SOURCE, 'g', { added: ['o', 'inner'], removed: [] }, 'round')
  await directory.settle(SOURCE, [{ id: 'o', revision: 1, person: 'maria' }])
  await directory.keepCursor(SOURCE, 'users', mark)
  await directory.noteDeactivated(SOURCE, mark.length, 10)
  await directory.keepRun({ id: `run ${mark}`, at: 1, samples: [], outcome: 'done', isTrial: false } as never)
}

type Calls = Readonly<Record<string, (store: Store) => Promise<unknown>>>

/** Calls that only read. They come first, while all organisations have what they were filled with. */
const READS: Calls = {
  organisationFacts: (store) => store.organisationFacts(0),
  person: (store) => store.person('maria'),
  personByAddress: (store) => store.personByAddress('maria@x.example'),
  personByAccount: (store) => store.personByAccount('t', 'o'),
  personsByAccount: (store) => store.personsByAccount([{ tenant: 't', oid: 'o' }]),
  persons: (store) => store.persons(['maria']),
  personsByAddress: (store) => store.personsByAddress(['maria@x.example']),
  people: (store) => store.people(null, 9),
  'fieldValues of a field': (store) => store.fieldValues('title', 9),
  'fieldValues of groups': (store) => store.fieldValues(null, 9),
  countPeople: (store) => store.countPeople(),
  peopleCorrectedUntil: (store) => store.peopleCorrectedUntil('2027-01-01', null, 9),
  personFacts: (store) => store.personFacts('maria', 0),
  audit: (store) => store.audit(null, 9),
  release: (store) => store.release('r'),
  countedLink: (store) => store.countedLink('l'),
  clicksSince: (store) => store.clicksSince('2026-01-01'),
  picture: (store) => store.picture(HASH),
  reported: (store) => store.reported('maria'),
  reportedByPeople: (store) => store.reportedByPeople(null, 9, 0),
  keys: (store) => store.keys(),
  plan: (store) => store.plan('p'),
  plannedPicture: (store) => store.plannedPicture(HASH, 1),
  progress: (store) => store.progress('w', 1),
  stopRequest: (store) => store.stopRequest('w', 1),
  summary: (store) => store.summary(),
  'words.commonness': ({ words }) => words.commonness(['maria']),
  'order.places': async ({ order }) => {
    const reader = { isActive: true, isDescending: false, after: null, limit: 9 }
    return [
      await order.places({ by: 'name', department: null }, reader),
      await order.places({ by: 'department', after: null }, reader),
      await order.places({ by: 'seen', department: null }, reader),
    ]
  },
  'order.seenAt': async ({ order }) => [...(await order.seenAt(['maria']))],
  'words.places': ({ words }) => words.places('maria', [], null, 9),
  'directory.entries': ({ directory }) => directory.entries(SOURCE, 'user', ['o']),
  'directory.page': ({ directory }) => directory.page(SOURCE, 'user', null, 9),
  'directory.slice': ({ directory }) => directory.slice(SOURCE, 'user', 0, 9),
  'directory.filledPaths': async ({ directory }) => [
    ...(await directory.filledPaths(SOURCE, 'user', [['title']])),
  ],
  'directory.count': ({ directory }) => directory.count(SOURCE, 'user'),
  'directory.find by name': ({ directory }) => directory.find(SOURCE, 'user', { name: 'maria@x.example' }),
  'directory.find by id': ({ directory }) => directory.find(SOURCE, 'user', { externalId: 'x' }),
  'directory.find by address': ({ directory }) =>
    directory.find(SOURCE, 'user', { address: 'maria@x.example' }),
  'directory.members': ({ directory }) => directory.members(SOURCE, 'g'),
  peopleFacts: (store) => store.peopleFacts(null, 9),
  'directory.subgroups': ({ directory }) => directory.subgroups(SOURCE, 'g'),
  'directory.reports': ({ directory }) => directory.reports(SOURCE, ['boss']),
  'directory.countMembers': ({ directory }) => directory.countMembers(SOURCE, 'g'),
  'directory.reportedOf': ({ directory }) => directory.reportedOf(personOf('')),
  'directory.memberships': ({ directory }) => directory.memberships(SOURCE, ['o']),
  'directory.groupsNamed': ({ directory }) => directory.groupsNamed([SOURCE], ['g']),
  'directory.changedUsers': ({ directory }) => directory.changedUsers(SOURCE, true, null, 9),
  'directory.countChanged': ({ directory }) => directory.countChanged([SOURCE]),
  'directory.cursor': ({ directory }) => directory.cursor(SOURCE, 'users'),
  'directory.runs': ({ directory }) => directory.runs(9),
}

/** Calls that answer each thing once, or write: of these, the rows that are left tell. */
const OTHERS: Calls = {
  'words.unindexed': ({ words }) => words.unindexed('', 9),
  'words.index': ({ words }) => words.index(null),
  'order.fill': ({ order }) => order.fill(null),
  addressesOf: (store) => store.addressesOf(['maria']),
  countRows: (store) => store.countRows(),
  hasPictures: (store) => store.hasPictures([HASH]),
  hasPlannedPictures: (store) => store.hasPlannedPictures([HASH], 1),
  isLeased: (store) => store.isLeased('lease', 5),
  ping: (store) => store.ping(),
  'directory.within': ({ directory }) => directory.within(SOURCE, ['g']),
  'directory.allMemberships': ({ directory }) => directory.allMemberships(SOURCE, ['o']),
  'directory.isWaiting': ({ directory }) => directory.isWaiting(SOURCE),
  'directory.countDeactivating': ({ directory }) => directory.countDeactivating([SOURCE]),
  'directory.stillReported': ({ directory }) => directory.stillReported(['maria']),
  'directory.activeOf': ({ directory }) => directory.activeOf(SOURCE, ['maria']),
  'directory.release': ({ directory }) => directory.release(SOURCE, ['o']),
  'directory.cursors': ({ directory }) => directory.cursors(SOURCE),
  appendOrganisation: (store) =>
    store.appendOrganisation(1, [Organisation.founded({ name: 'later', tenants: [] })], SIGNED),
  'appendPerson that changes': (store) =>
    store.appendPerson('maria', 1, [Person.departed()], { ...personOf('later'), revision: 2 }, SIGNED),
  'appendPerson with another address': (store) =>
    store.appendPerson(
      'maria',
      2,
      [Person.departed()],
      { ...personOf('later'), revision: 3, addresses: ['new@x.example'] },
      SIGNED,
    ),
  'appendPerson that adds': (store) =>
    store.appendPerson(
      'added',
      0,
      [Person.departed()],
      { ...personOf('later'), id: 'added', addresses: ['added@x.example'], account: null },
      SIGNED,
    ),
  addPeople: (store) =>
    store.addPeople(
      [
        {
          person: { ...personOf('later'), id: 'new', addresses: ['new-one@x.example'], account: null },
          facts: [Person.departed()],
        },
      ],
      SIGNED,
    ),
  replacePeople: (store) =>
    store.replacePeople([{ id: 'maria', person: { ...personOf('later'), revision: 3 }, first: 0, last: 2 }]),
  keepRelease: (store) => store.keepRelease('r2', { name: 'later' } as never),
  keepLinks: (store) => store.keepLinks([{ id: 'l', block: 'b2', address: 'https://later.example/' }]),
  addClicks: (store) => store.addClicks([{ day: '2026-11-26', block: 'b', clicks: 3 }]),
  dropOldClicks: (store) => store.dropOldClicks('2027-01-01'),
  keepPicture: (store) =>
    store.keepPicture('b'.repeat(32), { mediaType: 'image/png', bytes: new Uint8Array([2]) }),
  dropPicture: (store) => store.dropPicture('b'.repeat(32)),
  keepReported: (store) => store.keepReported('maria', 'later', 60),
  addReports: (store) => store.addReports([{ person: 'new', reported: 'later', at: 60 }]),
  dropOldReported: (store) => store.dropOldReported(1_000),
  keepKey: (store) => store.keepKey({ id: 'k', sealed: Buffer.from('later'), from: 1, until: 3 }),
  dropKey: (store) => store.dropKey('k'),
  keepPlan: (store) => store.keepPlan('p', { mark: 'later' }, 600),
  extendPlannedPictures: (store) => store.extendPlannedPictures([HASH], 1, 600),
  keepPlannedPicture: (store) =>
    store.keepPlannedPicture('c'.repeat(32), { mediaType: 'image/png', bytes: new Uint8Array([3]) }, 600),
  publishPicture: (store) => store.publishPicture('c'.repeat(32)),
  keepProgress: (store) => store.keepProgress('w', { done: 7, of: 9 }, 600),
  requestStop: (store) => store.requestStop('w', 'later', 600),
  dropExpired: (store) => store.dropExpired(1_000),
  lease: (store) => store.lease('lease', 'later', 2_000, 3_000),
  giveBack: (store) => store.giveBack('lease', 'later'),
  'directory.write': ({ directory }) => directory.write(SOURCE, 'user', [entryOf('later')], null),
  'directory.writeOver': ({ directory }) => directory.writeOver(SOURCE, 'user', entryOf('over'), 2),
  'directory.writeOver that adds': ({ directory }) =>
    directory.writeOver(SOURCE, 'user', entryOf('new', { id: 'n', name: 'n' }), 0),
  'directory.markMembers': ({ directory }) => directory.markMembers(SOURCE, ['g']),
  'directory.markFormer': ({ directory }) => directory.markFormer(SOURCE),
  'directory.countDeactivated': ({ directory }) => directory.countDeactivated(SOURCE, 20),
  'directory.noteDeactivated': ({ directory }) => directory.noteDeactivated(SOURCE, 1, 30),
  'directory.keepPictures': ({ directory }) =>
    directory.keepPictures(SOURCE, [{ id: 'o', picture: `${HASH}.png` }]),
  'directory.settle': ({ directory }) =>
    directory.settle(SOURCE, [{ id: 'o', revision: 9, person: 'someone' }]),
  'directory.changeMembers': ({ directory }) =>
    directory.changeMembers(SOURCE, 'g', { added: ['n'], removed: ['o'] }, 'later'),
  'directory.markActive': ({ directory }) => directory.markActive(SOURCE),
  'directory.endMembersRound': ({ directory }) => directory.endMembersRound(SOURCE, 'g', 'last'),
  'directory.keepCursor': ({ directory }) => directory.keepCursor(SOURCE, 'users', 'later'),
  'directory.dropCursor': ({ directory }) => directory.dropCursor(SOURCE, 'users'),
  'directory.keepRun': ({ directory }) =>
    directory.keepRun({ id: 'run', at: 2, until: 3, samples: [], outcome: 'done', isTrial: false } as never),
  'directory.remove': ({ directory }) => directory.remove(SOURCE, 'group', ['inner']),
  'directory.endRound': ({ directory }) => directory.endRound(SOURCE, 'group', 'last'),
  'directory.eraseEntry': ({ directory }) => directory.eraseEntry(SOURCE, 'o'),
  'appendPerson that erases': (store) => store.appendPerson('maria', 3, [Person.departed()], null, SIGNED),
  clearPeople: (store) => store.clearPeople(),
  clear: (store) => store.clear(),
}

const CALLS = { ...READS, ...OTHERS }

async function answersOf(store: Store): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(CALLS))
    answers[name] = await call(store).catch((error: unknown) => {
      if (error instanceof VersionConflict) return 'moved'
      const state = sqlState(error)
      if (state === INSUFFICIENT_PRIVILEGE) return state
      throw error
    })
  return answers
}

const tablesOf = async (driver: DatabaseDriver): Promise<readonly string[]> => {
  const rows = await driver.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation'
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'tenant' order by 1`,
  )
  return rows.map(({ name }) => name)
}

async function rowsOf(driver: DatabaseDriver, organisation: string) {
  const rows: Record<string, readonly object[]> = {}
  for (const table of await tablesOf(driver))
    rows[table] = await driver.query(
      `select t::text as row from ${table} t where organisation = $1 order by 1`,
      [organisation],
    )
  return rows
}

describe.each(DATABASES_AND_POOLER)('the wall between organisations over %s', (kind) => {
  let driver: DatabaseDriver
  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
  })
  afterAll(() => driver.close())

  const filled = async (mark: string) => {
    const organisation = randomUUID()
    await fill(createStore({ ...driver, close: () => Promise.resolve() }, organisation), mark)
    return organisation
  }

  it('[SCALE-2] is walked by every call of the store', () => {
    const { directory, words, order, ...others } = createStore(driver, 'o')
    const names = [
      ...Object.keys(others),
      ...Object.keys(directory).map((name) => `directory.${name}`),
      ...Object.keys(words).map((name) => `words.${name}`),
      ...Object.keys(order).map((name) => `order.${name}`),
    ]
    const walked = new Set(Object.keys(CALLS).map((name) => name.split(' ')[0]))
    expect(names.filter((name) => !walked.has(name))).toEqual(['close'])
  })

  it('[SCALE-2] hides the rows of another organisation from every statement that lost its condition', async () => {
    const [alone, mine] = [await filled('mine'), await filled('mine')]
    const theirs = await filled('theirs')
    const before = await rowsOf(driver, theirs)
    const expected = await answersOf(
      createStore(
        changed(driver, (...asked) => asked),
        alone,
      ),
    )
    expect(await answersOf(createStore(changed(driver, WITHOUT_CONDITION), mine))).toEqual(expected)
    expect(await rowsOf(driver, theirs)).toEqual(before)
    expect(Object.keys(before).filter((table) => before[table]?.length === 0)).toEqual([])

    // Without the second wall, a stranger is told of the others by every call that reads, and takes their rows away.
    const own = await answersOf(createStore(driver, randomUUID()))
    const seen = await answersOf(createStore(changed(driver, WITHOUT_CONDITION, false), randomUUID()))
    const isEqual = (name: string) => JSON.stringify(seen[name]) === JSON.stringify(own[name])
    expect(Object.keys(READS).filter(isEqual)).toEqual([])
    const after = await rowsOf(driver, theirs)
    expect(Object.keys(after).filter((table) => (after[table]?.length ?? 0) > 0)).toEqual([])
  })

  it('[SCALE-2] hides the rows of another organisation from every statement that names the wrong one', async () => {
    const [mine, theirs] = [await filled('mine'), await filled('theirs')]
    const before = await rowsOf(driver, theirs)
    const wrong: Change = (sql, [organisation, ...more]) => [
      sql,
      [organisation === mine ? theirs : organisation, ...more],
    ]
    const answers = await answersOf(createStore(changed(driver, wrong), mine))
    expect(JSON.stringify(answers)).not.toContain('theirs')
    expect(
      Object.entries(answers).flatMap(([name, answer]) => (answer === INSUFFICIENT_PRIVILEGE ? name : [])),
    ).toEqual(expect.arrayContaining(['keepRelease', 'keepPlan', 'keepKey', 'lease', 'directory.keepCursor']))
    expect(await rowsOf(driver, theirs)).toEqual(before)
  })

  it('[SCALE-2] shows nothing to a transaction that names no organisation, and takes nothing of it', async () => {
    await filled('theirs')
    const { role, missing } = await readRowSecurity(driver)
    expect(missing).toEqual([])
    const tables = await tablesOf(driver)
    expect(tables.length).toBeGreaterThan(14)
    for (const table of tables) {
      const forgetting = (sql: string) =>
        driver.transaction(async (session) => {
          await session.query("select set_config('role', $1, true)", [role])
          return session.query(sql)
        })
      expect(await forgetting(`select 1 from ${table}`), table).toEqual([])
      const columns = `${table} (organisation)`
      for (const organisation of ["'default'", "''", 'null']) {
        const inserting = forgetting(`insert into ${columns} values (${organisation})`)
        expect(sqlState(await inserting.catch((error: unknown) => error)), table).toBe(INSUFFICIENT_PRIVILEGE)
      }
      expect(await driver.query(`select 1 from ${table} limit 1`), table).toHaveLength(1)
    }
  })

  it('[SCALE-2] gives the role no table of the installation, and no table of organisations without the wall', async () => {
    const { role } = await readRowSecurity(driver)
    const granted = await driver.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind <> 'i'
         and has_table_privilege($1, c.oid, 'select, insert, update, delete, truncate, references, trigger') order by 1`,
      [role],
    )
    const walled = await driver.query<{ name: string }>(
      `select tablename as name from pg_policies where schemaname = current_schema() and roles = '{public}'
         and cmd = 'ALL' and qual like '%organisation = NULLIF(current_setting(''signet.organisation''%' order by 1`,
    )
    // The view has the condition itself.
    expect(granted.filter(({ name }) => name !== 'entry_address')).toEqual(walled)
    expect(walled.map(({ name }) => name)).toEqual(await tablesOf(driver))
  })

  it('keeps the index of addresses for the statements that look for them', async () => {
    const organisation = randomUUID()
    await driver.query(
      `insert into directory_entry (organisation, source, kind, id, revision, data, addresses, active, removed, erased,
         changed) select $1, 'scim', 'user', n, 1, '{}', array[n || '@x.example'], true, false, false, false
       from generate_series(1, 2000) as n`,
      [organisation],
    )
    await driver.script('analyze directory_entry')
    const inside = driver.within(organisation)
    const plans: string[] = []
    const explaining = changed(driver, (...asked) => asked)
    const { directory } = createStore(
      {
        ...explaining,
        within: () => ({
          ...inside,
          query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
            plans.push(JSON.stringify(await inside.query(`explain ${sql}`, parameters)))
            return inside.query<Row>(sql, parameters)
          },
        }),
      },
      organisation,
    )
    expect(await directory.find('scim', 'user', { address: '7@x.example' })).toHaveLength(1)
    expect(await directory.reportedOf({ ...personOf(''), addresses: ['7@x.example'] })).toHaveLength(1)
    expect(plans.map((plan) => plan.includes('directory_address'))).toEqual([true, true])
  })

  it('leaves the owner as it is after statements and transactions of organisations, also those that failed', async () => {
    const [mine, other] = [driver.within('mine'), driver.within('other')]
    const user = 'select current_user as user, current_setting($1, true) as organisation'
    const [owner] = await driver.query<{ user: string }>(user, ['signet.organisation'])
    const asked = async (session: Pick<DatabaseSession, 'query'>) =>
      (await session.query<{ user: string; organisation: string }>(user, ['signet.organisation']))[0]
    const { role } = await readRowSecurity(driver)
    for (const [session, name] of [
      [mine, 'mine'],
      [other, 'other'],
    ] as const) {
      expect(await asked(session)).toEqual({ user: role, organisation: name })
      expect(await session.transaction(asked)).toEqual({ user: role, organisation: name })
      expect((await asked(driver))?.user).toBe(owner?.user)
      await expect(session.query('select 1 / 0')).rejects.toThrow('division by zero')
      await expect(session.query('select 1 / 0')).rejects.toThrow('division by zero')
      await expect(session.query('select nothing')).rejects.toThrow('does not exist')
      await expect(session.transaction((inside) => inside.query('select 1 / 0'))).rejects.toThrow('division')
      expect((await asked(driver))?.user).toBe(owner?.user)
      expect((await driver.transaction(asked))?.user).toBe(owner?.user)
      expect(await asked(session)).toEqual({ user: role, organisation: name })
    }
  })
})

describe('the role of the wall', () => {
  const drivers: DatabaseDriver[] = []
  const databases: URL[] = []
  const roles = new Set<string>()
  afterEach(async () => {
    for (const driver of drivers.splice(0)) await driver.close()
    const superusers = databases
      .splice(0)
      .map(({ href, pathname }) => ({ pathname, driver: openPostgres(href) }))
    for (const { pathname, driver } of superusers) {
      await driver.script(`alter database ${pathname.slice(1)} owner to current_user`)
      for (const role of roles) await driver.script(`drop owned by ${role} cascade`)
    }
    for (const role of roles) await superusers[0]?.driver.script(`drop role ${role}`)
    for (const { driver } of superusers) await driver.close()
    roles.clear()
  })
  const kept = (driver: DatabaseDriver) => {
    drivers.push(driver)
    return driver
  }

  /** A new database of the superuser. */
  async function newOne(): Promise<URL> {
    const url = new URL(await newDirectUrl())
    databases.push(url)
    return url
  }
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

  /** Databases of a user who has only these rights; and their superuser. */
  async function ownedBy(rights: string, count = 1, name = `weak "${randomUUID().slice(0, 8)}`) {
    const urls = await Promise.all(Array.from({ length: count }, newOne))
    const superuser = kept(openPostgres(urls[0]?.href ?? ''))
    await superuser.script(`create user ${quote(name)} with password 'p' ${rights}`)
    roles.add(quote(name))
    const owned: string[] = []
    for (const url of urls) {
      await superuser.script(`alter database ${url.pathname.slice(1)} owner to ${quote(name)}`)
      owned.push(Object.assign(new URL(url), { username: encodeURIComponent(name), password: 'p' }).href)
    }
    const open = async (url = owned[0] ?? '') => {
      const driver = kept(await openDatabase({ kind: 'postgres', url }))
      const { role, missing } = await readRowSecurity(driver)
      if (missing.length === 0) roles.add(quote(role))
      return driver
    }
    return { owned, open, superuser, name, user: quote(name), role: quote(`${name}_rows`) }
  }

  it('is missing where the user may not create roles: the organisation of the settings goes on, and the sentence names the SQL', async () => {
    const { open, superuser, user, role } = await ownedBy('')
    const before = await open()
    await fill(createStore(before, 'default'), 'mine')
    expect((await createStore(before, 'default').person('maria'))?.id).toBe('maria')
    const { missing } = await readRowSecurity(before)
    expect(missing.slice(0, 3)).toEqual([
      `create role ${role} nologin`,
      `grant ${role} to ${user}`,
      `grant usage on schema public to ${role}`,
    ])
    await expect(createStore(before, 'another').person('maria')).rejects.toThrow(
      `run as a superuser, in this database: create role ${role} nologin; grant ${role} to ${user}; Then start`,
    )
    await expect(before.within('another').transaction(() => Promise.resolve())).rejects.toThrow('create role')

    for (const statement of missing.slice(0, 1)) await superuser.script(statement)
    // Every role may use the schema `public`, as PostgreSQL comes.
    const left = [missing[1], ...missing.slice(3)]
    expect(await readRowSecurity(await open())).toMatchObject({ missing: left, canBeMade: false })
    for (const statement of missing.slice(1, 2)) await superuser.script(statement)
    const after = await open()
    expect(await readRowSecurity(after)).toMatchObject({ missing: [], canBeMade: true })
    expect((await createStore(after, 'default').person('maria'))?.id).toBe('maria')
    await fill(createStore(after, 'another'), 'theirs')
    expect(await createStore(after, 'another').countPeople()).toBe(1)
  })

  it('is made by a user who may create roles, once for all databases, also when they are opened together', async () => {
    const { open, owned } = await ownedBy('createrole', 4)
    const opened = await Promise.all([...owned, ...owned].map((url) => open(url)))
    for (const driver of opened) {
      expect((await readRowSecurity(driver)).missing).toEqual([])
      expect(await createStore(driver, 'another').countPeople()).toBe(0)
    }
  })

  it('is made again in a database that came from another server, and gets the tables that are new', async () => {
    const driver = kept(await openDatabase({ kind: 'postgres', url: await newDirectUrl() }))
    const { role } = await readRowSecurity(driver)
    await driver.script(`revoke all on all tables in schema public from ${quote(role)}`)
    await driver.script(
      'create table later (organisation text, id text); alter table later enable row level security',
    )
    expect((await readRowSecurity(driver)).missing).toEqual([
      expect.stringMatching(/^grant select, insert, update, delete on address, .*, later, .* to /),
      `grant select on entry_address to ${role}`,
    ])
    expect(await completeRowSecurity(driver)).toEqual({ role, missing: [], canBeMade: true })
    expect(await createStore(driver, 'another').countPeople()).toBe(0)
  })

  it.each(['login', 'nologin bypassrls', 'nologin superuser'])(
    'is none that exists with %s, and that role stays as it is',
    async (rights) => {
      const { open, superuser, role } = await ownedBy('createrole')
      await superuser.script(`create role ${role} ${rights}`)
      roles.add(role)
      const driver = await open()
      expect((await readRowSecurity(driver)).missing[0]).toBe(
        `alter role ${role} nologin nosuperuser nobypassrls`,
      )
      await expect(driver.within('another').query('select 1')).rejects.toThrow('alter role')
    },
  )

  it('has a name of 63 bytes at most', async () => {
    const { open } = await ownedBy('createrole', 1, 'ü'.repeat(31))
    const driver = await open()
    const { role, missing } = await readRowSecurity(driver)
    expect([Buffer.byteLength(role) <= 63, missing]).toEqual([true, []])
    expect(role).toMatch(/^signet_[0-9a-f]{32}_rows$/)
    expect(await createStore(driver, 'another').countPeople()).toBe(0)
  })
})
