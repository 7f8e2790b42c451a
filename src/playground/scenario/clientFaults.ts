import type { CallFault } from '../mailbox/callFaults.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { ClientFault, FaultOf } from './scenario.ts'

const FAILED_ON_DEMAND = 'FailedOnDemand'

/** The mail client's call faults, without the errors that happen only a limited number of times. */
export function clientFaultsOf(faults: ReadonlyMap<string, CallFault>): readonly FaultOf<ClientFault>[] {
  return [...faults].flatMap(([call, { error, delay, silent, twice }]) => {
    const found: ClientFault[] = []
    if (silent) found.push({ kind: 'silent' })
    if (twice) found.push({ kind: 'twice' })
    if (delay !== undefined) found.push({ kind: 'slow', ms: delay })
    if (error?.times === Number.POSITIVE_INFINITY) found.push({ kind: 'fails', code: error.error.code })
    return found.map((fault) => ({ call, fault }))
  })
}

/** Adds one fault to a call. */
export function addClientFault(mailbox: Mailbox, { call, fault }: FaultOf<ClientFault>): void {
  switch (fault.kind) {
    case 'silent':
      return mailbox.silence(call)
    case 'twice':
      return mailbox.answerTwice(call)
    case 'slow':
      return mailbox.delay(call, fault.ms)
    case 'fails':
      return mailbox.fail(call, { code: fault.code, name: FAILED_ON_DEMAND })
  }
}
