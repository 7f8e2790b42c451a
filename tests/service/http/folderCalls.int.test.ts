import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FolderCheck, Plan, YamlCheck } from '../../../streams/wire/administration/publishing.ts'
import { MAX_WRITTEN_PICTURE_BYTES } from '../../../src/service/http/administration/folders.ts'
import { checkFolder, checkingFolder } from '../../../src/folder/checkFolder.ts'
import { pictureHash } from '../../../src/folder/pictures.ts'
import { filesInRequest } from '../../../src/folder/files.ts'
import { readFolderFiles, readFolder } from '../../../src/folder/readFolder.ts'
import { yamlInThisThread } from '../../../src/folder/yamlApart.ts'
import { writeFolder } from '../../../src/folder/writeFolder.ts'
import { releaseIdOf } from '../../../src/service/publishing/plans.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from './administrator.ts'
import { type Files as SomeFiles, GOOD as AUTUMN, useFolders } from '../../folder/folders.ts'
import { png } from '../../folder/pictures.ts'
import { ALEX, start, type Running } from '../running.ts'

type Files = Readonly<Record<string, string>>

const make = useFolders()

/** The day of the service is the real one, on which the folder's fair must not be over. */
const GOOD: typeof AUTUMN = {
  ...AUTUMN,
  'signet.yaml': String(AUTUMN['signet.yaml']).replace('2026-11-30', '2096-11-30'),
}

const FOLDER = join(import.meta.dirname, '../../../src/service/demonstration/signatures')

async function filesOf(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const file = join(parentPath, name)
        return [relative(folder, file), await readFile(file)] as const
      }),
    ),
  )
}

const base64Of = (files: ReadonlyMap<string, Buffer>): Files =>
  Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString('base64')]))

