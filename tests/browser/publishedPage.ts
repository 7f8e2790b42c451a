import bundled, { type DOMPurify } from 'dompurify'
import { probePurify, probeRxjs } from './publishedProbe.ts'

/** What the test asks of the built page. */
export const probes = {
  rxjs: probeRxjs,
  bundledPurify: () => probePurify(bundled),
  /** What DOMPurify's published file, which the page has loaded, answers in the same document. */
  publishedPurify: () => probePurify((window as unknown as { published: DOMPurify }).published),
}

Object.assign(window, { probes })
