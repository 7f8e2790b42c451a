/** OpenID Connect for pages: authorization code with PKCE, refresh, silent sign-in and sign-out. */
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mapSchema, object, oneOf, optional, type OutOf, text } from '../../streams/kernel/schema.ts'
import { parseFormFields, Refusal, type WebServer } from '../server/webServer.ts'
import type { ProviderAccount } from './accounts.ts'
import { createGrants, type GrantsOptions, oauthError } from './grants.ts'
import { createSignInFaults } from './signInFaults.ts'
import { sendRefusedPage, sendSignedOutPage, sendSignInPage } from './signInPage.ts'
import { signInNameOf } from './tokenIssuer.ts'

export type SignInOptions = GrantsOptions &
  Readonly<{
    /** The provider's own URL; called only once it listens. */
    url: () => string
    keysUrl: () => string
    /** Origins whose `/index.html` can receive a sign-in response. */
    origins: readonly string[]
    audience: string
    /** The permission's name in access tokens. */
    scope: string
    accounts: readonly ProviderAccount[]
  }>

const TENANT_PATH = '/northwind'
const COOKIE_NAME = 'signet_idp'

/** The faults that turn the response to an authorization request into an OAuth error. */
const AUTHORIZATION_ERRORS = [
  ['interactionRequired', 'interaction_required'],
  ['consentRequired', 'consent_required'],
  ['temporarilyUnavailable', 'temporarily_unavailable'],
] as const

const authorizationSchema = object({
  client_id: text,
  redirect_uri: text,
  response_type: oneOf('code'),
  scope: text,
  code_challenge: text,
  code_challenge_method: oneOf('S256'),
  state: optional(text),
  nonce: optional(text),
  prompt: optional(oneOf('none', 'login', 'select_account', 'consent')),
  login_hint: optional(text),
})
type Authorization = OutOf<typeof authorizationSchema>

/** The fields of the sign-in page's form: the authorization request and, unless cancelled, the chosen account. */
const choiceSchema = object({
  request: mapSchema(text, (fields, at) => authorizationSchema.read(parseFormFields(fields), at)),
  account: optional(text),
})
const signOutSchema = object({
  post_logout_redirect_uri: optional(text),
  state: optional(text),
})

