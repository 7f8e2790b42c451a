/**
 * The result of adopting an existing signature: a template for `signet.yaml`, its pictures, and a report. The report
 * lists everything that was removed, replaced or left open.
 */
import { count } from '../../kernel/limits.ts'
import { list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'

/** Markup that the cleaning removed, with the reason. Equal removals share one entry. */
const takenOut = object({
  /** Its name in the html: `script`, `onclick`, `mso-yfti-irow`, `o:p`. */
  name: text,
  kind: oneOf('element', 'attribute', 'style', 'comment', 'address', 'picture', 'empty'),
  /**
   * `active`: it may run or load. `noise`: only the program that wrote it reads it. `notMail`: mail clients ignore it.
   * `unreadable`: its content has another format. `limit`: it exceeds a limit. `missing`: its file was not given.
   */
  reason: oneOf('active', 'noise', 'notMail', 'unreadable', 'limit', 'missing'),
  count,
})
export type RemovedMarkup = OutOf<typeof takenOut>

/** A part of the signature that became a placeholder. */
const foundPlaceholder = object({
  /** The placeholder in the template: `{{tel phone}}`. */
  placeholder: text,
  /** The signature's text that the placeholder replaced. */
  replaced: text,
  /** The person's value as stored in the directory; null if no person is known. */
  value: nullable(text),
  /**
   * `same`: the text is the value. `written`: the text differs from the value only in spaces, case or number format.
   * `follows`: the text is the address of a link whose text is a placeholder. `differs`: the text differs between
   * samples, and each sample has its person's value. `named`: the text is another product's field name.
   */
  because: oneOf('same', 'written', 'follows', 'differs', 'named'),
  /** The other variables or fields with this value, one of which may be the right one. */
  others: list(text),
})
export type FoundPlaceholder = OutOf<typeof foundPlaceholder>

/**
 * A question that only a person can answer: about texts that differ between samples, about another product's field
 * name, about texts that stayed and look personal (`personal`), or about letters that may be wrong (`encoding`).
 */
const question = object({
  kind: oneOf('differs', 'unknownName', 'differentMarkup', 'noPerson', 'personal', 'encoding'),
  texts: list(text),
})
export type AdoptQuestion = OutOf<typeof question>

/**
 * Whether a question concerns one person's texts in the template. Until it is answered, the template does not suit
 * everyone.
 */
export const concernsOnePerson = ({ kind }: Pick<AdoptQuestion, 'kind'>): boolean =>
  kind === 'differs' || kind === 'differentMarkup' || kind === 'personal' || kind === 'encoding'

/** A variable that the template uses and `signet.yaml` lacks. */
const newVariable = object({ path: text, from: text })
export type NewVariable = OutOf<typeof newVariable>

/** A picture that came with the signature. `path` is below `pictures/`: `adopted/<hash>.png`. */
const adoptedPicture = object({ path: text, base64: text })

/**
 * A given file that is no picture of the template. `unused`: no picture has its name. `unclear`: several pictures, or
 * other files, have its name. `unreadable`: mail clients do not show its format. `limit`: it exceeds a limit.
 */
const unusedFile = object({ path: text, reason: oneOf('unused', 'unclear', 'unreadable', 'limit') })
export type UnusedFile = OutOf<typeof unusedFile>

export const adopted = object({
  /** Taken from the file name. */
  name: text,
  template: text,
  pictures: list(adoptedPicture),
  /** The addresses of pictures that remain external. */
  linked: list(text),
  unusedFiles: list(unusedFile),
  takenOut: list(takenOut),
  placeholders: list(foundPlaceholder),
  questions: list(question),
  variables: list(newVariable),
  /** The address of each sample's person, in the order of the samples; null for an unknown person. */
  people: list(nullable(text)),
  /** The first sample, cleaned, with its pictures as `{{picture …}}`: the original to compare the template with. */
  original: text,
})
export type AdoptedTemplate = OutOf<typeof adopted>
