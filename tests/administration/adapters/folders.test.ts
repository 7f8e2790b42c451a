import { zipSync } from 'fflate'
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { pack, unpack } from '../../../src/administration/adapters/archive.ts'
import { createFolders, fromBase64, toBase64 } from '../../../src/administration/adapters/folders.ts'
import { MAX_FOLDER_BYTES } from '../../../streams/administration/plan/folder.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (base64: string) => new TextDecoder().decode(fromBase64(base64))

const folders = createFolders(
  (load) => load,
  () => Promise.resolve({ pack, unpack }),
)
const read = (dropped: unknown) => firstValueFrom(folders.read(createHandle(dropped)))

/** As the browser gives them: batches, of which the last is empty. */
function entry(path: string, content: Readonly<Record<string, unknown>> | string): object {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (typeof content === 'string')
    return {
      ...{ name, fullPath: path, isFile: true, isDirectory: false },
      file: (done: (file: File) => void) => {
        done(new File([content], name))
      },
    }
  const children = Object.entries(content).map(([child, each]) =>
    entry(`${path}/${child}`, each as Parameters<typeof entry>[1]),
  )
  return {
    ...{ name, fullPath: path, isFile: false, isDirectory: true },
    createReader: () => {
      const batches = [...children.map((child) => [child]), []]
      return {
        readEntries: (done: (some: readonly object[]) => void) => {
          done(batches.shift() ?? [])
        },
      }
    },
  }
}

const tree = {
  'signet.yaml': 'version: 1',
  templates: { 'a.html': '<p></p>', deep: { 'b.html': 'b' } },
  '.git': { config: 'secret' },
  'notes.txt': 'no',
}

describe('a dropped folder', () => {
  test('is read with all that its folders hold, but nothing hidden and nothing else', async () => {
    const dropped = await read({ kind: 'entries', entries: [entry('/autumn', tree)] })
    expect(dropped).toEqual({
      folder: 'autumn',
      files: {
        'signet.yaml': toBase64(bytes('version: 1')),
        'templates/a.html': toBase64(bytes('<p></p>')),
        'templates/deep/b.html': toBase64(bytes('b')),
      },
    })
  })

  test('that the browser cannot read says so', async () => {
    const broken = {
      ...{ name: 'signet.yaml', fullPath: '/signet.yaml', isFile: true },
      file: (_: unknown, failed: (error: Error) => void) => {
        failed(new Error('gone'))
      },
    }
    expect(await read({ kind: 'entries', entries: [broken] })).toEqual({ reason: 'unreadable' })
    expect(await read({ kind: 'entries', entries: [] })).toEqual({ reason: 'noFolder' })
    expect(await firstValueFrom(folders.read({ handle: '<handle>' }))).toEqual({ reason: 'unreadable' })
  })
})

describe('an archive', () => {
  const files = { 'own/signet.yaml': bytes('version: 1'), 'own/templates/a.html': bytes('x') }
  const dropped = (content: Uint8Array<ArrayBuffer>, name = 'own.zip') => ({
    kind: 'files',
    files: [new File([content], name)],
  })

  test('is read as the folder in it', async () => {
    const found = await read(dropped(zipSync(files)))
    expect(found).toMatchObject({ folder: 'own' })
    expect(text((found as { files: Record<string, string> }).files['signet.yaml'] ?? '')).toBe('version: 1')
  })

  test('is not unpacked when its list is larger than the limits', async () => {
    // Zeros become a thousandth of their size.
    const bomb = zipSync({ ...files, 'own/pictures/a.png': new Uint8Array(MAX_FOLDER_BYTES) })
    expect(bomb.length).toBeLessThan(MAX_FOLDER_BYTES / 100)
    expect(await read(dropped(bomb))).toEqual({ reason: 'tooLarge', limit: MAX_FOLDER_BYTES })
  })

  test('that is none, or broken, is told', async () => {
    expect(await read(dropped(bytes('no archive')))).toEqual({ reason: 'unreadable' })
    expect(await read(dropped(zipSync(files).slice(0, -40)))).toEqual({ reason: 'unreadable' })
  })

  test('that is packed is read as the same files', async () => {
    const sent = {
      'signet.yaml': toBase64(bytes('a')),
      'pictures/b/c.png': toBase64(Uint8Array.of(0, 255, 1)),
    }
    const packed = await firstValueFrom(folders.pack('autumn', sent))
    expect(await read(dropped(packed.slice()))).toEqual({ folder: 'autumn', files: sent })
  })

  test('whose code cannot be loaded fails as not loaded, and not as an unreadable folder', async () => {
    const offline = createFolders(
      (load) => load,
      () => Promise.reject(new Error('offline')),
    )
    const failure = { failure: { kind: 'notLoaded' } }
    await expect(firstValueFrom(offline.pack('a', {}))).rejects.toMatchObject(failure)
    await expect(firstValueFrom(offline.read(createHandle(dropped(zipSync(files)))))).rejects.toMatchObject(
      failure,
    )
  })
})
