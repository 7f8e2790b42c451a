import { Server } from 'node:http'

// Delays each request to a server by DELAY_MS milliseconds, like a network with that round trip. Loaded into the server's
// process before it starts (`--import`). Also delays preflights, unlike the browser's own emulation.

const ms = Number(process.env['DELAY_MS'])
const { prototype } = Server
const emit = Reflect.get(prototype, 'emit') as (...event: unknown[]) => boolean

prototype.emit = function (this: Server, ...event: unknown[]): boolean {
  if (event[0] !== 'request') return emit.apply(this, event)
  setTimeout(() => emit.apply(this, event), ms)
  return true
}
