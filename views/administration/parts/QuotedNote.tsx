/** What somebody wrote to a question or an answer; nothing without words. */
export const QuotedNote = ({ note }: { note: string }) =>
  note !== '' && (
    <p>
      <q>{note}</q>
    </p>
  )
