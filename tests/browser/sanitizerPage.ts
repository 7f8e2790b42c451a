import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'

// The sanitiser as it ships, on a page of its own: no other place than a browser parses HTML as browsers do.

declare global {
  interface Window {
    sanitize: ReturnType<typeof createSanitizer>
  }
}

window.sanitize = createSanitizer(window)