// Long because its routes share the accounts signed in to each browser.
/** Creates the sign-in routes, and the controls that make their responses fail. */
export function createSignInRoutes(options: SignInOptions) {
  const { url, keysUrl, origins, clientId, audience, scope, accounts } = options
  const base = () => url() + TENANT_PATH
  // The sign-in library accepts only https authorities and issuers, even on localhost.
  const ownIssuer = () => `${base().replace(/^http:/, 'https:')}/v2.0`
  const callbacks = origins.map((origin) => `${origin}/index.html`)
  /** The accounts signed in to each browser, the most recent sign-in first. */
  const sessions = new Map<string, readonly ProviderAccount[]>()
  const faults = createSignInFaults(() => sessions.clear())
  const grants = createGrants(options, faults, ownIssuer)

  const checkCallback = (callback: string): string => {
    if (!callbacks.includes(callback))
      throw new Refusal(400, 'invalid_redirect_uri', 'This address may not be answered.')
    return callback
  }

  const checkRequest = ({ client_id, redirect_uri }: Authorization): void => {
    if (client_id !== clientId) throw new Refusal(400, 'unknown_client', 'There is no such client.')
    checkCallback(redirect_uri)
  }

  const respond = (
    reply: FastifyReply,
    { redirect_uri, state }: Authorization,
    response: Record<string, string>,
  ) => {
    const fields = new URLSearchParams(response)
    if (faults.take('foreignState')) fields.set('state', foreignState(state))
    else if (!faults.take('noState') && state !== undefined) fields.set('state', state)
    return reply.redirect(`${redirect_uri}#${fields.toString()}`, 303)
  }

  return {
    addRoutes(app: WebServer): void {
      app.get(`${TENANT_PATH}/v2.0/.well-known/openid-configuration`, async () => ({
        issuer: ownIssuer(),
        authorization_endpoint: `${base()}/authorize`,
        token_endpoint: `${base()}/token`,
        end_session_endpoint: `${base()}/logout`,
        jwks_uri: keysUrl(),
        response_types_supported: ['code'],
        response_modes_supported: ['fragment'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'profile', 'offline_access', `${audience}/${scope}`],
      }))

      app.get(
        `${TENANT_PATH}/authorize`,
        { schema: { querystring: authorizationSchema }, errorHandler: sendRefusedPage },
        async (request, reply) => {
          const wanted = request.query
          checkRequest(wanted)
          for (const [fault, error] of AUTHORIZATION_ERRORS)
            if (faults.take(fault)) return respond(reply, wanted, oauthError(error, 'As asked for.'))
          const signedIn = sessions.get(cookieOf(request)) ?? []
          const hinted = signedIn.filter(
            (each) =>
              !wanted.login_hint || wanted.login_hint.toLowerCase() === signInNameOf(each).toLowerCase(),
          )
          const [known] = hinted
          if (wanted.prompt === 'none') {
            if (hinted.length > 1)
              return respond(
                reply,
                wanted,
                oauthError('interaction_required', 'More than one account is signed in.'),
              )
            return respond(
              reply,
              wanted,
              known ? grants.grant(wanted, known) : oauthError('login_required', 'No account is signed in.'),
            )
          }
          if (known && hinted.length === 1 && wanted.prompt === undefined)
            return respond(reply, wanted, grants.grant(wanted, known))
          return sendSignInPage(reply, {
            action: `${TENANT_PATH}/choose`,
            request: new URLSearchParams(wanted).toString(),
            accounts,
            callbackOrigins: origins,
          })
        },
      )

      app.post(
        `${TENANT_PATH}/choose`,
        { schema: { body: choiceSchema }, errorHandler: sendRefusedPage },
        async (asked, reply) => {
          const { request, account: subject } = asked.body
          checkRequest(request)
          const account = accounts.find((candidate) => candidate.subject === subject)
          if (!account)
            return respond(reply, request, oauthError('access_denied', 'The person pressed Cancel.'))
          const before = cookieOf(asked)
          const session = randomUUID()
          const others = (sessions.get(before) ?? []).filter((each) => each !== account)
          sessions.delete(before)
          sessions.set(session, [account, ...others])
          setCookie(reply, session)
          return respond(reply, request, grants.grant(request, account))
        },
      )

      grants.addTokenRoute(app, `${TENANT_PATH}/token`)

      app.get(
        `${TENANT_PATH}/logout`,
        { schema: { querystring: signOutSchema }, errorHandler: sendRefusedPage },
        async (request, reply) => {
          const { post_logout_redirect_uri: wanted, state } = request.query
          sessions.delete(cookieOf(request))
          const back = wanted === undefined ? null : new URL(checkCallback(wanted))
          setCookie(reply, '', '; Max-Age=0')
          if (back === null) return sendSignedOutPage(reply)
          if (state !== undefined) back.searchParams.set('state', state)
          return reply.redirect(back.href, 303)
        },
      )
    },

    addControls: (control: WebServer) => faults.addControls(control),
  }
}

/** Returns the `state` of a sign-in that the page never started, in the form of the given `state`. */
function foreignState(state: string | undefined): string {
  const [library = '', own] = (state ?? '').split('|')
  const { meta } = JSON.parse(Buffer.from(library, 'base64').toString('utf8') || '{}') as { meta?: unknown }
  const other = Buffer.from(JSON.stringify({ id: randomUUID(), meta })).toString('base64')
  return own === undefined ? other : `${other}|${randomUUID()}`
}

const setCookie = (reply: FastifyReply, session: string, more = '') =>
  reply.header('Set-Cookie', `${COOKIE_NAME}=${session}; Path=${TENANT_PATH}${more}; HttpOnly; SameSite=Lax`)

const cookieOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  new RegExp(`(?:^|; )${COOKIE_NAME}=([^;]+)`).exec(headers.cookie ?? '')?.[1] ?? ''
