import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { useDropArea } from '../../shared/dom/dropping.ts'
import * as buttonCss from '../../shared/Button.module.css'
import * as sharedTextCss from '../../shared/Text.module.css'
import * as textCss from './Text.module.css'
import * as css from './FileField.module.css'

/** The name of the chosen folder, or of each chosen file. */
const namesOf = (files: FileList, isFolder: boolean): string =>
  isFolder
    ? (/^[^/]*/.exec(files[0]?.webkitRelativePath ?? '')?.[0] ?? '')
    : Array.from(files, ({ name }) => name).join(', ')

/**
 * A button that chooses files or a folder, with the chosen name beside it, and its hint and problem below. The same files
 * can be chosen again after they have changed.
 *
 * @param onChoose receives at least one file
 */
export function FileField({
  label,
  hint,
  problem = null,
  isFolder = false,
  isCurrent = true,
  onChoose,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'type' | 'onClick' | 'onChange'> &
  Readonly<{
    label: string
    hint?: string
    /** The problem with the chosen file; null if there is none. */
    problem?: string | null
    isFolder?: boolean
    /** Whether the last choice was made here. Its name is shown only then. */
    isCurrent?: boolean
    onChoose: (files: FileList) => void
  }>) {
  const id = useId()
  const [names, setNames] = useState('')
  const shown = isCurrent ? names : ''
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`]
  const describedBy = [...(hint === undefined ? [] : [hintId]), ...(problem === null ? [] : [problemId])]
  return (
    <div className={css['field']}>
      <div className={css['line']}>
        <label
          className={`${buttonCss['secondary']} ${css['choose']}`}
          data-invalid={problem !== null || undefined}
        >
          <input
            {...input}
            {...(isFolder && { webkitdirectory: '' })}
            type="file"
            className={sharedTextCss['unseen']}
            aria-describedby={describedBy.join(' ') || undefined}
            aria-invalid={problem === null ? undefined : true}
            // Without a value, the browser reports the same file again.
            onClick={({ currentTarget }) => {
              currentTarget.value = ''
            }}
            onChange={({ currentTarget: { files } }) => {
              if (!files || files.length === 0) return
              setNames(namesOf(files, isFolder))
              onChoose(files)
            }}
          />
          {label}
        </label>
        <span className={css['names']} title={shown}>
          {shown}
        </span>
      </div>
      {hint !== undefined && (
        <p id={hintId} className={textCss['quiet']}>
          {hint}
        </p>
      )}
      {problem !== null && (
        <p id={problemId} className={textCss['warning']}>
          {problem}
        </p>
      )}
    </div>
  )
}

/** An area that takes dropped files, around the fields that choose them. */
export function DropZone({
  onDrop,
  children,
}: {
  onDrop: (data: DataTransfer) => void
  children: ReactNode
}) {
  const { isOver, dropping } = useDropArea(onDrop)
  return (
    <div className={css['drop']} data-over={isOver} {...dropping}>
      {children}
    </div>
  )
}
