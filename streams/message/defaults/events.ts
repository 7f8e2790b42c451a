import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField, nullableField, redactedField } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import { chosenDefaultsField } from '../profile/events.ts'
import type { Senders } from '../senders/senders.ts'
import { cachedSignatureField, signatureNamesField } from '../signatures/signature.ts'

/** The default to use or change: for new messages (`master`), or for replies and forwards. */
export type DefaultUse = 'master' | 'reply'

/** The id of a change is the `seq` of the event that requested the change. */
const id = openField<number>()

const changes = defineEvents('defaults', {
  /** The default of an earlier pane was found in private storage, before the service answered. */
  restored: fact({ signature: cachedSignatureField, senders: redactedField<Senders>()('senders') }),
  /** The signature of the loaded reply version was found, because the service had not named it. */
  replyNamed: fact({ of: signatureNamesField }),
  /** The name of the reply version's signature cannot be read, so the signature stays unnamed. */
  replyNameFailed: fact({ combinedIds: openField<string>(), failure: failureField }),
  /** The user chose this signature as a default. */
  changeRequested: gesture({ combinedIds: openField<string>(), use: openField<DefaultUse>() }),
  /** The user chose this signature for messages sent from this address; null removes the choice. */
  senderChoiceRequested: gesture({
    address: redactedField<string>()('address'),
    combinedIds: nullableField(openField<string>()),
  }),
  /** The user replaces their own default with the organisation's. */
  organisationRequested: gesture({}),
  /** `defaults` are the user's choices stored by the service after the change; null if the user has none. */
  changed: fact({ id, defaults: nullableField(chosenDefaultsField) }),
  changeFailed: fact({ id, failure: failureField }),
})

/** The events of the default signature: loading it with its images, and changing it. */
export const Defaults = { ...defineLoad('defaults', cachedSignatureField), ...changes }
