/** The data of the service. An organisation can implement `Repository` over its own database. */

/** The combined ids of the signatures that are inserted by default. */
export type DefaultChoice = Readonly<{
  master: string
  reply?: string
  /** Those that the user chose for messages from certain addresses. */
  bySender?: Readonly<Record<string, string>>
}>

export type Person = Readonly<{
  id: string
  email: string
  isAdmin: boolean
  language?: string
  clientName: string
  /** Ids of the users whose signatures this user may insert. */
  delegations: readonly string[]
  /** Path of the picture below /images, or null. */
  photo: string | null
  /** The values of the variables by path, without `email` and `picture_url`, which come from the record. */
  values: Readonly<Record<string, string>>
  /** The values of the directory at the last synchronisation, by the directory's field. */
  directory: Readonly<Record<string, string>>
  metadata: Readonly<Record<string, unknown>> & { readonly defaultSignature?: DefaultChoice }
  /** The admin's choice for this user; the user's own choice takes precedence. */
  adminDefault: DefaultChoice | null
  planId: string
  mayChooseDefault: boolean
  /** The information that the add-in sent last, and when (ISO time). */
  addinInfo: { readonly receivedAt: string; readonly info: unknown } | null
}>

export type SignatureVariant = Readonly<{
  code: string
  template: string
}>

/** A template (see `template.ts`) that is rendered with its owner's variables. */
export type Signature = Readonly<{
  combinedIds: string
  ownerId: string
  name: string
  template: string
  variants: readonly SignatureVariant[]
  audiences: readonly string[]
  order?: number
  collection?: string
}>

export type VariableDefinition = Readonly<{
  path: string
  /** From a source's name to its field. */
  lookups: Readonly<Record<string, string>>
  metas: {
    custom_type: string | null
    display_name?: string
    hidden: boolean
    non_editable: boolean
    resettable: boolean
  }
}>

export type Organisation = Readonly<{
  maintenance: null | 'planned' | 'active'
  definitions: readonly VariableDefinition[]
  people: readonly Person[]
  signatures: readonly Signature[]
}>

/** Ids are opaque. A method rejects when the store is unreachable, never because something is not found. */
export type Repository = Readonly<{
  person: (id: string) => Promise<Person | null>
  /** Case does not matter. */
  personByEmail: (email: string) => Promise<Person | null>
  /**
   * Replaces a user by `change(person)` atomically: two changes never overwrite each other. When `change` throws,
   * the user stays as before and the promise rejects with that error. Null when the user does not exist.
   */
  changePerson: (id: string, change: (person: Person) => Person) => Promise<Person | null>
  signature: (combinedIds: string) => Promise<Signature | null>
  /** The signatures of these owners, owner by owner in the order given, from `offset` on, and how many there are. */
  signatures: (
    ownerIds: readonly string[],
    slice: { readonly offset: number; readonly limit: number },
  ) => Promise<{ readonly signatures: readonly Signature[]; readonly total: number }>
  definitions: () => Promise<readonly VariableDefinition[]>
  /** The bytes of a picture that `keepPhoto` stored, or null. */
  photo: (name: string) => Promise<Uint8Array | null>
  keepPhoto: (name: string, bytes: Uint8Array) => Promise<void>
  /** Deletes a picture; a missing one is no error. */
  dropPhoto: (name: string) => Promise<void>
  maintenance: () => Promise<Organisation['maintenance']>
  setMaintenance: (status: Organisation['maintenance']) => Promise<void>
  /** The key that signs the service's bearers; the same after a restart. */
  bearerKey: () => Promise<Uint8Array>
  /** Restores the initial organisation and deletes every picture; bearers stay valid. */
  reset: () => Promise<void>
}>
