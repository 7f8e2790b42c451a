import type { AdministrationEvent, LoggedEvent } from '../../../streams/administration/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import {
  type AdministrationState,
  evolveAdministration,
  initialState,
} from '../../../streams/administration/state.ts'
import { Work } from '../../../streams/administration/work/events.ts'
import type { WorkKind } from '../../../streams/administration/work/rules.ts'
import type { Recorded } from '../../../streams/kernel/event.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import type { Progress } from '../../../streams/kernel/progress.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import type { CallerInfo } from '../../../streams/wire/administration/insight.ts'
import { me, NOON } from './answers.ts'

/** One picture of the administration page: the events that produce it, and the clicks that follow. */
export type AdministrationStory = Readonly<{
  name: string
  /** A view is drawn in every look and also in German, a state only in light and English. */
  kind: 'view' | 'state'
  log: readonly AdministrationEvent[]
  /** CSS selectors, because the texts exist in many languages. */
  clicks: readonly string[]
}>

const story =
  (kind: AdministrationStory['kind']) =>
  (
    name: string,
    log: readonly AdministrationEvent[],
    { clicks = [] }: Partial<Pick<AdministrationStory, 'clicks'>> = {},
  ): AdministrationStory => ({ name, kind, log, clicks })

export const view = story('view')
export const state = story('state')

/**
 * Alex is signed in and opens this path. Loads follow as further events: `...at('/history'), ReleasesLoad.loaded(…)`.
 */
export const at = (path: string, who: Partial<CallerInfo> = {}): readonly AdministrationEvent[] => [
  Session.started({ known: true }),
  Place.changed({ path }),
  Session.opened({ me: me(who) }),
  Place.entered({ path }),
]

/** The events as the store would record them: one per second, ending at noon. */
export const recorded = (log: readonly LoggedEvent[]): readonly Recorded<LoggedEvent>[] =>
  log.map((event, seq) => ({
    ...event,
    meta: { seq, at: NOON - (log.length - seq) * 1_000, source: 'test' },
  }))

/** The state after these events. */
export const administrationStateAfter = (...log: readonly LoggedEvent[]): AdministrationState =>
  replayLog(initialState, evolveAdministration, recorded(log))

/** The log's last event starts long-running work of this kind; then these reports follow. */
export function lasting(
  kind: WorkKind,
  log: readonly AdministrationEvent[],
  progress: Progress | null,
  ...more: readonly ((work: Readonly<{ kind: WorkKind; asked: number }>) => AdministrationEvent)[]
): readonly AdministrationEvent[] {
  const work = { kind, asked: log.length - 1 }
  return [
    ...log,
    Work.lasted(work),
    ...(progress === null ? [] : [Work.counted({ ...work, progress })]),
    ...more.map((each) => each(work)),
  ]
}

/** The service stopped work at the administrator's request. */
export const stopped: Failure = {
  kind: 'http',
  status: 409,
  code: 'stopped',
  data: { code: 'stopped', message: 'The work was stopped; it changed nothing.' },
}
/** Like `stopped`, for an import with some rows already stored. */
export const someStopped: Failure = {
  ...stopped,
  data: { code: 'stopped', message: 'Stopped.', done: 1_200, all: 5_000, row: 1_201 },
}

export const noConnection: Failure = { kind: 'network' }
/** An import that failed because the service's database disk was full. */
export const importStopped: Failure = {
  kind: 'http',
  status: 503,
  code: 'import_stopped',
  data: { code: 'import_stopped', message: 'Stopped.', done: 20, all: 2_700, row: 21 },
}
export const down: Failure = { kind: 'http', status: 503, code: null, data: null }
/** A call refused because of a missing role. */
export const roleMissing: Failure = {
  kind: 'http',
  status: 403,
  code: 'role_missing',
  data: { code: 'role_missing', message: 'The access token does not have the role.' },
}
/** A correction over an earlier revision of the person. */
export const changedMeanwhile: Failure = {
  kind: 'http',
  status: 409,
  code: 'person_changed',
  data: { code: 'person_changed', message: 'The person changed meanwhile.' },
}
/** A signature that is no longer published was given to a person. */
export const signatureGone: Failure = {
  kind: 'http',
  status: 422,
  code: 'unknown_signature',
  data: { code: 'unknown_signature', message: 'There is no signature "autumn".' },
}
