import { expect, it } from 'vitest'
import { createPlannedPictures } from '../../../src/service/publishing/plannedPictures.ts'
import type { Picture } from '../../../src/service/sql/pictures.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { largeDocument } from '../../growth/largeDocument.ts'

const [ONE, OTHER] = ['1'.repeat(32), '2'.repeat(32)]
const PICTURE: Picture = { mediaType: 'image/png', bytes: new Uint8Array([1]) }
const withPictures = (...hashes: readonly string[]): ReleaseDocument => ({
  ...largeDocument({ signatures: 1, templates: 1 }),
  pictures: Object.fromEntries(hashes.map((hash) => [`${hash}.png`, hash])),
})

/** Pictures over two tables in memory. `afterRead` runs after each read of one of them. */
function picturesOver(sent: readonly string[], afterRead: () => void = () => {}) {
  const planned = new Set(sent)
  const published = new Set<string>()
  const move = (hash: string) => {
    if (planned.delete(hash)) published.add(hash)
  }
  const one = (table: ReadonlySet<string>) => async (hash: string) => {
    const found = table.has(hash) ? PICTURE : null
    afterRead()
    return found
  }
  const some = (table: ReadonlySet<string>) => async (hashes: readonly string[]) => {
    const found = new Set(hashes.filter((hash) => table.has(hash)))
    afterRead()
    return found
  }
  const store = {
    picture: one(published),
    hasPictures: some(published),
    plannedPicture: one(planned),
    hasPlannedPictures: some(planned),
    extendPlannedPictures: some(planned),
    publishPicture: async (hash: string) => move(hash),
  } as unknown as Store
  return { pictures: createPlannedPictures({ store, now: () => 0 }), planned, published, move }
}

it('a picture that another instance publishes meanwhile is missing to nobody', async () => {
  for (const read of ['missing', 'extend', 'find'] as const) {
    const { pictures, move } = picturesOver([ONE], () => move(ONE))
    if (read === 'missing') expect(await pictures.missing([ONE, OTHER])).toEqual([OTHER])
    if (read === 'extend') expect(await pictures.extend(withPictures(ONE), 1)).toEqual([ONE])
    if (read === 'find') expect(await pictures.find(ONE)).toEqual(PICTURE)
  }
})

it('the pictures of a plan are those that are not published yet, and all have to be there', async () => {
  const { pictures, move } = picturesOver([ONE, OTHER])
  move(OTHER)
  expect(await pictures.extend(withPictures(ONE, OTHER), 1)).toEqual([ONE])
  await expect(pictures.extend(withPictures(ONE, '3'.repeat(32)), 1)).rejects.toMatchObject({
    code: 'picture_invalid',
    message: `The picture ${'3'.repeat(32)} is missing: send it first.`,
  })
})

it('a publish that ended between two pictures is repeated, and loses none', async () => {
  const { pictures, published } = picturesOver([ONE, OTHER])
  const document = withPictures(ONE, OTHER)
  const told: (readonly [number, number])[] = []
  const killed = new Error('killed')
  const work = (least: number) => ({
    async tell(done: number, of: number) {
      if (done >= least) throw killed
      told.push([done, of])
    },
    reach: async () => undefined,
  })
  await expect(pictures.publish([ONE, OTHER], document, work(1))).rejects.toBe(killed)
  expect([...published]).toEqual([ONE])
  await pictures.publish([ONE, OTHER], document, work(9))
  expect([...published]).toEqual([ONE, OTHER])
  expect(told).toEqual([
    [0, 2],
    [0, 2],
    [1, 2],
    [2, 2],
  ])
})

it('a picture that went meanwhile refuses the publish, and names itself', async () => {
  const { pictures, planned } = picturesOver([ONE])
  planned.clear()
  await expect(pictures.publish([ONE], withPictures(ONE), null)).rejects.toMatchObject({
    code: 'picture_invalid',
    message: `The picture ${ONE} is missing: plan once more.`,
  })
})
