import type { OnePersonState } from '../../../streams/administration/people/reducer.ts'
import { correctionsOf } from '../../../streams/organisation/facts/corrections.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import { ownProperty } from '../../../streams/organisation/release/selectors.ts'
import type { ExplainedPerson } from '../../../streams/organisation/rules/why.ts'
import { useHasRole } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { Section } from '../parts/Section.tsx'
import type { Term } from '../parts/Terms.tsx'
import { originText } from '../text/byHand.ts'
import { fieldName } from '../text/fieldName.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import type { FormatDay } from '../text/why.ts'
import { SignatureActs, TakeBack } from './Correcting.tsx'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

/**
 * Who a value is from, unless the directory itself says it and nothing stands above. If something does, also what the
 * directory says.
 */
export function sourceLines(
  { person }: ExplainedPerson,
  { field = null, source = null }: ExplainedPerson['details'][number],
  t: Translate,
  dayText: FormatDay,
): Term[1][] {
  const { fields, supplement, under } = correctionsOf(person)
  const set = field === null ? undefined : ownProperty(fields, field)
  const added = field === null ? undefined : ownProperty(supplement, field)
  const said = field === null ? undefined : ownProperty(under, field)
  const lines = (): readonly string[] => {
    switch (source) {
      case null:
      case 'directory':
        return []
      case 'person':
      case 'release':
        return [t(`people.hand.${source}`)]
      case 'administrator':
        return set ? [t('people.hand.corrected', originText(set, t, dayText))] : []
      case 'file':
        return added ? [t('people.hand.file', { name: added.by, day: dayText(dayOf(added.at)) })] : []
    }
  }
  const directory =
    source === null || said === undefined
      ? []
      : [t('people.hand.directorySays', { value: said || t('people.one.noValue') })]
  const quiet = (text: string) => <span className={textCss['quiet']}>{text}</span>
  return [...lines(), ...directory].map(quiet)
}

/** What an administrator set for the person besides shown values, and the ways to set it. */
export function SetByHand({ one, explained }: { one: OnePersonState; explained: ExplainedPerson }) {
  const t = useTexts()
  const dayText = useDayText()
  const mayCorrect = useHasRole('Signet.People')
  const { person, details, signatures, labels, unused = [] } = explained
  const { fields, excluded, pinned } = correctionsOf(person)
  const shown = new Set(details.flatMap(({ field }) => field ?? []))
  const others = Object.entries(fields).filter(([field]) => !shown.has(field))
  const isNothing = others.length === 0 && !excluded && !pinned
  if (isNothing && !(mayCorrect && person.active)) return null
  const name = signatures.find(({ isPinned }) => isPinned)?.name
  return (
    <Section title={t('people.hand.title')}>
      {isNothing ? (
        <p className={textCss['quiet']}>{t('people.hand.nothing')}</p>
      ) : (
        <ul className={sectionCss['lines']}>
          {excluded && (
            <li className={css['line']}>
              <span>{t('people.hand.excluded', originText(excluded, t, dayText))}</span>
              <TakeBack explained={explained} target={{ kind: 'excluded' }} />
            </li>
          )}
          {pinned && (
            <li className={css['line']}>
              <span>
                {t('people.hand.pinned', {
                  name: name ?? pinned.signature,
                  ...originText(pinned, t, dayText),
                })}
                {name === undefined && person.active && <> {t('people.hand.notPublished')}</>}
              </span>
              <TakeBack explained={explained} target={{ kind: 'pinned' }} />
            </li>
          )}
          {others.map(([field, set]) => (
            <li key={field} className={css['line']}>
              <span>
                {t('people.hand.other', {
                  field: fieldName(field, labels, t),
                  value: set.value || t('people.one.noValue'),
                  ...originText(set, t, dayText),
                })}
                {unused.includes(field) && <> {t('people.hand.unused')}</>}
              </span>
              <TakeBack explained={explained} target={{ kind: 'value', field }} />
            </li>
          ))}
        </ul>
      )}
      {mayCorrect && <SignatureActs one={one} explained={explained} />}
    </Section>
  )
}
