import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { PlaceholderProblem } from '../../../../streams/organisation/placeholders.ts'
import type { MountedEditor, MountEditor } from '../../plan/editor.ts'

type Options = Parameters<MountEditor>[1] &
  Readonly<{
    problems: readonly PlaceholderProblem[]
    sayProblem: (problem: PlaceholderProblem) => string
  }>

/**
 * Draws an editor into the element, once for each `key`; a later text is the editor's own. `target` is where the cursor
 * goes: once for each `asked`.
 */
export function useMountedEditor(
  place: RefObject<HTMLElement | null>,
  mount: MountEditor | null,
  key: string,
  options: Options,
  target: Readonly<{ asked: number; offset: number }> | null,
): void {
  const latest = useRef({ options, target })
  const editor = useRef<MountedEditor | null>(null)
  useLayoutEffect(() => {
    latest.current = { options, target }
  })
  useLayoutEffect(() => {
    if (!mount || !place.current) return
    const { text, texts, words } = latest.current.options
    const mounted = mount(place.current, {
      text,
      texts,
      words,
      onEdits: (edits) => {
        latest.current.options.onEdits(edits)
      },
    })
    editor.current = mounted
    return () => {
      editor.current = null
      mounted.destroy()
    }
  }, [mount, place, key])
  const { words, problems } = options
  useEffect(() => {
    editor.current?.setWords(words)
  }, [words, mount, key])
  useEffect(() => {
    const { sayProblem } = latest.current.options
    editor.current?.setProblems(
      problems.map((problem) => ({ from: problem.at, to: problem.end, message: sayProblem(problem) })),
    )
  }, [problems, mount, key])
  const asked = target?.asked ?? null
  useEffect(() => {
    const wanted = latest.current.target
    if (asked !== null && wanted) editor.current?.goTo(wanted.offset)
  }, [asked, mount, key])
}
