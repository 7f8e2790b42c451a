/** OpenID Connect for a page: authorization code with PKCE, refresh, silent sign-in, sign-out. */
import { createHash, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { integer } from '../../streams/kernel/limits.ts'
import { map, object, oneOf, optional, type OutOf, text } from '../../streams/kernel/schema.ts'
import { parseFields, Refusal, type WebServer } from '../server/webServer.ts'
import type { ProviderAccount } from './accounts.ts'
import { sendRefusedPage, sendSignedOutPage, sendSignInPage } from './signInPage.ts'
import { LIFETIME_SECONDS, signInNameOf, tenantOf, type Grant, type TokenIssuer } from './tokenIssuer.ts'

export type SignInOptions = Readonly<{
  /** The address that the provider listens on; called only once it listens. */
  url: () => string
  keysUrl: () => string
  /** What the access token of an account grants, such as its audience and permission. */
  grantFor: (account: ProviderAccount) => Grant
  /** Origins whose `/index.html` may get the response to a sign-in. */
  origins: readonly string[]
  clientId: string
  audience: string
  /** The permission, as access tokens name it. */
  scope: string
  accounts: readonly ProviderAccount[]
  issuer: TokenIssuer
  /** Milliseconds since 1970. */
  now: () => number
}>

const TENANT_PATH = '/northwind'
const COOKIE_NAME = 'signet_idp'
const CODE_LIFETIME_MS = 60_000

/** The faults that a test can order for the next responses. */
const signInFaultSchema = oneOf(
  'noState',
  'foreignState',
  'foreignNonce',
  'noIdToken',
  'malformedIdToken',
  'noLifetime',
  'interactionRequired',
  'consentRequired',
  'temporarilyUnavailable',
)
type SignInFault = OutOf<typeof signInFaultSchema>
const orderSchema = object({
  fault: signInFaultSchema,
  times: optional(integer(1), 1),
})

/** The faults for which the response to an authorization request is an OAuth error. */
const AUTHORIZATION_ERRORS = [
  ['interactionRequired', 'interaction_required'],
  ['consentRequired', 'consent_required'],
  ['temporarilyUnavailable', 'temporarily_unavailable'],
] as const

type Granted = Readonly<{ account: ProviderAccount; nonce: string | null; scope: string }>
type Code = Granted & Readonly<{ challenge: string; redirectUri: string; until: number }>

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

/** What the form of the sign-in page sends: the authorization request, and the chosen account, if any. */
const choiceSchema = object({
  request: map(text, (fields, at) => authorizationSchema.read(parseFields(fields), at)),
  account: optional(text),
})
const tokenRequestSchema = object({
  client_id: optional(text),
  grant_type: optional(text),
  code: optional(text, ''),
  code_verifier: optional(text, ''),
  redirect_uri: optional(text),
  refresh_token: optional(text, ''),
})
const signOutSchema = object({
  post_logout_redirect_uri: optional(text),
  state: optional(text),
})

/** The routes of sign-in, and the controls that make its responses fail. */
export function createSignIn(options: SignInOptions) {
  const { url, keysUrl, grantFor, origins, clientId, audience, scope, accounts, issuer, now } = options
  const base = () => url() + TENANT_PATH
  // The sign-in library accepts only https authorities and issuers, even on localhost.
  const ownIssuer = () => `${base().replace(/^http:/, 'https:')}/v2.0`
  const callbacks = origins.map((origin) => `${origin}/index.html`)
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, Granted>()
  /** The accounts that are signed in to each browser; the account of the last sign-in comes first. */
  const sessions = new Map<string, readonly ProviderAccount[]>()
  const orders = new Map<SignInFault, number>()

  /** Whether the fault is ordered for this response. Reduces the number of responses for which it is still ordered. */
  const takeFault = (fault: SignInFault): boolean => {
    const left = orders.get(fault) ?? 0
    if (left <= 1) orders.delete(fault)
    else orders.set(fault, left - 1)
    return left > 0
  }

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
    if (takeFault('foreignState')) fields.set('state', foreignState(state))
    else if (!takeFault('noState') && state !== undefined) fields.set('state', state)
    return reply.redirect(`${redirect_uri}#${fields.toString()}`, 303)
  }

  const grant = (request: Authorization, account: ProviderAccount): Record<string, string> => {
    const code = randomUUID()
    codes.set(code, {
      account,
      nonce: request.nonce ?? null,
      scope: request.scope,
      challenge: request.code_challenge,
      redirectUri: request.redirect_uri,
      until: now() + CODE_LIFETIME_MS,
    })
    return { code, session_state: randomUUID() }
  }

  const tokens = async ({ account, nonce, scope: asked }: Granted) => {
    const refreshToken = randomUUID()
    refreshTokens.set(refreshToken, { account, nonce: null, scope: asked })
    const idToken = await issuer.idToken(account, {
      issuer: ownIssuer(),
      clientId,
      nonce: takeFault('foreignNonce') ? randomUUID() : nonce,
    })
    return {
      token_type: 'Bearer',
      scope: asked,
      ...(takeFault('noLifetime') ? {} : { expires_in: LIFETIME_SECONDS }),
      access_token: await issuer.accessToken(account, grantFor(account)),
      ...(takeFault('noIdToken')
        ? {}
        : { id_token: takeFault('malformedIdToken') ? 'not.a.token' : idToken }),
      refresh_token: refreshToken,
      client_info: Buffer.from(JSON.stringify({ uid: account.subject, utid: tenantOf(account) })).toString(
        'base64url',
      ),
    }
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
            if (takeFault(fault)) return respond(reply, wanted, oauthError(error, 'As asked for.'))
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
              known ? grant(wanted, known) : oauthError('login_required', 'No account is signed in.'),
            )
          }
          if (known && hinted.length === 1 && wanted.prompt === undefined)
            return respond(reply, wanted, grant(wanted, known))
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
          return respond(reply, request, grant(request, account))
        },
      )

      app.post(`${TENANT_PATH}/token`, { schema: { body: tokenRequestSchema } }, async ({ body }, reply) => {
        const refuse = (error: string, description: string) =>
          reply.code(400).send(oauthError(error, description))
        if (body.client_id !== clientId) return refuse('invalid_client', 'There is no such client.')
        if (body.grant_type === 'refresh_token') {
          const granted = refreshTokens.get(body.refresh_token)
          refreshTokens.delete(body.refresh_token)
          return granted ? tokens(granted) : refuse('invalid_grant', 'The refresh token is not good.')
        }
        if (body.grant_type !== 'authorization_code')
          return refuse('unsupported_grant_type', 'Only codes and refresh tokens are taken.')
        const code = codes.get(body.code)
        codes.delete(body.code)
        const challenge = createHash('sha256').update(body.code_verifier).digest('base64url')
        const isGood =
          code &&
          code.until >= now() &&
          code.redirectUri === body.redirect_uri &&
          code.challenge === challenge
        return isGood ? tokens(code) : refuse('invalid_grant', 'The code is not good.')
      })

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

    addControls(control: WebServer): void {
      control.put('/sign-in', { schema: { body: orderSchema } }, async ({ body: { fault, times } }) => {
        orders.set(fault, times)
        return Object.fromEntries(orders)
      })
      control.delete('/sign-in', async (_, reply) => {
        orders.clear()
        sessions.clear()
        return reply.code(204).send()
      })
    },
  }
}

const oauthError = (error: string, description: string) => ({ error, error_description: description })

/** A `state` like that of another sign-in, which this page never started. */
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
