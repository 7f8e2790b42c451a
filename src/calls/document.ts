/** The schema of a release document that comes over the wire. It holds it to what a folder can hold. */
import * as v from 'valibot'
import { keyOf, type ReleaseDocument } from '../../streams/organisation/release.ts'
import {
  CONDITIONS,
  isAddress,
  isAddressPattern,
  isDay,
  isDomain,
  isField,
  isText,
  isTimeZone,
  isVariable,
  SIGNATURE_ID,
} from './names.ts'
import {
  isPicturePath,
  isTemplatePath,
  MAX_FILES,
  MAX_TEMPLATE_CHARACTERS,
  MAX_TEMPLATES_CHARACTERS,
} from './paths.ts'

const MAX_TEXT_CHARACTERS = 10_000
const MAX_VALUES = 10_000
const MAX_CONDITIONS = 1000
const MAX_VARIABLES = 500
const MAX_SIGNATURES = 1000
const MAX_MAILBOXES = 20_000

const text = v.pipe(v.string(), v.maxLength(MAX_TEXT_CHARACTERS), v.check(isText, 'No text'))
const matching = (isOne: (given: string) => boolean, what: string) =>
  v.pipe(v.string(), v.maxLength(MAX_TEXT_CHARACTERS), v.check(isOne, `No ${what}`))
const readonlyArray = <const Item extends v.GenericSchema>(item: Item, limit: number) =>
  v.pipe(v.array(item), v.maxLength(limit), v.readonly())

const unique = <Item>(of: (item: Item) => string) =>
  v.check<readonly Item[], string>(
    (items) => new Set(items.map(of)).size === items.length,
    'One is here twice',
  )

const values = <const Item extends v.GenericSchema<string>>(item: Item) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(MAX_VALUES), v.readonly())

const condition = v.variant('by', [
  v.strictObject({ by: v.literal('group'), values: values(v.pipe(text, v.minLength(1))) }),
  v.strictObject({ by: v.literal('person'), values: values(matching(isAddress, 'address')) }),
  v.strictObject({ by: v.literal('address'), values: values(matching(isAddressPattern, 'address pattern')) }),
  v.strictObject({
    by: v.literal('field'),
    field: matching((name) => isField(name) && !(CONDITIONS as readonly string[]).includes(name), 'field'),
    values: values(text),
  }),
])
/** Each key once: a folder writes a group of conditions as a map. */
const group = v.pipe(
  v.array(condition),
  v.minLength(1),
  v.maxLength(MAX_CONDITIONS),
  v.readonly(),
  unique(keyOf),
)
const some = v.pipe(v.array(group), v.minLength(1), v.maxLength(MAX_CONDITIONS), v.readonly())
const selection = v.strictObject({
  for: v.union([v.literal('everyone'), some]),
  not: readonlyArray(group, MAX_CONDITIONS),
})
const none = v.pipe(v.array(v.never()), v.maxLength(0), v.readonly())
const noUser = v.strictObject({ for: none, not: none })

const source = { from: v.nullable(matching(isField, 'field')), value: v.nullable(text) }

const templatePath = matching(isTemplatePath, 'path of a template')

const period = v.strictObject({
  from: matching(isDay, 'day'),
  to: matching(isDay, 'day'),
  timeZone: matching(isTimeZone, 'time zone'),
})

const signature = v.strictObject({
  id: v.pipe(v.string(), v.regex(SIGNATURE_ID)),
  name: text,
  template: templatePath,
  reply: v.nullable(templatePath),
  mobile: v.nullable(templatePath),
  selection,
  during: v.nullable(period),
  recipients: v.union([
    v.picklist(['everyone', 'internal', 'external']),
    values(matching(isDomain, 'domain')),
  ]),
  collection: v.nullable(text),
})

/** Keys that records of the schema library leave out; names of the format exclude them. */
const entriesOf = <const Value extends v.GenericSchema>(isKey: (key: string) => boolean, value: Value) =>
  v.record(matching(isKey, 'key'), value)

/** Whether no path is that of a folder in which another one stands. */
function areFiles(files: Readonly<Record<string, string>>): boolean {
  return Object.keys(files).every((path) => {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      if (Object.hasOwn(files, path.slice(0, at))) return false
    return true
  })
}

/** Gives a document of which every part can be written as a folder and read back. Does not say whether it is right. */
export const documentSchema: v.GenericSchema<unknown, ReleaseDocument> = v.strictObject({
  version: v.literal(1),
  organisation: matching((name) => isText(name) && name.trim() !== '', 'name'),
  internal: readonlyArray(matching(isDomain, 'domain'), MAX_VALUES),
  chooseDefault: v.union([selection, noUser]),
  plan: v.strictObject({ ...source, value: text }),
  variables: v.pipe(
    readonlyArray(
      v.pipe(
        v.strictObject({
          path: matching(isVariable, 'variable'),
          ...source,
          edit: v.boolean(),
          resync: v.boolean(),
          hidden: v.boolean(),
          label: v.nullable(text),
          group: v.nullable(text),
        }),
        v.check(({ from, resync }) => !resync || from !== null, '"resync" needs "from"'),
      ),
      MAX_VARIABLES,
    ),
    unique(({ path }) => path),
  ),
  signatures: v.pipe(
    readonlyArray(signature, MAX_SIGNATURES),
    unique(({ id }) => id),
  ),
  mailboxes: v.pipe(
    readonlyArray(
      v.strictObject({
        address: matching(isAddress, 'address'),
        selection,
        values: entriesOf(isVariable, text),
      }),
      MAX_MAILBOXES,
    ),
    unique(({ address }) => address),
  ),
  templates: v.pipe(
    entriesOf(
      isTemplatePath,
      v.pipe(
        v.string(),
        v.maxLength(MAX_TEMPLATE_CHARACTERS),
        v.check((html) => isText(html) && !html.startsWith('\uFEFF'), 'No text'),
      ),
    ),
    v.check(
      (templates) =>
        Object.values(templates).reduce((sum, { length }) => sum + length, 0) <= MAX_TEMPLATES_CHARACTERS,
      'The templates are too large together',
    ),
    v.maxEntries(MAX_FILES),
    v.check(areFiles, 'A file is a folder, too'),
  ),
  pictures: v.pipe(
    entriesOf(isPicturePath, v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))),
    v.maxEntries(MAX_FILES),
    v.check(areFiles, 'A file is a folder, too'),
  ),
})
