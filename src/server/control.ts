/** Faults on demand and the journal of requests, for tests and the playground; absent unless asked for. */
import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { faultSchema, type Fault } from './faults.ts'
import { checked, done, jsonOf, ok, Refusal, route, type Call, type Route, type Watch } from './webServer.ts'

const faultOrderSchema = v.object({
  call: v.string(),
  fault: faultSchema,
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})

/** One request as it came in; the bearer itself is never kept. */
export interface JournalEntry {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Bytes. */
  bodySize: number
}

const clockSchema = v.object({
  ahead: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10 * 366 * 24 * 3_600_000)),
})

export interface Control extends Watch {
  /** The server's clock, in milliseconds since 1970: as far ahead of the real one as was asked for. */
  readonly now: () => number
  /** The `/_control` routes: `known` are the routes that a fault may name, `more` a server's own controls. */
  readonly routes: (known: readonly Route[], more: readonly Route[], origins: readonly string[]) => Route[]
}

const journalLength = 10_000

/** Faults, clock and journal of one server; `clock` is the real one. */
export function createControl(clock: () => number = Date.now): Control {
  let ahead = 0
  const orders = new Map<string, { fault: Fault; left: number }>()
  let journal: JournalEntry[] = []

  const listed = (calls: ReadonlySet<string>) =>
    ok({
      calls: [...calls],
      faults: [...orders].map(([call, { fault, left }]) => ({
        call,
        fault,
        ...(Number.isFinite(left) ? { times: left } : {}),
      })),
    })

  return {
    now: () => clock() + ahead,

    note(method, url, headers) {
      const entry: JournalEntry = {
        at: new Date().toISOString(),
        method,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: withoutSecrets(headers),
        bodySize: 0,
      }
      journal.push(entry)
      if (journal.length > journalLength) journal.shift()
      return entry
    },

    take({ method, path }) {
      const key = [`${method} ${path}`, '*'].find((candidate) => orders.has(candidate))
      const order = key === undefined ? undefined : orders.get(key)
      if (key === undefined || order === undefined) return null
      order.left -= 1
      if (order.left <= 0) orders.delete(key)
      return order.fault
    },

    routes(known, more, origins) {
      const calls = new Set(['*', ...known.map(({ method, path }) => `${method} ${path}`)])
      const own = [
        route('PUT', '/_control/faults', async (call) => {
          const order = checked(faultOrderSchema, jsonOf(call), 'invalid_body')
          if (!calls.has(order.call))
            throw new Refusal(400, 'unknown_call', `There is no call "${order.call}".`)
          orders.set(order.call, { fault: order.fault, left: order.times ?? Number.POSITIVE_INFINITY })
          return listed(calls)
        }),
        route('GET', '/_control/faults', async () => listed(calls)),
        route('DELETE', '/_control/faults', async ({ url }) => {
          const call = url.searchParams.get('call')
          if (call === null) orders.clear()
          else orders.delete(call)
          return done
        }),
        route('PUT', '/_control/clock', async (call) => {
          ahead = checked(clockSchema, jsonOf(call), 'invalid_body').ahead
          return done
        }),
        route('GET', '/_control/clock', async () => ok({ ahead })),
        route('GET', '/_control/requests', async () => ok(journal)),
        route('DELETE', '/_control/requests', async () => {
          journal = []
          return done
        }),
      ]
      return [...own, ...more].map((entry) => ({
        ...entry,
        isControl: true,
        answer: (call) => {
          refuseStrangers(call, origins)
          return entry.answer(call)
        },
      }))
    },
  }
}

/** Some control calls need no preflight, so a page of another origin could send them without reading the answer. */
function refuseStrangers({ origin, headers }: Call, origins: readonly string[]): void {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '')
  if (!isLocal || (origin !== null && !origins.includes(origin))) {
    throw new Refusal(
      403,
      'origin_not_allowed',
      'Controls are for this machine and the allowed page origins.',
    )
  }
}

function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name === 'authorization' ? (/^bearer /i.test(String(value)) ? 'Bearer …' : '…') : String(value),
    ]),
  )
}
