import { join } from 'node:path'

/**
 * The arguments with which `process.execPath` runs a program of this project as another process.
 *
 * @param program its path below the project; one that package.json does not list is compiled by itself
 */
export const programArguments = (program: string, ...args: readonly string[]): string[] => [
  join(import.meta.dirname, '../..', 'src/programs/child.mjs'),
  program,
  ...args,
]
