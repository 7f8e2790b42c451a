import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { Look } from './storyPages.ts'

/** The rules whose result depends on the colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * The findings of axe-core, which the page has loaded, including its opt-in rule for the size of targets. Apart from
 * the light look only those about colours: the others do not depend on the look.
 */
export const axeFindings = (page: Page, look: Look): Promise<readonly string[]> =>
  page.evaluate(
    async (rules) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe
      const { violations } = await run(document, {
        iframes: false,
        elementRef: true,
        resultTypes: ['violations'],
        rules: { 'target-size': { enabled: true } },
        ...(rules && { runOnly: { type: 'rule', values: rules } }),
      })
      // A target that a bar at the bottom covers in part has its full size once the user scrolls to it.
      const bars = [...document.querySelectorAll('footer, body *')].filter((element) => {
        const { position } = getComputedStyle(element)
        const { top, bottom } = element.getBoundingClientRect()
        const isAtBottom = bottom >= innerHeight - 1 && top > innerHeight / 2
        return element.matches('footer') || (isAtBottom && (position === 'sticky' || position === 'fixed'))
      })
      const isUnderBar = (element: Element | undefined) =>
        element !== undefined &&
        bars.some(
          (bar) =>
            !bar.contains(element) &&
            element.getBoundingClientRect().bottom > bar.getBoundingClientRect().top,
        )
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .filter(({ element }) => id !== 'target-size' || !isUnderBar(element))
          .map(({ html }) => `${id}: ${html.slice(0, 200)}`),
      )
    },
    look === 'light' ? null : COLOUR_RULES,
  )
