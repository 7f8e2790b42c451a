/** Redirects counted links to the addresses that were published, and counts clicks by day and block. */
import type { IncomingHttpHeaders } from 'node:http'
import { LRUCache } from 'lru-cache'
import { object, text } from '../../../streams/kernel/schema.ts'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { clientAddress } from '../../server/clientAddress.ts'
import { NOTHING_HERE, type WebServer } from '../../server/webServer.ts'
import { isLinkId, linkId, linksOf } from '../publishing/countedLinks.ts'
import type { CountedLink } from '../sql/clicks.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import type { Lookups } from './limits.ts'

/** The path of links, with a slash at its end. Mails have it for years: it never changes. */
export const LINK_PATH = '/go/'

/** How many links of earlier releases are cached. */
const LINKS_CACHED = 10_000

/** Headers with which browsers and mail servers say that they load an address before a person asks for it. */
const PURPOSE_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'] as const
const AHEAD = /prefetch|preview|prerender/i

const isLoadedAhead = (headers: IncomingHttpHeaders): boolean =>
  PURPOSE_HEADERS.some((name) => AHEAD.test(String(headers[name] ?? '')))

export type Links = ReturnType<typeof createLinks>

/** The counted links of an organisation. */
export function createLinks({
  store,
  releases,
  publicUrl,
}: Pick<ServiceContext, 'store' | 'releases' | 'publicUrl'>) {
  // With `max`, each organisation would take the memory of a full cache from the start.
  const earlier = new LRUCache<string, CountedLink>({ maxSize: LINKS_CACHED, sizeCalculation: () => 1 })

  /** The links of the current release need no database: they lead on while it is away. */
  function inRelease(id: string): CountedLink | undefined {
    const release = releases.current()
    return release === null ? undefined : linksOf(release).get(id)
  }

  async function stored(id: string): Promise<CountedLink | null> {
    const link = await store.countedLink(id)
    if (link === null) return null
    earlier.set(id, link)
    return link
  }

  return {
    /**
     * The link with this id; null for none. A link leads to its address after its block is gone.
     *
     * @param lookingUp is called before the database is asked, and may throw
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
 * Serves `/go/<id>`, as the route `/go/*`. The path alone finds the link, and the address comes from what was published,
 * never from the request. A link leads on when nothing is counted any more.
 */
export function addCountedLinks(app: WebServer, lookups: Lookups): void {
  app.get(`${LINK_PATH}*`, {
    schema: { params: object({ '*': text }) },
    async handler(request, reply) {
      const {
        params: { '*': id },
        organisation: { links, clicks },
        method,
        headers,
      } = request
      // Links in memory have no limit of lookups.
      const link = await links.find(id, () => lookups.admit(clientAddress(request)))
      if (link === null) throw NOTHING_HERE
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

/** Gives the address that counts clicks on an address in a block of a release; the address itself where none counts. */
export const createCountedUrl =
  (publicUrl: () => string) =>
  (release: Release, block: string, address: string): string => {
    if (release.document.counting !== true) return address
    const id = linkId(block, address)
    return id !== null && linksOf(release).has(id) ? `${publicUrl()}${LINK_PATH}${id}` : address
  }
