/** Adds routes of the administration, which check the caller's role. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../../../streams/organisation/facts/events.ts'
import { roles as all, type Role } from '../../../../streams/wire/administration/insight.ts'
import { type Call, type CALLS, LARGE_BODY_BYTES } from '../../../../streams/wire/administration/calls.ts'
import type { OutOf } from '../../../../streams/kernel/schema.ts'
import { disconnectSignal, Refusal, type WebServer } from '../../../server/webServer.ts'

export type ApplicationReader = Readonly<{
  /** @throws Refusal 401 for an invalid token, 503 when the identity provider is unreachable */
  application: (accessToken: string, request: FastifyRequest) => Promise<Administrator>
  /** The handlers for the calls that need no role. */
  unknown: CallHandlers
}>

/**
 * The caller of the administration. `actor` is the sign-in name of a user, or the name of an application. `account` is
 * absent without a token. `handlers` are the calls of the caller's organisation.
 */
export type Administrator = Readonly<{
  roles: readonly string[]
  actor: string
  account?: Account
  handlers: CallHandlers
}>

type Declared = typeof CALLS
type Given<C, Part extends string> = C extends Readonly<Record<Part, infer S>> ? OutOf<S> : undefined

/** The request of a call. `roles` are the caller's roles in the administration. */
export type CallRequest<C> = Readonly<{
  params: Given<C, 'params'>
  query: Given<C, 'query'>
  body: Given<C, 'body'>
  actor: string
  roles: readonly Role[]
  account?: Account
  /** Aborts when the client disconnects. Reads then stop; writes that have begun continue. */
  client: AbortSignal
}>

/**
 * The calls whose responses may be of any size. Each part of the JSON is produced when the client has consumed the
 * previous part.
 */
type Streamed = 'export' | 'personalData'

/** A handler for each declared call. */
export type CallHandlers = {
  readonly [Name in keyof Declared]: (
    request: CallRequest<Declared[Name]>,
  ) => Promise<Name extends Streamed ? AsyncIterable<string> : OutOf<Declared[Name]['answer']>>
}

const isStreamed = (answer: unknown): answer is AsyncIterable<string> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/**
 * The number of calls with large bodies that may run at once for one organisation, because their bodies are in memory.
 */
const LARGE_AT_ONCE = 4
const LARGE_RETRY_SECONDS = 5
/** The number of running large calls of each organisation, by its handlers. */
const largeRunning = new WeakMap<CallHandlers, number>()

/** @throws Refusal 429 when `LARGE_AT_ONCE` calls already run */
function admitLarge(handlers: CallHandlers, { raw }: FastifyReply): void {
  const running = largeRunning.get(handlers) ?? 0
  if (running >= LARGE_AT_ONCE)
    throw new Refusal(
      429,
      'too_many_requests',
      `Too many large requests run; try again in ${LARGE_RETRY_SECONDS} s.`,
      LARGE_RETRY_SECONDS,
    )
  largeRunning.set(handlers, running + 1)
  raw.once('close', () => largeRunning.set(handlers, (largeRunning.get(handlers) ?? 1) - 1))
}

export function addRoute(
  scope: WebServer,
  name: keyof CallHandlers,
  { method, path, role, params, query, body, isLarge, status }: Call,
  reader: ApplicationReader,
): void {
  const unknown: Administrator = { roles: [], actor: 'unknown', handlers: reader.unknown }
  const administrators = new WeakMap<FastifyRequest, Administrator>()
  scope.route({
    method,
    url: path,
    ...(isLarge === true ? { bodyLimit: LARGE_BODY_BYTES } : {}),
    schema: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined ? {} : { body }),
    },
    // Checks the role before the body is read.
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      if (role === 'none') return
      const [, token] = /^Bearer (\S{1,16384})$/i.exec(request.headers.authorization ?? '') ?? []
      if (token === undefined) throw new Refusal(401, 'invalid_token', 'The access token is missing.')
      const administrator = await reader.application(token, request)
      if (role === 'any' ? rolesOf(administrator).length === 0 : !administrator.roles.includes(role))
        throw new Refusal(
          403,
          'role_missing',
          role === 'any'
            ? `The access token has none of the roles ${all.join(', ')}.`
            : `The access token does not have the role ${role}.`,
        )
      administrators.set(request, administrator)
      if (isLarge === true) admitLarge(administrator.handlers, reply)
    },
    async handler(request, reply) {
      const administrator = administrators.get(request) ?? unknown
      const given = {
        params: request.params,
        query: request.query,
        body: request.body,
        actor: administrator.actor,
        ...(administrator.account && { account: administrator.account }),
        roles: rolesOf(administrator),
        client: disconnectSignal(reply),
      }
      const run = administrator.handlers[name] as (request: CallRequest<unknown>) => Promise<unknown>
      const answer = await run(given as CallRequest<unknown>)
      reply.code(status)
      return isStreamed(answer)
        ? reply.type('application/json; charset=utf-8').send(Readable.from(answer))
        : reply.send(answer)
    },
  })
}

const rolesOf = ({ roles }: Administrator): readonly Role[] => all.filter((role) => roles.includes(role))
