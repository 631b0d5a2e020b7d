import { ROLES } from '@countersign/contract';
import { readCoreConfiguration } from '@countersign/core';
import { CliError } from './cli-error.js';
import { loadConfigurationLayers, type ConfigurationOptions } from './configuration-options.js';
import { readServerFile } from './server-file.js';

export interface TokenOptions extends ConfigurationOptions {
  readonly role: string;
  readonly subject?: string;
  readonly name?: string;
  readonly userName?: string;
  readonly group: readonly string[];
  readonly url?: string;
}

const TIMEOUT_MS = 10_000;

/** Prints a development token, and nothing else, so that a shell can capture it. */
export async function printToken(options: TokenOptions): Promise<void> {
  process.stdout.write(`${await requestToken(options)}\n`);
}

/**
 * Requests a development token from the running server. The command does not use the server's key directly, because the
 * server may not accept such tokens.
 */
export async function requestToken(options: TokenOptions): Promise<string> {
  const url = options.url ?? (await findServer(options));
  // Each role is a different user by default, because the user who starts a run may not decide its approvals.
  const { role, subject = role, name, userName, group } = options;
  return postTokenRequest(`${url.replace(/\/$/, '')}/api/auth/token`, {
    subject,
    role,
    ...(name === undefined ? {} : { name }),
    ...(userName === undefined ? {} : { userName }),
    ...(group.length === 0 ? {} : { groups: group }),
  });
}

/**
 * Returns the URL of the server that runs on the data directory.
 *
 * @throws {CliError}
 */
export async function findServer(options: ConfigurationOptions): Promise<string> {
  const { core } = readCoreConfiguration(await loadConfigurationLayers(options));
  if (core === undefined)
    throw new CliError(
      'invalid_configuration',
      'The configuration is invalid.',
      'Run countersign start to see the problems, or specify the address of the server with --url.',
    );
  const serverFile = await readServerFile(core.Data.Directory);
  if (serverFile !== undefined) return serverFile.url;
  throw new CliError(
    'server_not_running',
    `No server runs on the data directory ${core.Data.Directory}.`,
    'Start it with npm start (or countersign start), or specify its data directory with --data or its address with --url.',
  );
}

async function postTokenRequest(endpoint: string, body: object): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new CliError(
      'server_not_running',
      `The server is not responding at ${endpoint}.`,
      'Start it with npm start (or countersign start).',
      { cause },
    );
  });
  const responseBody = (await response.json().catch(() => undefined)) as
    { access_token?: unknown; code?: unknown; detail?: unknown } | undefined;
  if (response.ok && typeof responseBody?.access_token === 'string') return responseBody.access_token;
  if (responseBody?.code === 'dev_token_disabled') {
    throw new CliError(
      'dev_token_disabled',
      'This server does not issue development tokens.',
      'Get a token from its issuer. For development on this machine, start the server with npm start, or set Auth:DevToken:Enabled.',
    );
  }
  throw new CliError(
    typeof responseBody?.code === 'string' ? responseBody.code : 'unexpected_answer',
    `The server responded with status ${response.status}: ${String(responseBody?.detail ?? 'no reason given')}`,
    `Valid roles: ${ROLES.join(', ')}.`,
  );
}
