import { expect, test } from 'vitest';
import { flowNote } from '../../src/report/flow-note.ts';

const lane = { limit: 8, reason: 'starting' } as const;
const flow = { type: 'flow', requests: lane, process: lane, isDead: false } as const;

test('a run that only waits says until when, and for what', () => {
  expect(flowNote(flow)).toBe('8 at once (rising)');
  expect(flowNote({ ...flow, waitsUntil: Date.UTC(2024, 0, 2, 3, 4, 5) })).toBe(
    'waits until 03:04:05 UTC: requests with lost answers may still be under way',
  );
});
