import { useFormats } from './formats.ts'
import { useTexts } from '../text/texts.ts'
import * as css from './CountTable.module.css'

/** A table with the number of people per row, and a bar beside each number. Shows nothing without rows. */
export function CountTable({
  caption,
  column,
  rows,
}: {
  caption: string
  /** The heading of the column with the row names. */
  column: string
  rows: readonly Readonly<{ key: string; name: string; people: number }>[]
}) {
  const t = useTexts()
  const { count } = useFormats()
  if (rows.length === 0) return null
  const most = Math.max(1, ...rows.map(({ people }) => people))
  return (
    <table className={css['table']}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{column}</th>
          <th scope="col" className={css['number']}>
            {t('overview.now.people')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, people }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td className={css['number']}>
              {count(people)}
              <span className={css['track']} aria-hidden="true">
                <span className={css['bar']} style={{ width: `${String((people / most) * 100)}%` }} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
