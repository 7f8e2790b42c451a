import { REPLY } from '../../streams/wire/signatures.ts'
import type { ListedEntry } from '../../streams/message/signatures/selectors.ts'
import type { Translate } from './texts.ts'

/** The name of an entry; that of a variant has its code behind it. */
export const entryName = ({ entry: { name, type, code } }: ListedEntry, t: Translate): string =>
  type === 'variant'
    ? t('entry.variantName', { name, variant: code === REPLY ? t('entry.reply') : code })
    : name
