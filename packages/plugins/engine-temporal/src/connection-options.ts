import { readFile } from 'node:fs/promises';
import { status } from '@grpc/grpc-js';
import { type ConnectionOptions, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { TemporalConfiguration } from './configuration.js';

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

/** Returns the options of all connections to the cluster, with the content of the certificate files. */
export async function readConnectionOptions(configuration: TemporalConfiguration): Promise<{
  readonly address: string;
  readonly apiKey?: string;
  readonly tls: TlsOptions | false;
}> {
  const apiKey = getApiKey(configuration);
  const options = { address: configuration.Address, tls: await readTls(configuration) };
  return apiKey === undefined ? options : { ...options, apiKey };
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
