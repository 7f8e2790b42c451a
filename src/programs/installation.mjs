/** Installs the packages in package-lock.json if needed. This file needs no package. */
import { spawn } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers'
import { takeLock } from './lock.mjs'

const PROJECT = join(import.meta.dirname, '../..')
const MODULES = join(PROJECT, 'node_modules')
/** npm's list of the installed packages, which it writes last. */
const INSTALLED = join(MODULES, '.package-lock.json')
/** The lock file, with the id of the installing process. */
const LOCK = join(PROJECT, 'dist/installing')
/** How long npm may take to end after Ctrl-C, in milliseconds. */
const END_LIMIT_MS = 800

/**
 * Installs the packages if a needed one is missing or differs from the lock file. Without a lock file, as in an image,
 * accepts the packages as installed. If the installation fails, prints a sentence and exits with code 1.
 *
 * @param {'all' | 'shipped'} needed `shipped`: development packages may be missing, and are not installed
 */
export async function ensureInstalled(needed) {
  if (missingPackage(needed) === null) return
  try {
    const { unlock } = await takeLock(LOCK)
    process.once('exit', unlock)
    try {
      // Another process may have installed the packages meanwhile.
      if (missingPackage(needed) !== null) await install(needed)
    } finally {
      process.off('exit', unlock)
      unlock()
    }
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** The path of a package that is missing or differs from the lock file; null if there is none. */
function missingPackage(needed) {
  const file = join(PROJECT, 'package-lock.json')
  if (!existsSync(file)) return null
  const lock = packagesOf(file)
  // The lock file cannot be read, so npm is started to report the file's problem.
  if (lock === null) return 'package-lock.json'
  const installed = packagesOf(INSTALLED)
  if (installed === null) return 'node_modules'
  const isMissing = ([path, entry]) => {
    const { version, integrity } = entry
    const { optional, dev, devOptional } = purposeOf(lock, entry)
    // npm leaves out optional packages for other platforms, so they may be missing.
    if (path === '' || optional || (needed === 'shipped' && (dev || devOptional))) return false
    const found = installed[path]
    if (found === undefined || found.version !== version) return true
    if (integrity !== undefined && found.integrity !== undefined && found.integrity !== integrity) return true
    // Also checks that the package exists, because the list still contains packages that are being deleted.
    return !existsSync(join(PROJECT, path, 'package.json'))
  }
  return Object.entries(lock).find(isMissing)?.[0] ?? null
}

/** The entry that marks a package as optional or for development. For a link, this is the linked folder's entry. */
const purposeOf = (packages, entry) => (entry.link ? (packages[entry.resolved] ?? entry) : entry)

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return null
  }
}

async function install(needed) {
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(
      'node_modules is a link to another folder: install the packages there, or remove the link.',
    )
  const isProduction = needed === 'shipped' && hasNoDevelopment()
  process.stderr.write('Installing packages as the lock file says …\n')
  // The list is deleted first, so that an installation interrupted after this point counts as missing.
  rmSync(INSTALLED, { force: true })
  const { ended, output } = await runNpm([
    ...['ci', '--no-audit', '--no-fund', '--loglevel=warn', isProduction ? '--omit=dev' : '--include=dev'],
  ])
  if (ended !== 'code 0')
    throw new Error(
      `${output.trim()}\nThe packages could not be installed: npm ci ended with ${ended}. ` +
        'It says why above; run the command again when that is mended.',
    )
  const missing = missingPackage(needed)
  if (missing !== null) throw new Error(`npm ci has ended, and ${missing} is not as the lock file says.`)
}

/** Whether the existing installation has no development packages. If so, the next one leaves them out too. */
function hasNoDevelopment() {
  const installed = packagesOf(INSTALLED)
  return installed === null
    ? process.env['NODE_ENV'] === 'production'
    : !Object.entries(installed).some(
        ([path, entry]) => path.startsWith('node_modules/') && purposeOf(installed, entry).dev,
      )
}

/** Resolves with npm's exit and its output, which is shown only if npm fails. */
function runNpm(args) {
  // npm sets this variable to its own path. It is unset under `node src/cli/signet.mjs`, so `PATH` is searched.
  const own = process.env['npm_execpath'] ?? ''
  const isWindows = process.platform === 'win32'
  // npm gets its own process group, which is ended as a whole; ending only npm would leave package scripts running.
  const options = { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'], detached: !isWindows }
  const npm = /^npm-cli\.c?js$/.test(basename(own))
    ? spawn(process.execPath, [own, ...args], options)
    : // On Windows, npm is a shell script.
      spawn('npm', args, { ...options, shell: isWindows })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  let interrupted = null
  const kill = (signal) => {
    if (isWindows) npm.kill(signal)
    else process.kill(-npm.pid, signal)
  }
  const interrupt = (signal) => {
    interrupted = signal
    kill(signal)
    setTimeout(() => kill('SIGKILL'), END_LIMIT_MS)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, interrupt)
  return new Promise((resolve, reject) => {
    npm.on('error', () =>
      reject(new Error('The packages could not be installed: npm was not found. It comes with Node.')),
    )
    npm.on('exit', (code, signal) => {
      // After Ctrl-C this does not wait for `close`, because a process started by npm may keep npm's output open.
      if (interrupted !== null) process.exit(128 + constants.signals[interrupted])
      for (const each of signals) process.off(each, interrupt)
      npm.on('close', () => resolve({ ended: signal ?? `code ${String(code)}`, output }))
    })
  })
}
