import { isAddress, isVariableName } from '../../../streams/organisation/release/names.ts'
import type { YamlEntry } from '../yaml.ts'
import type { SharedMailbox } from '../../../streams/organisation/release/release.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import { quoteUntrusted } from '../finding.ts'
import { readSelection } from './selection.ts'
import type { SectionReader } from './reader.ts'

export function readMailbox(reader: SectionReader, entry: YamlEntry): readonly SharedMailbox[] {
  const { entries, error, places, record, text } = reader
  const { key, place } = entry
  const address = normaliseAddress(key)
  const path = `mailboxes.${address}`
  const of = record(entry, ['for', 'not', 'values'], 'A mailbox')
  if (places.has(path)) {
    error(place, 'twice', `${quoteUntrusted(address)} is here twice.`)
    return []
  }
  places.set(path, place)
  if (!isAddress(address)) {
    error(place, 'value', `${quoteUntrusted(key)} is not a mail address.`)
    return []
  }
  const pairs = entries(of['values'])
  for (const pair of pairs) places.set(`${path}.values.${pair.key}`, pair.place)
  return [
    {
      address,
      selection: readSelection(reader, of, path, place, 'The mailbox'),
      values: Object.fromEntries(
        pairs.flatMap((pair) => {
          const value = text(pair)
          if (value === null) return []
          if (isVariableName(pair.key)) return [[pair.key, value]]
          error(pair.place, 'unknownVariable', `There is no variable ${quoteUntrusted(pair.key)}.`)
          return []
        }),
      ),
    },
  ]
}
