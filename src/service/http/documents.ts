/** Serves the documentation pages that administrators need, as plain text. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileHeaders } from '../../server/headers.ts'
import type { WebServer } from '../../server/webServer.ts'

/** The served files of `docs`, without `.md`. No other file in the folder is served. */
const DOCUMENTS = [
  'administrator',
  'announcement',
  'directory',
  'operations',
  'pages-elsewhere',
  'privacy',
  'run-the-service',
  'sign-in',
  'signatures-as-a-folder',
  'try-each-client',
  'user',
] as const

/** Inserted below the title of the privacy page while the organisation counts clicks. */
const COUNTING =
  '> **The service that sent you this page counts clicks** on links of banners and other blocks of signatures, ' +
  'by day and block, without people. These links pass through it. See “Clicks on banners” below.'

/**
 * Adds a route for each document in the folder. Fixed paths ensure that no request leaves the folder.
 *
 * @param isCounting whether the organisation counts clicks now, which the privacy page mentions
 */
export async function addDocuments(
  app: WebServer,
  isCounting: () => boolean,
  folder = resolve('docs'),
): Promise<void> {
  for (const name of DOCUMENTS) {
    const file = `${name}.md`
    const text = await readFile(join(folder, file), 'utf8').catch(() => null)
    if (text === null) continue
    app.get(`/docs/${file}`, {
      config: { isPage: true },
      handler: async (_, reply) =>
        reply
          .headers({
            ...fileHeaders(file),
            'Content-Type': 'text/plain; charset=utf-8',
            'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
          })
          .send(name === 'privacy' && isCounting() ? text.replace('\n', `\n\n${COUNTING}\n`) : text),
    })
  }
}
