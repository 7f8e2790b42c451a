/** An identity provider for any number of people: it serves its two documents, and signs tokens. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT } from 'jose'
import { addressOf, oidOf, TENANT } from './organisation.ts'

export type Provider = Readonly<{
  tenant: string
  authority: string
  clientId: string
  scope: string
  /** SPKI in base64. */
  publicKey: string
  /** Signs an access token of a person. */
  tokenOf: (person: number, tenant?: string) => Promise<string>
  /** Signs an access token of an administrator, by default of the tenant in the settings. */
  administrator: (tenant?: string) => Promise<string>
  close: () => void
}>

const CLIENT_ID = 'the-add-in'
const PERMISSION = 'access_as_user'

export async function startProvider(): Promise<Provider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const kid = 'bench'
  const issuerOf = (tenant: string) => `${base}/${tenant}/v2.0`
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(
      JSON.stringify(
        url.endsWith('/keys')
          ? { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] }
          : { issuer: issuerOf(url.split('/')[1] ?? ''), jwks_uri: `${base}/keys` },
      ),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const base = `http://localhost:${String((server.address() as AddressInfo).port)}`
  const sign = (tenant: string, claims: Readonly<Record<string, unknown>>) =>
    new SignJWT({ ver: '2.0', tid: tenant, scp: PERMISSION, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .setIssuer(issuerOf(tenant))
      .setAudience(CLIENT_ID)
      .setIssuedAt()
      .setJti(randomUUID())
      .setExpirationTime('3h')
      .sign(privateKey)
  return {
    tenant: TENANT,
    authority: `${base}/{tenant}/v2.0`,
    clientId: CLIENT_ID,
    scope: `api://signet/${PERMISSION}`,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    tokenOf: (person, tenant = TENANT) =>
      sign(tenant, { oid: oidOf(person), preferred_username: addressOf(person) }),
    administrator: (tenant = TENANT) =>
      sign(tenant, {
        oid: 'administrator',
        preferred_username: 'admin@northwind.example',
        roles: ['Signet.Read', 'Signet.Publish', 'Signet.People'],
      }),
    close: () => server.close(),
  }
}
