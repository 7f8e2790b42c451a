/** Reads a mail from a file: an `.eml`, or the html of a mail. */
import { readFile, stat } from 'node:fs/promises'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { Stop, stopAfter } from './terminal.ts'

/** A mail that is read. `at` is when it was sent, in milliseconds since 1970; null when the file does not say it. */
export type Mail = Readonly<{
  /** Null for a mail that has a text only. */
  html: string | null
  at: number | null
  isReply: boolean
  /** The domains of the recipients, in lower case, each once. */
  domains: readonly string[]
}>

const MAX_FILE_BYTES = 50 * 1024 * 1024
/** How many parts may be in each other, and how large the headers of all parts may be together. */
const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 0 } as const
/** The most characters of the html that are read. */
export const MAX_HTML_CHARACTERS = 5_000_000

/** @throws Stop with a sentence for a file that is too large, of another kind, or no mail */
export async function readMail(file: string): Promise<Mail> {
  const { size } = await stat(file).catch(stopAfter(`${file} cannot be read: `))
  if (size > MAX_FILE_BYTES) throw new Stop(`${file} is larger than ${MAX_FILE_BYTES} bytes.`)
  const bytes = await readFile(file).catch(stopAfter(`${file} cannot be read: `))
  if (/\.html?$/i.test(file))
    return withinLimits(file, {
      html: new TextDecoder().decode(bytes),
      at: null,
      isReply: false,
      domains: [],
    })
  if (!/\.eml$/i.test(file)) throw new Stop(`${file} is neither an .eml file nor the .html of a mail.`)
  const email = await PostalMime.parse(bytes, LIMITS).catch(
    stopAfter(`${file} cannot be read as a mail: `, 'it is damaged, or has too many parts'),
  )
  return withinLimits(file, mailOf(email))
}

function withinLimits(file: string, mail: Mail): Mail {
  if ((mail.html?.length ?? 0) <= MAX_HTML_CHARACTERS) return mail
  throw new Stop(`The html of ${file} is longer than ${MAX_HTML_CHARACTERS} characters.`)
}

function mailOf({ html, date, inReplyTo, references, to = [], cc = [], bcc = [] }: Email): Mail {
  const sent = Date.parse(date ?? '')
  return {
    html: html ?? null,
    at: Number.isNaN(sent) || sent < 0 ? null : sent,
    isReply: (inReplyTo ?? references ?? '') !== '',
    domains: [...new Set([...to, ...cc, ...bcc].flatMap(domainsOf))],
  }
}

const domainsOf = (address: Address): readonly string[] =>
  (address.group ?? [address]).flatMap((one) => {
    const at = one.address.lastIndexOf('@')
    return at < 0 ? [] : [one.address.slice(at + 1).toLowerCase()]
  })
