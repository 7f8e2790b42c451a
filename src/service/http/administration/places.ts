/** The rules that decide about a person, with their lines in the `signet.yaml` that `signet export` writes. */
import { decidingFor, lineIn } from '../../../../streams/organisation/rules/decidingRule.ts'
import type { Release, ReleaseDocument } from '../../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { yamlApart, YamlTooCostly } from '../../../folder/yamlApart.ts'
import type { Lines } from '../../../folder/writtenYaml.ts'

const written = new WeakMap<ReleaseDocument, Promise<Lines>>()

/** The lines of a release in its `signet.yaml`, which are written once. Without lines, rules are named without a place. */
function linesOf({ document }: Release, organisation: object): Promise<Lines> {
  const known = written.get(document)
  if (known) return known
  const lines = yamlApart(organisation, null).lines(document)
  written.set(document, lines)
  return lines.catch((error: unknown) => {
    if (error instanceof YamlTooCostly) return NO_LINES
    written.delete(document)
    throw error
  })
}

const NO_LINES: Lines = new Map()

/**
 * By the paths of the signatures and blocks of the release, and of the mailboxes that the person may write for.
 *
 * @param organisation as of `yamlApart`
 */
export async function placesFor(
  release: Release,
  person: PersonState,
  at: number,
  organisation: object,
): Promise<Readonly<Record<string, Readonly<{ path: string; line: number }>>>> {
  const lines = await linesOf(release, organisation)
  return Object.fromEntries(
    [...decidingFor(release, person, at)].flatMap(([item, path]) => {
      const line = lineIn(lines, item, path)
      return line === null ? [] : [[item, { path, line }] as const]
    }),
  )
}
