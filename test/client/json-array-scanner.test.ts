import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonArrayScanner } from '../../src/client/json-array-scanner.ts';

interface Scanned {
  readonly objects: string[];
  readonly wellFormed: boolean;
  readonly complete: boolean;
}

/** Scans the text in chunks of these sizes, over and over. */
function scan(text: string, sizes: readonly number[] = [Infinity]): Scanned {
  const bytes = Buffer.from(text);
  const objects: string[] = [];
  const scanner = new JsonArrayScanner((object) => {
    objects.push(object.toString());
    return true;
  });
  let wellFormed = true;
  for (let at = 0, turn = 0; at < bytes.length && wellFormed; turn++) {
    const end = Math.min(bytes.length, at + (sizes[turn % sizes.length] ?? 1));
    wellFormed = scanner.push(bytes.subarray(at, end));
    at = end;
  }
  return { objects, wellFormed, complete: wellFormed && scanner.complete };
}

const parse = (text: string): unknown => JSON.parse(text);
const record = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });

describe('a JSON array of objects', () => {
  it('gives its objects, wherever it is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(record),
        fc.constantFrom(undefined, 1, '\r\n\t'),
        sizes,
        (records, indent, cuts) => {
          const scanned = scan(JSON.stringify(records, undefined, indent), cuts);
          expect(scanned.complete).toBe(true);
          expect(scanned.objects.map((object) => parse(object))).toEqual(parse(JSON.stringify(records)));
        },
      ),
    );
  });

  it('is never complete when it is cut off', () => {
    fc.assert(
      fc.property(fc.array(record), fc.nat(), sizes, (records, at, cuts) => {
        const text = JSON.stringify(records);
        expect(scan(text.slice(0, at % text.length), cuts).complete).toBe(false);
      }),
    );
  });

  it.each([
    '{}',
    '[1]',
    '["a"]',
    '[{},]',
    '[{} {}]',
    '[,{}]',
    '[[{}]]',
    '[]]',
    '[] {}',
    '<html>',
    'null',
    '[}',
  ])('is not %s', (text) => {
    expect(scan(text)).toMatchObject({ wellFormed: false });
  });

  it('may have white space around everything', () => {
    expect(scan(' \n[ \t{"a":"]}"} ,\r\n{}] \n')).toEqual({
      objects: ['{"a":"]}"}', '{}'],
      wellFormed: true,
      complete: true,
    });
  });

  it('whose object does not end is given up, and not kept for ever', () => {
    const scanner = new JsonArrayScanner(() => true);
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    expect(scanner.push(Buffer.from('[{"a":"'))).toBe(true);
    expect(scanner.push(megabyte)).toBe(false);
  });
});
