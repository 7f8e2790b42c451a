import { officeFrameName, serveOffice } from '../mailbox/officeWire.ts'
import { openPlayground } from '../openPlayground.tsx'

const pane = new URL(process.env['SIGNET_PANE_URL'] ?? '')

void openPlayground({
  address: pane.href,
  isWatched: false,
  name: (displayLanguage) => officeFrameName({ hostOrigin: location.origin, displayLanguage }),
  serve: (mailbox, frame) => serveOffice(mailbox, frame, pane.origin, window).stop,
})
