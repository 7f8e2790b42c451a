import { defineEvents, fact } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { sendersField } from './senders.ts'

export const SendersRead = defineEvents('senders', {
  /** What decides about sender and recipients is known, from the service or from lists that are loaded. */
  loaded: fact({ senders: sendersField }),
  loadFailed: fact({ failure: failureField }),
})
