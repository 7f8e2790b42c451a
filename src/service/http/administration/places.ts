/** The rules that decide about a person, with their lines in the `signet.yaml` that `signet export` writes. */
import { decidingFor, lineIn } from '../../../../streams/organisation/deciding.ts'
import type { Release, ReleaseDocument } from '../../../../streams/organisation/release.ts'
import type { PersonState } from '../../../../streams/organisation/state.ts'
import { inTurns } from '../../../server/turns.ts'
import { type Lines, writtenLines } from '../../folder/writtenYaml.ts'

const written = new WeakMap<ReleaseDocument, Promise<Lines>>()

/** The lines of a release in its `signet.yaml`, which are written once. */
function linesOf({ document }: Release): Promise<Lines> {
  const known = written.get(document)
  if (known) return known
  const lines = inTurns(writtenLines(document))
  written.set(document, lines)
  return lines
}

/** By the paths of the signatures and blocks of the release, and of the mailboxes that the person may write for. */
export async function placesFor(
  release: Release,
  person: PersonState,
  at: number,
): Promise<Readonly<Record<string, Readonly<{ path: string; line: number }>>>> {
  const lines = await linesOf(release)
  return Object.fromEntries(
    [...decidingFor(release, person, at)].flatMap(([item, path]) => {
      const line = lineIn(lines, item, path)
      return line === null ? [] : [[item, { path, line }] as const]
    }),
  )
}
