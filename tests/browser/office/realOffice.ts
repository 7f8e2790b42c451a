import { WORLDWIDE_LIBRARY_URL } from '../../../streams/wire/officeLibrary.ts'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Browser, BrowserContext, Frame, Page, Route } from 'playwright-core'
import {
  BehaviorSubject,
  Observable,
  Subject,
  asyncScheduler,
  filter,
  firstValueFrom,
  of,
  timeout,
} from 'rxjs'
import type { MailHost } from '../../../effects/ports.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { type Mailbox, createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import {
  type OfficeWire,
  createOfficeWire,
  officeFrameName,
} from '../../../src/playground/mailbox/officeWire.ts'
import type { ClientProfile } from '../../../src/playground/mailbox/profiles.ts'
import { buildPages } from '../../../src/build/bundler.ts'
import { readAjaxReplacement } from '../../../src/playground/office/office.ts'
import { openOfficeLibrary } from '../../../src/playground/office/officeLibrary.ts'
import { Failed, type Failure } from '../../../streams/kernel/failure.ts'
import type { MailItem, Theme } from '../../../streams/message/mailbox/events.ts'
import type { HostUnderTest } from '../../engine/hosts/contract.ts'

const PROJECT = join(import.meta.dirname, '../../..')
export const LIBRARY_FOLDER = join(PROJECT, '.signet/office-js')

// No server listens there: Playwright answers the requests.
const ORIGIN = 'https://localhost:8443'
const RELAY = `<!doctype html><meta charset="utf-8"><title>Outlook's part</title><script>
  addEventListener('message', ({ data }) => { if (typeof data === 'string') fromFrame(data) })
  const removeFrame = (id) => document.getElementById(id)?.remove()
  const openFrame = (id, name, src) => {
    removeFrame(id)
    const frame = Object.assign(document.createElement('iframe'), { id, name, src })
    document.body.append(frame)
  }
  const toFrame = (id, text) => document.getElementById(id)?.contentWindow.postMessage(text, location.origin)
</script><body></body>`

/** The pane returns this message. It is JSON, as the library expects of every message. */
const BARRIER = '{"barrier":true}'

type Logged = HostUnderTest['logged'][number]
type Answer = Readonly<{ value?: unknown; isVoid?: boolean; failure?: Failure }>
declare global {
  // In the page that simulates Outlook.
  function openFrame(id: string, name: string, src: string): void
  function removeFrame(id: string): void
  function toFrame(id: string, text: string): void
}

/** A page around frames with Microsoft's unmodified library. */
export type OfficeFrames = Readonly<{
  context: BrowserContext
  page: Page
  /** Opens a built page in a frame, in place of the former one with this id. */
  open(frame: string, file: string): Promise<void>
  remove(frame: string): Promise<void>
  send(frame: string, message: string): Promise<void>
  close(): Promise<void>
}>

/** The contract's host, and the parts that only the tests of the real library use. */
export type RealOffice = HostUnderTest &
  Readonly<{
    pane: Frame
    accessToken(options: object): Promise<Answer>
  }>

const LIBRARY = new URL(WORLDWIDE_LIBRARY_URL)

