import { complete, look, type LaunchEffect } from '../../effects/launch/launch.ts'
import type { Missing } from '../../streams/launch/events.ts'
import type { Language } from '../../streams/wire/languages.ts'
import { PANE_BUTTON } from '../engine/hosts/mailHost.ts'
import { reading } from './createLaunchStore.ts'
import type { SendAnswer } from './launchGlobal.ts'
import { texts } from './launchText.ts'
import ask from './text/ask.json'

/** What only launch-guard.js has: what looks for what is missing before a message leaves, and how it is asked about. */
export type Look = Readonly<{
  effects: Readonly<Record<string, LaunchEffect>>
  question: (missing: readonly Missing[], language: Language) => SendAnswer
}>

/** The longest question in characters. Outlook refuses a longer one. */
const MAX_QUESTION = 500

/** The question before a message leaves, which names what is missing. Its button opens the pane. */
export function launchQuestion(missing: readonly Missing[], language: Language): SendAnswer {
  const line = ask[language === 'pt-BR' ? 'pt' : language]
  const names = missing.map(({ name }) => name).join(', ')
  const room = MAX_QUESTION - line.length
  const shown = names.length > room ? `${names.slice(0, room - 1)}…` : names
  return {
    allowEvent: false,
    errorMessage: line.replace('{{names}}', () => shown),
    cancelLabel: texts[language].open,
    commandId: PANE_BUTTON,
    sendModeOverride: 'promptUser',
  }
}

/** Before a message leaves, no effect writes into it or asks the service. */
export const lookBeforeSending: Look = { effects: { ...reading, look, complete }, question: launchQuestion }
