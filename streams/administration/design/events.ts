import { defineEvents, gesture } from '../../kernel/event.ts'
import { listField, nullableField, openField } from '../../kernel/field.ts'
import type { SourceRange } from '../../organisation/template/tree.ts'
import type { TemplateEdit } from '../plan/draft.ts'
import type { SourcePlace } from '../plan/wordPlaces.ts'
import type { DesignAct } from './acts.ts'

/** A `DesignChange`. */
const change = {
  path: openField<string>(),
  edits: listField(openField<TemplateEdit>()),
  selected: openField<SourceRange>(),
}

/** The visual editor of a template. */
export const Designing = defineEvents('design', {
  /** The administrator selected an item, or nothing. */
  selected: gesture({ place: nullableField(openField<SourcePlace>()) }),
  /** An act, and what it changes. */
  acted: gesture({ act: openField<DesignAct>(), ...change }),
  /** The administrator begins to type in the words at this place. */
  typingBegan: gesture({ place: openField<SourcePlace>() }),
  /**
   * Typed characters. `selected` is the range of the words afterwards. They are in another template than before if the
   * edits also write the part into it, so that other signatures stay as they are.
   */
  typed: gesture(change),
  typingEnded: gesture({}),
  undone: gesture({}),
  redone: gesture({}),
  /** The administrator wants to change this part or template in all signatures that use it. */
  everywhereChosen: gesture({ path: openField<string>() }),
})
