import { type Server, createServer } from 'node:net'

const HIGHEST_PORT = 65_535

/**
 * Does what takes a port with the first one from `wanted` on that can be had: `take` fails as `listen` does when its port
 * is taken, and is then called with the next. Ports in `except` are passed over; 0 is any free port.
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
      if (!isTaken(error)) throw error
    }
  }
  throw new Error(`There is no free port from ${wanted} on`)
}

/**
 * The first free port of this machine from `wanted` on, for what cannot say that its port is taken. Another process may
 * take it meanwhile, so whatever can is started by `onFreePort`.
 */
export const freePort = (wanted: number, except: readonly number[] = []): Promise<number> =>
  onFreePort(wanted, except, async (port) => {
    const server = createServer()
    try {
      await listen(server, port)
      return portOf(server)
    } finally {
      server.close()
    }
  })

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
