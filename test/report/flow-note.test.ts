import { expect, test } from 'vitest';
import { flowNote } from '../../src/report/flow-note.ts';

const lane = { limit: 8, reason: 'starting' } as const;
const flow = { type: 'flow', requests: lane, process: lane, isDead: false } as const;

test('a run to which everything is refused says how long it pauses', () => {
  expect(flowNote({ ...flow, pause: { ms: 90_000, until: Date.UTC(2024, 0, 2, 3, 4, 5) } }, 'UTC')).toBe(
    'paused for 1m 30s, until 03:04:05 (UTC): the platform answers 429 to everything',
  );
});

test('a run that only waits says until when, and for what', () => {
  expect(flowNote(flow, 'UTC')).toBe('8 requests at once (rising)');
  expect(flowNote({ ...flow, waitsUntil: Date.UTC(2024, 0, 2, 3, 4, 5) }, 'Europe/Berlin')).toBe(
    'waits until 04:04:05 (Europe/Berlin): requests with lost answers may still be under way',
  );
});
