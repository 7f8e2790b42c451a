import { useCallback, useMemo } from 'react'
import { createItemNamer, MAX_READ_CHARACTERS } from '../../../streams/administration/design/itemWords.ts'
import type { DesignItem } from '../../../streams/administration/design/outline.ts'
import { partName, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { decodeReference } from '../dom/wordsField.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import { useNamedValues } from './designed.ts'

/** The kind of an item, for example *Row*. A column has its number among its siblings. */
function kindText(item: DesignItem, siblings: readonly DesignItem[], t: Translate): string {
  const { kind, name } = item
  if (kind === 'part' || kind === 'slot') return t(`design.kind.${kind}`, { name })
  if (kind !== 'cell') return t(`design.kind.${kind}`)
  const columns = siblings.filter((each) => each.kind === 'cell')
  return t('design.kind.cell', { number: columns.findIndex(({ from }) => from === item.from) + 1 })
}

/**
 * Names an item of a template's text by its kind and its first words, for example *Row: Alex Kim*. Parts and slots have
 * names of their own.
 *
 * @param document the document with the parts
 * @param use whether the name is seen, or read by a screen reader, which reads more of words
 */
export function useItemText(
  document: ReleaseDocument,
  use: 'seen' | 'read',
): (text: string, item: DesignItem, siblings: readonly DesignItem[]) => string {
  const t = useTexts()
  const values = useNamedValues(document)
  const nameItem = useMemo(() => {
    const parts = new Map(Object.entries(document.templates).map(([path, text]) => [partName(path), text]))
    const shown = new Map(values.map((each) => [each.name, each]))
    return createItemNamer({
      partText: (name) => parts.get(name) ?? null,
      valueOf: (variable) => shown.get(variable)?.value ?? '',
      decode: decodeReference,
      nameOf: (variable) => shown.get(variable)?.title ?? variable,
    })
  }, [document, values])
  return useCallback(
    (text, item, siblings) => {
      const kind = kindText(item, siblings, t)
      const words =
        item.kind === 'part' || item.kind === 'slot'
          ? ''
          : nameItem(text, item, item.kind === 'words' && use === 'read' ? MAX_READ_CHARACTERS : undefined)
      return words === '' ? kind : t('design.item', { kind, text: words })
    },
    [nameItem, t, use],
  )
}
