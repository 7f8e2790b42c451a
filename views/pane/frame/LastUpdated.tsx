import { selectIsListLoading, selectListFailure } from '../../../streams/pane/signatures/selectors.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { useAge } from './age.ts'
import { useAppState, useRecord } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import { Icon } from '../../shared/Icon.tsx'
import * as css from './LastUpdated.module.css'

/**
 * Shows when the signatures were last requested from the service, with a button to request them again. The line has a
 * fixed height.
 */
export function LastUpdated() {
  const t = useTexts()
  const record = useRecord()
  const isSignedIn = useAppState(({ auth }) => auth.status === 'success')
  const checkedAt = useAppState(({ signatures }) => signatures.checkedAt)
  const isChecking = useAppState(selectIsListLoading)
  const isLost = useAppState(({ connection }) => connection.isLost)
  const isOld = useAppState(selectListFailure) !== null || isLost
  if (!isSignedIn) return null
  return (
    <div className={css['line']}>
      {isOld && !isChecking && <Icon name="warning" size={16} />}
      <p>
        {isChecking ? (
          t('lastUpdated.updating')
        ) : checkedAt === null ? (
          t('lastUpdated.never')
        ) : (
          <Age key={checkedAt} since={checkedAt} instead={isLost ? 'lost' : isOld ? 'failed' : 'justNow'} />
        )}
      </p>
      <button
        type="button"
        className={css['again']}
        aria-label={t('lastUpdated.update')}
        title={t('lastUpdated.update')}
        aria-disabled={isChecking}
        onClick={() => {
          if (!isChecking) record(Signatures.refreshRequested())
        }}
      >
        <Icon name="again" size={16} />
      </button>
    </div>
  )
}

/** How long ago the signatures were requested. Under a minute, the text with the key `instead` is shown. */
function Age({ since, instead }: { since: number; instead: 'justNow' | 'lost' | 'failed' }) {
  const t = useTexts()
  const age = useAge(since)
  return age ? t(`lastUpdated.${age.unit}`, { ago: -age.count }) : t(`lastUpdated.${instead}`)
}
