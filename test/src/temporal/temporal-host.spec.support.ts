import type { Client } from '@countersign/contract';
import { StoragePort, type Plugin } from '@countersign/core';
import { createTestHost, type TestEngine, type TestHost, type TestHostOptions, waitUntil } from '@countersign/testing';
import { temporalEngine, TemporalServer } from './temporal-server.spec.support.js';
import { configureTemporal, type TestTemporal } from './test-temporal.spec.support.js';

interface ServerContext {
  readonly server: TemporalServer;
}

/** What specs on a Temporal cluster need, while they run. */
export interface TemporalContext extends ServerContext {
  readonly host: TestHost;
  readonly viewer: Client;
}

type Mutable<T> = { -readonly [K in keyof T]?: T[K] };

/**
 * Starts a cluster before the specs of a suite, and closes it afterwards.
 *
 * @param limits by their names in the dynamic configuration of the Temporal server
 */
export function useTemporalServer(limits: Readonly<Record<string, number>> = {}): ServerContext {
  const context: Mutable<ServerContext> = {};

  before(async () => {
    context.server = await TemporalServer.start(limits);
  });

  after(() => context.server?.close());

  return context as ServerContext;
}

/** Starts a cluster and a host with workflows before the specs of a suite, and closes them afterwards. */
export function useTemporalHost(...models: readonly string[]): TemporalContext {
  return useLimitedTemporalHost({}, ...models);
}

/**
 * The same with a cluster that has other limits.
 *
 * @param limits by their names in the dynamic configuration of the Temporal server
 */
export function useLimitedTemporalHost(
  limits: Readonly<Record<string, number>>,
  ...models: readonly string[]
): TemporalContext {
  const context: Mutable<TemporalContext> = {};

  before(async () => {
    context.server = await TemporalServer.start(limits);
    context.host = await createTemporalHost(context.server);
    context.viewer = await context.host.client('viewer', 'vera');
    for (const model of models) await context.host.deploy(model);
  });

  after(async () => {
    await context.host?.close();
    await context.server?.close();
  });

  return context as TemporalContext;
}

/** Starts a host with the Temporal engine. */
export async function createTemporalHost(server: TestTemporal, options: TestHostOptions = {}): Promise<TestHost> {
  return createTestHost({
    jobTypes: ['work'],
    ...options,
    engine: { plugin: requireTemporalEngine() },
    configuration: { ...server.configuration, ...options.configuration },
  });
}

/**
 * Returns the engine of hosts that share a cluster. Each database has its own prefix of task queues, because the cluster
 * outlives it.
 */
export function createTestEngine(address: string): TestEngine {
  return {
    plugin: requireTemporalEngine(),
    configure: (installation) => configureTemporal(address, { TaskQueuePrefix: installation }),
  };
}

/** @throws {Error} if the dependencies of the engine are not installed */
export function requireTemporalEngine(): Plugin {
  if (temporalEngine === undefined) throw new Error('The dependencies of the Temporal engine are not installed.');
  return temporalEngine;
}

/** Waits until the cluster has accepted all announcements. */
export async function waitUntilAnnounced({ host }: TestHost): Promise<void> {
  const storage = host.get(StoragePort);
  await waitUntil(
    'all announcements are accepted',
    async () => (await storage.countAnnouncements('temporal')).count === 0,
  );
}
