/** Compares two documents. The result is empty exactly when both are the same release. */
import { canonicalText, type ReleaseDocument } from './release.ts'

/** A kind of named part in a folder. A `setting` is any key of `signet.yaml` that does not list such parts. */
export type DriftedPart = 'setting' | 'variable' | 'signature' | 'block' | 'mailbox' | 'template' | 'picture'

/**
 * A difference: a part that is only in the new document (`added`), only in the old one (`removed`), or changed, with
 * its changed keys if it has keys. `order`: the parts that both documents have are in another order.
 */
export type Drift =
  | Readonly<{ kind: 'added' | 'removed'; of: DriftedPart; name: string }>
  | Readonly<{ kind: 'changed'; of: DriftedPart; name: string; keys: readonly string[] }>
  | Readonly<{ kind: 'order'; of: DriftedPart }>

type Named = readonly (readonly [name: string, value: unknown])[]

/** The lists and maps of a document with named entries. All other fields are settings. */
const NAMED: Readonly<
  Partial<Record<keyof ReleaseDocument, Readonly<{ of: DriftedPart; named: (of: ReleaseDocument) => Named }>>>
> = {
  variables: { of: 'variable', named: ({ variables }) => variables.map((each) => [each.path, each]) },
  signatures: { of: 'signature', named: ({ signatures }) => signatures.map((each) => [each.id, each]) },
  blocks: { of: 'block', named: ({ blocks = [] }) => blocks.map((each) => [each.id, each]) },
  mailboxes: { of: 'mailbox', named: ({ mailboxes }) => mailboxes.map((each) => [each.address, each]) },
  templates: { of: 'template', named: ({ templates }) => inOrder(templates) },
  pictures: { of: 'picture', named: ({ pictures }) => inOrder(pictures) },
}

/** Sorts files by name, because their order has no meaning. */
const inOrder = (files: Readonly<Record<string, string>>): Named =>
  Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))

const keyOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const textOf = (value: unknown): string => (value === undefined ? '' : canonicalText(value))

/** The keys whose values differ between two maps; empty for other values. */
function keysThatDiffer(one: unknown, other: unknown): readonly string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return []
  const [before, after] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => textOf(before.get(key)) !== textOf(after.get(key)))
    .map((key) => (key === 'selection' ? 'for or not' : keyOf(key)))
}

function driftOfNamed(of: DriftedPart, before: Named, after: Named): readonly Drift[] {
  const [former, now] = [new Map(before), new Map(after)]
  const stays = (names: Named, others: ReadonlyMap<string, unknown>) =>
    names.flatMap(([name]) => (others.has(name) ? [name] : []))
  const isMoved = stays(before, now).join('\0') !== stays(after, former).join('\0')
  return [
    ...after.flatMap(([name, value]): Drift[] => {
      if (!former.has(name)) return [{ kind: 'added', of, name }]
      const old = former.get(name)
      return textOf(old) === textOf(value)
        ? []
        : [{ kind: 'changed', of, name, keys: keysThatDiffer(old, value) }]
    }),
    ...before.flatMap(([name]): Drift[] => (now.has(name) ? [] : [{ kind: 'removed', of, name }])),
    ...(isMoved ? [{ kind: 'order', of } as const] : []),
  ]
}

/**
 * Lists the differences between the published document and another one.
 *
 * @param before the published document; null before the first release, when every part counts as added
 */
export function driftOf(before: ReleaseDocument | null, after: ReleaseDocument): readonly Drift[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]) as ReadonlySet<
    keyof ReleaseDocument
  >
  return [...fields].flatMap((field): readonly Drift[] => {
    const parts = NAMED[field]
    if (parts) return driftOfNamed(parts.of, before ? parts.named(before) : [], parts.named(after))
    const [old, now] = [before?.[field], after[field]]
    if (textOf(old) === textOf(now)) return []
    const named = { of: 'setting', name: keyOf(field) } as const
    if (old === undefined || now === undefined)
      return [{ kind: old === undefined ? 'added' : 'removed', ...named }]
    return [{ kind: 'changed', ...named, keys: [] }]
  })
}
