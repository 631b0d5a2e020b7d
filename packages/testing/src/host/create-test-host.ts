import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import { codehostWebhookPlugin } from '@countersign/codehost-webhook';
import { createClient, type Client, type Role } from '@countersign/contract';
import {
  createHost,
  definePlugin,
  JobHandlerContribution,
  startHost,
  type ClockPort,
  type Host,
  type JsonObject,
  type LoggerPort,
  type Plugin,
} from '@countersign/core';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { eventIngressPlugin } from '@countersign/event-ingress';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { createServer, mintDevToken, type DevTokenRequest } from '@countersign/server';
import { createMigratedTestDatabase, storagePostgresPlugin } from '@countersign/storage-postgres';
import { ResponseValidator } from './response-validator.js';
import { ManualJobs } from './manual-jobs.js';
import { RunInvariant } from './run-invariant.js';
import { loadTestEngine, type TestEngine } from './test-engine.js';

export interface TestHostOptions {
  /** Job types that the test completes by hand. */
  readonly jobTypes?: readonly string[];
  readonly plugins?: readonly Plugin[];
  /** Replaces the engine of test hosts: the embedded one, or that of `COUNTERSIGN_TEST_ENGINE`. */
  readonly engine?: TestEngine;
  /** The content of the configuration file. */
  readonly configuration?: JsonObject;
  /** Environment variables, which override `configuration`. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: ClockPort;
  readonly logger?: LoggerPort;
  /** Another host whose database and data directory this host uses; the other host removes them when it closes. */
  readonly shareDataWith?: Pick<TestHost, 'database' | 'dataDirectory'>;
}

/**
 * Host with real components that listens on a free port. It has a separate PostgreSQL database unless it shares one.
 */
export interface TestHost {
  readonly host: Host;
  readonly url: string;
  readonly jobs: ManualJobs;
  readonly database: TestDatabase;
  readonly dataDirectory: string;
  /** Returns a token of a user with a role; by default the subject is the role name. */
  token(role: Role, overrides?: Partial<DevTokenRequest>): Promise<string>;
  /** Returns the typed client of a user with a role. */
  client(role: Role, subject?: string): Promise<Client>;
  deploy(bpmnXml: string): Promise<void>;
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 2_000;

/** Starts a host with real components; jobs are completed by hand. */
export async function createTestHost(options: TestHostOptions = {}): Promise<TestHost> {
  const jobs = new ManualJobs(options.jobTypes ?? []);
  const database = options.shareDataWith?.database ?? (await createMigratedTestDatabase());
  const dataDirectory =
    options.shareDataWith?.dataDirectory ?? (await mkdtemp(join(await realpath(tmpdir()), 'countersign-host-')));
  const engine = options.engine ?? (await loadTestEngine());
  const host = await startHost((saved) =>
    createHost({
      plugins: [
        storagePostgresPlugin,
        artifactsFilesystemPlugin,
        policyCedarPlugin,
        codehostWebhookPlugin,
        eventIngressPlugin,
        createManualJobsPlugin(jobs),
        ...(options.plugins ?? []),
        engine.plugin,
      ],
      configuration: {
        defaults: {
          // First, so that it cannot remove the sections of the host.
          ...engine.configure?.(new URL(database.connectionString).pathname.slice(1)),
          Server: { Port: 0 },
          Data: { Directory: dataDirectory },
          Storage: { Postgres: { ConnectionString: database.connectionString } },
          Auth: { DevToken: { Enabled: true } },
          Limits: { RequestsPerMinute: 1_000_000 },
        },
        file: { path: join(dataDirectory, 'countersign.config.yaml'), content: options.configuration ?? {} },
        environment: options.environment ?? {},
        saved,
      },
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.logger === undefined ? {} : { logger: options.logger }),
    }),
  );
  const invariant = new RunInvariant(host);
  const server = createServer(host);
  const { url } = await server.listen();
  const responseValidator = new ResponseValidator(url);
  const token: TestHost['token'] = async (role, overrides = {}) =>
    (await mintDevToken({ dataDirectory, subject: role, role, ...overrides })).token;
  return {
    host,
    url,
    jobs,
    database,
    dataDirectory,
    token,
    client: async (role, subject = role) => createClient({ baseUrl: url, token: await token(role, { subject }) }),
    deploy: async (bpmnXml) => {
      const headers = { 'authorization': `Bearer ${await token('admin')}`, 'content-type': 'application/xml' };
      const response = await fetch(`${url}/api/workflows`, { method: 'POST', headers, body: bpmnXml });
      if (!response.ok) throw new Error(`The BPMN model was not deployed: ${await response.text()}`);
    },
    close: async () => {
      await server.close(CLOSE_GRACE_MS);
      // A host that shares its data leaves its open jobs to the other host, as in production.
      if (options.shareDataWith === undefined) jobs.failAll();
      await host.stop();
      if (options.shareDataWith === undefined) {
        await database.drop();
        await rm(dataDirectory, { recursive: true, force: true });
      }
      responseValidator.stop();
      invariant.assertHolds();
    },
  };
}

function createManualJobsPlugin(jobs: ManualJobs): Plugin {
  return definePlugin({
    id: 'manual-jobs',
    register({ contribute }) {
      for (const handler of jobs.createHandlers()) contribute(JobHandlerContribution, handler);
    },
  });
}
