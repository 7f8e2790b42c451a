import { readRecipients, readSelection, readThread } from './selection.ts'
import { type Signature, TEMPLATE_VERSIONS } from '../../../streams/organisation/release/release.ts'
import type { YamlEntry } from '../yaml.ts'
import { isTemplatePath } from '../../../streams/organisation/release/paths.ts'
import { quoteUntrusted } from '../finding.ts'
import { readPeriod } from './period.ts'
import type { SectionReader } from './reader.ts'
import { readEditors } from './approval.ts'
import { SIGNATURE_ID_PATTERN } from '../../../streams/organisation/release/names.ts'

export const SELECTION_KEYS = ['for', 'not', 'during', 'time-zone', 'recipients']

/** Reads the path of a template; null if there is none. Any other text is a finding and reads as null. */
export function readTemplate({ error, text }: SectionReader, named: YamlEntry | undefined): string | null {
  const file = text(named)
  if (named === undefined || file === null || isTemplatePath(file)) return file
  return error(named.place, 'path', `${quoteUntrusted(file)} is not a template: templates/corporate.html.`)
}

export function readSignature(reader: SectionReader, entry: YamlEntry): readonly Signature[] {
  const { error, keepPlaces, places, record, text } = reader
  const { key, place } = entry
  const path = `signatures.${key}`
  places.set(path, place)
  const keys = ['name', ...TEMPLATE_VERSIONS, ...SELECTION_KEYS, 'thread', 'collection', 'editors']
  const of = record(entry, keys, 'A signature')
  if (!SIGNATURE_ID_PATTERN.test(key)) {
    error(place, 'name', `A signature is named by a to z, digits and "_": ${quoteUntrusted(key)} is not.`)
    return []
  }
  const template = readTemplate(reader, of['template'])
  keepPlaces(of, path, [...TEMPLATE_VERSIONS, 'name', 'during', 'recipients', 'thread', 'collection'])
  if (of['template'] === undefined)
    error(place, 'noTemplate', 'A signature needs a template: templates/corporate.html.')
  const meeting = readTemplate(reader, of['meeting'])
  const signature = {
    id: key,
    name: text(of['name']) ?? key,
    reply: readTemplate(reader, of['reply']),
    mobile: readTemplate(reader, of['mobile']),
    ...(meeting !== null && { meeting }),
    selection: readSelection(reader, of, path, place, 'The signature'),
    during: readPeriod(reader, of),
    recipients: readRecipients(reader, of['recipients'], `${path}.recipients`),
    ...readThread(reader, of['thread']),
    collection: text(of['collection']),
    ...readEditors(reader, of['editors'], `${path}.editors`),
  }
  return template === null ? [] : [{ ...signature, template }]
}
