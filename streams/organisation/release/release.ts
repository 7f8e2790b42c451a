/**
 * A release: everything that an organisation publishes, as one JSON document that never changes. It is made from a
 * folder of signatures (`docs/signatures-as-a-folder.md`).
 */
import {
  flag,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type OutOf,
  record,
  text,
  union,
  variant,
} from '../../kernel/schema.ts'
import { finish, type Steps } from '../../kernel/steps.ts'
import { type Formats, PLAIN } from '../template/formats.ts'
import { parseTemplate, type PlaceholderKind, type Template, variablesIn } from '../template/template.ts'

const fieldCondition = object({ by: oneOf('field'), field: text, values: list(text) })

/**
 * What the value of a field must be. `starts`, `ends` and `contains` want one of the texts, in any case; `any` a value
 * that is not empty; `before` and `after` a date, which the value is or begins with: `2026-09-01T08:00:00Z`.
 */
const test = variant(
  'is',
  object({ is: oneOf('starts', 'ends', 'contains'), values: list(text) }),
  object({ is: oneOf('any') }),
  object({ is: oneOf('before', 'after'), day: text }),
)
export type Test = OutOf<typeof test>

/** A field passes all tests. Each kind of test is there at most once. */
const testCondition = object({ by: oneOf('test'), field: text, tests: list(test) })

/** A condition on the person's manager, whose fields are `manager.<field>` of the person, and whose address is `mail`. */
const managerCondition = variant(
  'by',
  object({ by: oneOf('person', 'address'), values: list(text) }),
  fieldCondition,
  testCondition,
)
export type ManagerCondition = OutOf<typeof managerCondition>

/**
 * A condition holds for a person who has one of `values` as a group, as an address, as the language or as the field's
 * value, whose field passes all `tests`, or for whose manager all `conditions` hold.
 */
export const condition = variant(
  'by',
  /** With `address`, the values are patterns: `*@sales.northwind.example`. */
  object({ by: oneOf('group', 'person', 'address'), values: list(text) }),
  /** The language `de` is that of `de-AT`, too. */
  object({ by: oneOf('language'), values: list(text) }),
  fieldCondition,
  testCondition,
  object({ by: oneOf('manager'), conditions: list(managerCondition) }),
)
export type Condition = OutOf<typeof condition>

/** The key under which a folder writes a condition. */
export const keyOf = (condition: Condition): string =>
  condition.by === 'field' || condition.by === 'test' ? condition.field : condition.by

const groups = list(list(condition))
/** A group selects a person if all its conditions hold. One group of `for` must do so, and no group of `not`. */
const selection = object({ for: union(oneOf('everyone'), groups), not: groups })
export type Selection = OutOf<typeof selection>

/** A value comes from the directory's field `from`. Without the field it is `value`, or empty. */
const source = { from: nullable(text), value: nullable(text) }
export type Source = Readonly<{ from: string | null; value: string | null }>

export const variable = object({
  path: text,
  ...source,
  /** The user may change the variable. */
  edit: flag,
  /** The user may set the variable back to the directory's value. */
  resync: flag,
  hidden: flag,
  label: nullable(text),
  /** Where the pane shows the variable; null is beside the name. `mapped` and `rest`: specification, section 3.6. */
  group: nullable(text),
})
export type Variable = OutOf<typeof variable>

/** A period lasts from the beginning of `from` to the end of `to`, in its time zone. A day is text: `2026-09-01`. */
export const period = object({ from: text, to: text, timeZone: text })
export type Period = OutOf<typeof period>

/** A signature's recipients: a list of domains, or `internal` / `external` by the organisation's own domains. */
export const recipients = union(oneOf('everyone', 'internal', 'external'), list(text))
export type Recipients = OutOf<typeof recipients>

const signature = object({
  /** Lower-case letters, digits and `_`. */
  id: text,
  name: text,
  /** `template`, `reply`, `mobile` and `meeting` are paths of templates in the document. */
  template: text,
  reply: nullable(text),
  mobile: nullable(text),
  /** For meetings; absent when there is none: a release keeps the id that it had. */
  meeting: optional(text),
  selection,
  during: nullable(period),
  recipients,
  collection: nullable(text),
})
export type Signature = OutOf<typeof signature>

