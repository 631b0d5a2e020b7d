import {
  ArtifactStorePort,
  EnginePort,
  HostSettings,
  ReadinessCheckContribution,
  StoragePort,
  type ClusterTopology,
} from '@countersign/core';
import type { EngineTopology, HealthStatus, ReadinessCheck, Runtime } from '@countersign/contract';
import type { RouteContext, Handlers } from '../app/route-context.js';
import { CHECK_TIMEOUT_MS } from '../app/readiness-checks.js';
import type { Services } from '../app/services.js';
import { principalHasRole } from '../auth/principal.js';
import { withTimeout } from '../app/with-timeout.js';

/** Maximum age of a result for anonymous callers, in ms: probes arrive every few seconds. */
const MAX_SHARED_AGE_MS = 1_000;

export const healthHandlers: Pick<Handlers, 'getLive' | 'getReady' | 'getRuntime' | 'getEngine'> = {
  getLive: async () => ({ body: { status: 'ok' } }),

  getReady: async (exchange) => {
    const { services } = exchange;
    const { detailed, checks } = await runChecks(exchange);
    const status = toVisibleStatus(getWorstStatus(checks), detailed);
    const body = { status, runtime: await describeRuntime(services, detailed), checks: detailed ? checks : [] };
    return status === 'fail' ? { status: 503, body, headers: { 'Retry-After': '5' } } : { body };
  },

  getRuntime: async (exchange) => ({ body: await describeRuntime(exchange.services, await maySeeDetails(exchange)) }),

  getEngine: async (exchange) => {
    const { services } = exchange;
    const engine = services.host.get(EnginePort);
    // Each engine depends on the database, and an external engine also on its cluster.
    const { detailed, checks } = await runChecks(exchange, ({ name }) => name === 'database');
    const { external, cluster } = await engine.status();
    const status = typeof cluster?.problem === 'string' ? 'fail' : getWorstStatus(checks);
    const topology =
      detailed && cluster !== undefined && cluster.topology !== null ? toTopology(cluster.topology) : null;
    return { body: { external, adapter: engine.name, status: toVisibleStatus(status, detailed), topology } };
  },
};

function toTopology({ announcements, taskQueues, members, ...topology }: ClusterTopology): EngineTopology {
  const { count, oldestAgeMs } = announcements;
  return {
    ...topology,
    members: members?.map(({ role, address, shards }) => ({ role, address, shards: shards && [...shards] })) ?? null,
    taskQueues: taskQueues.map(({ name, pollers, backlog }) => ({
      name,
      pollers: pollers.map(({ identity, lastAccessAt }) => ({
        identity,
        lastAccessAt: new Date(lastAccessAt).toISOString(),
      })),
      backlog,
    })),
    announcements: { pending: count, oldestAgeSeconds: oldestAgeMs === null ? null : oldestAgeMs / 1_000 },
  };
}

function getWorstStatus(checks: readonly ReadinessCheck[]): HealthStatus {
  return checks.some(({ status }) => status === 'fail')
    ? 'fail'
    : checks.some(({ status }) => status === 'warn')
      ? 'warn'
      : 'ok';
}

/**
 * Returns whether the caller may see details. Probes need no token. A token that cannot be verified in time is ignored,
 * so that health requests always receive a response.
 */
async function maySeeDetails({ ctx, services }: Pick<RouteContext, 'ctx' | 'services'>): Promise<boolean> {
  const { authorization } = ctx.headers;
  if (authorization === undefined) return false;
  const authentication = services.authenticator.authenticateProbe(authorization).catch((error: unknown) => {
    services.failedSignIns.countIfTokenRefused(ctx.ip, error);
    throw error;
  });
  return withTimeout(CHECK_TIMEOUT_MS, authentication).then(
    (principal) => principalHasRole(principal, 'operator'),
    () => false,
  );
}

function toVisibleStatus(status: HealthStatus, detailed: boolean): HealthStatus {
  return detailed || status === 'fail' ? status : 'ok';
}

async function describeRuntime({ host, version }: Services, detailed: boolean): Promise<Runtime> {
  const { mode, instanceId, startedAt, workers } = await host.get(EnginePort).status();
  if (!detailed) return { mode, version: null, instanceId: null, startedAt: null, workers: [] };
  return {
    mode,
    version,
    instanceId,
    startedAt: new Date(startedAt).toISOString(),
    // An external engine may not report the concurrency of its workers.
    workers: workers.map(({ jobType, active, concurrency = 0 }) => ({ name: jobType, active, concurrency })),
  };
}

/**
 * Runs the checks. Anonymous callers get results up to a second old; callers who may see details get results from after
 * their request, if these arrive in time.
 */
async function runChecks(
  exchange: RouteContext,
  isRelevant: (check: Pick<ReadinessCheckContribution, 'name'>) => boolean = () => true,
): Promise<{ detailed: boolean; checks: ReadinessCheck[] }> {
  const { services } = exchange;
  const relevantChecks = collectChecks(services).filter(isRelevant);
  const runAll = (maxAgeMs: number): Promise<ReadinessCheck[]> =>
    Promise.all(relevantChecks.map((check) => services.readiness.runCheck(check, maxAgeMs)));
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  const [detailed, sharedResults] = await Promise.all([maySeeDetails(exchange), runAll(MAX_SHARED_AGE_MS)]);
  const checks = detailed
    ? await withTimeout(CHECK_TIMEOUT_MS - elapsedMs(), runAll(elapsedMs())).catch(() => sharedResults)
    : sharedResults;
  const server = services.draining
    ? ({ status: 'fail', detail: 'stopping' } as const)
    : ({ status: 'ok', detail: 'serving' } as const);
  return {
    detailed,
    checks: [...checks, ...[{ name: 'server', ...server }].filter(({ name }) => isRelevant({ name }))],
  };
}

function collectChecks({ host, bodyParserDetector: bodyParsers }: Services): ReadinessCheckContribution[] {
  const contributed = host.getAll(ReadinessCheckContribution);
  const contributedNames = new Set(contributed.map((check) => check.name));
  const builtInChecks: ReadinessCheckContribution[] = [
    { name: 'database', check: async () => toOkResult(host.get(StoragePort).check()) },
    { name: 'artifacts', check: async () => toOkResult(host.get(ArtifactStorePort).check()) },
    ...bodyParsers.getReadinessChecks(),
    { name: 'settings', check: async () => host.get(HostSettings).check() },
  ];
  // A plugin's check replaces the built-in check of the same name, because it is more specific.
  return [...builtInChecks.filter((check) => !contributedNames.has(check.name)), ...contributed];
}

async function toOkResult(attempt: Promise<void>): Promise<{ status: 'ok'; detail: string }> {
  await attempt;
  return { status: 'ok', detail: 'responding' };
}
