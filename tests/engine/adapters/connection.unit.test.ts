// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { createConnection } from '../../../src/engine/adapters/connection.ts'

test.each([true, false])(
  'says when the network is lost and back; when it is there at first: %s',
  (isThere) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isThere)
    const { lost$, back$ } = createConnection(window)
    const told: string[] = []
    const followed = [lost$.subscribe(() => told.push('lost')), back$.subscribe(() => told.push('back'))]
    expect(told).toEqual(isThere ? [] : ['lost'])
    told.length = 0
    for (const type of ['offline', 'online', 'offline']) window.dispatchEvent(new Event(type))
    expect(told).toEqual(['lost', 'back', 'lost'])
    for (const each of followed) each.unsubscribe()
    window.dispatchEvent(new Event('offline'))
    expect(told).toHaveLength(3)
    vi.restoreAllMocks()
  },
)
