import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseDriver, DatabaseSession } from '../../../src/service/sql/driver.ts'
import { openDatabase } from '../../../src/service/sql/openStore.ts'
import { createRegistry, scimTokenOf } from '../../../src/service/sql/registry.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { deleteOrganisationRows, hasOrganisationRows } from '../../../src/service/sql/tables.ts'
import { watchWrites } from '../../../src/service/sql/writes.ts'
import { StoreUnavailable } from '../../../src/service/sql/problems.ts'
import { mailboxAsOwner } from '../../../src/service/context/owners.ts'
import { Organisation, Person } from '../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { DATABASES, newDatabase } from '../../support/databases.ts'

// That all tables can be distributed by the organisation: PostgreSQL itself says for each statement of the store which
// rows of which tables it would read and write.

/** The tables of the installation, which every machine of a cluster has whole. */
const INSTALLATION = ['migration', 'migration_lock', 'organisation', 'tenant']

const SOURCES = join(import.meta.dirname, '../../../src')
/** Says how the tables are distributed. */
const GUIDE = join(import.meta.dirname, '../../../docs/load-model.md')
const SENDS = /\.(?:query|script)(?:<[^(]*>)?\(|from '[./]*\/(?:access|query)\.ts'/
/** The sources whose statements are walked. */
const WALKED = [
  'access',
  'clicks',
  'directoryEntries',
  'directoryMarks',
  'directoryMembers',
  'directoryPeople',
  'directoryRuns',
  'directoryStore',
  'directoryWrites',
  'erasing',
  'facts',
  'leases',
  'orderedPeople',
  'people',
  'peopleWrites',
  'personRows',
  'pictures',
  'plans',
  'registry',
  'releases',
  'reported',
  'searchTerms',
  'signingKeys',
  'staleRows',
  'store',
  'summary',
  'tables',
  'work',
  'writes',
].map((name) => `service/sql/${name}.ts`)
/**
 * These send statements of others; move a whole database; or know the tables and roles of the installation alone. The
 * doctor asks which version the database has.
 */
const NOT_WALKED = [
  ...['backup', 'embedded', 'migrate', 'pg', 'query', 'fairness', 'rowSecurity'].map(
    (name) => `service/sql/${name}.ts`,
  ),
  'service/doctor.ts',
]

const SIGNED = { actor: 'tests', at: 1 }
const HASH = 'a'.repeat(32)

/** Calls every function of the store, so that each of its statements is sent. */
async function walk(store: Store): Promise<void> {
  const { directory } = store
  const record = {
    addresses: ['a@x.example'],
    account: null,
    language: null,
    fields: {},
    groups: [],
    picture: null,
  }
  const ann: PersonState = { ...mailboxAsOwner('a@x.example'), id: 'a', revision: 1 }
  const imported = Person.imported({ record })
  const place = { first: 0, last: 0 }

  await store.appendOrganisation(0, [Organisation.founded({ name: 'X', tenants: [] })], SIGNED)
  await store.organisationFacts(0)
  await store.appendPerson('a', 0, [imported], ann, SIGNED)
  const carl = { ...mailboxAsOwner('c@x.example'), id: 'c', revision: 1 }
  await store.addPeople([{ person: carl, facts: [imported] }], SIGNED)
  await store.addReports([{ person: 'c', reported: {}, at: 1 }])
  await store.replacePeople([{ id: 'a', person: ann, ...place }])
  await store.words.index(null)
  await store.words.commonness(['a'])
  for (const after of [null, { word: 'a', person: 'a' }]) await store.words.places('a', ['b'], after, 1)
  await store.words.unindexed('', 1)
  await store.order.fill(null)
  await store.order.seenAt(['a'])
  for (const isDescending of [false, true])
    for (const [index, after] of [
      [{ by: 'name', department: null }, null],
      [{ by: 'name', department: 'b' }, ['a', 'a']],
      [{ by: 'department', after: '' }, null],
      [{ by: 'department', after: null }, ['a', 'a', 'a']],
      [{ by: 'seen', department: 'b' }, null],
      [{ by: 'seen', department: null }, [0, 'a']],
    ] as const)
      await store.order.places(index, { isActive: true, isDescending, after, limit: 1 })
  await store.summary()
  await store.appendPerson('a', 1, [imported], { ...ann, revision: 2, addresses: ['b@x.example'] }, SIGNED)
  await store.person('a')
  await store.personByAddress('a@x.example')
  await store.personByAccount('t', 'o')
  await store.personsByAccount([{ tenant: 't', oid: 'o' }])
  await store.persons(['a'])
  await store.personsByAddress(['a@x.example'])
  for (const after of [null, 'a']) await store.people(after, 1)
  for (const field of [null, 'department']) await store.fieldValues(field, 1)
  for (const after of [null, { id: 'a', until: '2026-01-01' }])
    await store.peopleCorrectedUntil('2026-01-02', after, 1)
  await store.countPeople()
  await store.personFacts('a', 0)
  for (const after of [null, { at: 1, stream: 'x', version: 1 }]) await store.audit(after, 1)
  for (const after of [null, { id: 'a', version: 1 }]) await store.peopleFacts(after, 1)
  await store.countRows()
  await store.addressesOf(['a'])
  await store.keepRelease('r', {} as never)
  await store.release('r')
  await store.keepLinks([{ id: 'l', block: 'b', address: 'https://x.example' }])
  await store.countedLink('l')
  await store.addClicks([{ day: '2026-01-01', block: 'b', clicks: 1 }])
  await store.clicksSince('2026-01-01')
  await store.dropOldClicks('2026-01-01')
  await store.keepPicture(HASH, { mediaType: 'image/png', bytes: new Uint8Array() })
  await store.picture(HASH)
  await store.hasPictures([HASH])
  await store.dropPicture(HASH)
  await store.keepReported('a', {}, 1)
  await store.reported('a')
  for (const after of [null, 'a']) await store.reportedByPeople(after, 1, 0)
  await store.dropOldReported(0)
  await store.keepKey({ id: 'k', sealed: new Uint8Array(), from: 0, until: 0 })
  await store.keys()
  await store.dropKey('k')
  await store.keepPlan('p', {}, 1)
  await store.plan('p')
  await store.keepPlannedPicture(HASH, { mediaType: 'image/png', bytes: new Uint8Array() }, 1)
  await store.extendPlannedPictures([HASH], 0, 2)
  await store.hasPlannedPictures([HASH], 0)
  await store.plannedPicture(HASH, 0)
  await store.publishPicture(HASH)
  await store.keepProgress('w', { done: 1, of: 2 }, 1)
  await store.progress('w', 0)
  await store.requestStop('w', 'a', 1)
  await store.stopRequest('w', 0)
  await store.dropExpired(2)
  await store.lease('l', 'h', 1, 2)
  await store.isLeased('l', 1)
  await store.giveBack('l', 'h')
  await store.ping()

  const user = (id: string, over: Partial<Parameters<typeof directory.writeOver>[2]> = {}) => ({
    id,
    data: {},
    name: id,
    externalId: null,
    addresses: [`${id}@x.example`],
    manager: null,
    active: true,
    ...over,
  })
  for (const kind of ['user', 'group'] as const) {
    await directory.write('scim', kind, [user('u'), user('v', { manager: 'u' })], 'round')
    await directory.write('scim', kind, [user('u', { data: { more: 1 } })], 'round')
    await directory.writeOver('scim', kind, user('w'), 0)
    await directory.writeOver('scim', kind, user('w', { manager: 'u' }), 1)
    await directory.entries('scim', kind, ['u'])
    for (const after of [null, 'u']) await directory.page('scim', kind, after, 1)
    await directory.slice('scim', kind, 0, 1)
    await directory.count('scim', kind)
    for (const by of [{ name: 'u' }, { externalId: 'u' }, { address: 'u@x.example' }])
      await directory.find('scim', kind, by)
  }
  await directory.changeMembers('scim', 'v', { added: ['u', 'w'], removed: ['x'] }, 'round')
  await directory.changeMembers('scim', 'v', { added: [], removed: ['w'] }, null)
  await directory.members('scim', 'v')
  await directory.subgroups('scim', 'v')
  await directory.within('scim', ['v'])
  await directory.reports('scim', ['u'])
  await directory.countMembers('scim', 'v')
  await directory.reportedOf(ann)
  await directory.memberships('scim', ['u'])
  await directory.allMemberships('scim', ['u'])
  await directory.groupsNamed(['scim'], ['v'])
  await directory.markMembers('scim', ['v'])
  await directory.markFormer('scim')
  await directory.markActive('scim')
  await directory.filledPaths('scim', 'user', [['more']])
  await directory.isWaiting('scim')
  for (const active of [true, false])
    for (const after of [null, 'u']) await directory.changedUsers('scim', active, after, 1)
  await directory.countChanged(['scim'])
  await directory.countDeactivating(['scim'])
  await directory.noteDeactivated('scim', 1, 1)
  await directory.countDeactivated('scim', 0)
  await directory.stillReported(['a'])
  await directory.activeOf('scim', ['a'])
  await directory.release('scim', ['u'])
  await directory.keepPictures('scim', [{ id: 'u', picture: `${HASH}.png` }])
  await directory.settle('scim', [{ id: 'u', revision: 1, person: 'a' }])
  await directory.keepCursor('scim', 'k', 'c')
  await directory.cursor('scim', 'k')
  await directory.cursors('scim')
  await directory.dropCursor('scim', 'k')
  const run = { id: 'r', at: 1, until: 2, samples: [{ person: 'b@x.example', reason: null }] }
  await directory.keepRun(run as never)
  await directory.runs(1)
  await directory.endMembersRound('scim', 'v', 'next')
  await directory.endRound('scim', 'group', 'next')
  await directory.endRound('scim', 'user', 'round')
  await directory.remove('scim', 'user', ['w'])
  await directory.remove('scim', 'group', ['w'])
  await directory.eraseEntry('scim', 'w')
  await store.appendPerson('a', 2, [Person.erased()], null, SIGNED)
  await store.clearPeople()
  await store.clear()
}

/** Calls what uses a driver without a store. */
async function walkDriver(driver: DatabaseDriver): Promise<void> {
  const registry = createRegistry(driver)
  await registry.keep({ id: 'o', name: 'O', tenants: ['t'], directory: null, addedAt: 1 }, null)
  await registry.find('o')
  await registry.ofTenant('t')
  await registry.ofScimToken('x')
  await scimTokenOf(driver, 'o')
  await registry.page('', 1)
  await scimTokenOf(driver, 'o')
  await registry.markRemoved('o', 1)
  await registry.forget('o')

  await hasOrganisationRows(driver, 'o')
  await deleteOrganisationRows(driver, 'o')

  let isFailing = true
  const failingOnce: DatabaseDriver = {
    ...driver,
    query: async (text, parameters) => {
      if (!isFailing) return driver.query(text, parameters)
      isFailing = false
      throw new StoreUnavailable('full')
    },
  }
  const ignore = () => undefined
  const writes = watchWrites(failingOnce, { now: () => 1, failed: ignore, changed: ignore })
  await writes.driver.query('delete from plan where organisation = $1', ['o']).catch(ignore)
  expect(await writes.problem()).toBeNull()
}

type Plan = Readonly<{
  'Node Type': string
  Operation?: string
  'Relation Name'?: string
  Schema?: string
  'Parent Relationship'?: string
  Output?: readonly string[]
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Plans?: readonly Plan[]
}>

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const PARAMETER = String.raw`\(?\$1\)?(?:::text\)?)?`
const IS_OWN = new RegExp(String.raw`^(?:\w+\.)?organisation = ${PARAMETER}$`)
const IS_PARAMETER = new RegExp(`^${PARAMETER}$`)

/** The conditions that a row must meet, as PostgreSQL writes them: `((a = 1) AND (b = 2))`. */
function conjuncts(condition: string): readonly string[] {
  const inner = /^\((.*)\)$/s.exec(condition)?.[1]
  if (inner === undefined) return [condition]
  const parts: string[] = []
  let [depth, from, isText] = [0, 0, false]
  for (let at = 0; at < inner.length; at += 1) {
    const character = inner[at]
    if (character === "'") isText = !isText
    if (isText) continue
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    // The first bracket was no pair of the last one.
    if (depth < 0) return [condition]
    if (depth === 0 && inner.startsWith(' AND ', at)) {
      parts.push(inner.slice(from, at))
      from = at + ' AND '.length
    }
  }
  return parts.length === 0 ? [inner] : [...parts, inner.slice(from)].flatMap(conjuncts)
}

/** What crosses organisations in a plan: reads of a table without its organisation, rows for another one. */
function crossings(plan: Plan): readonly string[] {
  return nodesOf(plan).flatMap((node) => {
    const table = node['Relation Name']
    if (table === undefined || node.Schema === 'pg_catalog' || INSTALLATION.includes(table)) return []
    if (node['Node Type'] === 'ModifyTable') {
      if (node.Operation !== 'Insert') return []
      // The organisation is the first column of each table.
      const rows = node.Plans?.find((each) => each['Parent Relationship'] === 'Outer')
      return IS_PARAMETER.test(rows?.Output?.[0] ?? '') ? [] : [`insert into ${table}`]
    }
    const conditions = [node['Index Cond'], node['Recheck Cond'], node.Filter].flatMap((each) =>
      each === undefined ? [] : conjuncts(each),
    )
    return conditions.some((each) => IS_OWN.test(each)) ? [] : [`read of ${table}`]
  })
}

/** The parts of a statement that stand in a source: of templates that are statements or parts of them, and of texts. */
function partsOf(source: string): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = []
  const TAGS = ['query', 'inside', 'run', 'sql']
  const CALLS = ['ask', 'raw', 'driver.query', 'session.query']
  const textsOf = (node: ts.Node): readonly string[] => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text]
    return ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
      : []
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && TAGS.includes(node.tag.getText(file)))
      parts.push(textsOf(node.template))
    if (ts.isCallExpression(node) && CALLS.includes(node.expression.getText(file)) && node.arguments[0])
      parts.push(textsOf(node.arguments[0]))
    ts.forEachChild(node, visit)
  }
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  visit(file)
  return parts
}

