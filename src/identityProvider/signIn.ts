/** OpenID Connect for a page: authorization code with PKCE, refresh, sign-in without a window, signing out. */
import { createHash, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import {
  checked,
  done,
  formOf,
  jsonOf,
  ok,
  queryOf,
  Refusal,
  route,
  type Answer,
  type Call,
  type Route,
} from '../server/webServer.ts'
import type { Account } from './accounts.ts'
import { farewellPage, signInPage } from './signInPage.ts'
import { lifetimeSeconds, tenantId, type TokenIssuer } from './tokenIssuer.ts'

export interface SignInOptions {
  /** Where the provider listens. */
  readonly url: string
  /** By whom access tokens are made out. */
  readonly issuerUrl: string
  /** Origins whose `/index.html` may be answered. */
  readonly origins: readonly string[]
  readonly clientId: string
  readonly audience: string
  /** The permission, as access tokens name it. */
  readonly scope: string
  readonly accounts: readonly Account[]
  readonly issuer: TokenIssuer
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Where the organisation's own addresses begin. */
const tenantPath = '/northwind'
const cookieName = 'signet_idp'
const codeLifetimeMs = 60_000

/** What an answer may be spoilt with on demand. */
const spoilt = v.picklist([
  'noState',
  'foreignState',
  'foreignNonce',
  'noIdToken',
  'malformedIdToken',
  'noLifetime',
  'interactionRequired',
  'consentRequired',
  'temporarilyUnavailable',
])
type Spoilt = v.InferOutput<typeof spoilt>
const orderSchema = v.object({
  fault: spoilt,
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
})

/** How each of these answers an authorization request. */
const errorOf: Partial<Record<Spoilt, string>> = {
  interactionRequired: 'interaction_required',
  consentRequired: 'consent_required',
  temporarilyUnavailable: 'temporarily_unavailable',
}

interface Granted {
  readonly account: Account
  readonly nonce: string | null
  readonly scope: string
}
type Code = Granted & { readonly challenge: string; readonly redirectUri: string; readonly until: number }

const authorizationSchema = v.object({
  client_id: v.string(),
  redirect_uri: v.string(),
  response_type: v.literal('code'),
  scope: v.string(),
  code_challenge: v.string(),
  code_challenge_method: v.literal('S256'),
  state: v.optional(v.string()),
  nonce: v.optional(v.string()),
  prompt: v.optional(v.picklist(['none', 'login', 'select_account', 'consent'])),
  login_hint: v.optional(v.string()),
})
type Authorization = v.InferOutput<typeof authorizationSchema>

/** An error of the token endpoint, in the form that OAuth gives it. */
const oauthError = (error: string, description: string): Answer => ({
  status: 400,
  json: { error, error_description: description },
})

/** The routes of signing in, and the controls that spoil its answers. */
export function createSignIn(options: SignInOptions): {
  readonly routes: readonly Route[]
  readonly controls: readonly Route[]
} {
  const { url, issuerUrl, origins, clientId, audience, scope, accounts, issuer, now } = options
  const base = url + tenantPath
  // A sign-in library takes no authority and no issuer that is not https, even on this machine.
  const ownIssuer = `${base.replace(/^http:/, 'https:')}/v2.0`
  const callbacks = origins.map((origin) => `${origin}/index.html`)
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, Granted>()
  const sessions = new Map<string, Account>()
  const orders = new Map<Spoilt, number>()

  /** Counts a fault off when it was asked for. */
  const takes = (fault: Spoilt): boolean => {
    const left = orders.get(fault) ?? 0
    if (left <= 1) orders.delete(fault)
    else orders.set(fault, left - 1)
    return left > 0
  }

  const callbackOf = (wanted: string | undefined): string => {
    if (wanted === undefined || !callbacks.includes(wanted))
      throw new Refusal(400, 'invalid_redirect_uri', 'This address may not be answered.')
    return wanted
  }

  const requestOf = (query: Record<string, string>): Authorization => {
    const request = checked(authorizationSchema, query, 'invalid_query')
    if (request.client_id !== clientId) throw new Refusal(400, 'unknown_client', 'There is no such client.')
    callbackOf(request.redirect_uri)
    return request
  }

  const respond = (
    { redirect_uri, state }: Authorization,
    answer: Record<string, string>,
    headers: Record<string, string> = {},
  ): Answer => {
    const fields = new URLSearchParams(answer)
    if (takes('foreignState')) fields.set('state', foreign(state))
    else if (!takes('noState') && state !== undefined) fields.set('state', state)
    return { status: 303, location: `${redirect_uri}#${fields.toString()}`, headers }
  }

  const grant = (request: Authorization, account: Account): Record<string, string> => {
    const code = randomUUID()
    codes.set(code, {
      account,
      nonce: request.nonce ?? null,
      scope: request.scope,
      challenge: request.code_challenge,
      redirectUri: request.redirect_uri,
      until: now() + codeLifetimeMs,
    })
    return { code, session_state: randomUUID() }
  }

  const tokens = async ({ account, nonce, scope: asked }: Granted): Promise<Answer> => {
    const refreshToken = randomUUID()
    refreshTokens.set(refreshToken, { account, nonce: null, scope: asked })
    const idToken = await issuer.idToken(account, {
      issuer: ownIssuer,
      clientId,
      nonce: takes('foreignNonce') ? randomUUID() : nonce,
    })
    return ok({
      token_type: 'Bearer',
      scope: asked,
      ...(takes('noLifetime') ? {} : { expires_in: lifetimeSeconds }),
      access_token: await issuer.accessToken(account, { issuerUrl, clientId, audience, scope }),
      ...(takes('noIdToken') ? {} : { id_token: takes('malformedIdToken') ? 'not.a.token' : idToken }),
      refresh_token: refreshToken,
      client_info: Buffer.from(JSON.stringify({ uid: account.subject, utid: tenantId })).toString(
        'base64url',
      ),
    })
  }

  const routes = [
    route('GET', `${tenantPath}/v2.0/.well-known/openid-configuration`, async () =>
      ok({
        issuer: ownIssuer,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        end_session_endpoint: `${base}/logout`,
        jwks_uri: `${issuerUrl}/keys`,
        response_types_supported: ['code'],
        response_modes_supported: ['fragment'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['openid', 'profile', 'offline_access', `${audience}/${scope}`],
      }),
    ),

    route('GET', `${tenantPath}/authorize`, async (call) => {
      const query = queryOf(call)
      const request = requestOf(query)
      for (const [fault, error] of Object.entries(errorOf))
        if (takes(fault as Spoilt)) return respond(request, { error, error_description: 'As asked for.' })
      const known = sessions.get(cookieOf(call) ?? '')
      if (request.prompt === 'none') {
        const isExpected = !request.login_hint || request.login_hint.toLowerCase() === known?.email
        return known && isExpected
          ? respond(request, grant(request, known))
          : respond(request, { error: 'login_required', error_description: 'Nobody is signed in.' })
      }
      if (known && request.prompt === undefined) return respond(request, grant(request, known))
      return signInPage({
        action: `${tenantPath}/choose`,
        request: new URLSearchParams(query).toString(),
        accounts,
        callbackOrigins: origins,
      })
    }),

    route('POST', `${tenantPath}/choose`, async (call) => {
      const { request: query = '', account: subject } = formOf(call)
      const request = requestOf(Object.fromEntries(new URLSearchParams(query)))
      const account = accounts.find((candidate) => candidate.subject === subject)
      if (!account)
        return respond(request, { error: 'access_denied', error_description: 'The person pressed Cancel.' })
      const session = randomUUID()
      sessions.set(session, account)
      return respond(request, grant(request, account), {
        'Set-Cookie': `${cookieName}=${session}; Path=${tenantPath}; HttpOnly; SameSite=Lax`,
      })
    }),

    route('POST', `${tenantPath}/token`, async (call) => {
      const form = formOf(call)
      if (form['client_id'] !== clientId) return oauthError('invalid_client', 'There is no such client.')
      if (form['grant_type'] === 'refresh_token') {
        const granted = refreshTokens.get(form['refresh_token'] ?? '')
        refreshTokens.delete(form['refresh_token'] ?? '')
        return granted ? tokens(granted) : oauthError('invalid_grant', 'The refresh token is not good.')
      }
      if (form['grant_type'] !== 'authorization_code')
        return oauthError('unsupported_grant_type', 'Only codes and refresh tokens are taken.')
      const code = codes.get(form['code'] ?? '')
      codes.delete(form['code'] ?? '')
      const challenge = createHash('sha256')
        .update(form['code_verifier'] ?? '')
        .digest('base64url')
      const isGood =
        code &&
        code.until >= now() &&
        code.redirectUri === form['redirect_uri'] &&
        code.challenge === challenge
      return isGood ? tokens(code) : oauthError('invalid_grant', 'The code is not good.')
    }),

    route('GET', `${tenantPath}/logout`, async (call) => {
      const { post_logout_redirect_uri: wanted, state } = queryOf(call)
      sessions.delete(cookieOf(call) ?? '')
      const headers = {
        'Set-Cookie': `${cookieName}=; Path=${tenantPath}; Max-Age=0; HttpOnly; SameSite=Lax`,
      }
      if (wanted === undefined) return farewellPage(headers)
      const back = new URL(callbackOf(wanted))
      if (state !== undefined) back.searchParams.set('state', state)
      return { status: 303, location: back.href, headers }
    }),
  ]

  const controls = [
    route('PUT', '/_control/sign-in', async (call) => {
      const { fault, times } = checked(orderSchema, jsonOf(call), 'invalid_body')
      orders.set(fault, times)
      return ok(Object.fromEntries(orders))
    }),
    route('DELETE', '/_control/sign-in', async () => {
      orders.clear()
      sessions.clear()
      return done
    }),
  ]
  return { routes, controls }
}

/** The state of a sign-in that this page never began. */
function foreign(state: string | undefined): string {
  const [library = '', own] = (state ?? '').split('|')
  const { meta } = JSON.parse(Buffer.from(library, 'base64').toString('utf8') || '{}') as { meta?: unknown }
  const other = Buffer.from(JSON.stringify({ id: randomUUID(), meta })).toString('base64')
  return own === undefined ? other : `${other}|${randomUUID()}`
}

const cookieOf = ({ headers }: Call): string | undefined =>
  new RegExp(`(?:^|; )${cookieName}=([^;]+)`).exec(headers.cookie ?? '')?.[1]
