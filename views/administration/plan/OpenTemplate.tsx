import { useId, useRef, useState } from 'react'
import { editsInField } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import {
  offsetAt,
  placeAt,
  selectProblems,
  selectWords,
} from '../../../streams/administration/plan/selectors.ts'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { useCode } from '../../hooks/code.ts'
import { useMountedEditor } from '../hooks/dom/editor.ts'
import { useTexts } from '../text/texts.ts'
import type { MountEditor } from './editor.ts'
import { problemText } from './words.ts'
import * as stack from '../../parts/Stack.module.css'
import * as css from './Plan.module.css'

const importEditor = (): Promise<MountEditor> =>
  import('./templateEditor.ts').then(({ mountEditor }) => mountEditor)

/**
 * The open template in the editor. A plain text field takes the editor's place until the editor's code is loaded, or
 * when that code cannot be loaded. The list below has the problems of the placeholders, each with its place.
 */
export function OpenTemplate({ load = importEditor }: { load?: () => Promise<MountEditor> }) {
  const open = useAdministrationState(({ plan }) => plan.open)
  const begun = useAdministrationState(({ plan }) => plan.draft?.begun ?? 0)
  if (!open) return null
  // Each template of each draft has an editor of its own, with its own history for undoing.
  return <Editor key={`${String(begun)} ${open.path}`} path={open.path} load={load} />
}

function Editor({ path, load }: { path: string; load: () => Promise<MountEditor> }) {
  const t = useTexts()
  const recording = useRecording()
  const open = useAdministrationState(({ plan }) => plan.open)
  const text = useAdministrationState(({ plan }) => plan.draft?.document.templates[path] ?? '')
  const words = useAdministrationState(({ plan }) => selectWords(plan))
  const found = useAdministrationState(({ plan }) => selectProblems(plan))
  const mount = useCode(load)
  // The text field is not replaced by the editor while it has the focus, because the user may be typing in it.
  const [isTyping, setTyping] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const [hintId, labelId] = [useId(), useId()]
  const ready = typeof mount === 'function' && !isTyping ? mount : null
  const target =
    open?.place && open.path === path
      ? { asked: open.asked, offset: offsetAt(text, open.place.line, open.place.column) }
      : null
  useMountedEditor(
    place,
    ready,
    path,
    {
      text,
      words,
      problems: found,
      sayProblem: (problem) => problemText(problem, t),
      texts: {
        label: t('plan.editor.label', { path }),
        hint: t('plan.editor.hint'),
        completions: t('plan.editor.completions'),
        selectionDeleted: t('plan.editor.selectionDeleted'),
        kinds: {
          variable: t('plan.editor.variable'),
          picture: t('plan.editor.picture'),
          part: t('plan.editor.part'),
          helper: t('plan.editor.helper'),
        },
      },
      onEdits: recording((edits) => Planning.edited({ path, edits })),
    },
    target,
  )
  return (
    <div className={stack['gapS']}>
      <h3 id={labelId} className={css['path']}>
        {path}
      </h3>
      {mount === 'failed' && <p role="status">{t('plan.editor.plain')}</p>}
      {ready ? (
        <div ref={place} />
      ) : (
        <>
          <p id={hintId}>{t('plan.editor.fieldHint')}</p>
          <textarea
            className={css['text']}
            data-waits={mount === null || undefined}
            aria-labelledby={labelId}
            aria-describedby={hintId}
            spellCheck={false}
            autoCapitalize="off"
            value={text}
            onFocus={() => setTyping(true)}
            onBlur={() => setTyping(false)}
            onChange={recording(({ currentTarget: { value } }) =>
              Planning.edited({ path, edits: editsInField(text, value) }),
            )}
          />
        </>
      )}
      <ul className={css['findings']} aria-label={t('plan.editor.problems')}>
        {found.map((problem) => {
          const { line, column } = placeAt(text, problem.at)
          return (
            <li key={`${String(problem.at)} ${problem.code} ${problem.name}`} data-level="error">
              <button
                type="button"
                className={css['link']}
                onClick={recording(Planning.templateOpened({ path, line, column }))}
              >
                {t('plan.editor.place', { line, column })}
              </button>{' '}
              {problemText(problem, t)}
            </li>
          )
        })}
      </ul>
      <p role="status" className={css['quiet']}>
        {found.length > 0 && t('plan.editor.problemCount', { count: found.length })}
      </p>
    </div>
  )
}
