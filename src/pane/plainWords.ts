import type { Language } from '../../streams/wire/languages.ts'

type PlainWords = Readonly<{ what: string; meaning: string; action: string; reload: string }>

/** The texts for a pane whose screen could not be loaded, because the texts of the views are missing too. */
const WORDS: Readonly<Record<Language, PlainWords>> = {
  de: {
    what: 'Signet konnte nicht vollständig geladen werden',
    meaning:
      'Ihre Standardsignatur wird trotzdem in Nachrichten eingefügt. An Ihrem Text ändert sich nichts.',
    action: 'Prüfen Sie die Verbindung, und laden Sie Signet dann neu.',
    reload: 'Neu laden',
  },
  en: {
    what: 'Signet didn’t load completely',
    meaning: 'Your default signature goes into messages all the same. Your text stays as it is.',
    action: 'Check the connection, then reload Signet.',
    reload: 'Reload',
  },
  es: {
    what: 'Signet no se ha cargado por completo',
    meaning: 'Tu firma predeterminada se sigue insertando en los mensajes. Tu texto no cambia.',
    action: 'Comprueba la conexión y recarga Signet.',
    reload: 'Recargar',
  },
  fr: {
    what: 'Signet ne s’est pas chargé entièrement',
    meaning:
      'Votre signature par défaut est tout de même insérée dans les messages. Votre texte ne change pas.',
    action: 'Vérifiez la connexion, puis rechargez Signet.',
    reload: 'Recharger',
  },
  it: {
    what: 'Signet non è stato caricato completamente',
    meaning: 'La tua firma predefinita viene comunque inserita nei messaggi. Il tuo testo non cambia.',
    action: 'Controlla la connessione, poi ricarica Signet.',
    reload: 'Ricarica',
  },
  nl: {
    what: 'Signet is niet volledig geladen',
    meaning: 'Je standaardhandtekening komt toch in berichten. Je tekst verandert niet.',
    action: 'Controleer de verbinding en laad Signet dan opnieuw.',
    reload: 'Opnieuw laden',
  },
  pt: {
    what: 'O Signet não foi carregado por completo',
    meaning: 'A sua assinatura predefinida é inserida nas mensagens na mesma. O seu texto não muda.',
    action: 'Verifique a ligação e recarregue o Signet.',
    reload: 'Recarregar',
  },
  'pt-BR': {
    what: 'O Signet não foi carregado por completo',
    meaning: 'Sua assinatura padrão é inserida nas mensagens mesmo assim. Seu texto não muda.',
    action: 'Verifique a conexão e recarregue o Signet.',
    reload: 'Recarregar',
  },
}

/** Shows a message in place of a screen that could not be loaded: what happened, what it means, what to do. */
export function drawPlainWords(element: Element, language: Language): void {
  const { what, meaning, action, reload } = WORDS[language]
  const create = <Name extends keyof HTMLElementTagNameMap>(name: Name, text: string) => {
    const created = document.createElement(name)
    created.textContent = text
    return created
  }
  const button = create('button', reload)
  button.type = 'button'
  button.addEventListener('click', () => {
    location.reload()
  })
  document.title = what
  const words = create('div', '')
  words.className = 'plain'
  words.role = 'alert'
  words.append(create('h1', what), create('p', meaning), create('p', action), button)
  const page = create('main', '')
  page.append(words)
  element.replaceChildren(page)
}
