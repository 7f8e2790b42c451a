import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type Pooler, startPooler } from '../support/pgbouncer.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'

/**
 * Answers each request with the address of an empty PostgreSQL database; `/pooled` with one that leads through a pooler in
 * transaction mode. The servers are started for the first request, so that a run without such tests does not wait for
 * them. Resolves with a function that ends them.
 */
export default async function offerDatabases({ provide }: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<Postgres> | null = null
  let pooler: Promise<Pooler> | null = null
  async function create(isPooled: boolean): Promise<string> {
    const { createDatabase, url } = await (postgres ??= startPostgres())
    if (!isPooled) return createDatabase()
    const { before } = await (pooler ??= startPooler(url))
    return before(await createDatabase())
  }
  const server = createServer((request, response) => {
    // A busy worker would send its next request over a connection that is being closed for lack of use.
    response.setHeader('Connection', 'close')
    create(request.url === '/pooled').then(
      (url) => response.end(url),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  provide('newDatabase', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`)
  return async () => {
    server.close()
    await (await pooler?.catch(() => null))?.close()
    await (await postgres?.catch(() => null))?.close()
  }
}
