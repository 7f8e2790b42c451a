/** The calls for the user: their identity, their permissions, and the reports of their add-in. */
import {
  replacedFields,
  displayName,
  replacedDirectoryValues,
  subscriptionPlanOf,
} from '../../../../streams/organisation/release/selectors.ts'
import { mayChooseDefault, visibleMetadata } from '../../../../streams/organisation/rules/rules.ts'
import type { InOf } from '../../../../streams/kernel/schema.ts'
import { ANSWER_DEPENDENCIES, telemetryBody } from '../../../../streams/wire/addinRequests.ts'
import {
  READ_CONFIGURATION,
  READ_PLAN,
  type READ_VARIABLE_STATES,
  READ_USER,
  SEND_TELEMETRY,
} from '../../../../streams/wire/user.ts'
import type { WebServer } from '../../../server/webServer.ts'
import type { TaggedAnswers } from './taggedAnswers.ts'

export function addUserCalls(personal: WebServer, { addRead, conditional }: TaggedAnswers): void {
  personal.get(READ_USER.path, async (request, reply) => {
    const { images, owners: ownersOf } = request.organisation
    return conditional(
      request,
      reply,
      ANSWER_DEPENDENCIES.user,
      ({
        person,
        release,
        isAdmin,
        owners,
      }): InOf<typeof READ_USER.answer & typeof READ_VARIABLE_STATES.answer> => ({
        id: person.id,
        email: person.addresses[0] ?? '',
        is_admin: isAdmin,
        picture_url: images.addressOf(person),
        auth_type: 'azure',
        ...(person.language === null ? {} : { language: person.language }),
        client_name: release.document.organisation,
        computed_variables: { display_name: displayName(release, person) },
        delegations: owners.map(({ id }) => id),
        metadata: visibleMetadata(release, person),
        changed_fields: replacedFields(release, person),
        original_data: replacedDirectoryValues(release, person),
      }),
      await ownersOf.delegated(request.caller),
    )
  })

  personal.put(
    SEND_TELEMETRY.path,
    { schema: { body: telemetryBody } },
    async ({ body: info, caller: { person, at }, organisation }, reply) => {
      await organisation.context.store.keepReported(person.id, info, at)
      return reply.code(204).send()
    },
  )

  addRead(personal, READ_PLAN, ANSWER_DEPENDENCIES.plan, ({ release, person }) => ({
    plan_id: subscriptionPlanOf(release, person),
  }))
  addRead(personal, READ_CONFIGURATION, ANSWER_DEPENDENCIES.configuration, ({ release, person }) => ({
    config: { addin: { signature_by_default: mayChooseDefault(release, person) } },
  }))
}
