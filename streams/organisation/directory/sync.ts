/** The events of a sync, and the run that records them. */
import { assertNever } from '../../kernel/event.ts'
import { mergeProgress, UNCOUNTED_PROGRESS } from '../../kernel/progress.ts'
import {
  type DirectoryFailure,
  type DirectoryRun,
  type DirectorySample,
  MAX_RUN_SAMPLES,
  needsApproval,
} from './directory.ts'

/** `at` is in milliseconds since 1970. */
export type SyncEvent =
  /** The attributes in the settings that this source does not have. Replaces an earlier report of the source. */
  | Readonly<{ type: 'attributesCompared'; source: string; unknown: readonly string[] }>
  /** The number of further entries received from the directory. */
  | Readonly<{ type: 'entriesRead'; entries: number }>
  | Readonly<{ type: 'peopleChanged'; samples: readonly DirectorySample[] }>
  /** The number of changed entries to apply. */
  | Readonly<{ type: 'entriesCounted'; entries: number }>
  | Readonly<{ type: 'entriesApplied'; entries: number }>
  /** Deactivations wait for approval. `people` is their number, `samples` lists the first of these people. */
  | Readonly<{ type: 'deactivationsHeld'; people: number; samples: readonly DirectorySample[] }>
  | Readonly<{ type: 'ended'; at: number; failure: DirectoryFailure | null; needsApproval: boolean }>
  /**
   * The sync was interrupted: its instance ended, or an administrator stopped it. `by` is null if the instance ended.
   */
  | Readonly<{ type: 'interrupted'; at: number; by: string | null }>

/** Which of its changes a sync applies. */
export type SyncScope = Readonly<{
  needsApproval: boolean
  /** A dry run: it changes nobody. */
  isTrial: boolean
  /**
   * Whether the sync deactivates people. If false, it only reports whom it would deactivate, for an administrator to
   * approve.
   */
  deactivates: boolean
}>

/**
 * Decides which changes a sync applies. With SCIM, every pending deactivation needs approval, and all other changes are
 * applied.
 *
 * @param deactivating the number of people to deactivate
 * @param active the number of active people
 */
export function syncScopeOf(
  kind: 'graph' | 'scim',
  { isTrial, mayDeactivate }: Readonly<{ isTrial: boolean; mayDeactivate: boolean }>,
  deactivating: number,
  active: number,
): SyncScope {
  const isScim = kind === 'scim'
  const isHeld = !mayDeactivate && (isScim ? deactivating > 0 : needsApproval(deactivating, active))
  return {
    needsApproval: isHeld,
    isTrial: isTrial || (isHeld && !isScim),
    deactivates: mayDeactivate || !isScim,
  }
}

/** The most samples for one kind of change. It leaves room for all five kinds. */
export const MAX_SAMPLES_OF_A_KIND = MAX_RUN_SAMPLES / 5

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

/** Returns the run after an event. A finished run may continue, because all SCIM requests of an hour share one run. */
export function evolveRun(run: DirectoryRun, event: SyncEvent): DirectoryRun {
  switch (event.type) {
    case 'attributesCompared':
      return withUnknownAttributes(run, event.source, event.unknown)
    case 'entriesRead':
      return { ...run, read: run.read + event.entries }
    case 'entriesCounted':
      return {
        ...run,
        progress: mergeProgress(run.progress ?? UNCOUNTED_PROGRESS, { done: 0, of: event.entries }),
      }
    case 'entriesApplied': {
      const { done, of } = run.progress ?? UNCOUNTED_PROGRESS
      return { ...run, progress: mergeProgress({ done, of }, { done: done + event.entries, of }) }
    }
    case 'peopleChanged':
      return { ...run, ...countSamples(run, event.samples) }
    case 'deactivationsHeld':
      return { ...run, retired: event.people, samples: event.samples.slice(0, MAX_SAMPLES_OF_A_KIND) }
    case 'ended': {
      const { at: until, failure, needsApproval } = event
      const outcome = failure !== null ? 'failed' : needsApproval ? 'needsLeave' : 'done'
      return { ...run, until, failure, outcome }
    }
    case 'interrupted':
      return {
        ...run,
        until: event.at,
        outcome: 'interrupted',
        ...(event.by === null ? {} : { stoppedBy: event.by }),
      }
    default:
      return assertNever(event)
  }
}

function withUnknownAttributes(
  { unknownAttributes = [], ...run }: DirectoryRun,
  source: string,
  names: readonly string[],
): DirectoryRun {
  const others = unknownAttributes.filter((each) => each.source !== source)
  const all = names.length === 0 ? others : [...others, { source, names }]
  return all.length === 0 ? run : { ...run, unknownAttributes: all }
}

/** The run's counts and samples after further changes. */
export function countSamples(run: DirectoryRun, samples: readonly DirectorySample[]): Partial<DirectoryRun> {
  const count = (change: DirectorySample['change']) =>
    samples.reduce((sum, sample) => sum + (sample.change === change ? 1 : 0), run[change])
  const kept = [...run.samples]
  for (const sample of samples)
    if (kept.filter(({ change }) => change === sample.change).length < MAX_SAMPLES_OF_A_KIND)
      kept.push(sample)
  return {
    added: count('added'),
    changed: count('changed'),
    retired: count('retired'),
    returned: count('returned'),
    refused: count('refused'),
    samples: kept,
  }
}
