/** Lists the differences between a folder and the published release, in lines for the terminal. */
import { PICTURES_FOLDER } from '../../streams/organisation/release/paths.ts'
import type { Drift, DriftedPart } from '../../streams/organisation/release/drift.ts'
import type { DocumentPlaces } from '../folder/sections/reader.ts'
import { orList } from './planText.ts'

const LISTS: Readonly<Partial<Record<DriftedPart, string>>> = {
  variable: 'variables',
  signature: 'signatures',
  block: 'blocks',
  mailbox: 'mailboxes',
}

/**
 * Returns one line per difference: `signet.yaml:12: the signature autumn is only in the folder`. Only parts in the
 * folder's `signet.yaml` have a line number.
 *
 * @param places where the parts are in the folder's `signet.yaml`
 */
export const driftText = (drifts: readonly Drift[], places: DocumentPlaces): string =>
  drifts.map((drift) => `${placeText(drift, places)}${sentence(drift)}\n`).join('')

function placeText(drift: Drift, places: DocumentPlaces): string {
  if (drift.kind === 'order') return ''
  const list = LISTS[drift.of]
  const place = list === undefined ? undefined : places.get(`${list}.${drift.name}`)
  return place ? `${place.file}:${place.line}: ` : ''
}

function sentence(drift: Drift): string {
  if (drift.kind === 'order') return `the ${LISTS[drift.of] ?? drift.of} have another order`
  const what = nameOf(drift)
  switch (drift.kind) {
    case 'added':
      return `${what} is only in the folder`
    case 'removed':
      return `${what} is only in what is published`
    case 'changed':
      return drift.keys.length === 0 ? `${what} differs` : `${what} differs in ${orList(drift.keys, 'and')}`
  }
}

function nameOf({ of, name }: Exclude<Drift, { kind: 'order' }>): string {
  if (of === 'template') return name
  if (of === 'picture') return `${PICTURES_FOLDER}/${name}`
  return of === 'setting' ? `"${name}"` : `the ${of} ${name}`
}
