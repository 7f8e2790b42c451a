/**
 * Runs this project's TypeScript programs from JavaScript that is compiled once. A build's name is a digest of the
 * sources, so unchanged sources are not compiled again. This file needs no package unless it has to compile.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL, URL } from 'node:url'
import { deleteOldBuilds, useBuild } from './keptBuilds.mjs'

const PROJECT = join(import.meta.dirname, '../..')
/** The folder of the builds. `npm ci` does not empty it, and the container image includes it. */
const BUILDS = join(PROJECT, 'dist/programs')
/** The oldest supported version of Node, from package.json. */
const TARGET = 'node20.19'

const slashed = (path) => path.replaceAll(sep, '/')
const flat = (program) => program.replaceAll('/', '.').replace(/\.ts$/, '')

/** @returns {Readonly<{ shipped: readonly string[], development: readonly string[] }>} */
export const readPrograms = () => JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).programs

/**
 * Runs a program in this process, with its command-line arguments in `process.argv` from the third on.
 *
 * @param {string} program its path below the project, with slashes
 */
export async function runProgram(program) {
  let entry
  try {
    entry = await compiledEntry(program)
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exit(1)
  }
  nameSources(dirname(entry))
  process.argv[1] = join(PROJECT, program)
  await import(pathToFileURL(entry).href)
}

/**
 * Returns the path of a program's compiled file; compiles the program if there is no build. Records that this process
 * uses the build.
 */
async function compiledEntry(program) {
  const { shipped, development } = readPrograms()
  const all = [...shipped, ...development]
  // A program not listed in package.json belongs to the tests, and is compiled separately.
  const isListed = all.includes(program)
  // The listed programs import nothing from `effects`, and the image does not contain that folder.
  const sources = readSources(isListed ? ['streams', 'src'] : ['streams', 'effects', 'src', 'tests'])
  const builds = join(BUILDS, isListed ? 'signet' : flat(program))
  const folder = join(builds, sources.digest)
  const entry = join(folder, `${flat(program)}.js`)
  if (!useBuild(folder, entry)) {
    await compile(isListed ? all : [program], builds, folder, sources.files)
    if (!useBuild(folder, entry)) throw new Error(`${folder} was deleted while it was compiled. Try again.`)
  }
  return entry
}

/** The files from which a program may be compiled, and a digest of their names and content. */
function readSources(folders) {
  const digest = createHash('sha256').update(readFileSync(join(PROJECT, 'package.json')))
  const files = new Set()
  for (const folder of folders) {
    const names = existsSync(join(PROJECT, folder))
      ? readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
      : []
    for (const name of names.filter((each) => /\.(ts|mjs)$/.test(each)).sort()) {
      const file = `${folder}/${slashed(name)}`
      const content = readFileSync(join(PROJECT, file))
      // The digest includes the length because otherwise text could move from one file to the next unnoticed.
      digest.update(`\n${file} ${String(content.length)}\n`).update(content)
      files.add(file)
    }
  }
  return { digest: digest.digest('hex').slice(0, 32), files }
}

/**
 * Compiles programs into a temporary folder and renames it when complete, so an interrupted build is never used. If two
 * processes compile at once, the second keeps the first one's build.
 */
async function compile(programs, builds, folder, sources) {
  const partial = join(builds, `.partial.${String(process.pid)}`)
  try {
    mkdirSync(builds, { recursive: true })
    rmSync(partial, { recursive: true, force: true })
    mkdirSync(partial)
  } catch (error) {
    throw new Error(
      `The programs are not compiled for these sources, and ${relative(PROJECT, builds)} cannot be written ` +
        `(${String(error.code)}). Run "npm run build" as a user who may write there.`,
      { cause: error },
    )
  }
  try {
    const esbuild = await import('esbuild')
    const { metafile } = await esbuild.build({
      absWorkingDir: PROJECT,
      entryPoints: programs.map((program) => ({ in: program, out: flat(program) })),
      outdir: partial,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: TARGET,
      packages: 'external',
      sourcemap: 'linked',
      sourcesContent: false,
      metafile: true,
      logLevel: 'silent',
      // The options are set here because the image does not contain tsconfig.json.
      tsconfigRaw: { compilerOptions: { target: 'ES2022', verbatimModuleSyntax: true } },
      plugins: [sourcePlaces],
      banner: { js: BANNER },
    })
    await esbuild.stop()
    const foreign = Object.keys(metafile.inputs).find((file) => !sources.has(file))
    if (foreign !== undefined)
      throw new Error(`${foreign} is compiled, but a change of it would not be noticed.`)
    try {
      renameSync(partial, folder)
    } catch (error) {
      if (!existsSync(folder)) throw error
    }
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  deleteOldBuilds(builds, folder)
}

/** Code for the top of each compiled file. It finds the path of a source, even after the project was moved. */
const BANNER =
  "import { fileURLToPath as signetPathOf } from 'node:url'; " +
  'const signetSource = (file) => new URL(`../../../../${file}`, import.meta.url);'

/** Makes `import.meta` refer to the source instead of the compiled file. */
const sourcePlaces = {
  name: 'source-places',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = slashed(relative(PROJECT, path))
      const contents = readFileSync(path, 'utf8').replace(/\bimport\.meta\.(\w+)/g, (_, name) => {
        if (name === 'url') return `signetSource(${JSON.stringify(file)}).href`
        if (name === 'filename') return `signetPathOf(signetSource(${JSON.stringify(file)}))`
        if (name === 'dirname') return `signetPathOf(signetSource(${JSON.stringify(dirname(file))}))`
        throw new Error(`${file}: import.meta.${name} is not there in a compiled program.`)
      })
      return { contents, loader: 'ts' }
    })
  },
}

/**
 * Makes stack traces show the TypeScript source and its line. Node's own option would also read every package's source
 * maps at load. This function reads the project's source map when a stack trace first needs it.
 */
function nameSources(folder) {
  const prefix = pathToFileURL(folder).href
  const maps = new Map()
  const mapOf = (file) => {
    if (!maps.has(file)) maps.set(file, new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))))
    return maps.get(file)
  }
  const named = (place, url, line, column) => {
    if (!url.startsWith(prefix)) return place
    try {
      const file = fileURLToPath(url)
      const { originalSource, originalLine, originalColumn } = mapOf(file).findEntry(line - 1, column - 1)
      return originalSource === undefined
        ? place
        : `${new URL(originalSource, url).href}:${String(originalLine + 1)}:${String(originalColumn + 1)}`
    } catch {
      return place
    }
  }
  Error.prepareStackTrace = (error, frames) =>
    [headOf(error), ...frames.map((frame) => `    at ${String(frame)}`)]
      .join('\n')
      .replace(/(file:\/\/[^\s()]+?):(\d+):(\d+)/g, (place, url, line, column) =>
        named(place, url, Number(line), Number(column)),
      )
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error'
  }
}

const sentenceOf = (error) => (error instanceof Error ? error.message : String(error))
