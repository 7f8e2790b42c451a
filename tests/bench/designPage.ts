import { createSanitizer } from '../../src/engine/adapters/sanitizer.ts'
import { changeByAct } from '../../streams/administration/design/change.ts'
import { initialDesign, withAct } from '../../streams/administration/design/design.ts'
import { allItems, findItem, nearestItem, outlineOf } from '../../streams/administration/design/outline.ts'
import type { Draft } from '../../streams/administration/plan/draft.ts'
import { draftPreviewOf } from '../../streams/administration/plan/preview.ts'
import { withSourceMarks } from '../../streams/administration/plan/wordPlaces.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { previewDocument } from '../../views/shared/previewDocument.ts'

// Runs in Chromium, because the sanitiser needs a browser.

/**
 * Milliseconds of each step of an act, by act. `draw` renders the signature twice, with and without marks. `clean` makes
 * the frame's document. `find` cleans and parses the marked signature, when the frame is drawn.
 */
export type DesignTimes = Readonly<Record<'act' | 'draw' | 'clean' | 'find', readonly number[]>>

declare global {
  interface Window {
    /** Makes words bold, each time others, in the draft as it is given. */
    measureDesign: (draft: Draft, path: string, person: PersonState, acts: number) => DesignTimes
  }
}

const WARM_UP_ACTS = 10
const sanitize = createSanitizer(window)

window.measureDesign = (draft, path, person, acts) => {
  const at = Date.UTC(2026, 9, 15)
  const pictures = `${location.origin}/images`
  const words = allItems(outlineOf(draft.document.templates[path] ?? '')).filter(
    ({ kind }) => kind === 'words',
  )
  const measured: Record<keyof DesignTimes, number[]> = { act: [], draw: [], clean: [], find: [] }
  for (let seq = -WARM_UP_ACTS; seq < acts; seq++) {
    const item = words[(seq + WARM_UP_ACTS) % words.length]
    if (!item) throw new Error('The template has no words')
    const act = { kind: 'style', property: 'font-weight', value: 'bold' } as const
    const started = performance.now()
    const place = { path, from: item.from, to: item.to }
    const change = changeByAct(draft.document, { place, act, within: null })
    const result = change && withAct({ draft, design: initialDesign }, { act, ...change }, { seq, at })
    const { selection } = result?.design ?? initialDesign
    if (!result || !selection) throw new Error('The act did not fit the words')
    const { document } = result.draft
    const outline = outlineOf(document.templates[path] ?? '')
    const selected = nearestItem(outline, selection)
    if (!selected || !findItem(outline, selected)) throw new Error('Nothing is selected after the act')
    const acted = performance.now()
    const marked = withSourceMarks(document)
    const render = (each: ReleaseDocument) =>
      draftPreviewOf(each, { path, person, at, use: 'signature', recipients: null }, pictures).html ?? ''
    const [html, markedHtml] = [render(document), render(marked.document)]
    const drawn = performance.now()
    const shown = previewDocument(
      { html, images: [], combinedIds: 'shown' },
      'html',
      [location.origin],
      sanitize,
    )
    const cleaned = performance.now()
    const marks = new DOMParser().parseFromString(sanitize(markedHtml, 'preview'), 'text/html').body
      .textContent
    const found = performance.now()
    if (shown.kind !== 'document') throw new Error('The signature is too long for a message')
    if (marks.trim() === '') throw new Error('The marked signature is empty')
    if (seq < 0) continue
    measured.act.push(acted - started)
    measured.draw.push(drawn - acted)
    measured.clean.push(cleaned - drawn)
    measured.find.push(found - cleaned)
  }
  return measured
}
