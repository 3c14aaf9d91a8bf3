import { createClient, type ClientOptions } from '../../client/create-client.ts';
import type { Proxies } from '../../client/open-dispatcher.ts';
import type { NotDelivered } from '../../client/not-delivered.ts';
import type { PlatformClient } from '../../client/platform-client.ts';
import type { TlsFiles } from '../../client/open-dispatcher.ts';
import { probePlatform } from '../../client/probe-platform.ts';
import type { AcceptedAnswers } from '../../client/read-success.ts';
import { resolveCredentials } from '../../config/credentials.ts';
import type { Config } from '../../config/load-config.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { DatabaseRefused } from '../../domain/database-refused.ts';
import { exitCodes } from '../../domain/exit-codes.ts';
import { stepNames } from '../../domain/steps.ts';
import type { Journal } from '../../journal/journal.ts';
import { readPlatformId, readPlatformKey } from '../../platform/platform-id.ts';
import { readTrustedText } from '../../domain/trusted-file.ts';
import { CannotStart } from '../../host/cannot-start.ts';
import type { ImportKind } from '../../domain/import-kind.ts';
import { readContract } from '../effective-rules.ts';
import { importKindOf } from '../import-kind.ts';
import {
  embeddedLabel,
  EmbeddedPlatformFailed,
  embeddedStateFile,
  startEmbedded,
} from './embedded-platform.ts';
import { requireConfirmed } from './confirmed-addresses.ts';
import { tlsFiles } from './tls-files.ts';
import type { Environment } from '../../host/environment.ts';
import { journalOf } from './journal-of.ts';
import { requestMs } from './lease-settings.ts';
import { versionAndCommit } from '../../host/packaged.ts';
import { runShellCommand } from '../../host/user-commands.ts';

/** The platform of a run: its client, and the journal's key of its progress. */
export interface PlatformConnection {
  readonly client: PlatformClient;
  /** The journal's key: the configured platformId, an embedded platform's own id, or the origin. */
  readonly platform: string;
  /** For people: the address, or `embedded`. */
  readonly label: string;
  /** An embedded platform, started by this run or by `migrate serve`. */
  readonly isEmbedded: boolean;
  /** How accounts are imported. */
  readonly importKind: ImportKind;
  /** Empty: the tenancy allocates teams itself. */
  readonly team: string;
  close(): Promise<void>;
}

/** The default operations team of an embedded platform. */
const embeddedTeam = 'MIGRATIONS';

/** Connects to the configured platform, or starts the embedded one if none is configured. */
export async function connect(environment: Environment, config: Config): Promise<PlatformConnection> {
  return config.baseUrl === undefined
    ? startOwn(environment, config)
    : connectTo(environment, config, config.baseUrl);
}

async function startOwn(environment: Environment, config: Config): Promise<PlatformConnection> {
  try {
    const platform = await startEmbedded(environment, embeddedStateFile(config), config);
    const importKind = await importKindOf(config);
    const client = createClient({
      ...clientOptions(environment, config, platform.url, { apiKey: platform.apiKey }),
      importKind,
    });
    return {
      client,
      platform: platform.platformId,
      label: embeddedLabel,
      isEmbedded: true,
      importKind,
      team: config.team ?? embeddedTeam,
      close: async () => {
        await client.close();
        await platform.stop();
      },
    };
  } catch (error) {
    if (!(error instanceof EmbeddedPlatformFailed)) throw error;
    throw new CannotStart(exitCodes.usage, `The embedded platform did not start. ${error.message}`);
  }
}

/** No team, if the tenancy's contract does not require one. */
async function teamUnneeded(config: Config): Promise<string | undefined> {
  const process = (await readContract(config, undefined, { checks: false }))?.field('process');
  return process !== undefined && !process.required.has('operations_team_name') ? '' : undefined;
}

async function connectTo(
  environment: Environment,
  config: Config,
  baseUrl: string,
): Promise<PlatformConnection> {
  const importKind = await importKindOf(config);
  // A task's payload may name a team.
  const { team = importKind === 'v2' ? '' : await teamUnneeded(config) } = config;
  if (team === undefined)
    throw new CannotStart(
      exitCodes.usage,
      'No operations team is configured. Set team in .migraterc, MIGRATE_TEAM or --team to one that the platform knows.',
    );
  const options = await clientOptionsFor(environment, config, baseUrl);
  const local = await localAt(environment, options, config);
  // The embedded platform numbers accounts in its own way, whatever the contract.
  const client = createClient(local.isEmbedded ? { ...options, numberForm: undefined } : options);
  return {
    client,
    platform: config.platformId ?? local.id ?? client.address,
    label: client.address,
    isEmbedded: local.isEmbedded,
    importKind,
    team,
    close: () => client.close(),
  };
}

