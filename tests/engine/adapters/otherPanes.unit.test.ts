import { describe, expect, test } from 'vitest'
import { createOtherPanes } from '../../../src/engine/adapters/otherPanes.ts'
import { fakeLog } from '../../support/log.ts'

type FakePage = EventTarget & { localStorage?: object }

/** Two pages of one browser over one local storage, which notifies the other page of a change. */
function fakePages() {
  const kept = new Map<string, string>()
  const pages: FakePage[] = [new EventTarget(), new EventTarget()]
  for (const page of pages) {
    const notify = (key: string, newValue: string | null) => {
      for (const other of pages)
        if (other !== page) other.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
    }
    page.localStorage = {
      setItem: (key: string, value: string) => {
        kept.set(key, value)
        notify(key, value)
      },
      removeItem: (key: string) => {
        if (kept.delete(key)) notify(key, null)
      },
    }
  }
  return { pages: pages as unknown as (Window & typeof globalThis)[], kept }
}

describe('createOtherPanes without channels', () => {
  test('announces each sign-out through storage, and leaves nothing in storage', () => {
    const { pages, kept } = fakePages()
    const [here, there] = pages.map((page) => createOtherPanes(page, fakeLog()))
    const signedOut: string[] = []
    const subscription = there!.signedOut$.subscribe((userId) => signedOut.push(userId))
    here!.tellSignedOut('u-1').subscribe()
    here!.tellSignedOut('u-1').subscribe()
    expect(signedOut).toEqual(['u-1', 'u-1'])
    expect(kept.size).toBe(0)
    subscription.unsubscribe()
    here!.tellSignedOut('u-1').subscribe()
    expect(signedOut).toHaveLength(2)
  })

  test('logs a sign-out that cannot be announced, and completes', () => {
    const log = fakeLog()
    const panes = createOtherPanes(new EventTarget() as Window & typeof globalThis, log)
    let isDone = false
    panes.tellSignedOut('u-1').subscribe(() => (isDone = true))
    expect(isDone).toBe(true)
    expect(log.lines).toMatchObject([{ action: 'other_panes_not_told' }])
  })
})
