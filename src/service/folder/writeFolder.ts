/** Writes a release, or a first folder to begin with, in the format of `docs/signatures-as-a-folder.md`. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { keyOf, type ReleaseDocument, type Selection } from '../../../streams/organisation/release.ts'
import type { Steps } from '../../../streams/kernel/steps.ts'
import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { inTurns } from '../../server/turns.ts'
import { mismatchIn, reading } from '../../../streams/wire/reading.ts'
import type { FolderPicture } from './pictures.ts'
import { PICTURES_FOLDER } from '../../../streams/organisation/paths.ts'
import { SIGNET_FILE } from './signetYaml.ts'

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
function* writingYaml(document: ReleaseDocument): Steps<string> {
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
/** Makes the folder. @throws Error when there is something in the folder */
async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`)
}

async function write(folder: string, path: string, content: Uint8Array): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content, { flag: 'wx' })
}

function* checking(document: ReleaseDocument): Steps<ReleaseDocument> {
  try {
    return yield* reading(documentSchema, document)
  } catch (error) {
    throw new Error(`The document cannot be a folder: ${mismatchIn(error) ?? String(error)}`, {
      cause: error,
    })
  }
}

/**
 * The files of a release's folder, by their paths, in steps. `readFolder` reads the same document from these files.
 *
 * @param pictures the pictures by their hash
 * @throws Error with a sentence when a picture is missing, or when the document could not be read back
 */
export function* writingFiles(
  document: ReleaseDocument,
  pictures: ReadonlyMap<string, Pick<FolderPicture, 'bytes'>>,
): Steps<ReadonlyMap<string, Uint8Array>> {
  // The document is checked, because the schema guarantees that its paths are below the folder.
  const checked = yield* checking(document)
  const { templates, pictures: hashes } = checked
  const files = new Map<string, Uint8Array>()
  files.set(SIGNET_FILE, Buffer.from(yield* writingYaml(checked)))
  for (const [path, text] of Object.entries(templates)) files.set(path, Buffer.from(text))
  for (const [path, hash] of Object.entries(hashes)) {
    const picture = pictures.get(hash)
    if (picture === undefined) throw new Error(`The picture ${path} is missing.`)
    files.set(`${PICTURES_FOLDER}/${path}`, picture.bytes)
  }
  return files
}

/** Writes a release as a folder. @throws Error before it writes, as `writingFiles` or when the folder is not empty */
export async function writeFolder(
  document: ReleaseDocument,
  pictures: ReadonlyMap<string, FolderPicture>,
  folder: string,
): Promise<void> {
  const files = await inTurns(writingFiles(document, pictures))
  await makeEmpty(folder)
  for (const [path, content] of files) await write(folder, path, content)
}

const FIRST_TEMPLATE = `<table cellpadding="0" cellspacing="0" border="0" role="presentation">
  <tr><td style="font-family:Arial,sans-serif;font-size:14px;color:#222222;">
    <strong>{{display_name}}</strong>{{#if job_title}}<br>{{job_title}}{{/if}}
    {{#if phone}}<br>T <a href="tel:{{tel phone}}" style="color:#0f3d5e;">{{phone}}</a>{{/if}}
    <br>E <a href="mailto:{{email}}" style="color:#0f3d5e;">{{email}}</a>
    <br>{{organisation_name}}
  </td></tr>
</table>
`

/**
 * Writes a first folder: one template, and one signature for everyone.
 *
 * @throws Error with a sentence when the folder is not empty, or when `domain` is not a domain
 */
export async function initFolder(
  folder: string,
  { organisation, domain }: Readonly<{ organisation: string; domain: string }>,
): Promise<void> {
  const from = (field: string) => ({ from: field, value: null, resync: false, hidden: false, label: null })
  const document: ReleaseDocument = {
    version: 1,
    organisation,
    internal: [domain.toLowerCase()],
    chooseDefault: { for: 'everyone', not: [] },
    plan: { from: null, value: 'full' },
    variables: [
      { path: 'first_name', ...from('givenName'), edit: false, group: null },
      { path: 'last_name', ...from('surname'), edit: false, group: null },
      { path: 'job_title', ...from('jobTitle'), edit: false, group: 'mapped' },
      { path: 'phone', ...from('businessPhones.0'), edit: true, group: 'mapped' },
      { path: 'organisation_name', ...from(''), from: null, value: organisation, edit: false, group: 'rest' },
    ],
    signatures: [
      {
        id: 'standard',
        name: 'Standard',
        template: 'templates/standard.html',
        reply: null,
        mobile: null,
        selection: { for: 'everyone', not: [] },
        during: null,
        recipients: 'everyone',
        collection: null,
      },
    ],
    mailboxes: [],
    templates: { 'templates/standard.html': FIRST_TEMPLATE },
    pictures: {},
  }
  await writeFolder(document, new Map(), folder)
}
