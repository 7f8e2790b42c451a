/** The calls of the administration, with access tokens of the identity provider. */
import {
  ADMINISTRATION_PATH,
  type Call,
  CALLS,
  LARGE_BODY_BYTES,
} from '../../../../streams/wire/administration/calls.ts'
import type { WebServer } from '../../../server/webServer.ts'
import { createPlans } from '../../publishing/plans.ts'
import { createWorkTracker } from '../../operations/work.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import { adoptingCalls } from './adopting.ts'
import { directoryCalls } from './directory.ts'
import { explainingCalls } from './explaining.ts'
import { folderCalls } from './folders.ts'
import { insightCalls } from './insight.ts'
import { createAdministrationLookup } from './lookup.ts'
import { singleOrganisationInstallation, type OperatorCalls, operatorCalls } from './operating.ts'
import { peopleCalls } from './people.ts'
import { personCalls } from './person.ts'
import { publishingCalls } from './publishing.ts'
import { workCalls } from './work.ts'
import { addRoute, type ApplicationReader, type CallHandlers } from './routes.ts'

/**
 * The handlers of the administration's calls, for one organisation.
 *
 * @param unchecked paths of templates that plans accept despite findings
 * @param operator by default the calls of an installation with one organisation
 */
export function administrationHandlers(
  context: ServiceContext,
  unchecked: ReadonlySet<string> = new Set(),
  operator: OperatorCalls = operatorCalls(singleOrganisationInstallation(context), () => ({
    ...context.releases.state(),
    directory: null,
  })),
): CallHandlers {
  const plans = createPlans(context)
  const works = createWorkTracker(context)
  const lookup = createAdministrationLookup(context, plans)
  return {
    ...insightCalls(context),
    ...folderCalls(context, plans, works),
    ...adoptingCalls(context),
    ...directoryCalls(context),
    ...publishingCalls(context, plans, works, lookup, unchecked),
    ...peopleCalls(context, works, lookup),
    ...personCalls(context, lookup),
    ...explainingCalls(context, lookup),
    ...workCalls(works),
    ...operator,
  }
}

/** Adds the routes. Each call runs for the caller's organisation. */
export async function addAdministration(app: WebServer, reader: ApplicationReader): Promise<void> {
  await app.register(
    async (scope: WebServer) => {
      scope.addContentTypeParser(
        'text/csv',
        { parseAs: 'string', bodyLimit: LARGE_BODY_BYTES },
        (_, text, done) => {
          done(null, text)
        },
      )
      for (const [name, call] of Object.entries<Call>(CALLS))
        addRoute(scope, name as keyof CallHandlers, call, reader)
    },
    { prefix: ADMINISTRATION_PATH },
  )
}
