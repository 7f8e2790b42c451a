import type { Config, DOMPurify } from 'dompurify'
import {
  asapScheduler,
  AsyncSubject,
  BehaviorSubject,
  catchError,
  concatMap,
  config,
  EMPTY,
  exhaustMap,
  expand,
  forkJoin,
  from,
  interval,
  lastValueFrom,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  repeat,
  ReplaySubject,
  scheduled,
  share,
  shareReplay,
  Subject,
  Subscription,
  switchMap,
  take,
  tap,
  throwError,
  timer,
  toArray,
  UnsubscriptionError,
  VirtualTimeScheduler,
} from 'rxjs'

// Asks rxjs and DOMPurify for what no page needs today. A build that left parts of them out would answer otherwise.

/** All values, and then how the stream ended. */
const played = (stream$: Observable<unknown>): Promise<readonly unknown[]> =>
  lastValueFrom(
    stream$.pipe(
      map((value) => ['next', value]),
      catchError((error: unknown) => of(['error', String(error)])),
      toArray(),
    ),
    { defaultValue: [] },
  )

async function* countTo(most: number) {
  for (let count = 1; count <= most; count++) {
    await Promise.resolve()
    yield count
  }
}

/** What a `ReplaySubject` that forgets by age still gives after each of these waits. */
function remembered(waits: readonly number[]): readonly unknown[] {
  const clock = new VirtualTimeScheduler()
  const subject$ = new ReplaySubject<string>(3, 500, clock)
  const given: unknown[] = []
  subject$.next('at 0')
  clock.schedule(() => {
    subject$.next('at 400')
  }, 400)
  for (const wait of waits)
    clock.schedule(() => {
      const values: string[] = []
      subject$.subscribe((value) => values.push(value)).unsubscribe()
      given.push([wait, values])
    }, wait)
  clock.flush()
  return given
}

/** The moments at which a timer with a period ticks on a virtual clock. */
function ticks(): readonly number[] {
  const clock = new VirtualTimeScheduler()
  const moments: number[] = []
  timer(20, 30, clock)
    .pipe(take(3))
    .subscribe(() => moments.push(clock.now()))
  clock.flush()
  return moments
}

function observed(): readonly string[] {
  const said: string[] = []
  const watch = tap<number>({
    subscribe: () => said.push('subscribe'),
    next: (value) => said.push(`next ${String(value)}`),
    error: () => said.push('error'),
    complete: () => said.push('complete'),
    unsubscribe: () => said.push('unsubscribe'),
    finalize: () => said.push('finalize'),
  })
  of(1, 2).pipe(watch).subscribe()
  NEVER.pipe(watch).subscribe().unsubscribe()
  throwError(() => new Error('no'))
    .pipe(
      watch,
      catchError(() => EMPTY),
    )
    .subscribe()
  return said
}

/** What a shared stream does when `resetOnComplete` is a stream. */
function sharedAgain(): number {
  let subscriptions = 0
  const again$ = new Subject<void>()
  const shared$ = of(1).pipe(
    tap({ subscribe: () => (subscriptions += 1) }),
    share({ connector: () => new ReplaySubject(1), resetOnComplete: () => again$ }),
  )
  shared$.subscribe()
  shared$.subscribe()
  again$.next()
  shared$.subscribe()
  return subscriptions
}

function endings(): readonly string[] {
  const said: string[] = []
  const subject$ = new BehaviorSubject(1)
  subject$.unsubscribe()
  try {
    subject$.next(2)
  } catch (error) {
    said.push(error instanceof Error ? error.name : '')
  }
  const subscription = new Subscription(() => {
    throw new Error('the first')
  })
  subscription.add(() => {
    throw new Error('the second')
  })
  try {
    subscription.unsubscribe()
  } catch (error) {
    said.push(error instanceof UnsubscriptionError ? error.message : '')
  }
  config.onStoppedNotification = ({ kind }) => said.push(`late ${kind}`)
  const late$ = new Subject<number>()
  late$.subscribe({
    complete: () => {
      late$.next(1)
    },
  })
  late$.complete()
  config.onStoppedNotification = null
  return said
}

