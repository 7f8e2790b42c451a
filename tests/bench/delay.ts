import { Server } from 'node:http'

// Loaded into a server's process before it starts (`--import`): each request, preflights included, reaches the server
// DELAY_MS milliseconds later, as over a network with that round trip. The browser's emulation leaves out preflights.

const ms = Number(process.env['DELAY_MS'])
const { prototype } = Server
const emit = Reflect.get(prototype, 'emit') as (...event: unknown[]) => boolean

prototype.emit = function (this: Server, ...event: unknown[]): boolean {
  if (event[0] !== 'request') return emit.apply(this, event)
  setTimeout(() => emit.apply(this, event), ms)
  return true
}