/** The fields of a signature with the templates of its versions. */
export const VERSIONS = ['template', 'reply', 'mobile', 'meeting'] as const

/** A signature, or a block, which has one version for all messages. */
export type OfTemplates = Pick<Signature, 'name' | 'template'> &
  Partial<Pick<Signature, (typeof VERSIONS)[number]>>

/** The paths of the versions of a signature or block. */
export const usesOf = (of: OfTemplates): readonly string[] => VERSIONS.flatMap((version) => of[version] ?? [])

/** A part of signatures that stands in a slot of their templates, for certain people, days and messages. */
const block = object({
  /** As of a signature. */
  id: text,
  name: text,
  /** The place in templates: `{{block banner}}`. */
  slot: text,
  template: text,
  selection,
  during: nullable(period),
  recipients,
  /** Whether the block stands in replies and forwards, too. */
  replies: flag,
  /** The percentage of the selected people who get the block, from 1 to 100. */
  share: number,
})
export type Block = OutOf<typeof block>

/**
 * What the add-in asks about before a message leaves: a message of these people to these recipients without a signature,
 * or a message without a block that is due in it.
 */
const guardRule = variant(
  'missing',
  object({ missing: oneOf('signature'), selection, recipients }),
  object({ missing: oneOf('block'), block: text }),
)
export type GuardRule = OutOf<typeof guardRule>

/** How many people publishing may change without being told to: a number of people, or a percentage of all. */
const limits = object({ people: object({ most: number, of: oneOf('people', 'percent') }) })
export type Limits = OutOf<typeof limits>

/** A shared mailbox. Its `values` of variables win over the directory's values. */
const mailbox = object({
  /** In lower case. */
  address: text,
  selection,
  values: record(text),
})
export type Mailbox = OutOf<typeof mailbox>

/** What the editor offers and the check compares with. Colours by their names, in CSS; pictures by their paths. */
const brand = object({ colours: record(text), fonts: list(text), logos: list(text) })
export type Brand = OutOf<typeof brand>

/** The addresses of people's cards are allowed, but not for a person whose value of the variable `unless` is not empty. */
const cards = object({ unless: text })
export type Cards = OutOf<typeof cards>

/** A document's fields. `documentSchema` (streams/wire/administration) also checks whether values are correct. */
export const releaseDocument = object({
  version: oneOf(1),
  organisation: text,
  /** The domains whose recipients are internal, in lower case. */
  internal: list(text),
  /** Who may choose their default (specification, CFG-2). */
  chooseDefault: selection,
  /** The plan in the response of the subscription call. */
  plan: object(source),
  variables: list(variable),
  /** In the order of priority. */
  signatures: list(signature),
  mailboxes: list(mailbox),
  /** In the order of priority within each slot. Absent when there are none: a release keeps the id that it had. */
  blocks: optional(list(block)),
  /** What is asked about before a message leaves; absent when nothing is. */
  guard: optional(list(guardRule)),
  /** Whether clicks on `{{counted …}}` addresses are counted; absent when they are not. */
  counting: optional(flag),
  /** Absent when publishing may change any number of people. */
  limits: optional(limits),
  /** The organisation's colours, fonts and logos; absent when it names none: a release keeps the id that it had. */
  brand: optional(brand),
  /** Absent when no card has an address: a release keeps the id that it had. */
  cards: optional(cards),
  /** The texts of the templates and parts by their path in the folder. */
  templates: record(text),
  /** The hashes of the pictures by their path below `pictures/`: `banners/autumn.png`. */
  pictures: record(text),
})
export type ReleaseDocument = OutOf<typeof releaseDocument>

