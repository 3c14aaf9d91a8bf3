import { describe, expect, it } from 'vitest';
import { requestTooLarge } from '../../src/domain/request-too-large.ts';
import { changedAfterImport } from '../../src/domain/shared-codes.ts';
import { FailureWatch } from '../../src/pipeline/run/failure-watch.ts';
import type { AccountEnded } from '../../src/pipeline/run/run-events.ts';
import { StopControl } from '../../src/pipeline/run/stop-control.ts';
import type { Settings } from '../../src/pipeline/settings.ts';

type End = Pick<AccountEnded, 'state' | 'code'> & { readonly driven?: boolean; readonly isUnasked?: true };

function watch(limit?: Settings['maxFailures'], isOneStep = false) {
  const stop = new StopControl();
  const failures = new FailureWatch(limit, stop, { isOneStep });
  const see = (count: number, { state, code, driven = true, isUnasked }: End): void => {
    for (let at = 0; at < count; at += 1)
      failures.see(
        { type: 'account', account: `${at}`, supplier: 'S', state, code, wouldImport: false, driven },
        isUnasked !== true,
      );
  };
  return { stop, see, finish: (answered: number) => failures.finish(answered) };
}

const completed: End = { state: 'completed', code: '' };
const failed: End = { state: 'failed', code: 'http_500' };
const refused: End = { state: 'rejected', code: 'invalid_choice' };

describe('a run stops, since the platform is not available,', () => {
  it('after twenty accounts that failed in a row', () => {
    const { stop, see } = watch();
    see(19, failed);
    expect(stop.reason).toBeUndefined();
    see(1, failed);
    expect([stop.reason, stop.detail]).toEqual(['unavailable', 'http_500']);
  });

  it.each<[string, End]>([
    ['that completed', completed],
    ['that was refused', refused],
  ])('but not with one between them %s', (_what, between) => {
    const { stop, see } = watch();
    see(19, failed);
    see(1, between);
    see(19, failed);
    expect(stop.reason).toBeUndefined();
  });

  it('but not with ones that nothing was done for, nor ones that were too large, however many', () => {
    const { stop, see } = watch();
    see(19, failed);
    see(30, { ...failed, driven: false });
    see(30, { state: 'failed', code: requestTooLarge });
    expect(stop.reason).toBeUndefined();
    see(1, failed);
    expect(stop.reason).toBe('unavailable');
  });

  it('but not where no connection is opened, nor where one step alone fails', () => {
    const connections = watch();
    connections.see(40, { state: 'failed', code: 'connection_refused' });
    expect(connections.stop.reason).toBeUndefined();
    const oneStep = watch(undefined, true);
    oneStep.see(40, failed);
    expect(oneStep.stop.reason).toBeUndefined();
  });

  it('at its end, if nothing was ever answered and accounts failed', () => {
    const silent = watch();
    silent.see(1, { state: 'failed', code: 'dns' });
    silent.see(1, { state: 'failed', code: requestTooLarge });
    silent.see(1, completed);
    silent.finish(0);
    expect([silent.stop.reason, silent.stop.detail]).toEqual(['unavailable', 'dns']);
  });

  it.each<[string, End, number]>([
    ['something was answered', failed, 1],
    ['nothing failed', refused, 0],
  ])('but not at its end if %s', (_what, end, answered) => {
    const { stop, see, finish } = watch();
    see(1, end);
    finish(answered);
    expect(stop.reason).toBeUndefined();
  });
});

describe('a run stops, since the mapping is wrong,', () => {
  it('after its first twenty accounts were refused for one reason', () => {
    const { stop, see } = watch();
    see(19, refused);
    see(5, { ...completed, isUnasked: true });
    expect(stop.reason).toBeUndefined();
    see(1, refused);
    expect([stop.reason, stop.detail]).toEqual(['same-refusal', 'invalid_choice']);
  });

  it.each<[string, End]>([
    ['for another reason', { state: 'rejected', code: 'required' }],
    ['in another state', { state: 'failed', code: 'invalid_choice' }],
    ['well', completed],
  ])('but not if one of them ended %s', (_what, other) => {
    const first = watch();
    first.see(1, other);
    first.see(19, refused);
    const between = watch();
    between.see(10, refused);
    between.see(1, other);
    between.see(30, refused);
    expect([first.stop.reason, between.stop.reason]).toEqual([undefined, undefined]);
  });

  it('but not for data that changed, nor beside a limit of failures', () => {
    const changed = watch();
    changed.see(40, { state: 'rejected', code: changedAfterImport });
    const limited = watch({ count: 100 });
    limited.see(40, refused);
    expect([changed.stop.reason, limited.stop.reason]).toEqual([undefined, undefined]);
  });
});

describe('a run stops at its limit of failures', () => {
  it('once so many accounts were refused or have failed', () => {
    const { stop, see } = watch({ count: 3 });
    see(1, refused);
    see(5, completed);
    see(1, failed);
    expect(stop.reason).toBeUndefined();
    see(1, { state: 'uncertain', code: 'lost' });
    expect(stop.reason).toBeUndefined();
    see(1, refused);
    expect([stop.reason, stop.detail]).toEqual(['max-failures', '3 of 9 accounts']);
  });

  it('once so many of a hundred have, of twenty at least', () => {
    const { stop, see } = watch({ percent: 10 });
    see(5, refused);
    see(14, completed);
    expect(stop.reason).toBeUndefined();
    see(1, completed);
    expect([stop.reason, stop.detail]).toEqual(['max-failures', '5 of 20 accounts']);
  });

  it('exactly at its share', () => {
    const { stop, see } = watch({ percent: 10 });
    see(27, completed);
    see(2, refused);
    expect(stop.reason).toBeUndefined();
    see(1, refused);
    expect(stop.detail).toBe('3 of 30 accounts');
  });

  it('and says at its end how many there were, with what was in flight', () => {
    const { stop, see, finish } = watch({ count: 1 });
    see(2, refused);
    see(1, completed);
    expect(stop.detail).toBe('1 of 1 accounts');
    finish(5);
    expect(stop.detail).toBe('2 of 3 accounts');
    const under = watch({ count: 9 });
    under.see(2, refused);
    under.stop.stop('max-failures', 'as it was');
    under.finish(5);
    expect(under.stop.detail).toBe('as it was');
  });
});
