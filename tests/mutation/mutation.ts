import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import ts from 'typescript'
import { table } from '../bench/figures.ts'
import { AREA_VARIABLE, type AreaName, AREAS, RUNS_ELSEWHERE } from './areas.ts'
import { openTypes } from './types.ts'

// Changes the code in one place at a time, and runs the tests that reach that place: a change that no test notices, and
// no type, survives. `npm run mutation` takes every file, folder by folder. With `--lines 300 --seed 1`, 300 lines that the
// seed chooses among all, area by area; with paths, these only. An interrupted run goes on where it was.

const ROOT = join(import.meta.dirname, '../..')
const CACHE = 'node_modules/.cache/mutation'

/** A longer piece of code is divided before the seed chooses. */
const MAX_PIECE_LINES = 8

type Mutant = Readonly<{ place: string; status: string; mutator: string; replacement: string }>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: 'string' }, seed: { type: 'string', default: '1' } },
})

/** The TypeScript files under a folder, from the repository's root. */
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file.split(sep).join('/')}`)
    .sort()

const isIn = (file: string, paths: readonly string[]) =>
  paths.some((path) => file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`))

const areaNames = Object.keys(AREAS) as AreaName[]
/** The first area that has the file. */
const areaOf = (file: string): AreaName | undefined => areaNames.find((name) => isIn(file, AREAS[name].code))

const files = ['streams', 'effects', 'views', 'src']
  .flatMap(filesIn)
  .filter((file) => areaOf(file) !== undefined && !isIn(file, RUNS_ELSEWHERE))
  .filter((file) => positionals.length === 0 || positionals.some((path) => file.startsWith(path)))
if (files.length === 0) throw new Error('No file to mutate: what ships is named in tests/mutation/areas.ts')

/** Every number below 1 by the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Piece = Readonly<{ range: string; lines: number }>

/** The statements of a file, and the parts of long ones, as ranges for Stryker: `file:line:column-line:column`. */
function piecesOf(file: string): readonly Piece[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const pieces: Piece[] = []
  const take = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    const from = source.getLineAndCharacterOfPosition(node.getStart(source))
    const to = source.getLineAndCharacterOfPosition(node.end)
    const lines = to.line - from.line + 1
    if (lines > MAX_PIECE_LINES) {
      node.forEachChild(take)
      return
    }
    const range = `${file}:${from.line + 1}:${from.character}-${to.line + 1}:${to.character}`
    pieces.push({ range, lines })
  }
  source.statements.forEach(take)
  return pieces
}

