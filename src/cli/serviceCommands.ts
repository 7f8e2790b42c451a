/** Commands that call a running service. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sentSignatures } from '../../streams/html/sent.ts'
import { domainOf } from '../../streams/html/slots.ts'
import { MAX_RECIPIENT_DOMAINS, MAX_SENT_CHARACTERS } from '../../streams/wire/administration/explaining.ts'
import type { ExportLine } from '../../streams/wire/administration/pictureLines.ts'
import type { ImportResult } from '../../streams/wire/administration/people.ts'
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import { UNCOUNTED_PROGRESS } from '../../streams/kernel/progress.ts'
import { appliesOtherChanges, type DirectoryRun } from '../../streams/organisation/directory/directory.ts'
import { numberReleases } from '../../streams/organisation/facts/history.ts'
import type { BlockSample } from '../../streams/organisation/plan/blockChange.ts'
import { calendarOf, type SlotCalendar } from '../../streams/organisation/plan/calendar.ts'
import { dayOf, isAddress } from '../../streams/organisation/release/names.ts'
import { driftOf } from '../../streams/organisation/release/drift.ts'
import { changedPeopleCount, isBeyondLimit } from '../../streams/organisation/plan/peopleLimit.ts'
import type { ExplainedPerson } from '../../streams/organisation/rules/why.ts'
import type { Rendition } from '../../streams/organisation/plan/plan.ts'
import { decodeCsv } from '../folder/encoding.ts'
import { type Finding, hasErrorFinding, isErrorFinding } from '../folder/finding.ts'
import { pictureHash } from '../folder/pictures.ts'
import type { FolderRead } from '../folder/readFolder.ts'
import { writeFolder } from '../folder/writeFolder.ts'
import { othersText, sentText } from './sentText.ts'
import { createServiceClient, RetryLater, type ServiceClient } from './serviceClient.ts'
import {
  asClassicOutlook,
  printFindings,
  openFolder,
  openGoodFolder,
  stopAtErrors,
} from './folderCommands.ts'
import { blocksText, messageBlocksText } from './blocksText.ts'
import { driftText } from './driftText.ts'
import { readMail } from './mails.ts'
import { planPage } from './pages.ts'
import { placesOfExport, placesOfFolder, type PlaceText, matchesRelease } from './placeText.ts'
import { embedPictures, type PicturesByHash } from './pictureData.ts'
import {
  callWithProgress,
  createMeter,
  SHOW_PROGRESS_AFTER_MS,
  type WorkLabels,
  stopAtInterrupt,
} from './progress.ts'
import { countText, orList, planText, SHORT_ID_LENGTH, shortId, whyText } from './planText.ts'
import {
  encodingOf,
  jsonText,
  CommandStop,
  stopOnError,
  NoUsableResponse,
  recipientsOf,
  optionText,
  timeOf,
  CommandUsageError,
  type CommandOptions,
  type CommandHandler,
  type Terminal,
  writePage,
} from './terminal.ts'

const PEOPLE = { one: 'person', many: 'people' }
const PLANNING: WorkLabels = { title: 'Making the plan', ...PEOPLE }
const PUBLISHING: WorkLabels = { title: 'Publishing', one: 'picture' }
const TRYING: WorkLabels = { title: 'The dry run', ...PEOPLE }
const SYNCING: WorkLabels = { title: 'The sync', one: 'changed entry', many: 'changed entries' }
const IMPORTING: WorkLabels = { title: 'The import', ...PEOPLE }

const PLAN_FILE = 'plan.html'
/**
 * The maximum size of the pictures in one request, in bytes. Base64 adds a third, and a request may have at most 20 MB.
 */
const PORTION_BYTES = 8 * 1024 * 1024

export const planCommand: CommandHandler = async ([folder = ''], options, terminal) => {
  const planned = await showPlan(createServiceClient(options, terminal), folder, options, terminal)
  return planned.base === planned.release ? 0 : 2
}

