/** Signatures as responses carry them: rendered with the owner's variables, with their pictures. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { DefaultChoice, Person, Repository, Signature } from './repository.ts'
import { imageAddresses, renderTemplate } from './template.ts'
import { displayName, variableValues } from './variables.ts'
import { Refusal } from '../server/webServer.ts'

/** An image of the contract; without content when the status is not 200. */
export type EmbeddedImage = Readonly<{
  id: string
  url: string
  name: string
  content: string
  status: number
}>

export type ListQuery = Readonly<{
  build_base64: boolean
  /** From 1. */
  page: number
  per_page: number
  combined_ids?: string | undefined
}>

export type Signatures = Readonly<{
  /**
   * The body of `GET …/signature/addin`: the named signature, or the user's default.
   *
   * @throws Refusal 404 `not_found` for a named signature that the user may not see
   */
  cache: (person: Person, combinedIds: string | undefined, withImages: boolean) => Promise<object>
  /** The body of a list: one page of the owners' signatures, with the owner's e-mail address if `withEmail`. */
  list: (owners: readonly Person[], query: ListQuery, withEmail: boolean) => Promise<object>
  /** @throws Refusal 404 `not_found` when it does not exist, or is neither the user's own nor delegated */
  visible: (person: Person, combinedIds: string) => Promise<Signature>
}>

/**
 * @param url the service's own address, called for each response
 * @param pictureBytes the picture at a path below /images, or null
 */
export function createSignatures(
  repository: Repository,
  url: () => string,
  pictureBytes: (path: string) => Promise<Uint8Array | null>,
): Signatures {
  const imagesUrl = () => `${url()}/images`

  const render = (template: string, owner: Person) =>
    renderTemplate(template, {
      ...variableValues(owner, imagesUrl()),
      display_name: displayName(owner),
      images: imagesUrl(),
    })

  const visibleOrNull = async (person: Person, combinedIds: string) => {
    const signature = await repository.signature(combinedIds)
    const isVisible =
      signature !== null &&
      (signature.ownerId === person.id || person.delegations.includes(signature.ownerId))
    return isVisible ? signature : null
  }

  async function visible(person: Person, combinedIds: string): Promise<Signature> {
    const signature = await visibleOrNull(person, combinedIds)
    if (signature === null)
      throw new Refusal(404, 'not_found', `There is no signature "${combinedIds}" for you.`)
    return signature
  }

  /**
   * The reply version of the signature chosen for replies, else the master's own, else null; and which of the two it
   * belongs to.
   */
  async function replyVersion(person: Person, master: Signature, replyIds: string | undefined) {
    const chosen = (replyIds === undefined ? null : await visibleOrNull(person, replyIds)) ?? master
    const variant = chosen.variants.find(({ code }) => code === 'reply')
    if (variant === undefined && chosen.combinedIds === master.combinedIds) return { reply: null }
    return {
      reply: render(variant?.template ?? chosen.template, await ownerOf(chosen)),
      reply_name: chosen.name,
      reply_combined_ids: chosen.combinedIds,
    }
  }

  async function ownerOf({ combinedIds, ownerId }: Signature): Promise<Person> {
    const owner = await repository.person(ownerId)
    if (owner === null) throw new Error(`signature ${combinedIds} has no owner`)
    return owner
  }

  function embeddedImages(htmls: readonly string[]): Promise<EmbeddedImage[]> {
    return Promise.all(
      imageAddresses(htmls.join(''), `${imagesUrl()}/`).map(async (address) => {
        const path = new URL(address).pathname.slice('/images/'.length)
        const bytes = await pictureBytes(path)
        return {
          id: createHash('sha256').update(address.slice(url().length)).digest('hex').slice(0, 12),
          url: address,
          name: basename(path),
          content: bytes === null ? '' : Buffer.from(bytes).toString('base64'),
          status: bytes === null ? 404 : 200,
        }
      }),
    )
  }

  async function slice(ownerIds: readonly string[], { page, per_page, combined_ids }: ListQuery) {
    const range = { offset: (page - 1) * per_page, limit: per_page }
    if (combined_ids === undefined) return repository.signatures(ownerIds, range)
    const one = await repository.signature(combined_ids)
    const found = one !== null && ownerIds.includes(one.ownerId) ? [one] : []
    return { signatures: found.slice(range.offset), total: found.length }
  }

  return {
    visible,

    async cache(person, combinedIds, withImages) {
      const chosen = combinedIds === undefined ? effectiveDefault(person) : { master: combinedIds }
      if (chosen === null) {
        const none = { name: '', user_id: person.id, signature: '', reply: null, combined_ids: '' }
        return { ...none, base64_embedded_images: [] }
      }
      const master = await visible(person, chosen.master)
      const signature = render(master.template, await ownerOf(master))
      const version = await replyVersion(person, master, chosen.reply)
      return {
        name: master.name,
        user_id: master.ownerId,
        signature,
        ...version,
        combined_ids: master.combinedIds,
        base64_embedded_images: withImages ? await embeddedImages([signature, version.reply ?? '']) : [],
      }
    },

    async list(owners, query, withEmail) {
      const { signatures, total } = await slice(
        owners.map(({ id }) => id),
        query,
      )
      const objects = await Promise.all(
        signatures.map(
          async ({ name, template, variants, combinedIds, audiences, order, collection, ownerId }) => {
            const owner = owners.find(({ id }) => id === ownerId)
            if (owner === undefined) throw new Error(`signature ${combinedIds} belongs to none of the owners`)
            const signature = render(template, owner)
            const rendered = variants.map((variant) => ({
              code: variant.code,
              signature: render(variant.template, owner),
            }))
            const htmls = [signature, ...rendered.map((variant) => variant.signature)]
            return {
              name,
              ...(withEmail ? { email: owner.email } : {}),
              signature,
              combined_ids: combinedIds,
              base64_embedded_images: query.build_base64 ? await embeddedImages(htmls) : [],
              audiences,
              ...(order === undefined ? {} : { order }),
              ...(collection === undefined ? {} : { collection }),
              variants: rendered,
            }
          },
        ),
      )
      return { objects, total, page: query.page }
    },
  }
}

/** The user's own choice, else the admin's, else none. */
function effectiveDefault({ metadata, adminDefault }: Person): DefaultChoice | null {
  return metadata.defaultSignature ?? adminDefault
}
