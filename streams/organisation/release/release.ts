/**
 * A release: everything that an organisation publishes, as one immutable JSON document. It is built from a folder of
 * signatures (`docs/signatures-as-a-folder.md`).
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
import { runSteps, type Steps } from '../../kernel/steps.ts'
import { type Formats, PLAIN_FORMATS } from '../template/formats.ts'
import { parseTemplate, type PlaceholderKind, type Template, variablesIn } from '../template/template.ts'

const fieldCondition = object({ by: oneOf('field'), field: text, values: list(text) })

/**
 * A test of a field's value. `starts`, `ends` and `contains` compare with any of the texts, ignoring case. `any`
 * accepts every value that is not empty. `before` and `after` compare the date at the start of the value:
 * `2026-09-01T08:00:00Z`.
 */
const test = variant(
  'is',
  object({ is: oneOf('starts', 'ends', 'contains'), values: list(text) }),
  object({ is: oneOf('any') }),
  object({ is: oneOf('before', 'after'), day: text }),
)
export type FieldTest = OutOf<typeof test>

/** The field must pass all tests. It has at most one test of each kind. */
const testCondition = object({ by: oneOf('test'), field: text, tests: list(test) })

/**
 * A condition on the person's manager. It reads the person's fields `manager.<field>`; `manager.mail` is the manager's
 * address.
 */
const managerCondition = variant(
  'by',
  object({ by: oneOf('person', 'address'), values: list(text) }),
  fieldCondition,
  testCondition,
)
export type ManagerCondition = OutOf<typeof managerCondition>

/**
 * A condition holds if the person's group, address, language or field has one of `values`. A test condition holds if
 * the field passes all `tests`; a manager condition, if all `conditions` hold for the manager.
 */
export const condition = variant(
  'by',
  /** With `address`, the values are patterns: `*@sales.northwind.example`. */
  object({ by: oneOf('group', 'person', 'address'), values: list(text) }),
  /** The language `de` includes `de-AT`. */
  object({ by: oneOf('language'), values: list(text) }),
  fieldCondition,
  testCondition,
  object({ by: oneOf('manager'), conditions: list(managerCondition) }),
)
export type Condition = OutOf<typeof condition>

/** The key of a condition in `signet.yaml`: a field's name, `group`, `address` and so on. */
export const conditionKeyOf = (condition: Condition): string =>
  condition.by === 'field' || condition.by === 'test' ? condition.field : condition.by

const groups = list(list(condition))
/**
 * Each inner list is a group of conditions, which selects a person if all of them hold. A person must be selected by a
 * group in `for` and by none in `not`.
 */
const selection = object({ for: union(oneOf('everyone'), groups), not: groups })
export type Selection = OutOf<typeof selection>

/** Where a value comes from: the directory field `from`, or else `value`. Empty without both. */
const source = { from: nullable(text), value: nullable(text) }
export type VariableSource = Readonly<{ from: string | null; value: string | null }>

export const variable = object({
  path: text,
  ...source,
  /** Whether the user may change the variable. */
  edit: flag,
  /** Whether the user may reset the variable to the directory's value. */
  resync: flag,
  hidden: flag,
  label: nullable(text),
  /** The variable's group in the pane; null for the group "You". `mapped` and `rest`: specification, section 3.6. */
  group: nullable(text),
})
export type Variable = OutOf<typeof variable>

/** From the start of day `from` to the end of day `to`, in its time zone. A day is text: `2026-09-01`. */
export const period = object({ from: text, to: text, timeZone: text })
export type Period = OutOf<typeof period>

/**
 * A signature's recipients: everyone, `internal` / `external` by the organisation's domains, or a list of domains,
 * addresses (with `@`) and names of recipient lists (without `.` and `@`).
 */
export const recipients = union(oneOf('everyone', 'internal', 'external'), list(text))
export type Recipients = OutOf<typeof recipients>

/** Whether it is for a person's first message in a thread, or for later ones. Absent for all messages. */
export const thread = optional(oneOf('first', 'later'))

/** The directory groups whose members may change it. Absent if every publisher may. */
const editors = optional(list(text))

