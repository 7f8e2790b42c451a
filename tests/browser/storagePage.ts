import { lastValueFrom, toArray, VirtualTimeScheduler } from 'rxjs'
import { createStorage } from '../../src/engine/adapters/storage.ts'
import { makeCall, type StorageCall } from '../engine/adapters/storageCalls.ts'

// The storage as it ships, on a page in a real browser, because only browsers have IndexedDB and its limits.

declare global {
  interface Window {
    storage: Readonly<{
      play(call: StorageCall): Promise<unknown[]>
      make(call: StorageCall): void
      abandon(call: StorageCall): void
      logged(): readonly string[]
    }>
  }
}

const actions: string[] = []
const log = (action: string) => void actions.push(action)
// Its clock stands still: a busy machine exceeds no limit.
const time = { scheduler: new VirtualTimeScheduler() }
const storage = createStorage({ log: { warn: log, error: log }, time })

window.storage = {
  play: (call) => lastValueFrom(makeCall(storage, call).pipe(toArray<unknown>())),
  make: (call) => void makeCall(storage, call),
  abandon: (call) => {
    makeCall(storage, call).subscribe().unsubscribe()
  },
  logged: () => actions,
}
