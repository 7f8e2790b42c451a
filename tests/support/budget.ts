import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { type Built, piecesOf } from './sourceMap.ts'

/** In bytes; `plain` is left out where only what goes over the wire counts. */
type Budget = Readonly<{ plain?: number; gzip: number }>

/** From here on a budget is nearly full. */
const NEARLY_FULL = 0.97
const ROWS = 40

/** How many characters each module has in these files, the largest first. */
function sizesByModule(files: readonly Built[]): readonly (readonly [module: string, characters: number])[] {
  const sizes = new Map<string, number>()
  for (const file of files)
    for (const [module, text] of piecesOf(file)) {
      const name = module ?? 'the bundler'
      sizes.set(name, (sizes.get(name) ?? 0) + text.length)
    }
  return [...sizes].filter(([, size]) => size > 0).sort(([, a], [, b]) => b - a)
}

/**
 * Expects files to stay within a budget, each compressed by itself. Names the largest modules when they do not, and
 * says so from 97 % on.
 */
export function expectWithin(name: string, files: readonly Built[], { plain, gzip }: Budget): void {
  const sizes = [
    ...(plain === undefined
      ? []
      : [['plain', files.reduce((sum, { code }) => sum + code.length, 0), plain] as const]),
    ['gzip', files.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0), gzip] as const,
  ]
  const over = sizes.filter(([, size, limit]) => size > limit)
  const full = sizes.map(
    ([kind, size, limit]) =>
      `${kind} ${String(size)} of ${String(limit)} (${((100 * size) / limit).toFixed(1)} %)`,
  )
  const modules = () =>
    sizesByModule(files)
      .slice(0, ROWS)
      .map(([module, size]) => `${String(size).padStart(7)} ${module}`)
  expect(over.length, over.length === 0 ? '' : [`${name}: ${full.join(', ')}`, ...modules()].join('\n')).toBe(
    0,
  )
  if (sizes.some(([, size, limit]) => size >= NEARLY_FULL * limit))
    process.stderr.write(`The budget of ${name} is nearly full: ${full.join(', ')}.\n`)
}
