import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ADVICE, expectWithin } from './sizeGuard.ts'

// One line with ten characters from each of two modules.
const code = 'aaaaaaaaaabbbbbbbbbb'
const map = JSON.stringify({
  version: 3,
  names: [],
  sources: ['streams/a.ts', 'views/b.ts'],
  mappings: 'AAAA,UCAA',
})

test('a guard that is hit says what to do, and names the modules, the largest first', () => {
  const longer = { code: `${code}bb`, map }
  expect(() => {
    expectWithin('the file', [longer], { plain: 20, gzip: 1_000 })
  }).toThrow(/the file: plain 22 of 20 bytes, [^]*12 views\/b\.ts\n +10 streams\/a\.ts/)
  expect(() => {
    expectWithin('the file', [longer], { gzip: 5 })
  }).toThrow(ADVICE)
})

test('files within their limits pass, each compressed by itself', () => {
  expectWithin('the files', [{ code, map }], { plain: 20, gzip: 1_000 })
  const alone = gzipSync(code, { level: 9 }).length
  const two = [1, 2].map(() => ({ code, map }))
  expectWithin('the files', two, { plain: 40, gzip: 2 * alone })
  expect(() => {
    expectWithin('the files', two, { plain: 40, gzip: 2 * alone - 1 })
  }).toThrow('the files: plain 40 of 40 bytes')
})
