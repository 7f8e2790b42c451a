import { directoryStories } from './directoryStories.ts'
import { organisationsStories } from './organisationsStories.ts'
import { overviewStories } from './overviewStories.ts'
import { peopleStories } from './peopleStories.ts'
import { planStories } from './planStories.ts'
import { signatureStories } from './signatureStories.ts'
import type { AdministrationStory } from './story.ts'

/** Every view and every state of the administration page, each as the events that lead to it. */
export const administrationStories = (): readonly AdministrationStory[] => [
  ...overviewStories(),
  ...signatureStories(),
  ...planStories(),
  ...peopleStories(),
  ...directoryStories(),
  ...organisationsStories(),
]
