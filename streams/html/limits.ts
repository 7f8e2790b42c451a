// Limits that are checked before parsing. Html that exceeds a limit is not parsed.

/**
 * The maximum length of html to read, in characters. Outlook accepts less, but cleaning removes most of a signature
 * from Word.
 */
export const MAX_HTML_CHARACTERS = 200_000

/** Outlook's size limit for a signature, in characters. */
export const MAX_SIGNATURE_CHARACTERS = 30_000

/**
 * The maximum number of tags in html. More tags exceed Outlook's limit, and browsers parse thousands of open elements
 * slowly.
 */
export const MAX_TAGS = 10_000

function countTags(html: string): number {
  let tags = 0
  for (let index = html.indexOf('<'); index >= 0; index = html.indexOf('<', index + 1))
    if (/[a-z/]/i.test(html[index + 1] ?? '')) tags++
  return tags
}

/** Whether html is within the limits for characters and tags. Other html is not read. */
export const isWithinHtmlLimits = (html: string): boolean =>
  html.length <= MAX_HTML_CHARACTERS && countTags(html) <= MAX_TAGS
