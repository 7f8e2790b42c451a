/** Builds the tree of a document's `signet.yaml`, and writes the tree as text. */
import { stringify } from 'yaml'
import type { Steps } from '../../streams/kernel/steps.ts'
import { EACH_MAIL } from '../../streams/organisation/release/names.ts'
import {
  type Block,
  type Condition,
  type GuardRule,
  conditionKeyOf,
  type PublishLimits,
  type ReleaseDocument,
  type Selection,
  type Signature,
  type FieldTest,
} from '../../streams/organisation/release/release.ts'
import { hoursText } from '../../streams/organisation/release/hours.ts'
import { withoutListFiles } from './recipientLists.ts'
import { type DescribedDocument, readSignetYaml } from './signetYaml.ts'

export type YamlTree = TreeValue | TreeList | TreePairs
export type TreeValue = Readonly<{ kind: 'value'; value: string | number | boolean | null }>
/** If `mayStandAlone`, a single item may be written without a list. */
export type TreeList = Readonly<{ kind: 'list'; items: readonly YamlTree[]; mayStandAlone: boolean }>
/** A map. If `isOrdered`, the order of its pairs matters. */
export type TreePairs = Readonly<{ kind: 'pairs'; isOrdered: boolean; parts: ReadonlyMap<string, MapPart> }>

/**
 * A pair of a map. `value` is undefined if the text must not have the pair. `absent` is the reader's default for it.
 */
export type MapPart = Readonly<{
  value: YamlTree | undefined
  absent: YamlTree | undefined
  /** True if the pair is written even when it equals the reader's default. */
  isAlwaysWritten: boolean
}>

const valueOf = (value: TreeValue['value']): TreeValue => ({ kind: 'value', value })
const textOf = (value: string | null): TreeValue | undefined => (value === null ? undefined : valueOf(value))
const listOf = (items: readonly YamlTree[], mayStandAlone = false): TreeList => ({
  kind: 'list',
  items,
  mayStandAlone,
})
const textsOf = (texts: readonly string[], mayStandAlone = false) => listOf(texts.map(valueOf), mayStandAlone)
const pairsOf = (parts: Readonly<Record<string, MapPart>>): TreePairs => ({
  kind: 'pairs',
  isOrdered: false,
  parts: new Map(Object.entries(parts)),
})
/** A `Map` keeps the order of its keys, even of keys such as `2026`, which an object would move to the front. */
const entriesOf = (entries: readonly (readonly [string, YamlTree])[], isOrdered = true): TreePairs => ({
  kind: 'pairs',
  isOrdered,
  parts: new Map(entries.map(([key, value]) => [key, needed(value)])),
})

const needed = (value: YamlTree | undefined): MapPart => ({ value, absent: undefined, isAlwaysWritten: true })
const optional = (value: YamlTree | undefined, absent?: YamlTree): MapPart => ({
  value,
  absent,
  isAlwaysWritten: false,
})
const written = (value: YamlTree, absent: YamlTree): MapPart => ({ value, absent, isAlwaysWritten: true })

const EVERYONE = valueOf('everyone')
export const EMPTY_MAP = entriesOf([])

const groups = (conditions: Selection['not']): TreeList =>
  listOf(
    conditions.map((group) =>
      entriesOf(group.map((condition) => [conditionKeyOf(condition), conditionOf(condition)])),
    ),
  )

function conditionOf(condition: Condition): YamlTree {
  switch (condition.by) {
    case 'test':
      return entriesOf(condition.tests.map((test) => [test.is, testOf(test)]))
    case 'manager':
      return entriesOf(condition.conditions.map((each) => [conditionKeyOf(each), conditionOf(each)]))
    default:
      return textsOf(condition.values, true)
  }
}

function testOf(test: FieldTest): YamlTree {
  switch (test.is) {
    case 'any':
      return valueOf(true)
    case 'before':
    case 'after':
      return valueOf(test.day)
    default:
      return textsOf(test.values, true)
  }
}

