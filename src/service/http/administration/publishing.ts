/** The calls about plans, releases and maintenance. */
import { mapInSteps } from '../../../../streams/kernel/steps.ts'
import type { ReleaseDocument } from '../../../../streams/organisation/release/release.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { Refusal } from '../../../server/webServer.ts'
import { checkingDocument } from '../../../folder/checkFolder.ts'
import { yamlInOwnThread } from '../../../folder/yamlApart.ts'
import { pictureFormat, pictureHash } from '../../../folder/pictures.ts'
import { createApprovals } from '../../publishing/approvals.ts'
import type { Plans } from '../../publishing/plans.ts'
import type { WorkTracker } from '../../operations/work.ts'
import type { Picture } from '../../sql/pictures.ts'
import { refuseLargeDocument } from './folders.ts'
import type { AdministrationLookup } from './lookup.ts'
import type { CallHandlers } from './routes.ts'

export function publishingCalls(
  { store, releases, now }: ServiceContext,
  plans: Plans,
  works: WorkTracker,
  { releaseOf, withPictures }: AdministrationLookup,
  unchecked: ReadonlySet<string>,
) {
  const approvals = createApprovals({ store, releases, now }, plans)

  async function keepPictures(sent: Readonly<Record<string, string>>): Promise<void> {
    const pictures = await runInSlices(mapInSteps(Object.entries(sent), readPicture))
    for (const [hash, picture] of pictures) await plans.pictures.keep(hash, picture)
  }

  return {
    missingPictures: async ({ body }) => ({ missing: await plans.pictures.missing(body.pictures) }),

    async sendPictures({ body }) {
      await keepPictures(body.pictures)
      return {}
    },

    async makePlan({ body, query, actor, client }) {
      await refuseBroken(body.document, body.at ?? now(), unchecked, client)
      // Ensures that the document can be written as a folder and read back.
      await yamlInOwnThread(store, client).check(body.document).catch(refuseLargeDocument)
      await keepPictures(body.pictures)
      return plans.make(body.document, body.at ?? null, actor, {
        work: works.begin(actor, query.work),
        client,
      })
    },

    async plan({ params }) {
      const { plan } = await plans.read(params.id)
      return plan
    },

    plannedPeople: ({ params, query, client }) => plans.people(params.id, query.after ?? null, client),

    approvals: async (caller) => ({ approvals: await approvals.list(caller) }),

    askApproval: ({ params, body, ...caller }) => approvals.ask(params.id, caller, body.note),

    answerApproval: ({ params, body, ...caller }) => approvals.answer(params.id, caller, body),

    publish: ({ body, query, actor, account, client }) =>
      plans.publish(
        body.plan,
        body.all,
        { actor, note: body.note, ...(account && { account }) },
        { work: works.begin(actor, query.work), client },
      ),

    releases: async () => ({
      current: releases.current()?.id ?? null,
      maintenance: releases.state().maintenance,
      history: releases.state().history,
    }),

    async release({ params }) {
      const { id: release, document } = await releaseOf(params.id)
      return { release, document }
    },

    async rollBack({ params, body, actor }) {
      const { history } = await releases.write(
        { type: 'rollBack', release: params.id, note: body.note },
        actor,
      )
      return { release: params.id, history }
    },

    async setMaintenance({ body, actor }) {
      const { maintenance } = await releases.write({ type: 'setMaintenance', status: body.status }, actor)
      return { status: maintenance }
    },

    async export({ query }) {
      const { id: release, document } = await releaseOf(query.release)
      return withPictures({ release, document }, Object.values(document.pictures))
    },
  } satisfies Partial<CallHandlers>
}

/** @throws Refusal 422 for an invalid picture, or for a wrong hash */
function readPicture([name, base64]: [string, string]): readonly [hash: string, picture: Picture] {
  const bytes = Buffer.from(base64, 'base64')
  const format = pictureHash(bytes) === name ? pictureFormat(bytes) : null
  if (!format)
    throw new Refusal(
      422,
      'picture_invalid',
      `The picture ${name} is not exactly one PNG, JPEG, GIF or WebP of that content and at most 1 MB.`,
    )
  return [name, { mediaType: format.mediaType, bytes }]
}

/** Rejects a document that `signet check` would reject, and names its first error. */
async function refuseBroken(
  document: ReleaseDocument,
  at: number,
  unchecked: ReadonlySet<string>,
  client: AbortSignal,
): Promise<void> {
  const findings = await runInSlices(checkingDocument(document, at), { client })
  const found = findings.find(({ level, file }) => level === 'error' && !unchecked.has(file))
  if (found === undefined) return
  const { file, line, column, message } = found
  throw new Refusal(422, 'template_invalid', `${file}:${line}:${column}: ${message}`)
}
