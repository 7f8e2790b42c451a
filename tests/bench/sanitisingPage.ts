import type { SignatureImage } from '../../streams/html/content.ts'
import createDOMPurify from 'dompurify'
import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'
import { previewDocument } from '../../views/shared/previewDocument.ts'

// Runs in Chromium, because the sanitiser needs a browser.

export type Signature = Readonly<{ html: string; images: readonly SignatureImage[] }>

/** Milliseconds of each call. */
export type Sanitising = Readonly<Record<'bare' | 'insert' | 'preview' | 'document', readonly number[]>>

export type Way = 'insert' | 'document'
/** Milliseconds of each call, and the characters of its result. */
export type Attacked = Readonly<{ ms: readonly number[]; characters: number }>

declare global {
  interface Window {
    measureAttacks: (
      htmls: readonly string[],
      images: readonly SignatureImage[],
      way: Way,
      runs: number,
    ) => readonly Attacked[]
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
      // A signature too long for a message has no document. Its measured time still includes the largest steps.
      return drawn.kind === 'document' ? drawn.srcdoc.length : drawn.characters
    },
  }
  const measured: Record<keyof Sanitising, number[]> = { bare: [], insert: [], preview: [], document: [] }
  for (let run = -WARM_UP_RUNS; run < runs; run++)
    for (const way of ['bare', 'insert', 'preview', 'document'] as const) {
      const start = performance.now()
      if (ways[way]() === 0) throw new Error(`The signature is empty: ${way}`)
      const elapsed = performance.now() - start
      if (run >= 0) measured[way].push(elapsed)
    }
  return measured
}

window.measureAttacks = (htmls, images, way, runs) => {
  const attacked = htmls.map(() => ({ ms: [] as number[], characters: 0 }))
  for (let run = -2; run < runs; run++)
    for (const [index, each] of attacked.entries()) {
      const html = htmls[index] ?? ''
      const start = performance.now()
      if (way === 'insert') each.characters = sanitize(html, 'insert').length
      else {
        const drawn = previewDocument({ html, images, combinedIds: '' }, 'html', [], sanitize)
        each.characters = drawn.kind === 'document' ? drawn.srcdoc.length : 0
      }
      if (run >= 0) each.ms.push(performance.now() - start)
    }
  return attacked
}
