// Thirty typical company signatures: exports from Word and Outlook, output of web generators and banner tools, nested
// tables from the years of Outlook 2003, and signatures typed by hand.

const CDN = 'https://cdn.companies.example'
const PICTURE = `${CDN}/logo.png`

/** A signature's content. Nothing else in a message contains `line`. */
export type Company = Readonly<{
  kind: string
  line: string
  html: string
  /** The URLs of its pictures, in order. */
  pictures: readonly string[]
}>

type Make = (line: string, picture: (name: string) => string) => string

const icon = (name: string, address: string) =>
  `<img src="${address}" width="16" height="16" alt="${name}" border="0">`
const word = 'font-family:"Calibri",sans-serif;mso-fareast-font-family:"Times New Roman"'

const KINDS: readonly (readonly [kind: string, make: Make])[] = [
  ['two paragraphs', (line) => `<p>Kind regards</p><p>${line}</p>`],
  [
    'lines with breaks',
    (line) => `${line}<br>+47 555 0100<br><a href="https://companies.example">companies.example</a>`,
  ],
  [
    'a div for each line',
    (line) => `<div>Best,</div><div><b>${line}</b></div><div>&nbsp;</div><div>Bergen</div>`,
  ],
  [
    'Word: MsoNormal and o:p',
    (line) =>
      `<p class="MsoNormal" style="${word.replaceAll('"', "'")}"><span lang="EN-GB" style="font-size:10.0pt;color:#1F497D">${line}<o:p></o:p></span></p><p class="MsoNormal"><span style="mso-no-proof:yes">&nbsp;</span></p>`,
  ],
  [
    'Word: a table with a logo',
    (line, picture) =>
      `<table class="MsoNormalTable" border="0" cellspacing="0" cellpadding="0" style="border-collapse:collapse;mso-padding-alt:0cm 5.4pt 0cm 5.4pt"><tr style="mso-yfti-irow:0"><td width="120" valign="top" style="width:90.0pt;border:none;border-right:solid #7F7F7F 1.0pt"><p class="MsoNormal"><img width="96" height="48" src="${picture('logo')}"></p></td><td valign="top"><p class="MsoNormal"><b><span style="color:#C00000">${line}</span></b></p></td></tr></table>`,
  ],
  [
    'Word: what only classic Outlook draws',
    (line, picture) =>
      `<!--[if mso]><table width="400"><tr><td><![endif]--><div style="max-width:400px"><img src="${picture('logo')}" width="80"> ${line}</div><!--[if mso]></td></tr></table><![endif]-->`,
  ],
  [
    'a line in the colour of Word’s quotes',
    (line) =>
      `<p>${line}</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p>Org. no. 999 999 999</p></div>`,
  ],
  [
    'a generator: photo, divider and icons',
    (line, picture) =>
      `<table cellpadding="0" cellspacing="0" style="vertical-align:-webkit-baseline-middle;font-size:medium;font-family:Arial"><tbody><tr><td style="vertical-align:top"><img src="${picture('photo')}" width="130" style="border-radius:50%;max-width:128px"></td><td width="46"></td><td style="padding:0;vertical-align:middle"><h2 style="margin:0;font-size:18px">${line}</h2><table><tr><td><a href="https://social.example/a">${icon('Social A', picture('a'))}</a></td><td><a href="https://social.example/b">${icon('Social B', picture('b'))}</a></td></tr></table></td></tr></tbody></table>`,
  ],
  [
    'a generator: everything in nested tables',
    (line, picture) =>
      `<table><tr><td><table><tr><td><table width="100%"><tr><td height="10" style="font-size:1px;line-height:10px">&nbsp;</td></tr></table><table><tr><td>${line}</td></tr></table></td></tr></table></td><td><img src="${picture('logo')}"></td></tr></table>`,
  ],
  [
    'a card with a background',
    (line, picture) =>
      `<table width="420" background="${picture('card')}" style="background-image:url(${picture('card')})" bgcolor="#003366"><tr><td style="padding:24px;color:#ffffff">${line}</td></tr></table>`,
  ],
  [
    'a banner below',
    (line, picture) =>
      `<p>${line}</p><p><a href="https://companies.example/event"><img src="${picture('banner')}" width="600" height="120" alt="Meet us in Oslo"></a></p>`,
  ],
  [
    'only a picture, and its words',
    (line, picture) =>
      `<img src="${picture('card')}" alt="Card"><br><span style="font-size:1px">${line}</span>`,
  ],
  [
    'sliced pictures without a gap',
    (line, picture) =>
      `<table cellspacing="0" cellpadding="0"><tr style="font-size:0"><td><img src="${picture('s1')}" style="display:block"></td></tr><tr><td><img src="${picture('s2')}" style="display:block"></td></tr></table><p>${line}</p>`,
  ],
  [
    'a disclaimer of a law firm',
    (line) =>
      `<p><b>${line}</b></p><p style="font-size:8pt;color:gray">This message and its attachments are confidential. ${'If you are not the person it is meant for, tell the sender and delete it. '.repeat(6)}</p>`,
  ],
  [
    'a rule above',
    (line) =>
      `<hr size="1" width="100%" noshade><font face="Verdana" size="2" color="#333333">${line}</font>`,
  ],
  ['a dash of the old net', (line) => `<pre>-- \n${line}\n+47 555 0100</pre>`],
  ['dashes on both sides', (line) => `<p>-----  ${line}  -----</p>`],
  ['underscores', (line) => `<p>________________________________</p><p>${line}</p>`],
  ['a list of offices', (line) => `<p>${line}</p><ul><li>Oslo</li><li>Bergen</li><li>Tromsø</li></ul>`],
  ['definitions', (line) => `<dl><dt>${line}</dt><dd>Tel. +47 555 0100</dd><dd>Fax +47 555 0101</dd></dl>`],
  [
    'accents and entities',
    (line) => `<p>${line} &ndash; Caf&eacute; R&ouml;sti &amp; S&oslash;nner, Ærø</p>`,
  ],
  ['Japanese', (line) => `<p>よろしくお願いいたします。</p><p>${line}</p><p>株式会社ノースウィンド</p>`],
  [
    'Arabic, from the right',
    (line) => `<div dir="rtl" align="right"><p>مع أطيب التحيات</p><p>${line}</p></div>`,
  ],
  [
    'bold labels as of a header',
    (line) => `<p><b>Name:</b> ${line}<br><b>Phone:</b> +47 555 0100<br><b>Mail:</b> a@companies.example</p>`,
  ],
  [
    'a sheet of styles',
    (line) =>
      `<style>.n{font-weight:bold}.t a{color:#c00}</style><div class="n">${line}</div><div class="t"><a href="tel:+475550100">+47 555 0100</a></div>`,
  ],
  [
    'certificates in a row',
    (line, picture) =>
      `<p>${line}</p><table><tr>${['iso', 'eco', 'fair', 'award'].map((each) => `<td><img src="${picture(each)}" height="40" alt="${each}"></td>`).join('')}</tr></table>`,
  ],
  [
    'the same picture twice',
    (line, picture) =>
      `<table><tr><td><img src="${picture('dot')}"></td><td>${line}</td><td><img src="${picture('dot')}"></td></tr></table>`,
  ],
  [
    'a photo from another place, not attached',
    (line) =>
      `<table><tr><td><img src="https://elsewhere.example/photo.jpg" width="64"></td><td>${line}</td></tr></table>`,
  ],
  [
    'styles of a web editor',
    (line) =>
      `<p style="margin: 0px; color: rgb(32, 31, 30); font-family: &quot;Segoe UI&quot;, sans-serif; background-color: rgb(255, 255, 255);"><span style="color: rgb(0, 112, 192);">${line}</span></p>`,
  ],
  [
    'capitals and old attributes',
    (line, picture) =>
      `<TABLE BORDER=0 CELLPADDING=4><TR><TD NOWRAP ALIGN=left><IMG SRC="${picture('logo')}" HSPACE=4></TD><TD><FONT COLOR=navy>${line}</FONT></TD></TR></TABLE>`,
  ],
]

export const COMPANIES: readonly Company[] = KINDS.map(([kind, make], index) => {
  const line = `Robin Example, desk ${String(index + 1).padStart(2, '0')} of the harbour office`
  const pictures = new Set<string>()
  const picture = (name: string) => {
    const address = PICTURE.replace('logo', `${name}-${String(index + 1)}`)
    pictures.add(address)
    return address
  }
  const html = make(line, picture)
  return { kind, line, html, pictures: [...pictures] }
})