/** A release in memory with its parsed templates. */
export type Release = Readonly<{
  /** The first 32 hex digits of the SHA-256 of `canonicalText(document)`. */
  id: string
  document: ReleaseDocument
  /** The template at a path in the document; null for the path of a part. */
  templateOf: (path: string) => Template | null
  signatureOf: (id: string) => Signature | null
  /** The mailbox with an address in lower case. */
  mailboxOf: (address: string) => Mailbox | null
  variableOf: (path: string) => Variable | null
  /** The blocks of a slot, in the order of the folder. */
  blocksIn: (slot: string) => readonly Block[]
  /** The names of values that its templates show or test, parts included. */
  names: ReadonlySet<string>
  /** Whether something needs `formats`: `{{phone …}}`, `{{tel …}}`, `{{qr …}}`, the postal address, or the addresses of cards. */
  isFormatted: boolean
  /** How values are written. */
  formats: Formats
}>

/** The JSON of a value with sorted keys: equal values have the same text. */
export const canonicalText = (value: unknown): string => [...canonicalPieces(value)].join('')

/** The text of `canonicalText` in pieces. */
export function* canonicalPieces(value: unknown): Generator<string, void, void> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value)
    return
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* canonicalPieces(item)
    }
    yield value.length === 0 ? '[]' : ']'
    return
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [index, [key, member]] of members.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`
    yield* canonicalPieces(member)
  }
  yield members.length === 0 ? '{}' : '}'
}

const PART = /^(?:templates\/)?(.+)\.part\.html$/

/** The name in `{{> name}}` of the part at a path; null for another path. */
export const partName = (path: string): string | null => PART.exec(path)?.[1] ?? null

/** The texts of a document's parts by their names. */
export const partsOf = (templates: ReleaseDocument['templates']): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(templates).flatMap(([path, text]) => {
      const name = partName(path)
      return name === null ? [] : [[name, text] as const]
    }),
  )

/** The name of the postal address, unless a variable has it. */
export const ADDRESS = 'address'

/** The name of the address of a person's card, unless a variable has it. */
export const CARD_ADDRESS = 'card'

const NO_BLOCKS: readonly Block[] = []

export const compileRelease = (...given: Parameters<typeof compiling>): Release => finish(compiling(...given))

/**
 * `compileRelease` in steps, one for each template.
 *
 * @param formats without them, values are written as they are, and there are no QR codes
 */
export function* compiling(id: string, document: ReleaseDocument, formats: Formats = PLAIN): Steps<Release> {
  const parts = partsOf(document.templates)
  const read = new Map<string, Template>()
  const templates = new Map<string, Template>()
  const names = new Set<string>()
  const kinds = new Set<PlaceholderKind>()
  const note = ({ placeholders }: Template) => {
    for (const placeholder of placeholders) {
      for (const name of variablesIn(placeholder)) names.add(name)
      kinds.add(placeholder.kind)
    }
  }
  for (const [path, text] of Object.entries(document.templates)) {
    if (partName(path) !== null) continue
    const { template } = parseTemplate(text, parts, read)
    templates.set(path, template)
    note(template)
    yield
  }
  for (const part of read.values()) note(part)
  const signatures = new Map(document.signatures.map((signature) => [signature.id, signature]))
  const mailboxes = new Map(document.mailboxes.map((mailbox) => [mailbox.address, mailbox]))
  const variables = new Map(document.variables.map((variable) => [variable.path, variable]))
  const slots = new Map<string, Block[]>()
  for (const block of document.blocks ?? []) {
    const blocks = slots.get(block.slot)
    if (blocks) blocks.push(block)
    else slots.set(block.slot, [block])
  }
  return {
    id,
    document,
    templateOf: (path) => templates.get(path) ?? null,
    signatureOf: (name) => signatures.get(name) ?? null,
    mailboxOf: (address) => mailboxes.get(address) ?? null,
    variableOf: (path) => variables.get(path) ?? null,
    blocksIn: (slot) => slots.get(slot) ?? NO_BLOCKS,
    names,
    isFormatted:
      document.cards !== undefined ||
      kinds.has('phone') ||
      kinds.has('tel') ||
      kinds.has('qr') ||
      (names.has(ADDRESS) && !variables.has(ADDRESS)),
    formats,
  }
}