/** How a client reaches the platform at `baseUrl`, with the configured credentials. Throws CannotStart without any. */
export async function clientOptionsFor(
  environment: Environment,
  config: Config,
  baseUrl: string,
): Promise<ClientOptions> {
  requireCertificateCheck(environment.env);
  const credentials = await resolveCredentials(config, environment.env, runShellCommand, readTrustedText);
  if ('detail' in credentials)
    throw new CannotStart(exitCodes.usage, `${credentials.where}: ${credentials.detail}`);
  if (credentials.variable !== undefined)
    await requireConfirmed(environment, config, {
      ...{ variable: credentials.variable, address: baseUrl, isFound: config.isAddressFound },
      instead: 'set MIGRATE_BASE_URL too',
    });
  const secret = credentials.secret.reveal();
  const { path, text, variables, resultPath } = config.tokenMutation;
  const options = clientOptions(
    environment,
    config,
    baseUrl,
    credentials.kind === 'token'
      ? { token: secret, headerForm: config.tokenHeader }
      : {
          apiKey: secret,
          headerForm: config.tokenHeader,
          path,
          mutation: text,
          variables,
          resultPath,
        },
    await tlsFiles(config),
  );
  return { ...options, ...(await answersOf(config)), importKind: await importKindOf(config) };
}

/** What the tenancy's contract says of answers; nothing if none is named. */
async function answersOf(config: Config): Promise<Pick<ClientOptions, 'refusalStatuses' | 'numberForm'>> {
  const contract = await readContract(config, undefined, { checks: false });
  if (contract === undefined) return {};
  const { refusalStatuses } = await import('../../contract/tenancy/refusal-statuses.ts');
  const { answeredNumberForm } = await import('../../contract/tenancy/answered-number.ts');
  return { refusalStatuses: refusalStatuses(contract), numberForm: answeredNumberForm(contract) };
}

/**
 * The journal's key of the platform that `connect` would connect to, without connecting; undefined for an embedded one
 * that was never started.
 */
export async function platformOf(environment: Environment, config: Config): Promise<string | undefined> {
  const { baseUrl, platformId } = config;
  if (baseUrl === undefined) return embeddedPlatformId(config);
  if (platformId !== undefined) return platformId;
  if (!isLoopback(baseUrl)) return baseUrl;
  const local = await localAt(environment, await credentialsIfAny(environment, config, baseUrl), config);
  return local.id ?? baseUrl;
}

/** The id of an embedded platform at this address that proves to be one; undefined of any other platform. */
export async function embeddedIdAt(
  environment: Environment,
  config: Config,
  baseUrl: string,
): Promise<string | undefined> {
  if (!isLoopback(baseUrl)) return undefined;
  const local = await localAt(environment, await credentialsIfAny(environment, config, baseUrl), config);
  return local.isEmbedded ? local.id : undefined;
}

async function credentialsIfAny(
  environment: Environment,
  config: Config,
  baseUrl: string,
): Promise<Pick<ClientOptions, 'baseUrl' | 'credentials' | 'tls'>> {
  try {
    return await clientOptionsFor(environment, config, baseUrl);
  } catch (error) {
    if (error instanceof CannotStart) return { baseUrl, credentials: { token: '' } };
    throw error;
  }
}

/** If its state cannot be used, the embedded platform reports that when it is started. */
function embeddedPlatformId(config: Config): string | undefined {
  try {
    return readPlatformId(embeddedStateFile(config));
  } catch (error) {
    if (error instanceof DatabaseRefused) return undefined;
    throw error;
  }
}

/** Where a run goes, as summaries and notifications name it. */
export interface RunPlace {
  /** The platform's address, or `embedded`. */
  readonly platform: string;
  readonly profile: string | null;
  /** Whether it is a rehearsal against the embedded platform, because none is configured. */
  readonly rehearsal: boolean;
}

export function placeOf(config: Pick<Config, 'baseUrl' | 'profile'>): RunPlace {
  const { baseUrl, profile = null } = config;
  return { platform: platformLabel({ baseUrl }), profile, rehearsal: baseUrl === undefined };
}

/** For people: the platform's address, or `embedded`. */
export function platformLabel({ baseUrl }: { readonly baseUrl?: string | undefined }): string {
  return baseUrl ?? embeddedLabel;
}

/** What is known of the platform at an address of this machine. */
interface Local {
  /** The journal's key; undefined: its address. */
  readonly id?: string | undefined;
  readonly isEmbedded: boolean;
}

/** A journal of an earlier version says nothing until it is upgraded. */
export function unlessOutdated(error: unknown): undefined {
  if (!(error instanceof DatabaseRefused) || error.reason !== 'outdated') throw error;
}