/** Builds the pages `files` of this folder. `heard` gets each message of any frame. */
export async function officeFrames(
  browser: Browser,
  files: readonly string[],
  heard: (message: string) => void,
): Promise<OfficeFrames> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-office-contract-'))
  const [library, ajax] = await Promise.all([
    openOfficeLibrary(LIBRARY_FOLDER, (line) => process.stderr.write(`${line}\n`)),
    readAjaxReplacement(),
    buildPages({
      pages: files.map((file) => join(import.meta.dirname, file)),
      environment: {},
      folder: join(folder, 'pane'),
      cacheFolder: join(folder, 'cache'),
    }),
  ])

  const context = await browser.newContext()
  const answer = (route: Route, contentType: string, body: string | Buffer) =>
    route.fulfill({ contentType, body, headers: { 'Access-Control-Allow-Origin': '*' } })
  await context.route('**', async (route) => {
    const { hostname, pathname } = new URL(route.request().url())
    const script = 'text/javascript'
    if (hostname === 'ajax.aspnetcdn.com') return answer(route, script, ajax)
    if (hostname === LIBRARY.hostname) {
      const file = library.get(pathname.replace(new URL('.', LIBRARY).pathname, '').toLowerCase())
      return answer(route, script, file ?? '')
    }
    if (pathname === '/relay.html') return answer(route, 'text/html', RELAY)
    if (hostname !== 'localhost') return answer(route, 'application/json', '{}')
    const type = { '.html': 'text/html', '.js': script }[extname(pathname)] ?? 'text/plain'
    return answer(route, type, await readFile(join(folder, 'pane', pathname)).catch(() => ''))
  })
  await context.exposeBinding('fromFrame', (_, message: string) => heard(message))
  const page = await context.newPage()
  await page.goto(`${ORIGIN}/relay.html`)
  return {
    context,
    page,
    open: (frame, file) =>
      page.evaluate(([id, name, src]) => openFrame(id, name, src), [
        frame,
        officeFrameName({ hostOrigin: ORIGIN, displayLanguage: 'en-US', frame }),
        `${ORIGIN}/${file}`,
      ] as const),
    // The page may have been closed.
    remove: (frame) => page.evaluate((id) => removeFrame(id), frame).catch(() => undefined),
    send: (frame, message) =>
      page.evaluate(([id, text]) => toFrame(id, text), [frame, message] as const).catch(() => undefined),
    close: async () => {
      await context.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * The host as it ships in a pane in Chromium, over Microsoft's unmodified library. The mailbox behind it runs in the
 * test's own process. `make` reloads the pane each time; `close` closes the browser context.
 */
export async function realOffice(
  browser: Browser,
): Promise<{ make(profile?: ClientProfile | null): Promise<RealOffice>; close(): Promise<void> }> {
  let heard: (what: string, detail: unknown, frame: Frame) => void = () => undefined
  let wire: OfficeWire | null = null
  const frames = await officeFrames(browser, ['contractPane.html'], (message) => wire?.receive(message))
  await frames.context.exposeBinding('tell', ({ frame }, what: string, detail: unknown) =>
    heard(what, detail, frame),
  )
  const toPane = (message: string) => frames.send('pane', message)

  const make = async (profile: ClientProfile | null = null): Promise<RealOffice> => {
    const mailbox = createMailbox(
      { ...demoMailbox(), profile },
      {
        time: { scheduler: asyncScheduler },
        accessToken: (email) => of(`token of ${email}`),
      },
    )
    const logged: Logged[] = []
    const item$ = new BehaviorSubject<MailItem | null>(null)
    /** The number of pending calls of the test. */
    const waiting$ = new BehaviorSubject(0)
    const reached$ = new BehaviorSubject<Mailbox['calls']>([])
    const recipientsChanged$ = new Subject<void>()
    const theme$ = new BehaviorSubject<Theme | null>(null)
    let passed: () => void = () => undefined
    const ready = new Promise<Readonly<{ frame: Frame; detail: { name: string; displayLanguage: string } }>>(
      (resolve, reject) => {
        heard = (what, detail, frame) => {
          if (what === 'item') item$.next(detail as MailItem | null)
          else if (what === 'log') logged.push(detail as Logged)
          else if (what === 'theme') theme$.next(detail as Theme | null)
          else if (what === 'recipients') recipientsChanged$.next()
          else if (what === 'ready')
            resolve({ frame, detail: detail as { name: string; displayLanguage: string } })
          else reject(new Error(`The pane has no host: ${JSON.stringify(detail)}`))
        }
      },
    )
    wire?.stop()
    const mailboxWire = createOfficeWire(mailbox, (message) => void toPane(message))
    wire = {
      ...mailboxWire,
      receive(message) {
        if (message === BARRIER) return passed()
        mailboxWire.receive(message)
        reached$.next(mailbox.calls)
      },
    }
    await frames.open('pane', 'contractPane.html')
    const { frame: pane, detail } = await ready

    const ask = (method: string, args: readonly unknown[]): Observable<unknown> =>
      new Observable((subscriber) => {
        waiting$.next(waiting$.value + 1)
        void pane
          .evaluate(([name, given]) => window.ask(name, given), [method, args] as const)
          .then((answered) => {
            waiting$.next(waiting$.value - 1)
            const { value, isVoid, failure } = answered as Answer
            if (failure) return subscriber.error(new Failed(failure))
            subscriber.next(isVoid ? undefined : value)
            subscriber.complete()
          })
      })
    const own = { ...detail, item$, recipientsChanged$, theme$ }
    const host = new Proxy(own, {
      get: (_, name: string) =>
        name in own ? own[name as keyof typeof own] : (...args: readonly unknown[]) => ask(name, args),
    }) as unknown as MailHost

    /** Resolves when the pane has handled all messages to it, and its own messages and reports have arrived. */
    const barrier = () =>
      new Promise<void>((resolve) => {
        passed = resolve
        void toPane(BARRIER)
      })
    const tick = () => new Promise<void>((resolve) => void asyncScheduler.schedule(() => resolve(), 0))
    const isAtRest = () => waiting$.value === 0 && !mailbox.state$.value.switching

    await barrier()
    return {
      host,
      mailbox,
      logged,
      pane,
      run: (call$) =>
        firstValueFrom(call$).catch((error: unknown) => {
          if (error instanceof Failed) return error
          throw error
        }),
      async rest() {
        do {
          await tick()
          await firstValueFrom(mailbox.state$.pipe(filter(({ switching }) => !switching)))
          await firstValueFrom(waiting$.pipe(filter((count) => count === 0)))
          await barrier()
        } while (!isAtRest())
      },
      reached: async (name) => {
        await firstValueFrom(
          reached$.pipe(
            filter((calls) => calls.some((call) => call.name === name)),
            timeout(10_000),
          ),
        )
      },
      accessToken: (options) =>
        pane.evaluate((given) => window.accessToken(given), options) as Promise<Answer>,
      dispose: () => undefined,
    }
  }

  return { make, close: frames.close }
}
