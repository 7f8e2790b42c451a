import { answerIn } from '../engine/signIn/answer.ts'

// The page at the application's own address is three pages: what comes back from the identity provider lands here, and
// is handed on at once by a chunk with nothing else in it; a mail client's dialog signs in here; otherwise it is the
// pane in a plain browser.
if (answerIn(location)) void import('../engine/signIn/callback.ts').then(({ handAnswerOn }) => handAnswerOn())
else if (new URLSearchParams(location.search).has('dialog'))
  void import('../engine/signIn/dialogPage.ts').then(({ runDialogPage }) => runDialogPage())
else void import('./standalone.tsx').then(({ startStandalonePane }) => startStandalonePane())
