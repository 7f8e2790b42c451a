/** The organisation of the benchmarks: 20 signatures with conditions, of which each person has 5. */
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { pictureHash } from '../../../src/folder/pictures.ts'
import { createReleases } from '../../../src/service/publishing/releases.ts'
import type { DatabaseDriver } from '../../../src/service/sql/driver.ts'
import { openDatabase, type StoreAddress } from '../../../src/service/sql/openStore.ts'
import { createStore, type Store } from '../../../src/service/sql/store.ts'
import { PLAIN_FORMATS } from '../../../streams/organisation/template/formats.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { PersonFact } from '../../../streams/organisation/facts/events.ts'
import { evolvePerson } from '../../../streams/organisation/facts/reducer.ts'
import type {
  Block,
  Condition,
  Hours,
  Period,
  ReleaseDocument,
  Signature,
  Variable,
} from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { departmentOrderOf, nameOrderOf } from '../../../streams/organisation/facts/personOrder.ts'
import { personWordsOf } from '../../../streams/organisation/facts/searchTerms.ts'
import { publishDocument } from '../../support/demonstration.ts'

export const TENANT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
/** The id of the organisation in the settings, as in production. */
export const ORGANISATION = 'default'

type Organisation = Readonly<{ id: string; tenant: string }>
const OWN: Organisation = { id: ORGANISATION, tenant: TENANT }
const DOMAIN = 'northwind.example'
const PICTURE_BYTES = 12_000
const OPEN: Period = { from: '2020-01-01', to: '2099-12-31', timeZone: 'Europe/Berlin' }
const CLOSED: Period = { from: '2019-01-01', to: '2019-12-31', timeZone: 'America/New_York' }

export const idOf = (person: number): string => `p${String(person).padStart(8, '0')}`
export const addressOf = (person: number): string => `${idOf(person)}@${DOMAIN}`
export const oidOf = (person: number): string => `oid-${idOf(person)}`

/** Looks like a PNG by its first bytes. The service only transfers it. */
export const PICTURE = Buffer.alloc(PICTURE_BYTES, 7)
Buffer.from('89504e470d0a1a0a', 'hex').copy(PICTURE)
const PICTURE_HASH = pictureHash(PICTURE)

const STYLE =
  'font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:19px;color:#5b6770;padding:0;'
const row = (content: string) => `<tr><td style="${STYLE}">${content}</td></tr>\n`

/** About 2,500 characters of HTML, like a signature of the demonstration. */
const template = (
  name: string,
) => `<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="520">
<tr><td valign="top" style="padding:0 18px 0 0;border-right:2px solid #1b8a8f;"><img src="{{picture logo.png}}" width="180" height="48" alt="Northwind Trading" border="0" style="display:block;border:0;width:180px;height:48px;"></td><td valign="top" style="padding:0 0 0 18px;"><table role="presentation" cellpadding="0" cellspacing="0" border="0">
${row('<b>{{first_name}} {{last_name}}</b>')}${row('{{job_title}}{{#if department}} &middot; {{department}}{{/if}}')}${row('T <a href="tel:{{tel phone}}">{{phone}}</a>')}{{#if mobile}}${row('M <a href="tel:{{tel mobile}}">{{mobile}}</a>')}{{else}}${row('{{office}}')}{{/if}}${row('E <a href="mailto:{{email}}">{{email}}</a>')}${row('W <a href="{{web website}}">{{website}}</a>')}${row(name)}</table></td></tr>
</table>
{{> legal}}`
const LEGAL = `<p style="${STYLE}">${'{{legal_line}} This message is for its recipients. '.repeat(8)}</p>`

const variable = (path: string, from: string | null, value: string | null = null): Variable => ({
  path,
  from,
  value,
  edit: from !== null,
  resync: from !== null,
  hidden: false,
  label: null,
  group: 'mapped',
})

function signature(
  id: string,
  selection: readonly Condition[] | 'everyone',
  during: Period | null = null,
): Signature {
  return {
    id,
    name: `Signature ${id}`,
    template: `templates/${id}.html`,
    reply: null,
    mobile: null,
    selection: { for: selection === 'everyone' ? selection : [selection], not: [] },
    during,
    recipients: 'everyone',
    collection: null,
  }
}

