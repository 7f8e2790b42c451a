/** An identity provider of the playground's own: OpenID Connect for a browser, and what a mail client gets silently. */
import * as v from 'valibot'
import { createControl } from '../server/control.ts'
import {
  checked,
  jsonOf,
  ok,
  Refusal,
  route,
  startWebServer,
  type Route,
  type RunningServer,
} from '../server/webServer.ts'
import { demonstrationAccounts, type Account } from './accounts.ts'
import { createSignIn } from './signIn.ts'
import { createTokenIssuer, type TokenIssuer } from './tokenIssuer.ts'

export interface IdentityProviderOptions {
  /** 0 takes any free port. */
  readonly port: number
  /** Origins of the pages that may call. */
  readonly origins: readonly string[]
  /** The address in its tokens; the address it listens on when left out. */
  readonly issuerUrl?: string
  /** The add-in's client id. */
  readonly clientId: string
  /** The API that access tokens are made out to. */
  readonly audience: string
  readonly accounts?: readonly Account[]
  /** Offers `/_control`: faults, also of signing in, and the journal of requests. */
  readonly control?: boolean
  /** Milliseconds since 1970, for when tokens are issued and expire. */
  readonly now?: () => number
}

/** The one permission that the API knows. */
const scope = 'access_as_user'

/** Makes a key pair and listens on localhost. @throws when the port cannot be had */
export async function createIdentityProvider(options: IdentityProviderOptions): Promise<RunningServer> {
  const { origins, clientId, audience, accounts = demonstrationAccounts, now: clock = Date.now } = options
  const control = options.control === true ? createControl(clock) : null
  const now = control?.now ?? clock
  const issuer = await createTokenIssuer(now)

  return startWebServer({
    port: options.port,
    origins,
    watch: control,
    routes: (url) => {
      const issuerUrl = options.issuerUrl ?? url
      const signIn = createSignIn({
        url,
        issuerUrl,
        origins,
        clientId,
        audience,
        scope,
        accounts,
        issuer,
        now,
      })
      const known = [...discoveryRoutes(issuerUrl, issuer), ...signIn.routes, mailClientRoute(issuerUrl)]
      return control === null ? known : [...known, ...control.routes(known, signIn.controls, origins)]
    },
  })

  /** The mail client's own identity: what it hands to an add-in of a mailbox it is signed in to. */
  function mailClientRoute(issuerUrl: string): Route {
    return route('POST', '/mail-client/token', async (call) => {
      const { email } = checked(
        v.object({ email: v.pipe(v.string(), v.email()) }),
        jsonOf(call),
        'invalid_body',
      )
      const account = accounts.find((candidate) => candidate.email.toLowerCase() === email.toLowerCase())
      if (account === undefined) throw new Refusal(404, 'unknown_account', 'There is no such mailbox.')
      return ok({
        access_token: await issuer.accessToken(account, { issuerUrl, clientId, audience, scope }),
        id_token: await issuer.idToken(account, { issuer: issuerUrl, clientId, nonce: null }),
      })
    })
  }
}

function discoveryRoutes(issuerUrl: string, { keys }: TokenIssuer): Route[] {
  return [
    route('GET', '/.well-known/openid-configuration', async () =>
      ok({
        issuer: issuerUrl,
        jwks_uri: `${issuerUrl}/keys`,
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        scopes_supported: ['openid', 'profile', scope],
      }),
    ),
    route('GET', '/keys', async () => ok({ keys })),
  ]
}
