import { expect, test } from 'vitest'
import {
  fromDateField,
  fullDate,
  meetingDate,
  meetingTime,
  nextHalfHour,
  shortDate,
  toDateField,
} from '../../../src/playground/mailClient/when.ts'

/** In the time zone of the system, as the page shows it. */
const at = (year: number, month: number, day: number, hour = 9, minute = 5) =>
  new Date(year, month - 1, day, hour, minute).getTime()
const now = at(2026, 11, 20, 16, 30)
/** Some versions of the data of languages put narrow spaces into times. */
const plain = (text: string) => text.replace(/\s/gu, ' ')

test.each([
  ['today', at(2026, 11, 20), 'en', '9:05 AM'],
  ['today', at(2026, 11, 20), 'de', '09:05'],
  ['just after midnight', at(2026, 11, 20, 0, 1), 'fr', '00:01'],
  ['just before midnight', at(2026, 11, 19, 23, 59), 'de', 'Do 23:59'],
  ['yesterday', at(2026, 11, 19, 23, 59), 'pt-BR', 'qui. 23:59'],
  ['six days ago', at(2026, 11, 14), 'en', 'Sat 9:05 AM'],
  ['a week ago', at(2026, 11, 13), 'en', 'Nov 13'],
  ['a week ago', at(2026, 11, 13), 'de', '13. Nov.'],
  ['in another year', at(2025, 12, 31), 'en', 'Dec 31, 2025'],
  ['tomorrow, by another clock', at(2026, 11, 21), 'en', 'Nov 21'],
])('a message that came %s (%d) has in the language %s the date %j', (_, date, language, expected) => {
  expect(plain(shortDate(date, now, language))).toBe(expected)
})

test.each([
  ['en', /^Friday, November 20, 2026\W.*9:05 AM$/],
  ['de', /^Freitag, 20\. November 2026\W.*09:05$/],
  ['nl', /^vrijdag 20 november 2026\W.*09:05$/],
])('the open message shows the whole date in %s', (language, expected) => {
  expect(plain(fullDate(at(2026, 11, 20), language))).toMatch(expected)
})

test('a new meeting begins with the next half hour, and lasts half an hour', () => {
  expect(nextHalfHour(at(2026, 11, 20, 16, 29))).toEqual({
    start: at(2026, 11, 20, 16, 30),
    end: at(2026, 11, 20, 17, 0),
  })
  expect(nextHalfHour(at(2026, 11, 20, 16, 30)).start).toBe(at(2026, 11, 20, 17, 0))
})

test('the list shows the day of a meeting, and of a series the weekday; the open meeting shows both ends', () => {
  const when = { start: at(2026, 11, 23, 10, 0), end: at(2026, 11, 23, 11, 30) }
  expect(plain(meetingDate(when, 'en'))).toBe('Mon, Nov 23, 10:00 AM')
  expect(plain(meetingDate({ ...when, isWeekly: true }, 'de'))).toMatch(/^Mo\.?, 10:00$/)
  expect(plain(meetingTime(when, 'en'))).toMatch(/^Monday, November 23, 2026\W.*10:00 . 11:30 AM$/)
})

test('a field of date and time gives back the time that it shows', () => {
  for (const time of [at(2026, 1, 31, 0, 0), at(2026, 7, 1, 23, 59)])
    expect(fromDateField(toDateField(time))).toBe(time)
  expect(toDateField(at(2026, 7, 1, 9, 5))).toBe('2026-07-01T09:05')
  expect(fromDateField('')).toBeNull()
})
