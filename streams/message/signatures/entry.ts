import type { WithBlocks } from './blocks.ts'
import { slottedHtmlOf } from '../../html/slots.ts'
import type { ListedSignature } from '../../wire/signatures.ts'

/** The code of a signature's version for new messages. */
export const MASTER_CODE = 'master'

/** One version of a signature: `code` is the code of a variant, or `MASTER_CODE`. */
export type SignatureVersion = Readonly<{ name: string; code: string }>

/** One line of the list: a master, or one of its variants (specification, section 3). `ListedEntry` has its status. */
export type SignatureEntry = Omit<ListedSignature, 'email' | 'variants'> &
  SignatureVersion &
  WithBlocks &
  Readonly<{
    entryId: string
    /** The number of the entry's page, from 1. */
    page: number
    type: 'master' | 'variant'
    /** The entryId of the variant's master; null for a master. */
    variantOf: string | null
    /** `OWN_OWNER` for the user's own signature, otherwise the owner's e-mail address. */
    owner: string
  }>

/** The value of `owner` for the user's own signatures. */
export const OWN_OWNER = 'user'

/** The collection for signatures that name no collection (specification, section 9). */
export const MAIN_COLLECTION = 'main'

/** The folder of the signatures that other users share. */
export const DELEGATIONS_FOLDER = 'delegations'

/** The entries of a page: each object is a master, followed by one entry per variant (specification, section 3). */
export const toEntries = (page: number, objects: readonly ListedSignature[]): readonly SignatureEntry[] =>
  objects.flatMap(({ email, variants, slots, ...object }, index) => {
    const owner = email ?? OWN_OWNER
    const place = `${owner}-${String(page)}-${String(index)}`
    const common = {
      ...object,
      entryId: `${place}-master`,
      page,
      type: 'master',
      variantOf: null,
      code: MASTER_CODE,
      owner,
    } as const
    const master: SignatureEntry = slots ? { ...common, slots } : common
    const entries = variants.map((version, position): SignatureEntry => ({
      ...common,
      ...version,
      entryId: `${place}-variant-${String(position)}`,
      type: 'variant',
      variantOf: master.entryId,
    }))
    return [master, ...entries]
  })

/** Rebuilds the service's objects from their entries. */
export function toListedSignatures(entries: readonly SignatureEntry[]): readonly ListedSignature[] {
  type Building = Omit<ListedSignature, 'variants'> & { variants: ListedSignature['variants'][number][] }
  const objects: Building[] = []
  for (const { entryId: _, page: __, type, variantOf: ___, code, owner, ...object } of entries)
    if (type === 'variant') objects.at(-1)?.variants.push({ code, ...slottedHtmlOf(object) })
    else objects.push({ ...object, email: owner === OWN_OWNER ? null : owner, variants: [] })
  return objects
}
