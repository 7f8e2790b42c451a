import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEMONSTRATION_ACCOUNTS } from '../../src/identityProvider/accounts.ts'
import { demonstration } from '../../src/service/demonstration.ts'
import { asPhoto, png } from './pictures.ts'
import { ALEX, start, type Running } from './running.ts'

const photo = asPhoto(png())

describe('the data folder', () => {
  let running: Running
  let token: string
  beforeAll(async () => {
    running = await start()
    token = await running.signIn(ALEX)
  })
  beforeEach(async () => {
    await running.restart({ reset: true })
    await running.call('PUT', '/api/addin/user/variables_with_options', token, {
      data: { department: 'Deck' },
      reset_fields: [],
    })
    await running.call('PUT', '/signatures-cache/api/v2/signature/default', token, { combined_ids: '14-0' })
    await running.call('PUT', '/api/addin/user/photo', token, { photo })
  })
  afterAll(() => running.stop())

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

  it('keeps changes and bearers through a restart', async () => {
    await running.restart()
    expect(await state()).toEqual(changed)
  })

  it('has the demonstration data again after a start with reset', async () => {
    await running.restart({ reset: true })
    expect(await state()).toEqual(initial)
    expect(await readdir(join(running.dataFolder, 'photos'))).toEqual([])
  })

  it('has the demonstration data again after the reset control', async () => {
    expect(await state()).toEqual(changed)
    expect((await running.control('POST', 'reset')).status).toBe(204)
    expect(await state()).toEqual(initial)
  })

  it('contains no partial file', async () => {
    expect((await readdir(running.dataFolder)).sort()).toEqual(['bearer.key', 'organisation.json', 'photos'])
  })

  it('prevents the start while its file is unreadable, until a start with reset', async () => {
    await writeFile(join(running.dataFolder, 'organisation.json'), '{"people":[]}')
    await expect(running.restart()).rejects.toThrow('--reset')
    await running.restart({ reset: true })
    expect(await state()).toEqual(initial)
  })
})

describe('the demonstration data', () => {
  it('has every default and delegation that it names, and an account for each user', () => {
    const { people, signatures, definitions } = demonstration
    const owners = new Map(signatures.map(({ combinedIds, ownerId }) => [combinedIds, ownerId]))
    expect(owners.size).toBe(signatures.length)
    for (const person of people) {
      for (const chosen of [person.metadata.defaultSignature, person.adminDefault]) {
        if (chosen) expect(owners.get(chosen.master)).toBe(person.id)
      }
      for (const other of person.delegations) expect(people.map(({ id }) => id)).toContain(other)
      expect(DEMONSTRATION_ACCOUNTS.map(({ email }) => email)).toContain(person.email)
      const own = definitions
        .map(({ path }) => path)
        .filter((path) => path !== 'email' && path !== 'picture_url')
      expect(Object.keys(person.values).sort()).toEqual(own.sort())
    }
  })

  it('has a PNG below 25 kB for every SVG', async () => {
    const folder = join(import.meta.dirname, '../../src/service/images')
    const files = await readdir(folder, { recursive: true })
    const namesOf = (type: string) =>
      files.filter((name) => name.endsWith(type)).map((name) => name.slice(0, -type.length))
    expect(namesOf('.png').sort()).toEqual(namesOf('.svg').sort())
    expect(namesOf('.png').length).toBeGreaterThan(30)
    for (const name of namesOf('.png')) {
      const bytes = await readFile(join(folder, `${name}.png`))
      expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
      expect(bytes.length).toBeLessThan(25_000)
    }
  })
})
