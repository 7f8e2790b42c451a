import type { LocalforageDriver } from './localforage.ts'
import type { Driver } from './storageDriver.ts'

// Not in storage.ts: there, Parcel 2.16 takes the next `Promise.resolve().then(() => …)` for a part of the import, so
// that every driver would load the chunk.

/** A driver of localforage, whose chunk is loaded to open it (docs/decisions/0018-localforage-on-demand.md). */
export const localforageDriver = (name: LocalforageDriver): Driver => ({
  name,
  open: (namespace) => import('./localforage.ts').then(({ openArea }) => openArea(name, namespace)),
})
