import { join } from 'node:path'

/**
 * The arguments for `process.execPath` that run one of this project's programs in another process.
 *
 * @param program its path below the project; a program not listed in package.json is compiled separately
 */
export const programArguments = (program: string, ...args: readonly string[]): string[] => [
  join(import.meta.dirname, '../..', 'src/programs/child.mjs'),
  program,
  ...args,
]
