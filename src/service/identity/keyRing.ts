/** The keys that sign bearers, encrypted in the database and shared by all instances. */
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import type { SealedKey } from '../sql/signingKeys.ts'
import type { Store } from '../sql/store.ts'
import { PlainError } from '../../server/reasons.ts'

export type SigningKey = Readonly<{ id: string; bytes: Uint8Array }>

export type KeyRing = Awaited<ReturnType<typeof createKeyRing>>

type Opened = SealedKey & SigningKey
type KeyStore = Pick<Store, 'keys' | 'keepKey' | 'dropKey'>

const SECRET_BYTES = 32
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The latest time a Date can hold, for keys that do not expire. */
const NO_END = 8_640_000_000_000_000
/** The cache time of keys. It is shorter than `SIGNS_AFTER_MS`, so that all instances read a key before it signs. */
const KNOWN_FOR_MS = 30_000
const SIGNS_AFTER_MS = 60_000
/** The shortest time between two reads for unknown key ids. */
const ASK_AGAIN_MS = 1_000
/** How long a replaced key stays valid: the lifetime of a bearer, plus a leeway for clocks. */
const GOOD_AFTER_MS = 3_600_000 + 60_000

/**
 * Reads the keys, and creates the first key if there is none. Calls may reject with `StoreUnavailable`.
 *
 * @param secret 32 bytes
 * @param now milliseconds since 1970
 * @throws PlainError when the secret does not decrypt the stored keys
 */
export async function createKeyRing(store: KeyStore, secret: Uint8Array, now: () => number) {
  if (secret.length !== SECRET_BYTES) throw new PlainError(`SIGNET_SECRET must have ${SECRET_BYTES} bytes.`)
  let known: readonly Opened[] = []
  let readAt = 0
  let reading: Promise<void> | null = null

  const read = (): Promise<void> =>
    (reading ??= store
      .keys()
      .then((keys) => {
        known = keys.map((key) => open(key, secret)).sort((a, b) => b.from - a.from || (a.id < b.id ? 1 : -1))
        readAt = now()
      })
      .finally(() => (reading = null)))
  // The absolute difference, because a clock may be set back.
  const isPast = (age: number) => Math.abs(now() - readAt) >= age
  const readIfOld = async () => {
    if (isPast(KNOWN_FOR_MS)) await read()
  }
  const good = () => known.filter(({ until }) => until > now())
  const goodWith = (id: string) => known.find((key) => key.id === id && key.until > now()) ?? null

  async function findInStore(id: string): Promise<SigningKey | null> {
    await readIfOld()
    const key = goodWith(id)
    if (key !== null || !isPast(ASK_AGAIN_MS)) return key
    await read()
    return goodWith(id)
  }

  const make = async (from: number): Promise<string> => {
    const id = randomUUID()
    const sealed = seal(id, randomBytes(KEY_BYTES), secret)
    await store.keepKey({ id, sealed, from, until: NO_END })
    return id
  }

  await read()
  if (good().length === 0) {
    await make(now())
    await read()
  }

  return {
    /** The key for new bearers. */
    current: async (): Promise<SigningKey> => {
      await readIfOld()
      const key = good().find(({ from }) => from <= now()) ?? good().at(-1)
      if (key === undefined) throw new PlainError('There is no key to sign tokens with.')
      return key
    },

    /** The key with this id; null for an unknown or expired key. Returns a recently read key without a promise. */
    find: (id: string): SigningKey | null | Promise<SigningKey | null> => {
      const key = isPast(KNOWN_FOR_MS) ? null : goodWith(id)
      return key ?? findInStore(id)
    },

    /**
     * Creates a key that signs after a minute, and resolves with its id. The previous key stays valid until its bearers
     * have expired. Older keys are deleted, so two rotations invalidate all bearers of a stolen key.
     */
    rotate: async (): Promise<string> => {
      await read()
      const [before, ...older] = known
      // Ensures that the new key is later than the previous one, because keys are ordered by this time.
      const from = Math.max(now() + SIGNS_AFTER_MS, (before?.from ?? 0) + 1)
      const id = await make(from)
      if (before !== undefined) {
        const { id: beforeId, sealed, from: began } = before
        await store.keepKey({ id: beforeId, sealed, from: began, until: from + GOOD_AFTER_MS })
      }
      for (const key of older) await store.dropKey(key.id)
      await read()
      return id
    },
  }
}

/** Encrypts a key with AES-256-GCM, bound to the key's id. The result is nonce, tag and ciphertext. */
function seal(id: string, bytes: Uint8Array, secret: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(id))
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

function open(key: SealedKey, secret: Uint8Array): Opened {
  const { id, sealed } = key
  const [tagAt, textAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES]
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, tagAt), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(id)).setAuthTag(sealed.subarray(tagAt, textAt))
    const bytes = Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()])
    return { ...key, bytes }
  } catch {
    throw new PlainError('SIGNET_SECRET is not the secret that sealed the keys in this database.')
  }
}
