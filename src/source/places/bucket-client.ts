import type { S3Client } from '@aws-sdk/client-s3';
import type * as sdk from '@aws-sdk/client-s3';
import { lazily } from '../../domain/lazily.ts';
import { fileChanged, FileUnreadable } from '../file-bytes.ts';

const packageName = '@aws-sdk/client-s3';

/** A client of an S3-compatible store. */
export interface StoreClient {
  readonly library: typeof sdk;
  readonly client: S3Client;
  /** The same, with more retries: a store that has answered before may be unreachable for a moment. */
  readonly reader: S3Client;
}

/** How often the SDK sends a request for a part of an object. With its backoff, about half a minute. */
const attempts = 10;
const timeouts = { connectionTimeout: 10_000, socketTimeout: 60_000 };

/**
 * The client, with the credentials, the region and the endpoint that the SDK finds in its environment and its files. One for the
 * thread: it looks for them once. Throws FileUnreadable.
 */
export const storeClient = lazily(async (): Promise<StoreClient> => {
  const library = await importSdk();
  const client = clientWith(library, {});
  const { credentials, region } = client.config;
  return { library, client, reader: clientWith(library, { credentials, region, maxAttempts: attempts }) };
});

async function importSdk(): Promise<typeof sdk> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new FileUnreadable(
      'missing_package',
      `cannot be read: the package ${packageName} is not installed. Install it beside this tool: npm install ${packageName}`,
      { cause: error },
    );
  }
}

function clientWith({ S3Client }: typeof sdk, options: sdk.S3ClientConfig): S3Client {
  const client = new S3Client({
    ...options,
    followRegionRedirects: true,
    requestHandler: timeouts,
    // A part has no checksum.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  // Self-hosted stores rarely have a host name for each bucket.
  const { endpointProvider } = client.config;
  client.config.endpointProvider = (given, context) =>
    endpointProvider(given.Endpoint === undefined ? given : { ...given, ForcePathStyle: true }, context);
  return client;
}

/** The message for an error, which is recognised by its name or by the status of the response. */
interface Refusal {
  readonly code: string;
  readonly names: readonly string[];
  readonly statuses?: readonly number[];
  text(said: string): string;
}

const refusals: readonly Refusal[] = [
  {
    code: 'no_bucket',
    names: ['NoSuchBucket'],
    text: () =>
      'does not exist: there is no such bucket. Check the address, and the endpoint (AWS_ENDPOINT_URL_S3).',
  },
  {
    code: 'no_credentials',
    names: ['CredentialsProviderError'],
    text: () =>
      'cannot be read: no credentials were found. Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  },
  {
    code: 'wrong_region',
    names: ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'],
    statuses: [301],
    text: (said) => `cannot be read: the bucket is in another region (${said}). Set AWS_REGION.`,
  },
  {
    code: 'access_denied',
    names: ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'],
    statuses: [401, 403],
    text: (said) =>
      `cannot be read: the store denies access (${said}). Check the credentials, and that they may list the bucket (s3:ListBucket) and read its objects (s3:GetObject).`,
  },
];

/** Throws FileUnreadable for an error of the SDK or of the network, and any other error as it is. */
export function refusalOfStore(error: unknown): never {
  if (!(error instanceof Error) || error instanceof FileUnreadable || error.name === 'AbortError')
    throw error;
  const status = statusOf(error);
  if (status === 412) throw fileChanged();
  const { name, message } = error;
  const said =
    message === '' || message === 'UnknownError' ? name : `${name}: ${message.replace(/\.+$/, '')}`;
  const refuse = (code: string, text: string): never => {
    throw new FileUnreadable(code, text, { cause: error });
  };
  const known = refusals.find(
    ({ names, statuses = [] }) => names.includes(name) || (status !== undefined && statuses.includes(status)),
  );
  if (known !== undefined) return refuse(known.code, known.text(said));
  if (status !== undefined)
    return refuse(
      'store_refused',
      `cannot be read: the store answers ${status} (${said}). Check the address, and run the same command again.`,
    );
  if ('code' in error || name === 'TimeoutError')
    return refuse(
      'store_unreachable',
      `cannot be read: the store cannot be reached (${'code' in error ? String(error.code) : said}). Check the endpoint (AWS_ENDPOINT_URL_S3) and the network, and run the same command again.`,
    );
  if (/\bregion\b/i.test(message))
    return refuse('no_region', `cannot be read: no region is known (${message}). Set AWS_REGION.`);
  return refuse(
    'store_refused',
    `cannot be read: the AWS SDK failed (${said}). Check the address, and the settings of the SDK.`,
  );
}

/** The status of the response, if there was one. */
function statusOf(error: Error): number | undefined {
  if (!('$metadata' in error) || typeof error.$metadata !== 'object' || error.$metadata === null)
    return undefined;
  const { httpStatusCode } = error.$metadata as { readonly httpStatusCode?: number };
  return httpStatusCode;
}
