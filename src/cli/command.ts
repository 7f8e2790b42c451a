/** Parses `signet <command> …`, runs the command and returns the exit code. */
import { parseArgs } from 'node:util'
import { VERSION } from '../service/version.ts'
import { Stop, WrongUse, type ExitCode, type Options, type Run, type Terminal } from './terminal.ts'

type Command = Readonly<{
  /** The words after `signet`. */
  name: string
  /** Arguments and options, for the help. */
  usage: string
  does: string
  /** The least and the greatest number of arguments. */
  takes: readonly [number, number]
  options: readonly (keyof typeof OPTIONS)[]
  run: Run
}>

const OPTIONS = {
  service: { type: 'string' },
  person: { type: 'string' },
  on: { type: 'string' },
  note: { type: 'string' },
  plan: { type: 'string' },
  out: { type: 'string' },
  release: { type: 'string' },
  organisation: { type: 'string' },
  domain: { type: 'string' },
  reply: { type: 'boolean' },
  open: { type: 'boolean' },
  yes: { type: 'boolean' },
  try: { type: 'boolean' },
  retire: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

// Each command loads only its own modules: a help page loads no database driver.
const ofFolder = () => import('./folderCommands.ts')
const ofService = () => import('./serviceCommands.ts')
const ofDatabase = () => import('./databaseCommands.ts')

const COMMANDS: readonly Command[] = [
  {
    name: 'init',
    usage: '<folder> --organisation <name> --domain <domain>',
    does: 'writes a folder to begin with',
    takes: [1, 1],
    options: ['organisation', 'domain'],
    run: async (...given) => (await ofFolder()).init(...given),
  },
  {
    name: 'check',
    usage: '<folder> [--on 2026-10-01]',
    does: 'names everything that is wrong in a folder',
    takes: [1, 1],
    options: ['on'],
    run: async (...given) => (await ofFolder()).check(...given),
  },
  {
    name: 'preview',
    usage: '<folder> --person <address> [--reply] [--on 2026-10-01] [--out preview.html] [--open]',
    does: 'shows what a person of people.csv would get',
    takes: [1, 1],
    options: ['person', 'reply', 'on', 'out', 'open'],
    run: async (...given) => (await ofFolder()).preview(...given),
  },
  {
    name: 'plan',
    usage: '<folder> --service <address> [--on 2026-10-01] [--out plan.html]',
    does: 'shows what publishing a folder would change, for whom',
    takes: [1, 1],
    options: ['service', 'on', 'out'],
    run: async (...given) => (await ofService()).plan(...given),
  },
  {
    name: 'publish',
    usage: '<folder> --service <address> [--note <text>] [--yes --plan <id>] [--out plan.html]',
    does: 'plans, shows, asks and publishes',
    takes: [1, 1],
    options: ['service', 'note', 'yes', 'plan', 'out'],
    run: async (...given) => (await ofService()).publish(...given),
  },
  {
    name: 'rollback',
    usage: '[<release>] --service <address> [--note <text>]',
    does: 'answers an earlier release again; without one, the one before',
    takes: [0, 1],
    options: ['service', 'note'],
    run: async (...given) => (await ofService()).rollBack(...given),
  },
  {
    name: 'releases',
    usage: '--service <address>',
    does: 'lists what was published, latest first',
    takes: [0, 0],
    options: ['service'],
    run: async (...given) => (await ofService()).showReleases(...given),
  },
  {
    name: 'why',
    usage: '<person> --service <address> [--on 2026-10-01]',
    does: 'says why a person has their signatures',
    takes: [1, 1],
    options: ['service', 'on'],
    run: async (...given) => (await ofService()).why(...given),
  },
  {
    name: 'people import',
    usage: '<file.csv> --service <address> [--try]',
    does: 'adds and changes people; with --try, only says what would change',
    takes: [1, 1],
    options: ['service', 'try'],
    run: async (...given) => (await ofService()).importPeople(...given),
  },
  {
    name: 'sync',
    usage: '--service <address> [--try] [--retire]',
    does: 'syncs people with the directory; with --try, only says what would change; --retire lets it retire more than 5 %',
    takes: [0, 0],
    options: ['service', 'try', 'retire'],
    run: async (...given) => (await ofService()).sync(...given),
  },
  {
    name: 'person export',
    usage: '<person> --service <address>',
    does: 'writes everything that is kept of a person, as JSON',
    takes: [1, 1],
    options: ['service'],
    run: async (...given) => (await ofService()).exportPerson(...given),
  },
  {
    name: 'person erase',
    usage: '<person> --service <address> [--yes]',
    does: 'erases everything that is kept of a person; asks, unless --yes',
    takes: [1, 1],
    options: ['service', 'yes'],
    run: async (...given) => (await ofService()).erasePerson(...given),
  },
  {
    name: 'maintenance',
    usage: 'planned|active|off --service <address>',
    does: 'sets what the add-in says about maintenance',
    takes: [1, 1],
    options: ['service'],
    run: async (...given) => (await ofService()).setMaintenance(...given),
  },
  {
    name: 'export',
    usage: '<folder> --service <address> [--release <id>]',
    does: 'writes a release as a folder',
    takes: [1, 1],
    options: ['service', 'release'],
    run: async (...given) => (await ofService()).exportFolder(...given),
  },
  {
    name: 'backup',
    usage: '<file>',
    does: 'writes the whole database into a file',
    takes: [1, 1],
    options: [],
    run: async (...given) => (await ofDatabase()).backupTo(...given),
  },
  {
    name: 'restore',
    usage: '<file>',
    does: 'reads a backup into an empty database',
    takes: [1, 1],
    options: [],
    run: async (...given) => (await ofDatabase()).restoreFrom(...given),
  },
  {
    name: 'rebuild',
    usage: '',
    does: 'folds the facts of all people again and replaces rows that differ',
    takes: [0, 0],
    options: [],
    run: async (...given) => (await ofDatabase()).rebuild(...given),
  },
  {
    name: 'keys rotate',
    usage: '',
    does: 'begins a new signing key; the one before stays valid until its tokens expire',
    takes: [0, 0],
    options: [],
    run: async (...given) => (await ofDatabase()).rotateKeys(...given),
  },
  {
    name: 'doctor',
    usage: '',
    does: 'looks at settings, database and identity provider, and says what to do',
    takes: [0, 0],
    options: [],
    run: async (...given) => (await ofDatabase()).diagnose(...given),
  },
]

const INTRODUCTION = `signet <command>

Commands that name a service send the access token in SIGNET_TOKEN.
Commands of the database (backup, restore, rebuild, keys rotate, doctor) read the settings of the service.

`

/** @param words the words after `signet` */
export async function runCommand(words: readonly string[], world: Terminal): Promise<ExitCode> {
  const terminal: Terminal = {
    ...world,
    write: (text) => world.write(withoutControls(text)),
    complain: (text) => world.complain(withoutControls(text)),
  }
  try {
    if (words.length === 0) throw new WrongUse('There is no command.', usage())
    if (words.join(' ') === '--version') {
      terminal.write(`${VERSION}\n`)
      return 0
    }
    const { command, args, options } = read(words)
    if (!command || options['help'] === true) {
      terminal.write(command ? usage([command]) : usage())
      return 0
    }
    return await command.run(args, options, terminal)
  } catch (error) {
    if (error instanceof WrongUse) {
      terminal.complain(`${error.message}\n${error.usage === null ? '' : `\n${error.usage}`}`)
      return 2
    }
    if (!(error instanceof Stop)) throw error
    terminal.complain(`${error.message}\n`)
    return 1
  }
}

/** Replaces control characters, which could move the cursor or colour the output. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD')

function read(words: readonly string[]) {
  const { values, positionals } = parse(words)
  const options: Options = values
  const command = COMMANDS.find(({ name }) =>
    name.split(' ').every((word, index) => positionals[index] === word),
  )
  if (!command) {
    if (options['help'] === true && positionals.length === 0) return { command: null, args: [], options }
    throw new WrongUse(`There is no command "${positionals.join(' ')}".`, usageLike(positionals))
  }
  const args = positionals.slice(command.name.split(' ').length)
  if (options['help'] === true) return { command, args, options }
  const [least, most] = command.takes
  const wrong = Object.keys(options).find((name) => !command.options.some((known) => known === name))
  if (wrong !== undefined)
    throw new WrongUse(`signet ${command.name} does not take --${wrong}.`, usage([command]))
  if (args.length < least || args.length > most) throw new WrongUse(`Usage: ${usageOf(command)}`)
  return { command, args, options }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\.(?:\s|$)/)
    throw new WrongUse(`${sentence ?? ''}.`, usageLike(words))
  }
}

const usageOf = ({ name, usage }: Command): string => `signet ${name} ${usage}`.trimEnd()

const usage = (commands?: readonly Command[]): string =>
  (commands ? '' : INTRODUCTION) +
  (commands ?? COMMANDS).map((command) => `  ${usageOf(command)}\n      ${command.does}\n`).join('')

/** The usage of commands with the same first word, else of all. */
function usageLike([word]: readonly string[]): string {
  const like = COMMANDS.filter(({ name }) => name.split(' ')[0] === word)
  return like.length === 0 ? usage() : usage(like)
}
