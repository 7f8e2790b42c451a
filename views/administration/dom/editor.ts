import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { PlaceholderProblem } from '../../../streams/organisation/release/placeholders.ts'
import type { MountedEditor, MountEditor } from './mountedEditor.ts'

type Options = Parameters<MountEditor>[1] &
  Readonly<{
    problems: readonly PlaceholderProblem[]
    sayProblem: (problem: PlaceholderProblem) => string
  }>

/**
 * Mounts an editor for each `key` and returns it. Ignores later values of `options.text`, because the editor has its
 * own text. Selects `target.from` to `target.to` once for each value of `target.asked`.
 */
export function useMountedEditor(
  place: RefObject<HTMLElement | null>,
  mount: MountEditor | null,
  key: string,
  options: Options,
  target: Readonly<{ asked: number; from: number; to: number }> | null,
): RefObject<MountedEditor | null> {
  const { words, problems } = options
  const asked = target?.asked ?? null
  const editor = useRef<MountedEditor | null>(null)
  const draw = useEffectEvent((into: HTMLElement, mountInto: MountEditor) => {
    const { text, texts, onEdits, onSelected } = options
    return mountInto(into, { text, texts, words, onEdits, onSelected })
  })
  useLayoutEffect(() => {
    if (!mount || !place.current) return
    const mounted = draw(place.current, mount)
    editor.current = mounted
    return () => {
      editor.current = null
      mounted.destroy()
    }
  }, [mount, place, key])
  useEffect(() => {
    editor.current?.setWords(words)
  }, [words, mount, key])
  const sayProblem = useEffectEvent((problem: PlaceholderProblem) => options.sayProblem(problem))
  useEffect(() => {
    editor.current?.setProblems(
      problems.map((problem) => ({ from: problem.at, to: problem.end, message: sayProblem(problem) })),
    )
  }, [problems, mount, key])
  const goThere = useEffectEvent(() => {
    if (target) editor.current?.goTo(target.from, target.to)
  })
  useEffect(() => {
    if (asked !== null) goThere()
  }, [asked, mount, key])
  return editor
}
