import { useTranslation } from 'react-i18next'
import type { Attachment } from '../mailbox/model.ts'
import { Icon } from '../design/Icon.tsx'
import { IconButton } from '../design/IconButton.tsx'
import * as design from '../design/design.module.css'
import * as css from './mailClient.module.css'

/** The attachments of a message. Inline images, which Outlook hides, are in a collapsed list. */
export function AttachmentBar(props: {
  attachments: readonly Attachment[]
  onRemove: ((id: string) => void) | null
}) {
  const { attachments, onRemove } = props
  const { t } = useTranslation()
  const files = attachments.filter(({ isInline }) => !isInline)
  const inline = attachments.filter(({ isInline }) => isInline)
  if (attachments.length === 0) return null
  return (
    <section className={css.attachments} aria-label={t('attachments.label')}>
      {files.length > 0 && <Chips attachments={files} icon="attachment" onRemove={onRemove} />}
      {inline.length > 0 && (
        <details>
          <summary>{t('attachments.inline', { count: inline.length })}</summary>
          <Chips attachments={inline} icon="image" onRemove={onRemove} />
        </details>
      )}
    </section>
  )
}

function Chips(props: {
  attachments: readonly Attachment[]
  icon: 'attachment' | 'image'
  onRemove: ((id: string) => void) | null
}) {
  const { t, i18n } = useTranslation()
  const { attachments, icon, onRemove } = props
  return (
    <ul className={css.chips}>
      {attachments.map(({ id, name, size }) => (
        <li key={id} className={css.chip}>
          <Icon name={icon} />
          <span className={design.oneLine}>{name}</span>
          <span className={css.chipSize}>{formatSize(size, i18n.language)}</span>
          {onRemove && (
            <IconButton
              icon="dismiss"
              label={t('attachments.remove', { name })}
              onClick={() => onRemove(id)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

const UNITS = [
  { unit: 'megabyte', bytes: 1_000_000 },
  { unit: 'kilobyte', bytes: 1_000 },
] as const

/** A size in bytes as text: `4.2 kB`. */
function formatSize(size: number, language: string): string {
  const { unit, bytes } = UNITS.find((each) => size >= each.bytes) ?? { unit: 'byte', bytes: 1 }
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const shape = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, shape).format(size / bytes)
}
