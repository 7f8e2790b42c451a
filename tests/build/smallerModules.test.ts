import { readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import fc from 'fast-check'
import type * as Rxjs from 'rxjs'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'

// rxjs as it is bundled: with what .parcelrc puts in the place of its modules.

const PROJECT = join(import.meta.dirname, '../..')
const INTERNAL = 'node_modules/rxjs/dist/esm/internal/'

type Code = Readonly<Record<string, (asset: { getCode: () => Promise<string> }) => string | Promise<string>>>

const replaced = new Set<string>()
/** Does what the bundler does with the modules of rxjs that .parcelrc names. */
const smaller = (codes: Code): Plugin => ({
  name: 'smaller',
  setup: (bundler) => {
    bundler.onLoad({ filter: /rxjs[\\/]dist[\\/]esm[\\/].*\.js$/ }, async ({ path }) => {
      const code = codes[basename(path)]
      if (!code) return null
      replaced.add(relative(join(PROJECT, INTERNAL), path))
      return { contents: await code({ getCode: () => readFile(path, 'utf8') }), loader: 'js' }
    })
  },
})

let rxjs: typeof Rxjs
beforeAll(async () => {
  const module = join(PROJECT, 'src/build/smallerModules.mjs')
  const { CODE } = (await import(module)) as { CODE: Code }
  const { outputFiles, warnings } = await build({
    stdin: { contents: "export * from 'rxjs'", resolveDir: PROJECT },
    absWorkingDir: PROJECT,
    alias: { rxjs: './node_modules/rxjs/dist/esm/index.js' },
    plugins: [smaller(CODE)],
    bundle: true,
    write: false,
    format: 'esm',
  })
  expect(warnings).toEqual([])
  const text = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  rxjs = (await import(`data:text/javascript;base64,${text}`)) as typeof Rxjs
})
afterEach(() => {
  vi.useRealTimers()
})

const all = <T>(source$: Rxjs.ObservableInput<T>): Promise<unknown> =>
  rxjs.lastValueFrom(rxjs.from(source$).pipe(rxjs.toArray()))

test('are the modules of rxjs that .parcelrc names', async () => {
  const config = await readFile(join(PROJECT, '.parcelrc'), 'utf8')
  const named = /rxjs\/dist\/esm\/internal\/\{(.*)\}\.js"/.exec(config)
  const groups = named?.[1]?.replace(
    /(\w+\/)\{([^}]*)\}(\w*)/g,
    (_, folder: string, names: string, end: string) =>
      names
        .split(',')
        .map((name) => folder + name + end)
        .join(','),
  )
  expect([...replaced].sort()).toEqual(
    groups
      ?.split(',')
      .map((name) => `${name}.js`)
      .sort(),
  )
})

test.each<[string, () => Rxjs.ObservableInput<number>]>([
  ['an array', () => [1, 2]],
  ['what can be iterated', () => new Set([1, 2])],
  ['a stream', () => rxjs.of(1, 2)],
])('reads %s to its end', async (_, source) => {
  expect(await all(source())).toEqual([1, 2])
})

test('reads a stream of another copy of rxjs, and leaves it', async () => {
  const other = await import('rxjs')
  expect(await all(other.of(1, 2))).toEqual([1, 2])
  const values$ = new other.Subject<number>()
  const subscription = rxjs.from(values$).subscribe()
  expect(values$.observed).toBe(true)
  subscription.unsubscribe()
  expect(values$.observed).toBe(false)
})

