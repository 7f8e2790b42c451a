import { gzipSync } from 'node:zlib'
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping'
import { expect } from 'vitest'

/** A built file, and its source map. */
type Built = Readonly<{ code: string; map: string }>

/** In bytes; `plain` is left out where only what goes over the wire counts. */
type Budget = Readonly<{ plain?: number; gzip: number }>

/** From here on a budget is nearly full. */
const NEARLY_FULL = 0.97
const ROWS = 40

/** How many characters each module has in these files, the largest first. Code of no module is the bundler's. */
function sizesByModule(files: readonly Built[]): readonly (readonly [module: string, characters: number])[] {
  const sizes = new Map<string, number>()
  for (const { code, map } of files) {
    const traced = new TraceMap(map)
    const lines = code.split('\n')
    decodedMappings(traced).forEach((segments, row) =>
      segments.forEach((segment, index) => {
        const end = segments[index + 1]?.[0] ?? lines[row]?.length ?? 0
        const source = segment.length === 1 ? undefined : traced.sources[segment[1]]
        const module = source ?? 'the bundler'
        sizes.set(module, (sizes.get(module) ?? 0) + Math.max(0, end - segment[0]))
      }),
    )
  }
  return [...sizes].sort(([, a], [, b]) => b - a)
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
