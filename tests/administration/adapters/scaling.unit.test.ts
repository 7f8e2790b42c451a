import { createHash } from 'node:crypto'
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { createPictureScaling } from '../../../src/administration/adapters/scaling.ts'
import type { BannerPicture } from '../../../streams/administration/plan/banners.ts'
import type { PictureTools } from '../../../src/engine/adapters/picture.ts'
import { png } from '../../support/pictures.ts'

const DRAWN = Buffer.from('drawn').toString('base64')
const picture = (width: number, height: number, type: 'image/png' | 'image/jpeg'): BannerPicture => ({
  name: 'logo.png',
  base64: png(width, height),
  hash: 'h',
  raster: { type, width, height },
})

/** A browser that records what it draws. */
function fakeTools(width: number, height: number, { fails = '' } = {}) {
  const log: unknown[][] = []
  const made: PictureTools = {
    async decode(file) {
      log.push(['decode', file.type, Buffer.from(await file.arrayBuffer()).toString('base64')])
      if (fails === 'decode') throw new Error('broken')
      return { image: 'original', width, height, close: () => log.push(['close']) } as never
    },
    createCanvas: (size) =>
      ({
        ...size,
        getContext: () =>
          fails === 'context'
            ? null
            : {
                drawImage: (image: unknown, ...where: unknown[]) =>
                  log.push([image === 'original' ? 'original' : 'canvas', ...where]),
              },
        toDataURL: (type: string, quality: number) => {
          log.push(['write', type, quality, size.width, size.height])
          return `data:${type};base64,${DRAWN}`
        },
      }) as never,
  }
  return { made, log }
}
const scaling = ({ made }: ReturnType<typeof fakeTools>) =>
  createPictureScaling(
    (importing) => importing,
    () => Promise.resolve(made),
  )

test('a picture is drawn at the size, and has its name, its type and the hash of its content', async () => {
  const tools = fakeTools(300, 150)
  const made = await firstValueFrom(
    scaling(tools).scaled(picture(300, 150, 'image/jpeg'), { width: 200, height: 100 }),
  )
  expect(made).toEqual({
    name: 'logo.png',
    base64: DRAWN,
    hash: createHash('sha256').update('drawn').digest('hex').slice(0, 32),
  })
  expect(tools.log).toEqual([
    ['decode', 'image/jpeg', png(300, 150)],
    ['original', 0, 0, 300, 150, 0, 0, 200, 100],
    ['write', 'image/jpeg', 0.85, 200, 100],
    ['close'],
  ])
})

test('a photo that the browser turns keeps its ratio', async () => {
  const tools = fakeTools(150, 300)
  await firstValueFrom(scaling(tools).scaled(picture(300, 150, 'image/jpeg'), { width: 100, height: 50 }))
  expect(tools.log.slice(1, 3)).toEqual([
    ['original', 0, 0, 150, 300, 0, 0, 100, 200],
    ['write', 'image/jpeg', 0.85, 100, 200],
  ])
})

test('a much larger picture is halved until the rest is at most a half', async () => {
  const tools = fakeTools(1001, 30)
  await firstValueFrom(scaling(tools).scaled(picture(1001, 30, 'image/png'), { width: 200, height: 6 }))
  expect(tools.log.slice(1)).toEqual([
    ['original', 0, 0, 1001, 30, 0, 0, 501, 15],
    ['canvas', 0, 0, 501, 15, 0, 0, 251, 8],
    ['canvas', 0, 0, 251, 8, 0, 0, 200, 6],
    ['write', 'image/png', 0.85, 200, 6],
    ['close'],
  ])
})

test('a dimension that is small enough is not halved below the size', async () => {
  const tools = fakeTools(900, 2)
  await firstValueFrom(scaling(tools).scaled(picture(900, 2, 'image/png'), { width: 200, height: 1 }))
  expect(tools.log.slice(1, 4)).toEqual([
    ['original', 0, 0, 900, 2, 0, 0, 450, 1],
    ['canvas', 0, 0, 450, 1, 0, 0, 225, 1],
    ['canvas', 0, 0, 225, 1, 0, 0, 200, 1],
  ])
})

test('a picture that the browser cannot draw fails, and is closed', async () => {
  for (const fails of ['decode', 'context']) {
    const tools = fakeTools(8, 4, { fails })
    const scaled$ = scaling(tools).scaled(picture(8, 4, 'image/png'), { width: 4, height: 2 })
    await expect(firstValueFrom(scaled$)).rejects.toMatchObject({
      failure: { kind: 'storage', action: 'read' },
    })
    expect(tools.log.filter(([what]) => what === 'close')).toHaveLength(fails === 'context' ? 1 : 0)
  }
})

test('nothing is drawn without the code, which is loaded on first use', async () => {
  let loads = 0
  const offline = createPictureScaling(
    (importing) => importing,
    () => {
      loads += 1
      return Promise.reject(new Error('offline'))
    },
  )
  const scaled$ = offline.scaled(picture(8, 4, 'image/png'), { width: 4, height: 2 })
  expect(loads).toBe(0)
  await expect(firstValueFrom(scaled$)).rejects.toMatchObject({ failure: { kind: 'notLoaded' } })
})
