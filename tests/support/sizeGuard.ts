import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { type Built, piecesOf } from './sourceMap.ts'

/** Sizes in bytes; `plain` is left out where only what goes over the wire counts. */
type Limits = Readonly<{ plain?: number; gzip: number }>

/**
 * JavaScript before the first signature. A guard against accidents: what a person waits for is measured by
 * `npm run bench -- start`.
 */
export const FIRST_LOAD: Limits = { gzip: 105_000 }
/** A file of launch events, likewise. */
export const LAUNCH_FILES: Limits = { plain: 180_000, gzip: 64_000 }

/** What to do when a guard is hit. */
export const ADVICE = 'Find what came in by mistake; never rewrite a package for it.'

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

/** Expects files to stay within the limits, each compressed by itself. A failure names the largest modules. */
export function expectWithin(name: string, files: readonly Built[], { plain, gzip }: Limits): void {
  const sizes = [
    ...(plain === undefined
      ? []
      : [['plain', files.reduce((sum, { code }) => sum + code.length, 0), plain] as const]),
    ['gzip', files.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0), gzip] as const,
  ]
  if (sizes.every(([, size, limit]) => size <= limit)) return
  const said = sizes.map(([kind, size, limit]) => `${kind} ${String(size)} of ${String(limit)} bytes`)
  const modules = sizesByModule(files)
    .slice(0, ROWS)
    .map(([module, size]) => `${String(size).padStart(7)} ${module}`)
  expect.fail([`${name}: ${said.join(', ')}. ${ADVICE}`, ...modules].join('\n'))
}
