import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TraceMap, originalPositionFor } from '@jridgewell/trace-mapping'
import { featuresAbove, namesInFloor, readFloor } from './floor/features.ts'
import { GUARDED_USES } from './floor/guarded.ts'
import { type BuiltFile, featureUsesIn } from './floor/scan.ts'
import { usesInStyleSheet } from './floor/styleSheet.ts'
import { ALL_LAUNCH_FILES } from '../server/headers.ts'
import { SHIPPED_GROUPS } from './groups.ts'
import { freshProductionBuild } from './production.ts'
import { buildWithProgress } from './terminal.ts'

// npm run floor: builds the shipped add-in and finds features that a browser in `browserslist` (package.json) lacks.

const { www, maps: mapFolder } = await buildWithProgress(SHIPPED_GROUPS, freshProductionBuild)
const filesOf = async (extension: string): Promise<readonly BuiltFile[]> =>
  Promise.all(
    (await readdir(www))
      // launch.js is left out because it has a lower floor. tests/launch/bareFile.unit.test.ts runs it at that floor.
      .filter((name) => name.endsWith(extension) && !ALL_LAUNCH_FILES.includes(name))
      .map(async (name) => ({ name, text: await readFile(join(www, name), 'utf8') })),
  )

const floor = readFloor()
const above = featuresAbove(floor)
const known = namesInFloor(floor)
const uses = [
  ...featureUsesIn(await filesOf('.js'), above, (name) => known.has(name)),
  ...(await filesOf('.css')).flatMap((sheet) => usesInStyleSheet(sheet, above)),
]

const maps = new Map<string, TraceMap>()
const mapOf = async (file: string): Promise<TraceMap> => {
  const map = maps.get(file) ?? new TraceMap(await readFile(join(mapFolder, `${file}.map`), 'utf8'))
  maps.set(file, map)
  return map
}
const problems = new Set<string>()
const guarded = Object.entries(GUARDED_USES).flatMap(([source, features]) =>
  Object.keys(features).map((feature) => ({ source, feature })),
)
const unused = new Set(guarded)
for (const { feature, file, line, column, says } of uses) {
  const { source, line: origin } = originalPositionFor(await mapOf(file), { line, column })
  const guard = guarded.find((each) => each.feature === feature.path && source?.startsWith(each.source))
  if (guard) unused.delete(guard)
  else
    problems.add(`${source ?? file}:${origin ?? line}: ${says}\n  ${feature.lackedBy} has no ${feature.path}`)
}
for (const { feature, source } of unused)
  problems.add(`${source} uses no ${feature}: delete its entry in guarded.ts`)

for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.size > 0) process.exitCode = 1
