import { defineEvents, fact, gesture } from '../kernel/event.ts'
import { failureField } from '../kernel/failure.ts'
import { open } from '../kernel/field.ts'
import { defineLoad } from '../kernel/load.ts'
import { cachedSignatureField } from '../signatures/signature.ts'

/** A default for new messages, or for replies and forwards. */
export type DefaultUse = 'master' | 'reply'

const combinedIds = open<string>()
const use = open<DefaultUse>()

const changes = defineEvents('defaults', {
  /** The default of an earlier pane was found in private storage, before the service answered. */
  restored: fact({ signature: cachedSignatureField }),
  /** The user chose this signature as a default. */
  changeRequested: gesture({ combinedIds, use }),
  changed: fact({ combinedIds, use }),
  changeFailed: fact({ combinedIds, use, failure: failureField }),
})

/** The load is the default signature with its images, from the service. */
export const Defaults = { ...defineLoad('defaults', cachedSignatureField), ...changes }
