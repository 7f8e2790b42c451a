import { describe, expect, test, vi } from 'vitest'
import { createChunkLoader, RELOAD_AGE_MS, type ReloadablePage } from '../../../src/engine/adapters/chunks.ts'

const broken = new TypeError('Failed to fetch dynamically imported module')

const arrange = (page: Partial<ReloadablePage> = {}) => {
  const reload = vi.fn()
  return {
    reload,
    loader: createChunkLoader({
      age: () => RELOAD_AGE_MS,
      canReload: () => Promise.resolve(true),
      reload,
      ...page,
    }),
  }
}

describe('a chunk that cannot be loaded', () => {
  test('fails, and loads at the retry where the browser fetches again', async () => {
    const { loader, reload } = arrange()
    const load = loader(vi.fn(() => Promise.resolve('chunk')).mockRejectedValueOnce(broken))
    await expect(load()).rejects.toBe(broken)
    expect(await load()).toBe('chunk')
    expect(reload).not.toHaveBeenCalled()
  })

  test('reloads the page at the second failure, and stays pending', async () => {
    const { loader, reload } = arrange()
    const load = loader(() => Promise.reject(broken))
    await expect(load()).rejects.toBe(broken)
    const settled = vi.fn()
    load().then(settled, settled)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(settled).not.toHaveBeenCalled()
  })

  test.each<[string, Partial<ReloadablePage>]>([
    ['cannot be reloaded', { canReload: () => Promise.resolve(false) }],
    ['was opened less than ten seconds ago', { age: () => RELOAD_AGE_MS - 1 }],
  ])('fails again without a reload when the page %s', async (_, page) => {
    const { loader, reload } = arrange(page)
    const load = loader(() => Promise.reject(broken))
    await expect(load()).rejects.toBe(broken)
    await expect(load()).rejects.toBe(broken)
    expect(reload).not.toHaveBeenCalled()
  })

  test('counts its failures apart from those of other chunks', async () => {
    const { loader, reload } = arrange()
    await expect(loader(() => Promise.reject(broken))()).rejects.toBe(broken)
    await expect(loader(() => Promise.reject(broken))()).rejects.toBe(broken)
    expect(reload).not.toHaveBeenCalled()
  })
})
