/** Finds the rules that decide about a person, with their lines in the `signet.yaml` that `signet export` writes. */
import { decidingRulesFor, ruleLineIn } from '../../../../streams/organisation/rules/decidingRule.ts'
import type { Release, ReleaseDocument } from '../../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { yamlInOwnThread, YamlTooCostly } from '../../../folder/yamlApart.ts'
import type { YamlLines } from '../../../folder/writtenYaml.ts'

const written = new WeakMap<ReleaseDocument, Promise<YamlLines>>()

/** The line numbers of a release's `signet.yaml`, computed once. If the file is too costly to write, there are none. */
function linesOf({ document }: Release, organisation: object): Promise<YamlLines> {
  const known = written.get(document)
  if (known) return known
  const lines = yamlInOwnThread(organisation, null).lines(document)
  written.set(document, lines)
  return lines.catch((error: unknown) => {
    if (error instanceof YamlTooCostly) return NO_LINES
    written.delete(document)
    throw error
  })
}

const NO_LINES: YamlLines = new Map()

/**
 * Finds the places of the rules that decide about a person, by the path of their signature, block or mailbox. Includes
 * the mailboxes for which the person may write.
 *
 * @param organisation the organisation to work for; organisations take turns to write YAML
 */
export async function decidingPlacesFor(
  release: Release,
  person: PersonState,
  at: number,
  organisation: object,
): Promise<Readonly<Record<string, Readonly<{ path: string; line: number }>>>> {
  const lines = await linesOf(release, organisation)
  return Object.fromEntries(
    [...decidingRulesFor(release, person, at)].flatMap(([item, path]) => {
      const line = ruleLineIn(lines, item, path)
      return line === null ? [] : [[item, { path, line }] as const]
    }),
  )
}
