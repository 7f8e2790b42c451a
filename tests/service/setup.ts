import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type Postgres, startPostgres } from '../support/postgres.ts'

/**
 * Answers each request with the address of an empty PostgreSQL database. The server is started for the first one, so
 * that a run without such tests does not wait for it. Resolves with a function that ends it.
 */
export default async function offerDatabases({ provide }: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<Postgres> | null = null
  const server = createServer((_, response) => {
    postgres ??= startPostgres()
    postgres
      .then((started) => started.createDatabase())
      .then(
        (url) => response.end(url),
        (error: unknown) =>
          response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
      )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  provide('newDatabase', `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`)
  return async () => {
    server.close()
    await (await postgres?.catch(() => null))?.close()
  }
}
