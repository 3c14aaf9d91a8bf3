import { expect, test } from 'vitest';
import { pipelineSettings } from '../../src/run/pipeline-settings.ts';
import { directory, loaded } from '../config/fixture.ts';

async function patienceWith(migraterc: string, isEmbedded: boolean) {
  const config = await loaded(directory(migraterc));
  return pipelineSettings({ config }, { team: 'T', isEmbedded, importKind: 'v1' }).patience;
}

test('a lost request is waited for as long as it and a proxy may take, from its sending', async () => {
  expect(await patienceWith('', false)).toMatchObject({ quietPeriodMs: 250_000, quietFrom: 'sending' });
  const slow = 'timeouts: { requestMs: 60000 }\npatience: { proxyMs: 5000 }';
  expect(await patienceWith(slow, false)).toMatchObject({ quietPeriodMs: 65_000, quietFrom: 'sending' });
});

test('the embedded platform, whose ways are known, is waited for shortly', async () => {
  expect(await patienceWith('', true)).toMatchObject({ quietPeriodMs: 10_000 });
});

test.each([true, false])('patience.quietPeriodMs wins where it is set (embedded: %s)', async (isEmbedded) => {
  const patience = await patienceWith('patience: { quietPeriodMs: 7 }', isEmbedded);
  expect(patience).toMatchObject({ quietPeriodMs: 7 });
  expect(patience).not.toHaveProperty('quietFrom');
});
