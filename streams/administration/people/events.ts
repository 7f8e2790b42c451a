import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { openField, nullableField, redactedField } from '../../kernel/field.ts'
import type { Handle } from '../../kernel/handle.ts'
import { defineAttempt, defineLoad } from '../../kernel/load.ts'
import { definePages } from '../../kernel/pages.ts'
import type {
  SignaturesAnswer,
  FoundPeople,
  FoundPerson,
  ImportResult,
} from '../../wire/administration/people.ts'
import type { SampleKind, SampleRecipients } from '../../organisation/release/supposed.ts'
import type { FieldValues } from '../../organisation/rules/fieldValues.ts'
import type { ExplainedPerson } from '../../organisation/rules/why.ts'
import type { HandAct } from './byHand.ts'
import type { PeopleFilters } from './filters.ts'

const text = redactedField<string>()('text')
const person = redactedField<string>()('person')

const filters = redactedField<PeopleFilters>()('filters')

const pagesOfPeople = {
  query: text,
  after: nullableField(person),
  page: redactedField<FoundPeople>()('foundPeople'),
}

/** The search for people. */
export const People = {
  ...definePages('people', pagesOfPeople, ({ people }) => people),
  ...defineEvents('people', {
    /** The text of the search box changed. */
    searched: gesture({ query: text }),
    /** The administrator sorts or filters the list. */
    filtered: gesture({ filters }),
    moreRequested: gesture({}),
  }),
}

/** The search for people without a signature. */
export const UnsignedPeople = {
  ...definePages('unsigned', pagesOfPeople, ({ people }) => people),
  ...defineEvents('unsigned', {
    searched: gesture({ query: text }),
    filtered: gesture({ filters }),
    moreRequested: gesture({}),
  }),
}

/** The departments by which the list can be filtered. */
export const DepartmentsLoad = defineLoad('departments', openField<FieldValues>())

/** The default signature of a listed person, as they see it. In a fact, `person` is the person it belongs to. */
export const Thumbnail = defineEvents('thumbnail', {
  /** The pointer or the focus is on the person's signature; null once it has left, or Escape was pressed. */
  pointed: gesture({ person: nullableField(person) }),
  drawn: fact({ person, value: redactedField<SignaturesAnswer>()('answered') }),
  drawFailed: fact({ person, failure: failureField }),
})

/** The page of one person. In a fact, `person` is the requested person; the page may show another person by now. */
export const OnePerson = defineEvents('onePerson', {
  /** A day such as `2026-10-01`; null for today. */
  dayChosen: gesture({ day: nullableField(openField<string>()) }),
  kindChosen: gesture({ kind: openField<SampleKind>() }),
  /** The recipients of the message; null if it has none. */
  recipientsChosen: gesture({ recipients: nullableField(openField<SampleRecipients>()) }),
  /** The administrator chose who writes for the mailbox on the page; null for nobody in particular. */
  writerChosen: gesture({ writer: nullableField(redactedField<FoundPerson>()('person')) }),
  themeChosen: gesture({ isDark: openField<boolean>() }),
  explained: fact({ person, value: redactedField<ExplainedPerson>()('explained') }),
  explainFailed: fact({ person, failure: failureField }),
  drawn: fact({ person, value: redactedField<SignaturesAnswer>()('answered') }),
  drawFailed: fact({ person, failure: failureField }),
})

/** Downloads everything that is stored about the person. */
export const PersonExport = defineAttempt('personExport', {}, {}, { person })

/** Permanently erases the person with this `id` and `address`, once the administrator has typed the address. */
export const PersonErasure = {
  ...defineAttempt('erasure', {}, { id: person, address: person }, { person }),
  ...defineEvents('erasure', { opened: gesture({}), typed: gesture({ text }), closed: gesture({}) }),
}

/** What the administrator sets for the person by hand, or takes back. */
export const Correction = {
  ...defineAttempt('correction', {}, {}, { person }),
  ...defineEvents('correction', {
    /** The administrator opened a form or a question, or changed what is entered in it. */
    entered: gesture({ act: redactedField<HandAct>()('byHand') }),
    closed: gesture({}),
  }),
}

/** The import of a CSV file: first a dry run, then the import once the administrator confirms it. */
export const PeopleImport = defineEvents('import', {
  /** `file` is a handle to the browser's file; `name` is the file's name. */
  offered: gesture({ file: openField<Handle>(), name: text }),
  tried: fact({ result: redactedField<ImportResult>()('imported') }),
  tryFailed: fact({ failure: failureField }),
  confirmed: gesture({}),
  done: fact({ result: redactedField<ImportResult>()('imported') }),
  failed: fact({ failure: failureField }),
  /** The administrator closes the result, or discards the file. */
  closed: gesture({}),
})

/** The domains of the area People. */
export const peopleDomains = [
  People,
  UnsignedPeople,
  DepartmentsLoad,
  Thumbnail,
  OnePerson,
  PersonExport,
  PersonErasure,
  Correction,
  PeopleImport,
] as const
