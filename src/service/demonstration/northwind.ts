/** Northwind Trading: five mailboxes with ordinary to hostile signatures, and in the playground their colleagues. */
import { join } from 'node:path'
import { Person, type PersonFact } from '../../../streams/organisation/facts/events.ts'
import { DAY_MS, dayOf } from '../../../streams/organisation/release/names.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { readFolder } from '../../folder/readFolder.ts'
import type { Picture } from '../sql/pictures.ts'
import type { DirectoryRow } from '../context/serviceContext.ts'
import { type Colleague, COLLEAGUES } from './colleagues.ts'

export type Demonstration = Readonly<{
  document: ReleaseDocument
  /** The pictures, by the hash of their content. */
  pictures: ReadonlyMap<string, Picture>
  people: readonly DirectoryRow[]
  colleagues: readonly Colleague[]
  /** The paths of templates that plans accept despite findings. */
  difficult: readonly string[]
}>

const readPart = (name: 'signatures' | 'difficult' | 'colleagues') =>
  readFolder(join(import.meta.dirname, name))

/**
 * Reads an administrator's folder of signatures, and adds the signatures that are difficult to display.
 *
 * @param colleagues adds the colleagues, and their variables, signatures, blocks and lists of recipients
 */
export async function readDemonstration({ colleagues = false } = {}): Promise<Demonstration> {
  const [northwind, difficult, others] = await Promise.all([
    readPart('signatures'),
    readPart('difficult'),
    colleagues ? readPart('colleagues') : null,
  ])
  const { document } = northwind
  const lists = others?.document.lists
  return {
    document: {
      ...document,
      variables: [...document.variables, ...(others?.document.variables ?? [])],
      signatures: [
        ...document.signatures,
        ...(others?.document.signatures ?? []),
        ...difficult.document.signatures,
      ],
      ...(document.blocks && { blocks: [...(others?.document.blocks ?? []), ...document.blocks] }),
      ...(lists && { lists }),
      templates: {
        ...document.templates,
        ...others?.document.templates,
        ...difficult.document.templates,
      },
      pictures: { ...document.pictures, ...difficult.document.pictures },
    },
    pictures: new Map([...northwind.pictures, ...difficult.pictures]),
    people: northwind.people ?? [],
    colleagues: colleagues ? COLLEAGUES : [],
    difficult: Object.keys(difficult.document.templates),
  }
}

/** The day on which the demonstration begins, in the periods of the folder. */
const FIRST_DAY = Date.parse('2031-09-23')

/**
 * Shifts the periods of blocks by whole days, so that the demonstration shows the same signatures whenever it begins.
 */
export function demonstrationStartingAt(now: number, demonstration: Demonstration): Demonstration {
  const { document } = demonstration
  const by = Math.floor(now / DAY_MS) * DAY_MS - FIRST_DAY
  const moved = (day: string) => dayOf(Date.parse(day) + by)
  const blocks = document.blocks?.map((block) => ({
    ...block,
    during: block.during && { ...block.during, from: moved(block.during.from), to: moved(block.during.to) },
  }))
  return { ...demonstration, document: { ...document, ...(blocks && { blocks }) } }
}

/** The values that people have saved when the demonstration begins, by person id. */
export const DEMONSTRATION_FACTS: Readonly<Record<string, readonly PersonFact[]>> = {
  'u-1': [
    Person.valuesSaved({
      values: {
        job_title: 'Head of Voyage Planning',
        network_page: 'https://network.example/in/alex-kim',
        pronouns: 'they/them',
        booking_link: 'https://book.northwind.example/alex-kim?length=30&type=call',
        campaign_line: 'Summer hours: the desk closes at 15:00 on Fridays until 29 August.',
      },
      reset: [],
    }),
    Person.metadataSaved({
      metadata: { defaultSignature: { master: 'portrait-u-1', reply: 'portrait-u-1' } },
    }),
  ],
  'u-3': [
    Person.valuesSaved({
      values: {
        first_name: 'Maria',
        department: 'Operações',
        phone: '+351 21 555 0171',
        network_page: 'https://network.example/in/maria-silva',
        campaign_line: 'Boas festas de toda a equipa!',
      },
      reset: [],
    }),
  ],
  'u-4': [
    Person.valuesSaved({
      values: { department: 'Umschlag', phone: '+49 40 5550 0117' },
      reset: [],
    }),
  ],
  'u-5': [
    Person.valuesSaved({
      values: {
        job_title: 'Quality <"&\'> Assurance',
        network_page: 'javascript:alert(1)',
        pronouns: 'she/her',
      },
      reset: [],
    }),
  ],
}
