import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEMONSTRATION_ACCOUNTS } from '../../src/identityProvider/accounts.ts'
import { startDemonstration } from '../../src/service/demonstration/demonstration.ts'
import { readDemonstration, DEMONSTRATION_FACTS } from '../../src/service/demonstration/northwind.ts'
import { LOGO } from '../../streams/organisation/release/galleryPictures.ts'
import { northwindPeople } from '../support/northwind.ts'
import { asPhoto, png } from '../folder/pictures.ts'
import { ALEX, start, type Running } from './running.ts'

const photo = asPhoto(png())

describe('the data folder', () => {
  let running: Running
  let token: string
  beforeAll(async () => {
    running = await start({ open: null })
    token = await running.signIn(ALEX)
  })
  beforeEach(async () => {
    await running.reset()
    await running.call('PUT', '/api/addin/user/variables_with_options', token, {
      data: { department: 'Deck' },
      reset_fields: [],
    })
    await running.call('PUT', '/signatures-cache/api/v2/signature/default', token, {
      combined_ids: 'harbour_days-u-1',
    })
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
  const changed = { department: 'Deck', master: 'harbour_days-u-1', picture: 'sent' }
  const initial = { department: 'Operations', master: 'portrait-u-1', picture: 'another' }

  it('keeps changes and bearers through a restart', async () => {
    await running.restart()
    expect(await state()).toEqual(changed)
  })

  it('has the demonstration data again after a start with reset', async () => {
    await running.restart({ reset: true })
    expect(await state()).toEqual(initial)
  })

  it('has the demonstration data again after the reset control', async () => {
    expect(await state()).toEqual(changed)
    expect((await running.control('POST', 'reset')).status).toBe(204)
    expect(await state()).toEqual(initial)
  })

  it('prevents the start of a second process while it is open', async () => {
    await expect(startDemonstration({ ...running.options, port: 0 })).rejects.toThrow(running.dataFolder)
    expect(await state()).toEqual(changed)
  })
})

describe('the demonstration data', () => {
  it('has an account for each user, and checks clean but for what is difficult on purpose', async () => {
    const { people } = await readDemonstration()
    for (const { record } of people) {
      const [email] = record.addresses
      expect(DEMONSTRATION_ACCOUNTS).toContainEqual(
        expect.objectContaining({ email, subject: record.account?.oid }),
      )
    }
    expect(northwindPeople.map(({ id }) => id)).toEqual(people.map(({ id }) => id))
    expect(
      Object.keys(DEMONSTRATION_FACTS).every((id) => northwindPeople.some((person) => person.id === id)),
    ).toBe(true)
  })

  it('asks for no more width than the message has beside the pane', async () => {
    // The playground's message at 1,280 pixels, without its margins.
    const room = 440
    const folder = join(import.meta.dirname, '../../src/service/demonstration/signatures/templates')
    const found: (readonly [width: number, file: string])[] = []
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.html')) continue
      const html = await readFile(join(folder, name), 'utf8')
      for (const [, attribute, style] of html.matchAll(/width="(\d+)"|[;"]width:(\d+)px/g))
        found.push([Number(attribute ?? style), name])
    }
    expect(found.length).toBeGreaterThan(30)
    expect(found.filter(([width]) => width > room)).toEqual([])
  })

  it('has a PNG below 25 kB for every SVG', async () => {
    const folder = join(import.meta.dirname, '../../src/service/demonstration')
    const namesOf = async (type: string, below: string) =>
      (await readdir(join(folder, below), { recursive: true }))
        .filter((name) => name.endsWith(type))
        .map((name) => name.slice(0, -type.length))
    const pictures = await Promise.all(
      ['signatures/pictures', 'difficult/pictures'].map(async (below) => ({
        below,
        names: await namesOf('.png', below),
      })),
    )
    const names = pictures.flatMap((each) => each.names)
    const drawn = await namesOf('.svg', 'drawings')
    // The logo of the gallery is in the code.
    expect(drawn.filter((name) => name.startsWith('gallery/'))).toEqual(['gallery/logo'])
    expect(Buffer.from(LOGO.base64, 'base64').length).toBeLessThan(25_000)
    expect(names.sort()).toEqual(drawn.filter((name) => !name.startsWith('gallery/')).sort())
    expect(names.length).toBeGreaterThan(30)
    for (const path of pictures.flatMap((each) =>
      each.names.map((name) => join(each.below, `${name}.png`)),
    )) {
      const bytes = await readFile(join(folder, path))
      expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
      expect(bytes.length).toBeLessThan(25_000)
    }
  })
})
