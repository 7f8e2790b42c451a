import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A connection to the database that can be cut, and reopened at the same port. */
export async function startGate(target: URL) {
  const sockets = new Set<Socket>()
  const open = async (port = 0) => {
    const server = createServer((socket) => {
      const onward = connect(Number(target.port), target.hostname)
      for (const [from, to] of [
        [socket, onward],
        [onward, socket],
      ] as const) {
        sockets.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy()).on('close', () => to.destroy())
      }
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  let server = await open()
  const { port } = server.address() as AddressInfo
  const cut = async () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    server.close()
    await once(server, 'close')
  }
  const url = new URL(target)
  url.port = String(port)
  return {
    url: url.href,
    cut,
    close: cut,
    reopen: async () => {
      server = await open(port)
    },
  }
}
