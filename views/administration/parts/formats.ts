import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOfDates } from '../../shared/dates.ts'
import { middleOfDay } from '../../../streams/administration/people/rules.ts'

/**
 * Formats in the administrator's language, for the browser's region and time zone. Times are milliseconds since 1970.
 */
export type LocaleFormats = Readonly<{
  count: (number: number) => string
  moment: (at: number) => string
  day: (at: number) => string
  /** The day in UTC. */
  utcDay: (at: number) => string
}>

export function useFormats(): LocaleFormats {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  return useMemo(() => {
    const numbers = new Intl.NumberFormat(language)
    const dates = localeOfDates(language)
    const moments = new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeStyle: 'short' })
    const days = new Intl.DateTimeFormat(dates, { dateStyle: 'medium' })
    const utcDays = new Intl.DateTimeFormat(dates, { dateStyle: 'medium', timeZone: 'UTC' })
    return {
      count: (number) => numbers.format(number),
      moment: (at) => moments.format(at),
      day: (at) => days.format(at),
      utcDay: (at) => utcDays.format(at),
    }
  }, [language])
}

const DAY_LOOKS = {
  whole: { dateStyle: 'long' },
  dayAndMonth: { day: 'numeric', month: 'short' },
  month: { month: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

/**
 * Returns a function that formats a day such as `2026-10-01` in the administrator's language, for the browser's region.
 * The day is the same in every time zone.
 */
export function useDayText(look: keyof typeof DAY_LOOKS = 'whole'): (day: string) => string {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  return useMemo(() => {
    const days = new Intl.DateTimeFormat(localeOfDates(language), { ...DAY_LOOKS[look], timeZone: 'UTC' })
    return (day) => {
      const moment = middleOfDay(day, 'UTC')
      return moment === null ? day : days.format(moment)
    }
  }, [language, look])
}
