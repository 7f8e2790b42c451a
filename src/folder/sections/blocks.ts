import type { Block, GuardRule } from '../../../streams/organisation/release/release.ts'
import {
  isVariableName,
  blockShareIn,
  EACH_MAIL,
  SIGNATURE_ID_PATTERN,
} from '../../../streams/organisation/release/names.ts'
import { readEditors } from './approval.ts'
import { readRecipients, readSelection, readThread } from './selection.ts'
import { readTemplate, SELECTION_KEYS } from './signatures.ts'
import type { YamlEntry } from '../yaml.ts'
import { quoteUntrusted } from '../finding.ts'
import { readBlockPeriod } from './period.ts'
import type { SectionReader } from './reader.ts'

export function readBlock(reader: SectionReader, entry: YamlEntry): readonly Block[] {
  const { error, flag, keepPlaces, places, record, text } = reader
  const { key, place } = entry
  const path = `blocks.${key}`
  places.set(path, place)
  const keys = ['name', 'slot', 'template', ...SELECTION_KEYS, 'thread', 'replies', 'share', 'editors']
  const of = record(entry, keys, 'A block')
  if (!SIGNATURE_ID_PATTERN.test(key)) {
    error(place, 'name', `A block is named by a to z, digits and "_": ${quoteUntrusted(key)} is not.`)
    return []
  }
  keepPlaces(of, path, ['name', 'slot', 'template', 'during', 'recipients', 'thread', 'replies', 'share'])
  const slot = readSlot(reader, of['slot'])
  if (of['slot'] === undefined)
    error(place, 'noSlot', 'A block needs a slot: slot: banner, which templates show by {{block banner}}.')
  const template = readTemplate(reader, of['template'])
  if (of['template'] === undefined)
    error(place, 'noTemplate', 'A block needs a template: templates/blocks/autumn.html.')
  const block = {
    id: key,
    name: text(of['name']) ?? key,
    selection: readSelection(reader, of, path, place, 'The block', 'everyone'),
    ...readBlockPeriod(reader, of, path),
    recipients: readRecipients(reader, of['recipients'], `${path}.recipients`),
    ...readThread(reader, of['thread']),
    replies: flag(of['replies']) ?? true,
    ...readShare(reader, of['share']),
    ...readEditors(reader, of['editors'], `${path}.editors`),
  }
  return slot === null || template === null ? [] : [{ ...block, slot, template }]
}

function readSlot({ error, text }: SectionReader, entry: YamlEntry | undefined): string | null {
  const slot = text(entry)
  if (entry === undefined || slot === null || isVariableName(slot)) return slot
  return error(
    entry.place,
    'slot',
    `A slot is named by letters, digits and "_": ${quoteUntrusted(slot)} is not.`,
  )
}

function readShare(
  { error, text }: SectionReader,
  entry: YamlEntry | undefined,
): Pick<Block, 'share' | 'turns'> {
  const written = text(entry)
  if (entry === undefined || written === null) return { share: 100 }
  const isByMail = written.endsWith(EACH_MAIL)
  const share = blockShareIn(isByMail ? written.slice(0, -EACH_MAIL.length) : written)
  // A share of 100 % leaves out no message, so it needs no turns.
  if (share !== null) return { share, ...(isByMail && share < 100 && { turns: 'mail' as const }) }
  error(
    entry.place,
    'share',
    `"share" is a percentage of the people, from 1 to 100, or of the messages, such as "30 each mail": ${quoteUntrusted(written)} is neither.`,
  )
  return { share: 100 }
}

export function readGuardRule(reader: SectionReader, entry: YamlEntry, path: string): readonly GuardRule[] {
  const { error, keepPlaces, places, record, text } = reader
  const { place } = entry
  places.set(path, place)
  const of = record(entry, ['signature', 'block', 'for', 'not', 'recipients'], 'A rule of "guard"')
  const { signature, block } = of
  keepPlaces(of, path, ['block', 'recipients'])
  if ((signature === undefined) === (block === undefined)) {
    error(place, 'guard', 'A rule of "guard" is "signature: missing", or "block:" and the id of a block.')
    return []
  }
  if (block !== undefined) {
    for (const key of ['for', 'not', 'recipients'])
      if (of[key] !== undefined)
        error(
          of[key].place,
          'guard',
          `${quoteUntrusted(key)} stands at the block: it is asked for where it is due.`,
        )
    const id = text(block)
    return id === null ? [] : [{ missing: 'block', block: id }]
  }
  if (text(signature) !== 'missing')
    error(signature?.place ?? place, 'value', '"signature" is "missing": what is asked about.')
  return [
    {
      missing: 'signature',
      selection: readSelection(reader, of, path, place, 'The rule', 'everyone'),
      recipients: readRecipients(reader, of['recipients'], `${path}.recipients`),
    },
  ]
}
