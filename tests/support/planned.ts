import { finish } from '../../streams/kernel/steps.ts'
import { comparing, planning } from '../../streams/organisation/plan/plan.ts'

// Plans in one go; the service and the page plan in steps.

export const compareReleases = (...given: Parameters<typeof comparing>) => finish(comparing(...given))
export const plannedFor = (...given: Parameters<typeof planning>) => finish(planning(...given))
export const planFor = (...given: Parameters<typeof planning>) => plannedFor(...given).plan
