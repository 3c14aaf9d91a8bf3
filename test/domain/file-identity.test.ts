import { statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fileIdentity } from '../../src/domain/file-identity.ts';

it('two files of NTFS whose numbers are one as doubles are two', () => {
  const [one, other] = [
    { dev: 1n, ino: 2n ** 60n },
    { dev: 1n, ino: 2n ** 60n + 1n },
  ];
  expect(Number(one.ino)).toBe(Number(other.ino));
  expect(fileIdentity(one)).not.toBe(fileIdentity(other));
  const read = () => fileIdentity(statSync(import.meta.filename, { bigint: true }));
  expect(read()).toBe(read());
});
