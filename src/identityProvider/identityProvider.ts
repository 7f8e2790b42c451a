/** The identity provider of the playground: OpenID Connect for a browser, and silent tokens for the mail client. */
import * as v from 'valibot'
import { createControl } from '../server/control.ts'
import { refuseStrangers } from '../server/strangers.ts'
import {
  createWebServer,
  listen,
  parseFields,
  Refusal,
  urlOf,
  type RunningServer,
} from '../server/webServer.ts'
import { DEMONSTRATION_ACCOUNTS, type ProviderAccount } from './accounts.ts'
import { createSignIn } from './signIn.ts'
import { createTokenIssuer } from './tokenIssuer.ts'

export type IdentityProviderOptions = Readonly<{
  /** 0 takes any free port. */
  port: number
  /** Origins of the pages that may call. */
  origins: readonly string[]
  /** The issuer in its tokens; by default the address it listens on. */
  issuerUrl?: string
  /** The add-in's client id. */
  clientId: string
  /** The API that access tokens are for. */
  audience: string
  accounts?: readonly ProviderAccount[]
  /** Offers `/_control`: faults, also of sign-in, the clock and the journal of requests. */
  control?: boolean
  /** Milliseconds since 1970, for when tokens are issued and expire. */
  now?: () => number
}>

/** The one permission of the API. */
const SCOPE = 'access_as_user'

/** Makes a key pair and listens on localhost. @throws when the port is not free */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<RunningServer> {
  const { origins, clientId, audience, accounts = DEMONSTRATION_ACCOUNTS, now: clock = Date.now } = options
  const control = options.control === true ? createControl(clock) : null
  const now = control?.now ?? clock
  const issuer = await createTokenIssuer(now)
  const { app, routes } = await createWebServer(origins, control)
  const url = () => urlOf(app)
  const issuerUrl = () => options.issuerUrl ?? url()
  const signIn = createSignIn({
    url,
    issuerUrl,
    origins,
    clientId,
    audience,
    scope: SCOPE,
    accounts,
    issuer,
    now,
  })

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_: unknown, text: string) => parseFields(text),
  )
  app.get('/.well-known/openid-configuration', async () => ({
    issuer: issuerUrl(),
    jwks_uri: `${issuerUrl()}/keys`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', SCOPE],
  }))
  app.get('/keys', async () => ({ keys: issuer.keys }))
  signIn.addRoutes(app)
  // The token that a mail client issues to an add-in for its signed-in mailbox.
  app.post(
    '/mail-client/token',
    {
      onRequest: async (request) => refuseStrangers(request, origins),
      schema: { body: v.object({ email: v.pipe(v.string(), v.email()) }) },
    },
    async ({ body }) => {
      const email = body.email.toLowerCase()
      const account = accounts.find((candidate) => candidate.email.toLowerCase() === email)
      if (account === undefined) throw new Refusal(404, 'unknown_account', 'There is no such mailbox.')
      const grant = { issuerUrl: issuerUrl(), clientId, audience, scope: SCOPE }
      return {
        access_token: await issuer.accessToken(account, grant),
        id_token: await issuer.idToken(account, { issuer: issuerUrl(), clientId, nonce: null }),
      }
    },
  )
  control?.addTo(app, { routes, origins, addOwn: signIn.addControls })
  return listen(app, options.port)
}
