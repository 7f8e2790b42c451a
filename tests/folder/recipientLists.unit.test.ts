import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changingYaml } from '../../src/folder/changedYaml.ts'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { readEdited, readFolder } from '../../src/folder/readFolder.ts'
import { composingFiles, writeFolder } from '../../src/folder/writeFolder.ts'
import { yamlInThisThread } from '../../src/folder/yamlApart.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import { MAX_LIST_ENTRIES, MAX_SENT_ENTRIES } from '../../streams/organisation/release/paths.ts'
import { createReading, type Files, GOOD, useFolders } from './folders.ts'

const AT = Date.parse('2026-10-01T12:00:00Z')
const make = useFolders()
const reading = createReading(make)
const YAML = (GOOD['signet.yaml'] as string).replace('recipients: external', 'recipients: [Partners]')
const withLists = (lists: string): Files => ({ 'signet.yaml': `${YAML}${lists}` })
const inYaml = withLists('recipient-lists:\n  Partners: [Partner.example, Anna@Customer.example]\n')
const inFile = (text: string | Uint8Array, name = 'Partners.txt'): Files => ({
  'signet.yaml': YAML,
  [`lists/${name}`]: text,
})
const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => `person${String(index)}@customer.example`)
const linesOf = (entries: readonly string[]) => entries.map((entry) => `${entry}\n`).join('')

async function findingsIn(files: Files): Promise<readonly string[]> {
  return checkFolder(await reading(files), AT)
    .filter(({ code }) => code !== 'notShown' && code !== 'fitsNobody')
    .map(({ file, line, column, level, message }) => `${file}:${line}:${column} ${level}: ${message}`)
}

