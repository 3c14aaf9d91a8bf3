/** Setting any of these asks for OpenTelemetry; what they mean is the SDK's to say. */
const asking = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
];

/** Whether the environment asks for traces or metrics. */
export function asksForTelemetry(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['OTEL_SDK_DISABLED'] !== 'true' && asking.some((name) => (env[name] ?? '') !== '');
}

/**
 * Starts the OpenTelemetry SDK, which reads the standard environment variables by itself. It is not among the tool's own
 * dependencies, as few need its fifty megabytes: undefined where it is not installed. Ends, sending what is left, by
 * the returned function.
 */
export async function startTelemetry(): Promise<(() => Promise<void>) | undefined> {
  const sdkModule = await import('@opentelemetry/sdk-node').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  });
  if (sdkModule === undefined) return undefined;
  const sdk = new sdkModule.NodeSDK({ serviceName: 'migrate', instrumentations: [] });
  sdk.start();
  return () => sdk.shutdown().catch(() => undefined);
}
