import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createImages, createPictureCache } from '../../../src/service/answers/images.ts'
import { createDelegatedOwners } from '../../../src/service/context/owners.ts'
import { createSignatureAnswers } from '../../../src/service/answers/signatures.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import { embeddedData } from '../../support/databases.ts'
import { northwind, personOf } from '../../support/northwind.ts'
import { servingImages } from '../running.ts'

const PICTURE = { mediaType: 'image/png', bytes: new Uint8Array(300) }
const HASHES = ['a', 'b', 'c'].map((digit) => digit.repeat(32))

describe('what the calls answer with', () => {
  let store: Store
  const read: string[] = []
  beforeAll(async () => {
    const opened = await embeddedData()()
    for (const hash of HASHES) await opened.keepPicture(hash, PICTURE)
    store = {
      ...opened,
      picture: (hash) => {
        read.push(hash[0] ?? '')
        return opened.picture(hash)
      },
    }
  })
  afterAll(() => store.close())

  const images = async (limitBytes?: number) => {
    const images = createImages(
      { store, publicUrl: () => 'https://s.example' },
      { codeAt: () => null },
      createPictureCache(limitBytes).of('default'),
    )
    return { app: await servingImages(images), images }
  }

  it('keeps pictures in memory up to the limit; the least used leave first', async () => {
    // Each picture weighs its bytes and their base64: 700.
    const { images: kept } = await images(1_500)
    read.length = 0
    for (const digit of [0, 1, 0, 2, 0, 1])
      expect((await kept.embedded(`https://s.example/images/${HASHES[digit] ?? ''}/x.png`)).status).toBe(200)
    expect(read).toEqual(['a', 'b', 'c', 'b'])
  })

  it('[ADOPT-10] draws a code once, as long as the picture is in memory', async () => {
    const drawn: string[] = []
    const { embedded } = createImages(
      { store, publicUrl: () => 'https://s.example' },
      {
        codeAt: (path) => {
          if (!path.startsWith('qr.')) return null
          drawn.push(path)
          return Buffer.from('png')
        },
      },
      createPictureCache().of('default'),
    )
    read.length = 0
    for (const name of ['a', 'a', 'b', 'a'])
      expect(await embedded(`https://s.example/images/qr.${name}.s/qr.png`)).toMatchObject({
        id: `qr.${name}.s`,
        name: 'qr.png',
        status: 200,
        content: Buffer.from('png').toString('base64'),
      })
    expect([drawn, read]).toEqual([['qr.a.s/qr.png', 'qr.b.s/qr.png'], []])
  })

  it('serves a picture at its hash and any one file name, and at nothing else', async () => {
    const { app } = await images()
    const status = async (path: string) => (await app.inject(`/images/${path}`)).statusCode
    const [hash = ''] = HASHES
    expect(await status(`${hash}/logo.png`)).toBe(200)
    for (const path of [hash, `${hash}/`, `${hash}/a/logo.png`, `${hash}x/logo.png`, `x${hash}/logo.png`])
      expect(await status(path)).toBe(404)
    await app.close()
  })

  it('leaves out a signature that cannot be rendered, tells it, and answers the others', async () => {
    const { app, images: kept } = await images()
    const failures: string[] = []
    const signatures = createSignatureAnswers(
      createDelegatedOwners(store),
      kept,
      (_, __, address) => address,
      (id) => failures.push(id),
    )
    const broken = {
      ...northwind,
      templateOf(path: string) {
        if (path === 'templates/portrait.html') throw new Error('broken')
        return northwind.templateOf(path)
      },
    }
    const person = personOf('alex.kim@northwind.example')
    const caller = { person, release: broken, isAdmin: false, at: 0 }
    const query = { build_base64: false, page: 1, per_page: 50 }
    const { objects } = (await signatures.list(caller, [person], query, false)) as {
      objects: readonly { name: string }[]
    }
    const names = objects.map(({ name }) => name)
    expect([names.includes('Northwind standard'), names.includes('With portrait')]).toEqual([true, false])
    expect(failures).toContain('portrait')
    const chosen = (await signatures.asked(caller, 'portrait-u-1')).chosen()
    expect(await signatures.cache(caller, chosen, true)).toMatchObject({ signature: '', combined_ids: '' })
    await app.close()
  })

  it('shares no signatures of a mailbox that has left', async () => {
    const owners = createDelegatedOwners({
      personsByAddress: async (addresses) =>
        addresses.map((address) => ({ ...personOf(address), active: !address.startsWith('maria') })),
    })
    const person = personOf('alex.kim@northwind.example')
    const delegated = await owners.delegated({ person, release: northwind })
    expect(delegated.map(({ id }) => id)).toEqual(['u-2'])
  })
})
