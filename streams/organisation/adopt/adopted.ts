/**
 * What adopting an existing signature gives: a template for `signet.yaml`, its pictures, and a report of what was done.
 * Nothing is guessed in silence: whatever was taken out, replaced or left open is in the report.
 */
import { count } from '../../kernel/limits.ts'
import { list, nullable, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'

/** Something that the cleaning took out, with its reason. Equal ones are one entry. */
const takenOut = object({
  /** What it is named in the html: `script`, `onclick`, `mso-yfti-irow`, `o:p`. */
  name: text,
  kind: oneOf('element', 'attribute', 'style', 'comment', 'address', 'picture', 'empty'),
  /**
   * `active`: it may run or load. `noise`: only the program that wrote it reads it. `notMail`: no mail client takes it.
   * `unreadable`: its content is none of this kind. `limit`: it is beyond a limit. `missing`: its file was not given.
   */
  reason: oneOf('active', 'noise', 'notMail', 'unreadable', 'limit', 'missing'),
  count,
})
export type TakenOut = OutOf<typeof takenOut>

/** A place in the signature that became a placeholder. */
const foundPlaceholder = object({
  /** As it stands in the template: `{{tel phone}}`. */
  placeholder: text,
  /** The text of the signature that it replaced. */
  replaced: text,
  /** The value of the person that it stands for, as the directory has it; null if no person is known. */
  value: nullable(text),
  /**
   * `same`: the text is the value. `written`: it is the value, but for spaces, case or the format of a number. `follows`:
   * it is the address of a link whose text is a placeholder. `differs`: the samples differ there, and all of their people
   * have the value. `named`: another product's name of a field.
   */
  because: oneOf('same', 'written', 'follows', 'differs', 'named'),
  /** Whether exactly one field of the person has this value. Otherwise `others` could be meant as well. */
  others: list(text),
})
export type FoundPlaceholder = OutOf<typeof foundPlaceholder>

/**
 * What only a person can decide: what the samples have at a place where they differ, another product's name, texts that
 * look personal and stayed text (`personal`), or letters that may be wrong (`encoding`).
 */
const question = object({
  kind: oneOf('differs', 'unknownName', 'differentMarkup', 'noPerson', 'personal', 'encoding'),
  texts: list(text),
})
export type Question = OutOf<typeof question>

/** Whether a question leaves texts of one person in the template, so that it is not for everyone until it is answered. */
export const isOfOnePerson = ({ kind }: Pick<Question, 'kind'>): boolean =>
  kind === 'differs' || kind === 'differentMarkup' || kind === 'personal' || kind === 'encoding'

/** A variable that the template uses and `signet.yaml` does not have yet. */
const newVariable = object({ path: text, from: text })
export type NewVariable = OutOf<typeof newVariable>

/** A picture that came with the signature. `path` is below `pictures/`: `adopted/<hash>.png`. */
const adoptedPicture = object({ path: text, base64: text })

export const adopted = object({
  /** From the name of the file. */
  name: text,
  template: text,
  pictures: list(adoptedPicture),
  /** The addresses of pictures that stay linked. */
  linked: list(text),
  takenOut: list(takenOut),
  placeholders: list(foundPlaceholder),
  questions: list(question),
  variables: list(newVariable),
  /** The addresses of the people of the samples, in their order; null for one who is not known. */
  people: list(nullable(text)),
  /** The first sample as it was, cleaned, with its pictures as `{{picture …}}`: what the template is compared with. */
  original: text,
})
export type Adopted = OutOf<typeof adopted>
