import { fc } from '@fast-check/vitest'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBase64, toBase64 } from '../../../src/administration/adapters/folders.ts'
import { packFolder, unpackFolder } from '../../../src/administration/adapters/archive.ts'
import { readFolder } from '../../../src/folder/readFolder.ts'
import { releaseIdOf } from '../../../src/service/publishing/plans.ts'
import {
  applyEdits,
  type Draft,
  type TemplateEdit,
  withTemplateEdits,
} from '../../../streams/administration/plan/draft.ts'
import type { ExportAnswer, FolderCheck, Plan } from '../../../streams/wire/administration/publishing.ts'
import { png } from '../../folder/pictures.ts'
import { ALEX, send, start, type Running } from '../running.ts'

// A draft of the administration page leaves it as a folder: which release does that folder publish?

let running: Running
let token: string
let exported: ExportAnswer
const folders: string[] = []

beforeAll(async () => {
  running = await start()
  token = await running.mailClientToken(ALEX)
  exported = await ask<ExportAnswer>('GET', '/export')
})
afterAll(async () => {
  await running.stop()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
})

async function ask<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await send(
    method,
    `${running.url}/api/administration/v1${path}`,
    { Authorization: `Bearer ${token}` },
    body,
  )
  expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(300)
  return answer.body as unknown as Body
}

const draft = (): Draft => ({
  begun: 0,
  changed: 0,
  base: exported.release,
  folder: null,
  original: null,
  edited: [],
  hasNewRules: false,
  yaml: null,
  document: exported.document,
  pictures: exported.pictures,
})

/** Writes an archive's files where the command line would read them. */
async function unpacked(archive: Uint8Array): Promise<string> {
  const content = unpackFolder(archive, 'signatures.zip')
  if ('reason' in content) throw new Error(content.reason)
  const folder = await mkdtemp(join(tmpdir(), 'signet-exported-'))
  folders.push(folder)
  for (const [path, bytes] of content.files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  return folder
}

const archiveOf = (files: Readonly<Record<string, string>>) =>
  packFolder('signatures', new Map(Object.entries(files).map(([path, each]) => [path, fromBase64(each)])))

const editOf = (text: string): fc.Arbitrary<TemplateEdit> =>
  fc
    .tuple(
      fc.nat(text.length),
      fc.nat(40),
      fc.string({
        unit: fc.constantFrom('a', ' ', '\n', '\r\n', '{{phone}}', '<b>', '</b>', 'é', '😀', '\t', '#', ':'),
      }),
    )
    .map(([from, length, insert]) => ({ from, to: Math.min(text.length, from + length), insert }))

test('[SRV-34] what is edited on the page and exported as a folder publishes to the same release', async () => {
  const paths = Object.keys(exported.document.templates)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths).chain((path) => {
        const text = exported.document.templates[path] ?? ''
        return fc.record({ path: fc.constant(path), edits: fc.array(editOf(text), { maxLength: 3 }) })
      }),
      async ({ path, edits }) => {
        const text = applyEdits(exported.document.templates[path] ?? '', edits)
        // No editor divides a character, and no file could keep a half.
        fc.pre(!/\p{Cs}/u.test(text))
        const edited = withTemplateEdits(draft(), path, edits, 1)
        expect(edited.document.templates[path]).toBe(text)
        const { files } = await ask<{ files: Readonly<Record<string, string>> }>('POST', '/folders/written', {
          document: edited.document,
        })
        const read = await readFolder(await unpacked(archiveOf(files)))
        expect(read.problems).toEqual([])
        expect(releaseIdOf(read.document)).toBe(releaseIdOf(edited.document))
      },
    ),
    { numRuns: 10 },
  )
})

test('[SRV-34] a draft is planned as the release that its folder has', async () => {
  const edits = [{ from: 0, to: 0, insert: '<p>New</p>\n' }]
  const { document } = withTemplateEdits(draft(), 'templates/corporate.html', edits, 1)
  const plan = await ask<Plan>('POST', '/plans', { document })
  const { files } = await ask<{ files: Readonly<Record<string, string>> }>('POST', '/folders/written', {
    document,
  })
  const read = await readFolder(await unpacked(archiveOf(files)))
  expect(plan.release).toBe(releaseIdOf(read.document))
  expect(plan.base).toBe(exported.release)
})

test('a folder that the page reads is the one that was written, with its pictures', async () => {
  const picture = png(3)
  const folder = {
    ...(
      await ask<{ files: Readonly<Record<string, string>> }>('POST', '/folders/written', {
        document: exported.document,
      })
    ).files,
    'pictures/new/one.png': toBase64(picture),
  }
  const content = unpackFolder(archiveOf(folder), 'x.zip')
  if ('reason' in content) throw new Error(content.reason)
  const files = Object.fromEntries([...content.files].map(([path, bytes]) => [path, toBase64(bytes)]))
  expect(files).toEqual(folder)
  const read = await ask<FolderCheck>('POST', '/folders', { files })
  const hash = read.document?.pictures['new/one.png'] ?? ''
  expect(read.pictures[hash]?.base64).toBe(toBase64(picture))
  expect({ ...read.document, pictures: null }).toEqual({ ...exported.document, pictures: null })
})

test('a folder with an error says where it is', async () => {
  const { files } = await ask<{ files: Readonly<Record<string, string>> }>('POST', '/folders/written', {
    document: exported.document,
  })
  const [path = ''] = Object.keys(files).filter((each) => each.endsWith('.html'))
  const broken = { ...files, [path]: Buffer.from('<p>\n  {{no_such_name}}</p>').toString('base64') }
  const { findings } = await ask<FolderCheck>('POST', '/folders', { files: broken })
  expect(findings).toContainEqual({
    file: path,
    line: 2,
    column: 3,
    level: 'error',
    rule: 'unknownVariable',
    message: 'There is no variable "no_such_name".',
  })
})

test('bytes are the same after base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200_000 }), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    }),
  )
})