const selectionOf = ({ for: wanted, not }: Selection) => ({
  for: needed(peopleOf(wanted)),
  not: optional(groups(not), listOf([])),
})

const peopleOf = (wanted: Selection['for']): YamlTree => (wanted === 'everyone' ? EVERYONE : groups(wanted))

const periodOf = ({ during }: Signature) => ({
  during: optional(during === null ? undefined : valueOf(`${during.from}/${during.to}`)),
  'time-zone': during === null ? optional(undefined) : written(valueOf(during.timeZone), valueOf('UTC')),
})

/** The period of a block, with its hours, or the variables with a person's own days. */
const blockPeriodOf = ({ during, hours, ownDays }: Block) => {
  const zone = ownDays ?? hours ?? during
  const days = during && `${during.from}/${during.to}`
  const own =
    ownDays &&
    pairsOf({
      from: needed(valueOf(ownDays.from)),
      to: needed(valueOf(ownDays.to)),
      'days-before': optional(valueOf(ownDays.before), valueOf(0)),
    })
  const text = [days, hours && hoursText(hours)].flatMap((part) => part ?? []).join(' ')
  return {
    during: optional(own ?? (text === '' ? undefined : valueOf(text))),
    'time-zone': zone === null ? optional(undefined) : written(valueOf(zone.timeZone), valueOf('UTC')),
  }
}

const recipientsOf = ({ recipients }: Pick<Signature, 'recipients'>): MapPart =>
  optional(typeof recipients === 'string' ? valueOf(recipients) : textsOf(recipients), EVERYONE)

const editorsOf = ({ editors }: Pick<Signature, 'editors'>): MapPart =>
  optional(editors && textsOf(editors, true))

const guardRule = (rule: GuardRule): TreePairs =>
  rule.missing === 'block'
    ? pairsOf({ block: needed(valueOf(rule.block)) })
    : pairsOf({
        signature: needed(valueOf('missing')),
        ...selectionOf(rule.selection),
        for: optional(peopleOf(rule.selection.for), EVERYONE),
        recipients: recipientsOf(rule),
      })

function chooseDefault(of: Selection): YamlTree {
  if (of.not.length > 0) return pairsOf(selectionOf(of))
  if (of.for === 'everyone') return valueOf(true)
  return of.for.length === 0 ? valueOf(false) : pairsOf(selectionOf(of))
}

const limitOf = ({ people: { most, of } }: PublishLimits): TreeValue =>
  valueOf(of === 'percent' ? `${most}%` : most)

const NO_BRAND = pairsOf({
  colours: optional(EMPTY_MAP, EMPTY_MAP),
  fonts: optional(listOf([]), listOf([])),
  logos: optional(listOf([]), listOf([])),
})

const flag = (value: boolean): MapPart => optional(valueOf(value), valueOf(false))

