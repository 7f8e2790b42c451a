import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('resolvers that the bundler drops live until they have answered', async () => {
  const program = join(import.meta.dirname, 'droppedResolvers.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '--import', 'tsx', program])
  expect(stdout).toBe('8000 of 8000\n')
})
