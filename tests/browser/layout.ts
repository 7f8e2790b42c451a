import type { Page } from 'playwright-core'

/** How often a problem is looked for again: a page that was resized draws its previews again, a frame or more later. */
const LOOKS_AGAIN = 10

/**
 * The visible layout problems of a page that stay: a page or part that scrolls sideways, text that is cut off without an
 * ellipsis, that is outside of the pane, that overlaps other text, and words broken in headings and labels.
 */
export async function layoutFindings(page: Page): Promise<readonly string[]> {
  let found = await findingsNow(page)
  for (let again = 0; found.length > 0 && again < LOOKS_AGAIN; again++) {
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))))
    found = await findingsNow(page)
  }
  return found
}

const findingsNow = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    type Box = Readonly<{ left: number; right: number; top: number; bottom: number }>
    type Seen = Readonly<{ element: Element; says: string; boxes: readonly Box[] }>
    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth)
      found.push(`the page is ${scrollWidth} wide where there are ${clientWidth}`)

    // Leaves out the content behind a dialog.
    const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    const styles = new Map<Element, CSSStyleDeclaration>()
    const styleOf = (element: Element) => {
      const known = styles.get(element) ?? getComputedStyle(element)
      styles.set(element, known)
      return known
    }
    const above = (element: Element): readonly Element[] => {
      const chain: Element[] = []
      for (let at: Element | null = element; at; at = at.parentElement) chain.push(at)
      return chain
    }
    /** Hidden, or for screen readers only: one pixel, clipped. */
    const isUnseen = (element: Element) =>
      !element.checkVisibility() || above(element).some((each) => styleOf(each).clipPath === 'inset(50%)')
    const clips = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll'

    /** The parts of the boxes that are visible in the vertically scrolled ancestors, and beside what is cut off. */
    const inSight = (element: Element, boxes: readonly DOMRect[]): readonly Box[] => {
      const framed = (frames: (style: CSSStyleDeclaration) => boolean) =>
        above(element)
          .filter((each) => frames(styleOf(each)))
          .map((each) => each.getBoundingClientRect())
      const high = framed(({ overflowY }) => scrolls(overflowY))
      const wide = framed(({ overflowX }) => clips(overflowX))
      return boxes
        .map(({ left, right, top, bottom }) => ({
          left: Math.max(left, ...wide.map((frame) => frame.left)),
          right: Math.min(right, ...wide.map((frame) => frame.right)),
          top: Math.max(top, ...high.map((frame) => frame.top)),
          bottom: Math.min(bottom, ...high.map((frame) => frame.bottom)),
        }))
        .filter((box) => box.bottom > box.top && box.right > box.left)
    }

    const pen = document.createElement('canvas').getContext('2d')
    const widthOf = (says: string, element: Element) => {
      if (!pen) throw new Error('There is no canvas to measure with')
      pen.font = styleOf(element).font
      return pen.measureText(says).width
    }
    /** The width of a line of the element's text. */
    const lineOf = (element: Element) => {
      const block = above(element).find((each) => !/^(?:inline|contents)$/.test(styleOf(each).display))
      if (!block) return Infinity
      const { paddingLeft, paddingRight } = styleOf(block)
      return block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    }
    /** Headings and labels have room for each of their words, unless 20 letters fill the pane. */
    const isLabel = (element: Element) =>
      element.closest('h1, h2, h3, button, a, label') !== null &&
      window.matchMedia('(min-width: 20em)').matches
    const nameOf = (element: Element) => `${element.tagName} ${element.className}`.trim()

    /** In a row of links that scrolls sideways: the focus and a finger reach each. */
    const slides = (element: Element) =>
      above(element).some((each) => each.matches('nav') && scrolls(styleOf(each).overflowX))

    /** Or a named part that the keyboard reaches, such as a picture at its real size. */
    const isMeantToSlide = (element: Element) =>
      slides(element) ||
      (element instanceof HTMLElement && element.tabIndex === 0 && element.ariaLabel !== null)

    const seen: Seen[] = []
    const words = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
    for (let node = words.nextNode(); node; node = words.nextNode()) {
      const says = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (says === '' || !element || ['OPTION', 'SCRIPT', 'STYLE'].includes(element.tagName)) continue
      if (isUnseen(element)) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
      seen.push({ element, says, boxes: inSight(element, boxes) })
      const [left, right, top, bottom] = [
        Math.min(...boxes.map((box) => box.left)),
        Math.max(...boxes.map((box) => box.right)),
        Math.min(...boxes.map((box) => box.top)),
        Math.max(...boxes.map((box) => box.bottom)),
      ]
      // Addresses break, and so does what people wrote.
      if (styleOf(element).overflowWrap !== 'anywhere')
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s\-–—/]{2,}/gu)) {
          if (/@|[.?=&_:]\w/.test(word)) continue
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)))
          if (lines.size > 1 && (isLabel(element) || widthOf(word, element) <= lineOf(element)))
            found.push(`the word “${word}” is broken in ${nameOf(element)}`)
        }
      let isCutWell = false
      for (const each of above(element)) {
        const { overflowX, overflowY, textOverflow } = styleOf(each)
        const box = each.getBoundingClientRect()
        if (clips(overflowX) && (right > box.right + 1 || left < box.left - 1)) {
          if (textOverflow === 'ellipsis' || each.hasAttribute('title')) isCutWell = true
          else found.push(`“${says}” is cut off at its side`)
        }
        if (clips(overflowY) && (bottom > box.bottom + 2 || top < box.top - 2))
          found.push(`“${says}” is cut off above or below`)
      }
      if (!isCutWell && !slides(element) && (right > clientWidth + 1 || left < -1))
        found.push(`“${says}” stands outside of the pane`)
    }

    for (const element of scope.querySelectorAll('*')) {
      const { overflowX } = styleOf(element)
      if (scrolls(overflowX) && element.scrollWidth > element.clientWidth && !isMeantToSlide(element))
        found.push(`${element.tagName} ${element.getAttribute('aria-label') ?? ''} scrolls sideways`)
      if (isUnseen(element)) continue
      if (element instanceof HTMLInputElement && element.value === '')
        if (
          widthOf(element.placeholder, element) > element.clientWidth &&
          // The accessible name says all of it.
          !(styleOf(element).textOverflow === 'ellipsis' && element.ariaLabel === element.placeholder)
        )
          found.push(`the placeholder “${element.placeholder}” is cut off`)
      if (element instanceof HTMLSelectElement) {
        const says = element.selectedOptions[0]?.text ?? ''
        if (widthOf(says, element) > element.clientWidth - 24) found.push(`“${says}” is cut off in its box`)
      }
      if (!element.matches('button, a, input, select, summary')) continue
      const says = element.getAttribute('aria-label') ?? element.textContent.trim()
      const box = element.getBoundingClientRect()
      seen.push({ element, says, boxes: inSight(element, [box]) })
      if (!slides(element) && (box.right > clientWidth + 1 || box.left < -1))
        found.push(`“${says}” reaches out of the pane`)
    }

    // A menu, unfolded folders, the list of a combobox, what the account shows, the bar with what hangs from it, the footer,
    // and what says that it is over the page may cover other content.
    const layerOf = (element: Element) =>
      element.closest(
        '[data-over], [role="menu"], nav [aria-expanded="true"] + ul, :has([role="combobox"]) + [role="listbox"], footer [role="group"], footer, [data-sticky]:not([data-sticky="false"])',
      )
    const isOver = (one: Box, other: Box) => {
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
      const least = Math.min(one.bottom - one.top, other.bottom - other.top)
      return width > 2 && height > least * 0.4
    }
    seen.forEach((one, index) => {
      for (const other of seen.slice(index + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue
        if (layerOf(one.element) !== layerOf(other.element)) continue
        if (one.boxes.some((box) => other.boxes.some((each) => isOver(box, each))))
          found.push(`“${one.says}” and “${other.says}” stand on top of each other`)
      }
    })
    return found
  })
