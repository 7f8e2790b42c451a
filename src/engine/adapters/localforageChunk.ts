import type { LocalforageDriver } from './localforage.ts'
import type { Driver } from './storageDriver.ts'

// This function is not in storage.ts. There, Parcel 2.16 would take the next `Promise.resolve().then(() => …)` for a
// part of this import, and every driver would load the chunk.

/**
 * A driver of localforage. The chunk of localforage is loaded when the driver is opened
 * (docs/decisions/0018-localforage-on-demand.md).
 */
export const localforageDriver = (name: LocalforageDriver): Driver => ({
  name,
  open: (namespace) => import('./localforage.ts').then(({ openArea }) => openArea(name, namespace)),
})
