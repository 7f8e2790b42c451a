import { Planning } from '../../../streams/administration/plan/events.ts'
import { newSignatureId } from '../../../streams/administration/plan/signatures.ts'
import { useGesture } from '../parts/administration.tsx'
import { PreviewPerson } from '../plan/PreviewPerson.tsx'
import { useTexts } from '../text/texts.ts'
import { BackToCards, DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import { Gallery } from '../plan/Gallery.tsx'

/** The page with the gallery of templates for the draft. */
export function GalleryPage() {
  const t = useTexts()
  const record = useGesture()
  return (
    <DraftPage area="signatures" title={t('signatures.gallery.title')} act={<BackToCards />}>
      {(draft) => (
        <>
          <DraftStatus draft={draft} />
          <p>{t('signatures.gallery.intro')}</p>
          <PreviewPerson />
          <Gallery
            draft={draft}
            heading="h2"
            onChoose={(taken) => {
              const signature = newSignatureId(draft.document, taken.name)
              record(Planning.templateTaken({ signature, taken }))
            }}
          />
        </>
      )}
    </DraftPage>
  )
}
