import { readFileSync } from 'node:fs'

/** The version of Signet, from the package.json two folders above, both in a clone and in an image. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Readonly<{ version: string }>
