import { expect, it } from 'vitest';
import { windowsNameFault } from '../../src/domain/windows-name.ts';

it.each([
  ...[
    'NUL',
    'nul.txt',
    'out/aux',
    'CON/report.html',
    'Prn.tar.gz',
    'COM1',
    'lpt9.csv',
    'COM¹.csv',
    'CONOUT$',
  ],
  ...['NUL:', 'nul .txt', String.raw`C:\nights\aux.ndjson`, String.raw`\\?\C:\nul`],
])('%s is a device on Windows', (path) => {
  expect(windowsNameFault(path, 'win32')).toMatch(/name of a device/);
});

it.each(['a<b', 'a>b', 'report:stream.html', 'a"b', 'a|b', 'why?', '*.csv', 'C:a:b', 'bell\u0007'])(
  '%s has a character that no name has on Windows',
  (path) => {
    expect(windowsNameFault(path, 'win32')).toMatch(/has a character/);
  },
);

it.each(['report.', 'report ', 'out./report.html', String.raw`C:\nights \report.html`, 'report...'])(
  'Windows removes the end of a part of "%s"',
  (path) => {
    expect(windowsNameFault(path, 'win32')).toMatch(/ends with a dot or a blank/);
  },
);

it.each([
  ...[
    'report.html',
    '../out/Käufer 1.csv',
    './a',
    'console.log',
    'nullable',
    'com10',
    'COM.csv',
    'auxiliary.csv',
    '-',
  ],
  ...[String.raw`C:\nights\report.html`, 'C:report.html', 'C:/nights/a', String.raw`\\server\share\a`],
  ...[String.raw`\\?\C:\nights\a`, String.raw`out\.hidden`, '', 'a//b'],
])('%s is a name on Windows', (path) => {
  expect(windowsNameFault(path, 'win32')).toBeUndefined();
});

it.each(['linux', 'darwin'] as const)('on %s, all of these are names', (system) => {
  expect(['NUL', 'a:b', 'report.'].map((path) => windowsNameFault(path, system))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
