/** Counts people by default signature and by the reports from their add-ins. */
import { count, time } from '../../kernel/limits.ts'
import { list, object, optional, type OutOf, text } from '../../kernel/schema.ts'
import { blockClicks } from './clicks.ts'
import type { Release } from '../release/release.ts'
import { defaultChoice, type Owners, parseCombinedIds } from '../rules/rules.ts'
import type { PersonState } from '../facts/state.ts'
import { readTelemetryReport } from './reported.ts'

/** Numbers of people, largest first, and of clicks. They are up to a minute old. */
export const insight = object({
  /** Reports before this time are ignored. */
  since: time,
  /** The number of active people. */
  people: count,
  /** The number of people by default signature. */
  signatures: list(object({ signature: text, name: text, people: count })),
  /** The number of people by the last reported version of the add-in. */
  versions: list(object({ version: text, people: count })),
  /** The number of people by mail client. A person with two clients counts in both. */
  clients: list(object({ client: text, people: count })),
  /**
   * The number of people by mail client, and by whether the add-in inserted the signature of their last message
   * automatically (`went`) or not (`failed`). A message counts only if a signature was due and the person opened the
   * pane. People whose add-in reported no result are left out.
   */
  launches: list(object({ client: text, went: count, failed: count })),
  /** The clicks on the blocks' counted addresses; absent when the organisation does not count clicks. */
  clicks: optional(blockClicks),
})
export type Insight = OutOf<typeof insight>

export type InsightCounts = ReturnType<ReturnType<typeof countInsight>['counts']>

/**
 * The most distinct versions and the most distinct clients to count. They are limited because reports are untrusted.
 */
const MAX_TEXTS = 200

/**
 * Counts people one by one.
 *
 * @param release null before the first release; then nobody is counted as having no signature
 * @param owners the mailboxes of the release, by id
 * @param at the time for checking periods, in milliseconds since 1970
 * @param today the start of today, in milliseconds since 1970
 */
export function countInsight(
  release: Release | null,
  owners: Owners,
  { at, today }: Readonly<{ at: number; today: number }>,
) {
  const signatures = new Map<string, number>()
  const versions = new Map<string, number>()
  const clients = new Map<string, number>()
  const launches = { went: new Map<string, number>(), failed: new Map<string, number>() }
  let [people, withoutSignature, keptWithout, told, toldToday] = [0, 0, 0, 0, 0]
  const add = (counted: Map<string, number>, key: string) => {
    const known = counted.get(key)
    if (known !== undefined || counted.size < MAX_TEXTS) counted.set(key, (known ?? 0) + 1)
  }

  return {
    addPerson: (person: PersonState): void => {
      people += 1
      if (release === null) return
      const due = defaultChoice(release, person, at, owners)
      const signature = due === null ? null : parseCombinedIds(due.choice.master)?.signature
      if (signature === null || signature === undefined) {
        if (person.corrections?.excluded) keptWithout += 1
        else withoutSignature += 1
      } else signatures.set(signature, (signatures.get(signature) ?? 0) + 1)
    },
    addReported: (reported: unknown, reportedAt: number): void => {
      const { version, clients: used } = readTelemetryReport(reported)
      told += 1
      if (reportedAt >= today) toldToday += 1
      if (version !== null) add(versions, version)
      for (const { client, launch } of used) {
        add(clients, client)
        if (launch !== null && clients.has(client)) add(launches[launch], client)
      }
    },
    counts: () => ({
      people,
      /** People without an assigned signature, except those in `keptWithout`. */
      withoutSignature,
      /** People without a signature because an administrator keeps them without one. */
      keptWithout,
      /** People whose add-in reported. */
      told,
      toldToday,
      insight: {
        signatures: mostFirst(signatures).map(([signature, number]) => ({
          signature,
          name: release?.signatureOf(signature)?.name ?? signature,
          people: number,
        })),
        versions: mostFirst(versions).map(([version, number]) => ({ version, people: number })),
        clients: mostFirst(clients).map(([client, number]) => ({ client, people: number })),
        launches: mostFirst(clients).flatMap(([client]) => {
          const went = launches.went.get(client) ?? 0
          const failed = launches.failed.get(client) ?? 0
          return went + failed > 0 ? [{ client, went, failed }] : []
        }),
      },
    }),
  }
}

const mostFirst = (counted: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counted].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
