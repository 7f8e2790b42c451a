import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { Suggestions } from '../../../streams/administration/plan/events.ts'
import {
  CONDITION_KINDS,
  type ConditionText,
  FIELD_COMPARISONS,
  newCondition,
} from '../../../streams/administration/plan/ruleTexts.ts'
import { valueLinesOf } from '../../../streams/administration/plan/signatures.ts'
import { offeredValues, withValueLine } from '../../../streams/administration/plan/suggestions.ts'
import { suggestedFieldOf } from '../../../streams/administration/plan/ruleTexts.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import { evolveAdministration } from '../../../streams/administration/state.ts'
import { orNull } from '../../../streams/kernel/schema.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import {
  containsTyped,
  isSuggestedField,
  MAX_SUGGESTED,
  suggestedField,
  suggestingValues,
} from '../../../streams/organisation/rules/fieldValues.ts'
import { administrationStateAfter } from '../../support/administration/story.ts'
import { recorded } from '../../support/state.ts'

const failure = { kind: 'network' } as const
const value = { values: ['Sales', 'Service', 'Übersee'].map((each, at) => ({ value: each, people: 9 - at })) }
const sought = (field: 'group' | 'department', search = '') => Suggestions.sought({ field, search })
const after = (...events: readonly AdministrationEvent[]) => administrationStateAfter(...events).suggestions

describe('suggested values', () => {
  const texts = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constant(' a\n')), {
    maxLength: 80,
  })

  test('are the first that contain the typed text, each as a line of a form takes it', () => {
    fc.assert(
      fc.property(texts, fc.string({ unit: 'grapheme', maxLength: 2 }), (given, typed) => {
        const found = given.map((each, at) => ({ value: each, people: 100 - at }))
        const suggested = runSteps(suggestingValues(found, typed))
        expect(suggested.length).toBeLessThanOrEqual(MAX_SUGGESTED)
        for (const each of suggested) {
          expect(valueLinesOf(each.value)).toEqual([each.value])
          expect(containsTyped(each.value, typed)).toBe(true)
        }
        const isSuggested = ({ value: each }: { value: string }) =>
          !/\p{Cs}|\0/u.test(each) && valueLinesOf(each)[0] === each && containsTyped(each, typed)
        expect(suggested).toEqual(found.filter(isSuggested).slice(0, MAX_SUGGESTED))
      }),
    )
  })

  test('ignore case, accents and spaces around the typed text', () => {
    expect(['uber', ' ÜBER ', 'see', ''].map((typed) => containsTyped('Übersee', typed))).toEqual(
      Array(4).fill(true),
    )
    expect(containsTyped('Übersee', 'sales')).toBe(false)
  })

  test('exist for groups and the fields that many people share, of the manager, too', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CONDITION_KINDS),
        fc.constantFrom(...FIELD_COMPARISONS),
        fc.constantFrom('department', 'jobTitle', 'displayName', 'mail', 'mobilePhone', ''),
        (by, is, field) => {
          const condition: ConditionText = { ...newCondition, by, is, field }
          const suggested = suggestedFieldOf(condition)
          const isField = isSuggestedField(field) && !['any', 'before', 'after'].includes(is)
          expect(suggested).toBe(
            by === 'group'
              ? 'group'
              : isField && by === 'field'
                ? field
                : isField && by === 'managerField'
                  ? `manager.${field}`
                  : null,
          )
          if (suggested !== null) expect(orNull(suggestedField).read(suggested, '')).toBe(suggested)
        },
      ),
    )
  })
})

describe('the offered values', () => {
  const loaded = [sought('department', 's'), Suggestions.loaded({ value })]
  const offered = (search: string, lines = '', field: 'group' | 'department' = 'department') =>
    offeredValues(after(...loaded), { field, search }, lines).map((each) => each.value)

  test('are those of the field that contain the text and are not chosen yet', () => {
    expect(offered('')).toEqual(['Sales', 'Service', 'Übersee'])
    expect(offered('se')).toEqual(['Service', 'Übersee'])
    expect(offered('', ' Service \nx')).toEqual(['Sales', 'Übersee'])
    expect(offered('', '', 'group')).toEqual([])
    expect(offeredValues(after(), { field: 'department', search: '' }, '')).toEqual([])
  })

  test('stay while others of the field are looked for, and go with the field and the page', () => {
    expect(after(...loaded, sought('department', 'x')).load).toEqual({ status: 'pending', asked: 2, value })
    expect(after(...loaded, sought('group', 's')).load).toEqual({ status: 'pending', asked: 2 })
    expect(after(...loaded, Place.entered({ path: '/plan' }))).toEqual({
      sought: null,
      load: { status: 'idle' },
    })
  })

  test('are not looked for twice, unless it failed', () => {
    for (const events of [loaded, loaded.slice(0, 1)]) {
      const before = administrationStateAfter(...events)
      expect(evolveAdministration(before, recorded(sought('department', 's'), 9)).suggestions).toBe(
        before.suggestions,
      )
    }
    const failed = [sought('group'), Suggestions.loadFailed({ failure })]
    expect(after(...failed, sought('group')).load).toEqual({ status: 'pending', asked: 2 })
    expect(after(...failed, Place.retryRequested()).load).toEqual({ status: 'pending', asked: 2 })
    expect(after(sought('group'), Session.expired({ failure })).load).toEqual({ status: 'idle' })
  })
})

test('a chosen value is one more line', () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[a-z]{1,5}$/), (lines, chosen) => {
      const after = valueLinesOf(withValueLine(lines, chosen))
      expect(after).toEqual([...new Set([...valueLinesOf(lines), chosen])])
    }),
  )
})