describe('[PERSON-6] a list of recipients', () => {
  const lists = { Partners: ['partner.example', 'anna@customer.example'] }

  it.each<[string, Files]>([
    ['in signet.yaml', inYaml],
    [
      'in a file, with comments, empty lines, a byte order mark and line ends of Windows',
      inFile('\uFEFF# ours\r\nPartner.example\r\n\r\n  Anna@Customer.example # since May\r\n'),
    ],
    ['in a file of an old Mac', inFile('partner.example\ranna@customer.example')],
  ])('is read %s', async (_, files) => {
    expect((await reading(files)).document.lists).toEqual(lists)
    expect(await findingsIn(files)).toEqual([])
  })

  it('has the domain of its entries in Unicode', async () => {
    const read = await reading(inFile('xn--mller-kva.example\nAnna@XN--MLLER-KVA.example\na#b@c.example\n'))
    expect(read.document.lists).toEqual({
      Partners: ['m\u00FCller.example', 'anna@m\u00FCller.example', 'a#b@c.example'],
    })
  })

  it.each<[finding: string, Files]>([
    [
      'lists/Partners.txt:2:3 error: "anna" is not a domain or an address.',
      inFile('partner.example\n  anna\n'),
    ],
    [
      'lists/Partners.txt:1:1 error: "!a@b.example" is not a domain or an address.',
      inFile('!a@b.example\nc.example\n'),
    ],
    [
      'lists/Partners.txt:3:1 warning: "A.example" is in this list twice, first in line 1.',
      inFile('a.example\nb.example\nA.example\n'),
    ],
    [
      'lists/Partners.txt:1:1 error: "Partners" is in "recipient-lists", too; take one of them out.'.replace(
        '"Partners"',
        'The list "Partners"',
      ),
      { ...inYaml, 'lists/Partners.txt': 'partner.example\n' },
    ],
    [
      'lists/Partners.csv:1:1 error: A list of recipients ends in ".txt".',
      { ...inYaml, 'lists/Partners.csv': 'a' },
    ],
    [
      'lists/1st.txt:1:1 error: A list is named by a letter, then letters, digits, "-" and "_", and not everyone, internal or external: "1st" is not.',
      { ...inYaml, 'lists/1st.txt': 'a.example' },
    ],
    [
      'lists/Partners.txt:1:2 error: The file is not in UTF-8; read in Windows-1252, here stands "m\u00FCller". Save the file in UTF-8.',
      inFile(Buffer.from('m\u00FCller.example\n', 'latin1')),
    ],
    [
      `lists/Partners.txt:${MAX_LIST_ENTRIES + 1}:1 error: A list has at most 10,000 entries. Name the domains in place of their addresses.`,
      inFile(linesOf(addresses(MAX_LIST_ENTRIES + 1))),
    ],
    [
      'signet.yaml:25:3 error: The list "Partners" is empty.',
      withLists('recipient-lists:\n  Partners: []\n'),
    ],
    [
      'signet.yaml:25:3 error: A list is named by a letter, then letters, digits, "-" and "_", and not everyone, internal or external: "internal" is not.',
      withLists('recipient-lists:\n  internal: [a.example]\n  Partners: [a.example]\n'),
    ],
    [
      'signet.yaml:16:18 error: There is no list "Partners" in "recipient-lists" or below lists/. Did you mean "Partner"?',
      withLists('recipient-lists:\n  Partner: [a.example]\n'),
    ],
    [
      'signet.yaml:26:3 warning: No "recipients" names the list "Customers".',
      withLists('recipient-lists:\n  Partners: [a.example]\n  Customers: [b.example]\n'),
    ],
    [
      'lists/Customers.txt:1:1 warning: No "recipients" names the list "Customers".',
      { ...inYaml, 'lists/Customers.txt': 'b.example\n' },
    ],
  ])('is reported: %s', async (finding, files) => {
    expect(await findingsIn(files)).toContain(finding)
  })

  it('has at most 10,000 entries, and an empty file is not one', async () => {
    expect(await findingsIn(inFile(linesOf(addresses(MAX_LIST_ENTRIES))))).toEqual([])
    expect(await findingsIn(inFile('# none yet\n'))).toContain(
      'lists/Partners.txt:1:1 error: The list "Partners" is empty.',
    )
  })

  it('is sent with at most 100,000 entries over all rules, where the rule beyond is named', async () => {
    const rules = (count: number) =>
      Array.from(
        { length: count },
        (_, index) =>
          `  b${String(index)}: { slot: b, template: templates/b.html, recipients: [Partners] }\n`,
      ).join('')
    const most = MAX_SENT_ENTRIES / MAX_LIST_ENTRIES
    const files = (count: number): Files => ({
      'signet.yaml': YAML.replace('recipients: [Partners]', 'recipients: external').concat(
        'blocks:\n',
        rules(count),
      ),
      'templates/b.html': '<p>B</p>',
      'templates/corporate.html': '<p>{{first_name}}</p>{{> legal}}{{block b}}\n',
      'lists/Partners.txt': linesOf(addresses(MAX_LIST_ENTRIES)),
    })
    const tooMany = async (count: number) =>
      (await findingsIn(files(count))).filter((line) => line.includes('mail clients get all'))
    expect(await tooMany(most)).toEqual([])
    expect(await tooMany(most + 1)).toEqual([
      `signet.yaml:${25 + most}:59 error: Up to here, the lists of all signatures, blocks and rules have more than 100,000 entries together, and mail clients get all of them. Name the domains in place of their addresses.`,
    ])
  })

  it('is written into signet.yaml while it is short, and else into a file', async () => {
    const { document, pictures } = await reading(inYaml)
    const folder = await make({})
    const long = addresses(21)
    const both = { ...document, lists: { Partners: addresses(20), Long: long } }
    await writeFolder(both, pictures, folder)
    expect(await readFile(join(folder, 'lists/Long.txt'), 'utf8')).toBe(linesOf(long))
    const read = await readFolder(folder)
    expect(read.yaml).toContain('  Partners:\n')
    expect(read.yaml).not.toContain('Long')
    expect(read.document).toEqual(both)
    const files = runSteps(composingFiles(both, pictures))
    expect([...files.keys()].filter((path) => path.startsWith('lists/'))).toEqual(['lists/Long.txt'])
  })

  it('stays where it is when signet.yaml changes', async () => {
    const { document, yaml } = await reading({
      ...withLists(`recipient-lists: # ours\n  Long: [${addresses(21).join(', ')}]\n`),
      'lists/Partners.txt': 'partner.example\n',
    })
    const renamed = { ...document, organisation: 'Another' }
    const text = runSteps(changingYaml(yaml ?? '', renamed))
    expect(text).toBe((yaml ?? '').replace('Northwind Trading', 'Another'))
    const files = runSteps(composingFiles({ ...renamed, pictures: {} }, new Map(), yaml ?? undefined))
    expect([...files.keys()].filter((path) => path.startsWith('lists/'))).toEqual(['lists/Partners.txt'])
  })

  it('in a file stays when signet.yaml is edited as text, and one in the text goes with its line', async () => {
    const { document, yaml } = await reading({
      ...withLists('recipient-lists: { Gone: [a.example] }\n'),
      'lists/Partners.txt': 'partner.example\n',
    })
    const edited = YAML.replace('Northwind Trading', 'Another')
    const read = await readEdited(edited, yaml, document, yamlInThisThread)
    expect(read.problems).toEqual([])
    expect(read.document.lists).toEqual({ Partners: ['partner.example'] })
    // A new text has the short lists, so a short list that is not in it was taken out.
    expect((await readEdited(edited, null, document, yamlInThisThread)).document.lists).toBeUndefined()
  })
})
