import { type UnzipFileFilter, unzipSync } from 'fflate'
import type { ManifestContent } from './manifestContent.ts'
import { contentOfXml } from './manifestXml.ts'
import { contentOfUnified, UNIFIED_MANIFEST_FILE, type UnifiedFiles } from './unifiedManifest.ts'

/** The maximum sizes of the input file, and of a manifest or JSON file. Outlook accepts manifests of up to 256 KB. */
const MAX_BYTES = 1_048_576
const MAX_TEXT_BYTES = 262_144
/** The maximum number of files in a package. */
const MAX_FILES = 200

/**
 * Reads a deployed manifest: XML, unified, or a package that contains a unified one. A unified manifest alone has no
 * translations.
 *
 * @throws an Error whose message completes a sentence that starts with the file's name
 */
export function readDeployed(bytes: Uint8Array): ManifestContent {
  try {
    return contentOf(bytes)
  } catch (error) {
    throw error instanceof RangeError ? new Error('is nested too deeply.') : error
  }
}

function contentOf(bytes: Uint8Array): ManifestContent {
  if (bytes.length > MAX_BYTES) throw new Error('is larger than 1 MB, and no manifest is.')
  // Packages start with the signature of a ZIP entry.
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const files = filesOf(bytes)
    const manifest = files.get(UNIFIED_MANIFEST_FILE)
    if (manifest === undefined) throw new Error(`is a package without ${UNIFIED_MANIFEST_FILE}.`)
    return contentOfUnified(manifest, files)
  }
  const text = textOf(bytes)
  if (text.startsWith('<')) return contentOfXml(text)
  if (text.startsWith('{')) return contentOfUnified(jsonOf(text, 'is'), null)
  throw new Error('is neither XML, nor JSON, nor a package (ZIP).')
}

/** The values of a package's JSON files, by name. Unpacks no more bytes than the package's file list states. */
function filesOf(bytes: Uint8Array): UnifiedFiles {
  const listed: { name: string; originalSize: number }[] = []
  unpack(bytes, (file) => {
    listed.push(file)
    return false
  })
  if (listed.length > MAX_FILES) throw new Error(`is a package of more than ${String(MAX_FILES)} files.`)
  const large = listed.find(({ name, originalSize }) => isJson(name) && originalSize > MAX_TEXT_BYTES)
  if (large !== undefined) throw new Error(`has ${large.name} in it, which is larger than 256 KB.`)
  return new Map(
    Object.entries(unpack(bytes, ({ name }) => isJson(name))).map(([name, content]) => [
      name,
      jsonOf(textOf(content), `has ${name} in it, which is`),
    ]),
  )
}
const isJson = (name: string): boolean => name.endsWith('.json')

function unpack(bytes: Uint8Array, filter: UnzipFileFilter): Readonly<Record<string, Uint8Array>> {
  try {
    return unzipSync(bytes, { filter })
  } catch {
    throw new Error('is a package (ZIP) that cannot be unpacked.')
  }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > MAX_TEXT_BYTES)
    throw new Error('is larger than 256 KB, and Outlook takes no such manifest.')
  try {
    // The decoder removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart()
  } catch {
    throw new Error('is not written in UTF-8.')
  }
}

function jsonOf(text: string, subject: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${subject} not well-formed JSON.`)
  }
}
