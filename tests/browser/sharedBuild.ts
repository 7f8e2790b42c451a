import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildOptions } from '../../src/build/bundle.ts'
import { freshPages } from '../../src/build/freshPages.ts'

/** No other URL in a page contains these ports. */
const FIRST_PLACEHOLDER_PORT = 10_001

/** The hosts on this machine that the values name, each once: `localhost:4401`. */
const hostsIn = (environment: BuildOptions['environment']): readonly string[] => [
  ...new Set(Object.values(environment).flatMap((value) => value.match(/\blocalhost:\d+/g) ?? [])),
]

/**
 * Builds the same pages once for several playgrounds. Pages contain the addresses of their servers, so the build has
 * placeholders, and each caller gets a copy with its own addresses. Until a source changes, the build
 * stays in `folder` for the next run.
 */
export function createSharedBuild(
  folder: string,
  build: (options: BuildOptions) => Promise<void> = (options) => freshPages(options),
): (options: BuildOptions) => Promise<void> {
  let building: Promise<void> | null = null
  return async (options) => {
    const hosts = hostsIn(options.environment)
    const placeholders = hosts.map((_, index) => `localhost:${String(FIRST_PLACEHOLDER_PORT + index)}`)
    const replaceAll = (text: string, from: readonly string[], to: readonly string[]) =>
      from.reduce((replaced, each, index) => replaced.replaceAll(each, to[index] ?? each), text)
    const environment = Object.fromEntries(
      Object.entries(options.environment).map(([name, value]) => [
        name,
        replaceAll(value, hosts, placeholders),
      ]),
    )
    building ??= build({ ...options, environment, folder })
    await building
    await rm(options.folder, { recursive: true, force: true })
    await cp(folder, options.folder, { recursive: true })
    for (const name of await readdir(folder)) {
      if (!/\.(?:js|html)$/.test(name)) continue
      const text = await readFile(join(folder, name), 'utf8')
      await writeFile(join(options.folder, name), replaceAll(text, placeholders, hosts))
    }
  }
}
