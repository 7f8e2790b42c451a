import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'

// The sanitiser as it ships, on a page in a real browser, because only browsers parse HTML as browsers do.

declare global {
  interface Window {
    sanitize: ReturnType<typeof createSanitizer>
  }
}

window.sanitize = createSanitizer(window)
