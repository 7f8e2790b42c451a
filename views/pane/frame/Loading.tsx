import { SkeletonSignature } from './Skeleton.tsx'
import { useTexts } from '../text/texts.ts'

/** Shown during redirections. */
export function Loading() {
  const t = useTexts()
  return (
    <>
      <h1>{t('loading')}</h1>
      <SkeletonSignature />
    </>
  )
}
