import { isAddress, isVariable } from '../../../streams/organisation/release/names.ts'
import type { Entry } from '../yaml.ts'
import type { Mailbox } from '../../../streams/organisation/release/release.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import { quote } from '../finding.ts'
import { readSelection } from './selection.ts'
import type { SectionReader } from './reader.ts'

export function readMailbox(reader: SectionReader, entry: Entry): readonly Mailbox[] {
  const { entries, error, places, record, text } = reader
  const { key, place } = entry
  const address = normaliseAddress(key)
  const path = `mailboxes.${address}`
  const of = record(entry, ['for', 'not', 'values'], 'A mailbox')
  if (places.has(path)) {
    error(place, 'twice', `${quote(address)} is here twice.`)
    return []
  }
  places.set(path, place)
  if (!isAddress(address)) {
    error(place, 'value', `${quote(key)} is not a mail address.`)
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
          if (isVariable(pair.key)) return [[pair.key, value]]
          error(pair.place, 'unknownVariable', `There is no variable ${quote(pair.key)}.`)
          return []
        }),
      ),
    },
  ]
}
