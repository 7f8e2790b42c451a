/** Turns existing signatures into a template: the person's values become placeholders. */
import { type Formats, PLAIN_FORMATS } from '../template/formats.ts'
import type { Variable } from '../release/release.ts'
import type { PersonState } from '../facts/state.ts'
import type { AdoptedTemplate, FoundPlaceholder, AdoptQuestion } from './adopted.ts'
import { type FoundValue, findValues } from './finding.ts'
import { lineConditionsOf } from './lines.ts'
import { meaningsOf, namingMeanings } from './meanings.ts'
import { personalTexts, unreplacedTexts } from './personal.ts'
import { type ReadHtml, readHtml } from './reading.ts'
import { compareSamples } from './samples.ts'
import { valueIndexOf } from './values.ts'
import { placeholderOf, writeTemplate } from './writing.ts'

/**
 * A cleaned sample. In `html`, pictures are already `{{picture adopted/<hash>.png}}`, and all other braces are
 * unchanged. Character references are numeric or have names that `decodeReferences` knows; any others count as text.
 */
export type CleanSample = Readonly<{ html: string; person: PersonState | null }>

/**
 * A derived template, and its report. `stayed` has the unreplaced texts, in which other people's values are then looked
 * up.
 */
export type FoundTemplate = Pick<AdoptedTemplate, 'template' | 'placeholders' | 'questions' | 'variables'> &
  Readonly<{ stayed: readonly string[] }>

/**
 * Derives a template from the first sample. All other text stays byte for byte, except that braces become character
 * references so that they form no placeholder. With several samples, a text becomes a placeholder where it is a value
 * of every known person.
 *
 * Rendered for the first sample's person, the template looks like the sample, except for values with `because:
 * 'written'`.
 *
 * @param variables the document's variables; a used field without a variable gets a new one
 * @param formats the value formats of the programs that render the template
 */
export function deriveTemplate(
  samples: readonly CleanSample[],
  variables: readonly Variable[],
  formats: Formats = PLAIN_FORMATS,
): FoundTemplate {
  const people = [...new Set(samples.flatMap(({ person }) => person ?? []))]
  const meanings = meaningsOf(variables, people)
  const naming = namingMeanings(variables)
  const valuesByPerson = new Map(
    people.map((person) => {
      const country = meanings.countryOf(person)
      const phone = (text: string) => formats.phone(text, country)
      const tel = (text: string) => formats.tel(text, country)?.number ?? null
      return [person, valueIndexOf(meanings, person, { phone, tel })]
    }),
  )
  const unknown = new Set<string>()
  const read = samples.map(({ html, person }) => {
    const of = readHtml(html)
    const values = person === null ? null : (valuesByPerson.get(person) ?? null)
    const findings = findValues(of, values, meanings)
    for (const name of findings.unknown) unknown.add(name)
    return { read: of, person, found: findings.found }
  })
  const [first] = read
  if (!first) return { template: '', placeholders: [], questions: [], variables: [], stayed: [] }

  const alone = first.found.filter(({ isWeak }) => !isWeak)
  const agreed = read.length === 1 ? { found: alone, questions: [] } : compareSamples(read)
  const { found, questions } = agreed ?? {
    found: alone,
    questions: [{ kind: 'differentMarkup' as const, texts: [] }],
  }
  const asked: AdoptQuestion[] = [...questions]
  if (unknown.size > 0) asked.push({ kind: 'unknownName', texts: [...unknown] })
  if (people.length === 0 && found.length === 0) asked.push({ kind: 'noPerson', texts: [] })

  // A text that several people share is not personal.
  const areCompared = agreed !== null && people.length > 1 && samples.every(({ person }) => person !== null)
  const personal = areCompared ? [] : personalTexts(first.read, found, people)
  if (personal.length > 0) asked.push({ kind: 'personal', texts: [...personal] })

  const followed = following(first.read, found)
  const places = found.map((each) => ({ ...each, path: naming.pathOf(meaningOf(each)) }))
  const placeholders = places.map((each, index): FoundPlaceholder => {
    const [meaning, ...others] = each.meanings
    const value = meaning && first.person ? meanings.valueOf(meaning, first.person) : ''
    return {
      placeholder: placeholderOf(each),
      replaced: each.replaced,
      value: value === '' ? null : value,
      because: followed.has(index) ? 'follows' : each.because,
      others: others.map(({ path, from }) => path ?? from ?? ''),
    }
  })
  const conditions = lineConditionsOf(
    first.read,
    places.map(({ start, end, path, meanings: [meaning] }) => ({
      start,
      end,
      path,
      mayBeEmpty: meaning?.mayBeEmpty ?? false,
    })),
  )
  return {
    template: writeTemplate(first.read, places, conditions),
    placeholders,
    questions: asked,
    variables: naming.added,
    stayed: unreplacedTexts(first.read, found),
  }
}

const NO_MEANING = { path: '', from: null, mayBeEmpty: false, rank: 0 }
const meaningOf = ({ meanings: [first] }: FoundValue) => first ?? NO_MEANING

/** Finds the link addresses whose link text is a placeholder for the same value, as indexes. */
function following({ tokens }: ReadHtml, found: readonly FoundValue[]): ReadonlySet<number> {
  const indexes = new Set<number>()
  let next = 0
  let address: number | null = null
  for (const token of tokens) {
    if ((token.kind === 'open' || token.kind === 'close') && token.name === 'a') address = null
    for (let each = found[next]; each && each.start < token.end; each = found[++next]) {
      if (each.attribute === 'href') address = next
      else if (each.attribute === null && address !== null) {
        const link = found[address]
        if (link && meaningOf(link) === meaningOf(each)) indexes.add(address)
      }
    }
  }
  return indexes
}
