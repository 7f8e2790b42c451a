/** Imitates Microsoft Entra: a discovery document for each tenant, shared keys, and two versions of tokens. */
import { object, oneOf, text } from '../../streams/kernel/schema.ts'
import { Refusal, type WebServer } from '../server/webServer.ts'
import { TENANT_IDS, type ProviderApplication } from './accounts.ts'
import { TOKEN_LIFETIME_SECONDS, type TokenIssuer, type TokenVersion } from './tokenIssuer.ts'

export type EntraOptions = Readonly<{
  /** The provider's own URL; called only once it listens. */
  url: () => string
  issuer: TokenIssuer
  applications: readonly ProviderApplication[]
  /** The API's client id, which is the audience of version 2 tokens. */
  clientId: string
}>

const tenantParams = object({ tenant: oneOf(...Object.values(TENANT_IDS)) })
const credentialsSchema = object({
  grant_type: oneOf('client_credentials'),
  client_id: text,
  client_secret: text,
  scope: text,
})

/** The issuer of a tenant's access tokens. For version 1, the issuer is not a URL of this provider. */
export const entraIssuer = (url: string, tenant: string, version: TokenVersion): string =>
  version === '1.0' ? `https://sts.windows.net/${tenant}/` : `${url}/${tenant}/v2.0`

export function addEntraRoutes(app: WebServer, { url, issuer, applications, clientId }: EntraOptions): void {
  const addVersion = (version: TokenVersion) => {
    const infix = version === '1.0' ? '' : '/v2.0'
    app.get(
      `/:tenant${infix}/.well-known/openid-configuration`,
      { schema: { params: tenantParams } },
      async ({ params: { tenant } }) => ({
        issuer: entraIssuer(url(), tenant, version),
        token_endpoint: `${url()}/${tenant}/oauth2/v2.0/token`,
        jwks_uri: `${url()}/common/discovery${infix}/keys`,
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
    )
    // As in Entra, the published keys name no algorithm.
    app.get(`/common/discovery${infix}/keys`, async () => ({
      keys: issuer.keys().map((key) => ({ ...key, alg: undefined })),
    }))
  }
  addVersion('1.0')
  addVersion('2.0')

  app.post(
    '/:tenant/oauth2/v2.0/token',
    { schema: { params: tenantParams, body: credentialsSchema } },
    async ({ params: { tenant }, body }) => {
      const application = applications.find(
        (each) =>
          each.clientId === body.client_id && each.tenant === tenant && each.secret === body.client_secret,
      )
      if (application === undefined) throw new Refusal(401, 'invalid_client', 'There is no such application.')
      if (body.scope !== `api://${clientId}/.default`)
        throw new Refusal(400, 'invalid_scope', 'There is no such API.')
      const issuerUrl = entraIssuer(url(), tenant, '2.0')
      return {
        token_type: 'Bearer',
        expires_in: TOKEN_LIFETIME_SECONDS,
        access_token: await issuer.applicationToken(application, {
          issuerUrl,
          version: '2.0',
          audience: clientId,
        }),
      }
    },
  )
}
