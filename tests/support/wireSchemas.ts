import type {
  ChosenDefaults,
  Definition,
  MaintenanceStatus,
  Metadata,
  SavedVariables,
  UserProfile,
  Values,
  VariableStates,
} from '../../streams/wire/user.ts'
import type { CachedSignature, Named, SignaturePage } from '../../streams/wire/signatures.ts'
import type { SignatureImage } from '../../streams/html/content.ts'
import * as v from 'valibot'
import type { Session, Verified } from '../../streams/message/auth/events.ts'
import { readRaster } from '../../streams/html/raster.ts'
import type { AddinConfiguration } from '../../streams/message/configuration/events.ts'
import { readSession } from '../../src/engine/adapters/sessionToken.ts'

// The schemas of the service's responses (snake_case), with their transformation to the domain's types, in valibot: what
// the decoders that ship are compared with (tests/engine/adapters/decode.test.ts).

/** Names and values; a list is none. */
const plain = v.custom<Readonly<Record<string, unknown>>>(
  (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
)

const image = v.object({ url: v.string(), name: v.string(), content: v.string(), status: v.number() })

/** A picture that is none costs only itself: without its content, the signature shows it by its address. */
const images = v.pipe(
  v.array(v.unknown()),
  v.transform((given): readonly SignatureImage[] =>
    given.flatMap((each) => {
      const read = v.safeParse(image, each)
      if (!read.success) return []
      const { url, name, content, status } = read.output
      return [{ url, name, content: readRaster(content) === null ? '' : content, status }]
    }),
  ),
)

const token = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): Session => {
    const found = readSession(dataset.value)
    if (found) return found
    addIssue({ message: 'not a token' })
    return NEVER
  }),
)

export const session = v.pipe(
  v.object({ data: v.object({ access_token: token }) }),
  v.transform(({ data }): Session => data.access_token),
)

/** The chosen signatures by the sender's address. A choice that is none costs only itself. */
const bySender = v.pipe(
  v.fallback(v.pipe(plain, v.record(v.string(), v.unknown())), {}),
  v.transform((given): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(given).flatMap(([sender, ids]) =>
        typeof ids === 'string' ? [[sender.toLowerCase(), ids]] : [],
      ),
    ),
  ),
)

const defaultSignature = v.pipe(
  v.object({
    master: v.optional(v.nullable(v.string()), null),
    reply: v.optional(v.nullable(v.string()), null),
    bySender: v.exactOptional(bySender),
  }),
  v.transform(({ master, ...others }): ChosenDefaults | null => {
    if (master) return { master, ...others }
    const { bySender: chosen } = others
    return chosen ? { master: null, reply: null, bySender: chosen } : null
  }),
)

const metadata = v.pipe(
  plain,
  v.looseObject({ defaultSignature: v.optional(v.nullable(defaultSignature), null) }),
  v.transform(({ defaultSignature: chosen, ...others }): Metadata => ({ defaultSignature: chosen, others })),
)

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
    metadata: v.optional(v.nullable(metadata)),
  }),
  v.transform((user): UserProfile => ({
    id: user.id,
    email: user.email,
    isAdmin: user.is_admin,
    pictureUrl: user.picture_url,
    authType: user.auth_type,
    language: user.language,
    clientName: user.client_name,
    displayName: user.computed_variables.display_name,
    delegations: user.delegations,
    metadata: user.metadata ?? { defaultSignature: null, others: {} },
  })),
)

/** The signature that the reply version belongs to, where the service says so. */
const replyOwner = ({
  reply_name: name,
  reply_combined_ids: combinedIds,
}: Readonly<{ reply_name?: string | undefined; reply_combined_ids?: string | undefined }>): Named | null =>
  name !== undefined && combinedIds !== undefined ? { name, combinedIds } : null

export const cachedSignature = v.pipe(
  v.object({
    name: v.string(),
    user_id: v.string(),
    signature: v.string(),
    reply: v.nullable(v.string()),
    reply_name: v.optional(v.string()),
    reply_combined_ids: v.optional(v.string()),
    combined_ids: v.string(),
    base64_embedded_images: images,
  }),
  v.transform((cached): CachedSignature => ({
    name: cached.name,
    userId: cached.user_id,
    combinedIds: cached.combined_ids,
    html: cached.signature,
    reply: cached.reply === null ? null : { html: cached.reply, of: replyOwner(cached) },
    images: cached.base64_embedded_images,
  })),
)

/** A default that is missing, malformed or another user's costs only itself: the pane asks for it. */
export const verified = v.pipe(
  v.object({
    data: v.object({ access_token: token, signature: v.fallback(v.nullable(cachedSignature), null) }),
  }),
  v.transform(({ data: { access_token: issued, signature } }): Verified => ({
    session: issued,
    signature: signature?.userId === issued.userId ? signature : null,
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
        base64_embedded_images: images,
        // Domains. After `!`: the signature is for messages with a recipient outside of it.
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

// A null value is an empty text.
const texts = v.pipe(
  plain,
  v.record(
    v.string(),
    v.pipe(
      v.nullable(v.string()),
      v.transform((value) => value ?? ''),
    ),
  ),
)

export const variableStates = v.pipe(
  v.object({ id: v.string(), changed_fields: v.array(v.string()), original_data: texts }),
  v.transform((user): VariableStates => ({
    id: user.id,
    changedFields: user.changed_fields,
    originalData: user.original_data,
  })),
)

export const definitions = v.pipe(
  v.object({
    objects: v.array(
      v.object({
        path: v.string(),
        lookups: v.pipe(plain, v.record(v.string(), v.string())),
        metas: v.object({
          custom_type: v.nullable(v.string()),
          display_name: v.optional(v.nullable(v.string()), null),
          hidden: v.boolean(),
          non_editable: v.boolean(),
          resettable: v.boolean(),
        }),
      }),
    ),
  }),
  v.transform(({ objects }): readonly Definition[] =>
    objects.map(({ path, lookups, metas }) => ({
      path,
      lookups,
      customType: metas.custom_type,
      displayName: metas.display_name,
      hidden: metas.hidden,
      nonEditable: metas.non_editable,
      resettable: metas.resettable,
    })),
  ),
)

export const values = v.pipe(
  v.object({ values: texts }),
  v.transform((body): Values => body.values),
)

export const savedVariables = v.pipe(
  v.object({
    data: v.pipe(
      plain,
      v.record(v.string(), v.unknown()),
      // The metadata is sent as a variable, and may return as one.
      v.transform(({ metadata: _, ...rest }) => rest),
      texts,
    ),
    changed_fields: v.array(v.string()),
  }),
  v.transform(({ data, changed_fields }): SavedVariables => ({
    values: data,
    changedFields: changed_fields,
  })),
)

export const photo = v.pipe(
  v.object({ data: v.object({ url: v.nullable(v.string()) }) }),
  v.transform(({ data }): string | null => data.url),
)

export const savedPhoto = v.pipe(
  v.object({ data: v.object({ url: v.string() }) }),
  v.transform(({ data }): string => data.url),
)

export const planId = v.pipe(
  v.object({ plan_id: v.string() }),
  v.transform(({ plan_id }) => plan_id),
)

/** Only `true` itself allows it; `"true"`, 1 or a missing value does not. */
export const configuration = v.pipe(
  v.object({ config: v.object({ addin: v.object({ signature_by_default: v.optional(v.unknown()) }) }) }),
  v.transform(({ config }): AddinConfiguration => ({
    allowDefaultSignature: config.addin.signature_by_default === true,
  })),
)
