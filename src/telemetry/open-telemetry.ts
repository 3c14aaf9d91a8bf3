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

/** The OpenTelemetry SDK at work. */
export interface Telemetry {
  /** Ends it, sending what is left. */
  shutdown(): Promise<void>;
  /** Whether it has said that something did not go out. */
  readonly hasFailed: () => boolean;
}

/**
 * Starts the OpenTelemetry SDK, which reads the standard environment variables by itself. It is not among the tool's own
 * dependencies, as few need its fifty megabytes: undefined where it is not installed.
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
  // What it says may name addresses with secrets in them: that it says something is enough.
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
