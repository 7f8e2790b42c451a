/** Decides which signatures the page of all signatures shows: a search, and a choice by their rules. */
import { type Signature, templatePathsOf } from '../../organisation/release/release.ts'
import { periodState } from '../../organisation/rules/rules.ts'

/**
 * `some`: for people who fit a rule. `now`, `later` and `over`: with a period, by its state. `nobody`: nobody has it as
 * their default.
 */
export const CARD_CHOICES = ['all', 'everyone', 'some', 'now', 'later', 'over', 'nobody'] as const
export type CardChoice = (typeof CARD_CHOICES)[number]

export type CardFilter = Readonly<{ text: string; show: CardChoice }>

export const NO_FILTER: CardFilter = { text: '', show: 'all' }

/** With at most this many signatures, the page offers no filter. */
const MAX_UNFILTERED = 6

export const isFilterOffered = (cards: readonly FilteredCard[]): boolean => cards.length > MAX_UNFILTERED

/** What the filter reads of a signature. */
export type FilteredCard = Readonly<{
  signature: Signature
  /** Describes who gets the signature, in the administrator's language. */
  whom: string
  /** How many people have it as their default; null while unknown. */
  people: number | null
}>

/** Whether it is known for each signature how many people have it as their default. */
const areDefaultsKnown = (cards: readonly FilteredCard[]): boolean =>
  cards.every(({ people }) => people !== null)

/** The part of the chosen filter that the page offers for these cards. */
export function offeredFilter(filter: CardFilter, cards: readonly FilteredCard[]): CardFilter {
  if (!isFilterOffered(cards)) return NO_FILTER
  return filter.show === 'nobody' && !areDefaultsKnown(cards) ? { ...filter, show: 'all' } : filter
}

/** A text in capitals without accents. Small letters would depend on their place in the word, such as `σ` and `ς`. */
const folded = (text: string): string =>
  text.toUpperCase().normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()

const wordsOf = (text: string): readonly string[] =>
  folded(text)
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether the filter can hide a signature. */
export const isFiltering = ({ text, show }: CardFilter): boolean => show !== 'all' || wordsOf(text).length > 0

function isChosen({ signature: { selection, during }, people }: FilteredCard, show: CardChoice, at: number) {
  switch (show) {
    case 'all':
      return true
    case 'everyone':
      return selection.for === 'everyone'
    case 'some':
      return selection.for !== 'everyone'
    case 'nobody':
      return people === 0
    case 'now':
    case 'later':
    case 'over':
      return periodState(during, at) === show
  }
}

/** The choices that leave some of the cards, but not all: `all`, these, and the chosen one. */
export const offeredChoices = (
  cards: readonly FilteredCard[],
  { show }: CardFilter,
  at: number,
): readonly CardChoice[] =>
  CARD_CHOICES.filter((choice) => {
    if (choice === 'all' || choice === show) return true
    const left = cards.filter((card) => isChosen(card, choice, at)).length
    return left > 0 && left < cards.length
  })

/**
 * The cards of a filter, in the same order. Each word of the search is in the signature's name, in the path of one of
 * its templates or in the description of whom it is for, regardless of capitals and accents.
 *
 * @param at in milliseconds since 1970
 */
export function filterCards<Card extends FilteredCard>(
  cards: readonly Card[],
  { text, show }: CardFilter,
  at: number,
): readonly Card[] {
  const words = wordsOf(text)
  return cards.filter((card) => {
    if (!isChosen(card, show, at)) return false
    if (words.length === 0) return true
    const searched = folded([card.signature.name, ...templatePathsOf(card.signature), card.whom].join('\n'))
    return words.every((word) => searched.includes(word))
  })
}
