import type { LaunchNotice } from '../../streams/launch/record.ts'
import type { Language } from '../../streams/wire/languages.ts'
import { isPhone } from '../engine/hosts/mailHost.ts'
import de from './text/de.json'
import en from './text/en.json'
import es from './text/es.json'
import fr from './text/fr.json'
import it from './text/it.json'
import nl from './text/nl.json'
import pt from './text/pt.json'

/** Portugal and Brazil share their texts, because this file is loaded with each message and must be small. */
export const launchTexts: Readonly<Record<Language, typeof en>> = { de, en, es, fr, it, nl, pt, 'pt-BR': pt }

/** The text of a notice and of its button. On phones, a notice has no button, because there is no pane to open. */
export function launchText(
  notice: LaunchNotice,
  language: Language,
  platform: string | null,
): Readonly<{ text: string; button: string }> {
  const { open, choose, replyVersion, ...lines } = launchTexts[language]
  switch (notice.kind) {
    case 'signInNeeded':
      return { text: lines.signInNeeded, button: open }
    case 'offline':
      return { text: isPhone(platform) ? lines.offlineOnPhone : lines.offline, button: open }
    case 'notInserted': {
      const { signature, reply } = notice
      const name = reply ? `${signature} (${replyVersion})` : signature
      return { text: lines.notInserted.replace('{{name}}', () => name), button: open }
    }
    case 'otherSender':
      return { text: lines.otherSender.replace('{{address}}', () => notice.address), button: choose }
  }
}
