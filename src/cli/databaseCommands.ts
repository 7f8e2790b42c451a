/** Commands for operators on the service's database, keys and settings. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { decideOrganisation } from '../../streams/organisation/decide.ts'
import type { OrganisationFact } from '../../streams/organisation/facts/events.ts'
import { evolveOrganisation } from '../../streams/organisation/facts/reducer.ts'
import type { OrganisationState } from '../../streams/organisation/facts/state.ts'
import { diagnoseInstallation as diagnoseSettings } from '../service/doctor.ts'
import { handleCommand } from '../service/people/handleCommand.ts'
import { createKeyRing } from '../service/identity/keyRing.ts'
import { rebuildPeople } from '../service/people/rebuild.ts'
import { readSettings, type Settings } from '../service/settings.ts'
import { backUp, restoreBackup } from '../service/sql/backup.ts'
import type { DatabaseDriver } from '../service/sql/driver.ts'
import { openDatabase } from '../service/sql/openStore.ts'
import { readingPages } from '../service/sql/pages.ts'
import { createRegistry, OWN_ORGANISATION, type RegisteredOrganisation } from '../service/sql/registry.ts'
import type { FactOrigin } from '../service/sql/facts.ts'
import { createStore, type Store } from '../service/sql/store.ts'
import { countText } from './planText.ts'
import { createMeter, SHOW_PROGRESS_AFTER_MS } from './progress.ts'
import {
  errorSentence,
  CommandStop,
  type CommandHandler,
  type Terminal,
  CommandUsageError,
} from './terminal.ts'

/** @throws Stop with every problem in the settings */
export function settingsOf({ environment }: Terminal): Settings {
  const read = readSettings(environment)
  if ('problems' in read) throw new CommandStop(read.problems.join('\n'))
  return read.settings
}

/**
 * Waits for a resource to open, runs the function with it, and closes it.
 *
 * @throws WrongUse; Stop with sentences for any other error
 */
export async function withResource<Opened extends Readonly<{ close: () => Promise<void> }>, Result>(
  open: Promise<Opened>,
  run: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  try {
    const opened = await open
    try {
      return await run(opened)
    } finally {
      await opened.close()
    }
  } catch (error) {
    throw error instanceof CommandStop || error instanceof CommandUsageError
      ? error
      : new CommandStop(errorSentence(error), { cause: error })
  }
}

/**
 * Writes lines into a new file, which gets its name once it is complete. Only its owner may read it, because it
 * contains personal data.
 *
 * @returns the number of lines
 */
export async function writeLines(
  file: string,
  run: (write: (line: string) => Promise<void>) => Promise<unknown>,
): Promise<number> {
  const unfinished = `${file}.part`
  let lines = 0
  const output = createWriteStream(unfinished, { mode: 0o600 })
  try {
    await run(async (line) => {
      lines += 1
      if (!output.write(`${line}\n`)) await once(output, 'drain')
    })
    output.end()
    await finished(output)
    await rename(unfinished, file)
  } catch (error) {
    output.destroy()
    await rm(unfinished, { force: true })
    throw error
  }
  return lines
}

/** @throws Stop if the file exists */
export async function requireNoFile(file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new CommandStop(`${file} is there already.`)
}

/** @throws Stop if there is no such file */
export async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() !== true) throw new CommandStop(`There is no file ${file}.`)
}

export const backupDatabase: CommandHandler = async ([file = ''], _, terminal) => {
  const { database } = settingsOf(terminal)
  await requireNoFile(file)
  const lines = await withResource(openDatabase(database), (driver) =>
    writeLines(file, (write) => backUp(driver, write)),
  )
  terminal.write(
    `${file} has ${countText(lines, 'line')}. Its keys are sealed with SIGNET_SECRET: keep that elsewhere.\n`,
  )
  return 0
}