const QUARTERS = [0, 1, 2, 3] as const

/** Each person gets one of each four, and the signature for everyone. The last three are outside their period. */
const SIGNATURES: readonly Signature[] = [
  ...QUARTERS.map((quarter) =>
    signature(
      `department${String(quarter)}`,
      [{ by: 'field', field: 'department', values: [`Department ${String(quarter)}`] }],
      OPEN,
    ),
  ),
  ...QUARTERS.map((quarter) =>
    signature(`country${String(quarter)}`, [
      { by: 'field', field: 'country', values: [`C${String(quarter)}`, 'nowhere'] },
      { by: 'address', values: [`*@${DOMAIN}`] },
    ]),
  ),
  ...QUARTERS.map((quarter) =>
    signature(`group${String(quarter)}`, [{ by: 'group', values: [`group-${String(quarter)}`] }]),
  ),
  ...QUARTERS.map((quarter) =>
    signature(
      `level${String(quarter)}`,
      [{ by: 'field', field: 'level', values: [String(quarter)] }],
      quarter < 2 ? OPEN : null,
    ),
  ),
  signature('everyone', 'everyone'),
  ...['fair', 'winter', 'summer'].map((id) => signature(id, 'everyone', CLOSED)),
]

/** Blocks for some countries, for half of the people in future seasons, and for everyone. */
const BLOCKS: readonly Block[] = QUARTERS.flatMap((quarter) => {
  const block = (id: string, slot: string, over: Partial<Block> = {}): Block => ({
    id: `${id}${String(quarter)}`,
    name: `Block ${id}`,
    slot,
    template: 'templates/block.html',
    selection: { for: 'everyone', not: [] },
    during: null,
    recipients: 'everyone',
    replies: true,
    share: 100,
    ...over,
  })
  const year = String(2090 + quarter)
  return [
    block('country', 'banner', {
      selection: { for: [[{ by: 'field', field: 'country', values: [`C${String(quarter)}`] }]], not: [] },
      recipients: 'external',
    }),
    block('season', 'banner', {
      during: { ...OPEN, from: `${year}-04-01`, to: `${year}-09-30` },
      share: 50,
    }),
    block('notice', 'notice', { recipients: quarter < 3 ? 'external' : 'everyone', replies: false }),
  ]
})

const WORKING_HOURS: Hours = {
  spans: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' }],
  timeZone: 'Europe/Berlin',
}
/** The rules of each kind, by the id of the block that has them. */
const RULES_OF_BLOCKS: Readonly<Record<string, Partial<Block>>> = {
  country0: { recipients: ['Partners'] },
  country1: { recipients: ['Customers', 'anna@fabrikam.example'] },
  country2: { hours: WORKING_HOURS },
  season0: { turns: 'mail' },
  notice0: { ownDays: { from: 'absence_from', to: 'absence_to', before: 14, timeZone: 'Europe/Berlin' } },
  notice1: { thread: 'later' },
}
const LISTED = 5_000
const LISTS = {
  Partners: Array.from({ length: LISTED }, (_, index) => `partner${String(index)}.example`),
  Customers: Array.from({ length: LISTED }, (_, index) => `buyer${String(index)}@customer.example`),
}

/** Like a banner of the demonstration. */
const BLOCK = `<a href="{{counted https://www.northwind.example/}}"><img src="{{picture logo.png}}" width="520" height="90" alt="{{first_name}}, meet us" border="0" style="display:block;border:0;"></a>`
const SLOTS = `{{#block banner}}<p style="${STYLE}">{{block}}</p>{{/block}}{{block notice}}`

/**
 * @param legal the part in every template
 * @param everyone a text in the template of the signature for everyone
 * @param hasBlocks whether every signature has two slots, with 12 blocks in total
 * @param hasRules whether these blocks have recipient lists, hours, own days, a place in threads and shares of messages,
 *   and one signature is for first messages
 */
