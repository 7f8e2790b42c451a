/** Commands on a folder. They need no service and no network. */
import { resolve } from 'node:path'
import { fillSlots } from '../../streams/html/slots.ts'
import { GALLERY_NAMES } from '../../streams/organisation/release/gallery.ts'
import { decidingRulesFor } from '../../streams/organisation/rules/decidingRule.ts'
import { dayOf } from '../../streams/organisation/release/names.ts'
import { compileRelease, type Release } from '../../streams/organisation/release/release.ts'
import {
  renderingAddresses,
  SIGNATURE_USES,
  createSlottedRenderer,
} from '../../streams/organisation/rendering/render.ts'
import {
  assignedSignatures,
  defaultChoice,
  combinedIds,
  fittingConditions,
} from '../../streams/organisation/rules/rules.ts'
import { displayName } from '../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { type SampleRecipients, sampleCircumstances } from '../../streams/organisation/release/supposed.ts'
import { checkingFolder, personOf } from '../folder/checkFolder.ts'
import { type Finding, isErrorFinding } from '../folder/finding.ts'
import type { DocumentPlaces } from '../folder/sections/reader.ts'
import { readFolder, type FolderRead } from '../folder/readFolder.ts'
import { withoutUnsupported } from '../folder/readers.ts'
import { initFolder } from '../folder/writeFolder.ts'
import { UNSEALED_FORMATS } from '../values/formats.ts'
import { recipientsText, withBlocksText } from './blocksText.ts'
import { previewPage, type PreviewEntry, type SignaturePreview } from './pages.ts'
import { PICTURES_BASE_ADDRESS, embedPictures, type PicturesByHash } from './pictureData.ts'
import { placeInFolder } from './placeText.ts'
import { runWithProgress } from './progress.ts'
import { countText, conditionsText } from './planText.ts'
import {
  requiredText,
  CommandStop,
  stopOnError,
  CommandUsageError,
  recipientsOf,
  optionText,
  timeOf,
  type CommandHandler,
  type Terminal,
  writePage,
} from './terminal.ts'

export const asClassicOutlook = (html: string): string => withoutUnsupported(html, 'outlook-windows')

/** @throws Stop for a folder that cannot be read */
export const openFolder = (folder: string): Promise<FolderRead> =>
  readFolder(folder).catch(stopOnError(`The folder ${folder} cannot be read: `))

/**
 * Reads a folder and prints its findings.
 *
 * @throws Stop when a finding is an error
 */
export async function openGoodFolder(folder: string, at: number, terminal: Terminal): Promise<FolderRead> {
  const read = await openFolder(folder)
  stopAtErrors(await checkLong(read, at, terminal), `${folder}; nothing was sent`, terminal)
  return read
}

/** Checks a folder and shows the progress. */
const checkLong = (read: FolderRead, at: number, terminal: Terminal): Promise<readonly Finding[]> =>
  runWithProgress(checkingFolder(read, at), { title: 'The check', one: 'signature' }, terminal)

/** Prints each finding on its own line; returns the number of errors. */
export function printFindings(findings: readonly Finding[], { complain }: Terminal): number {
  for (const { file, line, column, level, code, message } of findings)
    complain(`${file}:${line}:${column}: ${level} ${code}: ${message}\n`)
  return findings.filter(isErrorFinding).length
}

/**
 * Prints each finding on its own line.
 *
 * @throws Stop when there are errors, with their number and `where` they are
 */
export function stopAtErrors(findings: readonly Finding[], where: string, terminal: Terminal): void {
  const errors = printFindings(findings, terminal)
  if (errors > 0) throw new CommandStop(`${countText(errors, 'error')} in ${where}.`)
}

export const checkCommand: CommandHandler = async ([folder = ''], options, terminal) => {
  const read = await openFolder(folder)
  const findings = await checkLong(read, timeOf(options, terminal.now), terminal)
  const errors = printFindings(findings, terminal)
  const warnings = findings.length - errors
  if (errors === 0)
    terminal.write(
      `${folder}: ${countText(read.document.signatures.length, 'signature')}, ${countText(read.people?.length ?? 0, 'person', 'people')}, no errors${warnings === 0 ? '' : `, ${countText(warnings, 'warning')}`}\n`,
    )
  else terminal.complain(`${countText(errors, 'error')}, ${countText(warnings, 'warning')}\n`)
  return errors === 0 ? 0 : 1
}