/** The tree of the `signet.yaml` that `readSignetYaml` reads as this description. */
export const yamlTreeOf = (document: DescribedDocument): TreePairs =>
  pairsOf({
    version: needed(valueOf(1)),
    organisation: needed(valueOf(document.organisation)),
    internal: written(textsOf(document.internal), listOf([])),
    'choose-default': written(chooseDefault(document.chooseDefault), valueOf(true)),
    plan: written(
      pairsOf({
        from: optional(textOf(document.plan.from)),
        value: written(valueOf(document.plan.value ?? 'full'), valueOf('full')),
      }),
      pairsOf({ from: optional(undefined), value: written(valueOf('full'), valueOf('full')) }),
    ),
    counting: flag(document.counting ?? false),
    limits: optional(document.limits && pairsOf({ people: needed(limitOf(document.limits)) })),
    variables: optional(
      entriesOf(
        document.variables.map(({ path, from, value, edit, resync, hidden, label, group }) => [
          path,
          pairsOf({
            from: optional(textOf(from)),
            value: optional(textOf(value)),
            edit: flag(edit),
            resync: flag(resync),
            hidden: flag(hidden),
            label: optional(textOf(label)),
            group: optional(valueOf(group), valueOf(from === null ? 'rest' : 'mapped')),
          }),
        ]),
      ),
      EMPTY_MAP,
    ),
    brand: optional(
      pairsOf({
        colours: optional(
          entriesOf(
            Object.entries(document.brand?.colours ?? {}).map(([name, colour]) => [name, valueOf(colour)]),
            false,
          ),
          EMPTY_MAP,
        ),
        fonts: optional(textsOf(document.brand?.fonts ?? [], true), listOf([])),
        logos: optional(textsOf(document.brand?.logos ?? [], true), listOf([])),
      }),
      NO_BRAND,
    ),
    cards: optional(document.cards && pairsOf({ unless: needed(valueOf(document.cards.unless)) })),
    pictures: optional(document.linked ? valueOf('linked') : undefined),
    'recipient-lists': optional(
      entriesOf(
        Object.entries(document.lists ?? {}).map(([name, entries]) => [name, textsOf(entries)]),
        false,
      ),
      EMPTY_MAP,
    ),
    signatures: optional(
      entriesOf(
        document.signatures.map((signature) => [
          signature.id,
          pairsOf({
            name: written(valueOf(signature.name), valueOf(signature.id)),
            template: needed(valueOf(signature.template)),
            reply: optional(textOf(signature.reply)),
            mobile: optional(textOf(signature.mobile)),
            meeting: optional(textOf(signature.meeting ?? null)),
            ...selectionOf(signature.selection),
            ...periodOf(signature),
            recipients: recipientsOf(signature),
            thread: optional(textOf(signature.thread ?? null)),
            collection: optional(textOf(signature.collection)),
            editors: editorsOf(signature),
          }),
        ]),
      ),
      EMPTY_MAP,
    ),
    blocks: optional(
      entriesOf(
        (document.blocks ?? []).map((block) => [
          block.id,
          pairsOf({
            name: written(valueOf(block.name), valueOf(block.id)),
            slot: needed(valueOf(block.slot)),
            template: needed(valueOf(block.template)),
            ...selectionOf(block.selection),
            for: optional(peopleOf(block.selection.for), EVERYONE),
            ...blockPeriodOf(block),
            recipients: recipientsOf(block),
            thread: optional(textOf(block.thread ?? null)),
            replies: optional(valueOf(block.replies), valueOf(true)),
            share: optional(valueOf(block.turns ? `${block.share}${EACH_MAIL}` : block.share), valueOf(100)),
            editors: editorsOf(block),
          }),
        ]),
      ),
      EMPTY_MAP,
    ),
    guard: optional(listOf((document.guard ?? []).map(guardRule)), listOf([])),
    mailboxes: optional(
      entriesOf(
        document.mailboxes.map(({ address, selection: of, values }) => [
          address,
          pairsOf({
            ...selectionOf(of),
            values: optional(
              entriesOf(
                Object.entries(values).map(([name, value]) => [name, valueOf(value)]),
                false,
              ),
              EMPTY_MAP,
            ),
          }),
        ]),
      ),
      EMPTY_MAP,
    ),
    approval: optional(document.approval && pairsOf({ by: needed(textsOf(document.approval.by, true)) })),
    editors: editorsOf(document),
  })

const keys = new WeakMap<YamlTree, string>()

/** A key that is the same for all trees that the reader reads alike. */
export function keyOfTree(tree: YamlTree): string {
  if (tree.kind === 'value') return JSON.stringify(tree.value)
  const known = keys.get(tree)
  if (known !== undefined) return known
  const key = tree.kind === 'list' ? `[${tree.items.map(keyOfTree).join()}]` : keyOfPairs(tree)
  keys.set(tree, key)
  return key
}

