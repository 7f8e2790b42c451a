import { toLinkAddress, toPictureAddress } from './address.ts'
import type { ReplacePicture } from './plan.ts'
import { type WritePicture, cleanDeclarations } from './styles.ts'
import { nameSet } from './tokens.ts'

// The allow-list for signatures. It blocks scripts and the other risks of mail: overlays, forms, tracking by style, UNC
// paths that leak a password hash, links with attachments.

export const ALLOWED_TAGS = nameSet(
  'a abbr address b big blockquote br caption center cite code col colgroup dd del div dl dt em figcaption figure ' +
    'font h1 h2 h3 h4 h5 h6 hr i img ins li ol p pre q s small span strike strong style sub sup table tbody td tfoot ' +
    'th thead tr tt u ul',
)

export const ALLOWED_ATTRIBUTES = nameSet(
  'abbr align alt aria-hidden aria-label background bgcolor border cellpadding cellspacing cite class clear color ' +
    'colspan dir face headers height href hspace lang noshade nowrap role rowspan rules scope size span src start style ' +
    'summary title type valign value vspace width',
)

/** Elements that are removed with their content, because the content is not readable text. */
export const TAGS_REMOVED_WITH_CONTENT = nameSet(
  'applet audio canvas datalist embed frameset iframe math noembed noframes noscript object plaintext script ' +
    'select svg template textarea title video xmp',
)

/** Attributes that previews remove, so that a click stays in the pane. */
export const ATTRIBUTES_REMOVED_IN_PREVIEW = nameSet('href title')

/**
 * An id that a link can target. It must have a digit or a hyphen, so that it cannot be the name of a document property.
 */
const ANCHOR = /^(?=.*[-\d])[a-z][\w-]{0,63}$/i
/** Ids of the mail clients' own parts of a message, and prefixes that mail clients add to other ids. */
const OF_MAIL_CLIENTS =
  /^(?:x_|gmail|yahoo|moz-|ms-outlook|mail-editor|olk|signet|reply|divrply|divtag|appendonsend|isforwardcontent|_?mailautosig|_?mailend|signature$)/i

/** Whether an element may keep this id as the target of a link in the signature. */
export const isAnchorName = (id: string): boolean => ANCHOR.test(id) && !OF_MAIL_CLIENTS.test(id)

/**
 * The allowed values of some attributes. Other values could change how a screen reader reads the rest of the message.
 */
const VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['role', ['presentation', 'none', 'img']],
  ['aria-hidden', ['true', 'false']],
])

/** Creates a function that writes the address of a picture or of its replacement. It checks both addresses. */
export const pictureWriter =
  (replace: ReplacePicture | undefined): WritePicture =>
  (address) => {
    const allowed = toPictureAddress(address)
    const replacement = allowed === null ? null : (replace?.(allowed) ?? null)
    return replacement === null ? allowed : toPictureAddress(replacement)
  }

/** The safe form of an allowed attribute's value; null if the value is not allowed. `name` is in lower case. */
export function cleanAttributeValue(name: string, value: string, writePicture: WritePicture): string | null {
  switch (name) {
    case 'href':
    case 'cite':
      return toLinkAddress(value)
    case 'src':
    case 'background':
      return writePicture(value)
    case 'style':
      return cleanDeclarations(value, writePicture).trim() || null
    default: {
      const values = VALUES.get(name)
      return values && !values.includes(value.trim().toLowerCase()) ? null : value
    }
  }
}