export const publishCommand: CommandHandler = async ([folder = ''], options, terminal) => {
  const isSure = options['yes'] === true
  const reviewed = optionText(options, 'plan')
  if (isSure !== (reviewed !== undefined))
    throw new CommandUsageError(
      '--yes needs --plan <id>, the plan that was reviewed, and --plan needs --yes.',
    )
  if (!isSure && terminal.confirm === null)
    throw new CommandUsageError(
      'Publishing needs a confirmation, and there is no terminal to ask for it: run signet plan, review the plan, and give --yes --plan <its id>.',
    )
  const client = createServiceClient(options, terminal)
  const planned = await showPlan(client, folder, options, terminal)
  if (isSure && planned.id !== reviewed)
    throw new CommandStop(
      `The plan is ${planned.id} now, not ${reviewed ?? ''}: the folder, or what is published, changed after the review. Nothing was published.`,
    )
  const isAll = options['all'] === true
  if (isBeyondLimit(planned) && !isAll)
    throw new CommandStop(
      'The plan changes more people than its limit. Nothing was published; --all publishes it.',
    )
  if (!isSure && (await terminal.confirm?.('Publish this?')) !== true) {
    terminal.write('Nothing was published.\n')
    return 1
  }
  const sent = {
    body: { plan: planned.id, note: optionText(options, 'note') ?? '', ...(isAll && { all: true }) },
  }
  const { release } = await callWithProgress(client, 'publish', sent, PUBLISHING, terminal)
  terminal.write(`Published ${release}.\n`)
  return 0
}

/**
 * The output of `signet plan --json`: the response to `POST /plans`, and the blocks that each slot may show, by day.
 */
export type PlanJson = Plan & Readonly<{ calendar: readonly SlotCalendar[] }>

/** Checks the folder and has the service plan it. Prints the plan as text or JSON, and writes it as a page. */
async function showPlan(
  client: ServiceClient,
  folder: string,
  options: CommandOptions,
  terminal: Terminal,
): Promise<Plan> {
  const at = timeOf(options, terminal.now)
  const read = await openGoodFolder(folder, at, terminal)
  await sendPictures(client, read)
  const sent = { body: { document: read.document, ...(options['on'] === undefined ? {} : { at }) } }
  const planned = await callWithProgress(client, 'makePlan', sent, PLANNING, terminal)
  const isJson = options['json'] === true
  const out = optionText(options, 'out') ?? (isJson ? null : PLAN_FILE)
  const calendar = calendarOf(read.document, dayOf(planned.at))
  const shown = withLocalPictures(planned, read.pictures)
  if (out !== null) await writePage(out, planPage(shown, folder, asClassicOutlook, calendar))
  terminal.write(
    isJson
      ? jsonText({ ...planned, calendar } satisfies PlanJson)
      : `${planText(planned, folder, calendar)}${out ?? ''} shows it side by side.\n`,
  )
  return planned
}

/** Uploads the pictures that the service lacks, in several requests. */
async function sendPictures(client: ServiceClient, { document, pictures }: FolderRead): Promise<void> {
  const { missing } = await client.ask('missingPictures', {
    body: { pictures: [...new Set(Object.values(document.pictures))] },
  })
  let portion: Record<string, string> = {}
  let size = 0
  const send = async () => {
    if (size > 0) await client.ask('sendPictures', { body: { pictures: portion } })
    portion = {}
    size = 0
  }
  for (const hash of missing) {
    const { bytes } = pictures.get(hash) ?? {}
    if (!bytes) continue
    if (size + bytes.length > PORTION_BYTES) await send()
    portion[hash] = Buffer.from(bytes).toString('base64')
    size += bytes.length
  }
  await send()
}

/** Embeds the folder's pictures in the plan's html, because the service serves them only after publishing. */
function withLocalPictures(planned: Plan, pictures: PicturesByHash): Plan {
  const { summary } = planned
  const put = (html: string | null) => html && embedPictures(html, planned.pictures, pictures)
  const withLocal = (rendition: Rendition | null) =>
    rendition && {
      signature: put(rendition.signature),
      reply: put(rendition.reply),
      mobile: put(rendition.mobile),
      meeting: put(rendition.meeting ?? null),
    }
  const signatures = summary.signatures.map((group) => ({
    ...group,
    before: withLocal(group.before),
    after: withLocal(group.after),
  }))
  const standing = (block: BlockSample | null) => block && { ...block, html: put(block.html) ?? '' }
  const blocks = summary.blocks?.map((group) => ({
    ...group,
    before: standing(group.before),
    after: standing(group.after),
  }))
  return { ...planned, summary: { ...summary, signatures, ...(blocks && { blocks }) } }
}

