import { expect, it } from 'vitest';
import { PaceNotes } from '../../src/run/pace-notes.ts';
import type { NotedPace } from '../../src/journal/core/noted-pace.ts';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';

const flow = (perSecond?: number): RunEvent => ({
  type: 'flow',
  requests: { limit: 4, reason: 'rate' },
  process: { limit: 4, reason: 'rate' },
  isDead: false,
  ...(perSecond === undefined ? {} : { pace: { perSecond } }),
});
const request = (
  outcome: 'ok' | 'refused' | 'throttled' | 'unknown' | 'not-sent',
  status?: number,
): RunEvent => ({
  ...{ type: 'request', account: '1', step: 'notes', sentAt: 0, tookMs: 1 },
  ...{ outcome, status },
});

it('notes how many requests were accepted and refused, every two seconds and whenever the limit changes', () => {
  let now = 0;
  const noted: (NotedPace & { readonly run: number })[] = [];
  const journal = {
    notePace: (run: number, pace: NotedPace) => Promise.resolve(void noted.push({ run, ...pace })),
  };
  const notes = new PaceNotes(journal, { monotonic: () => now }, 'UTC');
  notes.hear({ type: 'begun', run: 7, platform: 'p', dryRun: false, at: 0 });
  notes.hear(flow());
  for (const event of [request('ok', 200), request('refused', 400), request('throttled', 429)])
    notes.hear(event);
  for (const event of [request('unknown', 503), request('unknown', 502), request('not-sent')])
    notes.hear(event);
  expect(noted).toHaveLength(1);
  now = 2000;
  notes.hear(request('ok', 200));
  expect(noted[1]).toMatchObject({ run: 7, answered: { accepted: 3, refused: 2, unclear: 1 } });
  notes.hear(flow(47));
  expect(noted[2]).toMatchObject({ found: { perSecond: 47 }, answered: { accepted: 3, refused: 2 } });
  notes.stopping('interrupt', 5_000);
  expect(noted[3]).toMatchObject({
    stopping: { reason: 'interrupt', since: 5_000 },
    found: { perSecond: 47 },
  });
});
