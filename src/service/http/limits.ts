/** How often may be asked, so that one client cannot keep the service busy. Each instance counts for itself. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal, type WebServer } from '../../server/webServer.ts'

export type LimitsOptions = Readonly<{
  /** The route of sign-ins, whose body has an `email`. */
  signInPath: string
  /** Where the routes begin that programs ask: the administration, SCIM. */
  programPaths: readonly string[]
  /** The id of the user whose bearer a request has; null for one without. Known once the hooks of arrival have run. */
  personOf: (request: FastifyRequest) => string | null
  /** Milliseconds since 1970. */
  now: () => number
}>

const WINDOW_MS = 60_000
const SIGN_INS = 20
const REQUESTS = 300
const FAILED_TOKENS = 20
/** Beyond so many the oldest windows are forgotten, so that made-up names cannot fill the memory. */
const MAX_WINDOWS = 200_000

/**
 * Refuses with 429 `too_many_requests` and `Retry-After` what is more than 20 sign-ins a minute for one mailbox from one
 * address, or more than 300 requests a minute of one user; and for the rest of a minute what an address asks of the
 * administration or of SCIM after 20 tokens that were not good. Routes are added after it.
 */
export function addLimits(app: WebServer, { signInPath, programPaths, personOf, now }: LimitsOptions): void {
  const windows = (most: number) => createWindows(most, MAX_WINDOWS, now)
  const [signIns, requests, failedTokens] = [windows(SIGN_INS), windows(REQUESTS), windows(FAILED_TOKENS)]
  const isOfProgram = ({ routeOptions }: FastifyRequest) =>
    programPaths.some((path) => routeOptions.url?.startsWith(path) === true)

  app.addHook('onRequest', async (request) => {
    if (isOfProgram(request)) failedTokens.refuseFull(request.ip)
  })
  app.addHook('onResponse', async (request, { statusCode }) => {
    if (statusCode === 401 && isOfProgram(request)) failedTokens.count(request.ip)
  })
  app.addHook('preParsing', async (request) => {
    const person = personOf(request)
    if (person === null) return
    requests.refuseFull(person)
    requests.count(person)
  })
  // Before the token is checked, which is the costly part.
  app.addHook('preHandler', async ({ routeOptions, method, ip, body }) => {
    if (method !== 'POST' || routeOptions.url !== signInPath) return
    const { email } = body as { email: string }
    const key = `${ip} ${email.toLowerCase()}`
    signIns.refuseFull(key)
    signIns.count(key)
  })
}

/** Counts by key, in windows of a minute that begin with the first of a key. */
export function createWindows(most: number, maxWindows: number, now: () => number) {
  const windows = new Map<string, { readonly end: number; count: number }>()
  // The same size for each, however long a name is.
  const keyOf = (name: string) => createHash('sha256').update(name).digest('base64url')

  function forgetOld(): void {
    // In the order of their ends, because a new window is added last.
    for (const [each, { end }] of windows) {
      if (end > now() && windows.size <= maxWindows) break
      windows.delete(each)
    }
  }

  return {
    count(name: string): void {
      forgetOld()
      const key = keyOf(name)
      const window = windows.get(key) ?? { end: now() + WINDOW_MS, count: 0 }
      window.count += 1
      windows.set(key, window)
    },
    /** @throws Refusal when the key's window has as many as it may */
    refuseFull(name: string): void {
      forgetOld()
      const window = windows.get(keyOf(name))
      if (window === undefined || window.count < most) return
      const seconds = Math.ceil((window.end - now()) / 1000)
      throw new Refusal(429, 'too_many_requests', `Too many requests; try again in ${seconds} s.`, seconds)
    },
  }
}