const signature = object({
  /** Lower-case letters, digits and `_`. */
  id: text,
  name: text,
  /** `template`, `reply`, `mobile` and `meeting` are paths of templates in the document. */
  template: text,
  reply: nullable(text),
  mobile: nullable(text),
  /** The version for meetings. Absent rather than null, so that earlier releases keep their ids. */
  meeting: optional(text),
  selection,
  during: nullable(period),
  recipients,
  collection: nullable(text),
  thread,
  editors,
})
export type Signature = OutOf<typeof signature>

/** The fields of a signature that name the templates of its versions. */
export const TEMPLATE_VERSIONS = ['template', 'reply', 'mobile', 'meeting'] as const

/** The templates of a signature, or of a block, which has only one. */
export type TemplateFields = Pick<Signature, 'name' | 'template'> &
  Partial<Pick<Signature, (typeof TEMPLATE_VERSIONS)[number]>>

/** The template paths of all versions of a signature or block. */
export const templatePathsOf = (of: TemplateFields): readonly string[] =>
  TEMPLATE_VERSIONS.flatMap((version) => of[version] ?? [])

/**
 * The hours of a week in which a block is open, in a time zone. `days` are numbered from Monday, which is 1. `from` and
 * `to` are times of the day, such as `08:00`; `24:00` is the end of a day.
 */
export const hours = object({
  spans: list(object({ days: list(number), from: text, to: text })),
  timeZone: text,
})
export type Hours = OutOf<typeof hours>

/**
 * Days that each person enters: the variables with the first and the last day, such as `2026-12-20`. The block opens
 * `before` days earlier.
 */
export const ownDays = object({ from: text, to: text, before: number, timeZone: text })
export type OwnDays = OutOf<typeof ownDays>

/** A reusable part of signatures. It fills a slot in their templates for certain people, days and messages. */
const block = object({
  /** Lower-case letters, digits and `_`. */
  id: text,
  name: text,
  /** The slot in templates: `{{block banner}}`. */
  slot: text,
  template: text,
  selection,
  during: nullable(period),
  recipients,
  /** Whether the block also appears in replies and forwards. */
  replies: flag,
  /** The percentage of selected people who get the block, or of their messages that show it (`turns`), from 1 to 100. */
  share: number,
  /** Absent if `share` is a percentage of people. */
  turns: optional(oneOf('mail')),
  thread,
  /** Absent if the block is open at all hours of `during`. */
  hours: optional(hours),
  /** Absent if the block is open on the same days for all people. */
  ownDays: optional(ownDays),
  editors,
})
export type Block = OutOf<typeof block>

/**
 * A rule for the add-in's question before sending. It applies if these people write to these recipients without a
 * signature, or if a message lacks a block that is due.
 */
const guardRule = variant(
  'missing',
  object({ missing: oneOf('signature'), selection, recipients }),
  object({ missing: oneOf('block'), block: text }),
)
export type GuardRule = OutOf<typeof guardRule>

/** How many people a publish may change without confirmation: a number, or a percentage of all people. */
const limits = object({ people: object({ most: number, of: oneOf('people', 'percent') }) })
export type PublishLimits = OutOf<typeof limits>

/** A shared mailbox. Its variable `values` win over the directory's values. */
const mailbox = object({
  /** In lower case. */
  address: text,
  selection,
  values: record(text),
})
export type SharedMailbox = OutOf<typeof mailbox>

/** The brand that the editor offers and `signet check` enforces: CSS colours by name, and pictures by path. */
const brand = object({ colours: record(text), fonts: list(text), logos: list(text) })
export type Brand = OutOf<typeof brand>

/** Allows web addresses for people's cards. A person opts out with any value in the variable `unless`. */
const cards = object({ unless: text })
export type CardSettings = OutOf<typeof cards>

