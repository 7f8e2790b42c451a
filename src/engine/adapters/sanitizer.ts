import createDOMPurify from 'dompurify'
import { isReadable } from '../../../streams/html/limits.ts'
import type { Sanitize } from '../../../streams/html/plan.ts'
import {
  ATTRIBUTES,
  cleanValue,
  INERT_IN_PREVIEW,
  isAnchorName,
  pictureWriter,
  TAGS,
} from '../../../streams/html/markup.ts'
import { cleanStyleSheet } from '../../../streams/html/styles.ts'
import { textOf, withAllowedElements } from './elements.ts'
import { cleanComment, MAX_COMMENTS } from '../../../streams/html/wordMarkup.ts'

/**
 * How often a signature is sanitised until nothing changes any more. The second time changes nothing, unless elements
 * were nested as no parser nests them. What changes even then is reduced to its text.
 */
const MOST_PASSES = 5

const ALLOWED: ReadonlySet<string> = new Set(ATTRIBUTES)

const CONFIG = {
  // DOMPurify also judges the body around the signature. If it were not allowed, DOMPurify would copy all of its content.
  ALLOWED_TAGS: [...TAGS, '#comment', 'body'],
  ALLOWED_ATTR: [...ATTRIBUTES, 'id', 'name'],
  // The hook judges every value. DOMPurify's own check would remove `bgcolor` and texts with a colon.
  ADD_URI_SAFE_ATTR: [...ATTRIBUTES],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  FORCE_BODY: true,
}

/**
 * A sanitiser with its own DOMPurify instance, so that hooks of other code do not affect it. Whatever it changes, it
 * changes in the tree, and its result is read again until nothing changes: what was checked is what is used. The result
 * is empty for html that is not readable (`isReadable`).
 */
export function createSanitizer(window: Window & typeof globalThis): Sanitize {
  const purifier = createDOMPurify(window)
  const inert = window.document.implementation.createHTMLDocument('')
  let profile: 'preview' | 'insert' = 'insert'
  let writePicture = pictureWriter(undefined)
  let comments = 0
  /** The content of the comment that DOMPurify looks at. */
  let comment: string | null = null
  /** The ids that links of the signature name; null until one is needed. */
  let anchors: ReadonlySet<string> | null = null

  /** Whether a link of the signature leads to this id: any other would only name something for scripts of a mail client. */
  const isAnchor = ({ ownerDocument }: Element, id: string): boolean => {
    if (!isAnchorName(id)) return false
    anchors ??= new Set(
      Array.from(ownerDocument.querySelectorAll('a[href^="#"]'), (link) =>
        (link.getAttribute('href') ?? '').slice(1),
      ),
    )
    return anchors.has(id)
  }

  purifier.addHook('uponSanitizeAttribute', (element, data) => {
    const { attrName: name } = data
    if (name === 'id' || (name === 'name' && element.nodeName === 'A')) {
      data.keepAttr = isAnchor(element, data.attrValue)
      return
    }
    const isAllowed = ALLOWED.has(name) && !(profile === 'preview' && INERT_IN_PREVIEW.has(name))
    const value = isAllowed ? cleanValue(name, data.attrValue, writePicture) : null
    data.keepAttr = value !== null
    data.attrValue = value ?? ''
  })
  purifier.addHook('uponSanitizeElement', (node, { tagName }) => {
    comment = null
    if (tagName === 'style') node.textContent = cleanStyleSheet(node.textContent ?? '', writePicture)
    if (tagName !== '#comment') return
    if (profile === 'insert' && comments < MAX_COMMENTS)
      comment = cleanComment(node.nodeValue ?? '', writePicture)
    if (comment === null) {
      node.parentNode?.removeChild(node)
      return
    }
    comments++
    // DOMPurify treats a comment with markup as an attack, and keeps an empty one.
    node.nodeValue = ''
  })
  purifier.addHook('afterSanitizeElements', (node) => {
    if (comment !== null) node.nodeValue = comment
    comment = null
  })

  const pass = (html: string): string => {
    comments = 0
    anchors = null
    return purifier.sanitize(html, CONFIG)
  }

  return (html, wanted, replacePicture) => {
    if (!isReadable(html)) return ''
    profile = wanted
    writePicture = pictureWriter(replacePicture)
    let clean = pass(withAllowedElements(html, inert))
    writePicture = pictureWriter(undefined)
    for (let passes = 1; passes < MOST_PASSES; passes++) {
      const again = pass(clean)
      if (again === clean) return clean
      clean = again
    }
    return textOf(clean, inert)
  }
}
