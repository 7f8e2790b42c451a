/** An existing signature, and the template that the service derives from it. */
import type { AdoptedSamples, ReadSample } from '../../../streams/administration/plan/samples.ts'
import type { AdoptedTemplate } from '../../../streams/organisation/adopt/adopted.ts'
import { alex, bannerPicture } from './plans.ts'

export const sample = (over: Partial<ReadSample> = {}): ReadSample => ({
  name: 'Corporate.htm',
  files: [
    { path: 'Corporate.htm', base64: 'PHA+PC9wPg==' },
    { path: 'Corporate_files/image001.png', base64: bannerPicture.base64 },
  ],
  ...over,
})

/** The path of the picture in the adopted signature. */
export const ADOPTED_PICTURE = `adopted/${bannerPicture.hash}.png`

export const adopted = (over: Partial<AdoptedTemplate> = {}): AdoptedTemplate => ({
  name: 'Corporate',
  template: `<table><tr><td><img src="{{picture ${ADOPTED_PICTURE}}}" alt="N" width="60" height="15"></td><td>{{display_name}}{{#if phone}}<br><a href="tel:{{tel phone}}">{{phone}}</a>{{/if}}</td></tr></table>`,
  original: `<table><tr><td><img src="{{picture ${ADOPTED_PICTURE}}}" alt="N" width="60" height="15"></td><td>Alex Kim<br><a href="tel:+49305550">+49 30 55 50</a></td></tr></table>`,
  pictures: [{ path: ADOPTED_PICTURE, base64: bannerPicture.base64 }],
  linked: ['https://pictures.northwind.example/a-picture-with-a-name-that-is-longer-than-most.png'],
  unusedFiles: [],
  takenOut: [
    { name: 'script', kind: 'element', reason: 'active', count: 1 },
    { name: 'image002.png', kind: 'picture', reason: 'missing', count: 2 },
    { name: 'o:p', kind: 'element', reason: 'noise', count: 12 },
    { name: 'mso-fareast-font-family', kind: 'style', reason: 'noise', count: 31 },
  ],
  placeholders: [
    { placeholder: '{{display_name}}', replaced: 'Alex Kim', value: 'Alex Kim', because: 'same', others: [] },
    {
      placeholder: '{{phone}}',
      replaced: '+49 30 55 50',
      value: '+49 30 5550',
      because: 'written',
      others: ['mobile_phone'],
    },
    {
      placeholder: '{{tel phone}}',
      replaced: '+49305550',
      value: '+49 30 5550',
      because: 'follows',
      others: [],
    },
  ],
  questions: [{ kind: 'differs', texts: ['Team North', 'Team South'] }],
  variables: [{ path: 'mobile_phone', from: 'mobilePhone' }],
  people: ['alex.kim@northwind.example'],
  ...over,
})

/** A file of each kind that replaces no picture. */
export const unusedFiles: AdoptedTemplate['unusedFiles'] = [
  { path: 'logo.png', reason: 'unclear' },
  { path: 'holiday.png', reason: 'unused' },
  { path: 'drawing.svg', reason: 'unreadable' },
  { path: 'photo.jpg', reason: 'limit' },
]

export const adoptedFor = (over: Partial<AdoptedSamples> = {}): AdoptedSamples => ({
  adopted: adopted(),
  person: alex,
  ...over,
})
