import { firstValueFrom, of, throwError } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import type { Pictures } from '../../../effects/ports.ts'
import { createChunkLoader, RELOAD_AGE_MS } from '../../../src/engine/adapters/chunks.ts'
import { createPictureLoader } from '../../../src/engine/adapters/pictureChunk.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'

const file = createHandle({})
const loaded: Pictures = { prepare: () => of({ reason: 'empty' }) }
const broken = new TypeError('Failed to fetch dynamically imported module')
const loaderOf = (importing: () => Promise<Pictures>) => {
  const reload = vi.fn()
  const page = { age: () => RELOAD_AGE_MS, canReload: () => Promise.resolve(true), reload }
  return { reload, pictures: createPictureLoader(createChunkLoader(page), importing) }
}

describe('what makes pictures', () => {
  test('is loaded for the first who chose one', async () => {
    const importing = vi.fn(() => Promise.resolve(loaded))
    const { pictures } = loaderOf(importing)
    expect(importing).not.toHaveBeenCalled()
    expect(await firstValueFrom(pictures.prepare(file))).toEqual({ reason: 'empty' })
  })

  test('that cannot be loaded refuses the file as that, and the next one has the page loaded anew', async () => {
    const { pictures, reload } = loaderOf(() => Promise.reject(broken))
    expect(await firstValueFrom(pictures.prepare(file))).toEqual({ reason: 'notLoaded' })
    expect(reload).not.toHaveBeenCalled()
    const answered = vi.fn()
    pictures.prepare(file).subscribe(answered)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(answered).not.toHaveBeenCalled()
  })

  test('says of its own failures nothing of the kind', async () => {
    const { pictures } = loaderOf(() => Promise.resolve({ prepare: () => throwError(() => broken) }))
    await expect(firstValueFrom(pictures.prepare(file))).rejects.toBe(broken)
  })
})
