/** The schema for a release document in a request. It accepts every document that a folder can contain. */
import {
  anything,
  flag,
  mapSchema,
  nullable,
  number,
  oneOf,
  optional,
  record,
  type Schema,
  strictObject,
  union,
  variant,
  withCheck,
} from '../../kernel/schema.ts'
import { hash } from './shapes.ts'
import { integer, listUpTo, textMatching, recordUpTo, textUpTo } from '../../kernel/limits.ts'
import { roles } from './insight.ts'
import { isRoleName } from '../../organisation/plan/approval.ts'
import { MAX_PEOPLE_LIMIT } from '../../organisation/plan/peopleLimit.ts'
import {
  type Condition,
  type GuardRule,
  conditionKeyOf,
  type ManagerCondition,
  type ReleaseDocument,
} from '../../organisation/release/release.ts'
import { isColour, isColourName, isFontName } from '../../organisation/release/brand.ts'
import {
  isAddress,
  isAddressPattern,
  isDay,
  isDomain,
  isFieldName,
  isLanguageTag,
  isListName,
  isRecipient,
  isTestableField,
  isStorableText,
  isTimeZone,
  isValueField,
  isVariableName,
  MAX_DAYS_BEFORE,
  MAX_SPANS,
  SIGNATURE_ID_PATTERN,
} from '../../organisation/release/names.ts'
import { isTimeOfDay } from '../../organisation/release/hours.ts'
import {
  isPicturePath,
  isTemplatePath,
  MAX_FOLDER_FILES,
  MAX_LIST_ENTRIES,
  MAX_LISTS,
  MAX_TEMPLATE_CHARACTERS,
  MAX_TOTAL_TEMPLATE_CHARACTERS,
} from '../../organisation/release/paths.ts'

const MAX_TEXT_CHARACTERS = 10_000
const MAX_VALUES = 10_000
const MAX_CONDITIONS = 1000
const MAX_TESTS = 6
const MAX_VARIABLES = 500
const MAX_SIGNATURES = 1000
const MAX_MAILBOXES = 20_000
/**
 * The maximum number of blocks. Each block may start or end within another block's period, so the size of a plan grows
 * with the square of this number.
 */
const MAX_BLOCKS = 200
const MAX_GUARD = 200
/** The maximum number of colours, of fonts and of logos in a brand. */
const MAX_BRAND = 200

const short = withCheck(textUpTo(MAX_TEXT_CHARACTERS), isStorableText, 'a text of whole characters')
const formed = (isOne: (given: string) => boolean, what: string) =>
  withCheck(textUpTo(MAX_TEXT_CHARACTERS), isOne, what)
const values = (item: Schema<string>) => listUpTo(item, MAX_VALUES, 1)

const unique = <Item>(items: Schema<readonly Item[]>, of: (item: Item) => string) =>
  withCheck(items, (all) => new Set(all.map(of)).size === all.length, 'a list without the same twice')

const addresses = {
  person: strictObject({ by: oneOf('person'), values: values(formed(isAddress, 'an address')) }),
  address: strictObject({
    by: oneOf('address'),
    values: values(formed(isAddressPattern, 'an address pattern')),
  }),
}
const texts = values(
  withCheck(textUpTo(MAX_TEXT_CHARACTERS, 1), isStorableText, 'a text of whole characters'),
)
const test = variant(
  'is',
  strictObject({ is: oneOf('starts', 'ends', 'contains'), values: texts }),
  strictObject({ is: oneOf('any') }),
  strictObject({ is: oneOf('before', 'after'), day: formed(isDay, 'a day') }),
)
const fieldCondition = (isOne: (name: string) => boolean) =>
  strictObject({
    by: oneOf('field'),
    field: formed(isOne, 'a field of the directory'),
    values: values(short),
  })
const testCondition = (isOne: (name: string) => boolean) =>
  strictObject({
    by: oneOf('test'),
    field: formed(isOne, 'a field of the directory'),
    tests: unique(listUpTo(test, MAX_TESTS, 1), ({ is }) => is),
  })
