import { readFileSync } from 'node:fs'

/** The version of Signet, from package.json, which is two folders above in the clone and in an image. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Readonly<{ version: string }>
