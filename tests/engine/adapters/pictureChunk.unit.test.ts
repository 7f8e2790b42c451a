import { firstValueFrom, of, throwError } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import type { Pictures } from '../../../effects/ports.ts'
import { createChunkLoader, RELOAD_AGE_MS } from '../../../src/engine/adapters/chunks.ts'
import { createPictureLoader } from '../../../src/engine/adapters/pictureChunk.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'

const file = createHandle({})
const loaded: Pictures = { open: () => of({ reason: 'empty' }), crop: () => of({ reason: 'size', limit: 1 }) }
const crop = { x: 0, y: 0, size: 1 }
const broken = new TypeError('Failed to fetch dynamically imported module')
const arrange = (importing: () => Promise<Pictures>) => {
  const reload = vi.fn()
  const page = { age: () => RELOAD_AGE_MS, canReload: () => Promise.resolve(true), reload }
  return { reload, pictures: createPictureLoader(createChunkLoader(page), importing) }
}

describe('the picture chunk', () => {
  test('loads for the first file', async () => {
    const importing = vi.fn(() => Promise.resolve(loaded))
    const { pictures } = arrange(importing)
    expect(importing).not.toHaveBeenCalled()
    expect(await firstValueFrom(pictures.open(file))).toEqual({ reason: 'empty' })
    expect(await firstValueFrom(pictures.crop(file, crop))).toEqual({ reason: 'size', limit: 1 })
  })

  test('refuses the file as notLoaded after a failed load, and reloads the page for the next file', async () => {
    const { pictures, reload } = arrange(() => Promise.reject(broken))
    expect(await firstValueFrom(pictures.open(file))).toEqual({ reason: 'notLoaded' })
    expect(reload).not.toHaveBeenCalled()
    const emitted = vi.fn()
    pictures.open(file).subscribe(emitted)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(emitted).not.toHaveBeenCalled()
  })

  test('passes on a failure of the loaded code', async () => {
    const { pictures } = arrange(() => Promise.resolve({ ...loaded, crop: () => throwError(() => broken) }))
    await expect(firstValueFrom(pictures.crop(file, crop))).rejects.toBe(broken)
  })
})
