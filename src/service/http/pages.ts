/** Serves the built pages on the service's own origin, so that their requests need no CORS. */
import { readdir } from 'node:fs/promises'
import { ADMINISTRATION_PAGE, fileHeaders, ALL_LAUNCH_FILES, WELL_KNOWN_FILE } from '../../server/headers.ts'
import { type PageConfig, shippedHeaders, embedConfig } from '../../server/pageConfig.ts'
import { createPageServer, INDEX_PAGE } from '../../server/pages.ts'
import type { WebServer } from '../../server/webServer.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a route of a page's file. Metrics count all these routes as one. */
    isPage?: true
  }
}

const NEEDED = ['taskpane.html', 'launch.html', INDEX_PAGE, ...ALL_LAUNCH_FILES]

/**
 * Adds a route for each file in the output of `npm run build`, with the headers and settings of this installation.
 * Files that are added later are not served.
 *
 * @param publicUrl the origin of the pages
 * @throws Error when the folder has no pages
 */
export async function addPages(
  app: WebServer,
  { folder, config, publicUrl }: Readonly<{ folder: string; config: PageConfig; publicUrl: string }>,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const missing = NEEDED.filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw new Error(`${folder} lacks ${missing.join(', ')}; npm run build makes the pages.`)

  const headers = shippedHeaders(config, publicUrl.startsWith('https:'))
  const serve = createPageServer({
    folders: [folder],
    index: INDEX_PAGE,
    headersOf: (page) => headers[page] ?? {},
    transform: (name, content) => embedConfig(name, content, config),
  })
  const paths = names.flatMap((name) =>
    name === ADMINISTRATION_PAGE ? [`/${name}`, '/administration'] : [`/${name}`],
  )
  for (const url of ['/', ...paths]) {
    app.get(url, {
      config: { isPage: true },
      handler: (request, reply) => {
        reply.hijack()
        reply.raw.setHeader('X-Request-Id', request.id)
        serve(request.raw, reply.raw)
      },
    })
  }
  app.get(`/${WELL_KNOWN_FILE}`, {
    config: { isPage: true },
    handler: async (_, reply) =>
      reply
        .headers({ ...fileHeaders(WELL_KNOWN_FILE), 'Content-Type': 'application/json; charset=utf-8' })
        .send(JSON.stringify({ allowed: ALL_LAUNCH_FILES.map((name) => `${publicUrl}/${name}`) })),
  })
}