export const approveCommand: CommandHandler = async ([id = ''], options, terminal) => {
  const [isAsking, isRefusing] = [options['ask'] === true, options['refuse'] === true]
  if (isAsking && isRefusing) throw new CommandUsageError('--ask and --refuse exclude each other.')
  const note = optionText(options, 'note') ?? ''
  const client = createServiceClient(options, terminal)
  if (isAsking) {
    const { by, until } = await client.ask('askApproval', { id, body: { note } })
    const whom = `Asked for the approval of ${by.join(', ')}`
    terminal.write(`${whom}, until ${new Date(until).toISOString()}. Then publish the plan.\n`)
    return 0
  }
  const { approval, summary, base } = await client.ask('plan', { id })
  const hash = approval?.hash
  if (hash === undefined) throw new CommandStop('This plan needs no approval.')
  if (hash === null)
    throw new CommandStop(
      'The plan is for another moment, so nobody can approve it: plan once more, for now.',
    )
  const answer = isRefusing ? 'refuse' : 'approve'
  const { author } = await client.ask('answerApproval', { id, body: { answer, hash, note } })
  const changed = countText(changedPeopleCount(summary), 'person', 'people')
  terminal.write(
    `${isRefusing ? 'Refused' : 'Approved'} the plan of ${author}: it changes ${changed}, over ${base === null ? 'nothing published' : `release ${shortId(base)}`}.\n`,
  )
  return 0
}

export const driftCommand: CommandHandler = async ([folder = ''], options, terminal) => {
  const client = createServiceClient(options, terminal)
  const { document, places, problems } = await openFolder(folder)
  stopAtErrors(problems.filter(isErrorFinding), `${folder}; it was not compared`, terminal)
  const { current } = await client.ask('releases', {})
  const published = current === null ? null : await client.ask('release', { id: current })
  const drifts = driftOf(published?.document ?? null, document)
  const what = current === null ? 'Nothing is published yet' : `Release ${shortId(current)} is published`
  terminal.write(`${what}; ${folder} ${drifts.length === 0 ? 'is the same' : 'is not the same'}.\n`)
  terminal.write(driftText(drifts, places))
  return drifts.length === 0 ? 0 : 2
}

export const rollBackCommand: CommandHandler = async ([release], options, terminal) => {
  const client = createServiceClient(options, terminal)
  const target = release === undefined ? await releaseBefore(client) : await releaseNamed(client, release)
  await client.ask('rollBack', { id: target, body: { note: optionText(options, 'note') ?? '' } })
  terminal.write(`Release ${release ?? target} is published again.\n`)
  return 0
}

/** Returns the id of a release given by its number. Other texts are returned unchanged. */
async function releaseNamed(client: ServiceClient, name: string): Promise<string> {
  if (!/^\d+$/.test(name)) return name
  const entries = numberReleases((await client.ask('releases', {})).history)
  const ids = entries.map(({ release }) => release)
  if (ids.includes(name)) return name
  const found = entries.find(({ number }) => String(number) === name)
  const begun = name.length < SHORT_ID_LENGTH ? undefined : ids.find((id) => id.startsWith(name))
  if (begun !== undefined)
    throw new CommandStop(
      `${name} may be a number or the beginning of an id. If you mean the release ${begun}, give its whole id.`,
    )
  if (!found)
    throw new CommandStop(
      `There is no release ${name}; ${entries.length === 0 ? 'nothing is published yet' : `the last is ${entries.length}`}.`,
    )
  return found.release
}

async function releaseBefore(client: ServiceClient): Promise<string> {
  const { current, history } = await client.ask('releases', {})
  const before = history.find(({ release }) => release !== current)
  if (!before) throw new CommandStop('There is no release before this one.')
  return before.release
}

