import { documentSchema } from '../../../streams/wire/administration/document.ts'
import { createBodyMeter, BodyTooCostly } from '../../../src/server/bodyMeter.ts'
import { readInSteps as readingBody } from '../../../streams/wire/reading.ts'
import { checkingDocument } from '../../../src/folder/checkFolder.ts'
import { applyingOperations, readPatchOperations, splittingMembers } from '../../../src/service/scim/patch.ts'
import { GROUP_TYPE, USER_TYPE } from '../../../src/service/scim/schemas.ts'
import type { Steps } from '../../../streams/kernel/steps.ts'
import { comparingReleases, planningPerson } from '../../../streams/organisation/plan/plan.ts'
import { compilingRelease, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { addresses, largeDocument, person } from '../../growth/largeDocument.ts'
import { digits, quantile, table, times } from '../figures.ts'

/** `body` makes a body of about this many characters; `begin` processes it like the service. */
type Attack = Readonly<{
  title: string
  body: (characters: number) => unknown
  begin: (body: unknown) => Steps<unknown>
}>

const SIZES = [150_000, 300_000, 600_000]
const RUNS = 9

/** The same amount of text in few values: one signature, and templates of a length that the schema accepts. */
function plain(characters: number): ReleaseDocument {
  const templates = Math.ceil(characters / 150_000)
  return largeDocument({ signatures: 1, templates, lines: characters / templates / 21, partLines: 20 })
}
const changed = (document: ReleaseDocument): ReleaseDocument => ({
  ...document,
  templates: Object.fromEntries(
    Object.entries(document.templates).map(([path, text]) => [path, `<p>before</p>${text}`]),
  ),
})
const operations = (...all: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: all,
})
const ids = (count: number) => addresses(Math.floor(count)).map((value) => ({ value }))

const unknownAttribute = (characters: number) =>
  operations({ op: 'add', path: 'unknown', value: 'x'.repeat(characters) })

/** Reads the body as it arrives, and parses it. Both run without a pause. */
function* reading(body: unknown): Steps<unknown> {
  const text = body as string
  try {
    createBodyMeter()(Buffer.from(text))
  } catch (error) {
    if (error instanceof BodyTooCostly) return null
    throw error
  }
  yield
  return JSON.parse(text) as unknown
}

const checkingSchema = (document: unknown) => readingBody(documentSchema, document)
const checkingTemplates = (document: unknown) => checkingDocument(document as ReleaseDocument, 0)
function* planningOne(document: unknown): Steps<unknown> {
  const after = document as ReleaseDocument
  const compared = yield* comparingReleases(
    yield* compilingRelease('a', changed(after)),
    yield* compilingRelease('b', after),
    '',
  )
  return yield* planningPerson(compared, person, new Map(), 0)
}

const ATTACKS: readonly (Attack & Readonly<{ plain?: (characters: number) => unknown }>)[] = [
  {
    title: 'a body with many values',
    body: (characters) => `{"a":[${'0,'.repeat(characters / 2)}0]}`,
    plain: (characters) => JSON.stringify(plain(characters)),
    begin: reading,
  },
  {
    title: 'the schema of a document with many mailboxes',
    body: (characters) => largeDocument({ mailboxes: Math.floor(characters / 110) }),
    begin: checkingSchema,
  },
  {
    title: 'the schema of a signature for many people',
    body: (characters) => largeDocument({ conditions: Math.floor(characters / 3_000) }),
    begin: checkingSchema,
  },
  {
    title: 'checks of many signatures with two templates',
    body: (characters) =>
      largeDocument({ signatures: Math.floor(characters / 6_000), templates: 2, lines: characters / 100 }),
    begin: checkingTemplates,
  },
  {
    title: 'a plan for one person, many signatures with two templates',
    body: (characters) =>
      largeDocument({ signatures: Math.floor(characters / 6_000), templates: 2, lines: characters / 100 }),
    begin: planningOne,
  },
  {
    title: 'SCIM: many operations on one list',
    body: (characters) =>
      operations(
        ...Array.from({ length: Math.floor(Math.min(2_000, characters / 300)) }, () => ({
          op: 'add',
          path: 'emails',
          value: ids(9),
        })),
      ),
    plain: unknownAttribute,
    begin: (body) =>
      applyingOperations(USER_TYPE, { userName: 'alex', emails: ids(50) }, readPatchOperations(body)),
  },
  {
    title: 'SCIM: many members',
    body: (characters) => operations({ op: 'add', path: 'members', value: ids(characters / 40) }),
    plain: unknownAttribute,
    begin: (body) => splittingMembers(GROUP_TYPE, readPatchOperations(body)),
  },
]

type Taken = Readonly<{ ms: number; longest: number }>

/** In milliseconds: the whole work, and its longest step, during which all other requests wait. */
function time(steps: Steps<unknown>): Taken {
  const from = performance.now()
  let [longest, before] = [0, from]
  for (let isDone = false; !isDone;) {
    isDone = steps.next().done === true
    const now = performance.now()
    longest = Math.max(longest, now - before)
    before = now
  }
  return { ms: before - from, longest }
}

/** Measures how the time grows with the length of hostile bodies, in turns with a plain body of the same length. */
export function measureServiceAttacks(): string {
  const rows: string[][] = []
  for (const { title, body, plain: other = plain, begin } of ATTACKS) {
    let before: number | null = null
    for (const size of SIZES) {
      const [attack, ordinary] = [body(size), other(size)]
      const taken: Taken[] = []
      const others: number[] = []
      for (let run = 0; run < RUNS; run++) {
        taken.push(time(begin(attack)))
        others.push(time(begin(ordinary)).ms)
      }
      const p50 = quantile(
        taken.map(({ ms }) => ms),
        0.5,
      )
      const longest = quantile(
        taken.map(({ longest: each }) => each),
        0.5,
      )
      rows.push([
        size === SIZES[0] ? title : '',
        (typeof attack === 'string' ? attack : JSON.stringify(attack)).length.toLocaleString('en-US'),
        digits(p50),
        before === null ? '' : times(p50 / before),
        times(p50 / quantile(others, 0.5)),
        digits(longest),
      ])
      before = p50
    }
  }
  return table(
    `Hostile input for the service (${String(RUNS)} runs each, in turns with a plain body of the same length)`,
    ['', 'characters', 'p50, ms', 'growth', 'vs. a plain body', 'longest step, ms'],
    rows,
  )
}
