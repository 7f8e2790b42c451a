import { useState } from 'react'
import {
  CARD_CHOICES,
  type CardChoice,
  type CardFilter,
  isFiltering,
  NO_FILTER,
} from '../../../streams/administration/plan/cardFilter.ts'
import { Button } from '../../shared/Button.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Signatures.module.css'

/**
 * Searches and filters the cards, and shows how many are left.
 *
 * @param found the number of cards that the filter leaves, of `of`
 * @param knowsDefaults whether the filter can find signatures that are nobody's default
 */
export function Filter({
  filter,
  found,
  of,
  knowsDefaults,
  onFilter,
}: {
  filter: CardFilter
  found: number
  of: number
  knowsDefaults: boolean
  onFilter: (filter: CardFilter) => void
}) {
  const t = useTexts()
  const [text, setText] = useState(filter.text)
  const status = !isFiltering(filter) ? 'all' : found === 0 ? 'none' : 'found'
  const change = (changes: Partial<CardFilter>) => {
    const after = { ...filter, text, ...changes }
    setText(after.text)
    onFilter(after)
  }
  return (
    <section className={css['filter']} aria-label={t('signatures.filter.search')}>
      <div className={css['fields']}>
        <Field
          label={t('signatures.filter.search')}
          hint={t('signatures.filter.searchHint')}
          type="search"
          autoComplete="off"
          spellCheck={false}
          data-goes-on
          value={text}
          onChange={({ currentTarget: { value } }) => change({ text: value })}
        />
        <ChoiceField
          label={t('signatures.filter.show')}
          value={filter.show}
          options={CARD_CHOICES.filter((choice) => choice !== 'nobody' || knowsDefaults).map((choice) => [
            choice,
            t(`signatures.filter.choice.${choice}`),
          ])}
          onChange={({ currentTarget: { value } }) => change({ show: value as CardChoice })}
        />
      </div>
      <div className={css['found']}>
        <p role="status">{t(`signatures.filter.${status}`, { found, of })}</p>
        {status !== 'all' && (
          <Button look="secondary" onPress={() => change(NO_FILTER)}>
            {t('signatures.filter.showAll')}
          </Button>
        )}
      </div>
    </section>
  )
}
