/** Injects faults, sets the clock and records requests, for tests and the playground; off by default. */
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { integer } from '../../streams/kernel/limits.ts'
import { flag, object, oneOf, optional, type OutOf, text } from '../../streams/kernel/schema.ts'
import { faultSchema, type ServerFault } from './faults.ts'
import { refuseForeignOrigins } from './strangers.ts'
import { requestPathOf, Refusal, type RoutePattern, type WebServer } from './webServer.ts'

/** A request on arrival, without secrets. */
type JournalEntry = Readonly<{
  at: string
  method: string
  path: string
  query: unknown
  headers: Readonly<Record<string, string>>
}> & {
  /** The number of body bytes received so far. */
  bodySize: number
}

export type TestControl = ReturnType<typeof createTestControl>

/** A fault for the next `left` requests. `ofLink` is true if a link to the playground requested it. */
type Order = { readonly fault: ServerFault; readonly ofLink: boolean; left: number }

const PREFIX = '/_control'
const JOURNAL_LENGTH = 10_000
const TEN_YEARS_MS = 10 * 366 * 24 * 3_600_000

const faultOrderSchema = object({
  call: text,
  fault: faultSchema,
  times: optional(integer(1)),
  ofLink: optional(flag, false),
})
/** The faults to clear: the fault of one call, all faults that links requested, or all faults. */
const clearedSchema = object({ call: optional(text), ofLink: optional(oneOf('true')) })
const clockSchema = object({
  ahead: integer(0, TEN_YEARS_MS),
})

/** Creates the store of requested faults, by call. `*` means all calls. */
function createFaultOrders() {
  const orders = new Map<string, Order>()
  return {
    has: (call: string) => orders.has(call),

    /**
     * The fault for this request; null if there is none. A fault for the request's own call takes precedence over `*`.
     */
    take(call: string): ServerFault | null {
      const key = [call, '*'].find((candidate) => orders.has(candidate)) ?? ''
      const order = orders.get(key)
      if (order === undefined) return null
      order.left -= 1
      if (order.left <= 0) orders.delete(key)
      return order.fault
    },

    order({ call, fault, ofLink, times = Number.POSITIVE_INFINITY }: OutOf<typeof faultOrderSchema>): void {
      orders.set(call, { fault, ofLink, left: times })
    },

    /**
     * Clears the fault of one call, or of all calls if `call` is undefined. `onlyOfLinks` keeps faults that no link
     * requested.
     */
    clear(call: string | undefined, onlyOfLinks: boolean): void {
      for (const [each, order] of orders)
        if ((call ?? each) === each && (!onlyOfLinks || order.ofLink)) orders.delete(each)
    },

    listed: () =>
      [...orders].map(([call, { fault, left }]) => ({
        call,
        fault,
        ...(Number.isFinite(left) ? { times: left } : {}),
      })),
  }
}

/** Creates the faults, the adjustable clock and the request journal of one server. `clock` is the real clock. */
export function createTestControl(clock: () => number = Date.now) {
  let ahead = 0
  let journal: JournalEntry[] = []
  const faults = createFaultOrders()

  return {
    /** The server's clock, in milliseconds since 1970. */
    now: () => clock() + ahead,
    /** Whether a fault exists for this call, such as `GET /api/addin/user`. */
    hasFault: faults.has,

    record(request: FastifyRequest): void {
      if (isControl(request)) return
      const entry: JournalEntry = {
        at: new Date().toISOString(),
        method: request.method,
        path: requestPathOf(request),
        query: request.query,
        headers: withoutSecrets(request.headers),
        bodySize: 0,
      }
      // Pauses the stream first, because a `data` listener would start it.
      request.raw.pause().on('data', (part: Buffer) => (entry.bodySize += part.length))
      journal.push(entry)
      if (journal.length > JOURNAL_LENGTH) journal.shift()
    },

    async applyFault(request: FastifyRequest, reply: FastifyReply) {
      const path = request.routeOptions.url
      const fault = path === undefined || isControl(request) ? null : faults.take(`${request.method} ${path}`)
      return fault && fail(fault, request, reply)
    },

    /** Adds the `/_control` routes. Faults may target one of `routes`; `addOwn` adds the server's own controls. */
    addTo(
      app: WebServer,
      {
        routes,
        origins,
        addOwn,
      }: Readonly<{
        routes: readonly RoutePattern[]
        origins: readonly string[]
        addOwn: (control: WebServer) => void
      }>,
    ): void {
      const calls = () => ['*', ...routes.filter(({ path }) => !path.startsWith(PREFIX)).map(callOf)]
      const listed = () => ({ calls: calls(), faults: faults.listed() })

      app.register(
        async (control: WebServer) => {
          control.addHook('onRequest', async (request) => refuseForeignOrigins(request, origins))

          control.get('/faults', async () => listed())
          control.put('/faults', { schema: { body: faultOrderSchema } }, async ({ body }) => {
            const { call } = body
            if (!calls().includes(call)) throw new Refusal(400, 'unknown_call', `There is no call "${call}".`)
            faults.order(body)
            return listed()
          })
          control.delete(
            '/faults',
            { schema: { querystring: clearedSchema } },
            async ({ query: { call, ofLink } }, reply) => {
              faults.clear(call, ofLink !== undefined)
              return reply.code(204).send()
            },
          )

          control.get('/clock', async () => ({ ahead }))
          control.put('/clock', { schema: { body: clockSchema } }, async ({ body }, reply) => {
            ahead = body.ahead
            return reply.code(204).send()
          })

          control.get('/requests', async () => journal)
          control.delete('/requests', async (_, reply) => {
            journal = []
            return reply.code(204).send()
          })

          addOwn(control)
        },
        { prefix: PREFIX },
      )
    },
  }
}

const callOf = ({ method, path }: RoutePattern): string => `${method} ${path}`
const isControl = (request: FastifyRequest): boolean => request.url.startsWith(`${PREFIX}/`)

/** Sends the fault's response. With `delay`, waits, and lets the route respond. */
async function fail(fault: ServerFault, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  switch (fault.kind) {
    case 'status':
      throw new Refusal(fault.status, fault.code ?? 'fault', 'A fault that was asked for.')
    case 'delay':
      await pause(fault.ms, undefined, { ref: false })
      return request.server.server.listening ? undefined : reply.hijack()
    case 'cut':
      request.raw.destroy()
      return reply.hijack()
    case 'malformed':
      return reply.type('application/json; charset=utf-8').send('{ "data": { "url": ')
    case 'wrongShape':
      return reply.send({ unexpected: true })
    case 'empty':
      return reply.send()
    case 'html':
      return reply
        .type('text/html; charset=utf-8')
        .send('<!doctype html><title>Sign in to the guest network</title><h1>Welcome</h1>')
  }
}

function withoutSecrets(headers: FastifyRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'authorization' ? (/^bearer /i.test(String(value)) ? 'Bearer …' : '…') : String(value),
    ]),
  )
}
