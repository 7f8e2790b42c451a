import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { orNull as readOrNull } from '../../streams/kernel/schema.ts'
import { documentSchema } from '../../streams/wire/administration/document.ts'
import { isField } from '../../streams/organisation/names.ts'
import { pictureHash } from '../../src/service/folder/pictures.ts'
import { readFolder } from '../../src/service/folder/readFolder.ts'
import { initFolder, writeFolder } from '../../src/service/folder/writeFolder.ts'
import {
  canonicalText,
  type Condition,
  type ReleaseDocument,
  type Selection,
} from '../../streams/organisation/release.ts'
import { GOOD, useFolders } from './folders.ts'
import { GIF, png } from './pictures.ts'

const fits = (document: unknown) => readOrNull(documentSchema).read(document, '') !== null

const make = useFolders()

/** Texts that YAML could take for something else. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\r',
      '\t',
      "'",
      '"',
      ':',
      '#',
      '-',
      '\\',
      '{',
      '[',
      '&',
      '*',
      '!',
      '\u2028',
      '\u0085',
      '\uFEFF',
      '%',
      '|',
      '>',
      '?',
      ',',
    ),
  }),
  fc.constantFrom(
    '2026',
    '0x1F',
    '1e3',
    'true',
    'No',
    'null',
    '~',
    '<<',
    '---',
    '...',
    '2026-01-01',
    '.inf',
    '=',
  ),
)
const filled = text.filter((one) => one.trim() !== '')
const word = fc.string({ unit: fc.constantFrom('a', 'b', '0', '_'), minLength: 1, maxLength: 6 })
const variablePath = word.map((one) => `v${one}`)
const field = filled.filter((one) => isField(one) && !['group', 'person', 'address'].includes(one))
const domain = word.map((one) => `${one}.example`)
const address = fc.tuple(word, domain).map(([local, at]) => `${local}@${at}`)
const someOf = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 })

const condition = fc.oneof<fc.Arbitrary<Condition>[]>(
  fc.record({ by: fc.constant('group' as const), values: someOf(filled) }),
  fc.record({ by: fc.constant('person' as const), values: someOf(address) }),
  fc.record({ by: fc.constant('address' as const), values: someOf(domain.map((at) => `*@${at}`)) }),
  fc.record({ by: fc.constant('field' as const), field, values: someOf(text) }),
)
const groups = (minLength: number) =>
  fc.array(
    fc.uniqueArray(condition, {
      minLength: 1,
      maxLength: 3,
      selector: (one) => (one.by === 'field' ? one.field : one.by),
    }),
    { minLength, maxLength: 3 },
  )
const selection: fc.Arbitrary<Selection> = fc.record({
  for: fc.oneof(fc.constant('everyone' as const), groups(1)),
  not: groups(0),
})
const orNull = <Item>(item: fc.Arbitrary<Item>) => fc.option(item, { nil: null })
const templatePath = word.map((one) => `templates/${one}.html`)
const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-02-${String(date).padStart(2, '0')}`)
const NO_USER: Selection = { for: [], not: [] }

const PICTURES = [png(), png(2, 2), GIF] as const
const picturesByHash = new Map(
  PICTURES.map((bytes) => [
    pictureHash(bytes),
    { mediaType: bytes === GIF ? 'image/gif' : 'image/png', bytes },
  ]),
)

const document: fc.Arbitrary<ReleaseDocument> = fc.record({
  version: fc.constant(1 as const),
  organisation: filled,
  internal: fc.array(domain, { maxLength: 3 }),
  chooseDefault: fc.oneof(selection, fc.constant(NO_USER)),
  plan: fc.record({ from: orNull(field), value: text }),
  variables: fc.uniqueArray(
    fc
      .record({
        path: variablePath,
        from: orNull(field),
        value: orNull(text),
        edit: fc.boolean(),
        resync: fc.boolean(),
        hidden: fc.boolean(),
        label: orNull(text),
        group: fc.oneof(orNull(text), fc.constantFrom('mapped', 'rest')),
      })
      .map((variable) => ({ ...variable, resync: variable.resync && variable.from !== null })),
    { selector: ({ path }) => path, maxLength: 4 },
  ),
  signatures: fc.uniqueArray(
    fc.record({
      id: fc.oneof(word, fc.constantFrom('2026', '10', '9')),
      name: text,
      template: templatePath,
      reply: orNull(templatePath),
      mobile: orNull(templatePath),
      selection,
      during: orNull(fc.record({ from: day, to: day, timeZone: fc.constantFrom('UTC', 'Europe/Berlin') })),
      recipients: fc.oneof(
        fc.constantFrom('everyone' as const, 'internal' as const, 'external' as const),
        someOf(domain),
      ),
      collection: orNull(text),
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
  mailboxes: fc.uniqueArray(
    fc.record({ address, selection, values: fc.dictionary(variablePath, text, { maxKeys: 3 }) }),
    { selector: (mailbox) => mailbox.address, maxLength: 3 },
  ),
  templates: fc.dictionary(
    templatePath,
    text.filter((one) => !one.startsWith('\uFEFF')),
    { maxKeys: 3 },
  ),
  pictures: fc
    .dictionary(word, fc.constantFrom(...PICTURES), { maxKeys: 3 })
    .map((named) =>
      Object.fromEntries(
        Object.entries(named).map(([name, bytes]) => [
          `banners/${name}.${bytes === GIF ? 'gif' : 'png'}`,
          pictureHash(bytes),
        ]),
      ),
    ),
})

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
    expect(fits(change(one))).toBe(false)
  })
})
