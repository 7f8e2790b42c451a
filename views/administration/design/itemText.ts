import type { DesignItem } from '../../../streams/administration/design/outline.ts'
import type { Translate } from '../text/texts.ts'

/** The kind of an item, for example *Row*. */
export const kindText = ({ kind, name }: DesignItem, t: Translate): string =>
  kind === 'part' || kind === 'slot' ? t(`design.kind.${kind}`, { name }) : t(`design.kind.${kind}`)
