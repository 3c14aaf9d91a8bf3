import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, isJsonObject, numberText, parseJson, stringifyJson } from '../../src/domain/json.ts';

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.nat({ max: 9 }).map(String), minLength, maxLength });

/** Numbers as JSON writes them, up to forty digits on either side of the point. */
const plainNumber = fc
  .tuple(fc.constantFrom('', '-'), digits(1, 40), digits(0, 40))
  .map(([sign, whole, fraction]) => {
    const trimmed = whole.replace(/^0+(?=\d)/, '');
    return `${sign}${trimmed}${fraction === '' ? '' : `.${fraction}`}`;
  });

const numberWithExponent = fc
  .tuple(plainNumber, fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat({ max: 400 }))
  .map(([number, e, exponent]) => `${number}${e}${exponent}`);

describe('parsing and writing JSON', () => {
  it('keeps the exact value of every number, wherever it stands', () => {
    const document = fc.constantFrom(
      (text: string) => text,
      (text: string) => `[1,${text}]`,
      (text: string) => `{"a":{"b":\n\t${text} ,"c":"${text}"}}`,
    );
    fc.assert(
      fc.property(fc.oneof(plainNumber, numberWithExponent), document, (number, write) => {
        const out = stringifyJson(parseJson(write(number)));
        const numbers = (json: string) =>
          [...json.matchAll(/(?<=^|[:,[\s])-?\d[\d.]*(?:[eE][+-]?\d+)?/g)].map(([text]) => text);
        const [kept, meant] = [numbers(out), numbers(write(number))];
        expect(kept).toHaveLength(meant.length);
        for (const [index, text] of meant.entries()) expect(new Big(kept[index]!).eq(text)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the digits themselves where a float could not hold them', () => {
    const text = '{"amount":1234567890.12345678901234500,"id":"12345678901234567890","small":1e-400}';
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it('gives JavaScript’s own numbers where these are exact', () => {
    expect(parseJson('[0.1, 1e3, 12345678901234567890, 9007199254740993]')).toEqual([
      0.1,
      1000,
      new ExactNumber('12345678901234567890'),
      new ExactNumber('9007199254740993'),
    ]);
  });

  it('is otherwise what JavaScript does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ',"exact":12345678901234567890'), (value, more) => {
        const text = `{"value":${JSON.stringify(value)}${more}}`;
        const parsed = parseJson(text);
        expect(isJsonObject(parsed) ? parsed['value'] : undefined).toEqual(
          (JSON.parse(text) as { value: unknown }).value,
        );
        expect(JSON.parse(stringifyJson(parsed))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('takes the last of a repeated key, with long numbers as without', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(parseJson('{"a":1,"a":2,"b":12345678901234567890}')).toMatchObject({ a: 2 });
  });

  it('leaves a __proto__ key a key', () => {
    const parsed = parseJson('{"__proto__":{"a":12345678901234567890}}');
    expect(Object.keys(parsed as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it('takes no text for a number, whatever it begins with', () => {
    expect(
      parseJson(String.raw`{"a":"\u00000","\u00000":"12345678901234567890","b":12345678901234567890}`),
    ).toEqual({
      a: '\u00000',
      '\u00000': '12345678901234567890',
      b: new ExactNumber('12345678901234567890'),
    });
  });

  it('takes what JavaScript takes, and refuses what it refuses', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        ' ',
        '"a"',
        '"a":',
        '1',
        '-',
        '.',
        'e',
        '+',
        'null',
        '\\u0000',
        '\0',
      ],
      ...['12345678901234567890', '-1.234567890123456789', '1e5', '{"a":12345678901234567890}', '[1E400,2]'],
    );
    const takes = (parse: (text: string) => unknown, text: string): boolean => {
      try {
        parse(text);
        return true;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        return false;
      }
    };
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.constantFrom('', '"b":12345678901234567890,'),
        (pieces, more) => {
          for (const text of [pieces.join(''), `{${more}"a":${pieces.join('')}}`])
            expect([text, takes(parseJson, text)]).toEqual([text, takes(JSON.parse, text)]);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it.each([
    ...['', '{', '[1,]', '{"a":12345678901234567890', '[12345678901234567890.]', '[012345678901234567]'],
    ...[
      '{12345678901234567890:1}',
      '[1 12345678901234567890]',
      '["a"12345678901234567890]',
      '[--12345678901234567]',
    ],
  ])('refuses %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('refuses what is nested beyond reason', () => {
    expect(() => parseJson(`${'['.repeat(100_000)}12345678901234567890${']'.repeat(100_000)}`)).toThrow(
      SyntaxError,
    );
  });
});

describe('the digits of a number', () => {
  it.each([
    [1e21, '1000000000000000000000'],
    [1.5e-7, '0.00000015'],
    [1e-25, '0.0000000000000000000000001'],
    [-0.1, '-0.1'],
    [new ExactNumber('1.50'), '1.50'],
    ['007', '007'],
    [null, undefined],
  ])('of %s are %s', (value, text) => {
    expect(numberText(value)).toBe(text);
  });
});
