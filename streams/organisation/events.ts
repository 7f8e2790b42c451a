/** The facts of the service. Stored with the version in their stream as `seq`, and with the actor as `source`. */
import { defineEvents, type EventOf, fact } from '../kernel/event.ts'
import { id, open, orNull, shape } from '../kernel/field.ts'

export type Maintenance = null | 'planned' | 'active'

/** The combined ids of the signatures that a user chose: `<signature>-<owner>`. */
export type DefaultChoice = Readonly<{
  /** Without it the organisation's default holds, and only senders are chosen. */
  master?: string
  reply?: string
  /** By the address of the sender, in lower case. */
  bySender?: Readonly<Record<string, string>>
}>

/** What the add-in keeps with the user; fields that the service does not know are kept as they are. */
export type Metadata = Readonly<Record<string, unknown>> & { readonly defaultSignature?: DefaultChoice }

/** One person as a directory or a CSV file tells it. */
export type DirectoryRecord = Readonly<{
  /** In lower case, the mail address first; sign-in names and further addresses after it. */
  addresses: readonly string[]
  /** Null when the directory does not tell it: the first sign-in binds it. */
  account: Account | null
  language: string | null
  fields: Readonly<Record<string, string>>
  groups: readonly string[]
  /** `<hash>.<extension>` of a picture that is kept. */
  picture: string | null
}>

/** A user of an identity provider: `tid` and `oid` of the tokens. */
export type Account = Readonly<{ tenant: string; oid: string }>

/** The fields of a directory record that changed, whole. */
export type DirectoryChange = Partial<DirectoryRecord>

/** Facts of the stream `organisation`. */
export const Organisation = defineEvents('organisation', {
  founded: fact({ name: id('organisation'), tenants: shape<readonly string[]>()('organisation[]') }),
  releasePublished: fact({ release: open<string>(), base: orNull(open<string>()), note: id('note') }),
  releaseRolledBack: fact({ release: open<string>(), base: orNull(open<string>()), note: id('note') }),
  maintenanceSet: fact({ status: open<Maintenance>() }),
  keyRotated: fact({ key: open<string>() }),
  /** An administrator began a sync of the directory; `retire`: however many people it retires. */
  syncAsked: fact({ retire: open<boolean>() }),
})
export type OrganisationFact = EventOf<typeof Organisation>

/** Facts of a stream `person/<id>`. */
export const Person = defineEvents('person', {
  imported: fact({ record: shape<DirectoryRecord>()('directoryRecord') }),
  directoryChanged: fact({ changed: shape<DirectoryChange>()('directoryRecord') }),
  /** The account of a verified sign-in name, for a person who was imported without one. */
  accountBound: fact({ account: shape<Account>()('account') }),
  departed: fact({}),
  returned: fact({}),
  /** Own values by the variable's path; `reset` goes back to the directory's. */
  valuesSaved: fact({
    values: shape<Readonly<Record<string, string>>>()('values'),
    reset: open<readonly string[]>(),
  }),
  metadataSaved: fact({ metadata: shape<Metadata>()('metadata') }),
  pictureChanged: fact({ picture: open<string>() }),
  pictureRemoved: fact({}),
  defaultChosen: fact({ choice: open<DefaultChoice>() }),
  erased: fact({}),
})
export type PersonFact = EventOf<typeof Person>
