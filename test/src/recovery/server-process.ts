import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import {
  createHost,
  EnginePort,
  ReceiveInboundEvent,
  StoragePort,
  type JsonObject,
  type RequestContext,
} from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { eventIngressPlugin } from '@countersign/event-ingress';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { createServer } from '@countersign/server';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import pg from 'pg';
import { createEffectAgentsPlugin } from './effect-agents.js';
import { CREATE_EFFECT_TABLES, createEffectJobsPlugin } from './effect-jobs.js';
import { loadTemporalEngine } from '../temporal/load-temporal-engine.js';
import { addFailpoints, type Failpoint } from './failpoints.js';
import { createImpatientEngine } from './impatient-engine.js';
import type { FailpointSignal, ProcessConfiguration, ControlRequest } from './server-child.spec.support.js';

/**
 * Configuration of this server process, which can kill itself at a failpoint. The specs start the process and control
 * it over IPC.
 */
const [{ configuration, effects: effectsUrl, options }] = (await once(process, 'message')) as [ProcessConfiguration];

let armedFailpoint: { failpoint: Failpoint; visit: number; signal: FailpointSignal } | undefined;
const visits = new Map<Failpoint, number>();
/** Failpoint that blocks until it is released. */
let heldFailpoint:
  { readonly failpoint: Failpoint; readonly released: Promise<void>; release(): void; onReached(): void } | undefined;

function visit(failpoint: Failpoint): Promise<void> | undefined {
  const count = (visits.get(failpoint) ?? 0) + 1;
  visits.set(failpoint, count);
  if (heldFailpoint?.failpoint === failpoint) {
    heldFailpoint.onReached();
    return heldFailpoint.released;
  }
  if (armedFailpoint?.failpoint !== failpoint || armedFailpoint.visit !== count) return undefined;
  // Written synchronously, because the process may end on the next line.
  writeSync(1, `\n${armedFailpoint.signal} at ${failpoint} #${count}\n`);
  process.kill(process.pid, armedFailpoint.signal);
  return armedFailpoint.signal === 'SIGKILL' ? new Promise(() => undefined) : undefined;
}

const SILENT_LOG = { debug: () => undefined, info: () => undefined };
const logError = (fields: object, message: string): void => console.error(message, fields);
const pool = effectsUrl === null ? null : new pg.Pool({ connectionString: effectsUrl, max: 4 });
pool?.on('error', () => undefined);
if (pool !== null) await pool.query(CREATE_EFFECT_TABLES);
// If agents are configured, the shipped runtime executes their steps.
const agents = configuration['Agents'] === undefined ? [] : (await import('./agent-plugins.js')).AGENT_PLUGINS;
const effectPlugins = pool === null ? [] : [createEffectJobsPlugin(pool), createEffectAgentsPlugin(pool)];
const engine = usesTemporal(configuration) ? await loadTemporalEngine() : engineEmbeddedPlugin;
if (engine === undefined) throw new Error('The dependencies of the Temporal engine are not installed.');
const host = createHost({
  plugins: [
    storagePostgresPlugin,
    artifactsFilesystemPlugin,
    policyCedarPlugin,
    eventIngressPlugin,
    ...effectPlugins,
    ...agents,
    createImpatientEngine(options, engine),
  ],
  configuration: { overrides: configuration },
  logger: { ...SILENT_LOG, warn: logError, error: logError },
});
const storage = host.get(StoragePort);
addFailpoints(storage, visit);
await host.start();
const server = createServer(host);
const { port } = await server.listen();

const OUTSIDE_CONTEXT: RequestContext = {
  actor: { type: 'system', id: 'test', name: 'Test' },
  from: null,
  traceId: null,
};

const requestHandlers: {
  [K in ControlRequest['type']]: (request: Extract<ControlRequest, { type: K }>) => Promise<unknown> | unknown;
} = {
  arm: ({ failpoint, visit: armedVisit, signal = 'SIGKILL' }) => {
    visits.clear();
    armedFailpoint = failpoint === null ? undefined : { failpoint, visit: armedVisit, signal };
  },
  hold: ({ failpoint }) => {
    heldFailpoint?.release();
    heldFailpoint = undefined;
    if (failpoint === null) return undefined;
    let [resolveRelease, resolveReached] = [(): void => undefined, (): void => undefined];
    const releasePromise = new Promise<void>((resolve) => (resolveRelease = resolve));
    const reachedPromise = new Promise<void>((resolve) => (resolveReached = resolve));
    heldFailpoint = { failpoint, released: releasePromise, release: resolveRelease, onReached: resolveReached };
    return reachedPromise;
  },
  activeJobs: async () => (await host.get(EnginePort).status()).workers.reduce((sum, { active }) => sum + active, 0),
  visits: () => Object.fromEntries(visits),
  correlate: ({ messageName, correlationKey }) =>
    host
      .get(EnginePort)
      .correlateMessage({ context: OUTSIDE_CONTEXT, messageName, correlationKey, payload: { heard: true } }),
  deliver: (event) =>
    host
      .get(ReceiveInboundEvent)
      .receive({ via: 'test', source: 'shop', bodyDigest: event.idempotencyKey, from: null, traceId: null, ...event }),
  broadcast: ({ signalName }) =>
    host.get(EnginePort).broadcastSignal({ context: OUTSIDE_CONTEXT, signalName, payload: { heard: true } }),
  stop: async () => {
    heldFailpoint?.release();
    await server.close(5_000);
    await host.stop();
    await pool?.end();
    setImmediate(() => process.disconnect());
  },
};

function usesTemporal({ Engine }: JsonObject): boolean {
  return (Engine as { readonly Adapter?: string } | undefined)?.Adapter === 'temporal';
}

process.on('message', (message: { id: number; request: ControlRequest }) => {
  void (async () => {
    const handleRequest = requestHandlers[message.request.type] as (request: ControlRequest) => unknown;
    try {
      const result = (await handleRequest(message.request)) as JsonObject | undefined;
      process.send?.({ id: message.id, result: result ?? null });
    } catch (error) {
      process.send?.({ id: message.id, error: String(error) });
    }
  })();
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: port });
