import {
  ArtifactStorePort,
  EnginePort,
  HostSettings,
  LoggerPort,
  ReadinessCheckContribution,
  StoragePort,
} from '@countersign/core';
import type { HealthStatus, ReadinessCheck, Runtime } from '@countersign/contract';
import type { Exchange, Handlers } from '../app/exchange.js';
import type { Services } from '../app/services.js';
import { may } from '../auth/principal.js';
import { withTimeout } from '../app/with-timeout.js';

/** Health is answered within a second, whatever hangs. */
const CHECK_TIMEOUT_MS = 900;

export const healthHandlers: Pick<Handlers, 'getLive' | 'getReady' | 'getRuntime' | 'getEngine'> = {
  getLive: async () => ({ body: { status: 'ok' } }),

  getReady: async (exchange) => {
    const { services } = exchange;
    const [detailed, checks] = await Promise.all([seesDetails(exchange), runChecks(services)]);
    const status = upOrDown(worstOf(checks), detailed);
    const body = { status, runtime: runtimeOf(services, detailed), checks: detailed ? checks : [] };
    return status === 'fail' ? { status: 503, body, headers: { 'Retry-After': '5' } } : { body };
  },

  getRuntime: async (exchange) => ({ body: runtimeOf(exchange.services, await seesDetails(exchange)) }),

  getEngine: async (exchange) => {
    const { services } = exchange;
    const engine = services.host.get(EnginePort);
    const { external } = engine.status();
    // The engine in this process can do nothing without the database.
    const [detailed, checks] = await Promise.all([
      seesDetails(exchange),
      runChecks(services, ({ name }) => name === 'database'),
    ]);
    return { body: { external, adapter: engine.name, status: upOrDown(worstOf(checks), detailed), topology: null } };
  },
};

function worstOf(checks: readonly ReadinessCheck[]): HealthStatus {
  return checks.some(({ status }) => status === 'fail')
    ? 'fail'
    : checks.some(({ status }) => status === 'warn')
      ? 'warn'
      : 'ok';
}

/** Probes need no token. A token that can't be checked in time counts as none, so that health is answered even then. */
async function seesDetails({ ctx, services }: Pick<Exchange, 'ctx' | 'services'>): Promise<boolean> {
  const { authorization } = ctx.headers;
  if (authorization === undefined) return false;
  return withTimeout(CHECK_TIMEOUT_MS, services.authenticator.authenticate(authorization)).then(
    (principal) => may(principal, 'operator'),
    () => false,
  );
}

function upOrDown(status: HealthStatus, detailed: boolean): HealthStatus {
  return detailed || status === 'fail' ? status : 'ok';
}

function runtimeOf({ host, version }: Services, detailed: boolean): Runtime {
  const { mode, instanceId, startedAt, workers } = host.get(EnginePort).status();
  if (!detailed) return { mode, version: null, instanceId: null, startedAt: null, workers: [] };
  return {
    mode,
    version,
    instanceId,
    startedAt: new Date(startedAt).toISOString(),
    // An engine elsewhere may not know how many jobs its workers take.
    workers: workers.map(({ jobType, active, concurrency = 0 }) => ({ name: jobType, active, concurrency })),
  };
}

async function runChecks(
  services: Services,
  wanted: (check: ReadinessCheckContribution) => boolean = () => true,
): Promise<ReadinessCheck[]> {
  const { host } = services;
  const contributed = host.getAll(ReadinessCheckContribution);
  const named = new Set(contributed.map((check) => check.name));
  const own: ReadinessCheckContribution[] = [
    { name: 'database', check: async () => tried(host.get(StoragePort).check()) },
    { name: 'artifacts', check: async () => tried(host.get(ArtifactStorePort).check()) },
    { name: 'settings', check: async () => host.get(HostSettings).check() },
    {
      name: 'server',
      check: async () =>
        services.draining ? { status: 'fail', detail: 'stopping' } : { status: 'ok', detail: 'serving' },
    },
  ];
  // A plugin that looks at the same thing knows more of it.
  const all = [...own.filter((check) => !named.has(check.name)), ...contributed];
  return Promise.all(all.filter(wanted).map((check) => runCheck(check, host.get(LoggerPort))));
}

async function tried(attempt: Promise<void>): Promise<{ status: 'ok'; detail: string }> {
  await attempt;
  return { status: 'ok', detail: 'answers' };
}

async function runCheck(check: ReadinessCheckContribution, log: LoggerPort): Promise<ReadinessCheck> {
  try {
    const { status, detail } = await withTimeout(CHECK_TIMEOUT_MS, check.check());
    return { name: check.name, status, detail };
  } catch (error) {
    // The cause may name hosts and files; whoever may read the log finds it there.
    log.warn({ err: error, check: check.name }, 'readiness check failed');
    return { name: check.name, status: 'fail', detail: 'not responding; see the log' };
  }
}