overPostgres('a folder over the wire', (open) => {
  let running: Running
  let administrator: string
  beforeAll(async () => {
    running = await start({ open })
    administrator = await running.mailClientToken(ALEX)
  })
  afterAll(() => running.stop())

  const ask = <Body>(path: string, body: unknown) =>
    askAdministration<Body>(running.url, administrator, 'POST', path, body)
  const read = (files: Files) => ask<FolderCheck>('/folders', { files })

  it('is read and checked as on the disk', async () => {
    const onDisk = await readFolder(FOLDER)
    const { status, body } = await read(base64Of(await filesOf(FOLDER)))
    expect(status).toBe(200)
    expect(body.document).toEqual(onDisk.document)
    expect(Object.keys(body.pictures).sort()).toEqual([...onDisk.pictures.keys()].sort())
    const findings = checkFolder(onDisk, Date.now())
    expect(findings.length).toBeGreaterThan(0)
    expect(body.findings).toEqual(findings.map(({ code, ...finding }) => ({ ...finding, rule: code })))
  })

  it('is checked in many steps for many people', async () => {
    const people = Array.from(
      { length: 1_000 },
      (_, index) => `p${String(index)}@northwind.example,p-${String(index)},Ann,Sales,DE,,1\n`,
    )
    const others = { ...GOOD, 'people.csv': `${String(GOOD['people.csv'])}${people.join('')}` }
    const sent = Object.entries(others).map(([path, content]) => [path, Buffer.from(content)] as const)
    const steps = checkingFolder(
      await readFolderFiles(filesInRequest(new Map(sent)), yamlInThisThread),
      Date.now(),
    )
    let count = 0
    let last = steps.next()
    for (; last.done !== true; last = steps.next()) count += 1
    expect(last.value.filter(({ level }) => level === 'error')).toEqual([])
    expect(count).toBeGreaterThan(people.length / 50)
  })

  it('tells where it is wrong, and gives no document that was not read whole', async () => {
    const files = base64Of(await filesOf(FOLDER))
    const text = (content: string) => Buffer.from(content).toString('base64')
    const unread = await read({ ...files, 'signet.yaml': text('version: 1\nnothing: here\n') })
    expect(unread.body.document).toBeNull()
    expect(unread.body.findings).toContainEqual(
      expect.objectContaining({ file: 'signet.yaml', line: 2, column: 1, level: 'error' }),
    )
    const broken = await read({ ...files, 'templates/corporate.html': text('<p>\n{{nothing}}</p>') })
    expect(broken.body.document?.templates['templates/corporate.html']).toBe('<p>\n{{nothing}}</p>')
    expect(broken.body.findings).toContainEqual(
      expect.objectContaining({ file: 'templates/corporate.html', line: 2, column: 1, level: 'error' }),
    )
    expect((await read({})).body).toMatchObject({ document: null, pictures: {} })
    expect((await ask('/folders', { files: { a: 1 } })).status).toBe(400)
  })

  it('[SRV-34] is written as signet export writes it, and publishes to the same release', async () => {
    const { document, pictures } = await readFolder(FOLDER)
    const templates = { ...document.templates, 'templates/short.html': '<p>{{display_name}}</p>' }
    const edited = { ...document, templates }
    const written = await ask<Readonly<{ files: Files }>>('/folders/written', { document: edited })
    expect(written.status).toBe(200)

    const folder = await mkdtemp(join(tmpdir(), 'signet-written-'))
    try {
      await writeFolder(edited, pictures, folder)
      expect(written.body.files).toEqual(base64Of(await filesOf(folder)))
    } finally {
      await rm(folder, { recursive: true })
    }
    const again = await read(written.body.files)
    expect(again.body.document).toEqual(edited)
    const planned = await ask<Plan>('/plans', { document: again.body.document })
    expect(planned.body.release).toBe(releaseIdOf(edited))
  })

  it('needs the pictures that the service does not have', async () => {
    const { document, pictures } = await readFolder(await make(GOOD))
    const [[hash, picture] = ['', { bytes: new Uint8Array() }]] = pictures
    expect(await ask('/folders/written', { document })).toMatchObject({
      status: 422,
      body: { code: 'picture_invalid' },
    })
    const send = (bytes: Uint8Array) =>
      ask<Readonly<{ files: Files }>>('/folders/written', {
        document,
        pictures: { [hash]: Buffer.from(bytes).toString('base64') },
      })
    expect(await send(Buffer.from('another'))).toMatchObject({
      status: 422,
      body: { code: 'picture_invalid' },
    })
    const [path] = Object.entries(document.pictures).find(([, named]) => named === hash) ?? []
    const { body } = await send(picture.bytes)
    expect(body.files[`pictures/${String(path)}`]).toBe(Buffer.from(picture.bytes).toString('base64'))
    // The same once it is kept for a plan.
    await ask('/pictures', { pictures: { [hash]: Buffer.from(picture.bytes).toString('base64') } })
    expect((await ask('/folders/written', { document })).body).toEqual(body)
  })

  it('is not written when its pictures, each as often as it is named, are too large for the memory', async () => {
    const { document } = await readFolder(FOLDER)
    const picture = png(1, 1, 1_000_000)
    const hash = pictureHash(picture)
    const ofPictures = (count: number) =>
      ask('/folders/written', {
        document: {
          ...document,
          pictures: Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}.png`, hash])),
        },
        pictures: { [hash]: picture.toString('base64') },
      })
    expect((await ofPictures(2)).status).toBe(200)
    expect(await ofPictures(Math.ceil(MAX_WRITTEN_PICTURE_BYTES / picture.length))).toMatchObject({
      status: 413,
      body: { code: 'folder_too_large' },
    })
  })

  it('is not written, changed or planned when nobody could read its signet.yaml back, and a sentence says so', async () => {
    const { document } = await readFolder(await make(GOOD))
    const values = Array.from(
      { length: 9_500 },
      (_, index) => `person-with-a-long-name-${String(index)}@a.example`,
    )
    const long = {
      ...document,
      mailboxes: ['a', 'b', 'c'].map((name) => ({
        address: `${name}@a.example`,
        values: {},
        selection: { for: [[{ by: 'person' as const, values }]], not: [] },
      })),
    }
    const refused = {
      status: 422,
      body: {
        code: 'document_too_large',
        message: expect.stringMatching(
          /^signet\.yaml would have 1,\d\d\d,\d\d\d bytes; it may have 1,000,000\./,
        ) as string,
      },
    }
    expect(await ask('/folders/written', { document: { ...long, pictures: {} } })).toMatchObject(refused)
    expect(await ask('/folders/yaml', { document: long, yaml: null })).toMatchObject(refused)
    expect(await ask('/folders/yaml', { document: long, yaml: String(GOOD['signet.yaml']) })).toMatchObject(
      refused,
    )
    expect(await ask('/plans', { document: long })).toMatchObject(refused)
  })

  const good = async () => (await readFolder(await make(GOOD))).document
  const COMMENTED = `# Ours\n${String(GOOD['signet.yaml'])}# The last word`

  it('tells the text of its signet.yaml', async () => {
    const files = await filesOf(FOLDER)
    expect((await read(base64Of(files))).body.yaml).toBe(files.get('signet.yaml')?.toString())
    expect((await read({})).body.yaml).toBeNull()
    expect((await read({ 'signet.yaml': Buffer.of(0xff, 0xfe).toString('base64') })).body.yaml).toBeNull()
  })

  it('[SRV-34] is written with the text of its signet.yaml, where only what changed is changed', async () => {
    const { pictures } = await readFolder(await make(GOOD))
    const sent = Object.fromEntries(
      [...pictures].map(([hash, { bytes }]) => [hash, Buffer.from(bytes).toString('base64')]),
    )
    const document = { ...(await good()), organisation: 'Northwind Tours' }
    const expected = COMMENTED.replace('Northwind Trading', 'Northwind Tours')
    const written = await ask<Readonly<{ files: Files }>>('/folders/written', {
      document,
      pictures: sent,
      yaml: COMMENTED,
    })
    expect(Buffer.from(written.body.files['signet.yaml'] ?? '', 'base64').toString()).toBe(expected)
    expect((await read(written.body.files)).body.document).toEqual(document)
    const alone = await ask<Readonly<{ yaml: string }>>('/folders/yaml', { document, yaml: COMMENTED })
    expect(alone).toMatchObject({ status: 200, body: { yaml: expected } })
  })

  it('has a signet.yaml that is written without its pictures', async () => {
    const document = await good()
    const { body } = await ask<Readonly<{ yaml: string }>>('/folders/yaml', { document, yaml: null })
    const again = await ask<YamlCheck>('/folders/yaml/read', { yaml: body.yaml, document })
    expect(again.body).toEqual({ document, findings: [] })
  })

  it('has a signet.yaml that is read with its templates, and tells what is wrong in it', async () => {
    const document = await good()
    const reading = (yaml: string) => ask<YamlCheck>('/folders/yaml/read', { yaml, document })
    const renamed = await reading(COMMENTED.replace('Autumn fair', 'Winter fair'))
    expect(renamed.body.findings).toEqual([])
    expect(renamed.body.document?.signatures[0]?.name).toBe('Winter fair')
    expect(renamed.body.document?.pictures).toEqual(document.pictures)
    const unknown = await reading(COMMENTED.replace('templates/short.html', 'templates/shirt.html'))
    expect(unknown.body.document).not.toBeNull()
    expect(unknown.body.findings).toMatchObject([{ line: 21, level: 'error', rule: 'unknownTemplate' }])
    const unread = await reading(COMMENTED.replace('name: Corporate', 'nam: Corporate'))
    expect(unread.body.document).toBeNull()
    expect(unread.body.findings).toMatchObject([{ line: 19, level: 'error', rule: 'unknownKey' }])
  })

  it('has a signet.yaml that tells nothing of people, whom the call does not know', async () => {
    const document = await good()
    const yaml = COMMENTED.replaceAll('sales-emea', 'nowhere').replace('jobTitle', 'aColumn')
    const { body } = await ask<YamlCheck>('/folders/yaml/read', { yaml, document })
    expect(body.findings).toEqual([])
  })

  it.each([
    ['levels', `version: 1\norganisation: ${'['.repeat(500_000)}`, 'tooDeep'],
    ['parts', `version: 1\norganisation: X\ninternal: [${'a,'.repeat(400_000)}]`, 'tooLong'],
    ['bytes', `version: 1\norganisation: X\n# ${'é'.repeat(600_000)}`, 'tooLarge'],
    ['aliases', 'version: 1\norganisation: &a X\ninternal: [*a, *a]', 'yamlAnchor'],
    ['tags', 'version: 1\norganisation: !!js/function X', 'yamlTag'],
  ])('refuses a signet.yaml of many %s, and changes none', async (_, yaml, rule) => {
    const document = await good()
    const { status, body } = await ask<YamlCheck>('/folders/yaml/read', { yaml, document })
    expect([status, body.document]).toEqual([200, null])
    expect(body.findings[0]).toMatchObject({ file: 'signet.yaml', level: 'error', rule })
    const ofNone = await ask('/folders/yaml', { document, yaml: null })
    expect((await ask('/folders/yaml', { document, yaml })).body).toEqual(ofNone.body)
  })

  it.each([
    ['longer than its limit', 'x'.repeat(1_000_001)],
    ['with half a character', '\ud800'],
    ['that is no text', 1],
  ])('refuses a signet.yaml %s', async (_, yaml) => {
    const document = await good()
    for (const path of ['/folders/written', '/folders/yaml', '/folders/yaml/read'])
      expect([path, (await ask(path, { document, yaml })).status]).toEqual([path, 400])
  })
})

describe('files that were sent', () => {
  const codes = async (files: SomeFiles) => {
    const sent = Object.entries(files).flatMap(([path, content]) =>
      content === null ? [] : [[path, Buffer.from(content)] as const],
    )
    const { problems } = await readFolderFiles(filesInRequest(new Map(sent)), yamlInThisThread)
    return problems.map(({ file, code }) => `${file} ${code}`)
  }

  it('are read as the same files of the disk', async () => {
    const folder = await make(GOOD)
    const read = await readFolderFiles(filesInRequest(await filesOf(folder)), yamlInThisThread)
    expect(JSON.stringify(read)).toBe(JSON.stringify(await readFolder(folder)))
    expect([...read.pictures.keys()]).toEqual([...(await readFolder(folder)).pictures.keys()])
  })

  it.each<[path: string, added: readonly string[]]>([
    ['templates/../../secret.html', []],
    ['templates/.DS_Store', []],
    ['README.md', []],
    ['templates/a b.html', ['templates/a b.html fileName']],
    ['templates//a.html', ['templates/ fileName']],
    [`templates/${'d/'.repeat(6)}a.html`, []],
    [`templates/${'d/'.repeat(7)}a.html`, [`templates/${'d/'.repeat(7)}a.html fileName`]],
    [`templates/${'d/'.repeat(400)}a.html`, [`templates${'/d'.repeat(8)} fileName`]],
    ['templates/a.txt', ['templates/a.txt templateName']],
    ['people.csv/x', ['people.csv noFile']],
  ])('are held to the rules of folders: %s', async (path, added) => {
    const others = path.startsWith('people.csv') ? { ...GOOD, 'people.csv': null } : GOOD
    expect(await codes(others)).toEqual([])
    expect(await codes({ ...others, [path]: '<p>x</p>' })).toEqual(added)
  })

  it('have no file where a folder must be', async () => {
    const others = Object.entries(GOOD).filter(([name]) => !name.startsWith('templates/'))
    expect(await codes({ ...Object.fromEntries(others), templates: 'x' })).toContain('templates link')
  })

  it('are held to the limits of files', async () => {
    expect(await codes({ ...GOOD, 'expect.yaml': 'x'.repeat(1_000_001) })).toEqual(['expect.yaml tooLarge'])
    const large = Buffer.alloc(1024 * 1024 + 1)
    expect(await codes({ ...GOOD, 'pictures/a.png': large })).toEqual(['pictures/a.png tooLarge'])
  })
})
