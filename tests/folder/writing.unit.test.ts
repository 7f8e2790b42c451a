import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { orNull as readOrNull } from '../../streams/kernel/schema.ts'
import { documentSchema } from '../../streams/wire/administration/document.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { writingSignetYaml } from '../../src/folder/changedYaml.ts'
import { readSignetYaml } from '../../src/folder/signetYaml.ts'
import { initFolder, writeFolder } from '../../src/folder/writeFolder.ts'
import { findingYamlLines } from '../../src/folder/writtenYaml.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import { canonicalText, type ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { document, picturesByHash } from './documents.ts'
import { GOOD, useFolders } from './folders.ts'
import { block } from '../support/blocks.ts'

const fits = (document: unknown) => readOrNull(documentSchema).read(document, '') !== null

const make = useFolders()

describe('a folder that is written', () => {
  property.prop([document])('reads into the same document', async (whole) => {
    expect(documentSchema.read(whole, '')).toEqual(whole)
    const folder = await mkdtemp(join(tmpdir(), 'signet-written-'))
    try {
      await writeFolder(whole, picturesByHash, folder)
      const read = await readFolder(folder)
      expect(read.problems).toEqual([])
      expect(read.document).toEqual(whole)
      expect(canonicalText(read.document)).toBe(canonicalText(whole))
      for (const [path, hash] of Object.entries(whole.pictures))
        expect([path, read.pictures.get(hash)?.bytes]).toEqual([path, picturesByHash.get(hash)?.bytes])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  property.prop([document])('has its rules on the lines that are told of it without reading it', (whole) => {
    const { places } = readSignetYaml(runSteps(writingSignetYaml(whole, null)), [])
    const lines = runSteps(findingYamlLines(whole))
    expect(new Map([...places].map(([path, { line }]) => [path, line]))).toEqual(lines)
  })

  it('is not written over another one', async () => {
    const folder = await make(GOOD)
    const { document: whole, pictures } = await readFolder(folder)
    await expect(writeFolder(whole, pictures, folder)).rejects.toThrow('is not empty')
    await expect(initFolder(folder, { organisation: 'N', domain: 'n.example' })).rejects.toThrow(
      'is not empty',
    )
  })

  it('is not begun with a missing picture, or with a path that leads out of it', async () => {
    const folder = await make({})
    const { document: whole, pictures } = await readFolder(await make(GOOD))
    await expect(writeFolder(whole, new Map(), folder)).rejects.toThrow('banners/autumn.png is missing')
    for (const templates of [{ '../x.html': '' }, { 'templates/../../x.html': '' }, { '/x.html': '' }])
      await expect(writeFolder({ ...whole, templates }, pictures, folder)).rejects.toThrow(
        'The document cannot be a folder',
      )
    expect(await readdir(folder)).toEqual([])
  })
})

const BLOCK = block({ id: 'b', name: 'B', template: 'templates/b.html' })
const ASKED = {
  missing: 'signature',
  selection: { for: 'everyone', not: [] },
  recipients: 'external',
} as const
const BRAND = { colours: { a: '#fff' }, fonts: ['Arial'], logos: ['banners/autumn.png'] }
const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...BLOCK, id: `b${index}` }))

/** The document with this condition. */
const choosing = (condition: unknown) => (one: ReleaseDocument) => ({
  ...one,
  chooseDefault: { for: [[condition]], not: [] },
})
const testing = (...tests: readonly unknown[]) => ({ by: 'test', field: 'jobTitle', tests })

