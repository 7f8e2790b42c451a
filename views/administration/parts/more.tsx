import { type ReactNode, useState } from 'react'
import { Button } from '../../shared/Button.tsx'
import { useTexts } from '../text/texts.ts'

/**
 * The first `step` items of a list, and a button that shows `step` more, as long as items are left.
 *
 * @param text the text of the button, from the number of items left
 */
export function useMore<Each>(
  all: readonly Each[],
  step: number,
  text?: (left: number) => string,
): readonly [shown: readonly Each[], more: ReactNode] {
  const t = useTexts()
  const [count, setCount] = useState(step)
  const left = all.length - count
  return [
    all.slice(0, count),
    left > 0 && (
      <div>
        <Button look="secondary" onPress={() => setCount(count + step)}>
          {text ? text(left) : t('load.more')}
        </Button>
      </div>
    ),
  ]
}
