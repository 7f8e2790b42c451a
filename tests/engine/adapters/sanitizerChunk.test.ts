import { VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import type { LoadChunk } from '../../../src/engine/adapters/chunks.ts'
import { createSanitizerLoader, SANITIZER_LIMIT_MS } from '../../../src/engine/adapters/sanitizerChunk.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'

const sanitize: Sanitize = (html) => html
const plainly: LoadChunk = (load) => load

describe('the sanitiser’s chunk', () => {
  test('is loaded for the first who needs it, and once for everybody', async () => {
    const load = vi.fn(() => Promise.resolve(sanitize))
    const sanitizer = createSanitizerLoader({ scheduler: new VirtualTimeScheduler() }, plainly, load)
    expect(load).not.toHaveBeenCalled()
    expect(await Promise.all([sanitizer(), sanitizer()])).toEqual([sanitize, sanitize])
    expect(await sanitizer()).toBe(sanitize)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('that could not be loaded is loaded anew for the next who asks', async () => {
    const load = vi
      .fn(() => Promise.resolve(sanitize))
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    const sanitizer = createSanitizerLoader({ scheduler: new VirtualTimeScheduler() }, plainly, load)
    await expect(sanitizer()).rejects.toEqual(new Failed({ kind: 'network' }))
    expect(await sanitizer()).toBe(sanitize)
  })

  test('that does not come is given up after five seconds, and loaded anew for the next who asks', async () => {
    const scheduler = new VirtualTimeScheduler()
    const load = vi
      .fn(() => Promise.resolve(sanitize))
      .mockReturnValueOnce(new Promise<Sanitize>(() => undefined))
    const sanitizer = createSanitizerLoader({ scheduler }, plainly, load)
    const asked = sanitizer()
    scheduler.flush()
    expect(scheduler.now()).toBe(SANITIZER_LIMIT_MS)
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'timeout' } })
    expect(await sanitizer()).toBe(sanitize)
  })
})
