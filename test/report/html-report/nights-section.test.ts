import { expect, it } from 'vitest';
import { nightsSection } from '../../../src/report/html-report/nights-section.ts';
import { viewOf } from './report-view.ts';

it('runs without an end are named beside those that completed accounts', () => {
  const [first] = viewOf('A', { completed: 3, pending: 9 }).runs;
  if (first?.end === undefined) throw new Error('a view without a run');
  const driven = { ...first.end.accounts, completed: 3 };
  const { end, ...head } = first;
  const runs = [
    { ...head, id: 3 },
    { ...head, id: 2 },
    { ...head, id: 1, end: { ...end, driven } },
  ];
  const pace = { completed: 3, durationMs: 1000, left: 9, aside: 0 };
  const page = nightsSection({ runs, running: new Set([3]), timeZone: 'UTC' }, pace).markup;
  expect(page).toContain('Without run 2, which has no end: how many accounts it completed is not recorded.');
});
