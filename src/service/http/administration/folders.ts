/** Reads folders like `signet check`, and writes them like `signet export`. */
import { mapInSteps } from '../../../../streams/kernel/steps.ts'
import type { ReleaseDocument } from '../../../../streams/organisation/release/release.ts'
import type { FolderFinding } from '../../../../streams/wire/administration/publishing.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { Refusal } from '../../../server/webServer.ts'
import { YamlTooLarge } from '../../../folder/changedYaml.ts'
import { checkingFolder, checkingEdited } from '../../../folder/checkFolder.ts'
import { filesInRequest } from '../../../folder/files.ts'
import { type Finding, hasErrorFinding } from '../../../folder/finding.ts'
import { pictureHash } from '../../../folder/pictures.ts'
import { type EditedRead, readEdited, readFolderFiles } from '../../../folder/readFolder.ts'
import { folderFilesOf } from '../../../folder/writeFolder.ts'
import { yamlInOwnThread, YamlTooCostly } from '../../../folder/yamlApart.ts'
import type { Plans } from '../../publishing/plans.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import type { WorkTracker } from '../../operations/work.ts'
import type { CallHandlers } from './routes.ts'

/**
 * The limit for all pictures of a written folder, because they are held in memory. A picture with several paths counts
 * several times.
 */
export const MAX_WRITTEN_PICTURE_BYTES = 100_000_000

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The parsed document; null when a part of it could not be read. */
const documentOf = ({ document, problems }: EditedRead): ReleaseDocument | null =>
  hasErrorFinding(problems) ? null : document

/** @throws Refusal 422 if the `signet.yaml` of a document was too large; else the error itself */
export function refuseLargeDocument(error: unknown): never {
  if (error instanceof YamlTooLarge || error instanceof YamlTooCostly)
    throw new Refusal(422, 'document_too_large', error.message)
  throw error
}

const ruled = ({ code, ...finding }: Finding): FolderFinding => ({ ...finding, rule: code })

export function folderCalls({ store, now }: ServiceContext, plans: Plans, works: WorkTracker) {
  /** The bytes of a picture: from the request, else from a release or a plan. */
  async function bytesOf(hash: string, sent: string | undefined): Promise<Uint8Array> {
    if (sent === undefined) {
      const kept = await plans.pictures.find(hash)
      if (kept !== null) return kept.bytes
      throw new Refusal(422, 'picture_invalid', `The picture ${hash} is missing: send it, too.`)
    }
    const bytes = Buffer.from(sent, 'base64')
    if (pictureHash(bytes) !== hash)
      throw new Refusal(422, 'picture_invalid', `The picture ${hash} has another content.`)
    return bytes
  }

  /**
   * Writes the text of a `signet.yaml`.
   *
   * @throws Refusal 422 when the text is too large
   */
  const describedIn = (document: ReleaseDocument, text: string | null, client: AbortSignal) =>
    yamlInOwnThread(store, client).write(document, text).catch(refuseLargeDocument)

  return {
    async readFolder({ body, query, actor, client }) {
      const work = works.begin(actor, query.work)
      const bytesIn = ([path, base64]: [string, string]) => [path, Buffer.from(base64, 'base64')] as const
      const sent = await runInSlices(mapInSteps(Object.entries(body.files), bytesIn), { client })
      const read = await readFolderFiles(
        filesInRequest(new Map(sent)),
        yamlInOwnThread(store, client),
        client,
      )
      const findings = await runInSlices(checkingFolder(read, now()), {
        client,
        reached: async ({ done, of }) => work?.reach(done, of),
      })
      return {
        document: documentOf(read),
        pictures: Object.fromEntries(
          [...read.pictures].map(([hash, { mediaType, bytes }]) => [
            hash,
            { mediaType, base64: base64Of(bytes) },
          ]),
        ),
        yaml: read.yaml,
        findings: findings.map(ruled),
      }
    },

    async readYaml({ body: { yaml, former = null, document }, client }) {
      const read = await readEdited(yaml, former, document, yamlInOwnThread(store, client), client)
      const findings = await runInSlices(checkingEdited(read, now()), { client })
      return { document: documentOf(read), findings: findings.map(ruled) }
    },

    writeYaml: async ({ body: { document, yaml }, client }) => ({
      yaml: await describedIn(document, yaml, client),
    }),

    async writeFolder({ body: { document, pictures: sent, yaml = null }, client }) {
      const pictures = new Map<string, Readonly<{ bytes: Uint8Array }>>()
      let total = 0
      for (const hash of Object.values(document.pictures)) {
        const bytes = pictures.get(hash)?.bytes ?? (await bytesOf(hash, sent[hash]))
        pictures.set(hash, { bytes })
        total += bytes.length
        if (total > MAX_WRITTEN_PICTURE_BYTES)
          throw new Refusal(
            413,
            'folder_too_large',
            `The pictures of the folder are larger than ${MAX_WRITTEN_PICTURE_BYTES} bytes together. Publish it, and run signet export: it writes folders of any size.`,
          )
      }
      const text = await describedIn(document, yaml, client)
      const described = document.lists ? (await yamlInOwnThread(store, client).describe(text)).document : {}
      const files = folderFilesOf(document, pictures, text, described)
      const written = await runInSlices(
        mapInSteps(files, ([path, bytes]) => [path, base64Of(bytes)] as const),
        { client },
      )
      return { files: Object.fromEntries(written) }
    },
  } satisfies Partial<CallHandlers>
}
