/** Says what the readers' mail clients do with pictures that are linked instead of attached. */
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { ExpandedTemplate } from './expanded.ts'
import { type Finding, andList, type Place, warningFinding } from './finding.ts'
import { LINKED_PICTURES, type LinkedPictureUse, READER_TITLES, type ReaderName } from './readerNames.ts'

const HOW: Readonly<Record<LinkedPictureUse, string>> = {
  asks: 'after a question to the reader in',
  server: 'through a server of their own in',
  relay: 'through a relay in',
  setting: 'as the reader has set it in',
}
const ALL = Object.keys(HOW) as readonly LinkedPictureUse[]

/** Returns one warning, at the first linked picture or at the setting that links all; none without linked pictures. */
export function checkLinkedPictures(
  { linked = false }: Pick<ReleaseDocument, 'linked'>,
  expandedOf: ReadonlyMap<string, ExpandedTemplate | null>,
  readers: readonly string[],
  placeOf: (path: string) => Place,
): readonly Finding[] {
  const known = readers.filter((reader): reader is ReaderName => Object.hasOwn(LINKED_PICTURES, reader))
  const place = firstLinked(expandedOf, linked)
  if (place === null || known.length === 0) return []
  const ways = ALL.flatMap((use) => {
    const those = known.filter((reader) => LINKED_PICTURES[reader] === use)
    return those.length === 0 ? [] : [`${HOW[use]} ${andList(those.map((reader) => READER_TITLES[reader]))}`]
  })
  return [
    warningFinding(
      linked ? placeOf('pictures') : place,
      'linkedPicture',
      `A linked picture is not in the mail. Mail clients ask your service for it: ${ways.join('; ')}.`,
    ),
  ]
}

/** The place of the first linked picture in the templates. */
function firstLinked(
  expandedOf: ReadonlyMap<string, ExpandedTemplate | null>,
  isEvery: boolean,
): Place | null {
  for (const expanded of expandedOf.values()) {
    const use = expanded?.uses.find(({ kind, isLinked }) => kind === 'picture' && (isEvery || isLinked))
    if (expanded && use) return expanded.placeOf(use.at)
  }
  return null
}
