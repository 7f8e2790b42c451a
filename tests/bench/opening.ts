import type { Browser } from 'playwright-core'
import type { Playground } from '../../src/playground/launch.ts'
import { digits, median, spread, table, times } from './figures.ts'
import { type OpenPane, type Opening, type Request, nameOf, openPane, snapshotOf } from './pane.ts'

const ALEX = 'alex.kim@northwind.example'
const RUNS = 9

/** What was on the network's way: requests, each begun only after the one before was answered. */
type Chain = readonly Request[]

const tripsOf = (chain: Chain): number =>
  chain.reduce((trips, { preflight }) => trips + (preflight ? 2 : 1), 0)

/**
 * The longest chain of requests, each begun after the answer of the one before, until the signature. Counting them
 * so counts what merely came later along with what had to wait: the true number is this one or less.
 */
export function longestChain({ requests, signature }: Opening): Chain {
  const answered = requests
    .filter(({ end, cached }) => !cached && end !== null && end <= signature)
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

/** How long until the signature while the service answers nothing; null when it never came. */
async function withoutAnswers(pane: OpenPane, service: string): Promise<number | null> {
  const hold = await fetch(`${service}/_control/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ call: '*', fault: { kind: 'delay', ms: 600_000 } }),
  })
  if (!hold.ok) throw new Error(`The service took no fault: ${String(hold.status)}`)
  try {
    pane.context.setDefaultTimeout(15_000)
    const opening = await pane.reload()
    const answered = opening.requests.filter(
      (request) => isOf(service)(request) && request.end !== null && request.end <= opening.signature,
    )
    if (answered.length > 0) throw new Error('The service answered although it was told not to')
    return duration(opening)
  } catch (error) {
    const signed = (await snapshotOf(pane.page)).calls.some(({ name }) => name === 'body.setSignatureAsync')
    if (signed) throw error
    return null
  } finally {
    await fetch(`${service}/_control/faults`, { method: 'DELETE' })
  }
}

export type Openings = Readonly<{ report: string; cold: Opening; settled: readonly Request[] }>

/** Figures of opening the pane, cold and warm in turns; and one cold opening, for whoever counts its bytes. */
export async function measureOpening(browser: Browser, { url, serviceUrl }: Playground): Promise<Openings> {
  const cold: Opening[] = []
  const warm: Opening[] = []
  let settled: readonly Request[] = []
  let held: number | null = null
  // The first round is not counted: the servers and the browser have their own beginnings.
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
      if (run === RUNS) held = await withoutAnswers(pane, serviceUrl)
    } finally {
      await pane.context.close()
    }
  }
  const first = cold[0]
  if (!first) throw new Error('No opening was measured')

  const ratio = median(warm.map(duration)) / median(cold.map(duration))
  const trips = (openings: readonly Opening[]) =>
    String(median(openings.map((opening) => tripsOf(longestChain(opening)))))
  const calls = (openings: readonly Opening[]) =>
    String(
      median(
        openings.map((opening) => tripsOf(longestChain(opening).filter((request) => !isOf(url)(request)))),
      ),
    )
  const overview = table(
    `From opening the pane to the signature in the message (${String(RUNS)} runs each, in turns)`,
    ['', 'ms, median [least–most]', 'to cold', 'round trips in a row', 'of these to a service'],
    [
      ['cold: nothing kept, no cache', spread(cold.map(duration)), times(1), trips(cold), calls(cold)],
      [
        'warm: loaded again, storage kept',
        spread(warm.map(duration)),
        times(ratio),
        trips(warm),
        calls(warm),
      ],
    ],
  )
  const ways = (['cold', 'warm'] as const).map((name) => {
    const all = name === 'cold' ? cold : warm
    const usual = median(all.map((opening) => tripsOf(longestChain(opening))))
    const shown = all.find((opening) => tripsOf(longestChain(opening)) === usual) ?? first
    return table(
      `The round trips of a ${name} opening, in order`,
      ['request', 'begins, ms', 'answered, ms'],
      [
        ...longestChain(shown).map((request) => [
          nameOf(request) + (request.preflight ? ' (and its preflight)' : ''),
          digits(request.start - shown.start),
          digits((request.end ?? 0) - shown.start),
        ]),
        ['signature in the message', '', digits(duration(shown))],
      ],
    )
  })
  const alone =
    held === null
      ? 'Warm, with every call to the service held: the signature does not go in. A warm start needs the service.\n'
      : `Warm, with every call to the service held: the signature is in after ${digits(held)} ms. A warm start needs no answer of the service; what it fetches is its own page.\n`
  return { report: [overview, ...ways, alone].join('\n'), cold: first, settled }
}
