// Realistic signatures: from companies, from Word, and rendered from the demonstration.
import { join } from 'node:path'
import { previewEntries } from '../../src/cli/folderCommands.ts'
import { personOf } from '../../src/folder/checkFolder.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { compileRelease } from '../../streams/organisation/release/release.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { COMPANIES } from './companySignatures.ts'
import { drawnPng } from './drawnPng.ts'
import { wordFile } from './wordFile.ts'

export type RealSignature = Readonly<{
  kind: string
  html: string
  /** Its pictures' contents, by URL. */
  pictures: ReadonlyMap<string, Uint8Array>
  person: PersonState
}>

const COLOURS = [0x2a8a8c, 0xc05a20, 0x3355aa, 0x777700]

const person = (fields: Readonly<Record<string, string>>): PersonState =>
  personOf({
    id: 'p-1',
    record: {
      addresses: ['robin@companies.example'],
      account: null,
      language: 'en',
      groups: [],
      picture: null,
      fields,
    },
    line: 1,
  })

const ofCompanies = (): readonly RealSignature[] =>
  COMPANIES.map(({ kind, line, html, pictures }) => ({
    kind: `company: ${kind}`,
    html,
    pictures: new Map(
      pictures.map((address, index) => [address, drawnPng(60 + 20 * index, 30, COLOURS[index % 4] ?? 0)]),
    ),
    person: person({
      displayName: line,
      'businessPhones.0': '+47 555 0100',
      city: 'Bergen',
      companyName: 'Northwind',
    }),
  }))

const ofWord = (): readonly RealSignature[] =>
  [10, 60].map((rows) => {
    const { html, pictures } = wordFile(rows)
    return {
      kind: `Word: ${String(rows)} paragraphs`,
      html,
      pictures,
      person: person({
        displayName: 'Maria Silva',
        jobTitle: 'Head of Sales',
        'businessPhones.0': '+49 30 1234-0',
      }),
    }
  })

const DEMONSTRATION = join(import.meta.dirname, '../../src/service/demonstration/signatures')
const DAY = Date.parse('2026-10-15T12:00:00Z')

async function ofDemonstration(): Promise<readonly RealSignature[]> {
  const read = await readFolder(DEMONSTRATION)
  const release = compileRelease('demonstration', read.document)
  return (read.people ?? []).map(personOf).flatMap((owner) =>
    previewEntries(release, read, owner, DAY, false, null).flatMap(({ name, shown }) =>
      shown.map(({ title, html }) => ({
        kind: `demonstration: ${name}, ${title}, ${owner.id}`,
        html,
        person: owner,
        pictures: new Map<string, Uint8Array>(),
      })),
    ),
  )
}

export const realSignatures = async (): Promise<readonly RealSignature[]> => [
  ...ofCompanies(),
  ...ofWord(),
  ...(await ofDemonstration()),
]
