import { REPLY } from '../../streams/wire/signatures.ts'
import type { ListedEntry } from '../../streams/message/signatures/selectors.ts'
import type { Translate } from './texts.ts'

/** The name of an entry. A variant's name is followed by the variant's code. */
export const entryName = ({ entry: { name, type, code } }: ListedEntry, t: Translate): string =>
  type === 'variant'
    ? t('entry.variantName', { name, variant: code === REPLY ? t('entry.reply') : code })
    : name
