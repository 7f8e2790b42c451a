import type { Verified } from '../../streams/auth/events.ts'
import { readRaster } from '../../streams/html/raster.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import type { ChosenDefaults, UserProfile } from '../../streams/profile/events.ts'
import type { ListedSignature, SignaturePage } from '../../streams/signatures/events.ts'
import type { CachedSignature, SignatureImage } from '../../streams/signatures/signature.ts'
import { readSession } from '../engine/adapters/sessionToken.ts'

// Decodes the answers that launch events read, as src/engine/adapters/wire.ts does, and without valibot: one of its
// patterns stops the file in an old engine. Unknown fields are ignored; a required field that is missing or of another
// type makes the whole response malformed.

/** Reads the value at this place of a body; throws `Failed` with the place when it is another. */
type Read<T> = (value: unknown, at: string) => T

const refuse = (at: string): never => {
  throw new Failed({ kind: 'malformed', at: at || 'body' })
}

const text: Read<string> = (value, at) => (typeof value === 'string' ? value : refuse(at))
const number: Read<number> = (value, at) => (typeof value === 'number' ? value : refuse(at))

const nullable =
  <T>(read: Read<T>): Read<T | null> =>
  (value, at) =>
    value === null ? null : read(value, at)

const optional =
  <T, Default>(read: Read<T>, missing: Default): Read<T | Default> =>
  (value, at) =>
    value === undefined ? missing : read(value, at)

const place = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

const list =
  <T>(read: Read<T>): Read<readonly T[]> =>
  (value, at) =>
    Array.isArray(value) ? value.map((each, index) => read(each, place(at, String(index)))) : refuse(at)

type Fields = Readonly<Record<string, Read<unknown>>>
type Values<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> }

const object =
  <F extends Fields>(fields: F): Read<Values<F>> =>
  (value, at) => {
    if (typeof value !== 'object' || value === null) return refuse(at)
    const given = value as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      Object.entries(fields).map(([name, read]) => [name, read(given[name], place(at, name))]),
    ) as Values<F>
  }

/** What is read; null where that fails. */
const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value, at) => {
    try {
      return read(value, at)
    } catch {
      return null
    }
  }

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

const cached: Read<CachedSignature> = (value, at) => {
  const read = cachedBody(value, at)
  const { reply, reply_name: name, reply_combined_ids: combinedIds } = read
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

const session: Read<Verified['session']> = (value, at) => readSession(text(value, at)) ?? refuse(at)

const verifiedBody = object({ data: object({ access_token: session, signature: orNull(nullable(cached)) }) })

const page = object({
  objects: list(
    object({
      name: text,
      email: optional(text, null),
      signature: text,
      combined_ids: text,
      base64_embedded_images: images,
      audiences: optional(list(text), []),
      order: optional(number, 0),
      collection: optional(text, 'main'),
      variants: optional(list(object({ code: text, signature: text })), []),
    }),
  ),
  total: number,
  page: number,
})

/** The profile as far as a launch event needs it. `bySender` has the chosen signature by the sender's address. */
export type LaunchProfile = Pick<UserProfile, 'id' | 'delegations'> &
  Readonly<{
    defaultSignature: (ChosenDefaults & Readonly<{ bySender: Readonly<Record<string, string>> }>) | null
  }>

/** A choice that is none costs only itself. */
const bySender: Read<Readonly<Record<string, string>>> = (value) =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {})
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      .map(([sender, ids]) => [sender.toLowerCase(), ids]),
  )

const profileBody = object({
  id: text,
  delegations: list(text),
  metadata: optional(
    nullable(
      object({
        defaultSignature: optional(
          nullable(object({ master: text, reply: optional(nullable(text), null), bySender })),
          null,
        ),
      }),
    ),
    null,
  ),
})

/** The default that a sign-in may bring counts only when it is whole and the same user's. */
export function verified(body: unknown): Verified {
  const { access_token: issued, signature } = verifiedBody(body, '').data
  return { session: issued, signature: signature?.userId === issued.userId ? signature : null }
}

export const cachedSignature = (body: unknown): CachedSignature => cached(body, '')

export function signaturePage(body: unknown): SignaturePage {
  const { objects, total, page: count } = page(body, '')
  return {
    page: count,
    total,
    objects: objects.map((listed): ListedSignature => ({
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

export function profile(body: unknown): LaunchProfile {
  const { id, delegations, metadata } = profileBody(body, '')
  return { id, delegations, defaultSignature: metadata?.defaultSignature ?? null }
}
