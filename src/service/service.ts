/** The signature service: the calls of the add-in over a repository, the pictures, and the controls. */
import * as v from 'valibot'
import { createControl } from '../server/control.ts'
import { createWebServer, listen, Refusal, urlOf, type RunningServer } from '../server/webServer.ts'
import { createBearers } from './bearer.ts'
import { addCalls, DEFAULT_SIGNATURE_CALL } from './calls.ts'
import { demonstration } from './demonstration.ts'
import { openFolderRepository } from './folderRepository.ts'
import { loadPictures, PHOTOS_FOLDER, pictureMediaType } from './picture.ts'
import { createSignatures } from './signatures.ts'

export type ServiceOptions = Readonly<{
  /** 0 takes any free port. */
  port: number
  /** The data folder; created when it does not exist. */
  dataFolder: string
  /** Origins of the pages that may call, exactly as a browser sends them. */
  origins: readonly string[]
  /** The issuer in the identity provider's tokens. */
  issuer: string
  /** The audience that its access tokens must name. */
  audience?: string
  /** Replaces the data in the folder by the demonstration data. */
  reset?: boolean
  /** Offers `/_control`: faults, the clock, the journal of requests, maintenance, reset. */
  control?: boolean
  /** The lifetime of the service's own bearers; 60 minutes by default. */
  bearerLifetimeSeconds?: number
  /** Milliseconds since 1970, for what expires. */
  now?: () => number
}>

export const DEFAULT_AUDIENCE = 'api://signet'

/** Uploaded pictures are named by the hash of their content. */
const PHOTO_NAME = /^[0-9a-f]{32}\.(png|jpg|gif|webp)$/

const maintenanceSchema = v.object({ status: v.nullable(v.picklist(['planned', 'active'])) })

/**
 * Opens the data folder and listens on localhost.
 *
 * @throws when the folder cannot be opened or the port is not free
 */
export async function createService(options: ServiceOptions): Promise<RunningServer> {
  const {
    issuer,
    origins,
    audience = DEFAULT_AUDIENCE,
    bearerLifetimeSeconds = 3600,
    now: clock = Date.now,
  } = options
  const control = options.control === true ? createControl(clock) : null
  const now = control?.now ?? clock
  const repository = await openFolderRepository(options.dataFolder, demonstration, {
    startOver: options.reset === true,
  })
  const pictures = await loadPictures()
  const bearers = createBearers({
    issuer,
    audience,
    key: await repository.bearerKey(),
    lifetimeSeconds: bearerLifetimeSeconds,
    now,
  })
  const { app, routes } = await createWebServer(origins, control)
  const signatures = createSignatures(repository, () => urlOf(app), pictureBytes)

  await addCalls(app, {
    repository,
    signatures,
    bearers,
    imagesUrl: () => `${urlOf(app)}/images`,
    // As a service whose cache of signatures is down: the fault shows in the call, and the sign-in works without it.
    sendsDefault: () => control?.hasFault(DEFAULT_SIGNATURE_CALL) !== true,
    now,
  })
  app.get(
    '/images/*',
    { schema: { params: v.object({ '*': v.string() }) } },
    async ({ params: { '*': path } }, reply) => {
      const [bytes, mediaType] = [await pictureBytes(path), pictureMediaType(path)]
      if (bytes === null || mediaType === null)
        throw new Refusal(404, 'not_found', 'There is no such picture.')
      return reply
        .type(mediaType)
        .headers({
          'Cache-Control': 'public, max-age=31536000, immutable',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        })
        .send(bytes)
    },
  )
  control?.addTo(app, {
    routes,
    origins,
    addOwn(own) {
      own.put('/maintenance', { schema: { body: maintenanceSchema } }, async ({ body }, reply) => {
        await repository.setMaintenance(body.status)
        return reply.code(204).send()
      })
      own.post('/reset', async (_, reply) => {
        await repository.reset()
        return reply.code(204).send()
      })
    },
  })
  return listen(app, options.port)

  async function pictureBytes(path: string): Promise<Uint8Array | null> {
    if (!path.startsWith(PHOTOS_FOLDER)) return pictures.get(path) ?? null
    const name = path.slice(PHOTOS_FOLDER.length)
    return PHOTO_NAME.test(name) ? repository.photo(name) : null
  }
}
