import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/**
 * Microsoft's client library in the npm registry, 12 MB. Its licence allows development and testing with it, but not
 * publishing or changing it. Therefore it is fetched on demand, kept unchanged and ignored by git.
 */
export const OFFICE_LIBRARY = {
  name: '@microsoft/office-js',
  version: '1.1.110',
  integrity:
    'sha512-80nZ3gGUq6Fb22sX8tBdktfulM7uYnrdQu32bpsb3waTeKoakc+j6H6+L21xRV4plDBrufnRMVH3ULMt/06Jwg==',
} as const

const ARCHIVE = `microsoft-office-js-${OFFICE_LIBRARY.version}.tgz`
/** Only the files that Outlook on the web needs: the unpacked archive is 90 MB. */
const SERVED =
  /^package\/dist\/((office|outlook-web-16\.01|o15apptofilemappingtable)\.js|[\w-]+\/(office|outlook)_strings\.js)$/

/**
 * Returns the library's files by lower-case path, as Microsoft serves them. Fetches the package with npm if `folder`
 * lacks it, and checks its integrity. Rejects with an `Error` that describes the remedy.
 */
export async function openOfficeLibrary(
  folder: string,
  tell: (line: string) => void = () => {},
): Promise<ReadonlyMap<string, Buffer>> {
  const path = join(folder, ARCHIVE)
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
      `The checksum of ${OFFICE_LIBRARY.name} ${OFFICE_LIBRARY.version} is wrong. The file was removed; the next ` +
        `start fetches it again.`,
    )
  }
  return unpack(await promisify(gunzip)(packed))
}

async function fetchPackage(folder: string, path: string): Promise<void> {
  // The fetch uses a separate folder, so an interrupted fetch leaves no partial file in `folder`.
  const temporary = join(folder, `fetching-${process.pid}`)
  await mkdir(temporary, { recursive: true })
  try {
    await promisify(execFile)(
      'npm',
      ['pack', `${OFFICE_LIBRARY.name}@${OFFICE_LIBRARY.version}`, '--ignore-scripts', '--silent'],
      { cwd: temporary, shell: process.platform === 'win32' },
    )
    await rename(join(temporary, ARCHIVE), path)
  } catch (error) {
    throw new Error(
      `${OFFICE_LIBRARY.name} ${OFFICE_LIBRARY.version} could not be fetched from the npm registry. The playground ` +
        `without it (npm start) needs no network. ${error instanceof Error ? error.message : ''}`,
      { cause: error },
    )
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Reads a tar archive. It consists of 512-byte blocks; each file is a header with name and size, then its content. */
function unpack(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  const word = (start: number, length: number) =>
    archive.toString('latin1', start, start + length).replace(/\0.*$/s, '')
  for (let header = 0; header < archive.length && archive[header] !== 0;) {
    const prefix = word(header + 345, 155)
    const name = (prefix === '' ? '' : `${prefix}/`) + word(header, 100)
    const size = Number.parseInt(word(header + 124, 12), 8)
    const content = header + 512
    // Copies the file, so that the archive's memory can be freed.
    if (SERVED.test(name)) {
      files.set(
        name.slice('package/dist/'.length).toLowerCase(),
        Buffer.from(archive.subarray(content, content + size)),
      )
    }
    header = content + Math.ceil(size / 512) * 512
  }
  return files
}
