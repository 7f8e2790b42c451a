/** The schema for a release document in a request. It accepts every document that a folder can contain. */
import {
  anything,
  flag,
  map,
  nullable,
  number,
  oneOf,
  optional,
  record,
  type Schema,
  strict,
  union,
  variant,
  when,
} from '../../kernel/schema.ts'
import { hash } from './shapes.ts'
import { integer, listUpTo, matching, recordUpTo, textUpTo } from '../../kernel/limits.ts'
import { MAX_LIMIT } from '../../organisation/plan/peopleLimit.ts'
import {
  type Condition,
  type GuardRule,
  keyOf,
  type ManagerCondition,
  type ReleaseDocument,
} from '../../organisation/release/release.ts'
import { isColour, isColourName, isFontName } from '../../organisation/release/brand.ts'
import {
  isAddress,
  isAddressPattern,
  isDay,
  isDomain,
  isField,
  isLanguage,
  isTestedField,
  isStorableText,
  isTimeZone,
  isValueField,
  isVariable,
  SIGNATURE_ID,
} from '../../organisation/release/names.ts'
import {
  isPicturePath,
  isTemplatePath,
  MAX_FILES,
  MAX_TEMPLATE_CHARACTERS,
  MAX_TEMPLATES_CHARACTERS,
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

const short = when(textUpTo(MAX_TEXT_CHARACTERS), isStorableText, 'a text of whole characters')
const formed = (isOne: (given: string) => boolean, what: string) =>
  when(textUpTo(MAX_TEXT_CHARACTERS), isOne, what)
const values = (item: Schema<string>) => listUpTo(item, MAX_VALUES, 1)

const unique = <Item>(items: Schema<readonly Item[]>, of: (item: Item) => string) =>
  when(items, (all) => new Set(all.map(of)).size === all.length, 'a list without the same twice')

const addresses = {
  person: strict({ by: oneOf('person'), values: values(formed(isAddress, 'an address')) }),
  address: strict({ by: oneOf('address'), values: values(formed(isAddressPattern, 'an address pattern')) }),
}
const texts = values(when(textUpTo(MAX_TEXT_CHARACTERS, 1), isStorableText, 'a text of whole characters'))
const test = variant(
  'is',
  strict({ is: oneOf('starts', 'ends', 'contains'), values: texts }),
  strict({ is: oneOf('any') }),
  strict({ is: oneOf('before', 'after'), day: formed(isDay, 'a day') }),
)
const fieldCondition = (isOne: (name: string) => boolean) =>
  strict({ by: oneOf('field'), field: formed(isOne, 'a field of the directory'), values: values(short) })
const testCondition = (isOne: (name: string) => boolean) =>
  strict({
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
      fieldCondition(isTestedField),
      testCondition(isTestedField),
    ),
    MAX_CONDITIONS,
    1,
  ),
  keyOf,
)
const condition = variant(
  'by',
  strict({ by: oneOf('group'), values: values(textUpTo(MAX_TEXT_CHARACTERS, 1)) }),
  addresses.person,
  addresses.address,
  strict({ by: oneOf('language'), values: values(formed(isLanguage, 'a language')) }),
  // Accepts a field named `language`, because old releases, from before the language condition, may have one. A folder
  // writes it as a language condition.
  fieldCondition((name) => isValueField(name) || name === 'language'),
  testCondition(isTestedField),
  strict({ by: oneOf('manager'), conditions: ofManager }),
) satisfies Schema<Condition>
/** Each key may occur only once, because a folder writes a group of conditions as a map. */
const group = unique(listUpTo<Condition, unknown>(condition, MAX_CONDITIONS, 1), keyOf)
const selection = strict({
  for: union(oneOf('everyone'), listUpTo(group, MAX_CONDITIONS, 1)),
  not: listUpTo(group, MAX_CONDITIONS),
})
const none = map(listUpTo(anything, 0), (): readonly never[] => [])
const noUser = strict({ for: none, not: none })

