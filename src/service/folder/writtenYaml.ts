/** Writes the `signet.yaml` of a document. */
import { stringify } from 'yaml'
import type { Steps } from '../../../streams/kernel/steps.ts'
import { keyOf, type ReleaseDocument, type Selection } from '../../../streams/organisation/release.ts'

/** A `Map` keeps the order of its keys, even of keys such as `2026`, which an object would move to the front. */
type Yaml = string | number | boolean | null | readonly Yaml[] | ReadonlyMap<string, Yaml>

/** The entries that are not undefined. */
const map = (entries: Readonly<Record<string, Yaml | undefined>>): ReadonlyMap<string, Yaml> =>
  new Map(
    Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  )

const groups = (conditions: Selection['not']): Yaml =>
  conditions.map(
    (group) =>
      new Map(
        group.map((condition) => [
          keyOf(condition),
          condition.values.length === 1 ? (condition.values[0] ?? '') : condition.values,
        ]),
      ),
  )

const selection = ({ for: wanted, not }: Selection) => ({
  for: wanted === 'everyone' ? wanted : groups(wanted),
  not: not.length === 0 ? undefined : groups(not),
})

function chooseDefault(of: Selection): Yaml {
  if (of.not.length > 0) return map(selection(of))
  return of.for === 'everyone' || (of.for.length === 0 ? false : map(selection(of)))
}

const mapOf = <Item>(
  items: readonly Item[],
  entry: (item: Item) => readonly [string, Yaml],
): Yaml | undefined => (items.length === 0 ? undefined : new Map(items.map(entry)))

const yamlOf = (value: Yaml): string =>
  stringify(value, {
    version: '1.2',
    schema: 'core',
    lineWidth: 0,
    aliasDuplicateObjects: false,
    // Texts are written in quotes, which preserve long lines and line ends.
    blockQuote: false,
  })

/** Writes the `signet.yaml` of a document. Each entry of its maps is one step. */
export function* writingYaml(document: ReleaseDocument): Steps<string> {
  let text = ''
  for (const [key, value] of sectionsOf(document))
    if (value instanceof Map && value.size > 1) {
      const [heading = ''] = /^.*\n/.exec(yamlOf(new Map([[key, new Map([[key, '']])]]))) ?? []
      text += heading
      for (const entry of value) {
        text += yamlOf(new Map([[key, new Map([entry])]])).slice(heading.length)
        yield
      }
    } else {
      text += yamlOf(new Map([[key, value]]))
      yield
    }
  return text
}

const sectionsOf = (document: ReleaseDocument): ReadonlyMap<string, Yaml> =>
  map({
    version: 1,
    organisation: document.organisation,
    internal: document.internal,
    'choose-default': chooseDefault(document.chooseDefault),
    plan: map({ from: document.plan.from ?? undefined, value: document.plan.value ?? undefined }),
    variables: mapOf(document.variables, ({ path, from, value, edit, resync, hidden, label, group }) => [
      path,
      map({
        from: from ?? undefined,
        value: value ?? undefined,
        edit: edit || undefined,
        resync: resync || undefined,
        hidden: hidden || undefined,
        label: label ?? undefined,
        group: group === (from === null ? 'rest' : 'mapped') ? undefined : group,
      }),
    ]),
    signatures: mapOf(document.signatures, (signature) => [
      signature.id,
      map({
        name: signature.name,
        template: signature.template,
        reply: signature.reply ?? undefined,
        mobile: signature.mobile ?? undefined,
        ...selection(signature.selection),
        during: signature.during === null ? undefined : `${signature.during.from}/${signature.during.to}`,
        'time-zone': signature.during?.timeZone,
        recipients: signature.recipients === 'everyone' ? undefined : signature.recipients,
        collection: signature.collection ?? undefined,
      }),
    ]),
    mailboxes: mapOf(document.mailboxes, ({ address, selection: of, values }) => [
      address,
      map({ ...selection(of), values: mapOf(Object.entries(values), (entry) => entry) }),
    ]),
  })
