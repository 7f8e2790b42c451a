import { useState } from 'react'
import { Dialog } from '../../shared/Dialog.tsx'
import { Field } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import { type Choice, Choices } from './Choices.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as planCss from './Plan.module.css'
import * as css from './Workbench.module.css'

/** A dialog that offers variables. It begins in its search, where Enter takes the first one that is found. */
export function SearchDialog<Value>({
  title,
  choices,
  onChoose,
  onClose,
}: {
  title: string
  choices: readonly Choice<Value>[]
  onChoose: (value: Value) => void
  onClose: () => void
}) {
  const t = useTexts()
  const [search, setSearch] = useState('')
  const words = search.trim().toLocaleLowerCase()
  const found = choices.filter(({ key, text, detail = '' }) =>
    `${key}\n${text}\n${detail}`.toLocaleLowerCase().includes(words),
  )
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        const [first] = found
        if (first) onChoose(first.value)
      }}
    >
      <div className={stack['gapS']}>
        <Field
          label={t('plan.palette.search')}
          type="search"
          autoComplete="off"
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
          onKeyDown={(event) => {
            // Chromium would only clear the search.
            if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onClose()
          }}
        />
        <div className={css['found']}>
          <p role="status" className={planCss['quiet']}>
            {t('plan.palette.found', { count: found.length })}
          </p>
          <Choices label={t('plan.palette.fields')} choices={found} onChoose={onChoose} />
        </div>
      </div>
    </Dialog>
  )
}
