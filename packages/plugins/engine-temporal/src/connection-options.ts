import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { credentials, status } from '@grpc/grpc-js';
import { type ConnectionOptions, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { TemporalConfiguration } from './configuration.js';

/** Name that the client sends in place of an IP address. The top-level domain is reserved (RFC 6761), so it has no owner. */
const NAME_OF_AN_ADDRESS = 'ip-address.invalid';

type TlsOptions = Exclude<NonNullable<ConnectionOptions['tls']>, boolean>;

/** Longest pause between two attempts of a request, in ms, unless the cluster limits the requests. */
const MAX_RETRY_PAUSE_MS = 500;

const RETRY_OPTIONS = defaultGrpcRetryOptions();

/**
 * Returns how the client reconnects and repeats requests, so that work resumes soon after an outage.
 *
 * @param signal requests are not repeated after it was aborted
 * @param onLimited called if the cluster limits the requests of this server
 */
export function createClientOptions(signal: AbortSignal, onLimited: () => void) {
  return {
    // The default is up to two minutes between attempts to connect.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.min_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
    },
    interceptors: [
      makeGrpcRetryInterceptor({
        // The default is up to 5 s between attempts. The SDK ignores its option for this.
        delayFunction: (attempt, response) => {
          const pauseMs = RETRY_OPTIONS.delayFunction(attempt, response);
          return response.code === status.RESOURCE_EXHAUSTED ? pauseMs : Math.min(pauseMs, MAX_RETRY_PAUSE_MS);
        },
        retryableDecider: (attempt, response) => {
          if (response.code === status.RESOURCE_EXHAUSTED) onLimited();
          return !signal.aborted && RETRY_OPTIONS.retryableDecider(attempt, response);
        },
      }),
    ],
  } satisfies ConnectionOptions;
}

/** Options of all connections to the cluster. */
export interface ClusterConnectionOptions {
  readonly address: string;
  readonly apiKey?: string;
  readonly tls: TlsOptions | false;
}

/** Returns the options of all connections to the cluster, with the content of the certificate files. */
export async function readConnectionOptions(configuration: TemporalConfiguration): Promise<ClusterConnectionOptions> {
  const apiKey = getApiKey(configuration);
  const options = { address: configuration.Address, tls: await readTls(configuration) };
  return apiKey === undefined ? options : { ...options, apiKey };
}

/**
 * Returns the options for the gRPC client. It sends the host of the address as the TLS server name (SNI), which Node.js
 * 26 refuses for an IP address, because RFC 6066 allows only names. It therefore sends a name without a meaning, and the
 * certificate must be for the IP address.
 */
export function withServerName({ address, apiKey, tls }: ClusterConnectionOptions): Pick<
  ConnectionOptions,
  'address' | 'apiKey' | 'credentials' | 'metadata' | 'tls'
> & {
  readonly channelArgs: NonNullable<ConnectionOptions['channelArgs']>;
} {
  const host =
    (tls !== false ? tls.serverNameOverride : undefined) ?? address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (tls === false || isIP(host) === 0)
    return { address, tls, channelArgs: {}, ...(apiKey === undefined ? {} : { apiKey }) };
  const { serverRootCACertificate: authority, clientCertPair } = tls;
  return {
    address,
    credentials: credentials.createSsl(
      toBuffer(authority),
      toBuffer(clientCertPair?.key),
      toBuffer(clientCertPair?.crt),
      { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) },
    ),
    channelArgs: { 'grpc.ssl_target_name_override': NAME_OF_AN_ADDRESS },
    ...(apiKey === undefined ? {} : { metadata: { Authorization: `Bearer ${apiKey}` } }),
  };
}

function toBuffer(bytes: Uint8Array | undefined): Buffer | null {
  return bytes === undefined ? null : Buffer.from(bytes);
}

export function getApiKey({ ApiKey }: TemporalConfiguration): string | undefined {
  return ApiKey.isSet ? ApiKey.reveal() : undefined;
}

/** Returns `false` for connections without TLS. Without a value, the SDK would use TLS if there is an API key. */
async function readTls({ Tls, ApiKey }: TemporalConfiguration): Promise<TlsOptions | false> {
  const { CaFile, CertificateFile, KeyFile, ServerName } = Tls;
  const isImplied = ApiKey.isSet || [CaFile, CertificateFile, KeyFile, ServerName].some((key) => key !== undefined);
  if (!(Tls.Enabled ?? isImplied)) return false;
  return {
    ...(ServerName === undefined ? {} : { serverNameOverride: ServerName }),
    ...(CaFile === undefined ? {} : { serverRootCACertificate: await readFile(CaFile) }),
    ...(CertificateFile === undefined || KeyFile === undefined
      ? {}
      : { clientCertPair: { crt: await readFile(CertificateFile), key: await readFile(KeyFile) } }),
  };
}