/** Pieces with this many lines together, chosen by the seed. */
function samplePieces(lines: number, seed: number): readonly string[] {
  const random = createRandom(seed)
  const shuffled = files
    .flatMap(piecesOf)
    .map((piece) => ({ piece, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
  const chosen: string[] = []
  let taken = 0
  for (const { piece } of shuffled) {
    if (taken >= lines) break
    taken += piece.lines
    chosen.push(piece.range)
  }
  return chosen
}

const hashOf = (paths: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex').slice(0, 16)
}

/** What Stryker says of a mutant that no test notices. */
const UNNOTICED: readonly string[] = ['Survived', 'NoCoverage']

/** Runs the tests over each mutant of these files or ranges. `incremental` is the file with the results of last time. */
async function mutate(
  area: AreaName,
  ranges: readonly string[],
  incremental: string | null,
): Promise<readonly Mutant[]> {
  process.env[AREA_VARIABLE] = area
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // The runner's own option: every test may reach every file through the whole application.
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // A mutant that runs when a file is loaded would need all tests.
    ignoreStatic: true,
    concurrency: 2,
    // A machine that is busy must neither stop a run nor count as having noticed a change.
    dryRunTimeoutMinutes: 60,
    timeoutFactor: 3,
    timeoutMS: 20_000,
    mutate: [...ranges],
    incremental: incremental !== null,
    incrementalFile: incremental ?? 'unused.json',
    ignorePatterns: ['dist', '.signet', 'docs/pictures'],
    reporters: ['progress-append-only'],
    allowEmpty: true,
  }).runMutationTest()
  const hasMistake = openTypes(ROOT)
  return results.map(({ fileName, location, status, mutatorName, replacement }) => {
    const file = relative(ROOT, fileName).split(sep).join('/')
    const isRefused = UNNOTICED.includes(status) && hasMistake({ file, ...location, replacement })
    return {
      place: `${file}:${location.start.line}:${location.start.column}`,
      status: isRefused ? 'Refused' : status,
      mutator: mutatorName,
      replacement: replacement.replace(/\s+/g, ' ').slice(0, 80),
    }
  })
}

/** The folder of a file: a domain of the streams, or a part of a program. */
const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/')

/** The results in a file of the cache, else those of a run, which are written there. */
async function keptOr(name: string, run: () => Promise<readonly Mutant[]>): Promise<readonly Mutant[]> {
  mkdirSync(join(ROOT, CACHE), { recursive: true })
  const kept = join(ROOT, CACHE, name)
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as readonly Mutant[]
  const mutants = await run()
  writeFileSync(kept, JSON.stringify(mutants))
  return mutants
}

async function mutateAll(): Promise<readonly Mutant[]> {
  const tests = hashOf(filesIn('tests'))
  const all: Mutant[] = []
  for (const folder of new Set(files.map(folderOf))) {
    const inFolder = files.filter((file) => folderOf(file) === folder)
    const name = folder.replaceAll('/', '-')
    const mutants = await keptOr(`${name}.${tests}.${hashOf(inFolder)}.json`, () =>
      mutate(areaOf(folder) ?? 'pane', inFolder, `${CACHE}/${name}.incremental.json`),
    )
    all.push(...mutants)
  }
  return all
}

const isKilled = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout'
/** `npm run check` fails. */
const isRefused = ({ status }: Mutant) => status === 'Refused'
const isUnnoticed = ({ status }: Mutant) => UNNOTICED.includes(status)

function report(mutants: readonly Mutant[]): string {
  const row = (name: string, some: readonly Mutant[]) => {
    const killed = some.filter(isKilled).length
    const refused = some.filter(isRefused).length
    const all = killed + refused + some.filter(isUnnoticed).length
    const score = all === 0 ? '' : `${((100 * (killed + refused)) / all).toFixed(1)} %`
    return [name, String(all), String(killed), String(refused), score]
  }
  const folders = [...new Set(mutants.map(({ place }) => folderOf(place)))].sort()
  const rows = folders.map((folder) =>
    row(
      folder,
      mutants.filter(({ place }) => folderOf(place) === folder),
    ),
  )
  const survivors = mutants
    .filter(isUnnoticed)
    .map(({ place, mutator, replacement, status }) => `- ${place} ${mutator} (${status}): ${replacement}`)
  const how = values.lines ? `, ${values.lines} lines by seed ${values.seed}` : ''
  return [
    table(
      `Mutants noticed${how}`,
      ['', 'mutants', 'by a test', 'by types', 'share'],
      [...rows, row('together', mutants)],
    ),
    '',
    'Survivors:',
    ...survivors,
  ].join('\n')
}

/** One run for each area that has some of the lines. */
async function mutateSample(lines: number, seed: number): Promise<readonly Mutant[]> {
  const ranges = samplePieces(lines, seed)
  const state = `${hashOf(filesIn('tests'))}.${hashOf(files)}`
  const all: Mutant[] = []
  for (const area of areaNames) {
    const inArea = ranges.filter((range) => areaOf(range.split(':', 1)[0] ?? '') === area)
    if (inArea.length === 0) continue
    const name = `${String(lines)}-by-${String(seed)}-${area}.${state}.json`
    const mutants = await keptOr(name, () => mutate(area, inArea, null))
    console.log(report(mutants))
    all.push(...mutants)
  }
  return all
}

console.log(
  report(values.lines ? await mutateSample(Number(values.lines), Number(values.seed)) : await mutateAll()),
)
