import { toLinkAddress, toPictureAddress } from './address.ts'
import type { ReplacePicture } from './plan.ts'
import { type WritePicture, cleanDeclarations } from './styles.ts'
import { nameSet } from './tokens.ts'

// The allow-list for signatures. It allows no scripts, and it prevents the other risks of mail, too: overlays, forms,
// tracking by style, UNC paths that leak a password hash, links with attachments.

export const TAGS = nameSet(
  'a abbr address b big blockquote br caption center cite code col colgroup dd del div dl dt em figcaption figure ' +
    'font h1 h2 h3 h4 h5 h6 hr i img ins li ol p pre q s small span strike strong style sub sup table tbody td tfoot ' +
    'th thead tr tt u ul',
)

export const ATTRIBUTES = nameSet(
  'abbr align alt aria-hidden aria-label background bgcolor border cellpadding cellspacing cite class clear color ' +
    'colspan dir face headers height href hspace lang noshade nowrap role rowspan rules scope size span src start style ' +
    'summary title type valign value vspace width',
)

/** Elements that are removed with their content, because the content is no text for a reader. */
export const WITHOUT_CONTENT = nameSet(
  'applet audio canvas datalist embed frameset iframe math noembed noframes noscript object plaintext script ' +
    'select svg template textarea title video xmp',
)

/** Attributes that a preview removes, so that a click does not leave the pane. */
export const INERT_IN_PREVIEW = nameSet('href title')

/** An id that a link can name. Its digit or hyphen keeps scripts from taking it for a property of the document. */
const ANCHOR = /^(?=.*[-\d])[a-z][\w-]{0,63}$/i
/** Ids that mail clients give to their own parts of a message, and prefixes that mail clients add to other ids. */
const OF_MAIL_CLIENTS =
  /^(?:x_|gmail|yahoo|moz-|ms-outlook|mail-editor|olk|signet|reply|divrply|divtag|appendonsend|isforwardcontent|_?mailautosig|_?mailend|signature$)/i

/** Whether an element may have this id, if a link of the signature leads to the element. */
export const isAnchorName = (id: string): boolean => ANCHOR.test(id) && !OF_MAIL_CLIENTS.test(id)

/** The allowed values of attributes. Other values could change how a screen reader reads the rest of the message. */
const VALUES: ReadonlyMap<string, readonly string[]> = new Map([
  ['role', ['presentation', 'none', 'img']],
  ['aria-hidden', ['true', 'false']],
])

/** Makes a function that writes the address of a picture, or of its replacement. Both addresses are checked. */
export const pictureWriter =
  (replace: ReplacePicture | undefined): WritePicture =>
  (address) => {
    const allowed = toPictureAddress(address)
    const replacement = allowed === null ? null : (replace?.(allowed) ?? null)
    return replacement === null ? allowed : toPictureAddress(replacement)
  }

/** The value of an allowed attribute as it may be written; null when it is not allowed. `name` is in lower case. */
export function cleanValue(name: string, value: string, writePicture: WritePicture): string | null {
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
