/** What an administrator enters to set something for one person by hand, or to take it back. */
import {
  isOverOn,
  setByHandOf,
  type SetByHand,
  UNTIL_CHANGED,
  UNTIL_REMOVED,
  withoutKeys,
} from '../../organisation/facts/corrections.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import type { Failure } from '../../kernel/failure.ts'
import { isDay } from '../../organisation/release/names.ts'
import { ownProperty } from '../../organisation/release/selectors.ts'

/** What can be set by hand: the value of a directory field, no signature, or a certain signature. */
export type HandTarget =
  Readonly<{ kind: 'value'; field: string }> | Readonly<{ kind: 'excluded' }> | Readonly<{ kind: 'pinned' }>

/** The chosen end. `day` is the entered last day (UTC), which counts only with `end: 'day'`. */
export type EnteredEnd<End extends string = string> = Readonly<{ end: End; day: string }>

type LastingEnd = typeof UNTIL_REMOVED | 'day'

export type HandForm =
  | Readonly<{
      kind: 'value'
      field: string
      value: string
      until: EnteredEnd<LastingEnd | typeof UNTIL_CHANGED>
    }>
  | Readonly<{ kind: 'excluded'; until: EnteredEnd<LastingEnd> }>
  | Readonly<{ kind: 'pinned'; signature: string; until: EnteredEnd<LastingEnd> }>

/** An open form, or the question before something is taken back. */
export type HandAct = HandForm | Readonly<{ kind: 'takeBack'; target: HandTarget }>

function enteredEnd<End extends string>(until: string | undefined, otherwise: End): EnteredEnd<End | 'day'> {
  return until !== undefined && isDay(until) ? { end: 'day', day: until } : { end: otherwise, day: '' }
}

/**
 * The form for a value. It has the correction, if there is one, and otherwise the value below it.
 *
 * @param shown the value if neither the directory nor a file has one
 */
export function valueForm({ directory, corrections }: PersonState, field: string, shown: string): HandForm {
  const until = ownProperty(corrections?.fields ?? {}, field)?.until
  return {
    kind: 'value',
    field,
    value: ownProperty(directory, field) ?? shown,
    until: enteredEnd(until, until === UNTIL_REMOVED ? UNTIL_REMOVED : UNTIL_CHANGED),
  }
}

/** The form to keep the person without a signature. */
export const exclusionForm = ({ corrections }: PersonState): HandForm => ({
  kind: 'excluded',
  until: enteredEnd(corrections?.excluded?.until, UNTIL_REMOVED),
})

/**
 * The form to give the person one of these signatures; null if there is none.
 *
 * @param signatures the ids of the published signatures
 */
export function pinForm({ corrections }: PersonState, signatures: readonly string[]): HandForm | null {
  const own = corrections?.pinned
  const signature = signatures.find((id) => id === own?.signature) ?? signatures[0]
  return signature === undefined
    ? null
    : { kind: 'pinned', signature, until: enteredEnd(own?.until, UNTIL_REMOVED) }
}

const untilOf = ({ end, day }: EnteredEnd): string => (end === 'day' ? day : end)

/**
 * Whether the entered end is one that the service accepts.
 *
 * @param today a day in UTC
 */
export const isEndPossible = ({ end, day }: EnteredEnd, today: string): boolean =>
  end !== 'day' || (isDay(day) && !isOverOn(today, day))

/** Whether an act can be sent. Taking something back always can. */
export const isActPossible = (act: HandAct, today: string): boolean =>
  act.kind === 'takeBack' || isEndPossible(act.until, today)

/** All that is set by hand after an act. What others set meanwhile stays. */
export function afterAct(person: PersonState, act: HandAct): SetByHand {
  const own = setByHandOf(person)
  switch (act.kind) {
    case 'value': {
      const { field, value, until } = act
      return { ...own, fields: { ...own.fields, [field]: { value, until: untilOf(until) } } }
    }
    case 'excluded':
      return { ...own, excluded: { until: untilOf(act.until) } }
    case 'pinned':
      return { ...own, pinned: { signature: act.signature, until: untilOf(act.until) } }
    case 'takeBack':
      return withoutTarget(own, act.target)
  }
}

function withoutTarget({ fields, excluded, pinned }: SetByHand, target: HandTarget): SetByHand {
  return {
    fields: target.kind === 'value' ? withoutKeys(fields, [target.field]) : fields,
    ...(target.kind !== 'excluded' && excluded && { excluded }),
    ...(target.kind !== 'pinned' && pinned && { pinned }),
  }
}

/** Why the page showed an earlier state: somebody changed the person, or the signature is no longer published. */
export type OutdatedReason = 'personChanged' | 'signatureGone'

const OUTDATED: ReadonlyMap<string | null, OutdatedReason> = new Map([
  ['person_changed', 'personChanged'],
  ['unknown_signature', 'signatureGone'],
])

/** Why an act failed over an earlier state; null for any other failure. */
export const outdatedReasonOf = (failure: Failure): OutdatedReason | null =>
  failure.kind === 'http' ? (OUTDATED.get(failure.code) ?? null) : null
