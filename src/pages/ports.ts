import { type Server, createServer } from 'node:net'

const HIGHEST_PORT = 65_535

/** The first free port of this machine from `wanted` on; 0 asks the system for any. Ports in `except` are passed over. */
export async function freePort(wanted: number, except: readonly number[] = []): Promise<number> {
  for (let port = wanted; port <= HIGHEST_PORT; port++) {
    if (except.includes(port)) continue
    const found = await tryPort(port)
    if (found !== null) return found
  }
  throw new Error(`There is no free port from ${wanted} on`)
}

async function tryPort(port: number): Promise<number | null> {
  const server = createServer()
  try {
    await listen(server, port)
    return portOf(server)
  } catch (error) {
    if (isTaken(error)) return null
    throw error
  } finally {
    server.close()
  }
}

/** Listens on `localhost` only: nothing of the playground is meant for other machines. */
export function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, 'localhost', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The port that a listening server has got. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port')
  return address.port
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