/** What rxjs answers, by the part that is asked. */
export async function probeRxjs(): Promise<Readonly<Record<string, unknown>>> {
  const unhandled: string[] = []
  config.onUnhandledError = (error) => unhandled.push(String(error))
  throwError(() => new Error('unhandled')).subscribe()
  await new Promise((done) => setTimeout(done))
  config.onUnhandledError = null
  const last$ = new AsyncSubject<number>()
  last$.next(1)
  last$.next(2)
  last$.complete()
  return {
    'from an async iterable': await played(from(countTo(3))),
    'from a readable stream': await played(
      from(
        new ReadableStream<number>({
          start(controller) {
            controller.enqueue(7)
            controller.close()
          },
        }),
      ),
    ),
    'from what is like an array': await played(from({ length: 2, 0: 'a', 1: 'b' })),
    'from no stream': (() => {
      try {
        from(7 as never)
        return 'accepted'
      } catch (error) {
        return String(error)
      }
    })(),
    'a scheduled stream': await played(scheduled([1, 2], asapScheduler)),
    'merge with a limit': await played(merge(of(1), of(2), 1)),
    'forkJoin with a function': await played(forkJoin([of(1), of(2)], (a: number, b: number) => a + b)),
    'forkJoin by name': await played(forkJoin({ a: of(1), b: of(2) })),
    'mergeMap with a result selector': await played(
      of(1, 2).pipe(
        mergeMap(
          () => of(10, 20),
          (a, b, i, j) => [a, b, i, j],
          1,
        ),
      ),
    ),
    'concatMap with a result selector': await played(
      of(1, 2).pipe(
        concatMap(
          () => of(3),
          (a, b) => a + b,
        ),
      ),
    ),
    'switchMap with a result selector': await played(
      of(1, 2).pipe(
        switchMap(
          () => of(3),
          (a, b) => a + b,
        ),
      ),
    ),
    'exhaustMap with a result selector': await played(
      of(1, 2).pipe(
        exhaustMap(
          () => of(3),
          (a, b) => a + b,
        ),
      ),
    ),
    'expand on a scheduler': await played(
      of(1).pipe(expand((value) => (value < 4 ? of(value * 2) : EMPTY), 1, asapScheduler)),
    ),
    'repeat with a count and a delay': await played(of(1).pipe(repeat({ count: 2, delay: () => timer(1) }))),
    'an interval': await played(interval(1).pipe(take(2))),
    'shareReplay by numbers': await played(of(1, 2, 3).pipe(shareReplay(2, 1_000))),
    'forEach of a stream': await (async () => {
      const values: number[] = []
      await of(1, 2).forEach((value) => values.push(value))
      return values
    })(),
    'the last value of an AsyncSubject': await played(last$),
    remembered: remembered([0, 450, 600, 950]),
    ticks: ticks(),
    observed: observed(),
    'shared again': sharedAgain(),
    endings: endings(),
    unhandled,
  }
}

const HTML =
  '<h1 id="title" onclick="steal()">{{name}}</h1><p data-a="1" aria-label="b">Text <b>bold</b><script>steal()</script></p><a href="javascript:steal()">link</a>'
const CONFIGS: Readonly<Record<string, Config>> = {
  'its own lists': {},
  'the whole document': { WHOLE_DOCUMENT: true },
  'text alone': { ALLOWED_TAGS: ['#text'] },
  'a profile': { USE_PROFILES: { html: true } },
  'safe for templates': { SAFE_FOR_TEMPLATES: true },
  'named properties': { SANITIZE_NAMED_PROPS: true },
  'without the content of what is forbidden': { FORBID_TAGS: ['p'], KEEP_CONTENT: false },
  'without data and labels': { ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false },
}

/** What DOMPurify answers in a page, by the part that is asked. */
export function probePurify(purifier: DOMPurify): Readonly<Record<string, unknown>> {
  const tree = purifier.sanitize(HTML, { RETURN_DOM: true })
  const fragment = purifier.sanitize(HTML, { RETURN_DOM_FRAGMENT: true })
  purifier.setConfig({ ALLOWED_TAGS: ['b', '#text'] })
  const kept = purifier.sanitize(HTML)
  purifier.clearConfig()
  return {
    version: purifier.version,
    'a tree': [tree.nodeName, tree.textContent, tree.childNodes.length],
    'a fragment': [fragment.nodeType, fragment.childNodes.length],
    'a kept configuration': kept,
    'an attribute': [
      purifier.isValidAttribute('a', 'href', 'javascript:steal()'),
      purifier.isValidAttribute('a', 'href', 'https://northwind.example'),
    ],
    ...Object.fromEntries(
      Object.entries(CONFIGS).map(([name, each]) => [
        name,
        [purifier.sanitize(HTML, each), purifier.removed.length],
      ]),
    ),
  }
}
