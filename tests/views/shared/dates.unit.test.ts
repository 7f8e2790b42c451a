import { afterEach, describe, expect, test, vi } from 'vitest'
import { createTexts } from '../../../views/pane/text/texts.ts'
import german from '../../../views/pane/text/de.json'
import portuguese from '../../../views/pane/text/pt.json'

const NOON = Date.UTC(2026, 10, 29, 12)

describe('the dates in texts', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test.each([
    [['en-GB'], 'en', 'Signed in until 29/11/2026', 'until 29 Nov 2026'],
    [['en-US'], 'en', 'Signed in until 11/29/26', 'until Nov 29, 2026'],
    [['de-AT', 'en-GB', 'en-US'], 'en', 'Signed in until 29/11/2026', 'until 29 Nov 2026'],
    [['en-GB'], 'de', 'Angemeldet bis 29.11.26', 'bis 29.11.2026'],
    [['de-AT'], 'de', 'Angemeldet bis 29.11.26', 'bis 29.11.2026'],
    [['pt-BR'], 'pt', '29/11/26', '29/11/2026'],
    [['en-GB'], 'pt', '29/11/26', '29/11/2026'],
    [[], 'en', 'Signed in until 11/29/26', 'until Nov 29, 2026'],
    [['en-US@posix', 'x', 'en-GB'], 'en', 'Signed in until 29/11/2026', 'until 29 Nov 2026'],
  ] as const)(
    'with the browser in %j and texts in %s are “%s” and “%s”',
    (browser, locale, short, medium) => {
      vi.spyOn(navigator, 'languages', 'get').mockReturnValue(browser)
      const texts = createTexts({ locale, fallback: 'en', production: true, warn: () => undefined })
      texts.addResourceBundle('de', 'translation', german)
      texts.addResourceBundle('pt', 'translation', portuguese)
      expect(texts.t('selfTest.until', { until: NOON })).toContain(short)
      expect(texts.t('blocks.until', { last: NOON })).toContain(medium)
    },
  )
})
