/**
 * A release: everything that an organisation publishes, as one JSON document that never changes. The folder of
 * `docs/signatures-as-a-folder.md` is read into it.
 */
import { finish, type Steps } from '../kernel/steps.ts'
import { parseTemplate, type Template } from './template.ts'

/** One of the values is a group, an address, or the value of one field of the user. */
export type Condition =
  | Readonly<{ by: 'group' | 'person'; values: readonly string[] }>
  /** An address pattern: `*@sales.northwind.example`. */
  | Readonly<{ by: 'address'; values: readonly string[] }>
  | Readonly<{ by: 'field'; field: string; values: readonly string[] }>

/** The key under which a folder writes a condition. */
export const keyOf = (condition: Condition): string =>
  condition.by === 'field' ? condition.field : condition.by

/** A group selects if all its conditions hold; one group is enough. `not` wins over `for`. */
export type Selection = Readonly<{
  for: 'everyone' | readonly (readonly Condition[])[]
  not: readonly (readonly Condition[])[]
}>

/** A value comes from the directory's field, else from `value`, else it is empty. */
export type Source = Readonly<{ from: string | null; value: string | null }>

export type Variable = Source &
  Readonly<{
    path: string
    /** The user may change it. */
    edit: boolean
    /** The user may set it back to the directory's value. */
    resync: boolean
    hidden: boolean
    label: string | null
    /** Null: beside the name. `mapped` and `rest` are the groups of the specification, section 3.6. */
    group: string | null
  }>

/** Whole days in the organisation's calendar, `2026-09-01`, both included. */
export type Period = Readonly<{ from: string; to: string; timeZone: string }>

/** Domains, or by the organisation's own domains. */
export type Recipients = 'everyone' | 'internal' | 'external' | readonly string[]

export type Signature = Readonly<{
  /** Lower-case letters, digits and `_`. */
  id: string
  name: string
  /** Paths of templates in the document. */
  template: string
  reply: string | null
  mobile: string | null
  selection: Selection
  during: Period | null
  recipients: Recipients
  collection: string | null
}>

/** A shared mailbox; `values` of its variables win over the directory. */
export type Mailbox = Readonly<{
  /** In lower case. */
  address: string
  selection: Selection
  values: Readonly<Record<string, string>>
}>

export type ReleaseDocument = Readonly<{
  version: 1
  organisation: string
  /** The domains whose recipients are internal, in lower case. */
  internal: readonly string[]
  /** Who may choose their default (specification, CFG-2). */
  chooseDefault: Selection
  /** The plan in the response of the subscription call. */
  plan: Source
  variables: readonly Variable[]
  /** In the order of priority. */
  signatures: readonly Signature[]
  mailboxes: readonly Mailbox[]
  /** Text by path in the folder, parts included. */
  templates: Readonly<Record<string, string>>
  /** The hash of the content by path below `pictures/`: `banners/autumn.png`. */
  pictures: Readonly<Record<string, string>>
}>

/** A release in memory with its parsed templates. */
export type Release = Readonly<{
  /** The first 32 hex digits of the SHA-256 of `canonicalText(document)`. */
  id: string
  document: ReleaseDocument
  /** By its path in the document; parts are no templates. */
  templateOf: (path: string) => Template | null
  signatureOf: (id: string) => Signature | null
  /** By its address, in lower case. */
  mailboxOf: (address: string) => Mailbox | null
  variableOf: (path: string) => Variable | null
}>

/** The JSON of a value with sorted keys: equal values have the same text. */
export const canonicalText = (value: unknown): string => [...canonicalPieces(value)].join('')

/** The same text in pieces. */
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

export const compileRelease = (id: string, document: ReleaseDocument): Release =>
  finish(compiling(id, document))

/** `compileRelease` in steps, one for each template. */
export function* compiling(id: string, document: ReleaseDocument): Steps<Release> {
  const parts = partsOf(document.templates)
  const read = new Map<string, Template>()
  const templates = new Map<string, Template>()
  for (const [path, text] of Object.entries(document.templates)) {
    if (partName(path) !== null) continue
    templates.set(path, parseTemplate(text, parts, read).template)
    yield
  }
  const signatures = new Map(document.signatures.map((signature) => [signature.id, signature]))
  const mailboxes = new Map(document.mailboxes.map((mailbox) => [mailbox.address, mailbox]))
  const variables = new Map(document.variables.map((variable) => [variable.path, variable]))
  return {
    id,
    document,
    templateOf: (path) => templates.get(path) ?? null,
    signatureOf: (name) => signatures.get(name) ?? null,
    mailboxOf: (address) => mailboxes.get(address) ?? null,
    variableOf: (path) => variables.get(path) ?? null,
  }
}
