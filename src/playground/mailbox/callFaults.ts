import { BehaviorSubject } from 'rxjs'
import type { StateStream } from '../../../streams/kernel/effect.ts'
import type { CallError, CallName } from '../../engine/hosts/mailClient.ts'
import { CALL_NAMES } from './model.ts'
import { type Spoil, type SpoiltField, TOLD, withSpoilt } from './spoil.ts'

/** How many calls on one item may run at once (Office's documented limit on the web). A further one fails with 5100. */
export const SIMULTANEOUS_CALLS = 3

export type CallFault = Readonly<{
  error?: Readonly<{ error: CallError; times: number }>
  delay?: number
  silent?: boolean
  twice?: boolean
}>

export type FaultState = Readonly<{
  /** The faults by the name of the call; `*` stands for every call. */
  faults: ReadonlyMap<CallName | '*', CallFault>
  /** The fields of answers that the client spoils. */
  spoilt: readonly SpoiltField[]
  atOnce: number
  switchesDuringNext: boolean
}>

const NO_FAULTS: FaultState = {
  faults: new Map(),
  spoilt: [],
  atOnce: SIMULTANEOUS_CALLS,
  switchesDuringNext: false,
}

const isTold = (name: string): name is (typeof TOLD)[number] => (TOLD as readonly string[]).includes(name)
const isCallName = (name: string): name is CallName => (CALL_NAMES as readonly string[]).includes(name)

/** The faults that were ordered for the calls of a mail client. The stream never ends. */
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

  /** What the client gives in place of this value. */
  const spoiltValue = <Value>(answer: SpoiltField['answer'], value: Value): Value =>
    faultState$.value.spoilt.reduce<unknown>(
      (given, each) => (each.answer === answer ? withSpoilt(given, each.field, each.as) : given),
      value,
    ) as Value

  /** The error with which this call has to fail, or null. Uses up one of the planned failures. */
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
    /** Whether the client opens another message during this call. It does so once for each order. */
    takeSwitch(name: CallName): boolean {
      const isNow = faultState$.value.switchesDuringNext && name === 'body.setSignatureAsync'
      if (isNow) updateFaults({ switchesDuringNext: false })
      return isNow
    },
    /** The fault of this call, with those of every call. */
    faultOf(name: CallName): CallFault {
      const { faults } = faultState$.value
      return { ...faults.get('*'), ...faults.get(name) }
    },
    spoiltValue,
    /** What tests and the panel of faults order. */
    orders: {
      faultState$: faultState$ as StateStream<FaultState>,
      /** The next `times` calls of this name fail without effect; by default all of them. `*` is every name. */
      fail(
        name: string,
        error: Readonly<{ code: number; name: string }>,
        times = Number.POSITIVE_INFINITY,
      ): void {
        if (times > 0) addFault(name, { error: { error: { ...error, message: error.name }, times } })
      },
      /** Calls of this name are executed and answered `ms` milliseconds late. */
      delay: (name: string, ms: number) => addFault(name, { delay: ms }),
      /** Calls of this name are lost: never executed, never answered. */
      silence: (name: string) => addFault(name, { silent: true }),
      /** Calls of this name are executed once and answered twice. */
      answerTwice: (name: string) => addFault(name, { twice: true }),
      /**
       * This field of every answer to a call of this name is null, missing, empty, doubled or of a wrong type. In place
       * of a call, `start` and `theme` name what the client tells without one.
       */
      spoil(name: string, field: string, as: Spoil): void {
        if (!isCallName(name) && !isTold(name)) throw new Error(`The mail client has no answer named ${name}`)
        updateFaults({ spoilt: [...faultState$.value.spoilt, { answer: name, field, as }] })
      },
      clearFault,
      /** The number of calls on one item that may run at once; `SIMULTANEOUS_CALLS` by default. */
      limitCalls: (atOnce: number) => updateFaults({ atOnce }),
      /** Opens another message during the next call that sets a signature, once. */
      switchDuringNext: (switchesDuringNext: boolean) => updateFaults({ switchesDuringNext }),
      restore: () => faultState$.next(NO_FAULTS),
    },
  }
}
