import { defineEvents, gesture } from '../../kernel/event.ts'
import { listField, nullableField, openField } from '../../kernel/field.ts'
import type { SourceRange } from '../../organisation/template/tree.ts'
import type { TemplateEdit } from '../plan/draft.ts'
import type { SourcePlace } from '../plan/wordPlaces.ts'
import type { DesignAct } from './acts.ts'

/** The visual editor of a template. */
export const Designing = defineEvents('design', {
  /** The administrator selected an item, or nothing. */
  selected: gesture({ place: nullableField(openField<SourcePlace>()) }),
  /**
   * An act on the item at this place. `within` is the template that gets its own copy of the part first, so that other
   * signatures stay as they are; null to change the template or part itself.
   */
  acted: gesture({
    place: openField<SourcePlace>(),
    act: openField<DesignAct>(),
    within: nullableField(openField<string>()),
  }),
  /** The administrator begins to type in the words at this place. `within` as for an act. */
  typingBegan: gesture({ place: openField<SourcePlace>(), within: nullableField(openField<string>()) }),
  /** Typed characters. `range` is the range of the words afterwards. */
  typed: gesture({
    path: openField<string>(),
    edits: listField(openField<TemplateEdit>()),
    range: openField<SourceRange>(),
  }),
  typingEnded: gesture({}),
  undone: gesture({}),
  redone: gesture({}),
  /** The administrator wants to change this part or template in all signatures that use it. */
  everywhereChosen: gesture({ path: openField<string>() }),
})
