/** The elements that the sections of the brand's form share. */
import {
  type BrandChange,
  type BrandPart,
  type BrandUse,
  peopleWith,
} from '../../../streams/administration/plan/brand.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { useTexts } from '../text/texts.ts'

/** A change that templates can follow: the part of the brand that they use, its new name, and the change. */
export type Followable = Readonly<{
  part: BrandPart
  name: string
  change: (isFollowed: boolean) => BrandChange
}>

/** `change` also receives the result in words. `changeFollowed` first asks whether the templates follow. */
export type OfBrandForm = Readonly<{
  change: (change: BrandChange, result: string) => void
  changeFollowed: (followable: Followable) => void
}>

/** A button that removes a part of the brand. `onRemove` receives the result in words. */
export function RemoveButton({ name, onRemove }: { name: string; onRemove: (result: string) => void }) {
  const t = useTexts()
  return (
    <Button
      look="danger"
      small
      label={t('signatures.brand.removeOne', { name })}
      onPress={() => onRemove(t('signatures.brand.done.removed', { name }))}
    >
      {t('signatures.brand.remove')}
    </Button>
  )
}

/** A change that templates can follow, and what it would change. */
export type BrandQuestion = Followable & Readonly<{ use: BrandUse }>

/** Asks whether the templates follow a change of the brand. Closing the question cancels the change. */
export function FollowQuestion({
  question: { part, use },
  onAnswer,
  onClose,
}: {
  question: BrandQuestion
  onAnswer: (isFollowed: boolean) => void
  onClose: () => void
}) {
  const t = useTexts()
  const people = useAdministrationState(({ insight }) => {
    const figures = loadedValue(insight)
    return figures === undefined ? null : peopleWith(use, figures)
  })
  const [signatures, blocks] = [use.signatures.length, use.blocks.length]
  const where = [
    ...(signatures > 0 ? [t('signatures.brand.follow.signatures', { count: signatures })] : []),
    ...(blocks > 0 ? [t('signatures.brand.follow.blocks', { count: blocks })] : []),
  ]
  return (
    <Dialog
      title={t('signatures.brand.follow.title')}
      onClose={onClose}
      act={
        <>
          <Button look="primary" onPress={() => onAnswer(true)}>
            {t('signatures.brand.follow.follow')}
          </Button>
          <Button look="secondary" onPress={() => onAnswer(false)}>
            {t('signatures.brand.follow.only')}
          </Button>
        </>
      }
    >
      <p>
        {t('signatures.brand.follow.use', {
          part: 'colour' in part ? part.colour : part.picture,
          places: t('signatures.brand.follow.places', { count: use.places }),
          where: where.length > 0 ? where : [t('signatures.brand.follow.unused')],
        })}{' '}
        {people !== null && people > 0 && t('signatures.brand.follow.people', { count: people })}
      </p>
      {'picture' in part && <p>{t('signatures.brand.follow.size')}</p>}
    </Dialog>
  )
}
