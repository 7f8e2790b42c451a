import { defer, map, of, tap } from 'rxjs'
import { CLAIM_KEY_PREFIX } from '../message/claim.ts'
import type { MailHost } from '../ports.ts'

/**
 * Adds an in-memory copy to the session data, for values that the mail client could not store or does not return. So a
 * removed signature stays known while the pane and the message are open. A value from the client takes precedence,
 * because another runtime may have written since. Marks (`signatureMarkFor`) that the client never stored are added to every
 * message's session data: a reopened message has another key, so its own marks cannot be told apart.
 */
export const withSessionMemory = (host: MailHost): MailHost => {
  const written = new Map<string, Map<string, Readonly<{ value: string; isStored: boolean }>>>()
  const own = (itemKey: string) => written.get(itemKey) ?? new Map<string, never>()
  const keep = (itemKey: string, name: string, value: string, isStored: boolean) =>
    written.set(itemKey, new Map([...own(itemKey), [name, { value, isStored }]]))
  return {
    ...host,
    sessionData: (itemKey, name) =>
      defer(() => {
        const kept = own(itemKey).get(name)
        if (kept?.isStored === false) return of(kept.value)
        return host.sessionData(itemKey, name).pipe(map((value) => value ?? kept?.value ?? null))
      }),
    allSessionData: (itemKey) =>
      host.allSessionData(itemKey).pipe(
        map((all) => {
          const kept = own(itemKey)
          // If the client returns nothing and the copy has only marks, the message's data is unknown.
          const tells = [...kept.keys()].some((name) => !name.startsWith(CLAIM_KEY_PREFIX))
          if (all === null && !tells) return null
          const merged = new Map(Object.entries(all ?? {}))
          for (const [other, names] of all === null ? [] : written)
            for (const [name, { isStored }] of names)
              if (other !== itemKey && !isStored && name.startsWith(CLAIM_KEY_PREFIX)) merged.set(name, '')
          for (const [name, { value, isStored }] of kept)
            if (!isStored || !merged.has(name)) merged.set(name, value)
          return Object.fromEntries(merged)
        }),
      ),
    setSessionData: (itemKey, name, value) =>
      defer(() => {
        // A stored mark stays in the item, so it counts as stored even if this write fails.
        keep(
          itemKey,
          name,
          value,
          name.startsWith(CLAIM_KEY_PREFIX) && own(itemKey).get(name)?.isStored === true,
        )
        return host.setSessionData(itemKey, name, value).pipe(tap(() => keep(itemKey, name, value, true)))
      }),
  }
}
