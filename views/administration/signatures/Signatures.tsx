import { ADOPT_PATH } from '../../../streams/administration/plan/adopting.ts'
import { BANNER_PATH } from '../../../streams/administration/plan/banners.ts'
import { BRAND_PATH } from '../../../streams/administration/plan/brand.ts'
import { blockAt } from '../../../streams/administration/plan/blocks.ts'
import { GALLERY_PATH } from '../../../streams/administration/plan/taken.ts'
import {
  DRAFT_FILES_PATH,
  isRulesFilePath,
  signatureAt,
} from '../../../streams/administration/plan/signatures.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { Adopt } from './Adopt.tsx'
import { BlockCards } from './Blocks.tsx'
import { BrandPage } from './Brand.tsx'
import { Cards } from './Cards.tsx'
import { Files, RulesFilePage } from './Files.tsx'
import { GalleryPage } from './GalleryPage.tsx'
import { NewBanner } from './NewBanner.tsx'
import { OneBlock } from './OneBlock.tsx'
import { OneSignature } from './OneSignature.tsx'

/** The area Signatures: the draft's signatures as cards, the page of one of them, the brand, or all files. */
export function Signatures() {
  const path = useAdministrationState(({ place }) => place.path)
  const signature = signatureAt(path)
  if (signature !== null) return <OneSignature key={signature} id={signature} />
  if (path === BRAND_PATH) return <BrandPage />
  if (path === GALLERY_PATH) return <GalleryPage />
  if (path === ADOPT_PATH) return <Adopt />
  if (isRulesFilePath(path)) return <RulesFilePage />
  return path === DRAFT_FILES_PATH ? <Files /> : <Cards />
}

/** The area Blocks: the draft's blocks as cards, the page of one of them, or the form for a banner. */
export function Blocks() {
  const path = useAdministrationState(({ place }) => place.path)
  const block = blockAt(path)
  if (block !== null) return <OneBlock key={block} id={block} />
  return path === BANNER_PATH ? <NewBanner /> : <BlockCards />
}
