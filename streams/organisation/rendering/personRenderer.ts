/** Renders the templates, slots and blocks of a release for one person, so that plans can compare them. */
import type { Candidate } from '../../html/slots.ts'
import type { Block, Release, Signature } from '../release/release.ts'
import {
  renderingAddresses,
  renderContextOf as ofPerson,
  type SignatureKind,
  templatePath,
} from './render.ts'
import type { PersonState } from '../facts/state.ts'
import { WRITER_PREFIX } from '../release/names.ts'
import { enteredDays } from '../rules/openTimes.ts'
import { isMailbox, writerMarks } from '../release/selectors.ts'
import { type RenderContext, renderSlotted, renderTemplate, type Template } from '../template/template.ts'

/** Marks the place of a block. No template contains it, because files contain no zero characters. */
const BLOCK = '\0block\0'
/**
 * Fills every slot, to find the html around its block. It fits no message, so the template's html contains no block.
 */
const STUB: Candidate = {
  id: '',
  name: '',
  html: BLOCK,
  audiences: [],
  replies: false,
  everyone: false,
  closes: null,
}

/**
 * A slot, and its offset in the html without blocks. `pieces` is the slot's html, divided at each place of its block.
 */
export type FrameSlot = Readonly<{ name: string; at: number; pieces: readonly string[] }>

/** The html of a slot with a block inserted. An empty block leaves the slot empty. */
export const slotWithBlock = ({ pieces }: FrameSlot, block: string): string =>
  block === '' ? '' : pieces.join(block)

/**
 * A template's html without blocks, and its slots. `compared` is the html for comparing releases: in a mailbox's
 * signature, it has marks for the variables of the unknown writer, and tells what a writer without values sees.
 */
export type Frame = Readonly<{ html: string; compared: string; slots: readonly FrameSlot[] }>

export type PersonRenderer = ReturnType<typeof createPersonRenderer>

/**
 * Creates a renderer for one person. A template that several signatures share is rendered only once.
 *
 * @param pictures the base URL of all pictures
 */
export function createPersonRenderer(pictures: string, person: PersonState) {
  const contexts = new Map<Release, RenderContext>()
  const frames = new Map<Release, Map<string, Frame | null>>()

  function contextOf(release: Release): RenderContext {
    const known = contexts.get(release)
    if (known) return known
    const context = ofPerson(release, person, renderingAddresses(pictures, person))
    contexts.set(release, context)
    return context
  }

  /** Renders a template, and again to compare it if a mailbox's writer has values in this release. */
  function comparing<Rendered extends Readonly<{ html: string }>>(
    release: Release,
    template: Template,
    render: (context: RenderContext) => Rendered,
  ): Rendered & Readonly<{ compared: string }> {
    const context = contextOf(release)
    const shown = render(context)
    const marks = isMailbox(release, person) ? writerMarks(release) : {}
    if (Object.keys(marks).length === 0) return { ...shown, compared: shown.html }
    const htmlWith = (values: Readonly<Record<string, string>>) =>
      render({ ...context, values: { ...context.values, ...values } }).html
    const marked = htmlWith(marks)
    const tested = testedWriterValues(template)
    if (tested.length === 0) return { ...shown, compared: marked }
    const without = htmlWith({ ...marks, ...Object.fromEntries(tested.map((name) => [name, ''])) })
    return { ...shown, compared: JSON.stringify([marked, without, tested.map((name) => marks[name])]) }
  }

  return {
    frame(release: Release, signature: Signature, use: SignatureKind): Frame | null {
      const path = templatePath(signature, use)
      if (path === null) return null
      const ofRelease = frames.get(release) ?? new Map<string, Frame | null>()
      frames.set(release, ofRelease)
      const known = ofRelease.get(path)
      if (known !== undefined) return known
      const template = release.templateOf(path)
      const frame = template && comparing(release, template, (context) => frameOf(template, context))
      ofRelease.set(path, frame)
      return frame
    },

    /** The html of a block, the html for comparing releases, and whether clicks on one of its links are counted. */
    block(release: Release, block: Block): Readonly<{ html: string; compared: string; isCounted: boolean }> {
      const template = release.templateOf(block.template)
      let isCounted = false
      const countedUrl = (address: string) => {
        isCounted = release.document.counting === true
        return address
      }
      if (template === null) return { html: '', compared: '', isCounted }
      const rendered = comparing(release, template, (context) => ({
        html: renderTemplate(template, { ...context, countedUrl }),
      }))
      return { ...rendered, isCounted }
    },

    /** The days that the person entered for a block, as text; empty without any. */
    ownDays(release: Release, { ownDays }: Block): string {
      const period = ownDays ? enteredDays(release, ownDays, person).period : null
      return period ? JSON.stringify(period) : ''
    },
  }
}

/** The writer's variables that `{{#if}}` or `{{first}}` tests for a value in a template and its parts. */
const testedWriterValues = (template: Template): readonly string[] => {
  const parts = template.steps.flatMap((step) => (step.kind === 'part' ? [step.template] : []))
  const names = [template, ...parts].flatMap(({ placeholders }) =>
    placeholders.flatMap(({ kind, names: tested }) => (kind === 'if' || kind === 'first' ? tested : [])),
  )
  return [...new Set(names)].filter((name) => name.startsWith(WRITER_PREFIX))
}

function frameOf(template: Template, context: RenderContext): Omit<Frame, 'compared'> {
  const { html, slots = [] } = renderSlotted(template, { ...context, blocksIn: () => [STUB] })
  return {
    html,
    slots: slots.map(({ name, start, candidates: [stub] }) => ({
      name,
      at: start,
      pieces: stub?.html.split(BLOCK) ?? [],
    })),
  }
}
