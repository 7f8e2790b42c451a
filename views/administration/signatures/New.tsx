import { useState } from 'react'
import { Button } from '../../shared/Button.tsx'
import { Confirm } from '../../shared/Confirm.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import { MAX_NAME_CHARACTERS } from './RuleFields.tsx'
import * as stack from '../../shared/Stack.module.css'

/** The value of the choice "short template". No signature or block has an empty id. */
const SHORT = ''

/**
 * A button that asks for the name and the starting point of a new signature or block.
 *
 * @param others the signatures or blocks to copy from
 * @param onCreate receives the id to copy from; null for a short template
 */
export function NewItemButton({
  isFirst = false,
  title,
  means,
  short,
  others,
  onCreate,
}: {
  isFirst?: boolean
  title: string
  means: string
  short: string
  others: readonly Readonly<{ id: string; name: string }>[]
  onCreate: (name: string, like: string | null) => void
}) {
  const t = useTexts()
  const [isAsking, setAsking] = useState(false)
  const [name, setName] = useState('')
  const [like, setLike] = useState(SHORT)
  const [isTried, setTried] = useState(false)
  const isNamed = name.trim() !== ''
  const close = () => {
    setAsking(false)
    setTried(false)
  }
  return (
    <>
      <Button look={isFirst ? 'primary' : 'secondary'} onPress={() => setAsking(true)}>
        {title}
      </Button>
      {isAsking && (
        <Confirm
          title={title}
          confirm={t('signatures.new.confirm')}
          cancel={t('signatures.new.cancel')}
          isForm
          onClose={close}
          onConfirm={() => {
            setTried(true)
            if (!isNamed) return
            close()
            setName('')
            onCreate(name.trim(), like === SHORT ? null : like)
          }}
        >
          <div className={stack['gapM']}>
            <p>{means}</p>
            <Field
              label={t('signatures.rules.name')}
              type="text"
              maxLength={MAX_NAME_CHARACTERS}
              value={name}
              problem={isTried && !isNamed ? t('signatures.problem.empty') : null}
              onChange={({ currentTarget: { value } }) => setName(value)}
            />
            {others.length > 0 && (
              <ChoiceField
                label={t('signatures.new.beginWith')}
                value={like}
                onChange={({ currentTarget: { value } }) => setLike(value)}
                options={[
                  [SHORT, short],
                  ...others.map(
                    ({ id, name: each }) => [id, t('signatures.new.copy', { name: each })] as const,
                  ),
                ]}
              />
            )}
          </div>
        </Confirm>
      )}
    </>
  )
}
