import { runSteps } from '../../streams/kernel/steps.ts'
import { comparingReleases, planningPerson } from '../../streams/organisation/plan/plan.ts'

// Plans in one go; the service and the page plan in steps.

export const compareReleases = (...given: Parameters<typeof comparingReleases>) =>
  runSteps(comparingReleases(...given))
export const plannedFor = (...given: Parameters<typeof planningPerson>) => runSteps(planningPerson(...given))
export const planFor = (...given: Parameters<typeof planningPerson>) => plannedFor(...given).plan
