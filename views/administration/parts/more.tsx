import { type ReactNode, useState } from 'react'
import { Button } from '../../shared/Button.tsx'
import { useTexts } from '../text/texts.ts'

/**
 * Returns the first `step` items of a list, and a button that shows `step` more while items are left.
 *
 * @param text makes the button's text from the number of items left
 */
export function useShowMore<Each>(
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
