/** Tags responses, so that a client with the current response gets 304. Caches encoded default signatures. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InOf, Schema } from '../../../../streams/kernel/schema.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { type AnswerDependency, ANSWER_DEPENDENCIES } from '../../../../streams/wire/addinRequests.ts'
import { READ_SIGNATURE } from '../../../../streams/wire/signatures.ts'
import type { WebServer } from '../../../server/webServer.ts'
import type { Images } from '../../answers/images.ts'
import { isTagInHeader, responseTagOf } from '../../answers/tags.ts'
import type { Caller } from '../../context/serviceContext.ts'
import type { Organisation } from '../../organisation/organisation.ts'

/** The content type of an already encoded answer. It is the same as for other answers. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** The address from which the add-in reads its default signature. */
const DEFAULT_URL = `${READ_SIGNATURE.path}?build_base64=true`

/** What a handler may read, for each dependency that its response declares. */
type Given = Readonly<{
  release: Pick<Caller, 'release'>
  periods: Pick<Caller, 'at'>
  person: Pick<Caller, 'person' | 'isAdmin'>
  owners: Readonly<{ owners: readonly PersonState[] }>
  request: object
}>
type AllOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type GivenBy<D extends AnswerDependency> = AllOf<{ [Name in D]: Given[Name] }[D]>

/** The response of a handler, in the shape that its call declares. */
export type AnswerTo<Call extends Readonly<{ answer: unknown }>> = Promise<InOf<Call['answer']>>

export type TaggedAnswers = ReturnType<typeof createTaggedAnswers>

/** @param isGuarding whether the default comes with `guard`, the checks before a message is sent */
export function createTaggedAnswers(isGuarding: () => boolean) {
  const tagFor = (
    { context }: Organisation,
    caller: Caller,
    dependsOn: readonly AnswerDependency[],
    asked: Readonly<{ url: string; owners: readonly PersonState[] }>,
  ) => responseTagOf({ publicUrl: context.publicUrl(), isGuarding: isGuarding() }, caller, dependsOn, asked)

  /** Responds with 304 when the client has the current response, else with the result of `answer`. */
  async function conditional<const D extends AnswerDependency, Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    dependsOn: readonly D[],
    answer: (given: GivenBy<D>, tag: string) => Promise<Answer> | Answer,
    owners: readonly PersonState[] = [],
  ): Promise<Answer | FastifyReply> {
    const { caller, url, headers } = request
    const tag = tagFor(request.organisation, caller, dependsOn, { url, owners })
    reply.headers({ ETag: `"${tag}"`, 'Cache-Control': 'private, no-cache' })
    return isTagInHeader(tag, headers['if-none-match'])
      ? reply.code(304).send()
      : answer({ ...caller, owners } as unknown as GivenBy<D>, tag)
  }

  /**
   * The encoded response with this tag. It is cached only when it contains all its pictures, because a missing picture
   * may arrive later.
   */
  async function encodedAnswer(
    { answers }: Organisation,
    tag: string,
    render: () => Promise<InOf<typeof READ_SIGNATURE.answer>>,
  ): Promise<Buffer> {
    const known = answers.get(tag)
    if (known !== null) return known
    const answer = await render()
    const body = Buffer.from(JSON.stringify(answer))
    if (answer.base64_embedded_images.every(({ status }) => status === 200)) answers.set(tag, body)
    return body
  }

  return {
    conditional,
    encodedAnswer,

    /** Adds a call whose answer depends only on the caller. */
    addRead: <In, const D extends AnswerDependency>(
      personal: WebServer,
      { path }: Readonly<{ path: string; answer: Schema<unknown, In> }>,
      dependsOn: readonly D[],
      answer: (given: GivenBy<D>, images: Images) => In,
    ): void => {
      personal.get(path, async (request, reply) =>
        conditional(request, reply, dependsOn, (given) => answer(given, request.organisation.images)),
      )
    },

    /** The default signature with its pictures, exactly as the call for the default returns it. */
    defaultAnswer: async (organisation: Organisation, caller: Caller): Promise<Buffer> => {
      const { signatures } = organisation
      const { owners, chosen } = await signatures.asked(caller, undefined)
      const tag = tagFor(organisation, caller, ANSWER_DEPENDENCIES.signature, { url: DEFAULT_URL, owners })
      return encodedAnswer(organisation, tag, () => signatures.cache(caller, chosen(), true))
    },
  }
}
