import { once } from 'node:events'
import type { Server as WebServer } from 'node:http'
import { type Server, createServer } from 'node:net'

export const HIGHEST_PORT = 65_535

/**
 * Calls `take` with `wanted` and then with the following ports until it resolves, and returns its result. If a port is
 * taken, `take` rejects with `EADDRINUSE`, as `listen` does. Any other error ends the search. Ports in `except` are
 * skipped. 0 means any free port.
 */
export async function onFreePort<Taken>(
  wanted: number,
  except: readonly number[],
  take: (port: number) => Promise<Taken>,
): Promise<Taken> {
  for (let port = wanted; port <= HIGHEST_PORT; port++) {
    if (except.includes(port)) continue
    try {
      return await take(port)
    } catch (error) {
      if (!isPortTakenError(error)) throw error
    }
  }
  throw new Error(`There is no free port from ${wanted} on`)
}

/**
 * Resolves with the port if a server can listen on it now; 0 means any free port. Rejects as `listen` does. Another
 * process may take the port before the caller's server starts.
 */
export async function probePort(port: number): Promise<number> {
  const server = createServer()
  try {
    await listenLocally(server, port)
    return portOf(server)
  } finally {
    server.close()
  }
}

/** The first free port, starting at `wanted`, for a server that does not report a taken port. */
export const freePort = (wanted: number, except: readonly number[] = []): Promise<number> =>
  onFreePort(wanted, except, probePort)

/** Listens only on `localhost`, so that other machines cannot connect. */
export async function listenLocally(server: Server, port: number): Promise<void> {
  server.listen(port, 'localhost')
  await once(server, 'listening')
}

/** Closes the server and all its connections. Resolves when the port is free. */
export const closeWebServer = (server: Pick<WebServer, 'close' | 'closeAllConnections'>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** A listening server's port. Throws if the server is not listening. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port')
  return address.port
}

/** Whether `listenLocally` or a child server rejected because its port was taken or forbidden. */
export const isPortTakenError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
