import { SkeletonSignature } from '../parts/Skeleton.tsx'
import { useTexts } from '../text/texts.ts'

/** Shown where the pane is only passing through. */
export function Loading() {
  const t = useTexts()
  return (
    <>
      <h1>{t('loading')}</h1>
      <SkeletonSignature />
    </>
  )
}
