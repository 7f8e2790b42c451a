/** The calls for the values that users may enter, and for the definitions of these values. */
import type { DefaultChoice } from '../../../../streams/organisation/facts/events.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import type { Release } from '../../../../streams/organisation/release/release.ts'
import {
  replacedFields,
  variableDefinitionsOf,
  variableValues,
} from '../../../../streams/organisation/release/selectors.ts'
import { ANSWER_DEPENDENCIES, variablesBody } from '../../../../streams/wire/addinRequests.ts'
import {
  READ_VARIABLE_DEFINITIONS,
  READ_VARIABLE_VALUES,
  SAVE_VARIABLES,
} from '../../../../streams/wire/user.ts'
import { BODY_LIMIT_BYTES, type WebServer } from '../../../server/webServer.ts'
import type { Images } from '../../answers/images.ts'
import { refuseInvisibleSignatures } from './signatures.ts'
import type { AnswerTo, TaggedAnswers } from './taggedAnswers.ts'

/** A save may contain each value twice: the new value, and the previous value. */
const SAVE_BODY_LIMIT_BYTES = 2 * BODY_LIMIT_BYTES

export function addVariableCalls(personal: WebServer, { addRead }: TaggedAnswers): void {
  addRead(personal, READ_VARIABLE_DEFINITIONS, ANSWER_DEPENDENCIES.definitions, ({ release }) => ({
    objects: variableDefinitionsOf(release),
  }))

  addRead(personal, READ_VARIABLE_VALUES, ANSWER_DEPENDENCIES.values, ({ release, person }, images) => ({
    values: valuesOf(images, release, person),
  }))

  personal.put(
    SAVE_VARIABLES.path,
    { bodyLimit: SAVE_BODY_LIMIT_BYTES, schema: { body: variablesBody } },
    async ({ body, caller, organisation }): AnswerTo<typeof SAVE_VARIABLES> => {
      const { person, release } = caller
      const { data, reset_fields: resetFields, base } = body
      const before = new Set(namedIn(person.metadata.defaultSignature))
      await refuseInvisibleSignatures(
        organisation,
        caller,
        namedIn(data.metadata?.defaultSignature).filter((ids) => !before.has(ids)),
      )
      const command = { type: 'saveValues', ...data, resetFields, base } as const
      const after = await organisation.context.people.write(person.id, command, person.id)
      return {
        data: valuesOf(organisation.images, release, after),
        changed_fields: replacedFields(release, after),
      }
    },
  )
}

const valuesOf = (images: Images, release: Release, person: PersonState) =>
  variableValues(release, person, { pictureUrl: images.addressOf(person) })

/** The signatures that a choice of the default contains. */
const namedIn = ({ master, reply, bySender = {} }: DefaultChoice = {}): readonly string[] =>
  [master, reply, ...Object.values(bySender)].filter((ids) => ids !== undefined)
