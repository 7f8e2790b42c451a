import { completeLaunchEvents, checkBeforeSending, type LaunchEffect } from '../../effects/launch/launch.ts'
import type { MissingContent } from '../../streams/launch/events.ts'
import type { Language } from '../../streams/wire/languages.ts'
import { PANE_BUTTON, truncateText } from '../engine/hosts/mailHost.ts'
import { sharedLaunchEffects } from './createLaunchStore.ts'
import type { SendAnswer } from './launchGlobal.ts'
import { launchTexts } from './launchText.ts'
import ask from './text/ask.json'

/**
 * The parts that only launch-guard.js has: the search for missing signatures and blocks before sending, and the
 * question about them.
 */
export type SendCheck = Readonly<{
  effects: Readonly<Record<string, LaunchEffect>>
  question: (missing: readonly MissingContent[], language: Language) => SendAnswer
}>

/** The longest question that Outlook accepts, in characters. */
const MAX_QUESTION = 500

/** The question before sending, which names the missing signatures and blocks. Its button opens the pane. */
export function launchQuestion(missing: readonly MissingContent[], language: Language): SendAnswer {
  const line = ask[language === 'pt-BR' ? 'pt' : language]
  const names = missing.map(({ name }) => name).join(', ')
  const room = MAX_QUESTION - line.length
  const shown = truncateText(names, room)
  return {
    allowEvent: false,
    errorMessage: line.replace('{{names}}', () => shown),
    cancelLabel: launchTexts[language].open,
    commandId: PANE_BUTTON,
    sendModeOverride: 'promptUser',
  }
}

/** Checks a message before it is sent. No effect writes into the message's text or calls the service. */
export const lookBeforeSending: SendCheck = {
  effects: { ...sharedLaunchEffects, look: checkBeforeSending, complete: completeLaunchEvents },
  question: launchQuestion,
}
