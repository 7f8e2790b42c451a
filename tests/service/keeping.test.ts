import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DEMONSTRATION_ACCOUNTS } from '../../src/identityProvider/accounts.ts'
import { demonstration } from '../../src/service/demonstration.ts'
import { alex, start, type Running } from './running.ts'

const photo = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')

let running: Running
let token: string
beforeEach(async () => {
  running = await start()
  token = await running.signIn(alex)
  await running.call('PUT', '/api/addin/user/variables_with_options', token, {
    data: { department: 'Deck' },
    reset_fields: [],
  })
  await running.call('PUT', '/signatures-cache/api/v2/signature/default', token, { combined_ids: '14-0' })
  await running.call('PUT', '/api/addin/user/photo', token, { photo })
})
afterEach(() => running.stop())

const state = async () => {
  const [values, user] = await Promise.all([
    running.call('GET', '/api/addin/user/variables', token),
    running.call('GET', '/api/addin/user', token),
  ])
  const picture = await fetch(user.body.picture_url)
  return {
    department: values.body.values['department'],
    master: user.body.metadata.defaultSignature.master,
    picture: Buffer.from(await picture.arrayBuffer()).toString('base64') === photo ? 'sent' : 'another',
  }
}
const changed = { department: 'Deck', master: '14-0', picture: 'sent' }
const initial = { department: 'Operations', master: '12-0', picture: 'another' }

it('what people changed, and their bearers, survive a restart', async () => {
  await running.restart()
  expect(await state()).toEqual(changed)
})

it('a start with reset brings the demonstration data back', async () => {
  await running.restart({ reset: true })
  expect(await state()).toEqual(initial)
  expect(await readdir(join(running.dataFolder, 'photos'))).toEqual([])
})

it('the control call brings the demonstration data back without a restart', async () => {
  await running.restart({ control: true })
  expect(await state()).toEqual(changed)
  expect((await running.call('POST', '/_control/reset', null)).status).toBe(204)
  expect(await state()).toEqual(initial)
})

it('no half-written file is left beside the data', async () => {
  expect((await readdir(running.dataFolder)).sort()).toEqual(['bearer.key', 'organisation.json', 'photos'])
})

it('a file that cannot be read stops the start with a way out, and reset is that way', async () => {
  await writeFile(join(running.dataFolder, 'organisation.json'), '{"people":[]}')
  await expect(running.restart()).rejects.toThrow('--reset')
  await running.restart({ reset: true })
  expect(await state()).toEqual(initial)
})

it('the demonstration data is whole: defaults and delegations exist, everybody has an account', async () => {
  const { people, signatures, definitions } = demonstration
  const ids = new Map(signatures.map(({ combinedIds, ownerId }) => [combinedIds, ownerId]))
  expect(ids.size).toBe(signatures.length)
  for (const person of people) {
    for (const chosen of [person.metadata.defaultSignature, person.adminDefault]) {
      if (chosen) expect(ids.get(chosen.master)).toBe(person.id)
    }
    for (const other of person.delegations) expect(people.map(({ id }) => id)).toContain(other)
    expect(DEMONSTRATION_ACCOUNTS.map(({ email }) => email)).toContain(person.email)
    const own = definitions
      .map(({ path }) => path)
      .filter((path) => path !== 'email' && path !== 'picture_url')
    expect(Object.keys(person.values).sort()).toEqual(own.sort())
  }
})

it('every picture of the service is a PNG below 25 kB', async () => {
  const folder = join(import.meta.dirname, '../../src/service/images')
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.png'))
  expect(names.length).toBeGreaterThan(30)
  for (const name of names) {
    const bytes = await readFile(join(folder, name))
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    expect(bytes.length).toBeLessThan(25_000)
  }
})
