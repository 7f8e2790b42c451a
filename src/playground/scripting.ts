import type { Mailbox, Snapshot } from '../mailbox/mailbox.ts'
import type { Action } from '../mailbox/model.ts'

/** The playground's scripting interface, `window.playground`, for tests and bug reports (described in the README). */
export interface Playground {
  snapshot(): Snapshot
  newMessage(): string
  reply(): string
  forward(): string
  switchTo(id: string | null): void
  setFrom(a: Address): void
  setRecipients(r: { to?: Address[]; cc?: Address[] }): void
  setBodyType(t: 'html' | 'text'): void
  fail(call: string, error: { code: number; name: string }, times?: number): void
  delay(call: string, ms: number): void
  silence(call: string): void
  restore(): void
}

export interface Address {
  address: string
  name: string
}

/** The scripting interface of a mailbox. What cannot be done throws: an item or a call that does not exist, nothing to answer. */
export function createScripting(mailbox: Mailbox): Playground {
  const begin = (action: Action): string => {
    const before = mailbox.state$.value.openings
    const id = mailbox.act(action)
    if (id === null || mailbox.state$.value.openings === before) {
      throw new Error(`There is no message for ${action.type}`)
    }
    return id
  }
  return {
    snapshot: () => mailbox.snapshot(),
    newMessage: () => begin({ type: 'newMessage' }),
    reply: () => begin({ type: 'reply' }),
    forward: () => begin({ type: 'forward' }),
    switchTo(id) {
      if (mailbox.act({ type: 'switchTo', id }) !== id) throw new Error(`There is no item ${id}`)
    },
    setFrom: (from) => void mailbox.act({ type: 'setFrom', from }),
    setRecipients: (recipients) => void mailbox.act({ type: 'setRecipients', ...recipients }),
    setBodyType: (bodyType) => void mailbox.act({ type: 'setBodyType', bodyType }),
    fail: (call, error, times) => mailbox.fail(call, error, times),
    delay: (call, ms) => mailbox.delay(call, ms),
    silence: (call) => mailbox.silence(call),
    restore: () => mailbox.restore(),
  }
}
