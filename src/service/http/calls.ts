/** The 17 calls of the add-in (specification, section 7). Finds the caller and organisation of each call. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { signInBody } from '../../../streams/wire/addinRequests.ts'
import type { InOf } from '../../../streams/kernel/schema.ts'
import { READ_SIGNATURE, SIGN_IN } from '../../../streams/wire/signatures.ts'
import { READ_MAINTENANCE, RENEW_TOKEN } from '../../../streams/wire/user.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { Refusal, type WebServer } from '../../server/webServer.ts'
import type { Bearers } from '../identity/bearers.ts'
import { invalidToken, type TokenReader } from '../identity/tokens.ts'
import type { Organisation } from '../organisation/organisation.ts'
import type { Organisations } from '../organisation/organisations.ts'
import type { Caller, ServiceContext } from '../context/serviceContext.ts'
import { addPhotoCalls } from './addin/photo.ts'
import { addSignatureCalls } from './addin/signatures.ts'
import { type AnswerTo, createTaggedAnswers, JSON_TYPE, type TaggedAnswers } from './addin/taggedAnswers.ts'
import { addUserCalls } from './addin/user.ts'
import { addVariableCalls } from './addin/variables.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The organisation, found by the signed-in user or by a public address; unset until then. */
    organisation: Organisation
    /** The user named in the request's bearer; only set in routes that need a user. */
    caller: Caller
  }
}

export const SIGN_IN_PATH = SIGN_IN.path
export const DEFAULT_SIGNATURE_CALL = `${READ_SIGNATURE.method} ${READ_SIGNATURE.path}`

const CONTRACT_HEADERS = ['X-Api-Version', 'X-Addin-Version', 'X-LSI-Version', 'X-Addin-Trigger'].map(
  (name) => [name.toLowerCase(), name] as const,
)
/** The administrator role, as named in tokens of the identity provider. */
const ADMIN_ROLE = 'Signet.Publish'

export type AddinCallsOptions = Readonly<{
  organisations: Pick<Organisations, 'of' | 'ofTenant'>
  tokens: TokenReader
  bearers: Bearers
  /** Whether the response to a sign-in contains the default signature. */
  sendsDefault: () => boolean
  /** Whether the default comes with `guard`, the checks before a message is sent. */
  isGuarding: () => boolean
}>

export async function addAddinCalls(app: WebServer, options: AddinCallsOptions): Promise<void> {
  const { organisations, bearers } = options
  const answers = createTaggedAnswers(options.isGuarding)

  const readBearer = (request: FastifyRequest) =>
    bearers.read(request.headers.authorization, () => clientAddress(request))

  /** The content of a request's bearer, and the organisation that signed the bearer. */
  async function signedIn(request: FastifyRequest) {
    const bearer = await readBearer(request)
    const organisation = await organisations.of(bearer.organisation)
    if (organisation === null) throw invalidToken('The organisation is not there any more.')
    return { bearer, organisation }
  }

  await app.register(async (contract: WebServer) => {
    contract.addHook('onRequest', ({ headers }, _, done) => {
      const [, missing] = CONTRACT_HEADERS.find(([lower]) => !headers[lower]) ?? []
      if (missing !== undefined) throw new Refusal(400, 'header_missing', `The header ${missing} is missing.`)
      done()
    })

    addSignIn(contract, options, answers)

    // Responds from memory, because every pane polls this call.
    contract.get(READ_MAINTENANCE.path, async (request): AnswerTo<typeof READ_MAINTENANCE> => {
      request.organisation = (await signedIn(request)).organisation
      return { data: { status: request.organisation.context.releases.state().maintenance } }
    })

    contract.register(async (personal: WebServer) => {
      personal.decorateRequest('caller')
      personal.addHook('onRequest', async (request: FastifyRequest, reply) => {
        const { bearer, organisation } = await signedIn(request)
        const { person: id, account, isAdmin } = bearer
        const { context } = organisation
        request.organisation = organisation
        const person = await context.store.person(id)
        if (person?.active !== true)
          throw invalidToken('The token belongs to a person who has left the organisation.')
        const { tenant, oid } = person.account ?? {}
        if (tenant !== account.tenant || oid !== account.oid)
          throw invalidToken('The token belongs to an account that the person no longer has.')
        const release = published(context)
        request.caller = { person, release, isAdmin, at: context.now() }
        reply.header('X-Signet-Release', release.id)
      })

      personal.get(RENEW_TOKEN.path, async (request): AnswerTo<typeof RENEW_TOKEN> => {
        const bearer = await readBearer(request)
        bearers.renewable(bearer.authTime)
        return { data: { access_token: await bearers.issue(bearer) } }
      })
      addUserCalls(personal, answers)
      addPhotoCalls(personal, answers)
      addSignatureCalls(personal, answers)
      addVariableCalls(personal, answers)
    })
  })
}

/** Adds the sign-in, whose response may contain the default signature. */
function addSignIn(
  contract: WebServer,
  { organisations, tokens, bearers, sendsDefault }: AddinCallsOptions,
  { defaultAnswer }: TaggedAnswers,
): void {
  contract.post(
    SIGN_IN.path,
    { schema: { body: signInBody } },
    async (request, reply): Promise<InOf<typeof SIGN_IN.answer> | FastifyReply> => {
      const { body } = request
      const user = await tokens.verifyAccessToken(body.accessToken, () => clientAddress(request))
      const organisation = await organisations.ofTenant(user.account.tenant)
      if (organisation === null) throw invalidToken('The organisation is not there any more.')
      request.organisation = organisation
      const { context, accountLinking } = organisation
      const person = await accountLinking.signIn(user, body.email)
      const isAdmin = user.roles.includes(ADMIN_ROLE)
      const at = context.now()
      const access_token = await bearers.issue({
        organisation: organisation.id,
        person: person.id,
        account: user.account,
        email: body.email,
        isAdmin,
        authTime: at,
      })
      const caller = { person, release: published(context), isAdmin, at }
      if (!sendsDefault()) return { data: { access_token } }
      const before = `{"data":{"access_token":${JSON.stringify(access_token)},"signature":`
      const signature = await defaultAnswer(organisation, caller)
      return reply.type(JSON_TYPE).send(Buffer.concat([Buffer.from(before), signature, Buffer.from('}}')]))
    },
  )
}

function published({ releases }: ServiceContext): Release {
  const release = releases.current()
  if (release === null) throw new Refusal(503, 'unavailable', 'The organisation has not published anything.')
  return release
}
