import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/**
 * Microsoft's client library as the npm registry has it: 12 MB, under a licence that allows developing and testing
 * with it and forbids to publish or change it. So it is fetched where it is needed, kept as it came, and ignored by
 * git.
 */
export const OFFICE_LIBRARY = {
  name: '@microsoft/office-js',
  version: '1.1.110',
  integrity:
    'sha512-80nZ3gGUq6Fb22sX8tBdktfulM7uYnrdQu32bpsb3waTeKoakc+j6H6+L21xRV4plDBrufnRMVH3ULMt/06Jwg==',
} as const

/** What npm names the file. */
const FILE = `microsoft-office-js-${OFFICE_LIBRARY.version}.tgz`
/** What Outlook on the web needs of the 90 MB in it. */
const SERVED =
  /^package\/dist\/((office|outlook-web-16\.01|o15apptofilemappingtable)\.js|[\w-]+\/(office|outlook)_strings\.js)$/

/**
 * The files that Microsoft serves below `/lib/1/hosted/`, by their paths in lower case. The package is fetched into
 * `folder` by npm unless it is there; it is used only when its content is exactly the expected one. Fails with an
 * `Error` that says what to do.
 */
export async function openOfficeLibrary(
  folder: string,
  tell: (line: string) => void = () => {},
): Promise<ReadonlyMap<string, Buffer>> {
  const path = join(folder, FILE)
  let packed = await readFile(path).catch(() => null)
  if (!packed) {
    tell(`Fetching ${OFFICE_LIBRARY.name} ${OFFICE_LIBRARY.version} (12 MB) …`)
    await fetchPackage(folder, path)
    packed = await readFile(path)
  }
  const found = `sha512-${createHash('sha512').update(packed).digest('base64')}`
  if (found !== OFFICE_LIBRARY.integrity) {
    await rm(path, { force: true })
    throw new Error(
      `${OFFICE_LIBRARY.name} ${OFFICE_LIBRARY.version} is not what it was when it was chosen: its content has ` +
        `another checksum. It has been removed; the next start fetches it again.`,
    )
  }
  return unpack(await promisify(gunzip)(packed))
}

async function fetchPackage(folder: string, path: string): Promise<void> {
  // Beside the place where it will be, so that a fetch that breaks off leaves nothing half-done there.
  const place = join(folder, `fetching-${process.pid}`)
  await mkdir(place, { recursive: true })
  try {
    await promisify(execFile)(
      'npm',
      ['pack', `${OFFICE_LIBRARY.name}@${OFFICE_LIBRARY.version}`, '--ignore-scripts', '--silent'],
      { cwd: place, shell: process.platform === 'win32' },
    )
    await rename(join(place, FILE), path)
  } catch (error) {
    throw new Error(
      `${OFFICE_LIBRARY.name} ${OFFICE_LIBRARY.version} could not be fetched from the npm registry. The playground ` +
        `without it (npm start) needs no network. ${error instanceof Error ? error.message : ''}`,
      { cause: error },
    )
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Reads a tar archive: blocks of 512 bytes, a head with name and size before each content. */
function unpack(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  const word = (start: number, length: number) =>
    archive.toString('latin1', start, start + length).replace(/\0.*$/s, '')
  for (let head = 0; head < archive.length && archive[head] !== 0;) {
    const prefix = word(head + 345, 155)
    const name = (prefix === '' ? '' : `${prefix}/`) + word(head, 100)
    const size = Number.parseInt(word(head + 124, 12), 8)
    const content = head + 512
    // A copy, so that the 90 MB around it can go.
    if (SERVED.test(name)) {
      files.set(
        name.slice('package/dist/'.length).toLowerCase(),
        Buffer.from(archive.subarray(content, content + size)),
      )
    }
    head = content + Math.ceil(size / 512) * 512
  }
  return files
}
