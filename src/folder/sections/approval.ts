/** Reads `approval` and `editors`: who approves a publish, and who may change a part of the folder. */
import { isRoleName } from '../../../streams/organisation/plan/approval.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { roles } from '../../../streams/wire/administration/insight.ts'
import { isEmptyEntry, type YamlEntry } from '../yaml.ts'
import type { SectionReader } from './reader.ts'

const ROLES: ReadonlySet<string> = new Set(roles)

export const isApprover = (name: string): boolean => !isRoleName(name) || ROLES.has(name)

export function readApproval(
  { error, record, only, placeOf, texts }: SectionReader,
  entry: YamlEntry,
): NonNullable<ReleaseDocument['approval']> | null {
  const { by } = record(entry, ['by'], '"approval"')
  const named = by === undefined || isEmptyEntry(by) ? [] : texts(by, 'approval.by').filter(Boolean)
  if (by === undefined || named.length === 0)
    return error(
      placeOf(by ?? entry),
      'approval',
      '"approval" names who approves: approval: { by: [Signet.Publish] }, a role or a group of the directory.',
    )
  const known = only([...new Set(named)], placeOf(by), isApprover, `role; known are ${roles.join(', ')}`)
  return known.length === 0 ? null : { by: known }
}

/**
 * Reads the groups that may change a part of the folder; empty without `editors`.
 *
 * @param path the path in `DocumentPlaces`, such as `signatures.autumn.editors`
 */
export function readEditors(
  { error, placeOf, texts }: SectionReader,
  entry: YamlEntry | undefined,
  path: string,
): Readonly<{ editors?: readonly string[] }> {
  if (entry === undefined) return {}
  const named = isEmptyEntry(entry) ? [] : texts(entry, path).filter(Boolean)
  if (named.length > 0) return { editors: [...new Set(named)] }
  error(placeOf(entry), 'editors', '"editors" names groups of the directory, whose members may change it.')
  return {}
}
