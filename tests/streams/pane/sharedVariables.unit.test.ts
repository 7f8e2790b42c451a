import fc from 'fast-check'
import { test } from 'vitest'
import { cases } from '../../support/cases.ts'
import { createStoredPerson, releaseOf } from '../../support/storedPerson.ts'
import { DETAILS, playShared, sharedStep } from '../../support/twoPanes.ts'

test('[VAR-6] of each detail the last writer counts, two panes or the directory, in any order', async () => {
  const release = releaseOf(DETAILS)
  const fields = { jobTitle: 'one', department: 'two' }
  await fc.assert(
    fc.asyncProperty(fc.array(sharedStep, { maxLength: 40, size: 'max' }), async (steps) => {
      await playShared({ release, ...createStoredPerson(release, { fields }) }, steps)
    }),
    cases(100),
  )
}, 300_000)
