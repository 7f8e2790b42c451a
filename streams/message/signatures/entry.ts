import type { ListedSignature } from './events.ts'
import type { SignatureImage } from '../../html/content.ts'

/** One line of the list: a master, or one of its variants (specification, section 3). Its status is a `ListedEntry`'s. */
export type SignatureEntry = Readonly<{
  uuid: string
  /** The page of its list, from 1. */
  page: number
  name: string
  type: 'master' | 'variant'
  /** The uuid of the master that a variant belongs to. */
  variantOf: string | null
  code: string
  html: string
  /** The e-mail address of another user, or `user`. */
  owner: string
  order: number
  collection: string
  images: readonly SignatureImage[]
  combinedIds: string
  audiences: readonly string[]
}>

/** The owner of the user's own signatures. */
export const OWN = 'user'

/** The collection of signatures without one of their own (specification, section 9). */
export const MAIN = 'main'

/** The folder of the signatures that others share. */
export const DELEGATIONS = 'delegations'

/** The entries of a page: each object is a master, followed by one entry per variant (specification, section 3). */
export const toEntries = (page: number, objects: readonly ListedSignature[]): readonly SignatureEntry[] =>
  objects.flatMap((object, index) => {
    const owner = object.email ?? OWN
    const place = `${owner}-${String(page)}-${String(index)}`
    const master: SignatureEntry = {
      uuid: `${place}-master`,
      page,
      name: object.name,
      type: 'master',
      variantOf: null,
      code: 'master',
      html: object.html,
      owner,
      order: object.order,
      collection: object.collection,
      images: object.images,
      combinedIds: object.combinedIds,
      audiences: object.audiences,
    }
    const variants = object.variants.map(({ code, html }, position): SignatureEntry => ({
      ...master,
      uuid: `${place}-variant-${String(position)}`,
      type: 'variant',
      variantOf: master.uuid,
      code,
      html,
    }))
    return [master, ...variants]
  })

/** The objects that these entries were made of. */
export function toListed(entries: readonly SignatureEntry[]): readonly ListedSignature[] {
  type Building = Omit<ListedSignature, 'variants'> & { variants: ListedSignature['variants'][number][] }
  const objects: Building[] = []
  for (const { type, owner, name, combinedIds, html, images, audiences, order, collection, code } of entries)
    if (type === 'variant') objects.at(-1)?.variants.push({ code, html })
    else {
      const email = owner === OWN ? null : owner
      objects.push({ name, email, combinedIds, html, images, audiences, order, collection, variants: [] })
    }
  return objects
}
