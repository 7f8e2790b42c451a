import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Observable, of } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { gestureEffects } from '../../src/pane/screen/gestureEffects.ts'
import { domains } from '../../streams/pane/events.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { Picture } from '../../streams/pane/picture/events.ts'
import { Variables } from '../../streams/pane/variables/events.ts'
import { createClock } from '../support/clock.ts'
import { fakePorts } from '../support/ports.ts'
import { freshState } from '../support/state.ts'

const ROOT = join(import.meta.dirname, '../..')

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(ROOT, folder, file))

const LISTS = ['src/engine/createApp.ts', 'src/pane/screen/gestureEffects.ts'] as const

test('no effect runs twice: neither its name nor its function is in both lists', () => {
  const [ofEngine, ofScreen] = LISTS.map((file) => readFileSync(join(ROOT, file), 'utf8')).map((text) =>
    [...text.matchAll(/^ {2}(\w+): (\w+\.\w+),$/gm)].flatMap(([, name = '', effect = '']) => [name, effect]),
  )
  expect(ofScreen).not.toEqual([])
  expect(ofEngine?.filter((each) => ofScreen?.includes(each))).toEqual([])
})

test('every effect runs: each function that a file of effects/ exports is used by another file that ships', async () => {
  const shipped = [
    ...filesOf('effects'),
    ...filesOf('src/engine'),
    ...filesOf('src/launch'),
    ...filesOf('src/pane/screen'),
    ...filesOf('src/service'),
  ].map((file) => ({
    file,
    text: readFileSync(file, 'utf8'),
  }))
  const unused: string[] = []
  for (const file of filesOf('effects')) {
    const exports = (await import(file)) as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(exports)) {
      // `mailbox.readUser,` where the application is wired, or a named import.
      const use = new RegExp(`\\.${name},|import \\{[^}]*\\b${name}\\b`)
      const isUsed = shipped.some((other) => other.file !== file && use.test(other.text))
      if (typeof value === 'function' && !isUsed) unused.push(`${name} in ${file}`)
    }
  }
  expect(unused).toEqual([])
})

test('only gestures begin the effects of the screen: no event from before its first drawing concerns them', () => {
  const gestures = domains
    .flatMap((creators) => Object.values(creators))
    .flatMap(({ by, type }) => (by === 'gesture' ? [type as string] : []))
  /** What only follows from a gesture, or only ends what one began. */
  const known: readonly string[] = [Variables.saved, Picture.saved, Picture.deleted, Auth.signedOut].map(
    ({ type }) => type,
  )
  const PROBE = { type: 'test/probe', data: {}, meta: { seq: 0, at: 0, source: 'test' } }
  const has = Reflect.get(Set.prototype, 'has') as (this: Set<unknown>, value: unknown) => boolean
  const state = freshState()
  const heard = new Map<string, readonly string[]>()
  for (const [name, effect] of Object.entries(gestureEffects)) {
    const types: string[] = []
    // Each subscription gets one event, and `ofType` asks the set of its types for it.
    const event$ = new Observable<never>((listener) => {
      const before = types.length
      listener.next(PROBE as never)
      if (types.length === before) types.push('every event')
    })
    vi.spyOn(Set.prototype, 'has').mockImplementation(function (this: Set<unknown>, value) {
      if (value === PROBE.type) types.push(...([...this] as string[]))
      return has.call(this, value)
    })
    effect(event$, Object.assign(of(state), { value: state }), fakePorts(createClock())).subscribe()
    vi.restoreAllMocks()
    heard.set(name, types)
    expect(
      types.filter((type) => !gestures.includes(type) && !known.includes(type)),
      name,
    ).toEqual([])
  }
  // This one follows the state, which tells it what happened before.
  expect([...heard].filter(([, types]) => types.length === 0).map(([name]) => name)).toEqual([
    'restorePictures',
  ])
})