export const showReleases: CommandHandler = async (_, options, terminal) => {
  const { history } = await createServiceClient(options, terminal).ask('releases', {})
  if (history.length === 0) terminal.write('Nothing is published yet.\n')
  const width = String(history.length).length
  for (const { number, release, at, by, note, backTo } of numberReleases(history)) {
    const words = [
      String(number).padStart(width),
      release,
      new Date(at).toISOString(),
      by,
      ...(backTo === null ? [] : [`back to release ${backTo}`]),
      ...(note === '' ? [] : [note]),
    ]
    terminal.write(`${number === history.length ? '*' : ' '} ${words.join('  ')}\n`)
  }
  return 0
}

export const whyCommand: CommandHandler = async ([person = '', folder], options, terminal) => {
  const at = options['on'] === undefined ? undefined : String(timeOf(options, terminal.now))
  const message = { isReply: options['reply'] === true, recipients: recipientsOf(options) }
  const client = createServiceClient(options, terminal)
  const explained = await client.ask('person', { id: person, query: { at } })
  const placeText = await placesFor(client, explained, folder, terminal)
  terminal.write(`${whyText(explained, placeText)}${blocksText(explained.blocks ?? [], placeText)}`)
  if (message.isReply || message.recipients !== null) {
    const query = { at, reply: String(message.isReply), recipients: message.recipients ?? undefined }
    terminal.write(messageBlocksText(await client.ask('signatures', { id: person, query }), message))
  }
  return 0
}

/** Explains the topmost signature in a mail, and lists the ids of the signatures below it. */
export const explainCommand: CommandHandler = async ([file = ''], options, terminal) => {
  const client = createServiceClient(options, terminal)
  const { html, at, isReply, recipients, sender } = await readMail(file)
  const [first, ...others] = html === null ? [] : sentSignatures(html)
  if (first === undefined) {
    terminal.write(
      html === null
        ? `${file} has a text only, and no html: there are no marks in a text, so it cannot be told whether it has a signature of Signet.\n`
        : `${file} has no mark of Signet: no signature was inserted by it, or a program on the way took its mark out.\n`,
    )
    return 1
  }
  const sentAt = options['on'] === undefined && at !== null ? at : timeOf(options, terminal.now)
  const { combinedIds, hash } = first
  const explained = await client.ask('explainSent', {
    body: {
      combinedIds,
      hash,
      at: sentAt,
      isReply,
      domains: [...new Set(recipients.map(domainOf))].slice(0, MAX_RECIPIENT_DOMAINS),
      recipients: recipients.slice(0, MAX_RECIPIENT_DOMAINS),
      html: first.html.slice(0, MAX_SENT_CHARACTERS),
      ...(sender !== null && isAddress(sender) && { writer: sender }),
    },
  })
  terminal.write(sentText(explained, first.html))
  terminal.write(othersText(others.map((each) => each.combinedIds)))
  return 0
}

/**
 * Finds lines in the folder's `signet.yaml` if the folder matches the release; otherwise in the `signet.yaml` that
 * `signet export` writes.
 */
async function placesFor(
  client: ServiceClient,
  explained: ExplainedPerson,
  folder: string | undefined,
  terminal: Terminal,
): Promise<PlaceText> {
  if (folder === undefined) return placesOfExport(explained)
  const { document, places, problems } = await openFolder(folder)
  const published = await client.ask('release', { id: explained.release })
  if (!hasErrorFinding(problems) && matchesRelease(published.document, document))
    return placesOfFolder(explained, places)
  terminal.complain(
    `${folder} is not what is published, as signet drift says: the lines are those of the folder that signet export writes.\n`,
  )
  return placesOfExport(explained)
}