/**
 * An embedded platform's own id, so that progress belongs to its state and not to its current port. It listens on the
 * loopback interface only: no other is asked. It has to prove that it has the configured key, or that of the state
 * beside the journal: a tunnel or a sidecar may lead to any platform, and anybody can write a header. Without a
 * proof, the id is used only if the journal has progress of it, and nothing is known of how the platform behaves.
 */
async function localAt(
  environment: Environment,
  { baseUrl, credentials, tls }: Pick<ClientOptions, 'baseUrl' | 'credentials' | 'tls'>,
  config: Config,
): Promise<Local> {
  if (!isLoopback(baseUrl)) return { isEmbedded: false };
  const keys = [ownStateKey(config) ?? [], 'apiKey' in credentials ? credentials.apiKey : []].flat();
  const greeting = await probePlatform(baseUrl, config.timeouts.connectMs, {
    ...{ keys, userAgent: userAgent() },
    tls,
  });
  if (greeting.kind === 'answered' && greeting.isProven) return { id: greeting.platformId, isEmbedded: true };
  // A proxy that answers in the platform's stead says as little as nobody.
  const isUnknown =
    greeting.kind === 'silent' || (greeting.platformId === undefined && greeting.status >= 500);
  const id = await recordedId(environment, config, ({ label, platform }) =>
    isUnknown ? label === baseUrl : platform === greeting.platformId,
  );
  return { id, isEmbedded: false };
}

function ownStateKey(config: Config): string | undefined {
  try {
    return readPlatformKey(embeddedStateFile(config));
  } catch (error) {
    if (error instanceof DatabaseRefused) return undefined;
    throw error;
  }
}

async function recordedId(
  environment: Environment,
  config: Config,
  isIt: (recorded: Awaited<ReturnType<Journal['platforms']>>[number]) => boolean,
): Promise<string | undefined> {
  const store = journalOf(environment, config);
  if (!(await store.exists())) return undefined;
  const journal = await store.open({ create: false, reading: true }).catch(unlessOutdated);
  if (journal === undefined) return undefined;
  try {
    return (await journal.platforms()).find(isIt)?.platform;
  } finally {
    await journal.close();
  }
}

function clientOptions(
  environment: Environment,
  config: Config,
  baseUrl: string,
  credentials: ClientOptions['credentials'],
  tls?: TlsFiles,
): ClientOptions {
  const { connectMs, headersMs, bodyMs } = config.timeouts;
  const request = requestMs(config);
  const proxies = proxiesTo(baseUrl, environment.env);
  return {
    baseUrl,
    credentials,
    connections: config.concurrency,
    timeouts: { connect: connectMs, headers: headersMs, body: bodyMs, request },
    clock: environment.clock,
    userAgent: userAgent(),
    acceptedAnswers: acceptedAnswers(config),
    notDelivered: notDelivered(config),
    proxies,
    tls,
  };
}

/** By which the platform's logs name this tool. */
export function userAgent(): string {
  return `migrate/${versionAndCommit()}`;
}

function notDelivered({ notDelivered: rules = [] }: Config): readonly NotDelivered[] {
  return rules.map(({ status, header, body }) => {
    const [name = '', ...value] = header?.split(':') ?? [];
    return {
      status,
      body,
      header: header === undefined ? undefined : { name, value: value.join(':').trim() },
    };
  });
}

function acceptedAnswers({ acceptedAnswers: byStep }: Config): AcceptedAnswers {
  const statuses: ReadonlyMap<string, readonly number[]> = new Map(Object.entries(byStep));
  return Object.fromEntries(stepNames.map((step) => [endpointOf[step], statuses.get(step) ?? []]));
}

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Throws CannotStart if the environment makes Node accept any certificate: anybody on the network path could get the
 * token.
 */
export function requireCertificateCheck(env: Environment['env']): void {
  if (env[variable] !== '0') return;
  throw new CannotStart(
    exitCodes.usage,
    `${variable}=0 turns off the check of certificates, so anybody on the network path could read the token and the data. Unset it; for a private certificate authority, set NODE_EXTRA_CA_CERTS.`,
  );
}

/** In order of precedence; the interface uses https. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The proxies for an address; this machine is reached without one. Throws CannotStart. */
export function proxiesTo(baseUrl: string, env: Environment['env']): Proxies | undefined {
  if (isLoopback(baseUrl)) return undefined;
  const variable = variables.find((name) => env[name]);
  if (variable === undefined) return undefined;
  const noProxy = env['no_proxy'] || env['NO_PROXY'];
  return {
    proxy: proxyAddress(variable, env[variable] ?? ''),
    noProxy,
  };
}

/** The address may contain a password, so it is never repeated. */
function proxyAddress(variable: string, text: string): string {
  const address = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw new CannotStart(
    exitCodes.usage,
    `${variable} is not the address of a proxy. Write it as http://proxy.example:3128, or unset it.`,
  );
}

/** Whether an address is of this machine: no other is asked who it is. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname);
}
