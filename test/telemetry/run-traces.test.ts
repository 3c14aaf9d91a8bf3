import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { tracing } from '@opentelemetry/sdk-node';
import { trace } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withTotal, zeroCounts } from '../../src/domain/account-state.ts';
import type { RunEvent } from '../../src/pipeline/run/run-events.ts';
import type { ObservedEnd } from '../../src/telemetry/run-observer.ts';
import { RunTraces, tracesOutlet } from '../../src/telemetry/run-traces.ts';
import { handClock } from './hand-clock.ts';

const begun: RunEvent = { type: 'begun', run: 7, platform: 'embedded', dryRun: false, at: 1_000 };
const asked = (account: string, step: 'stage' | 'process'): RunEvent => ({
  ...{ type: 'request', account, step, outcome: 'ok', status: 200 },
  ...{ sentAt: 2_000, tookMs: 50 },
});
const done = (account: string): RunEvent => ({
  ...{ type: 'account', account, supplier: 'S', state: 'completed', code: '' },
  ...{ wouldImport: false, driven: true },
});
const ended = (exit: number): ObservedEnd => ({
  kind: 'ended',
  exit,
  accounts: withTotal({ ...zeroCounts(), completed: 2 }),
  requests: 3,
  retries: 0,
  durationMs: 2_000,
  workLeft: false,
});

let exporter: tracing.InMemorySpanExporter;
beforeEach(() => {
  exporter = new tracing.InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new tracing.BasicTracerProvider({ spanProcessors: [new tracing.SimpleSpanProcessor(exporter)] }),
  );
});
afterEach(() => trace.disable());

function traced(exit: number): readonly tracing.ReadableSpan[] {
  const traces = new RunTraces();
  for (const event of [begun, asked('A', 'stage'), asked('B', 'stage'), asked('A', 'process'), done('A')])
    traces.hear(event);
  traces.end(ended(exit));
  return exporter.getFinishedSpans();
}

it('requests are client spans under one span for their account, each a trace that a sampler takes whole', () => {
  const spans = traced(0);
  const run = spans.find(({ name }) => name === 'run');
  const accounts = spans.filter(({ name }) => name === 'account');
  expect(accounts).toHaveLength(2);
  expect(new Set([run, ...accounts].map((span) => span?.spanContext().traceId)).size).toBe(3);
  for (const account of accounts) {
    expect(account.parentSpanContext).toBeUndefined();
    expect(account.links.map(({ context }) => context.spanId)).toEqual([run?.spanContext().spanId]);
  }
  const [first] = accounts;
  const requests = spans.filter(
    ({ parentSpanContext }) => parentSpanContext?.spanId === first?.spanContext().spanId,
  );
  expect(requests.map(({ name, kind }) => [name, kind])).toEqual([
    ['stage', SpanKind.CLIENT],
    ['process', SpanKind.CLIENT],
  ]);
});

it.each([
  [0, SpanStatusCode.UNSET],
  [3, SpanStatusCode.ERROR],
  [5, SpanStatusCode.ERROR],
])('a run that ended with %i has the status %i', (exit, code) => {
  expect(traced(exit).find(({ name }) => name === 'run')?.status.code).toBe(code);
});

it('a collector that is silent is waited for two seconds and warned of', async () => {
  const clock = handClock();
  const warnings: string[] = [];
  const telemetry = { shutdown: () => new Promise<void>(() => undefined), hasFailed: () => false };
  const outlet = tracesOutlet(telemetry, { clock, warn: (message) => warnings.push(message) });
  const ending = outlet.end(ended(0), new AbortController().signal);
  await clock.pass(1_999);
  expect(warnings).toEqual([]);
  await clock.pass(1);
  await ending;
  expect(warnings).toEqual([expect.stringContaining('did not answer within 2 s')]);
});

it('a collector that refuses is warned of', async () => {
  const warnings: string[] = [];
  const telemetry = { shutdown: () => Promise.resolve(), hasFailed: () => true };
  const outlet = tracesOutlet(telemetry, { clock: handClock(), warn: (message) => warnings.push(message) });
  await outlet.end(ended(0), new AbortController().signal);
  expect(warnings).toEqual([expect.stringContaining('did not accept everything')]);
});
