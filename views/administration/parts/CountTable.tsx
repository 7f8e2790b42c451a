import { useFormats } from './formats.ts'
import { useShowMore } from './more.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './CountTable.module.css'

const ROWS_AT_ONCE = 8

/** A part of a bar. The width is its share of `scale`, and a line at least. */
export type BarPart = Readonly<{ look: 'bar' | 'rest'; people: number }>

/** A table row with a bar below the previous row, for sighted users only. `scale` is the number of a full bar. */
export const BarRow = ({
  columns,
  parts,
  scale,
}: {
  columns: number
  parts: readonly BarPart[]
  scale: number
}) => (
  <tr aria-hidden="true" className={css['bars']}>
    <td colSpan={columns}>
      <span className={css['track']}>
        {parts.map(
          ({ look, people }) =>
            people > 0 && (
              <span
                key={look}
                className={css[look]}
                style={{ width: `${String(Math.min(1, people / Math.max(1, scale)) * 100)}%` }}
              />
            ),
        )}
      </span>
    </td>
  </tr>
)

/**
 * A table with the number of people per row, and a bar below each row. Shows nothing without rows, and further rows on
 * request.
 *
 * @param scale the number of people of a full bar, so that the bars of several tables can be compared
 */
export function CountTable({
  caption,
  column,
  rows,
  scale,
}: {
  caption: string
  /** The heading of the column with the row names. */
  column: string
  rows: readonly Readonly<{ key: string; name: string; people: number }>[]
  scale: number
}) {
  const t = useTexts()
  const { count } = useFormats()
  const [shown, more] = useShowMore(rows, ROWS_AT_ONCE)
  if (rows.length === 0) return null
  return (
    <div className={css['counts']}>
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
        {shown.map(({ key, name, people }) => (
          <tbody key={key}>
            <tr>
              <th scope="row">{name}</th>
              <td className={css['number']}>{count(people)}</td>
            </tr>
            <BarRow columns={2} parts={[{ look: 'bar', people }]} scale={scale} />
          </tbody>
        ))}
      </table>
      {more}
    </div>
  )
}
