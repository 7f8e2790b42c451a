import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launchText } from '../../src/launch/launchText.ts'
import { launchQuestion } from '../../src/launch/lookBeforeSending.ts'
import type { LaunchNotice } from '../../streams/launch/record.ts'
import { languages } from '../../streams/wire/languages.ts'

const FOLDER = join(import.meta.dirname, '../../src/launch/text')
/** Outlook's limits; a longer text is cut by the host, a longer button is refused. */
const NOTICE_CHARACTERS = 150
const BUTTON_CHARACTERS = 30
const QUESTION_CHARACTERS = 500
const QUESTION_BUTTON_CHARACTERS = 20
const NAME = 'Northwind Traders, campaigns with a long name for a region €'
const ADDRESS = 'the.shared.mailbox.of.the.sales.department@northwind.example'
const PLATFORMS = ['PC', 'Mac', 'OfficeOnline', 'iOS', 'Android', null] as const

type Kind = LaunchNotice['kind']
const NOTICES: Readonly<Record<Kind, LaunchNotice>> = {
  signInNeeded: { kind: 'signInNeeded' },
  offline: { kind: 'offline' },
  notInserted: { kind: 'notInserted', signature: NAME, reply: false },
  otherSender: { kind: 'otherSender', address: ADDRESS },
}
const OF_REPLY: LaunchNotice = { kind: 'notInserted', signature: NAME, reply: true }
const notices = [...Object.values(NOTICES), OF_REPLY]

const fileOf = (language: string) => language.split('-')[0] ?? language
const textsOf = (language: string) =>
  JSON.parse(readFileSync(join(FOLDER, `${fileOf(language)}.json`), 'utf8')) as Record<string, string>
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
const english = textsOf('en')
const questions = JSON.parse(readFileSync(join(FOLDER, 'ask.json'), 'utf8')) as Record<string, string>

it('the test names are as long as they may be', () => {
  expect([NAME.length, ADDRESS.length]).toEqual([60, 60])
})

it('the texts of launch events are there in the languages of the pane, one Portuguese for all, and in no other', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(
    ['ask.json', ...new Set(languages.map((language) => `${fileOf(language)}.json`))].toSorted(),
  )
  expect(Object.keys(questions).toSorted()).toEqual([...new Set(languages.map(fileOf))].toSorted())
})

describe.each(languages)('the texts of launch events in %s', (language) => {
  const texts = textsOf(language)

  it('have the keys and placeholders of English', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(english).toSorted())
    for (const [key, text] of Object.entries(texts)) {
      expect(placeholders(text), key).toEqual(placeholders(english[key] ?? ''))
      expect(text.trim(), key).not.toBe('')
    }
  })

  it('fit into a notice and its button, with the longest name and address', () => {
    for (const notice of notices)
      for (const platform of PLATFORMS) {
        const { text, button } = launchText(notice, language, platform)
        expect(text.length, text).toBeLessThanOrEqual(NOTICE_CHARACTERS)
        expect(button.length, button).toBeLessThanOrEqual(BUTTON_CHARACTERS)
        expect(placeholders(text + button), text).toEqual([])
      }
  })

  it('are all shown, each by its notice', () => {
    const { replyVersion = '', ...shownAlone } = texts
    const named = (name: string) =>
      Object.values(shownAlone).map((text) => text.replace('{{name}}', name).replace('{{address}}', ADDRESS))
    const filled = new Set([...named(NAME), ...named(`${NAME} (${replyVersion})`)])
    const shown = notices.flatMap((notice) =>
      PLATFORMS.flatMap((platform) => Object.values(launchText(notice, language, platform))),
    )
    expect([...new Set(shown)].toSorted()).toEqual([...filled].toSorted())
  })

  it('[MEET-6] ask about what is missing by its name, within the limits of Outlook', () => {
    const smiles = '😀'.repeat(300)
    for (const names of [
      ['Standard'],
      ['Standard', '{{names}}', '$&'],
      Array<string>(20).fill(NAME),
      // Characters of two code units, at both parities: none is cut in half.
      [smiles],
      [`a${smiles}`],
    ]) {
      const question = launchQuestion(
        names.map((name) => ({ kind: 'block', name })),
        language,
      )
      if (question.allowEvent) return expect.fail('no question')
      const { errorMessage, cancelLabel, ...others } = question
      expect(errorMessage.length).toBeLessThanOrEqual(QUESTION_CHARACTERS)
      expect(() => encodeURIComponent(errorMessage)).not.toThrow()
      expect(cancelLabel.length).toBeLessThanOrEqual(QUESTION_BUTTON_CHARACTERS)
      expect(cancelLabel).toBe(texts['open'])
      expect(others).toEqual({
        allowEvent: false,
        commandId: 'signet.open11',
        sendModeOverride: 'promptUser',
      })
      const [before = '', after = ''] = questions[fileOf(language)]?.split('{{names}}') ?? []
      expect([errorMessage.startsWith(before), errorMessage.endsWith(after)]).toEqual([true, true])
      const shown = errorMessage.slice(before.length, errorMessage.length - after.length)
      const all = names.join(', ')
      const isWhole = before.length + all.length + after.length <= QUESTION_CHARACTERS
      expect(shown).toBe(isWhole ? all : `${all.slice(0, shown.length - 1)}…`)
      expect(shown.length).toBeGreaterThan(isWhole ? 0 : 400)
    }
  })

  it('[AUTO-17] name no pane on a phone, which has none', () => {
    for (const notice of notices)
      for (const platform of ['iOS', 'Android'])
        expect(launchText(notice, language, platform).text).not.toContain(texts['open'])
    expect(launchText(NOTICES.offline, language, 'iOS').text).not.toBe(
      launchText(NOTICES.offline, language, 'PC').text,
    )
  })
})

it('a name is shown as it is, also where it looks like a placeholder or a pattern', () => {
  for (const name of ['$&', "$'$`", '{{name}}', '{{address}}', ''])
    for (const reply of [false, true])
      expect(launchText({ kind: 'notInserted', signature: name, reply }, 'en', 'PC').text).toBe(
        `“${name}${reply ? ' (reply version)' : ''}” could not be put in.`,
      )
})

it('each notice has the button of what can be done about it', () => {
  const buttons = notices.map((notice) => [notice.kind, launchText(notice, 'en', 'PC').button])
  expect(Object.fromEntries(buttons)).toEqual({
    signInNeeded: 'Open Signet',
    offline: 'Open Signet',
    notInserted: 'Open Signet',
    otherSender: 'Choose',
  })
})
