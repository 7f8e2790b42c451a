import { UNTIL_CHANGED, UNTIL_REMOVED } from '../../../streams/organisation/facts/corrections.ts'
import { dayOf } from '../../../streams/organisation/release/names.ts'
import type { Translate } from './texts.ts'
import type { FormatDay } from './why.ts'

const untilText = (until: string, t: Translate, dayText: FormatDay): string => {
  if (until === UNTIL_REMOVED) return t('people.hand.untilRemoved')
  return until === UNTIL_CHANGED
    ? t('people.hand.untilChanged')
    : t('people.hand.untilDay', { day: dayText(until) })
}

/** Who set something by hand, when and until when, as the values of a sentence. */
export const originText = (
  { by, at, until }: Readonly<{ by: string; at: number; until: string }>,
  t: Translate,
  dayText: FormatDay,
) => ({ by, day: dayText(dayOf(at)), until: untilText(until, t, dayText) })
