import type { FastifyRequest } from 'fastify'
import { Refusal } from './webServer.ts'

/**
 * Rejects requests for another host, because DNS rebinding can send them. Also rejects requests from pages of other
 * origins: they could change data, although the page cannot read the response.
 *
 * @throws Refusal 403 `origin_not_allowed`
 */
export function refuseForeignOrigins(
  { headers }: Pick<FastifyRequest, 'headers'>,
  origins: readonly string[],
): void {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '')
  if (!isLocal || (headers.origin !== undefined && !origins.includes(headers.origin))) {
    throw new Refusal(
      403,
      'origin_not_allowed',
      'This address is for this machine and the allowed page origins.',
    )
  }
}
