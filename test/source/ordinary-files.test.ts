import { expect, test } from 'vitest';
import { encodingOf } from '../../src/source/encoding.ts';
import { fittingEncodings } from '../../src/source/fitting-encodings.ts';
import { directoryWith, key, places, readFiles, refusal, table } from './temporary-export.ts';

/** The bytes of a text in an encoding with a byte for each character. */
function bytesIn(encoding: string, text: string): Buffer {
  const codes = new Map(
    Array.from({ length: 256 }, (_, byte) => [encodingOf(Buffer.of(byte), encoding).lenient(Buffer.of(byte)).toString(), byte]), // prettier-ignore
  );
  return Buffer.from(Array.from(text, (sign) => codes.get(sign) ?? 63));
}

/** A thousand rows of names, places and signs. */
function fileOf(names: readonly string[], signs: readonly string[]): string {
  const of = (list: readonly string[], at: number): string => list[at % list.length] ?? '';
  const rows = Array.from(
    { length: 1000 },
    (_, at) => `A-${1000 + at},${of(names, at)},${of(signs, at)},${at}\n`,
  );
  return `${key},name,note,no\n${rows.join('')}`;
}

test.each([
  [
    'UK',
    'windows-1252',
    ['Smith', 'O’Brien', 'Jones', 'Zoë Siân'],
    ['£45.20', 'PAYG£10', '5 m³', '“cash”', '½ day', 'A–B', '20°C'],
  ],
  ['UK, without a letter beyond ASCII', 'windows-1252', ['Smith', 'Jones'], ['£45.20', 'PAYG£10', 'cost £3']],
  [
    'Catalan',
    'windows-1252',
    ['Núria Puig', 'Església', 'Lluïsa', 'Plaça', 'Vilanova i la Geltrú'],
    ['Paral·lel', 'col·legi', '12 €', '1º 2ª', '«nota»'],
  ],
  [
    'Polish',
    'windows-1250',
    ['Łukasz Wiśniewski', 'Żółkiewska', 'Kraków', 'Gdańsk', 'PAWEŁ'],
    ['5 zł', '12 €', '„nota”', '20°C', '§ 5'],
  ],
  [
    'Czech',
    'windows-1250',
    ['Dvořák', 'Růžena Nováková', 'Příbram', 'Žďár'],
    ['5 Kč', '„pozn.“', '20 °C', '§ 12', 'č. 5'],
  ],
  [
    'Turkish',
    'windows-1254',
    ['Yılmaz', 'Gökçe Şahin', 'İstanbul', 'Beşiktaş', 'Çağlar Öztürk'],
    ['5 TL', '20°', '“not”', '§ 4', '€10'],
  ],
  [
    'Lithuanian',
    'windows-1257',
    ['Žemaitienė', 'Jonas Kazlauskas', 'Šiauliai', 'Ąžuolų g.', 'Rūta Grybaitė'],
    ['12 €', '„pastaba“', '5 m³', '20°'],
  ],
  [
    'Latvian',
    'windows-1257',
    ['Jānis Bērziņš', 'Rīga', 'Liepāja', 'Ķeguma iela', 'Ģertrūde'],
    ['12 €', '5 m²', '“piezīme”'],
  ],
  ['Estonian', 'windows-1252', ['Jõgi', 'Mägi', 'Tõnu Sööt', 'Põlva', 'Žanna'], ['12 €', '5 m³']],
] as const)('an ordinary file is read in its encoding: %s', async (_land, encoding, names, signs) => {
  const text = fileOf(names, signs);
  const found = await readFiles({ 'accounts.csv': bytesIn(encoding, text) });
  expect(found.tables[0]).toMatchObject({ encoding, isEncodingGuess: true });
  const read = [...found.bundles.values()].map((bundle) => bundle.records('accounts')[0]?.fields);
  const expected = text
    .split('\n')
    .slice(1, -1)
    .map((row) => row.split(','));
  expect(read.map((fields) => [fields?.[key], fields?.['name'], fields?.['note'], fields?.['no']])).toEqual(
    expected,
  );
});

test.each([
  ['Greek', 'windows-1253', ['Παπαδόπουλος', 'Αθήνα', 'Οδός Ερμού', 'Ιωάννα'], ['12 €', '20°', '«σημ.»']],
  ['Russian', 'windows-1251', ['Иванов', 'Москва', 'улица Ленина'], ['№ 5', '12 €']],
  ['Russian of Unix', 'koi8-r', ['Иванов', 'Москва', 'улица Ленина'], ['20°']],
  ['Hebrew', 'windows-1255', ['כהן', 'ירושלים', 'רחוב הרצל'], ['12 ₪']],
] as const)(
  'a file in another script is no guess, and what fits is proposed: %s',
  async (_land, encoding, names, signs) => {
    const found = await readFiles({ 'accounts.csv': bytesIn(encoding, fileOf(names, signs)) });
    const [problem] = found.bundles.get('A-1000')?.problems ?? [];
    expect(problem).toMatchObject({ code: 'invalid_encoding' });
    expect(problem?.detail).toContain(`: ${encoding} (${names[0]}`);
  },
);

test.each([
  ['PAYG£', 'PAYG£', 'PAYGŁ', 'windows-1250'],
  ['Lefèvre', 'Lefèvre', 'Lefčvre', 'windows-1250'],
])('a word that decides nothing is refused, in both readings: %s', async (word, one, other, encoding) => {
  const root = directoryWith({
    'accounts.csv': bytesIn('windows-1252', `${key},name\nA-1,Ann\nA-2,${word}\n`),
  });
  const problems = await refusal(root, [table('accounts.csv')]);
  expect(places(problems)).toEqual(['undecided_encoding - accounts.csv:3:']);
  expect(problems[0]?.detail).toContain(`may be in windows-1252 (${one}) or in ${encoding} (${other})`);
});

test.each([
  ['shift_jis', '8e52936391be98592c938c8b9e9373', '山田太郎'],
  ['euc-jp', 'bbb3c5c4c2c0cfba2cc5ecb5fec5d4', '山田太郎'],
  ['gbk', 'cdf5d0a1c3f72cb1b1beaecad0', '王小明'],
  ['big5', 'a4fda470a9fa2ca578a55fa5ab', '王小明'],
  ['euc-kr', 'b1e8bfb5c8f12cbcadbfefbdc3', '김영희'],
])('East Asian bytes are told apart: %s', (encoding, hex, example) => {
  expect(fittingEncodings(Buffer.from(hex.replaceAll(', ', '2c'), 'hex'))[0]).toEqual({
    name: encoding,
    example,
  });
});
