import type { Browser } from 'playwright-core'
import type { RunningPlayground } from '../../src/playground/launch.ts'
import { digits, median, spread, table, times } from './figures.ts'
import { isFromScript, isSignedWithin, nameOf, openPane, type Opening, type Request } from './pane.ts'

const ALEX = 'alex.kim@northwind.example'
const RUNS = 9

/** Shorter than the pane's time limits, so a signature inserted by then did not wait for the held response. */
const HOLDING_MS = 4_500
const HELD_MS = 600_000

/** Requests in a row: each starts after the response to the previous request. */
type Chain = readonly Request[]

const tripsOf = (chain: Chain): number =>
  chain.reduce((trips, { preflight }) => trips + (preflight ? 2 : 1), 0)

/** The longest chain of requests that the signature waits for. */
function longestChain({ requests, signature }: Opening, isNeeded: (request: Request) => boolean): Chain {
  const answered = requests
    .filter((request) => !request.cached && isNeeded(request))
    .filter(({ end }) => end !== null && end <= signature)
    .toSorted((a, b) => (a.end ?? 0) - (b.end ?? 0))
  const chains = new Map<Request, Chain>()
  let longest: Chain = []
  for (const request of answered) {
    const before = answered
      .filter(({ end }) => end !== null && end <= request.start)
      .map((earlier) => chains.get(earlier) ?? [])
    const chain = [...before.reduce((a, b) => (tripsOf(b) >= tripsOf(a) ? b : a), []), request]
    chains.set(request, chain)
    if (tripsOf(chain) >= tripsOf(longest)) longest = chain
  }
  return longest
}

const duration = ({ start, signature }: Opening): number => signature - start

const isOf =
  (origin: string) =>
  ({ url }: Request): boolean =>
    new URL(url).origin === origin

/** Runs `work` while the service holds back its response to `call`; `*` means every call. */
export async function whileHeld<T>(service: string, call: string, work: () => Promise<T>): Promise<T> {
  const held = await fetch(`${service}/_control/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ call, fault: { kind: 'delay', ms: HELD_MS } }),
  })
  if (!held.ok) throw new Error(`The service does not hold back ${call}: ${await held.text()}`)
  try {
    return await work()
  } finally {
    await fetch(`${service}/_control/faults`, { method: 'DELETE' })
  }
}

/** The service calls that the first signature of a cold start waits for. Holds back each call once to find out. */
async function neededCalls(
  browser: Browser,
  { url, serviceUrl }: RunningPlayground,
  calls: readonly string[],
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>()
  for (const call of calls) {
    const isSigned = await whileHeld(serviceUrl, call, () => isSignedWithin(browser, url, ALEX, HOLDING_MS))
    if (!isSigned) needed.add(call)
  }
  return needed
}

export type Openings = Readonly<{ report: string; cold: Opening; settled: readonly Request[] }>

/** Measures cold and warm starts of the pane, in turns. Also returns one cold start, for `measureSize`. */
export async function measureOpening(browser: Browser, playground: RunningPlayground): Promise<Openings> {
  const { url, serviceUrl } = playground
  const cold: Opening[] = []
  const warm: Opening[] = []
  let settled: readonly Request[] = []
  let isWarmAlone = false
  // The first round only warms up the servers and the browser.
  for (let run = 0; run <= RUNS; run++) {
    const pane = await openPane(browser, url, ALEX)
    try {
      await pane.frame().getByRole('option').first().waitFor()
      await pane.page.waitForLoadState('networkidle')
      settled = pane.requests.map((request) => ({ ...request }))
      const again = await pane.reload()
      if (run === 0) continue
      cold.push(pane.opening)
      warm.push(again)
      // Pending requests must not delay the next opening.
      await pane.page.waitForLoadState('networkidle')
      if (run === RUNS) isWarmAlone = await whileHeld(serviceUrl, '*', () => pane.isSignedAgain(HOLDING_MS))
    } finally {
      await pane.context.close()
    }
  }
  const first = cold[0]
  if (!first) throw new Error('No start was measured')

  const isCall = isOf(serviceUrl)
  const calls = [
    ...new Set(
      cold.flatMap(({ requests }) =>
        requests.filter((request) => isCall(request) && isFromScript(request)).map(nameOf),
      ),
    ),
  ]
  const needed = await neededCalls(browser, playground, calls)
  const isNeeded = { cold: (request: Request) => !isCall(request) || needed.has(nameOf(request)) }
  const ways = [
    { name: 'cold', title: 'cold: nothing stored, no cache', openings: cold, isNeeded: isNeeded.cold },
    {
      name: 'warm',
      title: 'warm: a reload, with cache and storage',
      openings: warm,
      isNeeded: (request: Request) => (isWarmAlone ? !isCall(request) : isNeeded.cold(request)),
    },
  ]
  const tripsIn = (way: (typeof ways)[number], counts: (request: Request) => boolean) =>
    median(way.openings.map((opening) => tripsOf(longestChain(opening, way.isNeeded).filter(counts))))

  const overview = table(
    `From opening the pane to the signature in the message (${String(RUNS)} runs each, in turns)`,
    ['', 'ms, median [least–most]', 'vs. cold', 'round trips in a row', "for the pane's files"],
    ways.map((way) => [
      way.title,
      spread(way.openings.map(duration)),
      times(median(way.openings.map(duration)) / median(cold.map(duration))),
      String(tripsIn(way, () => true)),
      String(tripsIn(way, isOf(url))),
    ]),
  )
  const named = ways.map((way) => {
    const usual = tripsIn(way, () => true)
    const shown =
      way.openings.find((opening) => tripsOf(longestChain(opening, way.isNeeded)) === usual) ?? first
    return table(
      `Round trips of a ${way.name} start, in order`,
      ['request', 'start, ms', 'answer, ms'],
      [
        ...longestChain(shown, way.isNeeded).map((request) => [
          nameOf(request) + (request.preflight ? ', with a preflight' : ''),
          digits(request.start - shown.start),
          digits((request.end ?? 0) - shown.start),
        ]),
        ['signature in the message', '', digits(duration(shown))],
      ],
    )
  })
  const needs = table(
    'Service calls in a cold start',
    ['call', 'the signature waits for it'],
    calls.map((call) => [call, needed.has(call) ? 'yes' : 'no']),
  )
  const alone = isWarmAlone
    ? 'In a warm start, the signature is inserted even if the service does not answer.\n'
    : 'In a warm start, the signature is not inserted if the service does not answer.\n'
  return { report: [overview, ...named, needs, alone].join('\n'), cold: first, settled }
}
