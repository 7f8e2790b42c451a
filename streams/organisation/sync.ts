/** What happens in a sync, and the run that tells it. Pure. */
import { assertNever } from '../kernel/event.ts'
import {
  type DirectoryFailure,
  type DirectoryRun,
  type DirectorySample,
  MOST_SAMPLES,
  needsApproval,
} from './directory.ts'

/** `at` is in milliseconds since 1970. */
export type SyncEvent =
  /** So many more entries of the directory. */
  | Readonly<{ type: 'entriesRead'; entries: number }>
  | Readonly<{ type: 'peopleChanged'; samples: readonly DirectorySample[] }>
  /** Those whose deactivation waits for approval: how many they are now, and the first of them. */
  | Readonly<{ type: 'deactivationsHeld'; people: number; samples: readonly DirectorySample[] }>
  | Readonly<{ type: 'ended'; at: number; failure: DirectoryFailure | null; needsApproval: boolean }>
  /** Its instance ended. */
  | Readonly<{ type: 'interrupted'; at: number }>

/** What a sync does with what the directory told. */
export type SyncScope = Readonly<{
  needsApproval: boolean
  /** It tells what would change, and changes no person. */
  isTrial: boolean
  /** Whether people are deactivated; else those who would be are told, and go on waiting. */
  deactivates: boolean
}>

/**
 * Whom SCIM holds back waits for approval, however few they are now; what else it told does not wait with them.
 *
 * @param leaving how many people would be deactivated, of so many who are active
 */
export function scopeOf(
  kind: 'graph' | 'scim',
  { isTrial, mayDeactivate }: Readonly<{ isTrial: boolean; mayDeactivate: boolean }>,
  leaving: number,
  active: number,
): SyncScope {
  const isScim = kind === 'scim'
  const isHeld = !mayDeactivate && (isScim ? leaving > 0 : needsApproval(leaving, active))
  return {
    needsApproval: isHeld,
    isTrial: isTrial || (isHeld && !isScim),
    deactivates: mayDeactivate || !isScim,
  }
}

/** Of the 50 samples so many are of one kind, so that there is room for each of the five. */
export const MOST_OF_A_KIND = MOST_SAMPLES / 5

export const beginRun = (
  begun: Pick<DirectoryRun, 'id' | 'source' | 'at' | 'isTrial' | 'by'>,
): DirectoryRun => ({
  ...begun,
  until: null,
  outcome: 'running',
  read: 0,
  added: 0,
  changed: 0,
  retired: 0,
  returned: 0,
  refused: 0,
  failure: null,
  samples: [],
})

/** The run after an event. One that ended goes on with the next event, as that of an hour does. */
export function evolveRun(run: DirectoryRun, event: SyncEvent): DirectoryRun {
  switch (event.type) {
    case 'entriesRead':
      return { ...run, read: run.read + event.entries }
    case 'peopleChanged':
      return { ...run, ...counted(run, event.samples) }
    case 'deactivationsHeld':
      return { ...run, retired: event.people, samples: event.samples.slice(0, MOST_OF_A_KIND) }
    case 'ended': {
      const { at: until, failure, needsApproval } = event
      const outcome = failure !== null ? 'failed' : needsApproval ? 'needsLeave' : 'done'
      return { ...run, until, failure, outcome }
    }
    case 'interrupted':
      return { ...run, until: event.at, outcome: 'interrupted' }
    default:
      return assertNever(event)
  }
}

/** What a run tells of the changes after these, too. */
export function counted(run: DirectoryRun, samples: readonly DirectorySample[]): Partial<DirectoryRun> {
  const count = (change: DirectorySample['change']) =>
    samples.reduce((sum, sample) => sum + (sample.change === change ? 1 : 0), run[change])
  const kept = [...run.samples]
  for (const sample of samples)
    if (kept.filter(({ change }) => change === sample.change).length < MOST_OF_A_KIND) kept.push(sample)
  return {
    added: count('added'),
    changed: count('changed'),
    retired: count('retired'),
    returned: count('returned'),
    refused: count('refused'),
    samples: kept,
  }
}
