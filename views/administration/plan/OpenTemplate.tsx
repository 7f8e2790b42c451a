import { useId, useRef, useState } from 'react'
import {
  type PaletteAction,
  performAction,
  type TextSelection,
} from '../../../streams/administration/plan/acts.ts'
import { editsInField, offsetInText } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import {
  offsetAt,
  lineAndColumnAt,
  selectTemplateProblems,
  selectEditorWords,
} from '../../../streams/administration/plan/selectors.ts'
import type { OpenTemplate as OpenedTemplate } from '../../../streams/administration/plan/reducer.ts'
import type { PlaceholderProblem } from '../../../streams/organisation/release/placeholders.ts'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { useLoadedCode } from '../../shared/code.ts'
import { typeEditsInField } from '../dom/fieldActs.ts'
import { useMountedEditor } from '../dom/editor.ts'
import { useTexts } from '../text/texts.ts'
import type { MountEditor } from '../dom/mountedEditor.ts'
import { Palette } from './Palette.tsx'
import { placeholderProblemText } from '../text/plan.ts'
import * as planCss from './Plan.module.css'
import * as css from './Workbench.module.css'

const AT_THE_BEGINNING: TextSelection = { from: 0, to: 0 }

const selectionAt = (text: string, place: NonNullable<OpenedTemplate['place']>): TextSelection => {
  if ('from' in place) return place
  const offset = offsetAt(text, place.line, place.column)
  return { from: offset, to: offset }
}

const importEditor = (): Promise<MountEditor> =>
  import('./templateEditor.ts').then(({ mountEditor }) => mountEditor)

/**
 * The open template in the editor, with a list of its problems below. A plain text field replaces the editor until the
 * editor's code is loaded, or if it cannot be loaded.
 */
export function OpenTemplate({ load = importEditor }: { load?: () => Promise<MountEditor> }) {
  const open = useAdministrationState(({ plan }) => plan.open)
  const begun = useAdministrationState(({ plan }) => plan.draft?.begun ?? 0)
  if (!open) return null
  // Each template of each draft has its own editor and undo history.
  return <Editor key={`${String(begun)} ${open.path}`} path={open.path} load={load} />
}

function Editor({ path, load }: { path: string; load: () => Promise<MountEditor> }) {
  const t = useTexts()
  const recording = useRecording()
  const open = useAdministrationState(({ plan }) => plan.open)
  const text = useAdministrationState(({ plan }) => plan.draft?.document.templates[path] ?? '')
  const words = useAdministrationState(({ plan }) => selectEditorWords(plan))
  const found = useAdministrationState(({ plan }) => selectTemplateProblems(plan))
  const document = useAdministrationState(({ plan }) => plan.debounced)
  const selection = useAdministrationState(({ plan }) => plan.selection)
  const selected = selection?.path === path ? selection : AT_THE_BEGINNING
  const mount = useLoadedCode(load)
  // While the text field has the focus, the editor does not replace it, because the user may be typing.
  const [isTyping, setTyping] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const ready = typeof mount === 'function' && !isTyping ? mount : null
  const field = useRef<HTMLTextAreaElement>(null)
  const editor = useMountedEditor(
    place,
    ready,
    path,
    {
      text,
      words,
      problems: found,
      sayProblem: (problem) => placeholderProblemText(problem, t),
      texts: {
        label: t('plan.editor.label', { path }),
        hint: t('plan.editor.hint'),
        completions: t('plan.editor.completions'),
        selectionDeleted: t('plan.editor.selectionDeleted'),
        kinds: {
          variable: t('plan.editor.variable'),
          picture: t('plan.editor.picture'),
          part: t('plan.editor.part'),
          slot: t('plan.editor.slot'),
          helper: t('plan.editor.helper'),
        },
      },
      onEdits: recording((edits) => Planning.edited({ path, edits })),
      onSelected: recording((from, to) => Planning.selected({ path, from, to })),
    },
    open?.place && open.path === path ? { asked: open.asked, ...selectionAt(text, open.place) } : null,
  )
  const record = useGesture()
  const act = (chosen: PaletteAction) => {
    const made = performAction(text, selected, chosen)
    if (editor.current) editor.current.act(made)
    else if (!field.current || !typeEditsInField(field.current, text, made))
      record(Planning.edited({ path, edits: made.edits }))
  }
  return (
    <div className={css['open']}>
      {document && <Palette document={document} text={text} selected={selected} onAct={act} />}
      {mount === 'failed' && <p role="status">{t('plan.editor.plain')}</p>}
      {ready ? (
        <div ref={place} className={css['editor']} />
      ) : (
        <>
          <p id={hintId}>{t('plan.editor.fieldHint')}</p>
          <textarea
            ref={field}
            className={css['text']}
            data-waits={mount === null || undefined}
            aria-label={t('plan.editor.label', { path })}
            aria-describedby={hintId}
            spellCheck={false}
            autoCapitalize="off"
            value={text}
            onFocus={() => setTyping(true)}
            onBlur={() => setTyping(false)}
            onSelect={recording(({ currentTarget: { value, selectionStart, selectionEnd } }) =>
              Planning.selected({
                path,
                from: offsetInText(text, Math.min(selectionStart, value.length)),
                to: offsetInText(text, Math.min(selectionEnd, value.length)),
              }),
            )}
            onChange={recording(({ currentTarget: { value } }) =>
              Planning.edited({ path, edits: editsInField(text, value) }),
            )}
          />
        </>
      )}
      <Mistakes path={path} text={text} problems={found} />
    </div>
  )
}

/** Lists the open template's problems in a box of fixed height, so that a new problem does not move the source. */
function Mistakes({
  path,
  text,
  problems,
}: {
  path: string
  text: string
  problems: readonly PlaceholderProblem[]
}) {
  const t = useTexts()
  const recording = useRecording()
  const findings = useAdministrationState(({ plan }) => plan.findings)
  const placed = problems.map((problem) => ({ ...lineAndColumnAt(text, problem.at), problem }))
  // The service also reports the placeholder problems that the page finds, so these are left out.
  const more = findings.filter(
    ({ file, line, column }) =>
      file === path && !placed.some((each) => each.line === line && each.column === column),
  )
  const goTo = (line: number, column: number) => (
    <button
      type="button"
      className={planCss['link']}
      onClick={recording(Planning.templateOpened({ path, line, column }))}
    >
      {t('plan.editor.place', { line, column })}
    </button>
  )
  return (
    <div className={css['mistakes']}>
      <p role="status" className={planCss['quiet']}>
        {problems.length > 0
          ? t('plan.editor.problemCount', { count: problems.length })
          : more.length === 0 && t('plan.editor.noProblems')}
      </p>
      {placed.length + more.length > 0 && (
        <ul className={planCss['findings']} aria-label={t('plan.editor.problems')}>
          {placed.map(({ line, column, problem }) => (
            <li key={`${String(problem.at)} ${problem.code} ${problem.name}`} data-level="error">
              {goTo(line, column)} {placeholderProblemText(problem, t)}
            </li>
          ))}
          {more.map(({ line, column, level, message }, index) => (
            <li key={`${String(line)} ${String(column)} ${String(index)}`} data-level={level}>
              <strong>{t(level === 'error' ? 'plan.findings.error' : 'plan.findings.warning')}</strong>{' '}
              {goTo(line, column)} <span lang="en">{message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
