/** Edits of a draft's signatures: their rules, their order, new and removed ones. */
import {
  isAddress,
  isAddressPattern,
  isDomain,
  isField,
  isText,
  CONDITIONS,
} from '../../organisation/names.ts'
import { SIGNET_FILE } from '../../organisation/paths.ts'
import {
  type Condition,
  partName,
  type Period,
  type ReleaseDocument,
  type Signature,
} from '../../organisation/release.ts'
import { plainSignature, shortTemplate } from '../../organisation/firstRelease.ts'
import { windowOf } from '../../organisation/rules.ts'
import { variableNames } from '../../organisation/selectors.ts'
import { areaOf } from '../place/areas.ts'
import { usesOf } from './draft.ts'

export type SignatureChanges = Partial<Omit<Signature, 'id'>>

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

/** The document after changes of one signature; the same reference when nothing changes. */
export function withSignature(
  document: ReleaseDocument,
  id: string,
  changes: SignatureChanges,
): ReleaseDocument {
  const before = document.signatures.find((signature) => signature.id === id)
  if (before === undefined) return document
  const after = { ...before, ...changes }
  if (JSON.stringify(after) === JSON.stringify(before)) return document
  return {
    ...document,
    signatures: document.signatures.map((signature) => (signature === before ? after : signature)),
  }
}

/** The items with one of them at the index `to`, or at the nearest end; the same reference when it is there already. */
export function moved<Item>(items: readonly Item[], item: Item, to: number): readonly Item[] {
  const from = items.indexOf(item)
  const place = Math.max(0, Math.min(items.length - 1, to))
  if (from < 0 || from === place) return items
  const others = items.filter((each) => each !== item)
  return [...others.slice(0, place), item, ...others.slice(place)]
}

/** The document with the signature at the index `to`; the same reference when the signature is there already. */
export function withOrder(document: ReleaseDocument, id: string, to: number): ReleaseDocument {
  const signature = document.signatures.find((each) => each.id === id)
  const signatures = signature ? moved(document.signatures, signature, to) : document.signatures
  return signatures === document.signatures ? document : { ...document, signatures }
}

/** An id has at most 60 characters. The last ones are left for a number. */
const MAX_ID_STEM = 50

/** An id of this name that is not taken. A name without a letter from a to z, or a digit, gives `otherwise`. */
export function newId(name: string, taken: ReadonlySet<string>, otherwise = 'signature'): string {
  const letters = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  const id = letters.slice(0, MAX_ID_STEM) || otherwise
  return firstFree(id, (number) => `${id}_${String(number)}`, taken)
}

/** `first`, or the first of `other(2)`, `other(3)`, … that is not taken. */
export function firstFree(
  first: string,
  other: (number: number) => string,
  taken: ReadonlySet<string>,
): string {
  let free = first
  for (let number = 2; taken.has(free); number += 1) free = other(number)
  return free
}

/**
 * The document with a new signature, which is the last one.
 *
 * @param like the signature whose templates and rules are copied; null begins with a short template, for everyone
 */
export function withNewSignature(
  document: ReleaseDocument,
  name: string,
  like: string | null,
): Readonly<{ document: ReleaseDocument; id: string }> {
  const id = newId(name, new Set(document.signatures.map((signature) => signature.id)))
  const copied = document.signatures.find((signature) => signature.id === like)
  const templates: Record<string, string> = { ...document.templates }
  const written = (use: string, text: string): string => {
    const base = `templates/${id.replaceAll('_', '-')}${use}`
    const taken = new Set(Object.keys(templates).map((path) => path.toLowerCase()))
    const path = firstFree(`${base}.html`, (number) => `${base}-${String(number)}.html`, taken)
    templates[path] = text
    return path
  }
  const copy = (use: string, path: string | null): string | null =>
    path === null ? null : written(use, document.templates[path] ?? '')
  const signature: Signature = copied
    ? {
        ...copied,
        ...{ id, name, template: written('', document.templates[copied.template] ?? '') },
        ...{ reply: copy('-reply', copied.reply), mobile: copy('-mobile', copied.mobile) },
      }
    : plainSignature(id, name, written('', shortTemplate(variableNames(document))))
  return { id, document: { ...document, signatures: [...document.signatures, signature], templates } }
}

/** The document without a signature, and without the templates that only this signature used. Parts stay. */
export function withoutSignature(document: ReleaseDocument, id: string): ReleaseDocument {
  const removed = document.signatures.find((signature) => signature.id === id)
  if (removed === undefined) return document
  const signatures = document.signatures.filter((signature) => signature !== removed)
  const used = new Set([
    ...signatures.flatMap(usesOf),
    ...(document.blocks ?? []).map(({ template }) => template),
  ])
  const dropped = new Set(usesOf(removed).filter((path) => !used.has(path)))
  return {
    ...document,
    signatures,
    templates: Object.fromEntries(Object.entries(document.templates).filter(([path]) => !dropped.has(path))),
  }
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

/** What is wrong with what a form's field has; null when it can be in a release. `value` is the first wrong line. */
export type FieldProblem =
  | Readonly<{ code: 'empty' }>
  | Readonly<{ code: 'address' | 'pattern' | 'domain' | 'text' | 'directoryField'; value: string }>

type Check = Readonly<{ code: 'address' | 'pattern' | 'domain' | 'text'; holds: (line: string) => boolean }>

const CHECKS: Readonly<Record<Condition['by'] | 'domain', Check>> = {
  group: { code: 'text', holds: isText },
  person: { code: 'address', holds: isAddress },
  address: { code: 'pattern', holds: isAddressPattern },
  field: { code: 'text', holds: isText },
  domain: { code: 'domain', holds: isDomain },
}

/** The first problem of the lines of a field; null when each of them can be in a release. */
export function linesProblem(by: Condition['by'] | 'domain', lines: readonly string[]): FieldProblem | null {
  if (lines.length === 0) return { code: 'empty' }
  const { code, holds } = CHECKS[by]
  const wrong = lines.find((line) => !holds(line))
  return wrong === undefined ? null : { code, value: wrong }
}

/** The problem of the name of a field of the directory; null when a condition can have it. */
export const directoryFieldProblem = (name: string): FieldProblem | null => {
  if (name === '') return { code: 'empty' }
  const isFree = isField(name) && !(CONDITIONS as readonly string[]).includes(name)
  return isFree ? null : { code: 'directoryField', value: name }
}

/** Whether a period has at least a moment: its days and its time zone exist, and it ends after its beginning. */
export const isPeriod = (period: Period): boolean => {
  const window = windowOf(period)
  return window !== null && window.opens < window.closes
}
