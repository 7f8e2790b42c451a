import { concat, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { CLAIM_KEY_PREFIX } from '../../../effects/message/claim.ts'
import { withSessionMemory } from '../../../effects/pane/sessionMemory.ts'
import { createClock } from '../../support/clock.ts'
import { failing, type FakePorts, fakePorts } from '../../support/ports.ts'

const [ITEM, OTHER] = ['item-1', 'item-2']
const refused$ = failing({ kind: 'host', call: 'sessionData.setAsync', code: 5001, name: 'x' })
type Session = Readonly<Record<string, string>> | null

/** A mail client whose session data is `given`, whatever is written; `isStored`: it takes what is written. */
function remember(given: Session, isStored: boolean, change: (fakes: FakePorts) => void = () => undefined) {
  const fakes = fakePorts(createClock())
  fakes.host.allSessionData.answers(of(given))
  fakes.host.sessionData.answers((_item, name) => of(given?.[name] ?? null))
  if (!isStored) fakes.host.setSessionData.answers(refused$)
  change(fakes)
  const host = withSessionMemory(fakes.host)
  return {
    fakes,
    write: (name: string, value: string, itemKey = ITEM) =>
      host.setSessionData(itemKey, name, value).subscribe({ error: () => undefined }),
    read: (name: string, itemKey = ITEM): unknown => {
      const seen: unknown[] = []
      host.sessionData(itemKey, name).subscribe((value) => seen.push(value))
      return seen[0]
    },
    readAll: (itemKey = ITEM): unknown => {
      const seen: unknown[] = []
      host.allSessionData(itemKey).subscribe((all) => seen.push(all))
      return seen[0]
    },
  }
}

describe('the memory of what was written into an item', () => {
  test.each<[string, Session, boolean, string | null]>([
    ['gives what the mail client has', { lsi: 'theirs' }, true, 'theirs'],
    ['gives its own where the mail client has none', {}, true, 'own'],
    ['gives its own where the mail client stored none', { lsi: 'theirs' }, false, 'own'],
  ])('%s', (_, given, isStored, expected) => {
    const { fakes, write, read, readAll } = remember(given, isStored)
    write('lsi', 'own')
    expect(read('lsi')).toBe(expected)
    expect(readAll()).toEqual({ lsi: expected })
    expect(fakes.host.setSessionData.calls).toEqual([[ITEM, 'lsi', 'own']])
    expect([read('lsi', OTHER), readAll(OTHER)]).toEqual([given?.['lsi'] ?? null, given])
  })

  test('says nothing of another value in the same item', () => {
    const { write, read, readAll } = remember({ a: '1' }, false)
    write('b', '2')
    write('c', '3')
    expect([read('a'), read('b'), read('c')]).toEqual(['1', '2', '3'])
    expect(readAll()).toEqual({ a: '1', b: '2', c: '3' })
  })

  test('is all there is where session data cannot be read, unless it has claims alone', () => {
    const { write, readAll } = remember(null, true)
    expect(readAll()).toBeNull()
    write(`${CLAIM_KEY_PREFIX}a`, '1')
    expect(readAll()).toBeNull()
    write('lsi', 'own')
    expect(readAll()).toEqual({ [`${CLAIM_KEY_PREFIX}a`]: '1', lsi: 'own' })
    expect(readAll(OTHER)).toBeNull()
  })

  test('has the latest write, also where that was refused after one that was stored', () => {
    const { write, read, fakes } = remember({ lsi: 'before' }, true)
    write('lsi', 'stored')
    fakes.host.setSessionData.answers(refused$)
    write('lsi', 'refused')
    expect(read('lsi')).toBe('refused')
  })

  test('tells other items of the marks that were never stored, and of nothing else', () => {
    const { write, readAll } = remember({ other: '0' }, false)
    write(`${CLAIM_KEY_PREFIX}a`, '1')
    write('lsi', 'own')
    expect(readAll(OTHER)).toEqual({ other: '0', [`${CLAIM_KEY_PREFIX}a`]: '' })
    expect(readAll()).toEqual({ other: '0', [`${CLAIM_KEY_PREFIX}a`]: '1', lsi: 'own' })
  })

  test('writes once for each subscription, and not before', () => {
    const fakes = fakePorts(createClock())
    const write$ = withSessionMemory(fakes.host).setSessionData(ITEM, 'lsi', 'own')
    expect(fakes.host.setSessionData.calls).toEqual([])
    concat(write$, write$).subscribe()
    expect(fakes.host.setSessionData.calls).toHaveLength(2)
  })
})