describe('a document over the wire', () => {
  const good = async (): Promise<ReleaseDocument> => (await readFolder(await make(GOOD))).document

  it.each<[string, (one: ReleaseDocument) => unknown]>([
    ['an unknown key', (one) => ({ ...one, more: 1 })],
    ['a missing key', ({ plan: _, ...one }) => one],
    ['a signature twice', (one) => ({ ...one, signatures: [one.signatures[0], one.signatures[0]] })],
    ['a template elsewhere', (one) => ({ ...one, templates: { '../a.html': '' } })],
    [
      'a file that is a folder, too',
      (one) => ({
        ...one,
        templates: { 'templates/a.html': '', 'templates/a.html/b.html': '' },
      }),
    ],
    [
      'a template that is too long',
      (one) => ({ ...one, templates: { 'templates/a.html': 'x'.repeat(200_001) } }),
    ],
    ['no blocks in a list of blocks', (one) => ({ ...one, blocks: [] })],
    ['a block twice', (one) => ({ ...one, blocks: [BLOCK, BLOCK] })],
    ['a share of none', (one) => ({ ...one, blocks: [{ ...BLOCK, share: 0 }] })],
    ['a share of more than all', (one) => ({ ...one, blocks: [{ ...BLOCK, share: 101 }] })],
    ['a share that is not whole', (one) => ({ ...one, blocks: [{ ...BLOCK, share: 33.3 }] })],
    ['a slot that no template can name', (one) => ({ ...one, blocks: [{ ...BLOCK, slot: 'a b' }] })],
    ['an unknown key of a block', (one) => ({ ...one, blocks: [{ ...BLOCK, reply: null }] })],
    ['no rule in a guard', (one) => ({ ...one, guard: [] })],
    ['a guard for no person', (one) => ({ ...one, guard: [{ ...ASKED, selection: { for: [], not: [] } }] })],
    [
      'a guard of an id that no block has',
      (one) => ({ ...one, guard: [{ missing: 'block', block: 'a-b' }] }),
    ],
    [
      'recipients of a block that is looked for',
      (one) => ({
        ...one,
        guard: [{ missing: 'block', block: 'a', recipients: 'external' }],
      }),
    ],
    ['more rules than a guard may have', (one) => ({ ...one, guard: Array(201).fill(ASKED) })],
    ['more blocks than a document may have', (one) => ({ ...one, blocks: many(201) })],
    ['a brand of nothing', (one) => ({ ...one, brand: { colours: {}, fonts: [], logos: [] } })],
    ['a colour that is none', (one) => ({ ...one, brand: { ...BRAND, colours: { a: 'navi' } } })],
    ['a colour without a name', (one) => ({ ...one, brand: { ...BRAND, colours: { '': '#fff' } } })],
    ['a font that could end a style', (one) => ({ ...one, brand: { ...BRAND, fonts: ["A';b:c"] } })],
    ['a logo elsewhere', (one) => ({ ...one, brand: { ...BRAND, logos: ['../logo.png'] } })],
    ['cards without a way to refuse', (one) => ({ ...one, cards: {} })],
    ['cards by what is no variable', (one) => ({ ...one, cards: { unless: 'a b' } })],
    ['counting that is off', (one) => ({ ...one, counting: false })],
    ['pictures that are not linked', (one) => ({ ...one, linked: false })],
    ['a test without a value', choosing(testing({ is: 'starts', values: [] }))],
    ['a text that every value begins with', choosing(testing({ is: 'starts', values: [''] }))],
    ['no test of a field', choosing(testing())],
    ['a test twice', choosing(testing({ is: 'any' }, { is: 'any' }))],
    ['a day that does not exist', choosing(testing({ is: 'after', day: '2026-02-30' }))],
    ['a test of what is no field', choosing({ ...testing({ is: 'any' }), field: 'language' })],
    ['tests of the manager', choosing({ ...testing({ is: 'any' }), field: 'manager' })],
    ['a language that is none', choosing({ by: 'language', values: ['Deutsch!'] })],
    ['no condition on the manager', choosing({ by: 'manager', conditions: [] })],
    ['a group of the manager', choosing({ by: 'manager', conditions: [{ by: 'group', values: ['a'] }] })],
    [
      'a manager of the manager',
      choosing({ by: 'manager', conditions: [{ by: 'field', field: 'manager', values: ['a'] }] }),
    ],
    [
      'a key of the manager twice',
      choosing({ by: 'manager', conditions: [testing({ is: 'any' }), testing({ is: 'any' })] }),
    ],
    ['half a character', (one) => ({ ...one, templates: { 'templates/a.html': '\ud800' } })],
    ['a picture without a hash', (one) => ({ ...one, pictures: { 'a.png': 'x' } })],
    ['a picture of an unknown format', (one) => ({ ...one, pictures: { 'a.svg': 'a'.repeat(32) } })],
    [
      'an address in upper case',
      (one) => ({ ...one, mailboxes: [{ ...one.mailboxes[0], address: 'A@b.example' }] }),
    ],
    [
      'a group of conditions with a key twice',
      (one) => ({
        ...one,
        chooseDefault: {
          for: [
            [
              { by: 'group', values: ['a'] },
              { by: 'group', values: ['b'] },
            ],
          ],
          not: [],
        },
      }),
    ],
    [
      'too many conditions',
      (one) => ({
        ...one,
        chooseDefault: { for: Array(1001).fill([{ by: 'group', values: ['a'] }]), not: [] },
      }),
    ],
  ])('is refused with %s', async (_, change) => {
    const one = await good()
    expect(fits(one)).toBe(true)
    expect(fits(choosing(testing({ is: 'any' }))(one))).toBe(true)
    // A release may be older than the condition on the language.
    expect(fits(choosing({ by: 'field', field: 'language', values: ['de'] })(one))).toBe(true)
    expect(fits({ ...one, blocks: many(200), counting: true })).toBe(true)
    expect(fits({ ...one, brand: BRAND, cards: { unless: 'no_card' } })).toBe(true)
    expect(fits({ ...one, guard: [...Array(199).fill(ASKED), { missing: 'block', block: 'b' }] })).toBe(true)
    expect(fits(change(one))).toBe(false)
  })
})
