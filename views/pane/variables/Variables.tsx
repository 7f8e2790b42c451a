import { App } from '../../../streams/pane/events.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { VariableGroup } from '../../../streams/pane/variables/rules.ts'
import { selectMissingPaths, selectVariableGroups } from '../../../streams/pane/variables/selectors.ts'
import { useAppState, useRecording } from '../app.tsx'
import { AtFoot } from '../frame/Foot.tsx'
import { FailureNotice } from '../frame/FailureNotice.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { PictureChoice } from './PictureChoice.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SkeletonField } from '../frame/Skeleton.tsx'
import { VariableField } from './VariableField.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import * as css from './Variables.module.css'
import * as stack from '../../shared/Stack.module.css'

const GROUP_TEXTS = {
  NULL: 'details.groupUser',
  default: 'details.groupDirectory',
  product: 'details.groupProduct',
  custom: 'details.groupOrganisation',
} as const satisfies Record<VariableGroup, TextKey>

/** The user's details that signatures show: the picture and the variables. */
export function View() {
  const t = useTexts()
  const retry = useRecording()(App.retryRequested())
  const groups = useAppState(selectVariableGroups)
  const load = useAppState(({ variables }) => variables.load)
  const missing = useAppState(selectMissingPaths)
  return (
    <div className={stack['page']}>
      <h1>{t('tab.details')}</h1>
      <PictureChoice />
      {missing.length > 0 && (
        <Notice tone="info">
          <p>{t('details.missing', { count: missing.length })}</p>
        </Notice>
      )}
      {groups.map(({ group, variables }) => (
        <fieldset key={group} className={css['group']}>
          <legend>{t(GROUP_TEXTS[group])}</legend>
          {variables.map((variable) => (
            <VariableField
              key={variable.path}
              variable={variable}
              isMissing={missing.includes(variable.path)}
            />
          ))}
        </fieldset>
      ))}
      {groups.length === 0 && (load.status === 'pending' || load.status === 'idle') && (
        <div aria-busy="true" className={stack['gapM']}>
          <SkeletonField />
          <SkeletonField />
          <SkeletonField />
        </div>
      )}
      {groups.length === 0 && load.status === 'success' && <p>{t('details.empty')}</p>}
      <FailureNotice
        title="details.loadFailed"
        failure={failureOf(load)}
        purpose="loadDetails"
        onRetry={retry}
      />
      <AtFoot>
        <SaveBar />
      </AtFoot>
    </div>
  )
}
