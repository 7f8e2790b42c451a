import { type Entry, type EntryFields, isEmpty } from '../yaml.ts'
import { isField, isVariable } from '../../../streams/organisation/release/names.ts'
import type { Source, Variable } from '../../../streams/organisation/release/release.ts'
import { quote } from '../finding.ts'
import type { SectionReader } from './reader.ts'

/** Reads a variable's source: `from`, and `value` for people without that field. */
export function readSource({ error, text }: SectionReader, { from: field, value }: EntryFields): Source {
  const from = text(field)
  const isNamed = from === null || isField(from)
  if (!isNamed && field !== undefined)
    error(field.place, 'value', `${quote(from)} is not a field of a directory.`)
  return { from: isNamed ? from : null, value: text(value) }
}

export function readVariable(reader: SectionReader, entry: Entry): readonly Variable[] {
  const { error, flag, keepPlaces, places, record, text } = reader
  const { key, place } = entry
  const path = `variables.${key}`
  places.set(path, place)
  const keys = ['from', 'value', 'edit', 'resync', 'hidden', 'label', 'group']
  const of = isEmpty(entry) ? {} : record(entry, keys, 'A variable')
  if (!isVariable(key)) {
    error(place, 'name', `A variable is named by letters, digits and "_": ${quote(key)} is not.`)
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
      group: group === undefined ? ownGroup : isEmpty(group) ? null : text(group),
    },
  ]
}
