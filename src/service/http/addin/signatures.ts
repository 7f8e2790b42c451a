/** The calls for signatures: reading the default and the lists, and choosing the default. */
import {
  defaultSignatureBody,
  delegatedSignaturesBody,
  ANSWER_DEPENDENCIES,
  signatureListQuery,
  signatureQuery,
} from '../../../../streams/wire/addinRequests.ts'
import {
  READ_DELEGATED_SIGNATURES,
  READ_SIGNATURE,
  READ_SIGNATURES,
} from '../../../../streams/wire/signatures.ts'
import { SAVE_DEFAULT } from '../../../../streams/wire/user.ts'
import { mayChooseDefault } from '../../../../streams/organisation/rules/rules.ts'
import { Refusal, type WebServer } from '../../../server/webServer.ts'
import type { Caller } from '../../context/serviceContext.ts'
import type { Organisation } from '../../organisation/organisation.ts'
import { type AnswerTo, JSON_TYPE, type TaggedAnswers } from './taggedAnswers.ts'

export function addSignatureCalls(personal: WebServer, { conditional, encodedAnswer }: TaggedAnswers): void {
  personal.get(READ_SIGNATURE.path, { schema: { querystring: signatureQuery } }, async (request, reply) => {
    const { combined_ids, build_base64 } = request.query
    const { signatures } = request.organisation
    const { owners, chosen } = await signatures.asked(request.caller, combined_ids)
    return conditional(
      request,
      reply,
      ANSWER_DEPENDENCIES.signature,
      async (caller, tag) => {
        const render = () => signatures.cache(caller, chosen(), build_base64)
        return reply.type(JSON_TYPE).send(await encodedAnswer(request.organisation, tag, render))
      },
      owners,
    )
  })

  personal.get(
    READ_SIGNATURES.path,
    { schema: { querystring: signatureListQuery } },
    async (request, reply) => {
      const { query, organisation } = request
      return conditional(request, reply, ANSWER_DEPENDENCIES.signatures, (caller) =>
        organisation.signatures.list(caller, [caller.person], query, false),
      )
    },
  )

  personal.post(
    READ_DELEGATED_SIGNATURES.path,
    { schema: { body: delegatedSignaturesBody, querystring: signatureListQuery } },
    async ({
      body: { user_ids },
      caller,
      query,
      organisation: { owners, signatures },
    }): AnswerTo<typeof READ_DELEGATED_SIGNATURES> => {
      const delegated = new Map((await owners.delegated(caller)).map((owner) => [owner.id, owner]))
      const found = [...new Set(user_ids)].map((id) => delegated.get(id))
      if (!found.every((owner) => owner !== undefined)) {
        throw new Refusal(403, 'not_delegated', 'Not all of these people share their signatures with you.')
      }
      return signatures.list(caller, found, query, true)
    },
  )

  personal.put(
    SAVE_DEFAULT.path,
    { schema: { body: defaultSignatureBody } },
    async ({ body: { combined_ids: master }, caller, organisation }, reply) => {
      await refuseInvisibleSignatures(organisation, caller, [master])
      const { people } = organisation.context
      await people.write(caller.person.id, { type: 'chooseDefault', combinedIds: master }, caller.person.id)
      return reply.code(204).send()
    },
  )
}

/** Refuses signatures that the user may not see. The write itself refuses a user who may not choose. */
export async function refuseInvisibleSignatures(
  { signatures }: Organisation,
  caller: Caller,
  wanted: readonly string[],
): Promise<void> {
  if (mayChooseDefault(caller.release, caller.person)) await signatures.visible(caller, wanted)
}
