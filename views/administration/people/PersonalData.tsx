import { useId, useState } from 'react'
import { PersonErasure, PersonExport } from '../../../streams/administration/people/events.ts'
import { mayErasePerson, type OnePersonState } from '../../../streams/administration/people/reducer.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { ExplainedPerson } from '../../../streams/organisation/rules/why.ts'
import { Button } from '../../shared/Button.tsx'
import { Confirm } from '../../shared/Confirm.tsx'
import { useGesture, useRecording } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { IfAllowed } from '../parts/NotAllowed.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import * as fieldCss from '../parts/Field.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './People.module.css'

type Shown = Readonly<{ one: OnePersonState; explained: ExplainedPerson; name: string }>

/** Lets the administrator export or erase the person's stored data. */
export function PersonalData({ one, explained, name }: Shown) {
  const t = useTexts()
  const recording = useRecording()
  const save = recording(PersonExport.requested())
  return (
    <Section title={t('people.data.title')}>
      <IfAllowed role="Signet.People">
        <p>{t('people.data.meaning')}</p>
        <div className={css['buttons']}>
          <Button look="secondary" onPress={save}>
            {t('people.data.export')}
          </Button>
          <Button look="danger" onPress={recording(PersonErasure.opened())}>
            {t('people.data.erase')}
          </Button>
        </div>
        <Answer
          status={one.saving.status}
          pending={t('load.loading')}
          success={t('people.data.exported')}
          failure={
            <Failure title="people.data.exportFailed" failure={failureOf(one.saving)} onRetry={save} />
          }
        />
        {one.typed !== null && <Question one={one} explained={explained} name={name} typed={one.typed} />}
      </IfAllowed>
    </Section>
  )
}

/** Asks for confirmation before a person is erased. The administrator must type the person's address. */
function Question({ one, explained: { person }, name, typed }: Shown & Readonly<{ typed: string }>) {
  const t = useTexts()
  const record = useGesture()
  const recording = useRecording()
  const [fieldId, wrongId] = [useId(), useId()]
  const [isWrong, setWrong] = useState(false)
  const close = recording(PersonErasure.closed())
  const erase = () => {
    setWrong(!mayErasePerson(one))
    record(PersonErasure.requested())
  }
  return (
    <Confirm
      title={t('people.data.eraseTitle', { name })}
      confirm={t('people.data.eraseConfirm')}
      cancel={t('people.data.cancel')}
      isDestructive
      onClose={close}
      onConfirm={erase}
    >
      <p>{t('people.data.eraseMeaning')}</p>
      <div className={fieldCss['field']}>
        <label htmlFor={fieldId}>
          {t('people.data.eraseType', { address: person.addresses[0] ?? person.id })}
        </label>
        <input
          id={fieldId}
          type="text"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={isWrong}
          aria-describedby={wrongId}
          value={typed}
          onChange={({ target: { value } }) => {
            setWrong(false)
            record(PersonErasure.typed({ text: value }))
          }}
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Enter' && !nativeEvent.isComposing) erase()
          }}
        />
        <p id={wrongId} role="status" className={sectionCss['status']}>
          {isWrong && t('people.data.eraseWrong')}
        </p>
      </div>
      <Answer
        status={one.erasing.status}
        pending={t('load.loading')}
        success={null}
        failure={<Failure title="people.data.eraseFailed" failure={failureOf(one.erasing)} onRetry={null} />}
      />
    </Confirm>
  )
}
