/** Quotes the note of a question or an answer. Draws nothing for an empty note. */
export const QuotedNote = ({ note }: { note: string }) =>
  note !== '' && (
    <p>
      <q>{note}</q>
    </p>
  )
