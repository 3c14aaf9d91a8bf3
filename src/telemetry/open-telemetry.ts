/** Any of these variables turns OpenTelemetry on; the SDK defines their meaning. */
const asking = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_TRACES_EXPORTER',
  'OTEL_METRICS_EXPORTER',
];

/** Whether the environment turns on traces or metrics. */
export function asksForTelemetry(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['OTEL_SDK_DISABLED'] !== 'true' && asking.some((name) => (env[name] ?? '') !== '');
}

/** The running OpenTelemetry SDK. */
export interface Telemetry {
  /** Ends it, and sends the rest. */
  shutdown(): Promise<void>;
  /** Whether it has reported that something was not sent. */
  readonly hasFailed: () => boolean;
}

/**
 * Starts the OpenTelemetry SDK, which reads the standard environment variables by itself. It is not a dependency of
 * the tool, because it is large and few need it: undefined if it is not installed.
 */
export async function startTelemetry(): Promise<Telemetry | undefined> {
  const sdkModule = await import('@opentelemetry/sdk-node').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  });
  if (sdkModule === undefined) return undefined;
  const { diag, DiagLogLevel } = await import('@opentelemetry/api');
  const sdk = new sdkModule.NodeSDK({ serviceName: 'migrate', instrumentations: [] });
  sdk.start();
  let hasFailed = false;
  const ignore = (): void => undefined;
  // Its messages may contain addresses with secrets, so only the fact that there was one is recorded.
  const listener = {
    error: () => void (hasFailed = true),
    warn: ignore,
    info: ignore,
    debug: ignore,
    verbose: ignore,
  };
  diag.setLogger(listener, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
  return {
    shutdown: () =>
      sdk.shutdown().catch(() => {
        hasFailed = true;
      }),
    hasFailed: () => hasFailed,
  };
}
