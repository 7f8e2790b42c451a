/** Limits the rate of requests. Each instance counts for itself. */
import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Turns } from '../../server/timeSlices.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { createWindows } from '../../server/rateWindows.ts'
import type { WebServer } from '../../server/webServer.ts'

export type LimitsOptions = Readonly<{
  /** The route of sign-ins, whose body has an `email`. */
  signInPath: string
  /** Prefixes of the routes that programs may call: the administration API and SCIM. */
  programPaths: readonly string[]
  /** The user id in the bearer of a request; null without a bearer. Known after `onRequest`. */
  personOf: (request: FastifyRequest) => string | null
  /** The organisation of the signed-in user; null without one, and for `default`. Known after `onRequest`. */
  organisationOf: (request: FastifyRequest) => string | null
  /** Whether the token of a request to the routes of programs was verified. Known before the response is sent. */
  isVerified: (request: FastifyRequest) => boolean
  /** How many requests of one organisation are admitted in a minute. */
  ofOrganisation: number
  /** Milliseconds since 1970. */
  now: () => number
}>

const SIGN_INS = 20
const REQUESTS = 300
const FAILED_TOKENS = 20
/** How many verified tokens are known. */
const VERIFIED_TOKENS = 10_000
/** How many lookups in the database an address may cause in a minute where no user signs in. */
const LOOKUPS = 300
/** Beyond this number the oldest windows are dropped, so that invented names cannot fill the memory. */
const MAX_WINDOWS = 200_000

/**
 * Refuses requests with 429 `too_many_requests` and `Retry-After`: more than 20 sign-ins a minute for one mailbox from
 * one client; more than 300 requests a minute of one user; more than `ofOrganisation` of one organisation; and, after 20
 * invalid tokens a minute from one client, the requests of this client for the administration and SCIM, except those with
 * a token that was verified before: clients that share an address do not lock each other out. Must be called before
 * routes are added.
 */
export function addLimits(
  app: WebServer,
  { signInPath, programPaths, personOf, organisationOf, isVerified, ofOrganisation, now }: LimitsOptions,
): void {
  const windows = (most: number) => createWindows(most, MAX_WINDOWS, now)
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
  // A sign-in is counted before its token is checked, because the check is costly.
  app.addHook('preHandler', (request, _, done) => {
    if (request.method === 'POST' && request.routeOptions.url === signInPath) {
      const { email } = request.body as { email: string }
      signIns.admit(`${clientAddress(request)} ${email.toLowerCase()}`)
    }
    done()
  })
}

/** A hash, so that no token stays in memory. */
const tokenKeyOf = ({ headers }: FastifyRequest): string =>
  hash('sha256', headers.authorization ?? '', 'base64url')

/**
 * Says of each request that it waits for its answer, so that long work rests. Those of programs are long work
 * themselves.
 */
export function addTurns(
  app: WebServer,
  programPaths: readonly string[],
  { asked, answered }: Pick<Turns, 'asked' | 'answered'>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isBelow(programPaths, request)) {
      asked()
      // Also comes when the client goes before its answer.
      reply.raw.once('close', answered)
    }
    done()
  })
}

const isBelow = (paths: readonly string[], { routeOptions }: FastifyRequest): boolean =>
  paths.some((path) => routeOptions.url?.startsWith(path) === true)

/** Counts the lookups in the database that addresses cause without a sign-in. */
export const createLookups = (now: () => number) => createWindows(LOOKUPS, MAX_WINDOWS, now)

export type Lookups = ReturnType<typeof createLookups>
