import type { KeyValueStore, Storage } from '../../../effects/ports.ts'

// A call to storage as plain data, so that a test can make it in a page of a browser too.

/** A namespace: its name, and the user of a private one. */
export type Namespace = Readonly<{ name: keyof Storage; user?: string }>

export type StorageCall = Readonly<{
  namespace: Namespace
  method: keyof KeyValueStore
  key?: string
  value?: unknown
}>

const namespaceOf = (storage: Storage, { name, user = '' }: Namespace): KeyValueStore => {
  switch (name) {
    case 'privateRoaming':
    case 'privateCache':
    case 'privateDrafts':
      return storage[name](user)
    default:
      return storage[name]
  }
}

/** The call as a stream without a subscriber yet. */
export const makeCall = (storage: Storage, { namespace, method, key = '', value }: StorageCall) => {
  const area = namespaceOf(storage, namespace)
  switch (method) {
    case 'set':
      return area.set(key, value)
    case 'get':
      return area.get(key)
    case 'remove':
      return area.remove(key)
    case 'clear':
      return area.clear()
    case 'driver':
      return area.driver()
  }
}
