/** How often may be asked, so that one client cannot keep the service busy. Each instance counts for itself. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal, type WebServer } from '../../server/webServer.ts'

export type LimitsOptions = Readonly<{
  /** The route of sign-ins, whose body has an `email`. */
  signInPath: string
  /** The id of the user whose bearer a request has; null for one without. Known once the hooks of arrival have run. */
  personOf: (request: FastifyRequest) => string | null
  /** Milliseconds since 1970. */
  now: () => number
}>

const WINDOW_MS = 60_000
const SIGN_INS = 20
const REQUESTS = 300
/** Beyond it the oldest windows are forgotten, so that made-up names cannot fill the memory. */
const MAX_WINDOWS = 200_000

/**
 * Refuses with 429 `too_many_requests` and `Retry-After` what is more than 20 sign-ins a minute for one mailbox from one
 * address, or more than 300 requests a minute of one user. Routes are added after it.
 */
export function addLimits(app: WebServer, { signInPath, personOf, now }: LimitsOptions): void {
  const signIns = createWindows(SIGN_INS, now)
  const requests = createWindows(REQUESTS, now)

  app.addHook('preParsing', async (request) => {
    const person = personOf(request)
    if (person !== null) requests(person)
  })
  // Before the token is checked, which is the costly part.
  app.addHook('preHandler', async ({ routeOptions, method, ip, body }) => {
    if (method !== 'POST' || routeOptions.url !== signInPath) return
    const { email } = body as { email: string }
    signIns(`${ip} ${email.toLowerCase()}`)
  })
}

/** Counts by key, in windows of a minute that begin with the first of a key. */
function createWindows(most: number, now: () => number): (key: string) => void {
  const windows = new Map<string, { readonly end: number; count: number }>()
  return (name) => {
    // The same size for each, however long a name is.
    const key = createHash('sha256').update(name).digest('base64url')
    const at = now()
    // In the order of their ends, because a new window is added last.
    for (const [each, { end }] of windows) {
      if (end > at && windows.size <= MAX_WINDOWS) break
      windows.delete(each)
    }
    const window = windows.get(key) ?? { end: at + WINDOW_MS, count: 0 }
    window.count += 1
    windows.set(key, window)
    if (window.count <= most) return
    const seconds = Math.ceil((window.end - at) / 1000)
    throw new Refusal(429, 'too_many_requests', `Too many requests; try again in ${seconds} s.`, seconds)
  }
}
