/** Limits the rate of requests. Each instance counts separately. */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { TimeSlicer } from '../../server/timeSlices.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { createRateWindows } from '../../server/rateWindows.ts'
import type { WebServer } from '../../server/webServer.ts'

export type RequestLimitsOptions = Readonly<{
  /** The route of sign-ins, whose body has an `email`. */
  signInPath: string
  /** Prefixes of the routes that programs may call: the administration API and SCIM. */
  programPaths: readonly string[]
  /** The user id in a request's bearer; null without a bearer. Available after `onRequest`. */
  personOf: (request: FastifyRequest) => string | null
  /** The signed-in user's organisation; null without a user, and for `default`. Available after `onRequest`. */
  organisationOf: (request: FastifyRequest) => string | null
  /** Whether a request to a program route has a verified token. Available before the response is sent. */
  isVerified: (request: FastifyRequest) => boolean
  /** The number of requests that one organisation may send in a minute. */
  ofOrganisation: number
  /** Milliseconds since 1970. */
  now: () => number
}>

const SIGN_INS = 20
const REQUESTS = 300
const FAILED_TOKENS = 20
/** The number of verified tokens that are remembered. */
const VERIFIED_TOKENS = 10_000
/** The number of database lookups that one client address may cause in a minute without a sign-in. */
const LOOKUPS = 300
/** The maximum number of windows. The oldest are dropped, so that invented names cannot fill the memory. */
const MAX_WINDOWS = 200_000

/**
 * Refuses requests with 429 `too_many_requests` and `Retry-After`. The limits per minute are 20 sign-ins for one
 * mailbox from one client, 300 requests from one user, and `ofOrganisation` requests from one organisation. After 20
 * invalid tokens in a minute, requests of a client to the administration and SCIM are refused too. Requests with an
 * already verified token still pass, so that clients with a shared address do not lock each other out. Must be called
 * before routes are added.
 */
export function addRequestLimits(
  app: WebServer,
  {
    signInPath,
    programPaths,
    personOf,
    organisationOf,
    isVerified,
    ofOrganisation,
    now,
  }: RequestLimitsOptions,
): void {
  const windows = (most: number) => createRateWindows(most, MAX_WINDOWS, now)
  const [signIns, requests, failedTokens] = [windows(SIGN_INS), windows(REQUESTS), windows(FAILED_TOKENS)]
  const organisations = windows(ofOrganisation)
  const isOfProgram = (request: FastifyRequest) => isBelow(programPaths, request)

  const verified = new LRUCache<string, true>({ max: VERIFIED_TOKENS })

  app.addHook('onRequest', (request, _, done) => {
    if (isOfProgram(request) && !verified.get(tokenKeyOf(request)))
      failedTokens.refuseFull(clientAddress(request))
    done()
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    if (isOfProgram(request)) {
      if (isVerified(request)) verified.set(tokenKeyOf(request), true)
      else if (statusCode === 401) {
        verified.delete(tokenKeyOf(request))
        failedTokens.count(clientAddress(request))
      }
    }
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const organisation = organisationOf(request)
    if (organisation !== null) organisations.admit(organisation)
    const person = personOf(request)
    if (person !== null) requests.admit(person)
    done()
  })
  // Counts a sign-in before its token is checked, because the check is costly.
  app.addHook('preHandler', (request, _, done) => {
    if (request.method === 'POST' && request.routeOptions.url === signInPath) {
      const { email } = request.body as { email: string }
      signIns.admit(`${clientAddress(request)} ${email.toLowerCase()}`)
    }
    done()
  })
}

/** Tokens are hashed, so that none stays in memory. */
const tokenKeyOf = ({ headers }: FastifyRequest): string =>
  hash('sha256', headers.authorization ?? '', 'base64url')

/**
 * Tells the time slicer about each waiting request, so that long work pauses for it. Skips requests from programs,
 * because they are long work themselves.
 */
export function reportWaitingRequests(
  app: WebServer,
  programPaths: readonly string[],
  { asked, answered }: Pick<TimeSlicer, 'asked' | 'answered'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isBelow(programPaths, request)) {
      asked()
      // Also runs when the client disconnects before the response.
      reply.raw.once('close', answered)
    }
    done()
  })
}

const isBelow = (paths: readonly string[], { routeOptions }: FastifyRequest): boolean =>
  paths.some((path) => routeOptions.url?.startsWith(path) === true)

/** Limits the database lookups that a client address causes without a sign-in. */
export const createLookupLimit = (now: () => number) => createRateWindows(LOOKUPS, MAX_WINDOWS, now)

export type LookupLimit = ReturnType<typeof createLookupLimit>