const has = (statement: string, texts: readonly string[]): boolean => {
  let at = 0
  return texts.every((text) => {
    const found = statement.indexOf(text, at)
    at = found + text.length
    return found >= 0
  })
}

describe.each(DATABASES)('the statements over %s', (kind) => {
  let driver: DatabaseDriver
  const sent = new Set<string>()
  const called = new Set<string>()
  const noting = <Noted extends Pick<DatabaseSession, 'query'>>(session: Noted): Noted => ({
    ...session,
    query: (text: string, parameters?: readonly unknown[]) => {
      sent.add(text)
      return session.query(text, parameters)
    },
  })
  const notingCalls = <Functions extends object>(functions: Functions, name: string): Functions =>
    new Proxy(functions, {
      get(target, key, receiver) {
        called.add(`${name}${String(key)}`)
        return Reflect.get(target, key, receiver) as unknown
      },
    })
  const rows = <Row extends object>(text: string) => driver.query<Row>(text)
  const tables = async () =>
    (
      await rows<{ name: string }>(
        'select tablename as name from pg_tables where schemaname = current_schema() order by tablename',
      )
    ).map(({ name }) => name)

  beforeAll(async () => {
    driver = await openDatabase(await newDatabase(kind))
    // A statement that names the column after `set` fails, whatever its rows.
    await driver.script(`create function refuse() returns trigger language plpgsql
      as $$ begin raise exception 'the organisation of rows of % is written', tg_table_name; end $$`)
    for (const table of await tables())
      if (!INSTALLATION.includes(table))
        await driver.script(
          `create trigger refuse before update of organisation on ${table} execute function refuse()`,
        )
    const noted: DatabaseDriver = {
      ...noting(driver),
      transaction: (run) => driver.transaction((session) => run(noting(session))),
      within: () => noted,
    }
    const store = createStore(noted, 'o')
    await walk(
      notingCalls(
        {
          ...store,
          directory: notingCalls(store.directory, 'directory.'),
          words: notingCalls(store.words, 'words.'),
          order: notingCalls(store.order, 'order.'),
        },
        '',
      ),
    )
    // A person without a stored order, as the version before writes one.
    await driver.query(
      `insert into person (organisation, id, revision, active, addresses, directory, groups, own_values, metadata)
       values ('o', 'without-order', 1, true, '{}', '{}', '{}', '{}', '{}')`,
    )
    await store.order.fill(null)
    await walkDriver(noted)
    const own = Object.keys(store).filter((name) => name !== 'close')
    const all = [
      ...own,
      ...Object.keys(store.directory).map((name) => `directory.${name}`),
      ...Object.keys(store.words).map((name) => `words.${name}`),
      ...Object.keys(store.order).map((name) => `order.${name}`),
    ]
    expect(all.filter((name) => !called.has(name))).toEqual([])
  })
  afterAll(() => driver.close())

  it('are all those of the sources', async () => {
    const names = (await readdir(SOURCES, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
    const sending: string[] = []
    for (const name of names.map((each) => each.replaceAll(sep, '/'))) {
      const source = await readFile(join(SOURCES, name), 'utf8')
      if (SENDS.test(source)) sending.push(name)
      if (!WALKED.includes(name)) continue
      const missing = partsOf(source).filter((texts) => ![...sent].some((statement) => has(statement, texts)))
      expect(missing).toEqual([])
    }
    expect(sending.toSorted()).toEqual([...WALKED, ...NOT_WALKED].toSorted())
  })

  it('[SCALE-9] read and write rows of their organisation alone, as PostgreSQL plans them', async () => {
    const found: (readonly [crossing: string, statement: string])[] = []
    for (const statement of sent) {
      const count = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`
      const [explained] = await driver.transaction(async (session) => {
        await session.script(`set local plan_cache_mode = force_generic_plan; prepare walked as ${statement}`)
        const answer = await session.query<{ 'QUERY PLAN': readonly [Readonly<{ Plan: Plan }>] }>(
          `explain (verbose, format json) execute walked ${values}`,
        )
        await session.script('deallocate walked')
        return answer
      })
      const plan = explained?.['QUERY PLAN'][0].Plan
      if (plan === undefined) throw new Error(`There is no plan of ${statement}`)
      found.push(...crossings(plan).map((crossing) => [crossing, statement] as const))
    }
    expect(found).toEqual([])
    expect(sent.size).toBeGreaterThan(100)
  })

  it('[SCALE-9] find in every table the organisation first, and in every unique index', async () => {
    const first = await rows<{ name: string }>(
      `select table_name as name from information_schema.columns where table_schema = current_schema()
         and column_name = 'organisation' and ordinal_position = 1 and is_nullable = 'NO'`,
    )
    const distributed = (await tables()).filter((name) => !INSTALLATION.includes(name))
    expect(first.map(({ name }) => name).toSorted()).toEqual(distributed)
    const guide = await readFile(GUIDE, 'utf8')
    const named = (kinds: string) => [
      ...guide.matchAll(new RegExp(`^select create_${kinds}_table\\('(\\w+)'`, 'gm')),
    ]
    expect(
      named('distributed')
        .map(([, name]) => name)
        .toSorted(),
    ).toEqual(distributed)
    expect([...named('reference').map(([, name]) => name), 'migration', 'migration_lock'].toSorted()).toEqual(
      INSTALLATION,
    )
    const unique = await rows<{ table: string; first: string }>(
      `select c.relname as table, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       where i.indisunique and c.relnamespace = current_schema()::regnamespace`,
    )
    const others = unique.filter(
      ({ table, first: column }) => column !== 'organisation' && distributed.includes(table),
    )
    expect(others).toEqual([])
    expect(new Set(unique.map(({ table }) => table))).toEqual(new Set(await tables()))
  })
})

describe('a plan', () => {
  const scan = (over: Partial<Plan>): Plan => ({
    'Node Type': 'Seq Scan',
    'Relation Name': 'person',
    ...over,
  })
  it.each<[string, Plan, readonly string[]]>([
    ['by the organisation', scan({ Filter: '(organisation = $1)' }), []],
    [
      'by the organisation and more',
      scan({ Filter: "(active AND (id = 'a)') AND (person.organisation = ($1)::text))" }),
      [],
    ],
    ['by an index', scan({ 'Index Cond': '((p.organisation = $1) AND (p.id = $2))' }), []],
    ['by nothing', scan({}), ['read of person']],
    [
      'by the organisation or something else',
      scan({ Filter: '((organisation = $1) OR active)' }),
      ['read of person'],
    ],
    [
      'by the organisation of another table',
      scan({ Filter: '(organisation = e.organisation)' }),
      ['read of person'],
    ],
    ['by another parameter', scan({ Filter: '(organisation = $12)' }), ['read of person']],
    ['of the installation', scan({ 'Relation Name': 'tenant' }), []],
    [
      'inside another node',
      { 'Node Type': 'Limit', Plans: [{ 'Node Type': 'Sort', Plans: [scan({ Filter: 'active' })] }] },
      ['read of person'],
    ],
    ...(['$1', '$2'] as const).map((value): [string, Plan, readonly string[]] => [
      `that inserts ${value}`,
      {
        'Node Type': 'ModifyTable',
        Operation: 'Insert',
        'Relation Name': 'person',
        Plans: [
          { 'Node Type': 'Result', 'Parent Relationship': 'InitPlan', Output: ['$1'] },
          { 'Node Type': 'Result', 'Parent Relationship': 'Outer', Output: [value, "'x'"] },
        ],
      },
      value === '$1' ? [] : ['insert into person'],
    ]),
  ])('%s', (_, plan, expected) => {
    expect(crossings(plan)).toEqual(expected)
  })
})