function keyOfPairs({ isOrdered, parts }: TreePairs): string {
  const members = [...parts].flatMap(([key, { value }]) =>
    value === undefined ? [] : [`${JSON.stringify(key)}:${keyOfTree(value)}`],
  )
  return `{${(isOrdered ? members : members.sort()).join()}}`
}

export const areEqualTrees = (one: YamlTree | undefined, other: YamlTree | undefined): boolean =>
  one === undefined || other === undefined ? one === other : keyOfTree(one) === keyOfTree(other)

/** The pairs of a map that must be written. Most pairs with the reader's default are left out. */
export const pairsToWrite = ({ parts }: TreePairs): readonly (readonly [key: string, value: YamlTree])[] =>
  [...parts].flatMap(([key, { value, absent, isAlwaysWritten }]) =>
    value === undefined || (!isAlwaysWritten && areEqualTrees(value, absent)) ? [] : [[key, value] as const],
  )

/** The item of a single-item list that is written without the list; null for other trees. */
export const soleItemOf = (tree: YamlTree): YamlTree | null =>
  tree.kind === 'list' && tree.mayStandAlone && tree.items.length === 1 ? (tree.items[0] ?? null) : null

type Yaml = TreeValue['value'] | readonly Yaml[] | ReadonlyMap<string, Yaml>

function plain(tree: YamlTree): Yaml {
  const alone = soleItemOf(tree)
  if (alone !== null) return plain(alone)
  if (tree.kind === 'value') return tree.value
  return tree.kind === 'list'
    ? tree.items.map(plain)
    : new Map(pairsToWrite(tree).map(([key, value]) => [key, plain(value)]))
}

export const YAML_STYLE = {
  version: '1.2',
  schema: 'core',
  lineWidth: 0,
  aliasDuplicateObjects: false,
  // Texts are quoted, because quotes preserve long lines and line ends.
  blockQuote: false,
} as const

const yamlOf = (value: Yaml): string => stringify(value, YAML_STYLE)

/**
 * A part of the written text. `heading` is the line of the map's key if an earlier part already has this line;
 * otherwise empty.
 */
type Piece = Readonly<{ heading: string; text: string }>

/** The text of a `signet.yaml` in parts. A part is a pair, or an entry of a map with several entries. */
function* pieces(document: ReleaseDocument): Generator<Piece, void, void> {
  for (const [key, tree] of pairsToWrite(yamlTreeOf(document))) {
    const value = plain(tree)
    if (value instanceof Map && value.size > 1) {
      const [heading = ''] = /^.*\n/.exec(yamlOf(new Map([[key, new Map([[key, '']])]]))) ?? []
      let isFirst = true
      for (const entry of value as ReadonlyMap<string, Yaml>) {
        const text = yamlOf(new Map([[key, new Map([entry])]]))
        yield isFirst ? { heading: '', text } : { heading, text: text.slice(heading.length) }
        isFirst = false
      }
    } else yield { heading: '', text: yamlOf(new Map([[key, value]])) }
  }
}

/** Writes a document's `signet.yaml`. Each map entry is one step. */
export function* writingYaml(document: ReleaseDocument): Steps<string> {
  let text = ''
  for (const piece of pieces(document)) {
    text += piece.text
    yield
  }
  return text
}

/** Line numbers in a `signet.yaml`, from 1, by path as in `DocumentPlaces`. */
export type YamlLines = ReadonlyMap<string, number>

const linesIn = (text: string): number => text.split('\n').length - 1

/** The line numbers in a new `signet.yaml`, which has only the short recipient lists. Each map entry is one step. */
export function* findingYamlLines(document: ReleaseDocument): Steps<YamlLines> {
  const lines = new Map<string, number>()
  let before = 0
  for (const { heading, text } of pieces(withoutListFiles(document, null))) {
    const { places } = readSignetYaml(heading + text, [])
    for (const [path, { line }] of places) lines.set(path, before + line - linesIn(heading))
    before += linesIn(text)
    yield
  }
  return lines
}