/** The fields of a document. `documentSchema` (streams/wire/administration) also validates their values. */
export const releaseDocument = object({
  version: oneOf(1),
  organisation: text,
  /** The domains of internal recipients, in lower case. */
  internal: list(text),
  /** The people who may choose their default signature (specification, CFG-2). */
  chooseDefault: selection,
  /** The plan in the response to the subscription call. */
  plan: object(source),
  variables: list(variable),
  /** In the order of priority. */
  signatures: list(signature),
  mailboxes: list(mailbox),
  /** In the order of priority within each slot. Absent without blocks, so that earlier releases keep their ids. */
  blocks: optional(list(block)),
  /** The rules for the add-in's questions before sending; absent without rules. */
  guard: optional(list(guardRule)),
  /** Whether clicks on `{{counted …}}` addresses are counted; absent if not. */
  counting: optional(flag),
  /** Absent if a publish may change any number of people. */
  limits: optional(limits),
  /** The organisation's colours, fonts and logos. Absent without any, so that earlier releases keep their ids. */
  brand: optional(brand),
  /** Absent if cards have no web addresses, so that earlier releases keep their ids. */
  cards: optional(cards),
  /** The addresses and domains of recipient lists, by name; absent without any. */
  lists: optional(record(list(text))),
  /** The roles and directory groups, one of which a second person needs to approve a publish; absent without approval. */
  approval: optional(object({ by: list(text) })),
  /** The directory groups that may change all that has no `editors`; absent if every publisher may. */
  editors,
  /** Whether pictures are linked instead of attached; absent if only those that a template links. */
  linked: optional(flag),
  /** The texts of templates and parts, by path in the folder. */
  templates: record(text),
  /** The hashes of pictures, by path below `pictures/`: `banners/autumn.png`. */
  pictures: record(text),
})
export type ReleaseDocument = OutOf<typeof releaseDocument>

/** A release in memory with its parsed templates. */
export type Release = Readonly<{
  /** The first 32 hex digits of the SHA-256 of `canonicalText(document)`. */
  id: string
  document: ReleaseDocument
  /** The template at a path in the document; null for a part. */
  templateOf: (path: string) => Template | null
  signatureOf: (id: string) => Signature | null
  /** The mailbox with this address, in lower case. */
  mailboxOf: (address: string) => SharedMailbox | null
  variableOf: (path: string) => Variable | null
  /** The blocks in a slot, in the order of the folder. */
  blocksIn: (slot: string) => readonly Block[]
  /** The names of values that the templates show or test, including their parts. */
  names: ReadonlySet<string>
  /**
   * Whether the release needs `formats`: for `{{phone …}}`, `{{tel …}}`, `{{qr …}}`, postal addresses, or card
   * addresses.
   */
  isFormatted: boolean
  /** The formatters for values. */
  formats: Formats
}>

/** The JSON of a value with sorted keys, so that equal values have the same text. */
export const canonicalText = (value: unknown): string => [...canonicalPieces(value)].join('')

/** Yields the text of `canonicalText` in pieces. */
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

/** The part name for `{{> name}}`, from its path; null for any other path. */
export const partName = (path: string): string | null => PART.exec(path)?.[1] ?? null

/** The texts of a document's parts, by name. */
export const templatePartsOf = (templates: ReleaseDocument['templates']): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(templates).flatMap(([path, text]) => {
      const name = partName(path)
      return name === null ? [] : [[name, text] as const]
    }),
  )

/** The placeholder for the postal address, unless a variable has this name. */
export const POSTAL_ADDRESS = 'address'

/** The placeholder for the card's web address, unless a variable has this name. */
export const CARD_ADDRESS = 'card'

/** The placeholder for the address that one writes from, unless a variable has this name. */
export const SENDER_ADDRESS = 'sender'

const NO_BLOCKS: readonly Block[] = []

export const compileRelease = (...given: Parameters<typeof compilingRelease>): Release =>
  runSteps(compilingRelease(...given))

/**
 * Compiles a release in steps, one for each template.
 *
 * @param formats if absent, values are written unchanged and QR codes are left out
 */
export function* compilingRelease(
  id: string,
  document: ReleaseDocument,
  formats: Formats = PLAIN_FORMATS,
): Steps<Release> {
  const parts = templatePartsOf(document.templates)
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
      (names.has(POSTAL_ADDRESS) && !variables.has(POSTAL_ADDRESS)),
    formats,
  }
}
