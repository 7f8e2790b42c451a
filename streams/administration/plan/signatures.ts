/** Edits a draft's signatures: their rules, their order, additions and removals. */
import type { ThreadPlace } from '../../html/slots.ts'
import {
  isAddress,
  isAddressPattern,
  isDay,
  isListName,
  isRecipient,
  isLanguageTag,
  isStorableText,
  isValueField,
} from '../../organisation/release/names.ts'
import { SIGNET_FILE } from '../../organisation/release/paths.ts'
import {
  type Condition,
  partName,
  type Period,
  type ReleaseDocument,
  type Signature,
} from '../../organisation/release/release.ts'
import { plainSignature, shortTemplate } from '../../organisation/release/firstRelease.ts'
import { windowOf } from '../../organisation/rules/rules.ts'
import { variableNames } from '../../organisation/release/selectors.ts'
import { planAt } from '../approving/rules.ts'
import { areaOf } from '../place/areas.ts'
import { withoutTemplatesOf } from './draft.ts'
import {
  withChangedItem,
  fileBaseName,
  freePath,
  hasId,
  withMovedItem,
  newItemId,
  withoutThread,
} from './items.ts'

/** `meeting: null` removes the meeting version, `thread: null` the place in threads. */
export type SignatureChanges = Partial<Omit<Signature, 'id' | 'meeting' | 'thread'>> &
  Readonly<{ meeting?: string | null; thread?: ThreadPlace | null }>

const AT_SIGNATURE = /^\/signatures\/id\/([a-z0-9_]+)$/

/** The path of a signature's page. */
export const signaturePath = (id: string): string => `/signatures/id/${id}`

/** The signature in a path such as `/signatures/id/standard`; null for other paths. */
export const signatureAt = (path: string): string | null => AT_SIGNATURE.exec(path)?.[1] ?? null

/** The path of the page with all files of the draft. */
export const DRAFT_FILES_PATH = '/signatures/files'

/** The path of the page with the rules file of all signatures. */
export const RULES_FILE_PATH = `${DRAFT_FILES_PATH}/${SIGNET_FILE}`

export const isRulesFilePath = (path: string): boolean => path === RULES_FILE_PATH

/** Whether the page at a path shows the draft. The page of a stored plan does not. */
export const showsDraft = (path: string): boolean =>
  ['signatures', 'blocks', 'plan'].includes(areaOf(path) ?? '') && planAt(path) === null

/** Replaces the document's signatures; the same reference if they are equal. */
const withSignatures = (document: ReleaseDocument, signatures: readonly Signature[]): ReleaseDocument =>
  signatures === document.signatures ? document : { ...document, signatures }

/** Changes one signature; the same reference if nothing changes. */
export const withSignature = (
  document: ReleaseDocument,
  id: string,
  changes: SignatureChanges,
): ReleaseDocument => {
  const { meeting, thread, ...rest } = changes
  const changed = withChangedItem(document.signatures, id, {
    ...rest,
    ...(meeting && { meeting }),
    ...(thread && { thread }),
  })
  const signatures = thread === null ? withoutThread(changed, id) : changed
  const isRemoved = (each: Signature) => meeting === null && each.id === id && each.meeting !== undefined
  if (!signatures.some(isRemoved)) return withSignatures(document, signatures)
  return withSignatures(
    document,
    signatures.map((each) => {
      const { meeting: _, ...others } = each
      return isRemoved(each) ? others : each
    }),
  )
}

/** Moves a signature to the index `to`; the same reference if it is already there. */
export function withSignatureOrder(document: ReleaseDocument, id: string, to: number): ReleaseDocument {
  const signature = document.signatures.find((each) => each.id === id)
  return signature ? withSignatures(document, withMovedItem(document.signatures, signature, to)) : document
}

/** A new signature id made from this name, unique in the document. */
export const newSignatureId = ({ signatures }: ReleaseDocument, name: string): string =>
  newItemId(name, new Set(signatures.map(({ id }) => id)))