export const importPeople: CommandHandler = async ([file = ''], options, terminal) => {
  const client = createServiceClient(options, terminal)
  const bytes = await readFile(file).catch(stopOnError(`${file} cannot be read: `))
  const findings: Finding[] = []
  const csv = decodeCsv(bytes, file, findings, { encoding: encodingOf(options) })
  printFindings(findings, terminal)
  if (csv === null) return 1
  const isTrial = options['try'] === true
  const only = optionText(options, 'only')
  const columns = only === undefined ? {} : { only, file: basename(file).slice(-200) }
  const sent = { query: { try: String(isTrial), ...columns }, body: csv }
  if (only !== undefined && !isTrial) {
    const query = { ...sent.query, try: 'true' }
    const tried = await callWithProgress(client, 'importPeople', { ...sent, query }, TRYING, terminal)
    terminal.complain(unknownText(tried))
  }
  const imported = await callWithProgress(
    client,
    'importPeople',
    sent,
    isTrial ? TRYING : IMPORTING,
    terminal,
  ).catch((error: unknown) => {
    // A refusal says how many people were imported. Without a usable response, the number is unknown.
    if (!(error instanceof NoUsableResponse) || isTrial) throw error
    throw new CommandStop(
      `${error.message}\nSome people may be imported. Importing the same file again is safe: it changes only what is missing.`,
      { cause: error.cause },
    )
  })
  const { added, changed, unchanged, refused, problems } = imported
  if (isTrial) terminal.complain(unknownText(imported))
  for (const { line, column, level, message } of problems)
    terminal.complain(`${file}:${line}:${column}: ${level}: ${message}\n`)
  for (const { row, reason } of refused) terminal.complain(`${file}, person ${row}: ${reason}\n`)
  const errors = refused.length + problems.filter(({ level }) => level === 'error').length
  terminal.write(
    `${isTrial ? 'Would be: ' : ''}${added} added, ${changed} changed, ${unchanged} unchanged, ${countText(errors, 'problem')}\n`,
  )
  return errors === 0 ? 0 : 1
}

/** The people of a file who are not in the organisation; empty without one. */
function unknownText({ unknown }: ImportResult): string {
  if (unknown === undefined || unknown.people === 0) return ''
  const more = unknown.people - unknown.first.length
  return `Left out, because not in the organisation: ${unknown.first.join(', ')}${more > 0 ? ` and ${countText(more, 'other')}` : ''}\n`
}

const SYNC_LOOK_MS = 1_000

export const syncCommand: CommandHandler = async (_, options, terminal) => {
  const client = createServiceClient(options, terminal)
  const wanted = { try: options['try'] === true, retire: options['retire'] === true }
  const { id } = await client.ask('sync', { body: wanted })
  const run = await ended(client, id, wanted.try ? TRYING : SYNCING, terminal)
  const { added, changed, retired, returned, refused, failure, outcome } = run
  const isRestDone = appliesOtherChanges(run)
  for (const { person, change, fields, reason } of run.samples)
    if (change === 'refused') terminal.complain(`${person}: refused: ${reason ?? ''}\n`)
    else if (wanted.try || change === 'retired')
      terminal.write(
        `${person}: ${isRestDone ? 'waits to be retired' : change}${fields.length === 0 ? '' : ` (${fields.join(', ')})`}\n`,
      )
  for (const { source, names } of run.unknownAttributes ?? [])
    terminal.complain(
      `${source === 'scim' ? 'Nobody from the directory has' : `${source} does not have`} ${orList(names, 'or')}, which SIGNET_DIRECTORY_ATTRIBUTES names. The sync goes on without.\n`,
    )
  if (failure !== null) terminal.complain(`${failure.code}: ${failure.message}\n`)
  if (outcome === 'interrupted')
    terminal.complain(
      run.stoppedBy === undefined
        ? 'The service stopped during the sync; the next sync continues.\n'
        : `The sync was stopped by ${run.stoppedBy}; the next sync continues.\n`,
    )
  const isDone = outcome === 'done'
  const deactivated = isRestDone ? `${retired} waiting to be retired` : `${retired} retired`
  terminal.write(
    `${!isRestDone && (wanted.try || outcome === 'needsLeave') ? 'Would be: ' : ''}${added} added, ${changed} changed, ${deactivated}, ${returned} returned, ${countText(refused, 'problem')}\n`,
  )
  if (outcome === 'needsLeave')
    terminal.complain(
      `More than 5 % of the people would retire, so ${isRestDone ? 'these wait; everything else was applied' : 'nothing was changed'}. To allow it, run the command with --retire.\n`,
    )
  return isDone && refused === 0 ? 0 : 1
}

