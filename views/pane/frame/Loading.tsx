import { SkeletonSignature } from './Skeleton.tsx'
import { useTexts } from '../text/texts.ts'

/** The loading page: shown during redirections, and while a view loads slowly. */
export function Loading() {
  const t = useTexts()
  return (
    <>
      <h1>{t('loading')}</h1>
      <SkeletonSignature />
    </>
  )
}
