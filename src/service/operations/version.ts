import { readFileSync } from 'node:fs'

/** The version of Signet, from the package.json in the root folder of the clone or image. */
export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as Readonly<{ version: string }>
