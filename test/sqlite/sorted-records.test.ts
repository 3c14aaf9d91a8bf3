import { expect, it } from 'vitest';
import { SortedRecords } from '../../src/sqlite/sorted-records.ts';

it('gives records back in the order of their keys, by the bytes of UTF-8', () => {
  const records = new SortedRecords<number>();
  // By halves of characters, as JavaScript compares, the last two would change places.
  for (const [at, key] of ['\u{1f600}', 'b', '\uff5e', 'a', 'B', 'a', '10', '9'].entries())
    records.add(key, at);
  expect([...records]).toEqual([
    ['10', 6],
    ['9', 7],
    ['B', 4],
    ['a', 3],
    ['a', 5],
    ['b', 1],
    ['\uff5e', 2],
    ['\u{1f600}', 0],
  ]);
  records.close();
});

it('can begin anew, and be read again', () => {
  const records = new SortedRecords<object>();
  records.add('gone', {});
  records.clear();
  records.add('here', { a: 'x' });
  expect([...records]).toEqual([['here', { a: 'x' }]]);
  expect([...records]).toEqual([['here', { a: 'x' }]]);
  records.close();
});
