import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probePort } from '../../src/build/ports.ts'
import { freshProductionBuild } from '../../src/build/production.ts'
import { TENANT_IDS } from '../../src/identityProvider/accounts.ts'
import { createIdentityProvider } from '../../src/identityProvider/identityProvider.ts'
import type { RunningServer } from '../../src/server/webServer.ts'
import { type RunningService, startProduction } from '../../src/service/production.ts'
import { readSettings } from '../../src/service/settings.ts'
import { publishDemonstration } from '../support/demonstration.ts'
import { BUILD_LIMIT_MS, useBrowser } from './pane.ts'
import { signInByWindow } from './signInWindow.ts'

// The service as an organisation runs it, with the built pages on its origin, and a provider laid out like Microsoft's.

const { browser } = useBrowser()
let provider: RunningServer
let service: RunningService

beforeAll(async () => {
  const { www } = await freshProductionBuild({ tell: (line) => process.stderr.write(`${line}\n`) })
  const publicUrl = `http://localhost:${await probePort(0)}`
  provider = await createIdentityProvider({
    port: 0,
    origins: [publicUrl],
    clientId: 'one-origin',
    audience: 'api://signet',
    layout: 'entra',
  })
  const read = readSettings(
    {
      SIGNET_PUBLIC_URL: publicUrl,
      SIGNET_LISTEN: new URL(publicUrl).host,
      SIGNET_INTERNAL_LISTEN: '127.0.0.1:0',
      SIGNET_TENANTS: TENANT_IDS.northwind,
      SIGNET_AUTHORITY: `${provider.url}/{tenant}/v2.0`,
      SIGNET_CLIENT_ID: 'one-origin',
      SIGNET_SCOPE: 'api://signet/access_as_user',
      SIGNET_SECRET: randomBytes(32).toString('base64'),
      SIGNET_EMBEDDED: 'accept',
      SIGNET_DATA: '-',
    },
    () => '',
  )
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const { settings } = read
  service = await startProduction(
    {
      ...settings,
      database: { kind: 'embedded', folder: null },
      pages: {
        ...settings.pages,
        // The provider has the sign-in of pages at one address for all tenants.
        SIGNET_AUTHORITY: `${provider.url.replace('http:', 'https:')}/northwind`,
        // It is on http, which the policy of the pages has to name; without a key nothing else is sent there.
        SIGNET_ANALYTICS_URL: provider.url,
      },
    },
    { write: () => {} },
    www,
  )
  await publishDemonstration(service.context)
}, BUILD_LIMIT_MS)
afterAll(async () => {
  await Promise.all([service.close(), provider.close()])
})

test('[SRV-7] a cold opening on one origin signs in and shows the signature without a preflight', async () => {
  const context = await browser().newContext({ locale: 'en-US' })
  const page = await context.newPage()
  // Pages do not see their preflights.
  const session = await context.newCDPSession(page)
  const asked: string[] = []
  session.on('Network.requestWillBeSent', ({ request, type }) => {
    // The provider is on another origin, as Microsoft's is.
    if (!request.url.startsWith(provider.url)) asked.push(`${String(type)} ${request.method}`)
  })
  await session.send('Network.enable')
  await page.goto(`${service.url}/index.html`)
  await signInByWindow(page)
  await page.waitForURL(/#\/app\//)
  await page.getByText('Northwind standard').first().waitFor()
  expect(asked).toContain('XHR POST')
  expect(asked.filter((each) => each.endsWith('OPTIONS'))).toEqual([])
  await context.close()
})
