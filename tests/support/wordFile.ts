// A signature as Word saves it: few words, and a lot of data for Word's own editor.
import { drawnPng } from './drawnPng.ts'

const LATENT = Array.from(
  { length: 376 },
  (_, index) =>
    `  <w:LsdException Locked="false" SemiHidden="true" UnhideWhenUsed="true" Name="heading ${String(index)}"/>`,
).join('\n')

const LISTS = Array.from(
  { length: 90 },
  (_, index) =>
    ` @list l${String(index)}:level1\n\t{mso-level-number-format:bullet;\n\tmso-level-text:;\n\tmso-level-tab-stop:none;\n\tmargin-left:36.0pt;\n\ttext-indent:-18.0pt;\n\tfont-family:Symbol;}`,
).join('\n')

const STYLES = Array.from(
  { length: 60 },
  (_, index) =>
    `p.MsoToc${String(index)}, li.MsoToc${String(index)}, div.MsoToc${String(index)}\n\t{mso-style-unhide:no;\n\tmso-style-link:"Title Char";\n\tmargin:0cm;\n\tmso-pagination:widow-orphan;\n\tfont-size:28.0pt;\n\tfont-family:"Calibri Light",sans-serif;}`,
).join('\n')

const paragraph = (text: string, style = '') =>
  `<p class=MsoNormal style='mso-margin-top-alt:auto;mso-margin-bottom-alt:auto;mso-line-height-alt:\n11.0pt;${style}'><span lang=EN-US style='font-size:10.0pt;font-family:"Arial",sans-serif;\nmso-fareast-font-family:"Times New Roman";color:#1F497D;mso-ansi-language:EN-US;mso-no-proof:yes'>${text}<o:p></o:p></span></p>\n\n`

/** @param rows how many paragraphs follow the first ones */
export function wordFile(
  rows: number,
): Readonly<{ html: string; pictures: ReadonlyMap<string, Uint8Array> }> {
  const picture = (index: number) =>
    `<!--[if gte vml 1]><v:shapetype id="_x0000_t75" coordsize="21600,21600" o:spt="75" path="m@4@5l@4@11@9@11@9@5xe"><v:stroke joinstyle="miter"/><v:formulas><v:f eqn="if lineDrawn pixelLineWidth 0"/></v:formulas></v:shapetype><v:shape id="Picture_x0020_${String(index)}" style='width:72pt;height:36pt'><v:imagedata src="sig_files/image00${String(index)}.png" o:title=""/></v:shape><![endif]--><![if !vml]><img border=0 width=96 height=48 src="sig_files/image00${String(index)}.png" v:shapes="Picture_x0020_${String(index)}"><![endif]>`
  const html = `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word"
xmlns="http://www.w3.org/TR/REC-html40">

<head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=ProgId content=Word.Document>
<meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="sig_files/filelist.xml">
<link rel=themeData href="sig_files/themedata.thmx">
<!--[if gte mso 9]><xml>
 <w:WordDocument><w:View>Normal</w:View><w:Zoom>0</w:Zoom><w:TrackMoves/></w:WordDocument>
</xml><![endif]--><!--[if gte mso 9]><xml>
 <w:LatentStyles DefLockedState="false" DefUnhideWhenUsed="false" LatentStyleCount="376">
${LATENT}
 </w:LatentStyles>
</xml><![endif]-->
<style>
<!--
 /* Font Definitions */
 @font-face
\t{font-family:"Cambria Math";
\tpanose-1:2 4 5 3 5 4 6 3 2 4;}
 /* Style Definitions */
 p.MsoNormal, li.MsoNormal, div.MsoNormal
\t{mso-style-unhide:no;
\tmso-style-qformat:yes;
\tmargin:0cm;
\tmso-pagination:widow-orphan;
\tfont-size:11.0pt;
\tfont-family:"Calibri",sans-serif;
\tmso-fareast-font-family:Calibri;}
a:link, span.MsoHyperlink
\t{mso-style-priority:99;
\tcolor:#0563C1;
\ttext-decoration:underline;}
${STYLES}
${LISTS}
@page WordSection1
\t{size:612.0pt 792.0pt;
\tmargin:72.0pt 72.0pt 72.0pt 72.0pt;}
div.WordSection1
\t{page:WordSection1;}
-->
</style>
<!--[if gte mso 10]>
<style>
 /* Style Definitions */
 table.MsoNormalTable
\t{mso-style-name:"Table Normal";}
</style>
<![endif]-->
</head>

<body lang=EN-GB link="#0563C1" vlink="#954F72" style='tab-interval:36.0pt;word-wrap:break-word'>

<div class=WordSection1>

${paragraph('<b>Maria Silva</b>')}${paragraph('Head of Sales')}${paragraph('&nbsp;')}<table class=MsoNormalTable border=0 cellspacing=0 cellpadding=0 style='border-collapse:collapse;mso-yfti-tbllook:1184;mso-padding-alt:0cm 5.4pt 0cm 5.4pt'>
 <tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'>
  <td width=120 valign=top style='width:90.0pt;border:none;border-right:solid #7F7F7F 1.0pt;mso-border-right-alt:solid #7F7F7F .5pt;padding:0cm 5.4pt 0cm 5.4pt'>
  <p class=MsoNormal>${picture(1)}</p>
  </td>
  <td valign=top style='padding:0cm 5.4pt 0cm 5.4pt'>
  ${paragraph('T <a href="tel:+493012340">+49 30 1234-0</a>')}${paragraph('<b></b>')}
  ${picture(2)}
  </td>
 </tr>
</table>

${Array.from({ length: rows }, (_, index) => paragraph(`Line ${String(index)} of a <span class=SpellE>legal</span> notice of Northwind Trading.`, 'text-align:justify')).join('')}
<p class=MsoNormal><o:p>&nbsp;</o:p></p>

</div>

</body>

</html>
`
  return {
    html,
    pictures: new Map([
      ['sig_files/image001.png', drawnPng(96, 48, 0x2a8a8c)],
      ['sig_files/image002.png', drawnPng(96, 48, 0xc05a20)],
    ]),
  }
}
