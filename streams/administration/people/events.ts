import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open, orNull, shape } from '../../kernel/field.ts'
import type { Handle } from '../../kernel/handle.ts'
import { defineAttempt } from '../../kernel/load.ts'
import { definePages } from '../../kernel/pages.ts'
import type { SignaturesAnswer, FoundPeople, ImportResult } from '../../wire/administration/people.ts'
import type { SupposedKind, SampleRecipients } from '../../organisation/release/supposed.ts'
import type { ExplainedPerson } from '../../organisation/rules/why.ts'

const text = shape<string>()('text')
const person = shape<string>()('person')

const pagesOfPeople = {
  query: text,
  after: orNull(person),
  page: shape<FoundPeople>()('foundPeople'),
}

/** The search for people. */
export const People = {
  ...definePages('people', pagesOfPeople, ({ people }) => people),
  ...defineEvents('people', {
    /** The text of the search box changed. */
    searched: gesture({ query: text }),
    moreRequested: gesture({}),
  }),
}

/** The search for people without a signature. */
export const Unsigned = {
  ...definePages('unsigned', pagesOfPeople, ({ people }) => people),
  ...defineEvents('unsigned', { searched: gesture({ query: text }), moreRequested: gesture({}) }),
}

/** The page of one person. In a fact, `person` is the requested person; the page may show another person by now. */
export const OnePerson = defineEvents('onePerson', {
  /** A day such as `2026-10-01`; null for today. */
  dayChosen: gesture({ day: orNull(open<string>()) }),
  kindChosen: gesture({ kind: open<SupposedKind>() }),
  /** The recipients of the message; null if it has none. */
  recipientsChosen: gesture({ recipients: orNull(open<SampleRecipients>()) }),
  themeChosen: gesture({ isDark: open<boolean>() }),
  explained: fact({ person, value: shape<ExplainedPerson>()('explained') }),
  explainFailed: fact({ person, failure: failureField }),
  drawn: fact({ person, value: shape<SignaturesAnswer>()('answered') }),
  drawFailed: fact({ person, failure: failureField }),
})

/** Downloads everything that is stored about the person. */
export const PersonExport = defineAttempt('personExport', {}, {}, { person })

/** Permanently erases the person with this `id` and `address`, once the administrator has typed the address. */
export const Erasure = {
  ...defineAttempt('erasure', {}, { id: person, address: person }, { person }),
  ...defineEvents('erasure', { opened: gesture({}), typed: gesture({ text }), closed: gesture({}) }),
}

/** The import of a CSV file: first a dry run, then the import once the administrator confirms it. */
export const Import = defineEvents('import', {
  /** `file` is a handle to the browser's file; `name` is the file's name. */
  offered: gesture({ file: open<Handle>(), name: text }),
  tried: fact({ result: shape<ImportResult>()('imported') }),
  tryFailed: fact({ failure: failureField }),
  confirmed: gesture({}),
  done: fact({ result: shape<ImportResult>()('imported') }),
  failed: fact({ failure: failureField }),
  /** The administrator closes the result, or discards the file. */
  closed: gesture({}),
})

/** The domains of the area People. */
export const peopleDomains = [People, Unsigned, OnePerson, PersonExport, Erasure, Import] as const
