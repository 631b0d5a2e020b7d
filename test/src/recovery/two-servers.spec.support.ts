import { createClient, type Client, type Role } from '@countersign/contract';
import { openPostgresStorage } from '@countersign/storage-postgres';
import { createMigratedTestDatabase } from '@countersign/testing';
import type { StoragePort } from '@countersign/core';
import { mintDevToken } from '@countersign/server';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPATIENT_OPTIONS, ServerChild, type ProcessConfiguration } from './server-child.spec.support.js';

export interface ServerOfPair {
  readonly process: ServerChild;
  client(role: Role, subject: string): Promise<Client>;
}

/** Two server processes on one database, as in a deployment with a load balancer. */
export interface TwoServers {
  readonly left: ServerOfPair;
  readonly right: ServerOfPair;
  readonly storage: StoragePort;
  readonly connectionString: string;
  stop(): Promise<void>;
}

/** @param options of both engines; the default lease is long enough not to expire on a busy machine */
export async function startTwoServers(options: ProcessConfiguration['options'] = {}): Promise<TwoServers> {
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-two-servers-'));
  const { connectionString, drop } = await createMigratedTestDatabase();
  const configuration = {
    Server: { Port: 0 },
    Data: { Directory: dataDirectory },
    Auth: { DevToken: { Enabled: true } },
    Limits: { RequestsPerMinute: 1_000_000 },
    Storage: { Postgres: { ConnectionString: connectionString } },
  };
  const launch = () =>
    new ServerChild({
      configuration,
      effects: connectionString,
      options: { ...IMPATIENT_OPTIONS, leaseMs: 30_000, ...options },
    });
  const processes = [launch(), launch()] as const;
  const [left, right] = (await Promise.all(
    processes.map(async (process): Promise<ServerOfPair> => {
      const baseUrl = `http://127.0.0.1:${await process.ready}`;
      return {
        process,
        client: async (role, subject) =>
          createClient({ baseUrl, token: (await mintDevToken({ dataDirectory, subject, role })).token }),
      };
    }),
  )) as [ServerOfPair, ServerOfPair];
  const { storage, close } = await openPostgresStorage({ connectionString, poolSize: 4 });
  return {
    left,
    right,
    storage,
    connectionString,
    stop: async () => {
      await Promise.all(processes.map((process) => process.stop()));
      await close();
      await drop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