const source = { from: nullable(formed(isField, 'a field of the directory')), value: nullable(short) }

const templatePath = formed(isTemplatePath, 'the path of a template')

const period = strict({
  from: formed(isDay, 'a day'),
  to: formed(isDay, 'a day'),
  timeZone: formed(isTimeZone, 'a time zone'),
})

const recipients = union(oneOf('everyone', 'internal', 'external'), values(formed(isDomain, 'a domain')))

const signature = strict({
  id: matching(SIGNATURE_ID, 'the id of a signature'),
  name: short,
  template: templatePath,
  reply: nullable(templatePath),
  mobile: nullable(templatePath),
  meeting: optional(templatePath),
  selection,
  during: nullable(period),
  recipients,
  collection: nullable(short),
})

const block = strict({
  id: matching(SIGNATURE_ID, 'the id of a block'),
  name: short,
  slot: formed(isVariable, 'the name of a slot'),
  template: templatePath,
  selection,
  during: nullable(period),
  recipients,
  replies: flag,
  share: when(
    number,
    (share) => Number.isInteger(share) && share >= 1 && share <= 100,
    'a share from 1 to 100',
  ),
})

const guardRule = variant(
  'missing',
  strict({ missing: oneOf('signature'), selection, recipients }),
  strict({ missing: oneOf('block'), block: matching(SIGNATURE_ID, 'the id of a block') }),
)

const peopleLimit = strict({ most: integer(0, MAX_LIMIT), of: oneOf('people') })
const percentLimit = strict({ most: integer(0, 100), of: oneOf('percent') })

const brand = when(
  strict({
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

const variable = when(
  strict({
    path: formed(isVariable, 'the name of a variable'),
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
  when(recordUpTo(item, MAX_FILES, formed(isPath, 'a path')), areFiles, 'files that are not folders, too')

/** Documents that this schema accepts can be written as a folder and read back. `checkFolder` finds other mistakes. */
export const documentSchema: Schema<ReleaseDocument> = strict({
  version: oneOf(1),
  organisation: formed((name) => isStorableText(name) && name.trim() !== '', 'a name'),
  internal: listUpTo(formed(isDomain, 'a domain'), MAX_VALUES),
  chooseDefault: union(selection, noUser),
  plan: strict({ ...source, value: short }),
  variables: unique(listUpTo(variable, MAX_VARIABLES), ({ path }) => path),
  signatures: unique(listUpTo(signature, MAX_SIGNATURES), ({ id }) => id),
  mailboxes: unique(
    listUpTo(
      strict({
        address: formed(isAddress, 'an address'),
        selection,
        values: record(short, formed(isVariable, 'the name of a variable')),
      }),
      MAX_MAILBOXES,
    ),
    ({ address }) => address,
  ),
  blocks: optional(unique(listUpTo(block, MAX_BLOCKS, 1), ({ id }) => id)),
  guard: optional(listUpTo<GuardRule, unknown>(guardRule, MAX_GUARD, 1)),
  counting: optional(when(flag, (isOn) => isOn, 'true')),
  limits: optional(strict({ people: union(peopleLimit, percentLimit) })),
  brand: optional(brand),
  cards: optional(strict({ unless: formed(isVariable, 'the name of a variable') })),
  templates: when(
    files(
      when(
        textUpTo(MAX_TEMPLATE_CHARACTERS),
        (html) => isStorableText(html) && !html.startsWith('\uFEFF'),
        'a text of whole characters',
      ),
      isTemplatePath,
    ),
    (templates) =>
      Object.values(templates).reduce((sum, { length }) => sum + length, 0) <= MAX_TEMPLATES_CHARACTERS,
    `templates of at most ${MAX_TEMPLATES_CHARACTERS} characters together`,
  ),
  pictures: files(hash, isPicturePath),
})
