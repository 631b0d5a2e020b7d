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
import { refusal } from '../app/problem.js';
import { withTimeout } from '../app/with-timeout.js';
import { authTest } from './auth-test.js';
import { policyTest } from './policy-test.js';
import { artifactsTest } from './artifacts-test.js';

/** Targets that every server supports, regardless of its plugins. */
const TARGETS = ['database', 'engine', 'model', 'policy', 'codehost', 'event-ingress', 'auth', 'artifacts'];

const TIMEOUT_MS = 10_000;

export function settingsTargets({ host }: Pick<Services, 'host'>): string[] {
  return [...new Set([...TARGETS, ...host.getAll(SettingsTestContribution).map(({ target }) => target)])];
}

/** @throws {ApiError} `settings_target_not_found` */
export async function runSettingsTest(services: Services, target: string): Promise<SettingsTest> {
  if (!settingsTargets(services).includes(target))
    throw refusal(
      'settings_target_not_found',
      `Unknown test target "${target}". Valid targets: ${settingsTargets(services).join(', ')}.`,
    );
  const { host } = services;
  const tests = [...own(services), ...host.getAll(SettingsTestContribution)].filter((test) => test.target === target);
  const readiness = host.getAll(ReadinessCheckContribution).filter(({ name }) => name === target);
  const checks = [...readiness.map(asCheck), ...tests.flatMap((test) => test.checks())];
  const tried = await Promise.all(
    (checks.length === 0 ? [nothingThere] : checks).map((check) => tryOut(check, target, host.get(LoggerPort))),
  );
  return { target, ok: tried.every(({ ok }) => ok), checks: tried };
}

function own(services: Services): SettingsTestContribution[] {
  return [policyTest(services), authTest(services), artifactsTest(services)];
}

/** Fails a test without checks, which must not report success. */
const nothingThere: SettingsTestCheck = {
  name: 'a test exists',
  run: () => Promise.reject(new SettingsTestFailure('No plugin of this server provides a test for it.')),
};

function asCheck(readiness: ReadinessCheckContribution): SettingsTestCheck {
  return {
    name: 'ready',
    run: async () => {
      const { status, detail } = await readiness.check();
      // A warning does not affect readiness, but a settings test reports it as a failure.
      if (status !== 'ok') throw new SettingsTestFailure(detail);
      return detail;
    },
  };
}

async function tryOut(
  check: SettingsTestCheck,
  target: string,
  log: LoggerPort,
): Promise<SettingsTest['checks'][number]> {
  const startedAt = performance.now();
  const done = (ok: boolean, detail: string) => ({
    name: check.name,
    ok,
    detail,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  });
  const late = () => new SettingsTestFailure(`No response within ${TIMEOUT_MS / 1_000} seconds.`);
  try {
    return done(true, await withTimeout(TIMEOUT_MS, check.run(), late));
  } catch (error) {
    if (isForPeople(error)) return done(false, error.message);
    // Messages of drivers and libraries may contain their input, for example a password.
    log.warn({ err: error, target, check: check.name }, 'settings test failed');
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return done(false, `The test failed${code}; see the log for the reason.`);
  }
}

function isForPeople(error: unknown): error is Error {
  return isSettingsTestFailure(error) || isApiError(error) || isStartupError(error) || isOutboundHttpError(error);
}
