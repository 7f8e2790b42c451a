/** Writes the pages that explain to a person why a server shows no page. */
import type { IncomingHttpHeaders } from 'node:http'
import { type Language, languageOf } from '../../streams/wire/languages.ts'
import { cardPage, helpdeskSection, primaryLink, type WrittenPage } from './cardPage.ts'
import { type RefusalReason, refusalTexts } from './refusalTexts.ts'

export type RefusedRequest = Readonly<{
  status: number
  headers: IncomingHttpHeaders
  /** Whether this server has a page at `/`. */
  hasHome: boolean
  /** Details for the helpdesk: the codes, and the message for programs. */
  details: readonly string[]
}>

/** The page for a refusal, in the first language that the client accepts and Signet supports. */
export function refusalPage({ status, headers, hasHome, details }: RefusedRequest): WrittenPage {
  const language = acceptedLanguage(headers['accept-language'] ?? '')
  const texts = refusalTexts[language]
  const reason = reasonOf(status)
  const { heading, what, action } = texts[reason]
  const link =
    reason === 'tooMany' || reason === 'failed'
      ? // An empty address links to this page.
        [primaryLink('', texts.again)]
      : hasHome
        ? [primaryLink('/', texts.home)]
        : []
  return cardPage({
    language,
    program: 'Signet',
    heading,
    sentences: [what, action],
    below: [...link, helpdeskSection(texts.helpdesk, details)],
  })
}

/**
 * Whether a browser requests a page to show to a person. Programs request no HTML, or send credentials, which a browser
 * does not send when a person opens an address.
 */
export const expectsHtmlPage = (headers: IncomingHttpHeaders): boolean =>
  /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(headers.accept ?? '') && headers.authorization === undefined

function reasonOf(status: number): RefusalReason {
  if (status === 404) return 'notFound'
  if (status === 405) return 'notTaken'
  if (status === 429) return 'tooMany'
  return status >= 500 ? 'failed' : 'refused'
}

/** The Signet language that an `Accept-Language` header ranks first; English if it lists none. */
function acceptedLanguage(header: string): Language {
  const ranked = header
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { language: languageOf(tag), weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
  return ranked.find(({ language }) => language !== null)?.language ?? 'en'
}
