import {
  catchError,
  defaultIfEmpty,
  defer,
  EMPTY,
  forkJoin,
  map,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  shareReplay,
  switchMap,
  take,
} from 'rxjs'
import { Failed } from '../../streams/kernel/failure.ts'
import { now } from '../../streams/kernel/time.ts'
import type { Language } from '../../streams/wire/languages.ts'
import { config } from '../engine/config.ts'
import type { Engine } from '../engine/createEngine.ts'
import type { ScreenPorts } from '../engine/ports.ts'
import { createTextsLoader } from './locales.ts'
import type { Screen } from './screen/drawScreen.tsx'

/** Loads the screen of a page once. */
export type ScreenLoader = Readonly<{
  ports: ScreenPorts
  /** Begins to load the screen, unless loading has begun already. */
  load(): void
  /** The screen, once it is loaded. Fails with `notLoaded` when its code cannot be loaded. */
  screen$: Observable<Screen>
  /** Adds the texts of the configured languages. Emits and completes when they are added, or could not be loaded. */
  addConfiguredTexts(): Observable<unknown>
}>

/** Creates the screen loader. `element` shows the page's skeleton until the screen is drawn. */
export function createScreenLoader(
  element: Element,
  { time, log, loadChunk, loadSanitizer }: Omit<Engine, 'start'>,
): ScreenLoader {
  const { locale, fallbackLocale } = config
  const due$ = new ReplaySubject<void>(1)
  const importScreen = loadChunk(() => import('./screen/drawScreen.tsx'))
  const screen$ = due$.pipe(
    take(1),
    switchMap(importScreen),
    map(({ createScreen }) => createScreen(element, { time, log, loadChunk, loadSanitizer })),
    catchError((cause: unknown) => {
      throw new Failed({ kind: 'notLoaded' }, { cause })
    }),
    shareReplay({ bufferSize: 1, refCount: false }),
  )

  /**
   * Loads the texts of a language together with the screen's code, and adds them to the screen. If the screen cannot be
   * loaded, never emits, so that the message about this failure keeps the user's language.
   */
  const createAdding = (loadTexts: ReturnType<typeof createTextsLoader>) => (language: Language) =>
    language === 'en'
      ? of(undefined)
      : forkJoin([
          screen$.pipe(catchError(() => NEVER)),
          due$.pipe(
            take(1),
            switchMap(() => loadTexts(language)),
          ),
        ]).pipe(
          map(([screen, texts]) => {
            screen.addTexts(language, texts)
          }),
        )
  // The user did not choose these languages, so a failure never reloads the page, and leaves English in use.
  const addQuietly = createAdding(createTextsLoader((load) => load))

  const load = () => {
    due$.next()
  }
  return {
    ports: {
      screen: {
        openedAt: now(time),
        load: () =>
          defer(() => {
            load()
            return screen$.pipe(map(() => undefined))
          }),
      },
      locales: { fallback: fallbackLocale, load: createAdding(createTextsLoader(loadChunk)) },
      chunks: { load: (page) => screen$.pipe(switchMap(({ pages }) => pages.load(page))) },
      noticeText: (notice) =>
        screen$.pipe(
          map(({ noticeText }) => noticeText(notice)),
          catchError(() => EMPTY),
        ),
    },
    load,
    screen$,
    addConfiguredTexts: () =>
      forkJoin(
        [...new Set([locale, fallbackLocale])].map((language) =>
          addQuietly(language).pipe(
            catchError(() => {
              log.warn('locale_failed', { language })
              return EMPTY
            }),
            defaultIfEmpty(undefined),
          ),
        ),
      ),
  }
}
