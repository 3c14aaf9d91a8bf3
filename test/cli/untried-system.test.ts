import { expect, it } from 'vitest';
import { untriedSystem } from '../../src/cli/untried-system.ts';

it('a first run says what was not tried of its system, and nothing on Linux', () => {
  expect(untriedSystem('linux')).toBeUndefined();
  expect(untriedSystem('win32')).toMatch(/under Wine, and not yet on a real machine.*migrate help windows/);
  expect(untriedSystem('darwin')).toMatch(/not tried on macOS/);
  expect(untriedSystem('freebsd')).toMatch(/not tried on freebsd/);
});
