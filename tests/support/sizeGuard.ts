import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { type Built, piecesOf } from './sourceMap.ts'

/** Sizes in bytes; `plain` is missing if only the compressed size counts. */
type Limits = Readonly<{ plain?: number; gzip: number }>

/**
 * JavaScript before the first signature. This only guards against accidents; `npm run bench -- start` measures the
 * user's wait.
 */
export const FIRST_LOAD: Limits = { gzip: 107_000 }
/** The limits for a launch event file. */
export const LAUNCH_FILES: Limits = { plain: 186_000, gzip: 68_000 }

/** Advice for a failing guard. */
export const ADVICE = 'Find what came in by mistake; never rewrite a package for it.'

const ROWS = 40

/** Each module's number of characters in these files, largest first. */
function sizesByModule(files: readonly Built[]): readonly (readonly [module: string, characters: number])[] {
  const sizes = new Map<string, number>()
  for (const file of files)
    for (const [module, text] of piecesOf(file)) {
      const name = module ?? 'the bundler'
      sizes.set(name, (sizes.get(name) ?? 0) + text.length)
    }
  return [...sizes].filter(([, size]) => size > 0).sort(([, a], [, b]) => b - a)
}

/** Expects files to stay within the limits, each compressed separately. A failure names the largest modules. */
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
