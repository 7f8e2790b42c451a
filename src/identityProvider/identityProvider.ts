/** The playground's identity provider: OpenID Connect for a browser, and silent tokens for the mail client. */
import { emailAddress } from '../../streams/wire/addinRequests.ts'
import { object, oneOf, optional, text } from '../../streams/kernel/schema.ts'
import { createTestControl } from '../server/control.ts'
import { refuseForeignOrigins } from '../server/strangers.ts'
import {
  createWebServer,
  listen,
  parseFormFields,
  Refusal,
  urlOf,
  type RunningServer,
} from '../server/webServer.ts'
import {
  DEMONSTRATION_ACCOUNTS,
  ENTRA_ACCOUNTS,
  ENTRA_APPLICATIONS,
  type ProviderAccount,
} from './accounts.ts'
import { addEntraRoutes, entraIssuer } from './entra.ts'
import { createSignInRoutes } from './signIn.ts'
import { createTokenIssuer, tenantOfAccount, type TokenVersion } from './tokenIssuer.ts'

export type IdentityProviderOptions = Readonly<{
  /** 0 means any free port. */
  port: number
  /** Origins of the pages that can call the provider. */
  origins: readonly string[]
  /** The issuer in tokens; by default the URL that the provider listens on. */
  issuerUrl?: string
  clientId: string
  /** The audience of access tokens: the API. */
  audience: string
  /**
   * `plain`: one issuer, with its keys below its URL. `entra`: an issuer for each tenant, with URLs in the form of
   * Microsoft Entra's, and by default the accounts `ENTRA_ACCOUNTS`. Both layouts have the same URLs for page sign-in.
   */
  layout?: 'plain' | 'entra'
  /** The accounts; by default those of the layout. */
  accounts?: readonly ProviderAccount[]
  /** Adds the `/_control` routes, which inject faults, set the clock, rotate the keys and list the requests. */
  control?: boolean
  /** Milliseconds since 1970, for issuing tokens and for their expiry. */
  now?: () => number
}>

/** The API's only permission. */
const SCOPE = 'access_as_user'

/** A mail client's token request. Tests also request a wrong version, audience or scope. */
const mailClientSchema = object({
  email: emailAddress,
  version: optional(oneOf('1.0', '2.0'), '2.0'),
  audience: optional(text),
  scope: optional(text, SCOPE),
})

/** Starts the identity provider on localhost, with a new key pair. @throws if the port is taken */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<RunningServer> {
  const { origins, clientId, audience, now: clock = Date.now } = options
  const isEntra = options.layout === 'entra'
  const accounts = options.accounts ?? (isEntra ? ENTRA_ACCOUNTS : DEMONSTRATION_ACCOUNTS)
  const control = options.control === true ? createTestControl(clock) : null
  const now = control?.now ?? clock
  const issuer = await createTokenIssuer(now)
  const { app, routes } = await createWebServer(origins, control)
  const url = () => urlOf(app)
  const issuerUrl = () => options.issuerUrl ?? url()
  const keysUrl = () => (isEntra ? `${url()}/common/discovery/v2.0/keys` : `${issuerUrl()}/keys`)
  const grantFor = (account: ProviderAccount, version: TokenVersion = '2.0') => ({
    issuerUrl: isEntra ? entraIssuer(url(), tenantOfAccount(account), version) : issuerUrl(),
    version,
    clientId,
    // Version 2 names an API by its client id, version 1 by its URI.
    audience: isEntra && version === '2.0' ? clientId : audience,
    scope: SCOPE,
  })
  const signIn = createSignInRoutes({
    url,
    keysUrl,
    grantFor,
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
    async (_: unknown, text: string) => parseFormFields(text),
  )
  if (isEntra) addEntraRoutes(app, { url, issuer, applications: ENTRA_APPLICATIONS, clientId })
  else {
    app.get('/.well-known/openid-configuration', async () => ({
      issuer: issuerUrl(),
      jwks_uri: keysUrl(),
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', SCOPE],
    }))
    app.get('/keys', async () => ({ keys: issuer.keys() }))
  }
  signIn.addRoutes(app)
  // The token that a mail client passes to an add-in for its signed-in mailbox.
  app.post(
    '/mail-client/token',
    {
      onRequest: async (request) => refuseForeignOrigins(request, origins),
      schema: { body: mailClientSchema },
    },
    async ({ body: { version, ...body } }) => {
      const email = body.email.toLowerCase()
      const account = accounts.find((candidate) => candidate.email.toLowerCase() === email)
      if (account === undefined) throw new Refusal(404, 'unknown_account', 'There is no such mailbox.')
      const grant = grantFor(account, version)
      return {
        access_token: await issuer.accessToken(account, {
          ...grant,
          audience: body.audience ?? grant.audience,
          scope: body.scope,
        }),
        id_token: await issuer.idToken(account, { issuer: grant.issuerUrl, clientId, nonce: null }),
      }
    },
  )
  control?.addTo(app, {
    routes,
    origins,
    addOwn(own) {
      signIn.addControls(own)
      own.post('/keys', async (_, reply) => {
        await issuer.rotate()
        return reply.code(204).send()
      })
    },
  })
  return listen(app, options.port)
}
