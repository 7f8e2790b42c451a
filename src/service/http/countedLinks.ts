/** Redirects counted links to their published addresses, and counts clicks by day and block. */
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { object, text } from '../../../streams/kernel/schema.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { NOT_FOUND_REFUSAL, type WebServer } from '../../server/webServer.ts'
import { isLinkId, linkId, linksOfRelease } from '../publishing/countedLinks.ts'
import type { CountedLink } from '../sql/clicks.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import type { LookupLimit } from './limits.ts'

/** The path of links, with a slash at its end. It must never change, because mails contain it for years. */
export const LINK_PATH = '/go/'

/** The number of cached links from earlier releases. */
const LINKS_CACHED = 10_000

/** The headers by which browsers and mail servers announce that they load an address in advance. */
const PURPOSE_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const
const AHEAD = /prefetch|preview|prerender/i

const isLoadedAhead = (headers: IncomingHttpHeaders): boolean =>
  PURPOSE_HEADERS.some((name) => AHEAD.test(String(headers[name] ?? '')))

export type CountedLinks = ReturnType<typeof createCountedLinks>

/** The counted links of an organisation. */
export function createCountedLinks({
  store,
  releases,
  publicUrl,
}: Pick<ServiceContext, 'store' | 'releases' | 'publicUrl'>) {
  // `maxSize`, because `max` would allocate the memory of a full cache for each organisation.
  const earlier = new LRUCache<string, CountedLink>({ maxSize: LINKS_CACHED, sizeCalculation: () => 1 })

  /** Links of the current release need no database, so they redirect even during an outage. */
  function inRelease(id: string): CountedLink | undefined {
    const release = releases.current()
    return release === null ? undefined : linksOfRelease(release).get(id)
  }

  async function stored(id: string): Promise<CountedLink | null> {
    const link = await store.countedLink(id)
    if (link === null) return null
    earlier.set(id, link)
    return link
  }

  return {
    /**
     * The link with this id; null for none. A link still redirects after its block is removed.
     *
     * @param lookingUp is called before the database query, and may throw
     */
    find: async (id: string, lookingUp: () => void): Promise<CountedLink | null> => {
      if (!isLinkId(id)) return null
      const known = inRelease(id) ?? earlier.get(id)
      if (known !== undefined) return known
      lookingUp()
      return stored(id)
    },
    isCounting: (): boolean => releases.current()?.document.counting === true,
    countedUrl: createCountedUrl(publicUrl),
  }
}

/**
 * Serves `/go/<id>` by the route `/go/*`. The link is found by its path alone. Its target comes from a release, never
 * from the request. Links still redirect when the organisation no longer counts clicks.
 */
export function addCountedLinks(app: WebServer, lookups: LookupLimit): void {
  app.get(`${LINK_PATH}*`, {
    schema: { params: object({ '*': text }) },
    async handler(request, reply) {
      const {
        params: { '*': id },
        organisation: { links, clicks },
        method,
        headers,
      } = request
      // Links in memory do not count as lookups.
      const link = await links.find(id, () => lookups.admit(clientAddress(request)))
      if (link === null) throw NOT_FOUND_REFUSAL
      if (links.isCounting() && method === 'GET' && !isLoadedAhead(headers)) clicks.count(link.block)
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

/**
 * Creates a function that returns the counting address for an address in a block of a release, or the address itself if
 * its clicks are not counted.
 */
export const createCountedUrl =
  (publicUrl: () => string) =>
  (release: Release, block: string, address: string): string => {
    if (release.document.counting !== true) return address
    const id = linkId(block, address)
    return id !== null && linksOfRelease(release).has(id) ? `${publicUrl()}${LINK_PATH}${id}` : address
  }
