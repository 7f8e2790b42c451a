/** Folders of an organisation for tests, in a temporary place. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { type FolderRead, readFolder } from '../../src/folder/readFolder.ts'
import { png } from './pictures.ts'

export type Files = Readonly<Record<string, string | Uint8Array | null>>

/** A folder without findings. */
export const GOOD: Files = {
  'signet.yaml': `version: 1
organisation: Northwind Trading
internal: [northwind.example]
variables:
  first_name: { from: givenName, group: null }
  job_title: { from: jobTitle }
  phone: { from: businessPhones.0, edit: true, resync: true }
signatures:
  autumn:
    name: Autumn fair
    template: templates/autumn.html
    for: [{ department: Sales, country: [DE, AT] }, { group: sales-emea }]
    not: [{ person: cfo@northwind.example }]
    during: 2026-09-01/2026-11-30
    time-zone: Europe/Berlin
    recipients: external
  corporate:
    name: Corporate
    template: templates/corporate.html
    reply: templates/short.html
    for: everyone
mailboxes:
  Sales@northwind.example: { for: [{ group: sales-emea }], values: { first_name: Sales } }
`,
  'templates/autumn.html':
    '<p>{{first_name}}</p><img src="{{picture banners/autumn.png}}" alt="Autumn fair">\n',
  'templates/corporate.html': '<p>{{first_name}}{{#if phone}}, T {{phone}}{{/if}}</p>{{> legal}}\n',
  'templates/short.html': '<p>{{first_name}}</p>\n',
  'templates/legal.part.html': '<p>Northwind Trading Ltd</p>\n',
  'pictures/banners/autumn.png': png(480, 96),
  'people.csv': `email,id,givenName,department,country,groups,businessPhones.0
maria@northwind.example,u-1,Maria,Sales,DE,,+49 30 1234
Cfo@northwind.example,u-2,Carl,Finance,DE,sales-emea;board,
tom@northwind.example,u-3,Tom,Legal,PT,board,
`,
}

/** @returns a function that makes a folder with these files; all of them go after the tests */
export function useFolders(): (files: Files) => Promise<string> {
  const made: string[] = []
  afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true }))))
  return async (files) => {
    const folder = await mkdtemp(join(tmpdir(), 'signet-folder-'))
    made.push(folder)
    for (const [path, content] of Object.entries(files)) {
      if (content === null) continue
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    return folder
  }
}

/** What is found, one line each: `signet.yaml:4:3 unknownKey`. */
export const found = (read: Pick<FolderRead, 'problems'>): readonly string[] =>
  read.problems.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)

/** Reads the good folder with other files in it; null takes one out. */
export const createReading =
  (make: (files: Files) => Promise<string>) =>
  async (files: Files): Promise<FolderRead> =>
    readFolder(await make({ ...GOOD, ...files }))
