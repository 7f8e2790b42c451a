import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TENANT_IDS } from '../../../src/identityProvider/accounts.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { type RunningGraph, startGraph, type GraphOptions } from '../../support/graph.ts'
import { listen, type RunningServer } from '../../../src/server/webServer.ts'
import { type Demonstration, readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { createGraphSource, type GraphSourceOptions } from '../../../src/service/directory/graph.ts'
import { createService, type Service, type ServiceOptions } from '../../../src/service/service.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import type { DirectoryRun } from '../../../streams/organisation/directory/directory.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { startProvider } from '../running.ts'

export const TENANT = TENANT_IDS.northwind
export const CLIENT_ID = 'the-add-in'
export const SECRET = 'graph-secret'
const SERVICE_SECRET = randomBytes(32)

export const startDouble = (over: Partial<GraphOptions> = {}) =>
  startGraph({ port: 0, clientId: CLIENT_ID, secret: SECRET, pageSize: 2, ...over })

/** The waits that Graph asked for, in milliseconds; none of them takes time. */
export type Waits = number[]

export const graphOptions = (
  graph: RunningGraph,
  waits: Waits = [],
  over: Partial<GraphSourceOptions> = {},
): Omit<GraphSourceOptions, 'store'> => ({
  tenant: TENANT,
  authority: graph.authority.replace('{tenant}', over.tenant ?? TENANT),
  url: graph.url,
  clientId: CLIENT_ID,
  credential: { kind: 'secret', secret: SECRET },
  pictures: false,
  now: Date.now,
  newId: randomUUID,
  wait: async (ms) => void waits.push(ms),
  ...over,
})

export type Instance = Readonly<{
  url: string
  service: Service
  store: Store
  /** Syncs and resolves with the run as it ended. */
  sync: (options?: Readonly<{ try?: boolean; retire?: boolean }>) => Promise<DirectoryRun>
  publish: (document: ReleaseDocument) => Promise<void>
  close: () => Promise<void>
}>

/** An instance of the service that is connected to Graph, and syncs when asked. */
export async function startInstance(
  store: Store,
  provider: RunningServer,
  graph: RunningGraph,
  waits: Waits = [],
  {
    sources = {},
    service: over = {},
  }: Readonly<{
    sources?: Partial<GraphSourceOptions>
    service?: Partial<ServiceOptions>
  }> = {},
): Promise<Instance> {
  const service = await createService({
    store,
    organisation: 'Northwind Trading',
    tenants: [],
    authority: provider.url,
    tokenAudiences: ['api://signet'],
    scope: 'access_as_user',
    secret: SERVICE_SECRET,
    origins: [],
    publicUrl: () => 'https://signet.northwind.example',
    directory: (opened) => ({
      kind: 'graph',
      sources: [createGraphSource({ ...graphOptions(graph, waits, sources), store: opened })],
      intervalMs: null,
    }),
    ...over,
  })
  const { url } = await listen(service.app, 0)
  const { context } = service
  return {
    url,
    service,
    store,
    async sync({ try: isTrial = false, retire = false } = {}) {
      const { id } = await context.directory.sync({ isTrial, mayDeactivate: retire }, 'test')
      return ended(service, id)
    },
    async publish(document) {
      await publishDocument(context, document)
    },
    close: () => service.close(),
  }
}

/** The run when its sync has ended. */
export async function ended({ context }: Service, id: string): Promise<DirectoryRun> {
  for (;;) {
    const { isRunning, runs } = await context.directory.state()
    const run = runs.find((each) => each.id === id)
    if (!isRunning && run !== undefined) return run
    // The embedded database answers within the turn, and would leave Graph no turn to answer in.
    await nextTurn()
  }
}

/** The demonstration's people as Graph tells them: ids are the `oid` of their tokens. */
export function fillTenant(graph: RunningGraph, { people }: Demonstration): void {
  const tenant = graph.tenant(TENANT)
  tenant.putGroup('g-1', { displayName: 'Voyage-Planning', mailNickname: 'voyage' })
  tenant.putGroup('g-2', { displayName: 'Quality people', mailNickname: 'quality' })
  tenant.putGroup('g-3', { displayName: 'In no rule', mailNickname: 'in-no-rule' })
  for (const { record } of people) {
    const { account, addresses, fields, groups, language } = record
    const [mail = '', signInName = mail] = addresses
    const { givenName = null, surname = null, jobTitle = null, department = null } = fields
    const user = account?.oid ?? ''
    tenant.putUser(user, {
      accountEnabled: true,
      userType: 'Member',
      mail,
      userPrincipalName: signInName,
      givenName,
      surname,
      jobTitle,
      department,
      preferredLanguage: language,
      proxyAddresses: [`SMTP:${mail}`],
      businessPhones: ['+44 20 5550 0142'],
      employeeId: null,
      onPremisesExtensionAttributes: { extensionAttribute1: 'full', extensionAttribute2: null },
    })
    if (groups.includes('voyage-planning')) tenant.join('g-1', user)
    if (groups.includes('quality')) tenant.join('g-2', user)
  }
}

export { readDemonstration, startProvider }
