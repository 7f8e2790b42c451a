import type { SampleRecipients as Supposed } from '../../../streams/organisation/release/supposed.ts'
import { Segments } from '../../shared/Segments.tsx'
import { useTexts } from '../text/texts.ts'

/** A choice of sample recipients for a shown message; null for no recipients. */
export function SupposedRecipients({
  chosen,
  onChoose,
}: {
  chosen: Supposed | null
  onChoose: (recipients: Supposed | null) => void
}) {
  const t = useTexts()
  return (
    <Segments
      name={t('signatures.blocks.preview.recipients')}
      texts={{
        none: t('signatures.blocks.preview.none'),
        internal: t('signatures.blocks.preview.internal'),
        external: t('signatures.blocks.preview.external'),
      }}
      chosen={chosen ?? 'none'}
      onChoose={(value) => onChoose(value === 'none' ? null : value)}
    />
  )
}
