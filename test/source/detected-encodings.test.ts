import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { directoryWith, key, problemsOf, readAll, readFiles, table } from './temporary-export.ts';
import { bytesOf, type beyondLatin1 } from './western-bytes.ts';

/** The encoding that a file with this name in it is read in, and the name as it is read. */
async function read(name: string, encoding: keyof typeof beyondLatin1): Promise<unknown[]> {
  const found = await readFiles({
    'accounts.csv': bytesOf(`${key},name\nA-1,Ann\nA-2,"${name}"\n`, encoding),
  });
  const [accounts] = found.tables;
  return [
    accounts!.encoding,
    accounts!.isEncodingGuess,
    found.bundles.get('A-2')!.records('accounts')[0]!.fields['name'],
  ];
}

test.each([
  'Müller',
  'Größe, süß',
  'créée à Besançon',
  '12 €',
  '„Spaß …“',
  'O´Brien',
  'O’BRIEN – Žižek',
  '2½ Zimmer, ¼ l, ±3°',
  '½ Jahr',
  '§ 5 Abs. 1',
])('Windows-1252 is found and said to be a guess: %s', async (name) => {
  expect(await read(name, 'windows-1252')).toEqual(['windows-1252', true, name]);
});

test.each(['12 €', '€5', 'Žižek', 'Jože', 'cœur', '5 € für 2 Männer'])(
  'ISO-8859-15 is found and said to be a guess: %s',
  async (name) => {
    expect(await read(name, 'iso-8859-15')).toEqual(['iso-8859-15', true, name]);
  },
);

const central = ['windows-1250', 'iso-8859-2'] as const;

/** A text in one of them. */
function centralBytes(text: string, encoding: (typeof central)[number]): Buffer {
  const decoder = new TextDecoder(encoding);
  const codes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Buffer.from(Array.from(text, (sign) => codes.get(sign) ?? 63));
}

describe.each(central)('%s is found, or one that reads it alike, and said to be a guess', (encoding) => {
  test.each([
    'Žďár nad Sázavou',
    'Dvořák, Příbram',
    'ČÍSLO_ODBĚRATELE',
    'Nováková, Růžena',
    'Žďár',
    'Kráľová, Trenčín, chuť',
    'Łódź, Michał',
    'Świętokrzyska, Gdańsk',
    'SPÓŁKA, Łódź, Kraków',
    'Győr, Szabó Gergő, Török, Hódmezővásárhely',
    'Đurić, Čakovec, Šibenik',
    'Bucureşti, Târgu Mureş, Iaşi',
  ])('%s', async (name) => {
    const found = await readFiles({
      'accounts.csv': centralBytes(`${key},name\nA-1,Ann\nA-2,"${name}"\n`, encoding),
    });
    expect(central).toContain(found.tables[0]!.encoding);
    expect(found.tables[0]!.isEncodingGuess).toBe(true);
    expect(found.bundles.get('A-2')!.records('accounts')[0]!.fields['name']).toBe(name);
  });
});

test.each([
  ['Danish', 'Sørensen Jørgensen Århus Ærø'],
  ['Norwegian', 'Bjørn Grønland Strømstad'],
  ['Swedish', 'Åström Malmö Gävle Västerås'],
  ['French', 'Lefèvre Bérénice Besançon Nîmes Evêque'],
  ['Italian', 'Niccolò Cantù Forlì Virtù Libertà Cefalù'],
  ['Spanish', 'Núñez Peña Ibáñez León Cádiz'],
  ['Portuguese', 'João Conceição Guimarães Évora Portimão'],
  ['Icelandic', 'Þórðarson Guðmundsdóttir Ísafjörður'],
  ['German', 'Müller Größe Weiß Käthe Nm³ Acme®'],
  ['Dutch with a sign', 'Acme® Zoë Nm³ m² «Hallo» 2½ §'],
])('%s is not taken for one of them', async (_language, names) => {
  const rows = names.split(' ').map((name, at) => `A-${at},${name}\n`);
  const found = await readFiles({ 'accounts.csv': Buffer.from(`${key},name\n${rows.join('')}`, 'latin1') });
  expect(found.tables[0]).toMatchObject({ encoding: 'windows-1252', isEncodingGuess: true });
});

test('a single word that both have a letter for is in Windows-1250', async () => {
  const found = await readFiles({
    'accounts.csv': centralBytes(`${key},Obowiązuje od\nA-1,Ann\n`, 'windows-1250'),
  });
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields).toEqual({
    [key]: 'A-1',
    'Obowiązuje od': 'Ann',
  });
});

test('quotes and dashes, which are control characters in ISO-8859-2, decide against it', async () => {
  const name = 'Dvořák „U Jiříka“ – Plzeň';
  const found = await readFiles({
    'accounts.csv': centralBytes(`${key},name\nA-1,${name}\n`, 'windows-1250'),
  });
  expect(found.tables[0]!.encoding).toBe('windows-1250');
  expect(found.bundles.get('A-1')!.records('accounts')[0]!.fields['name']).toBe(name);
});

test('bytes that only one of them has decide, though others are more', async () => {
  expect(await read('¤ ¤ ¤ 5 €', 'windows-1252')).toEqual(['windows-1252', true, '¤ ¤ ¤ 5 €']);
});

