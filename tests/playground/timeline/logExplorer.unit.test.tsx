import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, test } from 'vitest'
import { loadTexts } from '../../../src/playground/text.ts'
import { firstEventNumber } from '../../../src/playground/timeline/history.ts'
import { LogExplorer } from '../../../src/playground/timeline/LogExplorer.tsx'
import { openLog } from '../../../src/playground/timeline/openLog.ts'
import { App, type LoggedEvent } from '../../../streams/pane/events.ts'
import { createLogWriter } from '../../../streams/pane/logFile.ts'
import { logOf, textOf } from '../../support/state.ts'

const log = logOf<LoggedEvent>(...Array.from({ length: 20 }, () => App.started()))

/** What the timeline shows of a log whose oldest events were folded. */
async function drawn(folded: number, language: string): Promise<string> {
  const writer = createLogWriter({ software: '1.2.3', stage: { production: true, beta: false } })
  writer.fold(log.slice(0, folded))
  const opened = openLog(textOf(writer.write(log.slice(folded))))
  if ('problem' in opened) throw new Error(opened.problem)
  const { file, history } = opened
  const end = firstEventNumber(file.events) + file.events.length
  return renderToStaticMarkup(
    <I18nextProvider i18n={await loadTexts(language)}>
      <LogExplorer log={file.events} end={end} history={history} isLive={false} />
    </I18nextProvider>,
  )
}

test.each([
  ['en', 'Begins at event 17.'],
  ['de', 'Beginnt bei Ereignis 17.'],
  ['es', 'Empieza en el evento 17.'],
  ['fr', 'Commence à l’événement 17.'],
  ['it', 'Inizia dall’evento 17.'],
  ['nl', 'Begint bij gebeurtenis 17.'],
  ['pt', 'Começa no evento 17.'],
])('a log without its oldest events says in %s where it begins', async (language, words) => {
  expect(await drawn(17, language)).toContain(words)
})

test('a whole log does not', async () => {
  expect(await drawn(0, 'en')).not.toContain('Begins at event')
})
