import * as v from 'valibot'
import type { Session } from '../../streams/auth/events.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import type { MaintenanceStatus } from '../../streams/maintenance/events.ts'
import type { Profile } from '../../streams/profile/events.ts'
import type { CachedSignature, SignatureImage, SignaturePage } from '../../streams/signatures/events.ts'

// The service's answers as they come over the wire (snake_case), and what becomes of them. Unknown fields are
// ignored; a required field that is missing or of another type makes the whole answer malformed.

const image = v.pipe(
  v.object({ url: v.string(), name: v.string(), content: v.string(), status: v.number() }),
  v.transform(({ url, name, content, status }): SignatureImage => ({ url, name, content, status })),
)

const claims = v.object({ sub: v.string(), email: v.string(), exp: v.number() })

/** The claims of a JWT, unverified: the service is the one to verify its own token. */
function claimsOf(token: string): v.InferOutput<typeof claims> | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const json = new TextDecoder().decode(Uint8Array.from(atob(payload), (char) => char.charCodeAt(0)))
    const result = v.safeParse(claims, JSON.parse(json))
    return result.success ? result.output : null
  } catch {
    return null
  }
}

export const session = v.pipe(
  v.object({ data: v.object({ access_token: v.string() }) }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Session => {
    // A token that was quoted on its way is the same token.
    const token = dataset.value.data.access_token.replaceAll('"', '')
    const found = claimsOf(token)
    if (!found) {
      addIssue({ message: 'not a token' })
      return NEVER
    }
    return { token: createSecret(token), userId: found.sub, email: found.email, expiresAt: found.exp * 1000 }
  }),
)

const defaultSignature = v.object({ master: v.string(), reply: v.optional(v.nullable(v.string()), null) })

export const profile = v.pipe(
  v.object({
    id: v.string(),
    email: v.string(),
    is_admin: v.boolean(),
    picture_url: v.nullable(v.string()),
    auth_type: v.string(),
    language: v.optional(v.string(), 'en'),
    client_name: v.string(),
    computed_variables: v.object({ display_name: v.string() }),
    delegations: v.array(v.string()),
    metadata: v.optional(v.object({ defaultSignature: v.optional(v.nullable(defaultSignature), null) }), {}),
  }),
  v.transform((user): Profile => ({
    id: user.id,
    email: user.email,
    isAdmin: user.is_admin,
    pictureUrl: user.picture_url,
    authType: user.auth_type,
    language: user.language,
    clientName: user.client_name,
    displayName: user.computed_variables.display_name,
    delegations: user.delegations,
    metadata: { defaultSignature: user.metadata.defaultSignature },
  })),
)

export const cachedSignature = v.pipe(
  v.object({
    name: v.string(),
    user_id: v.string(),
    signature: v.string(),
    reply: v.nullable(v.string()),
    combined_ids: v.string(),
    base64_embedded_images: v.array(image),
  }),
  v.transform((cached): CachedSignature => ({
    name: cached.name,
    userId: cached.user_id,
    combinedIds: cached.combined_ids,
    html: cached.signature,
    reply: cached.reply,
    images: cached.base64_embedded_images,
  })),
)

export const signaturePage = v.pipe(
  v.object({
    objects: v.array(
      v.object({
        name: v.string(),
        email: v.optional(v.string()),
        signature: v.string(),
        combined_ids: v.string(),
        base64_embedded_images: v.array(image),
        audiences: v.optional(v.array(v.string()), []),
        order: v.optional(v.number(), 0),
        collection: v.optional(v.string(), 'main'),
        variants: v.optional(v.array(v.object({ code: v.string(), signature: v.string() })), []),
      }),
    ),
    total: v.number(),
    page: v.number(),
  }),
  v.transform(({ objects, total, page }): SignaturePage => ({
    page,
    total,
    objects: objects.map((object) => ({
      name: object.name,
      email: object.email ?? null,
      combinedIds: object.combined_ids,
      html: object.signature,
      images: object.base64_embedded_images,
      audiences: object.audiences,
      order: object.order,
      collection: object.collection,
      variants: object.variants.map(({ code, signature }) => ({ code, html: signature })),
    })),
  })),
)

export const maintenance = v.pipe(
  v.object({ data: v.object({ status: v.nullable(v.picklist(['planned', 'active'])) }) }),
  v.transform(({ data }): MaintenanceStatus => data.status),
)

/** The code of an error answer; null when it carries none. */
export const errorCode = v.fallback(
  v.pipe(
    v.object({ code: v.string() }),
    v.transform(({ code }): string | null => code),
  ),
  null,
)
