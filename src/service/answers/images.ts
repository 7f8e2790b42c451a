/**
 * Serves pictures of releases and people by the hash of their content, and pictures of QR codes. A picture has two
 * addresses: the add-in attaches pictures with one, and links those with the other.
 */
import { LINKED_FOLDER } from '../../../streams/html/content.ts'
import { object, text } from '../../../streams/kernel/schema.ts'
import { portraitAddress } from '../../../streams/organisation/rendering/render.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { Refusal, type WebServer } from '../../server/webServer.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { createSharedCache, type SharedCache } from './sharedCache.ts'
import type { Picture } from '../sql/pictures.ts'
import type { SealedFormats } from '../people/values.ts'
import { QR_CODE_FILE } from '../../values/qrCode.ts'

const CACHE_LIMIT_BYTES = 64 * 1024 * 1024
const HASH = /^[0-9a-f]{32}$/
/** The path of a picture. The service reads only the hash or code; the file name is for people and mail clients. */
const PATH = /^(?:(?:linked\/)?([0-9a-f]{32})\/[^/]{1,255}|(qr\.[\w.-]+)\/qr\.png)$/

/** An image in the format of the add-in's contract. `content` is base64, and empty unless the status is 200. */
export type EmbeddedImage = Readonly<{
  id: string
  url: string
  name: string
  content: string
  status: number
}>

export type Images = ReturnType<typeof createImages>

type Cached = Picture & Readonly<{ base64: string }>

const PNG = 'image/png'

export type PictureCache = SharedCache<Cached>

/** Caches the pictures of all organisations. */
export const createPictureCache = (limitBytes = CACHE_LIMIT_BYTES): PictureCache =>
  createSharedCache(limitBytes, ({ bytes, base64 }) => bytes.length + base64.length)

/** The pictures of an organisation. A QR code has its packed text instead of a hash, and is drawn on request. */
export function createImages(
  { store, publicUrl }: Pick<ServiceContext, 'store' | 'publicUrl'>,
  { codeAt }: Pick<SealedFormats, 'codeAt'>,
  cache: ReturnType<PictureCache['of']>,
) {
  /** @param hash the hash of a picture, or the first path segment of a QR code */
  async function read(hash: string): Promise<Cached | null> {
    const cached = cache.get(hash)
    if (cached !== null) return cached
    const code = codeAt(`${hash}/${QR_CODE_FILE}`)
    const picture = code
      ? { bytes: code, mediaType: PNG }
      : HASH.test(hash)
        ? await store.picture(hash)
        : null
    if (picture === null) return null
    const read = { ...picture, base64: Buffer.from(picture.bytes).toString('base64') }
    cache.set(hash, read)
    return read
  }

  /** `<public address>/images` */
  const base = () => `${publicUrl()}/images`
  return {
    base,
    /** The picture at a path below `base`; null for none. */
    at: async (path: string): Promise<Picture | null> => {
      const [, hash, code] = PATH.exec(path) ?? []
      const name = hash ?? code
      return name === undefined ? null : read(name)
    },
    /** The address of a person's picture, empty when there is none. */
    addressOf: ({ picture }: PersonState) => portraitAddress(base(), picture),
    /** Whether the add-in attaches the picture at an address of the service. */
    isAttached: (address: string): boolean => !address.startsWith(`${base()}/${LINKED_FOLDER}/`),
    /** Reads the picture at an address of the service, with its content. */
    embedded: async (address: string): Promise<EmbeddedImage> => {
      const [hash = '', name = ''] = address.slice(base().length + 1).split('/')
      const picture = await read(hash)
      return {
        id: hash,
        url: address,
        name,
        content: picture?.base64 ?? '',
        status: picture === null ? 404 : 200,
      }
    },
    /** Deletes a person's picture, `<hash>.<extension>`, unless it is still used elsewhere. */
    drop: async (picture: string): Promise<void> => {
      const [hash = ''] = picture.split('.')
      cache.forget(hash)
      await store.dropPicture(hash)
    },
  }
}

/** Serves `/images/<hash>/<file name>` and `/images/linked/<hash>/<file name>` by the route `/images/*`. */
export function addImages(app: WebServer): void {
  app.get(
    '/images/*',
    { schema: { params: object({ '*': text }) } },
    async ({ params: { '*': path }, organisation: { images } }, reply) => {
      const picture = await images.at(path)
      if (picture === null) throw new Refusal(404, 'not_found', 'There is no such picture.')
      return reply
        .type(picture.mediaType)
        .headers({
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        })
        .send(picture.bytes)
    },
  )
}
