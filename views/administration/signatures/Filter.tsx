import { useState } from 'react'
import {
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
 * @param choices the offered choices
 */
export function Filter({
  filter,
  found,
  of,
  choices,
  onFilter,
}: {
  filter: CardFilter
  found: number
  of: number
  choices: readonly CardChoice[]
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
        {choices.length > 1 && (
          <ChoiceField
            label={t('signatures.filter.show')}
            value={filter.show}
            options={choices.map((choice) => [choice, t(`signatures.filter.choice.${choice}`)])}
            onChange={({ currentTarget: { value } }) => change({ show: value as CardChoice })}
          />
        )}
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
