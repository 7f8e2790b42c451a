import { describe, expect, test, vi } from 'vitest'
import { createChunkLoader, type Page, RELOAD_AGE_MS } from '../../../src/engine/adapters/chunks.ts'

const broken = new TypeError('Failed to fetch dynamically imported module')

const pageOf = (page: Partial<Page> = {}) => {
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

describe('a chunk that cannot be fetched', () => {
  test('fails, and is there at the next try where the browser tries again', async () => {
    const { loader, reload } = pageOf()
    const load = loader(vi.fn(() => Promise.resolve('chunk')).mockRejectedValueOnce(broken))
    await expect(load()).rejects.toBe(broken)
    expect(await load()).toBe('chunk')
    expect(reload).not.toHaveBeenCalled()
  })

  test('has the page loaded anew by the second try where the browser does not', async () => {
    const { loader, reload } = pageOf()
    const load = loader(() => Promise.reject(broken))
    await expect(load()).rejects.toBe(broken)
    const answered = vi.fn()
    load().then(answered, answered)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(answered).not.toHaveBeenCalled()
  })

  test.each<[string, Partial<Page>]>([
    ['cannot be had', { canReload: () => Promise.resolve(false) }],
    ['was opened a moment ago', { age: () => RELOAD_AGE_MS - 1 }],
  ])('fails again, and nothing is lost, when the page %s', async (_, page) => {
    const { loader, reload } = pageOf(page)
    const load = loader(() => Promise.reject(broken))
    await expect(load()).rejects.toBe(broken)
    await expect(load()).rejects.toBe(broken)
    expect(reload).not.toHaveBeenCalled()
  })

  test('is one matter, another chunk is another', async () => {
    const { loader, reload } = pageOf()
    await expect(loader(() => Promise.reject(broken))()).rejects.toBe(broken)
    await expect(loader(() => Promise.reject(broken))()).rejects.toBe(broken)
    expect(reload).not.toHaveBeenCalled()
  })
})
