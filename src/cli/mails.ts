/** Reads a mail from a file, either an `.eml` or the mail's html. */
import { readFile, stat } from 'node:fs/promises'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { CommandStop, stopOnError } from './terminal.ts'

/**
 * A mail from a file. `at` is the time of sending, in milliseconds since 1970; null if the file does not contain it.
 */
export type Mail = Readonly<{
  /** Null for a plain-text mail. */
  html: string | null
  at: number | null
  isReply: boolean
  /** The addresses of the recipients, in lower case and without duplicates. */
  recipients: readonly string[]
  /** The address of the person who sent it on behalf of another mailbox, in lower case; null if the mail names none. */
  sender: string | null
}>

const MAX_FILE_BYTES = 50 * 1024 * 1024
/** The limits for the nesting of parts, and for the headers of all parts together in bytes. */
const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 0 } as const
/** The length limit of the html, in characters. */
export const MAX_HTML_CHARACTERS = 5_000_000

/** @throws Stop with a sentence for a file that is too large, has another type or is not a mail */
export async function readMail(file: string): Promise<Mail> {
  const { size } = await stat(file).catch(stopOnError(`${file} cannot be read: `))
  if (size > MAX_FILE_BYTES) throw new CommandStop(`${file} is larger than ${MAX_FILE_BYTES} bytes.`)
  const bytes = await readFile(file).catch(stopOnError(`${file} cannot be read: `))
  if (/\.html?$/i.test(file))
    return withinLimits(file, {
      html: new TextDecoder().decode(bytes),
      at: null,
      isReply: false,
      recipients: [],
      sender: null,
    })
  if (!/\.eml$/i.test(file)) throw new CommandStop(`${file} is neither an .eml file nor the .html of a mail.`)
  const email = await PostalMime.parse(bytes, LIMITS).catch(
    stopOnError(`${file} cannot be read as a mail: `, 'it is damaged, or has too many parts'),
  )
  return withinLimits(file, mailOf(email))
}

function withinLimits(file: string, mail: Mail): Mail {
  if ((mail.html?.length ?? 0) <= MAX_HTML_CHARACTERS) return mail
  throw new CommandStop(`The html of ${file} is longer than ${MAX_HTML_CHARACTERS} characters.`)
}

function mailOf({
  html,
  date,
  inReplyTo,
  references,
  from,
  sender,
  to = [],
  cc = [],
  bcc = [],
}: Email): Mail {
  const sent = Date.parse(date ?? '')
  const [sentBy] = sender ? addressesOf(sender) : []
  return {
    html: html ?? null,
    at: Number.isNaN(sent) || sent < 0 ? null : sent,
    isReply: (inReplyTo ?? references ?? '') !== '',
    recipients: [...new Set([...to, ...cc, ...bcc].flatMap(addressesOf))],
    sender: sentBy !== undefined && !(from && addressesOf(from).includes(sentBy)) ? sentBy : null,
  }
}

const addressesOf = (address: Address): readonly string[] =>
  (address.group ?? [address]).flatMap((one) => {
    const known = one.address.trim().toLowerCase()
    return known.includes('@') && !known.endsWith('@') ? [known] : []
  })