test('gives the value of a promise, or its error', async () => {
  expect(await all(Promise.resolve(1))).toEqual([1])
  await expect(all(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

test('gives nothing of a promise that ends after the last listener left', async () => {
  const seen: unknown[] = []
  const promise = Promise.resolve(1)
  rxjs
    .from(promise)
    .subscribe((each) => seen.push(each))
    .unsubscribe()
  await promise
  expect(seen).toEqual([])
})

test('reads no more of an iterable than is asked for', async () => {
  let read = 0
  function* endless() {
    for (;;) yield (read += 1)
  }
  expect(await all(rxjs.from(endless()).pipe(rxjs.take(2)))).toEqual([1, 2])
  expect(read).toBe(2)
})

test('refuses what is no input of a stream', () => {
  expect(() => rxjs.from(1 as never)).toThrow(TypeError)
})

test('throws an error of a listener later, and goes on', () => {
  vi.useFakeTimers()
  const values$ = new rxjs.Subject<number>()
  const seen: number[] = []
  values$.subscribe(() => {
    throw new Error('broken')
  })
  values$.subscribe((each) => seen.push(each))
  values$.next(1)
  values$.next(2)
  expect(seen).toEqual([1, 2])
  expect(() => vi.runAllTimers()).toThrow('broken')
})

test('pipes a subject, which tells its listeners its value, its end and its error', () => {
  const seen: unknown[] = []
  const listen = (source$: Rxjs.Observable<number>) =>
    source$.subscribe({
      next: (value) => seen.push(value),
      error: (error) => seen.push(error),
      complete: () => seen.push('end'),
    })
  const one$ = new rxjs.BehaviorSubject(1)
  listen(one$.pipe(rxjs.map((value) => value * 10)))
  one$.next(2)
  one$.complete()
  const other$ = new rxjs.Subject<number>()
  const listening = listen(other$.pipe(rxjs.filter((value) => value > 1)))
  other$.next(1)
  other$.error('broken')
  expect(seen).toEqual([10, 20, 'end', 'broken'])
  expect(listening.closed).toBe(true)
})

test('joins streams, by their places or names, as rxjs itself does', async () => {
  const original = await import('rxjs')
  const inputs = fc.array(fc.array(fc.oneof(fc.nat(2), fc.constantFrom('error', 'later'))), { maxLength: 3 })
  /** What a listener hears of streams of these values, and then of those that come later. */
  const heard = (of: typeof Rxjs, all: readonly (readonly (string | number)[])[], isNamed: boolean) => {
    const seen: unknown[] = []
    const later$ = new of.Subject<never>()
    const sources = all.map((values) =>
      of
        .concat(
          ...values.map((value) =>
            value === 'error' ? of.throwError(() => 'error') : value === 'later' ? later$ : of.of(value),
          ),
        )
        .pipe(of.finalize(() => seen.push('gone'))),
    )
    const joined$: Rxjs.Observable<unknown> = isNamed
      ? of.forkJoin(Object.fromEntries(sources.map((source$, index) => [`s${String(index)}`, source$])))
      : of.forkJoin(sources)
    joined$.subscribe({
      next: (value) => seen.push(value),
      error: (error) => seen.push(error),
      complete: () => seen.push('end'),
    })
    seen.push('later')
    later$.complete()
    return seen
  }
  fc.assert(
    fc.property(inputs, fc.boolean(), (all, isNamed) => {
      expect(heard(rxjs, all, isNamed)).toEqual(heard(original, all, isNamed))
    }),
  )
})

test('looks at values, and tells its error', async () => {
  const seen: number[] = []
  expect(
    await all(
      rxjs.of(1, 2).pipe(
        rxjs.tap((each) => seen.push(each)),
        rxjs.tap(),
      ),
    ),
  ).toEqual([1, 2])
  expect(seen).toEqual([1, 2])
  const broken = () => {
    throw new Error('broken')
  }
  await expect(all(rxjs.of(1).pipe(rxjs.tap(broken)))).rejects.toThrow('broken')
})

type Step = Readonly<{ what: string; where: number; value: number }>

test('flattens streams, leaves them and tells their errors as rxjs itself does', async () => {
  const original = await import('rxjs')
  const step: fc.Arbitrary<Step> = fc.record({
    what: fc.constantFrom('next', 'next', 'next', 'complete', 'error', 'leave'),
    where: fc.nat(2),
    value: fc.nat(2),
  })
  const flattening = (of: typeof Rxjs, inner: (value: number, index: number) => Rxjs.Observable<number>) => ({
    mergeMap: of.mergeMap(inner),
    mergeTwo: of.mergeMap(inner, 2),
    concatMap: of.concatMap(inner),
    switchMap: of.switchMap(inner),
    exhaustMap: of.exhaustMap(inner),
    expand: of.expand(inner),
  })
  /** What a listener hears while these steps happen to three subjects, of which the first has the others as values. */
  const heard = (of: typeof Rxjs, name: keyof ReturnType<typeof flattening>, steps: readonly Step[]) => {
    const seen: unknown[] = []
    const subjects = [new of.Subject<number>(), new of.Subject<number>(), new of.Subject<number>()]
    const stream = (where: number) => {
      const source$: Rxjs.Observable<number> = subjects[where] ?? of.NEVER
      return source$.pipe(of.finalize(() => void seen.push(`left ${String(where)}`)))
    }
    const operators = flattening(of, (value, index) => {
      seen.push([value, index])
      return value === 0 ? of.throwError(() => 'broken') : stream(value)
    })
    const listening = stream(0)
      .pipe(operators[name], of.startWith(9), of.endWith(8))
      .subscribe({
        next: (value) => seen.push(value),
        error: (error) => seen.push(error),
        complete: () => seen.push('end'),
      })
    for (const { what, where, value } of steps) {
      if (what === 'leave') listening.unsubscribe()
      else if (what === 'next') subjects[where]?.next(value)
      else if (what === 'error') subjects[where]?.error(`error ${String(value)}`)
      else subjects[where]?.complete()
      seen.push(listening.closed)
    }
    return seen
  }
  const names = fc.constantFrom('mergeMap', 'mergeTwo', 'concatMap', 'switchMap', 'exhaustMap', 'expand')
  fc.assert(
    fc.property(names, fc.array(step, { maxLength: 12 }), (name, steps) => {
      expect(heard(rxjs, name, steps)).toEqual(heard(original, name, steps))
    }),
  )
})

test('shares a stream and its last values as rxjs itself does', async () => {
  const original = await import('rxjs')
  const step = fc.constantFrom('listen', 'listen', 'next', 'next', 'complete', 'error', 'leave')
  /** What all listeners hear while these steps happen to the shared stream; the last to come leaves first. */
  const heard = (of: typeof Rxjs, size: number, refCount: boolean | null, steps: readonly string[]) => {
    const seen: unknown[] = []
    let source$ = new of.Subject<number>()
    const shared$ = of
      .defer(() => {
        seen.push('begun')
        source$ = new of.Subject<number>()
        return source$
      })
      .pipe(
        of.finalize(() => void seen.push('gone')),
        refCount === null ? of.share() : of.shareReplay({ bufferSize: size, refCount }),
      )
    const listening: Rxjs.Subscription[] = []
    for (const [index, what] of steps.entries()) {
      seen.push(what)
      if (what === 'next') source$.next(index)
      else if (what === 'complete') source$.complete()
      else if (what === 'error') source$.error('error')
      else if (what === 'leave') listening.pop()?.unsubscribe()
      else
        listening.push(
          shared$.subscribe({
            next: (value) => seen.push([index, value]),
            error: (error) => seen.push([index, error]),
            complete: () => seen.push([index, 'end']),
          }),
        )
    }
    return seen
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 }),
      fc.constantFrom(true, false, null),
      fc.array(step, { maxLength: 15 }),
      (size, refCount, steps) => {
        expect(heard(rxjs, size, refCount, steps)).toEqual(heard(original, size, refCount, steps))
      },
    ),
  )
})

test('replays to a late listener as many values as it asks for', () => {
  const values$ = new rxjs.ReplaySubject<number>(3)
  for (const value of [1, 2, 3]) values$.next(value)
  values$.complete()
  const seen: number[] = []
  values$.pipe(rxjs.take(2)).subscribe((value) => seen.push(value))
  expect(seen).toEqual([1, 2])
})

test('repeats a stream, and gives one that has no operators as it is', async () => {
  expect(await all(rxjs.of(1, 2).pipe(rxjs.repeat(), rxjs.take(5)))).toEqual([1, 2, 1, 2, 1])
  const values$ = rxjs.of(1)
  expect(values$.pipe()).toBe(values$)
})

test('tells all errors of what happens when a listener leaves', () => {
  const broken = (error: string) => () => {
    throw new Error(error)
  }
  const listening = rxjs.NEVER.pipe(rxjs.finalize(broken('one')), rxjs.finalize(broken('two'))).subscribe()
  expect(() => {
    listening.unsubscribe()
  }).toThrow(
    expect.objectContaining({
      name: 'UnsubscriptionError',
      message: 'Error: one; Error: two',
      errors: [new Error('one'), new Error('two')],
    }),
  )
})

test('schedules by the clock and the timers of the browser', () => {
  vi.useFakeTimers({ now: 1_000 })
  const seen: unknown[] = []
  rxjs.asyncScheduler.schedule((state) => seen.push([state, rxjs.asyncScheduler.now()]), 10, 'state')
  rxjs.asyncScheduler.schedule(() => seen.push('left'), 5).unsubscribe()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(10)
  expect(seen).toEqual([['state', 1_010]])
})

test('sets and clears the timers of the browser', () => {
  vi.useFakeTimers()
  const seen: number[] = []
  rxjs.timer(10).subscribe({ next: (each) => seen.push(each), complete: () => seen.push(1) })
  vi.advanceTimersByTime(9)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1)
  expect(seen).toEqual([0, 1])
  rxjs.timer(10).subscribe().unsubscribe()
  expect(vi.getTimerCount()).toBe(0)
})
