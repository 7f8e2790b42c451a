import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { pictureAddress } from '../../../streams/organisation/rendering/render.ts'
import { Dialog } from '../../shared/Dialog.tsx'
import { useTools } from '../../shared/tools.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { pictureBaseAddress } from '../parts/shown.ts'
import { useTexts } from '../text/texts.ts'
import * as planCss from '../plan/Plan.module.css'
import * as css from './Brand.module.css'

/** A small view of a picture of the draft. Its path is beside it, so screen readers skip it. */
export function Thumbnail({ document, path }: { document: ReleaseDocument; path: string }) {
  const { imageOrigins } = useTools()
  const hash = document.pictures[path] ?? ''
  const content = useAdministrationState(({ plan }) => plan.draft?.pictures[hash] ?? null)
  const address =
    content === null
      ? pictureAddress(pictureBaseAddress(imageOrigins), hash, path.slice(path.lastIndexOf('/') + 1))
      : `data:${content.mediaType};base64,${content.base64}`
  return <img src={address} alt="" className={css['thumbnail']} />
}

/** Asks for one of these pictures of the draft. */
export function PictureDialog({
  title,
  document,
  paths,
  onChoose,
  onClose,
}: {
  title: string
  document: ReleaseDocument
  paths: readonly string[]
  onChoose: (path: string) => void
  onClose: () => void
}) {
  const t = useTexts()
  return (
    <Dialog title={title} onClose={onClose}>
      {paths.length === 0 ? (
        <p>{t('signatures.brand.logos.noPictures')}</p>
      ) : (
        <ul className={planCss['people']} aria-label={t('plan.palette.pictures')}>
          {paths.map((path) => (
            <li key={path}>
              <button
                type="button"
                className={`${planCss['template']} ${css['picture']}`}
                onClick={() => onChoose(path)}
              >
                <Thumbnail document={document} path={path} />
                <span className={planCss['path']}>{path}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