export function documentWith({
  organisation = 'Northwind Trading',
  legal = LEGAL,
  everyone = 'everyone',
  hasBlocks = false,
  hasRules = false,
} = {}): ReleaseDocument {
  const slots = hasBlocks ? SLOTS : ''
  return {
    version: 1,
    organisation,
    internal: [DOMAIN],
    chooseDefault: { for: 'everyone', not: [] },
    plan: { from: null, value: 'full' },
    variables: [
      variable('first_name', 'givenName'),
      variable('last_name', 'surname'),
      variable('job_title', 'jobTitle'),
      variable('department', 'department'),
      variable('office', 'officeLocation'),
      variable('phone', 'businessPhones.0'),
      variable('mobile', 'mobilePhone'),
      variable('website', null, 'https://www.northwind.example'),
      variable('legal_line', null, 'Northwind Trading Ltd, Company no. 123456.'),
      variable('email', null),
      ...(hasRules ? [variable('absence_from', 'absenceFrom'), variable('absence_to', 'absenceTo')] : []),
    ],
    signatures: hasRules
      ? SIGNATURES.map((each) => (each.id === 'everyone' ? { ...each, thread: 'first' } : each))
      : SIGNATURES,
    ...(hasRules && { lists: LISTS }),
    mailboxes: [],
    templates: {
      ...Object.fromEntries(
        SIGNATURES.map(({ id }) => [
          `templates/${id}.html`,
          template(id === 'everyone' ? everyone : id) + slots,
        ]),
      ),
      'templates/legal.part.html': legal,
      ...(hasBlocks && { 'templates/block.html': BLOCK }),
    },
    ...(hasBlocks && {
      blocks: hasRules ? BLOCKS.map((block) => ({ ...block, ...RULES_OF_BLOCKS[block.id] })) : BLOCKS,
    }),
    pictures: { 'logo.png': PICTURE_HASH },
  }
}

/** Phone numbers that exist, because a number that does not exist takes three times as long. */
const NUMBER = `(3000000 + n)`
const FIELDS = `json_build_object(
  'givenName', 'Maria', 'surname', 'Silva ' || n, 'jobTitle', 'Account manager',
  'department', 'Department ' || n % 4, 'country', 'C' || n / 4 % 4, 'level', (n / 64 % 4)::text,
  'officeLocation', 'Lisbon', 'businessPhones.0', '+351 21 ' || ${NUMBER}, 'mobilePhone', '+351 91 ' || ${NUMBER})`
const ID = `'p' || lpad(n::text, 8, '0')`
const ADDRESS = `${ID} || '@${DOMAIN}'`
const GROUPS = `array['staff', 'group-' || n / 16 % 4]`
const WORDS = `array[${ID}, 'maria', 'silva', n::text, ${NUMBER}::text, 'account', 'manager', 'department', (n % 4)::text, 'c' || n / 4 % 4,
  (n / 64 % 4)::text, 'lisbon', '351', '21', '91', 'northwind', 'example']`

/** One statement for each table. They create the same rows and facts as an import from a directory. */
const FILL = (people: number, { id: organisation, tenant }: Organisation) => [
  `insert into event (organisation, stream, version, type, data, actor, at)
   select '${organisation}', 'person/' || ${ID}, 0, 'person/imported', json_build_object('record', json_build_object(
     'addresses', array[${ADDRESS}], 'account', json_build_object('tenant', '${tenant}', 'oid', 'oid-' || ${ID}),
     'language', null, 'fields', ${FIELDS}, 'groups', ${GROUPS}, 'picture', null)), 'bench', 0
   from generate_series(1, ${String(people)}) as n`,
  `insert into person (organisation, id, revision, tenant, oid, active, addresses, language, directory, groups,
     own_values, metadata, picture, directory_picture, name_order, department_order, order_revision, words_revision)
   select '${organisation}', ${ID}, 1, '${tenant}', 'oid-' || ${ID}, true, array[${ADDRESS}], null, ${FIELDS}, ${GROUPS},
     '{}', '{}', null, null, 'maria silva ' || n, 'department ' || n % 4, 1, 1
   from generate_series(1, ${String(people)}) as n`,
  `insert into address (organisation, address, person)
   select '${organisation}', ${ADDRESS}, ${ID} from generate_series(1, ${String(people)}) as n`,
  // For many rows, creating the indexes afterwards is faster.
  `alter table person_word drop constraint person_word_pkey, drop constraint person_word_organisation_person_fkey;
   drop index person_word_person;
   insert into person_word (organisation, word, person)
   select '${organisation}', word, ${ID} from generate_series(1, ${String(people)}) as n,
     lateral (select distinct word from unnest(${WORDS}) as word) as own;
   alter table person_word add primary key (organisation, word, person),
     add foreign key (organisation, person) references person (organisation, id) on delete cascade;
   create index person_word_person on person_word (organisation, person)`,
]

