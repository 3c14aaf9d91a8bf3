import { expect, it } from 'vitest';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';
import { paceAdvice } from '../../src/report/pace-advice.ts';
import { PaceNotice } from '../../src/report/pace-notice.ts';

const lane = { limit: 8, reason: 'rate' } as const;
const flow = (perSecond?: number): RunEvent => ({
  ...{ type: 'flow', requests: lane, process: lane, isDead: false, pace: { perSecond } },
});
const request = (account: string): RunEvent => ({
  ...{ type: 'request', account, step: 'stage', isQuestion: undefined, outcome: 'ok', sentAt: 0, tookMs: 5 },
  ...{ status: 200, cause: undefined },
});
const ended = (account: string): RunEvent =>
  ({ type: 'account', account, supplier: 'S', state: 'completed', driven: true }) as RunEvent;

/** What is told about accounts of nine requests each. */
function told(accounts: number | undefined, perSecond: number | undefined): readonly string[] {
  const notice = new PaceNotice(accounts);
  const said = [notice.hear(flow(perSecond))];
  for (let number = 0; number < 40; number += 1) {
    for (let sent = 0; sent < 9; sent += 1) said.push(notice.hear(request(String(number))));
    said.push(notice.hear(ended(String(number))));
  }
  return said.filter((sentence) => sentence !== undefined);
}

it('a run says once what the platform takes, and how long its accounts need', () => {
  expect(told(300, 50)).toEqual(['The platform takes about 50 requests a second; 300 accounts need 54s.']);
});

it('the time is left out where the number of accounts is not known', () => {
  expect(told(undefined, 1.25)).toEqual(['The platform takes about 1.3 requests a second.']);
});

it('a platform without a limit is not mentioned', () => {
  expect(told(300, undefined)).toEqual([]);
});

it('the advice after refusals with 503 names the rate and the setting', () => {
  const pace = { acceptedPerSecond: 47, refused: 41, unclear: 41 };
  const [advice = ''] = paceAdvice({ pace });
  expect(advice).toContain('`rate: 47`');
  expect(advice).toContain('`notDelivered: [{ status: 503 }]`');
  expect(paceAdvice({ pace, knowsNotDelivered: true })[0]).not.toContain('notDelivered');
  expect(paceAdvice({ pace: { ...pace, unclear: 1 } })).toEqual([]);
});
