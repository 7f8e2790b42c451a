/**
 * What the service needs to remember, as one interface: an organisation puts its own database behind it and leaves
 * the rest as it is. `folder-repository.ts` keeps it in a folder.
 */

/** Which signatures stand by default, each by its combined ids. */
export interface DefaultSignature {
  readonly master: string
  readonly reply?: string
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly isAdmin: boolean
  readonly language?: string
  readonly clientName: string
  /** Ids of the people whose signatures this person may use. */
  readonly delegations: readonly string[]
  /** Path of the picture below /images, or null. */
  readonly photo: string | null
  /** The values of the variables, by path; `email` and `picture_url` are not among them, they follow the record. */
  readonly values: Readonly<Record<string, string>>
  /** What the directory said at the last synchronisation, by the directory's field. */
  readonly directory: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, unknown>> & { readonly defaultSignature?: DefaultSignature }
  /** What the admin chose for this person; the person's own choice goes before it. */
  readonly adminDefault: DefaultSignature | null
  readonly planId: string
  readonly mayChooseDefault: boolean
  /** What the add-in last told about itself, with the ISO time of telling. */
  readonly addinInfo: { readonly receivedAt: string; readonly info: unknown } | null
}

export interface SignatureVariant {
  readonly code: string
  readonly template: string
}

/** A signature is a template (see `template.ts`) that is filled with its owner's variables. */
export interface Signature {
  readonly combinedIds: string
  readonly ownerId: string
  readonly name: string
  readonly template: string
  readonly variants: readonly SignatureVariant[]
  readonly audiences: readonly string[]
  readonly order?: number
  readonly collection?: string
}

export interface VariableDefinition {
  readonly path: string
  /** From a source's name to its field. */
  readonly lookups: Readonly<Record<string, string>>
  readonly metas: {
    readonly custom_type: string | null
    readonly display_name?: string
    readonly hidden: boolean
    readonly non_editable: boolean
    readonly resettable: boolean
  }
}

export type MaintenanceStatus = null | 'planned' | 'active'

export interface Organisation {
  readonly maintenance: MaintenanceStatus
  readonly definitions: readonly VariableDefinition[]
  readonly people: readonly Person[]
  readonly signatures: readonly Signature[]
}

/** Ids are opaque. Every method rejects when the store cannot be reached; none rejects for something not found. */
export interface Repository {
  readonly person: (id: string) => Promise<Person | null>
  /** Compared without regard to case. */
  readonly personByEmail: (email: string) => Promise<Person | null>
  /**
   * Replaces a person by `change(person)`, with nothing in between: two changes never overwrite each other. When
   * `change` throws, nothing is changed and the error is passed on. Null when there is no such person.
   */
  readonly changePerson: (id: string, change: (person: Person) => Person) => Promise<Person | null>
  readonly signature: (combinedIds: string) => Promise<Signature | null>
  /** The signatures of these owners, owner by owner in the order given, from `offset` on, and how many there are. */
  readonly signatures: (
    ownerIds: readonly string[],
    slice: { readonly offset: number; readonly limit: number },
  ) => Promise<{ readonly signatures: readonly Signature[]; readonly total: number }>
  readonly definitions: () => Promise<readonly VariableDefinition[]>
  /** The bytes of a picture kept by `keepPhoto`, or null. */
  readonly photo: (name: string) => Promise<Uint8Array | null>
  readonly keepPhoto: (name: string, bytes: Uint8Array) => Promise<void>
  /** Forgets a picture; one that is not there is no error. */
  readonly dropPhoto: (name: string) => Promise<void>
  readonly maintenance: () => Promise<MaintenanceStatus>
  readonly setMaintenance: (status: MaintenanceStatus) => Promise<void>
  /** The key that signs the service's bearers; the same after a restart. */
  readonly bearerKey: () => Promise<Uint8Array>
  /** Brings the initial organisation back and forgets every picture; bearers stay good. */
  readonly reset: () => Promise<void>
}
