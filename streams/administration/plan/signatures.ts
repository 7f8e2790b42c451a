/** Edits of a draft's signatures: their rules, their order, new and removed ones. */
import {
  isAddress,
  isAddressPattern,
  isDay,
  isDomain,
  isLanguage,
  isText,
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
import { areaOf } from '../place/areas.ts'
import { withoutTemplatesOf } from './draft.ts'
import { changed, fileOf, freePath, hasId, moved, newId } from './items.ts'

/** `meeting` of null removes the version for meetings. */
export type SignatureChanges = Partial<Omit<Signature, 'id' | 'meeting'>> &
  Readonly<{ meeting?: string | null }>

const AT_SIGNATURE = /^\/signatures\/id\/([a-z0-9_]+)$/

/** The path of the page about a signature. */
export const signaturePath = (id: string): string => `/signatures/id/${id}`

/** The signature in a path such as `/signatures/id/standard`; null when the path names none. */
export const signatureAt = (path: string): string | null => AT_SIGNATURE.exec(path)?.[1] ?? null

/** The page of all files of the draft. */
export const FILES_PATH = '/signatures/files'

/** The page of the file that has the rules of all signatures. */
export const RULES_FILE_PATH = `${FILES_PATH}/${SIGNET_FILE}`

export const isRulesFile = (path: string): boolean => path === RULES_FILE_PATH

/** The pages that show the draft. */
export const showsDraft = (path: string): boolean => ['signatures', 'plan'].includes(areaOf(path) ?? '')

/** The document with these signatures; the same reference when it has them already. */
const withSignatures = (document: ReleaseDocument, signatures: readonly Signature[]): ReleaseDocument =>
  signatures === document.signatures ? document : { ...document, signatures }

/** The document after changes of one signature; the same reference when nothing changes. */
export const withSignature = (
  document: ReleaseDocument,
  id: string,
  changes: SignatureChanges,
): ReleaseDocument => {
  const { meeting, ...rest } = changes
  const signatures = changed(document.signatures, id, { ...rest, ...(meeting && { meeting }) })
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

/** The document with the signature at the index `to`; the same reference when the signature is there already. */
export function withOrder(document: ReleaseDocument, id: string, to: number): ReleaseDocument {
  const signature = document.signatures.find((each) => each.id === id)
  return signature ? withSignatures(document, moved(document.signatures, signature, to)) : document
}

/** An id for a signature of this name that no signature of the document has. */
export const newSignatureId = ({ signatures }: ReleaseDocument, name: string): string =>
  newId(name, new Set(signatures.map(({ id }) => id)))

/**
 * The document with a new signature, which is the last one; the same reference when a signature has this id already.
 *
 * @param like the signature whose templates and rules are copied; null begins with a short template, for everyone
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
    const path = freePath(`templates/${fileOf(id)}${use}`, 'html', Object.keys(templates))
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

/** The document without a signature, and without the templates that only this signature used. Parts stay. */
export function withoutSignature(document: ReleaseDocument, id: string): ReleaseDocument {
  const removed = document.signatures.find((signature) => signature.id === id)
  if (removed === undefined) return document
  const signatures = document.signatures.filter((signature) => signature !== removed)
  return withoutTemplatesOf(removed, { ...document, signatures })
}

/** The paths of all templates that can be a version of a signature: those that are no parts, sorted. */
export const templateChoices = ({ templates }: ReleaseDocument): readonly string[] =>
  Object.keys(templates)
    .filter((path) => partName(path) === null)
    .sort()

/** The lines of a text field as the values of a condition or of recipients. */
export const linesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/\r\n|\r|\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

/** The problem of a form field's text; null when a release can have it. `value` is the first wrong line. */
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

/** What the lines of a field are. */
export type LinesOf = Extract<Condition, { values: unknown }>['by'] | 'domain'

const CHECKS: Readonly<Record<LinesOf, Check>> = {
  group: { code: 'text', holds: isText },
  person: { code: 'address', holds: isAddress },
  address: { code: 'pattern', holds: isAddressPattern },
  field: { code: 'text', holds: isText },
  language: { code: 'language', holds: isLanguage },
  domain: { code: 'domain', holds: isDomain },
}

/** The first problem of the lines of a field; null when each of them can be in a release. */
export function linesProblem(by: LinesOf, lines: readonly string[]): FieldProblem | null {
  if (lines.length === 0) return { code: 'empty' }
  const { code, holds } = CHECKS[by]
  const wrong = lines.find((line) => !holds(line))
  return wrong === undefined ? null : { code, value: wrong }
}

/** The problem of the name of a field of the directory; null when a condition can have it. */
export const directoryFieldProblem = (
  name: string,
  isOne: (name: string) => boolean = isValueField,
): FieldProblem | null => {
  if (name === '') return { code: 'empty' }
  return isOne(name) ? null : { code: 'directoryField', value: name }
}

export const dayProblem = (day: string): FieldProblem | null => (isDay(day) ? null : { code: 'day' })

/** Whether a period has at least a moment: its days and its time zone exist, and it ends after its beginning. */
export const isPeriod = (period: Period): boolean => {
  const window = windowOf(period)
  return window !== null && window.opens < window.closes
}
