import {
  correctionsOf,
  UNTIL_CHANGED,
  UNTIL_REMOVED,
} from '../../../streams/organisation/facts/corrections.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import { ownProperty } from '../../../streams/organisation/release/selectors.ts'
import type { ExplainedPerson } from '../../../streams/organisation/rules/why.ts'
import { useDayText } from '../parts/formats.ts'
import { Section } from '../parts/Section.tsx'
import type { Term } from '../parts/Terms.tsx'
import { fieldName } from '../text/fieldName.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'

type FormatDay = (day: string) => string

const untilText = (until: string, t: Translate, dayText: FormatDay): string => {
  if (until === UNTIL_REMOVED) return t('people.hand.untilRemoved')
  return until === UNTIL_CHANGED
    ? t('people.hand.untilChanged')
    : t('people.hand.untilDay', { day: dayText(until) })
}

/** Who a value is from and, if something stands above the directory, what the directory says. */
export function sourceLines(
  { person }: ExplainedPerson,
  { field = null, source = null }: ExplainedPerson['details'][number],
  t: Translate,
  dayText: FormatDay,
): Term[1][] {
  if (source === null) return []
  const quiet = (text: string) => <span className={textCss['quiet']}>{text}</span>
  const { fields, supplement, under } = correctionsOf(person)
  const set = field === null ? undefined : ownProperty(fields, field)
  const added = field === null ? undefined : ownProperty(supplement, field)
  const said = field === null ? undefined : ownProperty(under, field)
  const above = set
    ? t('people.hand.corrected', {
        by: set.by,
        day: dayText(dayOf(set.at)),
        until: untilText(set.until, t, dayText),
      })
    : added && t('people.hand.file', { name: added.by, day: dayText(dayOf(added.at)) })
  return [
    quiet(
      source === 'administrator' || source === 'file'
        ? (above ?? t('people.hand.directory'))
        : t(`people.hand.${source}`),
    ),
    ...(said === undefined
      ? []
      : [
          quiet(
            t('people.hand.directorySays', {
              value: said === null || said === '' ? t('people.one.noValue') : said,
            }),
          ),
        ]),
  ]
}

/** What an administrator set for the person besides shown values; nothing if that is nothing. */
export function SetByHand({ explained }: { explained: ExplainedPerson }) {
  const t = useTexts()
  const dayText = useDayText()
  const { person, details, signatures, labels, unused = [] } = explained
  const { fields, excluded, pinned } = correctionsOf(person)
  const shown = new Set(details.flatMap(({ field }) => field ?? []))
  const others = Object.entries(fields).filter(([field]) => !shown.has(field))
  if (others.length === 0 && !excluded && !pinned) return null
  const origin = ({ by, at, until }: Readonly<{ by: string; at: number; until: string }>) => ({
    by,
    day: dayText(dayOf(at)),
    until: untilText(until, t, dayText),
  })
  const name = signatures.find(({ isPinned }) => isPinned)?.name
  return (
    <Section title={t('people.hand.title')}>
      <ul className={sectionCss['lines']}>
        {excluded && <li>{t('people.hand.excluded', origin(excluded))}</li>}
        {pinned && (
          <li>
            {t('people.hand.pinned', { name: name ?? pinned.signature, ...origin(pinned) })}
            {name === undefined && person.active && <> {t('people.hand.notPublished')}</>}
          </li>
        )}
        {others.map(([field, set]) => (
          <li key={field}>
            {t('people.hand.other', { field: fieldName(field, labels, t), value: set.value, ...origin(set) })}
            {unused.includes(field) && <> {t('people.hand.unused')}</>}
          </li>
        ))}
      </ul>
    </Section>
  )
}
