import { approvalStories } from './approvalStories.ts'
import { directoryStories } from './directoryStories.ts'
import { organisationsStories } from './organisationsStories.ts'
import { overviewStories } from './overviewStories.ts'
import { peopleStories } from './peopleStories.ts'
import { planStories } from './planStories.ts'
import { signatureStories } from './signatureStories.ts'
import type { AdministrationStory } from './story.ts'

/** Every view and state of the administration page, each with the events that produce it. */
export const administrationStories = (): readonly AdministrationStory[] => [
  ...overviewStories(),
  ...signatureStories(),
  ...planStories(),
  ...approvalStories(),
  ...peopleStories(),
  ...directoryStories(),
  ...organisationsStories(),
]
