/**
 * The facts of the service. `seq` is the version in their stream, `source` the actor. No exported log contains them, so
 * their fields declare no privacy; `audit.ts` decides what the audit shows.
 */
import type { Event } from '../kernel/event.ts'

export type Maintenance = null | 'planned' | 'active'

/** The combined ids of the signatures that a user chose: `<signature>-<owner>`. */
export type DefaultChoice = Readonly<{
  /** Without a master, the organisation's default applies, and the user chose signatures for senders only. */
  master?: string
  reply?: string
  /** By the address of the sender, in lower case. */
  bySender?: Readonly<Record<string, string>>
}>

/** What the add-in keeps with the user; fields that the service does not know are kept as they are. */
export type Metadata = Readonly<Record<string, unknown>> & { readonly defaultSignature?: DefaultChoice }

/** One person of a directory or a CSV file. */
export type DirectoryRecord = Readonly<{
  /** In lower case, the mail address first; sign-in names and further addresses after it. */
  addresses: readonly string[]
  /** Null when the directory does not have it; the first sign-in binds it. */
  account: Account | null
  language: string | null
  fields: Readonly<Record<string, string>>
  groups: readonly string[]
  /** `<hash>.<extension>` of a stored picture. */
  picture: string | null
}>

/** A user of an identity provider: `tid` and `oid` of the tokens. */
export type Account = Readonly<{ tenant: string; oid: string }>

/** The fields of a directory record that changed, whole. */
export type DirectoryChange = Partial<DirectoryRecord>

type Publishing = Readonly<{ release: string; base: string | null; note: string }>
type Nothing = Readonly<Record<never, never>>

/** Makes facts of a type; `type` names it. */
const fact =
  <Data extends object = Nothing>() =>
  <const Type extends string>(type: Type) =>
    Object.assign(
      (...[data]: [keyof Data] extends [never] ? [] : [data: Data]): Event<Type, Data> => ({
        type,
        data: data ?? ({} as Data),
      }),
      { type },
    )

/** Facts of the stream `organisation`. */
export const Organisation = {
  founded: fact<{ name: string; tenants: readonly string[] }>()('organisation/founded'),
  releasePublished: fact<Publishing>()('organisation/releasePublished'),
  releaseRolledBack: fact<Publishing>()('organisation/releaseRolledBack'),
  maintenanceSet: fact<{ status: Maintenance }>()('organisation/maintenanceSet'),
  keyRotated: fact<{ key: string }>()('organisation/keyRotated'),
  /** An administrator started a sync; `retire` approves any number of deactivations. */
  syncAsked: fact<{ retire: boolean }>()('organisation/syncAsked'),
}
export type OrganisationFact = ReturnType<(typeof Organisation)[keyof typeof Organisation]>

/** Facts of a stream `person/<id>`. */
export const Person = {
  imported: fact<{ record: DirectoryRecord }>()('person/imported'),
  directoryChanged: fact<{ changed: DirectoryChange }>()('person/directoryChanged'),
  /** The account of a verified sign-in name, for a person who was imported without one. */
  accountBound: fact<{ account: Account }>()('person/accountBound'),
  departed: fact()('person/departed'),
  returned: fact()('person/returned'),
  /** Own values by the variable's path. `reset` removes own values, so that the directory's count. */
  valuesSaved: fact<{ values: Readonly<Record<string, string>>; reset: readonly string[] }>()(
    'person/valuesSaved',
  ),
  metadataSaved: fact<{ metadata: Metadata }>()('person/metadataSaved'),
  pictureChanged: fact<{ picture: string }>()('person/pictureChanged'),
  pictureRemoved: fact()('person/pictureRemoved'),
  defaultChosen: fact<{ choice: DefaultChoice }>()('person/defaultChosen'),
  erased: fact()('person/erased'),
}
export type PersonFact = ReturnType<(typeof Person)[keyof typeof Person]>