const ofManager = unique(
  listUpTo<ManagerCondition, unknown>(
    variant(
      'by',
      addresses.person,
      addresses.address,
      fieldCondition(isTestableField),
      testCondition(isTestableField),
    ),
    MAX_CONDITIONS,
    1,
  ),
  conditionKeyOf,
)
const condition = variant(
  'by',
  strictObject({ by: oneOf('group'), values: values(textUpTo(MAX_TEXT_CHARACTERS, 1)) }),
  addresses.person,
  addresses.address,
  strictObject({ by: oneOf('language'), values: values(formed(isLanguageTag, 'a language')) }),
  // Accepts a field named `language`, because old releases, from before the language condition, may have one. A folder
  // writes it as a language condition.
  fieldCondition((name) => isValueField(name) || name === 'language'),
  testCondition(isTestableField),
  strictObject({ by: oneOf('manager'), conditions: ofManager }),
) satisfies Schema<Condition>
/** Each key may occur only once, because a folder writes a group of conditions as a map. */
const group = unique(listUpTo<Condition, unknown>(condition, MAX_CONDITIONS, 1), conditionKeyOf)
/** The rules for which people get something. */
export const selection = strictObject({
  for: union(oneOf('everyone'), listUpTo(group, MAX_CONDITIONS, 1)),
  not: listUpTo(group, MAX_CONDITIONS),
})
const none = mapSchema(listUpTo(anything, 0), (): readonly never[] => [])
const noUser = strictObject({ for: none, not: none })

const source = { from: nullable(formed(isFieldName, 'a field of the directory')), value: nullable(short) }

const templatePath = formed(isTemplatePath, 'the path of a template')

const period = strictObject({
  from: formed(isDay, 'a day'),
  to: formed(isDay, 'a day'),
  timeZone: formed(isTimeZone, 'a time zone'),
})

const recipients = union(
  oneOf('everyone', 'internal', 'external'),
  values(
    formed(
      (text) => isRecipient(text) || isListName(text),
      'a domain, an address or the name of a recipient list',
    ),
  ),
)
/** Without a list, the field is absent. */
const lists = withCheck(
  recordUpTo(
    unique(listUpTo(formed(isRecipient, 'a domain or an address'), MAX_LIST_ENTRIES, 1), (entry) => entry),
    MAX_LISTS,
    formed(isListName, 'the name of a recipient list'),
  ),
  (all) => Object.keys(all).length > 0,
  'at least one recipient list',
)

const nameList = (isOne: (name: string) => boolean, what: string) =>
  unique(values(withCheck(textUpTo(MAX_TEXT_CHARACTERS, 1), isOne, what)), (name) => name)
const editors = optional(nameList(isStorableText, 'a group of the directory'))
const approver = (name: string) =>
  isStorableText(name) && (!isRoleName(name) || (roles as readonly string[]).includes(name))

const thread = optional(oneOf('first', 'later'))

const signature = strictObject({
  id: textMatching(SIGNATURE_ID_PATTERN, 'the id of a signature'),
  name: short,
  template: templatePath,
  reply: nullable(templatePath),
  mobile: nullable(templatePath),
  meeting: optional(templatePath),
  selection,
  during: nullable(period),
  recipients,
  thread,
  collection: nullable(short),
  editors,
})

const span = withCheck(
  strictObject({
    days: withCheck(
      listUpTo(integer(1, 7), 7, 1),
      (days) => days.every((day, index) => index === 0 || (days[index - 1] ?? 0) < day),
      'days in order',
    ),
    from: formed(isTimeOfDay, 'a time of the day'),
    to: formed(isTimeOfDay, 'a time of the day'),
  }),
  ({ from, to }) => from < to,
  'a time that ends after it begins',
)
const zone = formed(isTimeZone, 'a time zone')
const hours = strictObject({ spans: listUpTo(span, MAX_SPANS, 1), timeZone: zone })
const ownDays = strictObject({
  from: formed(isVariableName, 'the name of a variable'),
  to: formed(isVariableName, 'the name of a variable'),
  before: integer(0, MAX_DAYS_BEFORE),
  timeZone: zone,
})

const blockFields = strictObject({
  id: textMatching(SIGNATURE_ID_PATTERN, 'the id of a block'),
  name: short,
  slot: formed(isVariableName, 'the name of a slot'),
  template: templatePath,
  selection,
  during: nullable(period),
  recipients,
  thread,
  replies: flag,
  share: withCheck(
    number,
    (share) => Number.isInteger(share) && share >= 1 && share <= 100,
    'a share from 1 to 100',
  ),
  turns: optional(oneOf('mail')),
  hours: optional(hours),
  ownDays: optional(ownDays),
  editors,
})

