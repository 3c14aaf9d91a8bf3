import { expect, it } from 'vitest';
import { machine } from '../../../src/host/machine.ts';
import { startEmbedded } from '../../../src/run/session/embedded-platform.ts';
import { handClock } from '../../telemetry/hand-clock.ts';

it('an embedded platform that does not end when it is told to is ended, so that the run ends', async () => {
  const listening = { type: 'listening', url: 'http://127.0.0.1:1', apiKey: 'k', platformId: 'p' };
  const deaf = `console.log(${JSON.stringify(JSON.stringify(listening))}); setInterval(() => undefined, 1000);`;
  const clock = handClock();
  const platform = await startEmbedded(
    {
      ...machine(),
      ...{ clock, env: {}, onInterrupt: () => () => undefined },
      self: [process.execPath, '-e', deaf],
    },
    'state.db',
  );
  const stopping = platform.stop();
  await clock.pass(10_000);
  await expect(stopping).resolves.toBeUndefined();
});
