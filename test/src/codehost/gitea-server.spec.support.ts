import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '@countersign/core';
import { waitUntil } from '@countersign/testing';
import { findFreePort } from '../free-port.spec.support.js';

const run = promisify(execFile);
const USER = 'ada';
const PASSWORD = 'only-for-this-test-1';

/**
 * No package registry has Gitea or Forgejo, so the tests run only if one is installed: `GITEA_BINARY` is its path,
 * and `GITEA_STATIC_ROOT` the path of its templates, if they are not built in.
 */
export const GITEA_BINARY = process.env['GITEA_BINARY'] ?? '';

/** A real Gitea or Forgejo on a free port of this machine, with one user and its own directory. */
export class GiteaServer {
  private constructor(
    private readonly url: string,
    private readonly directory: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<GiteaServer> {
    const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-gitea-'));
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const configuration = join(directory, 'app.ini');
    await writeFile(configuration, buildSettings(url, directory, process.env['GITEA_STATIC_ROOT']));
    const options = { cwd: directory, env: { PATH: process.env['PATH'], HOME: directory, GITEA_WORK_DIR: directory } };
    await run(GITEA_BINARY, ['migrate', '--config', configuration], options);
    await run(
      GITEA_BINARY,
      [
        'admin',
        'user',
        'create',
        '--config',
        configuration,
        '--username',
        USER,
        '--password',
        PASSWORD,
        '--email',
        'ada@example.org',
        '--admin',
        '--must-change-password=false',
      ],
      options,
    );
    const child = spawn(GITEA_BINARY, ['web', '--config', configuration], { ...options, stdio: 'ignore' });
    const server = new GiteaServer(url, directory, child);
    try {
      await waitUntil(
        'Gitea responds',
        async () => (await server.#fetch('GET', '/version').catch(() => undefined))?.ok,
      );
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Calls the API as the user. */
  async call<T = JsonObject>(method: 'GET' | 'POST', path: string, body?: JsonObject): Promise<T> {
    const response = await this.#fetch(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text === '' ? '{}' : text) as T;
  }

  /** Base URL of the API. */
  get apiUrl(): string {
    return `${this.url}/api/v1`;
  }

  /** Returns a token of the user for the API. */
  async createToken(): Promise<string> {
    return String((await this.call('POST', `/users/${USER}/tokens`, { name: 'test', scopes: ['all'] }))['sha1']);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill();
      await once(this.child, 'exit');
    }
    await rm(this.directory, { recursive: true, force: true });
  }

  #fetch(method: string, path: string, body?: JsonObject): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    return fetch(`${this.apiUrl}${path}`, {
      method,
      headers: { 'Authorization': authorization, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}

function buildSettings(url: string, directory: string, staticRoot: string | undefined): string {
  return `APP_NAME = test
RUN_USER = ${userInfo().username}
RUN_MODE = prod
WORK_PATH = ${directory}
I_AM_BEING_UNSAFE_RUNNING_AS_ROOT = true
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${new URL(url).port}
ROOT_URL = ${url}/
DISABLE_SSH = true
OFFLINE_MODE = true
LFS_START_SERVER = false
${staticRoot === undefined ? '' : `STATIC_ROOT_PATH = ${staticRoot}`}
[database]
DB_TYPE = sqlite3
PATH = ${join(directory, 'gitea.db')}
[repository]
ROOT = ${join(directory, 'repositories')}
[security]
INSTALL_LOCK = true
[service]
DISABLE_REGISTRATION = true
[webhook]
ALLOWED_HOST_LIST = loopback
[cron.update_checker]
ENABLED = false
[log]
LEVEL = Error
ROOT_PATH = ${join(directory, 'log')}
`;
}