/** Yields the lines of a file. The file is opened only when the first line is read, so that no line is lost. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file)
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } finally {
    input.destroy()
  }
}

export const restoreDatabase: CommandHandler = async ([file = ''], _, terminal) => {
  const { database } = settingsOf(terminal)
  await requireFile(file)
  await withResource(openDatabase(database), (driver) => restoreBackup(driver, linesOf(file)))
  terminal.write(`${file} is restored. The service needs the SIGNET_SECRET with which it was sealed.\n`)
  return 0
}

const READ_AT_ONCE = 500

/** Yields the organisations other than `default`, page by page in order of their ids. */
export function registeredOrganisations(
  driver: DatabaseDriver,
): AsyncGenerator<readonly RegisteredOrganisation[]> {
  const { page } = createRegistry(driver)
  return readingPages(
    (after, limit) => page(after ?? '', limit),
    READ_AT_ONCE,
    ({ id }) => id,
  )
}

/** The ids of all organisations except those being removed. The organisation of the settings comes first. */
async function organisationsIn(driver: DatabaseDriver): Promise<readonly string[]> {
  const ids: string[] = [OWN_ORGANISATION]
  for await (const page of registeredOrganisations(driver))
    ids.push(...page.filter(({ removedAt }) => removedAt === null).map(({ id }) => id))
  return ids
}

export const rebuildCommand: CommandHandler = async (_, __, terminal) => {
  const { database } = settingsOf(terminal)
  await withResource(openDatabase(database), async (driver) => {
    const organisations = await organisationsIn(driver)
    const isOne = organisations.length === 1
    for (const id of organisations) {
      const title = isOne ? 'The rebuild' : `The rebuild of ${id}`
      const meter = createMeter(terminal, { title, one: 'person', many: 'people' })
      const lasting = terminal.now() + SHOW_PROGRESS_AFTER_MS
      const { people, replaced } = await rebuildPeople(createStore(driver, id), (progress) => {
        if (terminal.now() > lasting) meter.show(progress)
      }).finally(() => meter.end())
      const folded = `${countText(people, 'person', 'people')} folded again, ${countText(replaced.length, 'row')} replaced.\n`
      terminal.write(isOne ? folded : `${id}: ${folded}`)
    }
  })
  return 0
}

/** The actor recorded for commands on the database, because no user signs in for them. */
const OPERATOR = 'operator'

/** Records the key rotation in the audit log, if the organisation exists. */
const noteRotation = (store: Store, key: string, signed: FactOrigin) =>
  handleCommand(
    {
      load: async () =>
        (await store.organisationFacts(0)).reduce<OrganisationState | null>(evolveOrganisation, null),
      append: (before, facts: readonly OrganisationFact[]) =>
        store.appendOrganisation(before?.revision ?? 0, facts, signed),
    },
    (state) => (state === null ? [] : decideOrganisation(state, { type: 'rotateKey', key })),
  )

export const rotateKeys: CommandHandler = async (_, __, terminal) => {
  const { database, secret } = settingsOf(terminal)
  await withResource(openDatabase(database), async (driver) => {
    const organisations = await organisationsIn(driver)
    for (const id of organisations) {
      const store = createStore(driver, id)
      const key = await (await createKeyRing(store, secret, terminal.now)).rotate()
      await noteRotation(store, key, { actor: OPERATOR, at: terminal.now() })
      terminal.write(
        organisations.length === 1
          ? `Tokens are signed with ${key} within a minute. The key before it stays valid until its tokens expire.\n`
          : `${id}: tokens are signed with ${key} within a minute.\n`,
      )
    }
    if (organisations.length > 1)
      terminal.write('The keys before them stay valid until their tokens expire.\n')
  })
  return 0
}

export const diagnoseCommand: CommandHandler = async (_, __, terminal) => {
  const diagnoses = await diagnoseSettings(settingsOf(terminal))
  for (const { check, finding, advice, also } of diagnoses) {
    const lines = [
      `${advice === null ? 'good' : 'BAD '}  ${check}: ${finding}`,
      ...(advice === null ? [] : [advice]),
      ...also,
    ]
    terminal.write(`${lines.join('\n      ')}\n`)
  }
  return diagnoses.every(({ advice }) => advice === null) ? 0 : 1
}
