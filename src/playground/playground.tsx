import { serveMailbox } from '../mailbox/serve.ts'
import { openPlayground } from './PlaygroundPage.tsx'

void openPlayground({
  address: 'pane.html',
  serve: (mailbox, pane) => serveMailbox(mailbox, pane, location.origin, window),
})
