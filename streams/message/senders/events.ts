import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { sendersField } from './senders.ts'

export const SendersRead = defineEvents('senders', {
  /** The signatures for certain senders and recipients were read, from the service or from the loaded lists. */
  loaded: fact({ senders: sendersField }),
  loadFailed: fact({ failure: failureField }),
})
