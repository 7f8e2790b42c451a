/** Issues codes and refresh tokens, and exchanges them for tokens. */
import { createHash, randomUUID } from 'node:crypto'
import { object, optional, text } from '../../streams/kernel/schema.ts'
import type { WebServer } from '../server/webServer.ts'
import type { ProviderAccount } from './accounts.ts'
import type { SignInFaults } from './signInFaults.ts'
import { TOKEN_LIFETIME_SECONDS, tenantOfAccount, type AccessGrant, type TokenIssuer } from './tokenIssuer.ts'

const CODE_LIFETIME_MS = 60_000

type Granted = Readonly<{ account: ProviderAccount; nonce: string | null; scope: string }>
type Code = Granted & Readonly<{ challenge: string; redirectUri: string; until: number }>

/** The fields of an authorization request that are stored with its code. */
type CodeRequest = Readonly<{
  nonce?: string | undefined
  scope: string
  code_challenge: string
  redirect_uri: string
}>

const tokenRequestSchema = object({
  client_id: optional(text),
  grant_type: optional(text),
  code: optional(text, ''),
  code_verifier: optional(text, ''),
  redirect_uri: optional(text),
  refresh_token: optional(text, ''),
})
export type GrantsOptions = Readonly<{
  /** Returns what an account's access token grants, such as its audience and permission. */
  grantFor: (account: ProviderAccount) => AccessGrant
  clientId: string
  issuer: TokenIssuer
  /** Milliseconds since 1970. */
  now: () => number
}>

export const oauthError = (error: string, description: string) => ({ error, error_description: description })

/** Creates the store of codes and refresh tokens. `issuedBy` returns the issuer in id tokens. */
export function createGrants(
  { grantFor, clientId, issuer, now }: GrantsOptions,
  faults: SignInFaults,
  issuedBy: () => string,
) {
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, Granted>()

  const grant = (request: CodeRequest, account: ProviderAccount): Record<string, string> => {
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
      issuer: issuedBy(),
      clientId,
      nonce: faults.take('foreignNonce') ? randomUUID() : nonce,
    })
    return {
      token_type: 'Bearer',
      scope: asked,
      ...(faults.take('noLifetime') ? {} : { expires_in: TOKEN_LIFETIME_SECONDS }),
      access_token: await issuer.accessToken(account, grantFor(account)),
      ...(faults.take('noIdToken')
        ? {}
        : { id_token: faults.take('malformedIdToken') ? 'not.a.token' : idToken }),
      refresh_token: refreshToken,
      client_info: Buffer.from(
        JSON.stringify({ uid: account.subject, utid: tenantOfAccount(account) }),
      ).toString('base64url'),
    }
  }

  return {
    /** The answer to an authorization request: a code that is valid for a minute. */
    grant,
    addTokenRoute(app: WebServer, path: string): void {
      app.post(path, { schema: { body: tokenRequestSchema } }, async ({ body }, reply) => {
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
    },
  }
}