/**
 * Creates the people, and publishes the document. Resolves with the store, and a function to publish again. For an
 * embedded database, `close` it before the service starts.
 */
export async function found(
  address: StoreAddress,
  people: number,
  document = documentWith(),
  organisation = OWN,
) {
  const driver = await openDatabase(address)
  // Not through the pool, which limits the duration of a statement.
  if (address.kind === 'postgres') {
    const client = new pg.Client({ connectionString: address.url })
    await client.connect()
    await client.query("set maintenance_work_mem = '512MB'")
    for (const sql of FILL(people, organisation)) await client.query(sql)
    await client.query('vacuum analyze')
    await client.end()
  } else {
    for (const sql of FILL(people, organisation)) await driver.script(sql)
  }
  const store = createStore(driver, organisation.id)
  await refuseOtherRows(store, Math.ceil(people / 2))
  await refuseOtherWords(driver, store, Math.ceil(people / 2))
  await refuseOtherOrder(driver, store, Math.ceil(people / 2))
  await store.keepPicture(PICTURE_HASH, { mediaType: 'image/png', bytes: PICTURE })
  const releases = await createReleases({
    formats: PLAIN_FORMATS,
    store,
    name: 'Northwind Trading',
    tenants: [organisation.tenant],
    now: Date.now,
  })
  /** Publishes like another instance. Resolves with the release's id. */
  const publish = (content: ReleaseDocument) =>
    publishDocument({ store, releases }, content, 'bench', 'bench')
  await publish(document)
  return {
    store,
    publish,
    close: async () => {
      releases.end()
      await store.close()
    },
  }
}

/** Throws unless a person's row from SQL equals the row that the person's facts give. */
async function refuseOtherRows(store: Store, person: number): Promise<void> {
  const id = idOf(person)
  const facts: readonly Recorded<PersonFact>[] = await store.personFacts(id, 0)
  const folded = facts.reduce<PersonState | null>((state, fact) => evolvePerson(state, fact, id), null)
  if (folded === null || !isDeepStrictEqual(folded, await store.person(id)))
    throw new Error(`The row of ${id} does not match its facts`)
}

/** Throws unless a person's words from SQL equal the words of the person's row. */
async function refuseOtherWords(driver: DatabaseDriver, store: Store, person: number): Promise<void> {
  const id = idOf(person)
  const rows = await driver.query<{ word: string }>('select word from person_word where person = $1', [id])
  const row = await store.person(id)
  if (row === null || !isDeepStrictEqual(rows.map(({ word }) => word).sort(), [...personWordsOf(row)].sort()))
    throw new Error(`The words of ${id} do not match its row`)
}

/** Throws unless a person's stored order from SQL equals the order of the person's row. */
async function refuseOtherOrder(driver: DatabaseDriver, store: Store, person: number): Promise<void> {
  const id = idOf(person)
  const row = await store.person(id)
  const stored = await driver.query(
    `select name_order as name, department_order as department, order_revision as revision from person where id = $1`,
    [id],
  )
  const order = row && { name: nameOrderOf(row), department: departmentOrderOf(row), revision: row.revision }
  if (!isDeepStrictEqual(stored, [order])) throw new Error(`The order of ${id} does not match its row`)
}