/**
 * Adds a new signature at the end; the same reference if its id exists already.
 *
 * @param like the signature whose templates and rules are copied; null for a signature with a short template, for
 * everyone
 */
export function withNewSignature(
  document: ReleaseDocument,
  id: string,
  name: string,
  like: string | null,
): ReleaseDocument {
  if (hasId(document.signatures, id)) return document
  const copied = document.signatures.find((signature) => signature.id === like)
  const templates: Record<string, string> = { ...document.templates }
  const written = (use: string, text: string): string => {
    const path = freePath(`templates/${fileBaseName(id)}${use}`, 'html', Object.keys(templates))
    templates[path] = text
    return path
  }
  const copy = (use: string, path: string | null): string | null =>
    path === null ? null : written(use, document.templates[path] ?? '')
  const signature: Signature = copied
    ? {
        ...copied,
        id,
        name,
        template: written('', document.templates[copied.template] ?? ''),
        reply: copy('-reply', copied.reply),
        mobile: copy('-mobile', copied.mobile),
        ...(copied.meeting !== undefined && {
          meeting: written('-meeting', document.templates[copied.meeting] ?? ''),
        }),
      }
    : plainSignature(id, name, written('', shortTemplate(variableNames(document))))
  return { ...document, signatures: [...document.signatures, signature], templates }
}

/** Removes a signature and the templates that only this signature used. Keeps parts. */
export function withoutSignature(document: ReleaseDocument, id: string): ReleaseDocument {
  const removed = document.signatures.find((signature) => signature.id === id)
  if (removed === undefined) return document
  const signatures = document.signatures.filter((signature) => signature !== removed)
  return withoutTemplatesOf(removed, { ...document, signatures })
}

/** The sorted paths of all templates except parts: a signature can use each as a version. */
export const templateChoices = ({ templates }: ReleaseDocument): readonly string[] =>
  Object.keys(templates)
    .filter((path) => partName(path) === null)
    .sort()

/** Splits a text field into the values of a condition or of recipients: one per line, trimmed, without duplicates. */
export const valueLinesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** The problem of a form field; null if a release accepts the text. `value` is the first invalid line. */
export type FieldProblem =
  | Readonly<{ code: 'empty' }>
  | Readonly<{ code: 'day' }>
  | Readonly<{
      code: 'address' | 'pattern' | 'domain' | 'language' | 'text' | 'directoryField'
      value: string
    }>

type Check = Readonly<{
  code: 'address' | 'pattern' | 'domain' | 'language' | 'text'
  holds: (line: string) => boolean
}>

/** The kind of values that a field's lines contain. */
export type LineKind = Extract<Condition, { values: unknown }>['by'] | 'domain'

const CHECKS: Readonly<Record<LineKind, Check>> = {
  group: { code: 'text', holds: isStorableText },
  person: { code: 'address', holds: isAddress },
  address: { code: 'pattern', holds: isAddressPattern },
  field: { code: 'text', holds: isStorableText },
  language: { code: 'language', holds: isLanguageTag },
  domain: { code: 'domain', holds: (line) => isRecipient(line) || isListName(line) },
}

/** The first problem in a field's lines; null if a release accepts all of them. */
export function linesProblem(by: LineKind, lines: readonly string[]): FieldProblem | null {
  if (lines.length === 0) return { code: 'empty' }
  const { code, holds } = CHECKS[by]
  const wrong = lines.find((line) => !holds(line))
  return wrong === undefined ? null : { code, value: wrong }
}

/** The problem of a directory field's name; null if a condition accepts the name. */
export const directoryFieldProblem = (
  name: string,
  isOne: (name: string) => boolean = isValueField,
): FieldProblem | null => {
  if (name === '') return { code: 'empty' }
  return isOne(name) ? null : { code: 'directoryField', value: name }
}

export const dayProblem = (day: string): FieldProblem | null => (isDay(day) ? null : { code: 'day' })

/** Whether a period is valid: its days and time zone exist, and it ends after it begins. */
export const isValidPeriod = (period: Period): boolean => {
  const window = windowOf(period)
  return window !== null && window.opens < window.closes
}
