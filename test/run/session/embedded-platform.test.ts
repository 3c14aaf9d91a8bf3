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

it.each([
  ['process.abort()', 'It was ended by SIGABRT: perhaps this machine allows no further thread'],
  ['process.exit(3)', 'It ended with 3 and without a message.'],
  [`console.error('error: The port is in use.'); process.exit(2)`, 'The port is in use.'],
])('an embedded platform that does not start says why: %s', async (program, why) => {
  const started = startEmbedded(
    {
      ...machine(),
      ...{ clock: handClock(), env: {}, onInterrupt: () => () => undefined },
      self: [process.execPath, '-e', program],
    },
    'state.db',
  );
  await expect(started).rejects.toThrow(why);
});
