import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open, orNull, shape } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import { chosenDefaultsField } from '../profile/events.ts'
import type { Senders } from '../senders/senders.ts'
import { cachedSignatureField, namedField } from '../signatures/signature.ts'

/** A default for new messages, or for replies and forwards. */
export type DefaultUse = 'master' | 'reply'

/** A change's id is the `seq` of the event that asked for it. */
const id = open<number>()

const changes = defineEvents('defaults', {
  /** The default of an earlier pane was found in private storage, before the service answered. */
  restored: fact({ signature: cachedSignatureField, senders: shape<Senders>()('senders') }),
  /** The signature that the reply version of the loaded default belongs to, where the service did not name it. */
  replyNamed: fact({ of: namedField }),
  /** The name of that signature cannot be read: the signature stays without a name. */
  replyNameFailed: fact({ combinedIds: open<string>(), failure: failureField }),
  /** The user chose this signature as a default. */
  changeRequested: gesture({ combinedIds: open<string>(), use: open<DefaultUse>() }),
  /** The user chose this signature for messages from this address; null removes the choice for the address. */
  senderChoiceRequested: gesture({
    address: shape<string>()('address'),
    combinedIds: orNull(open<string>()),
  }),
  /** The user takes the organisation's default in place of their own. */
  organisationRequested: gesture({}),
  /** `defaults` are the user's choices at the service after the change; null: the user chose none. */
  changed: fact({ id, defaults: orNull(chosenDefaultsField) }),
  changeFailed: fact({ id, failure: failureField }),
})

/** The load is the default signature with its images, from the service. */
export const Defaults = { ...defineLoad('defaults', cachedSignatureField), ...changes }
