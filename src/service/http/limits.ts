/** Limits the rate of requests. Each instance counts for itself. */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal, type WebServer } from '../../server/webServer.ts'

export type LimitsOptions = Readonly<{
  /** The route of sign-ins, whose body has an `email`. */
  signInPath: string
  /** Prefixes of the routes that programs may call: the administration API and SCIM. */
  programPaths: readonly string[]
  /** The user id in the bearer of a request; null without a bearer. Known after `onRequest`. */
  personOf: (request: FastifyRequest) => string | null
  /** Milliseconds since 1970. */
  now: () => number
}>

const WINDOW_MS = 60_000
const SIGN_INS = 20
const REQUESTS = 300
const FAILED_TOKENS = 20
/** How many lookups in the database an address may cause in a minute where no user signs in. */
const LOOKUPS = 300
/** Beyond this number the oldest windows are dropped, so that invented names cannot fill the memory. */
const MAX_WINDOWS = 200_000

/**
 * Refuses requests with 429 `too_many_requests` and `Retry-After`: more than 20 sign-ins a minute for one mailbox from
 * one address; more than 300 requests a minute of one user; and, after 20 invalid tokens a minute from one address, all
 * requests of this address for the administration and SCIM. Must be called before routes are added.
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
    requests.admit(person)
  })
  // A sign-in is counted before its token is checked, because the check is costly.
  app.addHook('preHandler', async ({ routeOptions, method, ip, body }) => {
    if (method !== 'POST' || routeOptions.url !== signInPath) return
    const { email } = body as { email: string }
    signIns.admit(`${ip} ${email.toLowerCase()}`)
  })
}

/** Counts requests by key. A window of a minute begins with the first request of a key. */
export function createWindows(most: number, maxWindows: number, now: () => number) {
  const windows = new Map<string, { readonly end: number; count: number }>()
  // The key is a hash, so that a long name takes no more memory than a short one.
  const keyOf = (name: string) => createHash('sha256').update(name).digest('base64url')

  function forgetOld(): void {
    // The windows are in the order of their ends, because a new window is added last.
    for (const [each, { end }] of windows) {
      if (end > now() && windows.size <= maxWindows) break
      windows.delete(each)
    }
  }

  function count(name: string): void {
    forgetOld()
    const key = keyOf(name)
    const window = windows.get(key) ?? { end: now() + WINDOW_MS, count: 0 }
    window.count += 1
    windows.set(key, window)
  }

  /** @throws Refusal when the window of the key is full */
  function refuseFull(name: string): void {
    forgetOld()
    const window = windows.get(keyOf(name))
    if (window === undefined || window.count < most) return
    const seconds = Math.ceil((window.end - now()) / 1000)
    throw new Refusal(429, 'too_many_requests', `Too many requests; try again in ${seconds} s.`, seconds)
  }

  return {
    count,
    refuseFull,
    /** Counts a request that is not refused. @throws Refusal when the window of the key is full */
    admit(name: string): void {
      refuseFull(name)
      count(name)
    },
  }
}

/** Counts the lookups in the database that addresses cause without a sign-in. */
export const createLookups = (now: () => number) => createWindows(LOOKUPS, MAX_WINDOWS, now)

export type Lookups = ReturnType<typeof createLookups>
