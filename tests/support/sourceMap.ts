import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping'

/** A built file and its source map. */
export type Built = Readonly<{ code: string; map: string }>

/** The pieces of a built file in order, each with its module; null for code without a module, such as the bundler's. */
export function* piecesOf({ code, map }: Built): Generator<readonly [module: string | null, text: string]> {
  const traced = new TraceMap(map)
  const lines = code.split('\n')
  for (const [row, segments] of decodedMappings(traced).entries()) {
    const line = lines[row] ?? ''
    yield [null, line.slice(0, segments[0]?.[0])]
    for (const [index, segment] of segments.entries())
      yield [
        segment.length === 1 ? null : (traced.sources[segment[1]] ?? null),
        line.slice(segment[0], segments[index + 1]?.[0]),
      ]
  }
}