/** A folder writes one `during` with one time zone. */
const block = withCheck(
  withCheck(
    withCheck(
      blockFields,
      ({ share, turns }) => turns === undefined || share < 100,
      'a share of messages below 100',
    ),
    ({ during, hours: ofWeek, ownDays: own }) => !own || (during === null && !ofWeek),
    'a block with own days or other days',
  ),
  ({ during, hours: ofWeek }) => !during || !ofWeek || during.timeZone === ofWeek.timeZone,
  'a block with one time zone',
)

const guardRule = variant(
  'missing',
  strictObject({ missing: oneOf('signature'), selection, recipients }),
  strictObject({ missing: oneOf('block'), block: textMatching(SIGNATURE_ID_PATTERN, 'the id of a block') }),
)

const peopleLimit = strictObject({ most: integer(0, MAX_PEOPLE_LIMIT), of: oneOf('people') })
const percentLimit = strictObject({ most: integer(0, 100), of: oneOf('percent') })

const brand = withCheck(
  strictObject({
    colours: recordUpTo(
      formed(isColour, 'a colour'),
      MAX_BRAND,
      formed(isColourName, 'the name of a colour'),
    ),
    fonts: listUpTo(formed(isFontName, 'the name of a font'), MAX_BRAND),
    logos: listUpTo(formed(isPicturePath, 'the path of a picture'), MAX_BRAND),
  }),
  ({ colours, fonts, logos }) => Object.keys(colours).length + fonts.length + logos.length > 0,
  'a brand with a colour, a font or a logo',
)

const variable = withCheck(
  strictObject({
    path: formed(isVariableName, 'the name of a variable'),
    ...source,
    edit: flag,
    resync: flag,
    hidden: flag,
    label: nullable(short),
    group: nullable(short),
  }),
  ({ from, resync }) => !resync || from !== null,
  'a variable with "from", for "resync"',
)

/** Whether no file path is also a folder in another path. */
function areFiles(files: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(files).every((path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (Object.hasOwn(files, path.slice(0, at))) return false
    return true
  })
}
const files = (item: Schema<string>, isPath: (path: string) => boolean) =>
  withCheck(
    recordUpTo(item, MAX_FOLDER_FILES, formed(isPath, 'a path')),
    areFiles,
    'files that are not folders, too',
  )

/** Documents that this schema accepts can be written as a folder and read back. `checkFolder` finds other mistakes. */
export const documentSchema: Schema<ReleaseDocument> = strictObject({
  version: oneOf(1),
  organisation: formed((name) => isStorableText(name) && name.trim() !== '', 'a name'),
  internal: listUpTo(formed(isDomain, 'a domain'), MAX_VALUES),
  chooseDefault: union(selection, noUser),
  plan: strictObject({ ...source, value: short }),
  variables: unique(listUpTo(variable, MAX_VARIABLES), ({ path }) => path),
  signatures: unique(listUpTo(signature, MAX_SIGNATURES), ({ id }) => id),
  mailboxes: unique(
    listUpTo(
      strictObject({
        address: formed(isAddress, 'an address'),
        selection,
        values: record(short, formed(isVariableName, 'the name of a variable')),
      }),
      MAX_MAILBOXES,
    ),
    ({ address }) => address,
  ),
  blocks: optional(unique(listUpTo(block, MAX_BLOCKS, 1), ({ id }) => id)),
  guard: optional(listUpTo<GuardRule, unknown>(guardRule, MAX_GUARD, 1)),
  counting: optional(withCheck(flag, (isOn) => isOn, 'true')),
  limits: optional(strictObject({ people: union(peopleLimit, percentLimit) })),
  brand: optional(brand),
  approval: optional(strictObject({ by: nameList(approver, 'a role, or a group of the directory') })),
  editors,
  cards: optional(strictObject({ unless: formed(isVariableName, 'the name of a variable') })),
  linked: optional(withCheck(flag, (isOn) => isOn, 'true')),
  lists: optional(lists),
  templates: withCheck(
    files(
      withCheck(
        textUpTo(MAX_TEMPLATE_CHARACTERS),
        (html) => isStorableText(html) && !html.startsWith('\uFEFF'),
        'a text of whole characters',
      ),
      isTemplatePath,
    ),
    (templates) =>
      Object.values(templates).reduce((sum, { length }) => sum + length, 0) <= MAX_TOTAL_TEMPLATE_CHARACTERS,
    `templates of at most ${MAX_TOTAL_TEMPLATE_CHARACTERS} characters together`,
  ),
  pictures: files(hash, isPicturePath),
})
