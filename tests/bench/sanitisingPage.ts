import type { SignatureImage } from '../../streams/signatures/signature.ts'
import createDOMPurify from 'dompurify'
import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'
import { previewDocument } from '../../views/parts/previewDocument.ts'

// Runs in Chromium, because the sanitiser needs a browser.

export type Signature = Readonly<{ html: string; images: readonly SignatureImage[] }>

/** Milliseconds of each call. */
export type Sanitising = Readonly<Record<'bare' | 'insert' | 'preview' | 'document', readonly number[]>>

declare global {
  interface Window {
    measureSanitising: (signature: Signature, runs: number) => Sanitising
  }
}

const WARM_UP_RUNS = 20
const bare = createDOMPurify(window)
const sanitize = createSanitizer(window)

window.measureSanitising = ({ html, images }, runs) => {
  const ways = {
    bare: () => bare.sanitize(html).length,
    insert: () => sanitize(html, 'insert').length,
    preview: () => sanitize(html, 'preview').length,
    document: () => {
      const drawn = previewDocument({ html, images, combinedIds: '' }, 'html', [], sanitize)
      // A signature that is too long for a message has no document. The measured time includes its largest steps.
      return drawn.kind === 'document' ? drawn.srcdoc.length : drawn.characters
    },
  }
  const measured: Record<keyof Sanitising, number[]> = { bare: [], insert: [], preview: [], document: [] }
  for (let run = -WARM_UP_RUNS; run < runs; run++)
    for (const way of ['bare', 'insert', 'preview', 'document'] as const) {
      const start = performance.now()
      if (ways[way]() === 0) throw new Error(`Nothing is left of the signature: ${way}`)
      const elapsed = performance.now() - start
      if (run >= 0) measured[way].push(elapsed)
    }
  return measured
}
