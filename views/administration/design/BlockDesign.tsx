import { useCallback } from 'react'
import { Link } from 'react-router-dom'
import { type BlockDrawing, drawBlock } from '../../../streams/administration/plan/blockPreview.ts'
import { slotSignatureCount } from '../../../streams/administration/plan/blocks.ts'
import { isPreviewPersonAwaited } from '../../../streams/administration/plan/selectors.ts'
import { signaturePath } from '../../../streams/administration/plan/signatures.ts'
import type { Block, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { blockStandingText } from '../text/rules.ts'
import { useTexts } from '../text/texts.ts'
import { DesignSection, type Draw, Editor } from './Design.tsx'
import * as textCss from '../parts/Text.module.css'

/**
 * The visual editor of a block, in the message that shows it, or else by itself. Only the block can be selected.
 *
 * @param document as for `Design`
 * @param onSource opens the page's source
 */
export function BlockDesign({
  block: { id, slot, template },
  document,
  onSource,
}: {
  block: Block
  document: ReleaseDocument | null
  onSource: () => void
}) {
  const t = useTexts()
  const hasTemplate = document !== null && Object.hasOwn(document.templates, template)
  const use = useAdministrationState(({ plan }) => plan.use)
  const recipients = useAdministrationState(({ plan }) => plan.recipients)
  const isAwaited = useAdministrationState(({ plan }) => isPreviewPersonAwaited(plan))
  const draw = useCallback<Draw>(
    (marked, { day, pictures, formats, ...context }) => {
      const drawing = drawBlock(marked, id, { ...context, use, recipients }, pictures, formats)
      return {
        html: drawing?.html ?? null,
        markedHtml: drawing?.marked ?? null,
        about: drawing && (
          <About drawing={drawing} count={slotSignatureCount(marked.unmarked, slot)} day={day} />
        ),
      }
    },
    [id, slot, use, recipients],
  )
  return (
    <DesignSection>
      {(completion) =>
        document && !hasTemplate ? (
          <p role="status">{t('design.block.noTemplate')}</p>
        ) : (
          !isAwaited &&
          document && (
            <Editor
              key={template}
              root={template}
              subject={{ kind: 'block', id }}
              draw={draw}
              document={document}
              completion={completion}
              onSource={onSource}
            />
          )
        )
      }
    </DesignSection>
  )
}

/** Whether the message shows the block, how many signatures have its slot, and where the shown signature is changed. */
function About({
  drawing: { standing, signature, html },
  count,
  day,
}: {
  drawing: BlockDrawing
  count: number
  day: string
}) {
  const t = useTexts()
  const dayText = useDayText()
  const name = signature?.name ?? ''
  const use = signature?.kind ?? 'signature'
  const isInMessage = standing.code === 'stands'
  return (
    <>
      <p role="status">
        {blockStandingText(standing, { signature: name, use, day: dayText(day) }, t)}{' '}
        {!isInMessage && html !== null && t('design.block.alone')}
      </p>
      {count === 0 ? (
        <p className={textCss['warning']}>{t('signatures.blocks.notShown')}</p>
      ) : (
        <p className={textCss['quiet']}>
          {t('design.block.signatures', { count })}{' '}
          {isInMessage && signature && (
            <>
              {t('design.block.only')}{' '}
              <Link to={signaturePath(signature.id)} className={textCss['link']}>
                {t('design.block.open', { name })}
              </Link>
            </>
          )}
        </p>
      )}
    </>
  )
}
