/** Redirects counted links to the addresses that were published, and counts clicks by day and block. */
import type { IncomingHttpHeaders } from 'node:http'
import { object, text } from '../../../streams/kernel/schema.ts'
import type { Release } from '../../../streams/organisation/release.ts'
import { NOTHING_HERE, type WebServer } from '../../server/webServer.ts'
import type { ClickCounter } from '../clicks.ts'
import { type CountedLink, isLinkId, linkId, linksOf } from '../countedLinks.ts'
import type { ServiceContext } from '../serviceContext.ts'
import { createLookups } from './limits.ts'

/** The path of links, with a slash at its end. Mails have it for years: it never changes. */
export const LINK_PATH = '/go/'

/** How many links of earlier releases are cached. */
const LINKS_CACHED = 10_000

/** Headers with which browsers and mail servers say that they load an address before a person asks for it. */
const PURPOSE_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const
const AHEAD = /prefetch|preview|prerender/i

const isLoadedAhead = (headers: IncomingHttpHeaders): boolean =>
  PURPOSE_HEADERS.some((name) => AHEAD.test(String(headers[name] ?? '')))

/**
 * Serves `/go/<id>`, as the route `/go/*`. The path alone finds the link, and the address comes from what was published,
 * never from the request. A link leads to its address after its block is gone, and when nothing is counted any more.
 */
export function addCountedLinks(
  app: WebServer,
  { store, releases, now }: Pick<ServiceContext, 'store' | 'releases' | 'now'>,
  clicks: Pick<ClickCounter, 'count'>,
): void {
  const lookups = createLookups(now)
  const earlier = new Map<string, CountedLink>()

  /** The links of the current release need no database: they lead on while it is away. */
  function inRelease(id: string): CountedLink | undefined {
    const release = releases.current()
    return release === null ? undefined : linksOf(release).get(id)
  }

  /** Links in memory have no limit of lookups. */
  async function stored(id: string, ip: string): Promise<CountedLink | null> {
    lookups.admit(ip)
    const link = await store.countedLink(id)
    if (link === null) return null
    earlier.set(id, link)
    const [oldest] = earlier.keys()
    if (earlier.size > LINKS_CACHED && oldest !== undefined) earlier.delete(oldest)
    return link
  }

  for (const method of ['GET', 'HEAD'] as const)
    app.route({
      method,
      url: `${LINK_PATH}*`,
      schema: { params: object({ '*': text }) },
      async handler({ params: { '*': id }, ip, headers }, reply) {
        const link = isLinkId(id) ? (inRelease(id) ?? earlier.get(id) ?? (await stored(id, ip))) : null
        if (link === null) throw NOTHING_HERE
        const isCounting = releases.current()?.document.counting === true
        if (isCounting && method === 'GET' && !isLoadedAhead(headers)) clicks.count(link.block)
        return reply
          .code(302)
          .headers({
            Location: link.address,
            'Referrer-Policy': 'no-referrer',
            'Cache-Control': 'no-store',
          })
          .send()
      },
    })
}

/** Gives the address that counts clicks on an address in a block of a release; the address itself where none counts. */
export const createCountedUrl =
  (publicUrl: () => string) =>
  (release: Release, block: string, address: string): string => {
    if (release.document.counting !== true) return address
    const id = linkId(block, address)
    return id !== null && linksOf(release).has(id) ? `${publicUrl()}${LINK_PATH}${id}` : address
  }
