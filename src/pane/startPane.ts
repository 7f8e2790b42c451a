import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  forkJoin,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  race,
  switchMap,
  take,
  tap,
} from 'rxjs'
import type { AppState } from '../../streams/pane/state.ts'
import { emitAfter } from '../../streams/kernel/time.ts'
import type { Language } from '../../streams/wire/languages.ts'
import { selectChosenLanguage, selectRequestLanguage } from '../../streams/pane/locale/selectors.ts'
import { config } from '../engine/config.ts'
import {
  type CreateProviders,
  createEngine,
  type RunningApp,
  type StartOptions,
} from '../engine/createEngine.ts'
import { drawPlainWords } from './plainWords.ts'
import { createScreenLoader } from './screenLoader.ts'

/** How long the first drawing waits for the texts of the user's language, so that English does not flash. */
const TEXTS_LIMIT_MS = 1_000

/** Emits a part of the state whenever it changes, until the store stops. */
const follow = <Part>(app: RunningApp, select: (state: AppState) => Part): Observable<Part> =>
  app.state$.pipe(
    map(select),
    distinctUntilChanged(),
    catchError(() => EMPTY),
  )

/**
 * Starts the pane in `element` with the first host that resolves. The engine inserts the signature first. The screen,
 * which React draws, loads when it is due (`streams/pane/screen`); the page's skeleton stays until then. When no host
 * resolves, a view crashes, or the screen's code cannot be loaded, a full-page message explains it, so the pane is
 * never blank.
 */
export function startPane(
  element: Element,
  createProviders: CreateProviders,
  options: StartOptions = {},
): void {
  const { locale } = config
  const engine = createEngine(options)
  const { time, log } = engine
  const { ports, load, screen$, addConfiguredTexts } = createScreenLoader(element, engine)

  const drawWords = (language: Language) => {
    document.documentElement.lang = language
    drawPlainWords(element, language)
  }

  const followTheme = (app: RunningApp) =>
    follow(app, ({ mailbox }) => mailbox.theme).pipe(
      tap((theme) => {
        if (theme === null) delete document.documentElement.dataset['theme']
        else document.documentElement.dataset['theme'] = theme
      }),
    )
  const followLanguage = (app: RunningApp) =>
    screen$.pipe(
      switchMap((screen) =>
        follow(app, (state) => selectChosenLanguage(state) ?? locale).pipe(
          tap((language) => {
            document.documentElement.lang = language
            screen.show(language)
          }),
        ),
      ),
      catchError(() => EMPTY),
    )
  /** Emits once the screen and its texts are loaded. */
  const untilLoaded = (app: RunningApp): Observable<unknown> =>
    follow(app, ({ screen }) => screen.load.status === 'success').pipe(
      filter(Boolean),
      switchMap(() =>
        race(
          follow(app, (state) => state.locale.requested === null).pipe(filter(Boolean)),
          emitAfter(TEXTS_LIMIT_MS, time),
        ),
      ),
    )
  /** Emits when the store has stopped with an error, so that the screen can show the error. */
  const untilStopped = ({ state$ }: RunningApp): Observable<unknown> =>
    state$.pipe(
      ignoreElements(),
      catchError((error: unknown) => {
        log.error('store_stopped', { error: error instanceof Error ? error.message : 'unknown' })
        load()
        return of(null)
      }),
    )
  const draw = (app: RunningApp) =>
    merge(untilLoaded(app), untilStopped(app)).pipe(
      take(1),
      switchMap(() => screen$),
      tap((screen) => {
        app.addEffects(screen.effects)
        screen.draw(app)
      }),
      catchError(() => {
        drawWords(locale)
        return EMPTY
      }),
    )
  const drawFailure = (app: RunningApp) =>
    follow(app, (state) => (state.screen.load.status === 'fail' ? selectRequestLanguage(state) : null)).pipe(
      filter((language) => language !== null),
      take(1),
      tap(drawWords),
    )
  const noHost$ = defer(() => {
    load()
    return forkJoin([screen$, addConfiguredTexts()])
  }).pipe(
    tap(([screen]) => {
      screen.drawNoHost()
    }),
    catchError(() => {
      drawWords(locale)
      return EMPTY
    }),
    ignoreElements(),
  )

  engine
    .start(createProviders, ports)
    .pipe(
      catchError((error: unknown) => {
        log.error('no_host', { error: error instanceof Error ? error.message : 'unknown' })
        return noHost$
      }),
      switchMap((app) =>
        merge(followTheme(app), followLanguage(app), draw(app), drawFailure(app), addConfiguredTexts()),
      ),
    )
    .subscribe()
}
