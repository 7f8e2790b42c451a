import { zipSync } from 'fflate'
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { packFolder, unpackFolder } from '../../../src/administration/adapters/archive.ts'
import { createFolders, fromBase64, toBase64 } from '../../../src/administration/adapters/folders.ts'
import { MAX_FOLDER_BYTES, MAX_FOLDER_FILES } from '../../../streams/administration/plan/folder.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (base64: string) => new TextDecoder().decode(fromBase64(base64))

const folders = createFolders(
  (load) => load,
  () => Promise.resolve({ packFolder, unpackFolder }),
)
const read = (dropped: unknown) => firstValueFrom(folders.read(createHandle(dropped)))

/** As the browser gives them: batches, of which the last is empty. */
function entry(path: string, content: Readonly<Record<string, unknown>> | string): object {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (typeof content === 'string')
    return {
      name,
      fullPath: path,
      isFile: true,
      isDirectory: false,
      file: (done: (file: File) => void) => {
        done(new File([content], name))
      },
    }
  const children = Object.entries(content).map(([child, each]) =>
    entry(`${path}/${child}`, each as Parameters<typeof entry>[1]),
  )
  return {
    name,
    fullPath: path,
    isFile: false,
    isDirectory: true,
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

describe('[ADOPT-1] existing signatures', () => {
  const samples = (dropped: unknown) => firstValueFrom(folders.samples(createHandle(dropped)))

  test('are read with their pictures, from a folder and from single files', async () => {
    const signatures = { 'A.htm': '<p>A</p>', A_files: { 'image001.png': 'png', 'filelist.xml': 'x' } }
    expect(await samples({ kind: 'entries', entries: [entry('/Signatures', signatures)] })).toEqual([
      {
        name: 'A.htm',
        files: [
          { path: 'A.htm', base64: toBase64(bytes('<p>A</p>')) },
          { path: 'A_files/image001.png', base64: toBase64(bytes('png')) },
        ],
      },
    ])
    expect(await samples({ kind: 'files', files: [new File(['m'], 'week.eml')] })).toEqual([
      { name: 'week.eml', files: [{ path: 'week.eml', base64: toBase64(bytes('m')) }] },
    ])
  })

  test.each(['NFC', 'NFD'])(
    'have paths in one Unicode form, so that html finds its pictures, of a folder in %s',
    async (form) => {
      const named = (name: string) => name.normalize(form)
      const signatures = { [named('Grüße.htm')]: 'x', [named('Grüße_files')]: { [named('ö.png')]: 'png' } }
      const files = [
        { path: 'Grüße.htm', base64: toBase64(bytes('x')) },
        { path: 'Grüße_files/ö.png', base64: toBase64(bytes('png')) },
      ]
      expect(await samples({ kind: 'entries', entries: [entry(named('/Köln'), signatures)] })).toEqual([
        { name: 'Grüße.htm', files },
      ])
      const chosen = files.map(({ path }) =>
        Object.defineProperty(new File([path.endsWith('.htm') ? 'x' : 'png'], 'a'), 'webkitRelativePath', {
          value: named(`Köln/${path}`),
        }),
      )
      expect(await samples({ kind: 'files', files: chosen })).toEqual([{ name: 'Grüße.htm', files }])
    },
  )

  test('are refused when there is none, and when the browser cannot read them', async () => {
    expect(await samples({ kind: 'files', files: [new File(['x'], 'a.txt')] })).toEqual({
      reason: 'noSignature',
    })
    expect(await samples(undefined)).toEqual({ reason: 'unreadable' })
    const gone = Object.assign(new File(['x'], 'a.eml'), {
      arrayBuffer: () => Promise.reject(new Error('gone')),
    })
    expect(await samples({ kind: 'files', files: [gone] })).toEqual({ reason: 'unreadable' })
  })
})

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

  test('has its name and paths in one Unicode form, of macOS as of Windows', async () => {
    const named = (name: string) => name.normalize('NFD')
    const content = { 'signet.yaml': 'x', pictures: { [named('ö.png')]: 'png' } }
    const found = {
      folder: 'Köln',
      files: { 'signet.yaml': toBase64(bytes('x')), 'pictures/ö.png': toBase64(bytes('png')) },
    }
    expect(await read({ kind: 'entries', entries: [entry(named('/Köln'), content)] })).toEqual(found)
    const inside = (folder: string) => ({
      [`${folder}signet.yaml`]: bytes('x'),
      [`${folder}pictures/${named('ö.png')}`]: bytes('png'),
    })
    const archived = (folder: string) => [new File([zipSync(inside(folder)).slice()], `${named('Köln')}.zip`)]
    expect(await read({ kind: 'files', files: archived('') })).toEqual(found)
    expect(await read({ kind: 'files', files: archived(named('Köln/')) })).toEqual(found)
    expect(unpackFolder(zipSync(inside('K\x94ln/')), 'a')).toMatchObject({ folder: 'Köln' })
  })

  test('that the browser cannot read says so', async () => {
    const broken = {
      name: 'signet.yaml',
      fullPath: '/signet.yaml',
      isFile: true,
      file: (_: unknown, failed: (error: Error) => void) => {
        failed(new Error('gone'))
      },
    }
    expect(await read({ kind: 'entries', entries: [broken] })).toEqual({ reason: 'unreadable' })
    expect(await read({ kind: 'entries', entries: [] })).toEqual({ reason: 'noFolder' })
    expect(await firstValueFrom(folders.read({ handle: '<handle>' }))).toEqual({ reason: 'unreadable' })
  })
})

