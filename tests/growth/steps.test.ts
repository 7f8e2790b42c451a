import { expect, test } from 'vitest'
import { documentSchema } from '../../src/calls/document.ts'
import { checking as checkingSchema } from '../../src/server/validation.ts'
import { checkingDocument } from '../../src/service/folder/checkFolder.ts'
import { readingPeople } from '../../src/service/folder/people.ts'
import { writingFiles } from '../../src/service/folder/writeFolder.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import { comparing, groupPlans, compareReleases, planFor, planning } from '../../streams/organisation/plan.ts'
import { compileRelease, compiling, type ReleaseDocument } from '../../streams/organisation/release.ts'
import { addresses, largeDocument, person } from './largeDocument.ts'
import { stepsOf } from './work.ts'

// What keeps the process from others is one step: however large the whole is, none does more than a part of it.

const MOST_OF_WHOLE = 1 / 8

const workOf = (steps: Steps<unknown>) => {
  const each: number[] = []
  let last: IteratorResult<void> | null = null
  const step = () => (last = steps.next())
  do each.push(stepsOf(step))
  while ((last as IteratorResult<void> | null)?.done !== true)
  return { whole: each.reduce((sum, one) => sum + one, 0), most: Math.max(...each) }
}

const documents: Readonly<Record<string, ReleaseDocument>> = {
  'many mailboxes': largeDocument({ mailboxes: 3_000 }),
  'many signatures': largeDocument({ signatures: 60, templates: 40 }),
  'one signature for many': largeDocument({ conditions: 200 }),
}

const work: Readonly<Record<string, (document: ReleaseDocument) => Steps<unknown>>> = {
  'checking the schema': (document) => checkingSchema(documentSchema, document),
  'writing a folder': (document) => writingFiles(document, new Map()),
}
const rendering: typeof work = {
  checking: (document) => checkingDocument(document, 0),
  compiling: (document) => compiling('r', document),
  comparing: (document) =>
    comparing(compileRelease('a', changed(document)), compileRelease('b', document), ''),
  planning: (document) => planning(compare(document), person, new Map(), 0),
  grouping: (document) => {
    const comparison = compare(document)
    return groupPlans(comparison).adding(planFor(comparison, person, new Map(), 0), person)
  },
}

const changed = (document: ReleaseDocument): ReleaseDocument => ({
  ...document,
  templates: Object.fromEntries(
    Object.entries(document.templates).map(([path, text]) => [path, `<p>before</p>${text}`]),
  ),
})
const compare = (document: ReleaseDocument) =>
  compareReleases(compileRelease('a', changed(document)), compileRelease('b', document), '')

const all = [
  ...['many mailboxes', 'one signature for many'].flatMap((name) =>
    Object.entries(work).map(([doing, begin]) => [doing, name, begin] as const),
  ),
  ...Object.entries(rendering).map(([doing, begin]) => [doing, 'many signatures', begin] as const),
].filter(([doing, name]) => doing !== 'writing a folder' || name === 'many mailboxes')

test.each(all)('no step of %s a document with %s is most of the work', (_, name, begin) => {
  const document = documents[name]!
  const { whole, most } = workOf(begin(document))
  expect(most).toBeLessThan(whole * MOST_OF_WHOLE)
})

test('no step of reading people is most of the work', () => {
  const text = `email,givenName\n${addresses(3_000).join(',Given\n')},Given`
  const { whole, most } = workOf(readingPeople(text, 'people.csv', null))
  expect(most).toBeLessThan(whole * MOST_OF_WHOLE)
})
