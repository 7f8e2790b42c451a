/**
 * Does with the bundler's native resolver what `@parcel/node-resolver-core` does at the start of a build: asks resolvers,
 * and drops them before they answer. Prints how many answers were right.
 *
 *     node --expose-gc --import tsx tests/build/droppedResolvers.ts [--unheld]
 *
 * With `--unheld`, `src/build/mendedBundler.ts` is left out: the process then dies by a signal, or never ends.
 */
import { join } from 'node:path'
import { Resolver } from '@parcel/rust'

const ROUNDS = 40
const RESOLVERS = 20
const NAMES = [
  'rxjs',
  'react',
  'react-dom',
  'dompurify',
  'i18next',
  'valibot',
  'parse5',
  'fflate',
  'jose',
  'yaml',
]
const PROJECT = join(import.meta.dirname, '../..')

if (!process.argv.includes('--unheld')) await import('../../src/build/mendedBundler.ts')

const ask = (name: string): Promise<{ resolution?: { type: string } }> => {
  // As the bundler makes one for a browser: `src/…/Wrapper.js` of the resolver package has the numbers.
  const resolver = new Resolver(PROJECT, {
    mode: 1,
    includeNodeModules: true,
    entries: 15,
    conditions: 0,
    packageExports: true,
    extensions: ['ts', 'js'],
  })
  return resolver.resolveAsync({
    filename: name,
    specifierType: 'esm',
    parent: join(PROJECT, 'index'),
  }) as never
}

let right = 0
for (let round = 0; round < ROUNDS; round++) {
  const answers = NAMES.flatMap((name) => Array.from({ length: RESOLVERS }, () => ask(name)))
  globalThis.gc?.()
  for (const { resolution } of await Promise.all(answers)) if (resolution?.type === 'Path') right += 1
}
process.stdout.write(`${String(right)} of ${String(ROUNDS * RESOLVERS * NAMES.length)}\n`)