describe('chosen files', () => {
  /** A file with other properties than its content gives it. */
  const file = (path: string, content = 'x', over: Readonly<Record<string, unknown>> = {}) =>
    Object.defineProperties(
      new File([content], path.slice(path.lastIndexOf('/') + 1)),
      Object.fromEntries(
        Object.entries({ webkitRelativePath: path, ...over }).map(([name, value]) => [name, { value }]),
      ),
    )
  const readFiles = (...files: readonly File[]) => read({ kind: 'files', files })

  test('are those of a folder by their paths in it', async () => {
    const found = await readFiles(file('own/signet.yaml', 'version: 1'), file('own/notes.txt'))
    expect(found).toEqual({ folder: 'own', files: { 'signet.yaml': toBase64(bytes('version: 1')) } })
  })

  test('without a folder are found by their names, and named by the first of them', async () => {
    expect(await readFiles(new File(['a'], 'signet.yaml'), new File(['b'], 'people.csv'))).toEqual({
      folder: 'signet.yaml',
      files: { 'signet.yaml': toBase64(bytes('a')), 'people.csv': toBase64(bytes('b')) },
    })
    expect(await readFiles()).toEqual({ reason: 'noFolder' })
  })

  test('of which one is an archive are no archive', async () => {
    const archive = new File([zipSync({ 'signet.yaml': bytes('x') }).slice()], 'own.zip')
    expect(await readFiles(archive, archive)).toEqual({ reason: 'noFolder' })
    expect(await readFiles(new File(['a'], 'own.zip.txt'))).toEqual({ reason: 'noFolder' })
  })

  test('are refused by their size before they are read', async () => {
    const unread = { arrayBuffer: () => Promise.reject(new Error('it was read')) }
    const sized = (size: number) => file('own/signet.yaml', '', { ...unread, size })
    expect(await readFiles(sized(MAX_FOLDER_BYTES + 1))).toEqual({
      reason: 'tooLarge',
      limit: MAX_FOLDER_BYTES,
    })
    expect(await readFiles(sized(MAX_FOLDER_BYTES))).toEqual({ reason: 'unreadable' })
    const archive = (size: number) => file('own.ZIP', 'x', { ...unread, size })
    expect(await readFiles(archive(2 * MAX_FOLDER_BYTES + 1))).toEqual({
      reason: 'tooLarge',
      limit: MAX_FOLDER_BYTES,
    })
    expect(await readFiles(archive(2 * MAX_FOLDER_BYTES))).toEqual({ reason: 'unreadable' })
  })

  test('become base64 and bytes again, whatever their length', () => {
    for (const length of [0, 1, 0x7fff, 0x8000, 0x8001, 0x10001]) {
      const content = Uint8Array.from({ length }, (_, at) => at % 251)
      expect(toBase64(content)).toBe(Buffer.from(content).toString('base64'))
      expect(Buffer.from(content).equals(fromBase64(toBase64(content)))).toBe(true)
    }
  })
})

describe('what is dropped', () => {
  const filesIn = async (...entries: readonly object[]) => {
    const found = await read({ kind: 'entries', entries })
    return 'files' in (found as object) ? Object.keys((found as { files: object }).files) : found
  }
  const yaml = entry('/signet.yaml', 'version: 1')

  test('is read without what is hidden, and what other programs keep', async () => {
    const pictures = {
      'a.png': 'x',
      '.DS_Store': 'x',
      node_modules: { 'b.png': 'x' },
      __MACOSX: { 'c.png': 'x' },
    }
    expect(await filesIn(yaml, entry('/pictures', pictures))).toEqual(['signet.yaml', 'pictures/a.png'])
    expect(await filesIn(entry('/.hidden', { 'signet.yaml': 'x' }))).toEqual({ reason: 'noFolder' })
  })

  test('is read twelve folders deep', async () => {
    const deep = (folders: number) =>
      entry(
        '/templates',
        Array.from({ length: folders - 1 }).reduce<Record<string, unknown>>((inside) => ({ d: inside }), {
          'a.html': 'x',
        }),
      )
    expect(await filesIn(yaml, deep(12))).toEqual(['signet.yaml', `templates/${'d/'.repeat(11)}a.html`])
    expect(await filesIn(yaml, deep(13))).toEqual(['signet.yaml'])
  })

  test('is refused when the browser cannot list a folder of it', async () => {
    const broken = {
      name: 'templates',
      fullPath: '/templates',
      isFile: false,
      isDirectory: true,
      createReader: () => ({
        readEntries: (_: unknown, failed: (error: Error) => void) => {
          failed(new Error('gone'))
        },
      }),
    }
    expect(await filesIn(yaml, broken)).toEqual({ reason: 'unreadable' })
  })

  test('is listed up to one file more than may be listed', async () => {
    const limit = 2 * MAX_FOLDER_FILES
    let asked = 0
    const one = { ...entry('/a.txt', 'x'), file: (done: (file: File) => void) => ((asked += 1), done(EMPTY)) }
    const EMPTY = new File([], 'a.txt')
    const many = (length: number) => Array.from({ length }, () => one)
    expect(await filesIn(...many(limit + 5))).toEqual({ reason: 'tooMany', limit: MAX_FOLDER_FILES })
    expect(asked).toBe(limit + 1)
    expect(await filesIn(...many(limit))).toEqual({ reason: 'noFolder' })
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

  test('without a folder in it is named as its file, without the ending', async () => {
    const top = zipSync({ 'signet.yaml': bytes('x'), 'notes.txt': bytes('y') })
    expect(await read(dropped(top, 'autumn.zip.ZIP'))).toEqual({
      folder: 'autumn.zip',
      files: { 'signet.yaml': toBase64(bytes('x')) },
    })
    expect(await read(dropped(zipSync({ 'a.txt': bytes('x') })))).toEqual({ reason: 'noFolder' })
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
