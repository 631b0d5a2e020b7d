import type { SettingsTest } from '@countersign/contract';
import {
  isApiError,
  isOutboundHttpError,
  isSettingsTestFailure,
  isStartupError,
  LoggerPort,
  ReadinessCheckContribution,
  SettingsTestContribution,
  SettingsTestFailure,
  type SettingsTestCheck,
} from '@countersign/core';
import type { Services } from '../app/services.js';
import { createRefusal } from '../app/problem.js';
import { withTimeout } from '../app/with-timeout.js';
import { createAuthTest } from './auth-test.js';
import { createPolicyTest } from './policy-test.js';
import { createArtifactsTest } from './artifacts-test.js';

/** Targets that every server supports, regardless of its plugins. */
const BUILT_IN_TARGETS = ['database', 'engine', 'model', 'policy', 'codehost', 'event-ingress', 'auth', 'artifacts'];

const TIMEOUT_MS = 10_000;

export function getSettingsTargets({ host }: Pick<Services, 'host'>): string[] {
  return [...new Set([...BUILT_IN_TARGETS, ...host.getAll(SettingsTestContribution).map(({ target }) => target)])];
}

/** @throws {ApiError} `settings_target_not_found` */
export async function runSettingsTest(services: Services, target: string): Promise<SettingsTest> {
  if (!getSettingsTargets(services).includes(target))
    throw createRefusal(
      'settings_target_not_found',
      `Unknown test target "${target}". Valid targets: ${getSettingsTargets(services).join(', ')}.`,
    );
  const { host } = services;
  const tests = [...createBuiltInTests(services), ...host.getAll(SettingsTestContribution)].filter(
    (test) => test.target === target,
  );
  const readinessChecks = host.getAll(ReadinessCheckContribution).filter(({ name }) => name === target);
  const checks = [...readinessChecks.map(toTestCheck), ...tests.flatMap((test) => test.checks())];
  const results = await Promise.all(
    (checks.length === 0 ? [missingTestCheck] : checks).map((check) => runCheck(check, target, host.get(LoggerPort))),
  );
  return { target, ok: results.every(({ ok }) => ok), checks: results };
}

function createBuiltInTests(services: Services): SettingsTestContribution[] {
  return [createPolicyTest(services), createAuthTest(services), createArtifactsTest(services)];
}

/** Fails the test of a target without checks, because such a test must not report success. */
const missingTestCheck: SettingsTestCheck = {
  name: 'a test exists',
  run: () => Promise.reject(new SettingsTestFailure('No plugin of this server provides a test for this target.')),
};

function toTestCheck(readinessCheck: ReadinessCheckContribution): SettingsTestCheck {
  return {
    name: 'ready',
    run: async () => {
      const { status, detail } = await readinessCheck.check();
      // A warning does not affect readiness, but a settings test reports it as a failure.
      if (status !== 'ok') throw new SettingsTestFailure(detail);
      return detail;
    },
  };
}

async function runCheck(
  check: SettingsTestCheck,
  target: string,
  log: LoggerPort,
): Promise<SettingsTest['checks'][number]> {
  const startedAt = performance.now();
  const createResult = (ok: boolean, detail: string) => ({
    name: check.name,
    ok,
    detail,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  });
  const createTimeoutError = () => new SettingsTestFailure(`No response within ${TIMEOUT_MS / 1_000} seconds.`);
  try {
    return createResult(true, await withTimeout(TIMEOUT_MS, check.run(), createTimeoutError));
  } catch (error) {
    if (hasUserMessage(error)) return createResult(false, error.message);
    // Messages of drivers and libraries may contain their input, for example a password.
    log.warn({ err: error, target, check: check.name }, 'settings test failed');
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return createResult(false, `The test failed${code}; see the log for the reason.`);
  }
}

function hasUserMessage(error: unknown): error is Error {
  return isSettingsTestFailure(error) || isApiError(error) || isStartupError(error) || isOutboundHttpError(error);
}
