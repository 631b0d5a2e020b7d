import {
  ArtifactStorePort,
  EnginePort,
  HostSettings,
  LoggerPort,
  ReadinessCheckContribution,
  StoragePort,
} from '@countersign/core';
import type { ReadinessCheck, Runtime } from '@countersign/contract';
import type { Handlers } from '../app/exchange.js';
import type { Services } from '../app/services.js';

const CHECK_TIMEOUT_MS = 3_000;

export const healthHandlers: Pick<Handlers, 'getLive' | 'getReady' | 'getRuntime' | 'getEngine'> = {
  getLive: async () => ({ body: { status: 'ok' } }),

  getReady: async ({ services }) => {
    const checks = await runChecks(services);
    const status = checks.some((check) => check.status === 'fail')
      ? 'fail'
      : checks.some((check) => check.status === 'warn')
        ? 'warn'
        : 'ok';
    const body = { status, runtime: runtimeOf(services), checks };
    return status === 'fail' ? { status: 503, body, headers: { 'Retry-After': '5' } } : { body };
  },

  getRuntime: async ({ services }) => ({ body: runtimeOf(services) }),

  getEngine: async ({ services }) => {
    const engine = services.host.get(EnginePort);
    const { external } = engine.status();
    return { body: { external, adapter: engine.name, status: 'ok', topology: null } };
  },
};

function runtimeOf({ host, version }: Services): Runtime {
  const { mode, instanceId, startedAt, workers } = host.get(EnginePort).status();
  return {
    mode,
    version,
    instanceId,
    startedAt: new Date(startedAt).toISOString(),
    // An engine elsewhere may not know how many jobs its workers take.
    workers: workers.map(({ jobType, active, concurrency = 0 }) => ({ name: jobType, active, concurrency })),
  };
}

async function runChecks(services: Services): Promise<ReadinessCheck[]> {
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
  return Promise.all(all.map((check) => runCheck(check, host.get(LoggerPort))));
}

async function tried(attempt: Promise<void>): Promise<{ status: 'ok'; detail: string }> {
  await attempt;
  return { status: 'ok', detail: 'answers' };
}

async function runCheck(check: ReadinessCheckContribution, log: LoggerPort): Promise<ReadinessCheck> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS);
  });
  try {
    const { status, detail } = await Promise.race([check.check(), late]);
    return { name: check.name, status, detail };
  } catch (error) {
    // The cause may name hosts and files; whoever may read the log finds it there.
    log.warn({ err: error, check: check.name }, 'readiness check failed');
    return { name: check.name, status: 'fail', detail: 'does not answer; the log says why' };
  } finally {
    clearTimeout(timer);
  }
}
