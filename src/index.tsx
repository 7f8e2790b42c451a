import { answerIn } from './identity/answer.ts'

// The page at the application's own address is two pages: what comes back from the identity provider lands here, and
// is handed on at once by a chunk with nothing else in it; otherwise it is the pane in a plain browser.
if (answerIn(location)) void import('./identity/callback.ts').then(({ handAnswerOn }) => handAnswerOn())
else void import('./standalonePane.tsx').then(({ startStandalonePane }) => startStandalonePane())
