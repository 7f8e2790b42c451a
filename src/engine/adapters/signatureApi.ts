import type { Observable } from 'rxjs'
import type { Api } from '../../../effects/ports.ts'
import type { Session, Verified } from '../../../streams/message/auth/events.ts'
import { readRaster } from '../../../streams/html/raster.ts'
import { reveal } from '../../../streams/kernel/secret.ts'
import type { SignaturePage } from '../../../streams/message/signatures/events.ts'
import { PAGE_SIZE } from '../../../streams/message/signatures/list.ts'
import type { CachedSignature } from '../../../streams/message/signatures/signature.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import {
  anything,
  bodyOf,
  list,
  nullable,
  number,
  object,
  optional,
  orNull,
  type Read,
  record,
  refuse,
  text,
} from './decode.ts'
import type { Http } from './http.ts'
import { readSession } from './sessionToken.ts'

const image = orNull(object({ url: text, name: text, content: text, status: number }))

/** A picture that is none costs only itself: without its content, the signature shows it by its address. */
const images: Read<readonly SignatureImage[]> = (value, at) =>
  list(image)(value, at).flatMap((each) =>
    each === null ? [] : [{ ...each, content: readRaster(each.content) === null ? '' : each.content }],
  )

const cachedBody = object({
  name: text,
  user_id: text,
  signature: text,
  reply: nullable(text),
  reply_name: optional(text, null),
  reply_combined_ids: optional(text, null),
  combined_ids: text,
  base64_embedded_images: images,
})

export const cachedSignature: Read<CachedSignature> = (value, at) => {
  const read = cachedBody(value, at)
  const { reply, reply_name: name, reply_combined_ids: combinedIds } = read
  // The signature that the reply version belongs to, where the service says so.
  const of = name !== null && combinedIds !== null ? { name, combinedIds } : null
  return {
    name: read.name,
    userId: read.user_id,
    combinedIds: read.combined_ids,
    html: read.signature,
    reply: reply === null ? null : { html: reply, of },
    images: read.base64_embedded_images,
  }
}

const token: Read<Session> = (value, at) => readSession(text(value, at)) ?? refuse(at)

const signInBody = object({
  data: object({ access_token: token, signature: orNull(nullable(cachedSignature)) }),
})

/** A default that is missing, malformed or another user's costs only itself: it is asked for. */
export const verified: Read<Verified> = (value, at) => {
  const { access_token: session, signature } = signInBody(value, at).data
  return { session, signature: signature?.userId === session.userId ? signature : null }
}

const sessionBody = object({ data: object({ access_token: token }) })
export const session: Read<Session> = (value, at) => sessionBody(value, at).data.access_token

const pageBody = object({
  objects: list(
    object({
      name: text,
      email: optional(text, null),
      signature: text,
      combined_ids: text,
      base64_embedded_images: images,
      // Domains. After `!`: the signature is for messages with a recipient outside of it.
      audiences: optional(list(text), []),
      order: optional(number, 0),
      collection: optional(text, 'main'),
      variants: optional(list(object({ code: text, signature: text })), []),
    }),
  ),
  total: number,
  page: number,
})

export const signaturePage: Read<SignaturePage> = (value, at) => {
  const { objects, total, page } = pageBody(value, at)
  return {
    page,
    total,
    objects: objects.map((listed) => ({
      name: listed.name,
      email: listed.email,
      combinedIds: listed.combined_ids,
      html: listed.signature,
      images: listed.base64_embedded_images,
      audiences: listed.audiences,
      order: listed.order,
      collection: listed.collection,
      variants: listed.variants.map(({ code, signature }) => ({ code, html: signature })),
    })),
  }
}

const choices = orNull(record(anything))

/** The chosen signatures by the sender's address. A choice that is none costs only itself. */
const bySender: Read<Readonly<Record<string, string>>> = (value, at) =>
  Object.fromEntries(
    Object.entries(choices(value, at) ?? {})
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([sender, ids]) => [sender.toLowerCase(), ids]),
  )

/** What a user chose besides the default for new messages. */
export const chosenBesides = { reply: optional(nullable(text), null), bySender: optional(bySender, null) }

/** `user` gives as much of the profile as its decoder reads. */
export type SignatureApi<Profile> = Pick<Api, 'verify' | 'signature' | 'signatures' | 'delegatedSignatures'> &
  Readonly<{ user: () => Observable<Profile> }>

/** The calls that pane and launch events need for a signature (specification, section 7); each reads its `profile`. */
export const createSignatureApi = <Profile>(http: Http, profile: Read<Profile>): SignatureApi<Profile> => ({
  verify: ({ accessToken, email }) =>
    http(
      {
        method: 'POST',
        path: '/authentication/addin/azure',
        body: { accessToken: reveal(accessToken), email },
        shared: true,
      },
      bodyOf(verified),
    ),
  user: () => http({ method: 'GET', path: '/api/addin/user' }, bodyOf(profile)),
  signature: ({ combinedIds }) =>
    http(
      {
        method: 'GET',
        path: '/signatures-cache/api/v1/signature/addin',
        query: { build_base64: 'true', combined_ids: combinedIds },
      },
      bodyOf(cachedSignature),
    ),
  signatures: ({ page, withImages, perPage = PAGE_SIZE }) =>
    http(
      {
        method: 'GET',
        path: '/signatures-cache/api/v1/signatures',
        query: { build_base64: String(withImages), page: String(page), per_page: String(perPage) },
      },
      bodyOf(signaturePage),
    ),
  delegatedSignatures: ({ userIds, page, withImages, perPage = PAGE_SIZE }) =>
    http(
      {
        method: 'POST',
        path: '/signatures-cache/api/v1/signatures/get/batch',
        query: { build_base64: String(withImages), page: String(page), per_page: String(perPage) },
        body: { user_ids: userIds },
        shared: true,
      },
      bodyOf(signaturePage),
    ),
})
