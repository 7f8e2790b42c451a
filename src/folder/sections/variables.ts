import { type YamlEntry, type EntryFields, isEmptyEntry } from '../yaml.ts'
import { isFieldName, isVariableName } from '../../../streams/organisation/release/names.ts'
import type { VariableSource, Variable } from '../../../streams/organisation/release/release.ts'
import { quoteUntrusted } from '../finding.ts'
import type { SectionReader } from './reader.ts'

/** Reads a variable's source: `from`, and `value` for people without that field. */
export function readSource(
  { error, text }: SectionReader,
  { from: field, value }: EntryFields,
): VariableSource {
  const from = text(field)
  const isNamed = from === null || isFieldName(from)
  if (!isNamed && field !== undefined)
    error(field.place, 'value', `${quoteUntrusted(from)} is not a field of a directory.`)
  return { from: isNamed ? from : null, value: text(value) }
}

export function readVariable(reader: SectionReader, entry: YamlEntry): readonly Variable[] {
  const { error, flag, keepPlaces, places, record, text } = reader
  const { key, place } = entry
  const path = `variables.${key}`
  places.set(path, place)
  const keys = ['from', 'value', 'edit', 'resync', 'hidden', 'label', 'group']
  const of = isEmptyEntry(entry) ? {} : record(entry, keys, 'A variable')
  if (!isVariableName(key)) {
    error(place, 'name', `A variable is named by letters, digits and "_": ${quoteUntrusted(key)} is not.`)
    return []
  }
  keepPlaces(of, path, ['from', 'label', 'group'])
  const source = readSource(reader, of)
  const { edit, resync, hidden, label, group } = of
  const isReset = flag(resync) ?? false
  if (isReset && source.from === null && resync !== undefined)
    error(resync.place, 'resync', '"resync" needs "from": the field of the directory.')
  const ownGroup = source.from === null ? 'rest' : 'mapped'
  return [
    {
      path: key,
      ...source,
      edit: flag(edit) ?? false,
      resync: isReset,
      hidden: flag(hidden) ?? false,
      label: text(label),
      group: group === undefined ? ownGroup : isEmptyEntry(group) ? null : text(group),
    },
  ]
}
