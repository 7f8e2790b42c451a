import { BehaviorSubject } from 'rxjs'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import type { CallError, CallName } from '../../engine/hosts/mailClient.ts'
import { CALL_NAMES } from './model.ts'
import { type SpoilKind, type SpoiltField, PUSHED_DATA, spoilField } from './spoil.ts'

/** How many calls on one item may run at once (Office's documented limit on the web). Further calls fail with 5100. */
export const MAX_SIMULTANEOUS_CALLS = 3

export type CallFault = Readonly<{
  error?: Readonly<{ error: CallError; times: number }>
  delay?: number
  silent?: boolean
  twice?: boolean
}>

export type FaultState = Readonly<{
  /** The faults by call name; `*` means every call. */
  faults: ReadonlyMap<CallName | '*', CallFault>
  /** The answer fields that the client spoils. */
  spoilt: readonly SpoiltField[]
  atOnce: number
  switchesDuringNext: boolean
}>

const NO_FAULTS: FaultState = {
  faults: new Map(),
  spoilt: [],
  atOnce: MAX_SIMULTANEOUS_CALLS,
  switchesDuringNext: false,
}

const isTold = (name: string): name is (typeof PUSHED_DATA)[number] =>
  (PUSHED_DATA as readonly string[]).includes(name)
const isCallName = (name: string): name is CallName => (CALL_NAMES as readonly string[]).includes(name)

/** Creates the store of the faults ordered for a mail client's calls. The stream never ends. */
export function createCallFaults() {
  const faultState$ = new BehaviorSubject(NO_FAULTS)
  const updateFaults = (change: Partial<FaultState>) => faultState$.next({ ...faultState$.value, ...change })

  const addFault = (call: string, fault: CallFault) => {
    if (call !== '*' && !isCallName(call)) throw new Error(`The mail client has no call named ${call}`)
    const { faults } = faultState$.value
    updateFaults({ faults: new Map(faults).set(call, { ...faults.get(call), ...fault }) })
  }
  const clearFault = (call: string) =>
    updateFaults({ faults: new Map([...faultState$.value.faults].filter(([name]) => name !== call)) })

  /** Spoils the ordered fields of a value that the client returns. */
  const spoiltValue = <Value>(answer: SpoiltField['answer'], value: Value): Value =>
    faultState$.value.spoilt.reduce<unknown>(
      (given, each) => (each.answer === answer ? spoilField(given, each.field, each.as) : given),
      value,
    ) as Value

  /** The error for this call, or null. Uses up one planned failure. */
  const takeError = (name: CallName): CallError | null => {
    const { faults } = faultState$.value
    const key = faults.get(name)?.error ? name : '*'
    const { error: planned, ...rest } = faults.get(key) ?? {}
    if (!planned) return null
    if (planned.times > 1) addFault(key, { error: { ...planned, times: planned.times - 1 } })
    else {
      clearFault(key)
      if (Object.keys(rest).length > 0) addFault(key, rest)
    }
    return planned.error
  }

  return {
    takeError,
    /** Whether the client opens another message during this call; true once per order. */
    takeSwitch(name: CallName): boolean {
      const isNow = faultState$.value.switchesDuringNext && name === 'body.setSignatureAsync'
      if (isNow) updateFaults({ switchesDuringNext: false })
      return isNow
    },
    /** The fault of this call, combined with the fault of all calls (`*`). */
    faultOf(name: CallName): CallFault {
      const { faults } = faultState$.value
      return { ...faults.get('*'), ...faults.get(name) }
    },
    spoiltValue,
    /** The faults that tests and the faults panel can order. */
    orders: {
      faultState$: faultState$ as StateStream<FaultState>,
      /** Makes the next `times` calls of this name fail without effect; by default all. `*` means every name. */
      fail(
        name: string,
        error: Readonly<{ code: number; name: string }>,
        times = Number.POSITIVE_INFINITY,
      ): void {
        if (times > 0) addFault(name, { error: { error: { ...error, message: error.name }, times } })
      },
      /** Calls of this name run, and are answered `ms` milliseconds late. */
      delay: (name: string, ms: number) => addFault(name, { delay: ms }),
      /** Calls of this name are lost: they never run and get no answer. */
      silence: (name: string) => addFault(name, { silent: true }),
      /** Calls of this name run once and are answered twice. */
      answerTwice: (name: string) => addFault(name, { twice: true }),
      /**
       * Spoils this field in every answer to a call: null, missing, empty, doubled or of a wrong type. Besides call
       * names, it takes `start` and `theme` for the data that the client sends without a call.
       */
      spoil(name: string, field: string, as: SpoilKind): void {
        if (!isCallName(name) && !isTold(name)) throw new Error(`The mail client has no answer named ${name}`)
        updateFaults({ spoilt: [...faultState$.value.spoilt, { answer: name, field, as }] })
      },
      clearFault,
      /** How many calls on one item may run at once; `MAX_SIMULTANEOUS_CALLS` by default. */
      limitCalls: (atOnce: number) => updateFaults({ atOnce }),
      /** Once, opens another message during the next call that sets a signature. */
      switchDuringNext: (switchesDuringNext: boolean) => updateFaults({ switchesDuringNext }),
      restore: () => faultState$.next(NO_FAULTS),
    },
  }
}