export const initCommand: CommandHandler = async ([folder = ''], options, { write }) => {
  const [organisation, domain] = [
    requiredText(options, 'organisation', '"Northwind Trading"'),
    requiredText(options, 'domain', 'northwind.example'),
  ]
  const wanted = optionText(options, 'template') ?? null
  const template = GALLERY_NAMES.find((name) => name === wanted) ?? null
  if (wanted !== null && template === null)
    throw new CommandUsageError(
      `The gallery has no template "${wanted}". It has ${GALLERY_NAMES.join(', ')}.`,
    )
  await initFolder(folder, { organisation, domain, template }).catch(
    stopOnError(`The folder ${folder} cannot be written: `),
  )
  write(`${folder} is written. Next: signet check ${folder}\n`)
  return 0
}

export const previewCommand: CommandHandler = async ([folder = ''], options, terminal) => {
  const address = requiredText(options, 'person', 'maria.silva@northwind.example').toLowerCase()
  const at = timeOf(options, terminal.now)
  const recipients = recipientsOf(options)
  const out = optionText(options, 'out') ?? 'preview.html'
  const read = await openFolder(folder)
  if (printFindings(await checkLong(read, at, terminal), terminal) > 0)
    terminal.complain('The preview shows the folder as it is, with its errors.\n')
  const row = read.people?.find(({ record }) => record.addresses.includes(address))
  if (!row) throw new CommandStop(`${address} is not in people.csv of ${folder}.`)
  const person = personOf(row)
  const release = compileRelease('preview', read.document, UNSEALED_FORMATS)
  const day = dayOf(at)
  const entries = previewEntries(release, read, person, at, options['reply'] === true, recipients)
  if (entries.length === 0) terminal.write(`${address} has no signature on ${day}.\n`)
  const title = `Signatures of ${displayName(release, person) || address} on ${day}${recipients === null ? '' : `, ${recipientsText(recipients)}`}`
  await writePage(out, previewPage(title, entries))
  terminal.write(`${out} shows ${countText(entries.length, 'signature')} of ${address}.\n`)
  if (options['open'] === true) terminal.open(resolve(out))
  return 0
}

/** The entries of a person's preview, for messages to these recipients. */
export function previewEntries(
  release: Release,
  { pictures, places }: Readonly<{ pictures: PicturesByHash; places: DocumentPlaces }>,
  person: PersonState,
  at: number,
  isReply: boolean,
  recipients: SampleRecipients | null,
): readonly PreviewEntry[] {
  const master = defaultChoice(release, person, at)?.choice.master
  const slotted = createSlottedRenderer(
    release,
    person,
    renderingAddresses(PICTURES_BASE_ADDRESS, person),
    at,
  )
  const deciding = decidingRulesFor(release, person, at)
  return assignedSignatures(release, person, at).map((signature) => {
    const shown = SIGNATURE_USES.flatMap((use): SignaturePreview[] => {
      if (isReply && use !== 'reply') return []
      const rendered = slotted(signature, use)
      if (rendered === null) return []
      const { html, blocks } = fillSlots(rendered, {
        ...sampleCircumstances(release, recipients, use === 'reply'),
        at,
      })
      return [shownAs(`${TITLES[use]}${withBlocksText(blocks.map(({ name }) => name))}`, html, pictures)]
    })
    const because = conditionsText(fittingConditions(signature.selection, person))
    const item = `signatures.${signature.id}`
    const place = placeInFolder(places, item, deciding.get(item) ?? item)
    const isDefault = combinedIds(signature.id, person.id) === master
    return {
      name: signature.name,
      notes: [`${isDefault ? 'The default, because' : 'Because'} ${because}${place}.`],
      shown,
    }
  })
}

const TITLES = { signature: 'New message', reply: 'Reply', mobile: 'Mobile', meeting: 'Meeting' } as const

/** Embeds pictures last, because their long data would slow down the parsing for classic Outlook. */
const shownAs = (title: string, html: string, pictures: PicturesByHash): SignaturePreview => ({
  title,
  html: embedPictures(html, PICTURES_BASE_ADDRESS, pictures),
  asClassicOutlook: embedPictures(asClassicOutlook(html), PICTURES_BASE_ADDRESS, pictures),
})