test.each([
  ['Cyrillic', [0xc8, 0xe2, 0xe0, 0xed, 0xee, 0xe2]],
  ['that of DOS (Příbram)', [0x50, 0xfd, 0xa1, 0x62, 0x72, 0x61, 0x6d]],
  ['Greek', [0xc1, 0xe8, 0xde, 0xed, 0xe1]],
  ['that of DOS (ü)', [0x4d, 0x81, 0x6c, 0x6c, 0x65, 0x72]],
  ['that of DOS (ö)', [0x4b, 0x94, 0x6c, 0x6e]],
  ['that of DOS (é)', [0x43, 0x82, 0x6c, 0x69, 0x6e, 0x65]],
  ['Japanese', [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]],
])(
  'a file in another encoding, such as %s, is not read as one of them, and its rows say so',
  async (_name, bytes) => {
    const found = await readFiles({
      'accounts.csv': Buffer.concat([
        Buffer.from(`${key},name\nA-1,`),
        Buffer.from(bytes),
        Buffer.from('\n'),
      ]),
    });
    expect(found.tables[0]!.encoding).toBe('utf-8');
    expect(problemsOf(found)).toEqual(['invalid_encoding A-1 accounts.csv:2:name']);
  },
);

test('UTF-8 with some wrong bytes in it stays UTF-8', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => Buffer.from(`A-${at},Müller\n`));
  const wrong = [1, 2, 3].map((at) => Buffer.from(`B-${at},M\xfcller\n`, 'latin1'));
  const found = await readFiles({
    'accounts.csv': Buffer.concat([Buffer.from(`${key},name\n`), ...rows, ...wrong]),
  });
  expect(found.tables[0]).toMatchObject({ encoding: 'utf-8' });
  expect(found.tables[0]!.isEncodingGuess).toBeUndefined();
  expect(problemsOf(found)).toEqual(
    [1, 2, 3].map((at) => `invalid_encoding B-${at} accounts.csv:${41 + at}:name`),
  );
});

test('one byte that Windows-1252 does not have is the problem of its row', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => Buffer.from(`A-${at},M\xfcller\n`, 'latin1'));
  const wrong = Buffer.from('B-1,M\x81ller\n', 'latin1');
  const found = await readFiles({
    'accounts.csv': Buffer.concat([Buffer.from(`${key},name\n`), ...rows, wrong]),
  });
  expect(found.tables[0]).toMatchObject({ encoding: 'windows-1252', isEncodingGuess: true });
  expect(problemsOf(found)).toEqual(['invalid_encoding B-1 accounts.csv:42:name']);
});

test('a file of which many bytes are none of Windows-1252 is not taken for it', async () => {
  const names = ['M\x81ller', 'Fr\x94hlich', 'K\x84the', 'Ren\x82e', 'Stra\xe1e'];
  const found = await readFiles({
    'accounts.csv': Buffer.concat([
      Buffer.from(`${key},name\n`),
      ...names.map((name, at) => Buffer.from(`A-${at},${name}\n`, 'latin1')),
    ]),
  });
  expect(found.tables[0]).toMatchObject({ encoding: 'utf-8' });
});

test('signs that look like UTF-8 by chance do not make a file UTF-8', async () => {
  const names = [...Array.from({ length: 40 }, () => 'Jürgen'), '„viel Spaß“'];
  const rows = names.map((name, at) => `A-${100 + at},${name}\n`).join('');
  const found = await readFiles({ 'accounts.csv': bytesOf(`${key},name\n${rows}`, 'windows-1252') });
  expect(found.tables[0]!.encoding).toBe('windows-1252');
  expect([...found.bundles.values()].map((bundle) => bundle.records('accounts')[0]!.fields['name'])).toEqual(
    names,
  );
});

test('the first letter that is not ASCII may be megabytes from the start, in any kind of file', async () => {
  const count = 60_000;
  const name = (at: number): string => (at === count - 1 ? 'Zoë, cœur' : 'x'.repeat(60));
  const accounts = Array.from({ length: count }, (_, at) => `A-${100_000 + at}`);
  const records = accounts.map((account, at) => JSON.stringify({ [key]: account, name: name(at) }));
  const csv = `${key},name\n${accounts.map((account, at) => `${account},"${name(at)}"\n`).join('')}`;
  const root = directoryWith({
    'accounts.csv': bytesOf(csv, 'iso-8859-15'),
    'notes.json': bytesOf(`[${records.join(',\n')}]`, 'iso-8859-15'),
    'documents.ndjson': bytesOf(records.join('\n'), 'iso-8859-15'),
    'extra.csv.gz': gzipSync(bytesOf(csv, 'iso-8859-15')),
  });
  const found = await readAll(
    root,
    ['accounts.csv', 'notes.json', 'documents.ndjson', 'extra.csv'].map((file) => table(file)),
  );
  expect(found.files.map(({ encoding, isEncodingGuess }) => [encoding, isEncodingGuess])).toEqual(
    Array.from({ length: 4 }, () => ['iso-8859-15', true]),
  );
  const last = found.bundles.get(accounts.at(-1)!)!;
  for (const name of ['accounts', 'notes', 'documents', 'extra'])
    expect(last.records(name)[0]!.fields['name']).toBe('Zoë, cœur');
});

test('a file without any such letter is UTF-8, and that is no guess; one that is stated is as stated', async () => {
  const ascii = await readFiles({ 'accounts.csv': `${key}\nA-1\n` });
  expect([ascii.tables[0]!.encoding, ascii.tables[0]!.isEncodingGuess]).toEqual(['utf-8', undefined]);
  const stated = await readFiles(
    { 'accounts.csv': bytesOf(`${key},n\nA-1,½\n`, 'windows-1252') },
    { encoding: 'l9' },
  );
  expect([stated.tables[0]!.encoding, stated.tables[0]!.isEncodingGuess]).toEqual(['iso-8859-15', undefined]);
});