/** The maximum number of consecutive retries after `RetryLater`. */
const MAX_WAITS = 10

/** Polls the service until the sync has ended, and shows its progress. Ctrl-C asks the service to stop the sync. */
async function ended(
  client: ServiceClient,
  id: string,
  named: WorkLabels,
  terminal: Terminal,
): Promise<DirectoryRun> {
  const { wait = sleep } = terminal
  const meter = createMeter(terminal, named)
  const ignore = stopAtInterrupt(terminal, () => client.ask('stopSync', {}))
  try {
    for (let [waits, looks] = [0, 0]; ;) {
      const answer = await client.ask('directory', {}).catch((error: unknown) => {
        if (error instanceof RetryLater && waits < MAX_WAITS) return error
        throw error
      })
      if (answer instanceof RetryLater) {
        waits += 1
        await wait(answer.waitMs)
        continue
      }
      waits = 0
      const { runs } = answer
      const run = runs.find((each) => each.id === id)
      if (run === undefined) throw new CommandStop('The service does not say how the sync continues.')
      if (run.outcome !== 'running') return run
      looks += 1
      if (looks * SYNC_LOOK_MS > SHOW_PROGRESS_AFTER_MS) meter.show(run.progress ?? UNCOUNTED_PROGRESS)
      await wait(SYNC_LOOK_MS)
    }
  } finally {
    ignore()
    meter.end()
  }
}

/** Prints everything stored about a person, as JSON. */
export const exportPerson: CommandHandler = async ([person = ''], options, terminal) => {
  const data = await createServiceClient(options, terminal).askWhole('personalData', { id: person })
  terminal.write(jsonText(data))
  return 0
}

export const erasePerson: CommandHandler = async ([person = ''], options, terminal) => {
  const isSure = options['yes'] === true
  if (!isSure && terminal.confirm === null)
    throw new CommandUsageError(
      'Erasing needs a confirmation, and there is no terminal to ask for it: give --yes.',
    )
  const client = createServiceClient(options, terminal)
  const { id, addresses } = (await client.ask('personalData', { id: person })).person
  const named = `${addresses.join(', ')} (${id})`
  if (!isSure && (await terminal.confirm?.(`Erase ${named}, for good?`)) !== true) {
    terminal.write('Nothing was erased.\n')
    return 1
  }
  await client.ask('erase', { id })
  terminal.write(`Erased ${named}. An import that names them adds them again.\n`)
  return 0
}

const STATUSES: ReadonlyMap<string, 'planned' | 'active' | null> = new Map([
  ['planned', 'planned'],
  ['active', 'active'],
  ['off', null],
])

export const setMaintenance: CommandHandler = async ([word = ''], options, terminal) => {
  const status = STATUSES.get(word)
  if (status === undefined) throw new CommandUsageError('Maintenance is planned, active or off.')
  await createServiceClient(options, terminal).ask('setMaintenance', { body: { status } })
  terminal.write(`Maintenance is ${word}.\n`)
  return 0
}

/** Yields the pictures of an export with their hashes, as the lines arrive. */
async function* picturesIn(first: ExportLine, others: AsyncIterable<ExportLine>) {
  const read = ({ pictures }: ExportLine) =>
    Object.values(pictures).map(({ base64 }) => Buffer.from(base64, 'base64'))
  for (const bytes of read(first)) yield [pictureHash(bytes), { bytes }] as const
  for await (const line of others)
    for (const bytes of read(line)) yield [pictureHash(bytes), { bytes }] as const
}

export const exportFolder: CommandHandler = async ([folder = ''], options, terminal) => {
  const client = createServiceClient(options, terminal)
  const named = optionText(options, 'release')
  const release = named === undefined ? undefined : await releaseNamed(client, named)
  const lines = client.exportLines({ query: { release } })
  try {
    const { value } = await lines.next()
    if (!value?.first) throw new CommandStop('The service sent no release.')
    await writeFolder(value.first.document, picturesIn(value, lines), folder).catch(
      stopOnError(`The folder ${folder} cannot be written: `),
    )
    terminal.write(`${folder} is release ${shortId(value.first.release)}.\n`)
  } finally {
    await lines.return()
  }
  return 0
}
