/** Commands that set values and signatures of one person by hand. */
import {
  correctionsOf,
  setByHandOf,
  UNTIL_CHANGED,
  UNTIL_REMOVED,
} from '../../streams/organisation/facts/corrections.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { dayOf, isDay, isFieldName } from '../../streams/organisation/release/names.ts'
import { ownProperty } from '../../streams/organisation/release/selectors.ts'
import type { ExplainedPerson } from '../../streams/organisation/rules/why.ts'
import type { InOf } from '../../streams/kernel/schema.ts'
import type { correctionsRequest } from '../../streams/wire/administration/people.ts'
import { createServiceClient, type ServiceClient } from './serviceClient.ts'
import {
  CommandStop,
  CommandUsageError,
  optionText,
  type CommandHandler,
  type CommandOptions,
} from './terminal.ts'

type Request = InOf<typeof correctionsRequest>

/** What is set for a person now, as the request that changes nothing. */
const requestFor = (person: PersonState): Request => ({ revision: person.revision, ...setByHandOf(person) })

/**
 * Returns a function that finds the directory field of a variable or field.
 *
 * @throws CommandStop for a variable without a directory field
 */
async function fieldFinder(client: ServiceClient, { release }: ExplainedPerson) {
  const { document } = await client.ask('release', { id: release })
  return (name: string): string => {
    const variable = document.variables.find(({ path }) => path === name)
    const field = variable === undefined ? name : variable.from
    if (field === null)
      throw new CommandStop(`The variable ${name} has no directory field, so nothing can stand above it.`)
    if (!isFieldName(field)) throw new CommandUsageError(`${JSON.stringify(name)} is not a name of a field.`)
    return field
  }
}

function untilOf(options: CommandOptions): string | null {
  const until = optionText(options, 'until') ?? null
  if (until === null || until === UNTIL_REMOVED || until === UNTIL_CHANGED || isDay(until)) return until
  throw new CommandUsageError('--until is removed, changed or a day such as 2026-12-24.')
}

export const setByHand: CommandHandler = async ([address = '', ...given], options, terminal) => {
  const until = untilOf(options)
  const signature = optionText(options, 'signature')
  const isExcluded = options['exclude'] === true
  const pairs = given.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw new CommandUsageError(`${JSON.stringify(pair)} is not a name, "=" and a value.`)
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  if (pairs.length === 0 && !isExcluded && signature === undefined)
    throw new CommandUsageError(
      'Give a value such as job_title="Head of sales", --exclude or --signature <id>.',
    )
  if (until === UNTIL_CHANGED && (isExcluded || signature !== undefined))
    throw new CommandUsageError(
      '--until changed is for values; --exclude and --signature end by hand or on a day.',
    )
  const client = createServiceClient(options, terminal)
  const explained = await client.ask('person', { id: address })
  const fieldOf = await fieldFinder(client, explained)
  const now = requestFor(explained.person)
  const set = pairs.map(([name, value]) => [fieldOf(name), { value, until: until ?? UNTIL_CHANGED }] as const)
  const byHand = { until: until ?? UNTIL_REMOVED }
  const body: Request = {
    ...now,
    fields: { ...now.fields, ...Object.fromEntries(set) },
    ...(isExcluded && { excluded: byHand }),
    ...(signature !== undefined && { pinned: { signature, ...byHand } }),
  }
  await client.ask('correct', { id: explained.person.id, body })
  terminal.write(personText(await client.ask('person', { id: explained.person.id })))
  return 0
}

export const unsetByHand: CommandHandler = async ([address = '', ...names], options, terminal) => {
  const signature = optionText(options, 'signature')
  const isExcluded = options['exclude'] === true
  if (names.length === 0 && !isExcluded && signature === undefined)
    throw new CommandUsageError('Give the name of a corrected value, --exclude or --signature <id>.')
  const client = createServiceClient(options, terminal)
  const explained = await client.ask('person', { id: address })
  const { fields, excluded, pinned, ...now } = requestFor(explained.person)
  const fieldOf = await fieldFinder(client, explained)
  const ended = names.map((name) => {
    const field = fieldOf(name)
    if (!Object.hasOwn(fields, field)) throw new CommandStop(`${name} is not corrected. Nothing was changed.`)
    return field
  })
  if (isExcluded && !excluded)
    throw new CommandStop('The person is not kept without a signature. Nothing was changed.')
  if (signature !== undefined && pinned?.signature !== signature)
    throw new CommandStop(`The person has no signature ${signature} by hand. Nothing was changed.`)
  const body: Request = {
    ...now,
    fields: Object.fromEntries(Object.entries(fields).filter(([field]) => !ended.includes(field))),
    ...(excluded && !isExcluded && { excluded }),
    ...(pinned && signature === undefined && { pinned }),
  }
  await client.ask('correct', { id: explained.person.id, body })
  terminal.write(personText(await client.ask('person', { id: explained.person.id })))
  return 0
}

export const showPerson: CommandHandler = async ([address = ''], options, terminal) => {
  terminal.write(personText(await createServiceClient(options, terminal).ask('person', { id: address })))
  return 0
}

const endText = (until: string): string =>
  until === UNTIL_REMOVED
    ? 'until it is taken back'
    : until === UNTIL_CHANGED
      ? 'until the directory says something else'
      : `until ${until}`

/** The values of a person with their sources, and what an administrator set by hand. */
function personText({ person, name, details, signatures, unused = [] }: ExplainedPerson): string {
  const { fields, supplement, under, excluded, pinned } = correctionsOf(person)
  const quoted = (value: string | null) =>
    value === null || value === '' ? 'nothing' : JSON.stringify(value)
  const setText = (field: string): string | null => {
    const set = ownProperty(fields, field)
    const added = ownProperty(supplement, field)
    const by = set
      ? `administrator ${set.by}, ${dayOf(set.at)}, ${endText(set.until)}`
      : added && `file ${added.by}, ${dayOf(added.at)}`
    return by === undefined ? null : `${by}; the directory says ${quoted(ownProperty(under, field) ?? null)}`
  }
  const shown = new Set(details.flatMap(({ field }) => field ?? []))
  const others = Object.keys(under).filter((field) => !shown.has(field))
  const pinnedName = signatures.find(({ isPinned }) => isPinned)?.name
  const lines = [
    `${name === '' ? person.id : name} (${person.addresses.join(', ')})`,
    ...details.map(({ path, value, field = null, source = null }) => {
      const set = field === null ? null : setText(field)
      const from =
        source === 'person' ? `the person${set === null ? '' : `; below it: ${set}`}` : (set ?? source)
      return `  ${path}: ${value}${from === null ? '' : ` (${from})`}`
    }),
    ...others.map((field) => `  ${field}: ${person.directory[field] ?? ''} (${setText(field) ?? ''})`),
    ...unused.map((field) => `  No variable and no rule uses ${field} any more.`),
    ...(excluded
      ? [`  Kept without a signature by ${excluded.by}, ${dayOf(excluded.at)}, ${endText(excluded.until)}.`]
      : []),
    ...(pinned
      ? [
          `  Gets the signature ${pinned.signature} by ${pinned.by}, ${dayOf(pinned.at)}, ${endText(pinned.until)}.` +
            (pinnedName === undefined && person.active ? ' It is not published, so it has no effect.' : ''),
        ]
      : []),
  ]
  return `${lines.join('\n')}\n`
}
