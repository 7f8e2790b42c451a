/** A repository in a folder: one JSON file, one file per picture, one for the key. */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Organisation, Person, Repository } from './repository.ts'

const textsSchema = v.record(v.string(), v.string())
const defaultSignatureSchema = v.object({
  master: v.string(),
  reply: v.exactOptional(v.string()),
  bySender: v.exactOptional(textsSchema),
})

const organisationSchema = v.object({
  maintenance: v.nullable(v.picklist(['planned', 'active'])),
  definitions: v.array(
    v.object({
      path: v.string(),
      lookups: textsSchema,
      metas: v.object({
        custom_type: v.nullable(v.string()),
        display_name: v.exactOptional(v.string()),
        hidden: v.boolean(),
        non_editable: v.boolean(),
        resettable: v.boolean(),
      }),
    }),
  ),
  people: v.array(
    v.object({
      id: v.string(),
      email: v.string(),
      isAdmin: v.boolean(),
      language: v.exactOptional(v.string()),
      clientName: v.string(),
      delegations: v.array(v.string()),
      photo: v.nullable(v.string()),
      values: textsSchema,
      directory: textsSchema,
      metadata: v.objectWithRest({ defaultSignature: v.exactOptional(defaultSignatureSchema) }, v.unknown()),
      adminDefault: v.nullable(defaultSignatureSchema),
      planId: v.string(),
      mayChooseDefault: v.boolean(),
      addinInfo: v.nullable(v.object({ receivedAt: v.string(), info: v.unknown() })),
    }),
  ),
  signatures: v.array(
    v.object({
      combinedIds: v.string(),
      ownerId: v.string(),
      name: v.string(),
      template: v.string(),
      variants: v.array(v.object({ code: v.string(), template: v.string() })),
      audiences: v.array(v.string()),
      order: v.exactOptional(v.number()),
      collection: v.exactOptional(v.string()),
    }),
  ),
})

/**
 * Opens the folder. A new folder, or any folder with `startOver`, starts with `initial`.
 *
 * Only one process may use a folder. Changes are queued, and each is on disk before a reader sees it. The file is
 * replaced atomically, so that a crash leaves the state before or after a change.
 *
 * @throws when the folder is not writable, or this version cannot read its file
 */
export async function openFolderRepository(
  folder: string,
  initial: Organisation,
  { startOver }: Readonly<{ startOver: boolean }>,
): Promise<Repository> {
  const file = join(folder, 'organisation.json')
  const photos = join(folder, 'photos')
  if (startOver) await Promise.all([file, photos].map((path) => rm(path, { recursive: true, force: true })))
  await mkdir(photos, { recursive: true })

  async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
    const beside = `${path}.${randomBytes(6).toString('hex')}.new`
    await writeFile(beside, content, { mode: 0o600 })
    await rename(beside, path)
  }

  const key = (await readIfExists(join(folder, 'bearer.key'))) ?? randomBytes(32)
  await writeWhole(join(folder, 'bearer.key'), key)

  const stored = await readIfExists(file)
  let organisation = stored === null ? initial : parseOrganisation(stored, file)
  let queue: Promise<unknown> = Promise.resolve()

  function change<Result>(
    next: () => Readonly<{ organisation: Organisation; result: Result }>,
  ): Promise<Result> {
    const turn = queue.then(async () => {
      const changed = next()
      if (changed.organisation !== organisation)
        await writeWhole(file, JSON.stringify(changed.organisation, null, 1))
      organisation = changed.organisation
      return changed.result
    })
    queue = turn.catch(() => undefined)
    return turn
  }

  if (stored === null) await writeWhole(file, JSON.stringify(organisation, null, 1))

  return {
    person: async (id) => organisation.people.find((person) => person.id === id) ?? null,
    personByEmail: async (email) =>
      organisation.people.find((person) => person.email.toLowerCase() === email.toLowerCase()) ?? null,
    changePerson: (id, evolve) =>
      change<Person | null>(() => {
        const before = organisation.people.find((person) => person.id === id)
        if (before === undefined) return { organisation, result: null }
        const after = evolve(before)
        const people = organisation.people.map((person) => (person.id === id ? after : person))
        return { organisation: { ...organisation, people }, result: after }
      }),
    signature: async (combinedIds) =>
      organisation.signatures.find((signature) => signature.combinedIds === combinedIds) ?? null,
    signatures: async (ownerIds, { offset, limit }) => {
      const all = ownerIds.flatMap((id) => organisation.signatures.filter(({ ownerId }) => ownerId === id))
      return { signatures: all.slice(offset, offset + limit), total: all.length }
    },
    definitions: async () => organisation.definitions,
    photo: (name) => readIfExists(join(photos, fileName(name))),
    keepPhoto: (name, bytes) => writeWhole(join(photos, fileName(name)), bytes),
    dropPhoto: (name) => rm(join(photos, fileName(name)), { force: true }),
    maintenance: async () => organisation.maintenance,
    setMaintenance: (maintenance) =>
      change(() => ({ organisation: { ...organisation, maintenance }, result: undefined })),
    bearerKey: async () => key,
    reset: async () => {
      await change(() => ({ organisation: initial, result: undefined }))
      await rm(photos, { recursive: true, force: true })
      await mkdir(photos, { recursive: true })
    },
  }
}

/** Names come from URLs; only a plain file name may reach the disk. */
function fileName(name: string): string {
  if (!/^[A-Za-z0-9_-]+\.[a-z]+$/.test(name)) throw new Error(`not a file name: ${JSON.stringify(name)}`)
  return name
}

async function readIfExists(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function parseOrganisation(bytes: Buffer, file: string): Organisation {
  try {
    return v.parse(organisationSchema, JSON.parse(bytes.toString('utf8')))
  } catch (cause) {
    throw new Error(`${file} cannot be read; start with --reset to restore the demonstration data`, { cause })
  }
}
