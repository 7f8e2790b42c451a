/**
 * A release: everything that an organisation publishes, as one JSON document that never changes. The folder of
 * `docs/signatures-as-a-folder.md` is read into it.
 */

/** The user has one of the values: of their groups, of their addresses, or of one field of the directory. */
export type Condition =
  | Readonly<{ by: 'group' | 'person'; values: readonly string[] }>
  /** An address pattern: `*@sales.northwind.example`. */
  | Readonly<{ by: 'address'; values: readonly string[] }>
  | Readonly<{ by: 'field'; field: string; values: readonly string[] }>

/** All conditions of one group hold; one group is enough. `not` wins over `for`. */
export type Selection = Readonly<{
  for: 'everyone' | readonly (readonly Condition[])[]
  not: readonly (readonly Condition[])[]
}>

/** Where a value comes from: the directory's field, else the fixed value, else it is empty. */
export type Source = Readonly<{ from: string | null; value: string | null }>

export type Variable = Source &
  Readonly<{
    path: string
    /** Whether the user may change it, and set it back to the directory's value. */
    edit: boolean
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

/** A mailbox for which others may write; `values` are those of its variables that differ from the directory. */
export type Mailbox = Readonly<{
  /** Lower case. */
  address: string
  selection: Selection
  values: Readonly<Record<string, string>>
}>

export type ReleaseDocument = Readonly<{
  version: 1
  organisation: string
  /** The domains whose recipients are internal, in lower case. */
  internal: readonly string[]
  /** Whose users may choose their default (specification, CFG-2). */
  chooseDefault: Selection
  /** The plan that the subscription call answers. */
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
