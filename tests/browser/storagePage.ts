import { lastValueFrom, toArray, VirtualTimeScheduler } from 'rxjs'
import type { Log } from '../../effects/ports.ts'
import { createStorage } from '../../src/engine/adapters/storage.ts'
import { makeCall, type StorageCall } from '../engine/adapters/storageCalls.ts'

// The storage as it ships, on a page in a real browser, because only browsers have IndexedDB and its limits.

declare global {
  interface Window {
    storage: Readonly<{
      play(call: StorageCall): Promise<unknown[]>
      make(call: StorageCall): void
      abandon(call: StorageCall): void
      /** The actions of warnings and errors. */
      logged(): readonly string[]
      /** Every line of the log: its level, its action, and the driver of which it tells. */
      lines(): readonly string[]
    }>
  }
}

const lines: Readonly<{ level: keyof Log; action: string; driver: unknown }>[] = []
const writeAt =
  (level: keyof Log): Log[keyof Log] =>
  (action, detail = {}) =>
    void lines.push({ level, action, driver: detail['driver'] ?? '' })
const log: Log = { debug: writeAt('debug'), warn: writeAt('warn'), error: writeAt('error') }
// Its clock stands still: a busy machine exceeds no limit.
const time = { scheduler: new VirtualTimeScheduler() }
const storage = createStorage({ log, time })

window.storage = {
  play: (call) => lastValueFrom(makeCall(storage, call).pipe(toArray<unknown>())),
  make: (call) => void makeCall(storage, call),
  abandon: (call) => {
    makeCall(storage, call).subscribe().unsubscribe()
  },
  logged: () => lines.flatMap(({ level, action }) => (level === 'debug' ? [] : [action])),
  lines: () => lines.map(({ level, action, driver }) => `${level} ${action} ${String(driver)}`.trim()),
}
