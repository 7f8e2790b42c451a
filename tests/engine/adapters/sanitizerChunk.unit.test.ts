import { VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import type { LoadChunk } from '../../../src/engine/adapters/chunks.ts'
import { createSanitizerLoader, SANITIZER_LIMIT_MS } from '../../../src/engine/adapters/sanitizerChunk.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'

const sanitize: Sanitize = (html) => html
const loadOnce: LoadChunk = (load) => load

describe('the sanitiser chunk', () => {
  test('loads at the first call, once for all callers', async () => {
    const load = vi.fn(() => Promise.resolve(sanitize))
    const sanitizer = createSanitizerLoader({ scheduler: new VirtualTimeScheduler() }, loadOnce, load)
    expect(load).not.toHaveBeenCalled()
    expect(await Promise.all([sanitizer(), sanitizer()])).toEqual([sanitize, sanitize])
    expect(await sanitizer()).toBe(sanitize)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('loads again after a failure', async () => {
    const load = vi
      .fn(() => Promise.resolve(sanitize))
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const sanitizer = createSanitizerLoader({ scheduler: new VirtualTimeScheduler() }, loadOnce, load)
    await expect(sanitizer()).rejects.toEqual(new Failed({ kind: 'notLoaded' }))
    expect(await sanitizer()).toBe(sanitize)
  })

  test('fails after five seconds, and loads again at the next call', async () => {
    const scheduler = new VirtualTimeScheduler()
    const load = vi
      .fn(() => Promise.resolve(sanitize))
      .mockReturnValueOnce(new Promise<Sanitize>(() => undefined))
    const sanitizer = createSanitizerLoader({ scheduler }, loadOnce, load)
    const first = sanitizer()
    scheduler.flush()
    expect(scheduler.now()).toBe(SANITIZER_LIMIT_MS)
    await expect(first).rejects.toMatchObject({ failure: { kind: 'notLoaded' } })
    expect(await sanitizer()).toBe(sanitize)
  })
})
