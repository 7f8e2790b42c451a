import { type ContentChange, changeSummaryOf } from '../../../streams/html/change.ts'
import type { Translate } from './texts.ts'

const TEXTS = {
  added: 'change.textAdded',
  removed: 'change.textRemoved',
  changed: 'change.textChanges',
} as const

function sizeText(kilobytes: number, t: Translate): string {
  if (kilobytes === 0) return t('change.sameSize')
  return kilobytes > 0
    ? t('change.larger', { kilobytes })
    : t('change.smaller', { kilobytes: Math.abs(kilobytes) })
}

/** One sentence about the changes in a message. */
export function changeText(change: ContentChange, t: Translate): string {
  if (change.isSame) return t('change.nothing')
  const { text, pictures, formatting, kilobytes } = changeSummaryOf(change)
  const parts = [
    ...(text ? [t(TEXTS[text])] : []),
    ...(pictures.added ? [t('change.picturesAdded', { count: pictures.added })] : []),
    ...(pictures.removed ? [t('change.picturesRemoved', { count: pictures.removed })] : []),
    ...(pictures.changed ? [t('change.picturesChange', { count: pictures.changed })] : []),
    ...(formatting ? [t('change.formatting')] : []),
  ]
  const sentence = t('change.sentence', { parts, size: sizeText(kilobytes, t) })
  // Any part can come first, so its first letter becomes a capital.
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1)
}
