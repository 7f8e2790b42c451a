/** Parses `signet <command> …`, runs the command and returns the exit code. */
import { parseArgs } from 'node:util'
import { GALLERY_NAMES } from '../../streams/organisation/release/gallery.ts'
import { VERSION } from '../service/operations/version.ts'
import {
  errorSentence,
  CommandStop,
  CommandUsageError,
  type ExitCode,
  type CommandOptions,
  type CommandHandler,
  type Terminal,
} from './terminal.ts'

type Command = Readonly<{
  /** The words after `signet`, such as `people import`. */
  name: string
  /** The arguments and options as the help shows them. The command accepts no others. */
  usage: string
  does: string
  run: CommandHandler
}>

const OPTIONS = {
  service: { type: 'string' },
  person: { type: 'string' },
  on: { type: 'string' },
  note: { type: 'string' },
  plan: { type: 'string' },
  out: { type: 'string' },
  encoding: { type: 'string' },
  only: { type: 'string' },
  until: { type: 'string' },
  signature: { type: 'string' },
  exclude: { type: 'boolean' },
  release: { type: 'string' },
  organisation: { type: 'string' },
  people: { type: 'string' },
  into: { type: 'string' },
  from: { type: 'string' },
  fetch: { type: 'boolean' },
  force: { type: 'boolean' },
  domain: { type: 'string' },
  template: { type: 'string' },
  recipients: { type: 'string' },
  reply: { type: 'boolean' },
  open: { type: 'boolean' },
  yes: { type: 'boolean' },
  try: { type: 'boolean' },
  retire: { type: 'boolean' },
  json: { type: 'boolean' },
  all: { type: 'boolean' },
  ask: { type: 'boolean' },
  refuse: { type: 'boolean' },
  name: { type: 'string' },
  tenant: { type: 'string', multiple: true },
  directory: { type: 'string' },
  'sync-minutes': { type: 'string' },
  pictures: { type: 'boolean' },
  'new-token': { type: 'boolean' },
  as: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

// Each command loads only its own modules, so a help page loads no database driver.
const ofFolder = () => import('./folderCommands.ts')
const ofService = () => import('./serviceCommands.ts')
const byHand = () => import('./correctionCommands.ts')
const ofDatabase = () => import('./databaseCommands.ts')
const ofOrganisations = () => import('./organisationCommands.ts')

const COMMANDS: readonly Command[] = [
  {
    name: 'init',
    usage: `<folder> --organisation <name> --domain <domain> [--template ${GALLERY_NAMES.join('|')}]`,
    does: 'writes a folder to begin with, with a short template or one of the gallery',
    run: async (...given) => (await ofFolder()).initCommand(...given),
  },
  {
    name: 'adopt',
    usage:
      '<file…> --into <folder> [--person <address>] [--people people.csv] [--from <text>] [--encoding windows-1252] [--fetch] [--force]',
    does: 'makes a template of a signature that is there: of Word or Outlook (.htm), or in a mail (.eml, .msg), with the pictures that lie beside it; several files are compared',
    run: async (...given) => (await import('./adoptCommand.ts')).adoptSignature(...given),
  },
  {
    name: 'check',
    usage: '<folder> [--on 2026-10-01]',
    does: 'names everything that is wrong in a folder',
    run: async (...given) => (await ofFolder()).checkCommand(...given),
  },
  {
    name: 'preview',
    usage:
      '<folder> --person <address> [--reply] [--recipients internal|external] [--on 2026-10-01] [--out preview.html] [--open]',
    does: 'shows what a person of people.csv would get',
    run: async (...given) => (await ofFolder()).previewCommand(...given),
  },
  {
    name: 'plan',
    usage: '<folder> --service <address> [--on 2026-10-01] [--out plan.html] [--json]',
    does: 'shows what publishing a folder would change, for whom; with --json, as JSON; ends with code 2 when there are changes',
    run: async (...given) => (await ofService()).planCommand(...given),
  },
  {
    name: 'publish',
    usage: '<folder> --service <address> [--note <text>] [--yes --plan <id>] [--all] [--out plan.html]',
    does: 'plans, shows, asks and publishes; --all lets it change more people than the limit of signet.yaml',
    run: async (...given) => (await ofService()).publishCommand(...given),
  },
  {
    name: 'approve',
    usage: '<plan> --service <address> [--note <text>] [--refuse | --ask]',
    does: 'approves a plan that needs the approval of a second person; --refuse refuses it, --ask asks others for it',
    run: async (...given) => (await ofService()).approveCommand(...given),
  },
  {
    name: 'drift',
    usage: '<folder> --service <address>',
    does: 'lists what of a folder is not what is published; ends with code 2 when something is not',
    run: async (...given) => (await ofService()).driftCommand(...given),
  },
  {
    name: 'rollback',
    usage: '[<release>] --service <address> [--note <text>]',
    does: 'answers an earlier release again, by its number or id; without one, the one before',
    run: async (...given) => (await ofService()).rollBackCommand(...given),
  },
  {
    name: 'releases',
    usage: '--service <address>',
    does: 'lists what was published, latest first',
    run: async (...given) => (await ofService()).showReleases(...given),
  },
  {
    name: 'why',
    usage:
      '<person> [<folder>] --service <address> [--reply] [--recipients internal|external] [--on 2026-10-01]',
    does: 'says why a person has their signatures and blocks, with the line of signet.yaml that decides: in the folder, if it is what is published, else in the one that signet export writes; with --recipients or --reply, which blocks such a message has',
    run: async (...given) => (await ofService()).whyCommand(...given),
  },
  {
    name: 'explain',
    usage: '<mail.eml> --service <address> [--on 2026-10-01]',
    does: 'says by which release and rules the signature in a mail was made, whether it was changed, and what the person would get today; also of the .html of a mail, of the day --on',
    run: async (...given) => (await ofService()).explainCommand(...given),
  },
  {
    name: 'people import',
    usage: '<file.csv> --service <address> [--only <column>,<column>] [--encoding windows-1252] [--try]',
    does: 'adds and changes people; with --only, adds these columns to people who are there, and adds and retires nobody; with --try, only says what would change',
    run: async (...given) => (await ofService()).importPeople(...given),
  },
  {
    name: 'people set',
    usage:
      '<person> [<name=value>…] --service <address> [--until removed|changed|2026-12-24] [--exclude] [--signature <id>]',
    does: 'corrects values of one person above the directory, by variable or field; --exclude keeps the person without a signature, --signature gives a certain one; a value ends when the directory says something else, unless --until says otherwise',
    run: async (...given) => (await byHand()).setByHand(...given),
  },
  {
    name: 'people unset',
    usage: '<person> [<name>…] --service <address> [--exclude] [--signature <id>]',
    does: 'takes back what was set for one person by hand',
    run: async (...given) => (await byHand()).unsetByHand(...given),
  },
  {
    name: 'people show',
    usage: '<person> --service <address>',
    does: 'shows the values of one person with their sources, and what was set by hand',
    run: async (...given) => (await byHand()).showPerson(...given),
  },
  {
    name: 'sync',
    usage: '--service <address> [--try] [--retire]',
    does: 'syncs people with the directory; with --try, only says what would change; --retire lets it retire more than 5 %',
    run: async (...given) => (await ofService()).syncCommand(...given),
  },
  {
    name: 'person export',
    usage: '<person> --service <address>',
    does: 'writes everything that is kept of a person, as JSON',
    run: async (...given) => (await ofService()).exportPerson(...given),
  },
  {
    name: 'person erase',
    usage: '<person> --service <address> [--yes]',
    does: 'erases everything that is kept of a person; asks, unless --yes',
    run: async (...given) => (await ofService()).erasePerson(...given),
  },
  {
    name: 'maintenance',
    usage: 'planned|active|off --service <address>',
    does: 'sets what the add-in says about maintenance',
    run: async (...given) => (await ofService()).setMaintenance(...given),
  },
  {
    name: 'export',
    usage: '<folder> --service <address> [--release <release>]',
    does: 'writes a release as a folder, by its number or id',
    run: async (...given) => (await ofService()).exportFolder(...given),
  },
  {
    name: 'backup',
    usage: '<file>',
    does: 'writes the whole database into a file',
    run: async (...given) => (await ofDatabase()).backupDatabase(...given),
  },
  {
    name: 'restore',
    usage: '<file>',
    does: 'reads a backup into an empty database',
    run: async (...given) => (await ofDatabase()).restoreDatabase(...given),
  },
  {
    name: 'rebuild',
    usage: '',
    does: 'folds the facts of all people again and replaces rows that differ',
    run: async (...given) => (await ofDatabase()).rebuildCommand(...given),
  },
  {
    name: 'organisation add',
    usage:
      '<id> --name <name> --tenant <id> [--tenant <id>] [--directory graph|scim|none] [--sync-minutes 15] [--pictures] [--new-token]',
    does: 'adds an organisation and prints the next steps of its administrator; for a known id, changes what is given; --new-token makes another token for SCIM',
    run: async (...given) => (await ofOrganisations()).addOrganisation(...given),
  },
  {
    name: 'organisation list',
    usage: '[--json]',
    does: 'lists the organisations of the installation',
    run: async (...given) => (await ofOrganisations()).listOrganisations(...given),
  },
  {
    name: 'organisation export',
    usage: '<id> <file>',
    does: 'writes one organisation into a file, without its signing keys; default is the organisation of the settings',
    run: async (...given) => (await ofOrganisations()).exportOrganisationTo(...given),
  },
  {
    name: 'organisation import',
    usage: '<file> [--as <id>]',
    does: 'adds the organisation of an export',
    run: async (...given) => (await ofOrganisations()).importOrganisationFrom(...given),
  },
  {
    name: 'organisation remove',
    usage: '<id> [--yes]',
    does: 'deletes an organisation with everything it has; asks, unless --yes; goes on after an interruption',
    run: async (...given) => (await ofOrganisations()).removeOrganisation(...given),
  },
  {
    name: 'keys rotate',
    usage: '',
    does: 'begins a new signing key; the one before stays valid until its tokens expire',
    run: async (...given) => (await ofDatabase()).rotateKeys(...given),
  },
  {
    name: 'doctor',
    usage: '',
    does: 'looks at settings, database and identity provider, and says what to do',
    run: async (...given) => (await ofDatabase()).diagnoseCommand(...given),
  },
]

const INTRODUCTION = `signet <command>

Commands that name a service send the access token in SIGNET_TOKEN.
Commands of the database (backup, restore, rebuild, organisation, keys rotate, doctor) read the settings of the service.

`

/** @param words the words after `signet` */
export async function runCommand(words: readonly string[], world: Terminal): Promise<ExitCode> {
  const terminal: Terminal = {
    ...world,
    write: (text) => world.write(withoutControls(text)),
    complain: (text) => world.complain(withoutControls(text)),
  }
  try {
    if (words.length === 0) throw new CommandUsageError('There is no command.', usage())
    if (words.join(' ') === '--version') {
      terminal.write(`${VERSION}\n`)
      return 0
    }
    const { command, like, args, options } = read(words)
    if (!command || options['help'] === true) {
      terminal.write(usage(command ? [command] : like))
      return 0
    }
    return await command.run(args, options, terminal)
  } catch (error) {
    if (error instanceof CommandUsageError) {
      terminal.complain(`${error.message}\n${error.usage === null ? '' : `\n${error.usage}`}`)
      return 64
    }
    terminal.trace?.(error instanceof CommandStop ? (error.cause ?? error) : error)
    terminal.complain(`${errorSentence(error)}\n`)
    return 1
  }
}

/** Replaces control characters, because they could move the cursor or colour the output. */
const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD')

function read(words: readonly string[]) {
  const { values, positionals } = parse(words)
  const options: CommandOptions = values
  const command = COMMANDS.find(({ name }) =>
    name.split(' ').every((word, index) => positionals[index] === word),
  )
  if (!command) {
    if (options['help'] === true) {
      const group = positionals.map((word) => `${word} `).join('')
      const like = group === '' ? undefined : COMMANDS.filter(({ name }) => name.startsWith(group))
      if (like?.length !== 0) return { command: null, like, args: [], options }
    }
    throw new CommandUsageError(`There is no command "${positionals.join(' ')}".`, usageLike(positionals))
  }
  const args = positionals.slice(command.name.split(' ').length)
  if (options['help'] === true) return { command, args, options }
  const [named = ''] = command.usage.split(/\[?--/, 1)
  const most = named.split(' ').filter(Boolean)
  const least = most.filter((argument) => !argument.startsWith('['))
  const isOpen = named.includes('…')
  const known = Array.from(command.usage.matchAll(/--([\w-]+)/g), ([, name]) => name)
  const wrong = Object.keys(options).find((name) => !known.includes(name))
  if (wrong !== undefined)
    throw new CommandUsageError(`signet ${command.name} does not take --${wrong}.`, usage([command]))
  if (args.length < least.length || (args.length > most.length && !isOpen))
    throw new CommandUsageError(`Usage: ${usageOf(command)}`)
  return { command, args, options }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : '').split(/\.(?:\s|$)/)
    throw new CommandUsageError(`${sentence ?? ''}.`, usageLike(words))
  }
}

const usageOf = ({ name, usage }: Command): string => `signet ${name} ${usage}`.trimEnd()

const usage = (commands?: readonly Command[]): string =>
  (commands ? '' : INTRODUCTION) +
  (commands ?? COMMANDS).map((command) => `  ${usageOf(command)}\n      ${command.does}\n`).join('')

/** The usage of the commands that begin with this word, or of all commands if none does. */
function usageLike([word]: readonly string[]): string {
  const like = COMMANDS.filter(({ name }) => name.split(' ')[0] === word)
  return like.length === 0 ? usage() : usage(like)
}
