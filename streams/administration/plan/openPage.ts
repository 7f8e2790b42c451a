/** What the open page shows and the service is asked about: who can have its signature, and how many fit its rules. */
import { WRITER_PREFIX } from '../../organisation/release/names.ts'
import { type Selection, type Signature, templatePathsOf } from '../../organisation/release/release.ts'
import { isPeriodOpen, matchesSelection } from '../../organisation/rules/rules.ts'
import { placeholdersIn, variablesIn } from '../../organisation/template/template.ts'
import { middleOfDay, periodTimeZoneOf } from '../people/rules.ts'
import type { PlaceState } from '../place/reducer.ts'
import type { SessionState } from '../session/reducer.ts'
import { mayEnter } from '../session/rules.ts'
import { BANNER_PATH } from './banners.ts'
import { blocksOf } from './blocks.ts'
import { compiledReleaseOf } from './preview.ts'
import type { PlanState } from './reducer.ts'

/** Whether the service has no person for the administrator: many administrators have no signature. */
export const hasNoOwnPerson = ({ person: { wanted, load } }: Pick<PlanState, 'person'>): boolean =>
  wanted === 'self' && load.status === 'fail' && load.failure.kind === 'http' && load.failure.status === 404

/**
 * The signature whose page is open, if the preview needs a person who has it: the preview's person does not match its
 * rules, or the service has no person for the administrator. Null outside the signature's period, because then nobody
 * has it, and for the chosen sample.
 *
 * @param now in milliseconds since 1970; used unless a day is chosen
 */
export function signatureToHold(
  { signature, debounced, person, day }: PlanState,
  now: number,
): Signature | null {
  const shown = debounced?.signatures.find(({ id }) => id === signature)
  if (!debounced || !shown) return null
  const at = (day === null ? null : middleOfDay(day, periodTimeZoneOf(debounced))) ?? now
  if (!isPeriodOpen(shown.during, at)) return null
  const lacksIt = person.load.status === 'success' && !matchesSelection(shown.selection, person.load.value)
  return lacksIt || hasNoOwnPerson({ person }) ? shown : null
}

/**
 * Whether the open page depends on the person who writes for a mailbox: on the page of a signature, if one of its
 * templates or a block names this person; on other pages, if any template does. It does not depend on the preview's
 * person, so that the preview keeps its place.
 */
export function dependsOnWriter({
  debounced,
  signature,
}: Pick<PlanState, 'debounced' | 'signature'>): boolean {
  if (!debounced) return false
  const { names, templateOf } = compiledReleaseOf(debounced)
  const shown = debounced.signatures.find(({ id }) => id === signature)
  const paths = shown && [...templatePathsOf(shown), ...blocksOf(debounced).map(({ template }) => template)]
  const used = paths
    ? paths
        .flatMap((path) => templateOf(path) ?? [])
        .flatMap((each) => placeholdersIn(each).flatMap(variablesIn))
    : [...names]
  return used.some((name) => name.startsWith(WRITER_PREFIX))
}

/**
 * The rules for people on the open page of a signature, a block or a new banner. Null on other pages, and while a rule
 * of the new banner is incomplete.
 */
export function selectShownRules({
  plan: { draft, signature, block, audience },
  place: { path },
  session,
}: Readonly<{ plan: PlanState; place: PlaceState; session: SessionState }>): Selection | null {
  if (draft === null || !mayEnter(session, path)) return null
  if (path === BANNER_PATH) return audience.isComplete ? audience.selection : null
  const { document } = draft
  const shown =
    document.signatures.find(({ id }) => id === signature) ??
    blocksOf(document).find(({ id }) => id === block)
  return shown?.selection ?? null
}
