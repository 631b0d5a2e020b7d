import { FailureLog, type LoggerPort } from '@countersign/core/plugin';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

let failures: FailureLog | undefined;
let log: LoggerPort | undefined;
let isInstalled = false;

/**
 * Configures the runtime of the Temporal SDK, which a process has only once: it logs to the server's log, and does not
 * handle signals, because the server stops its workers itself.
 */
export function installRuntime(serverLog: LoggerPort): void {
  log = serverLog;
  failures = new FailureLog(serverLog, 'the SDK of Temporal reports a problem', { component: 'temporal' });
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      // The SDK warns of each worker that it only runs jobs, and while the cluster is down, of each poll.
      const isProblem = level === 'ERROR' || meta?.['sdkComponent'] === 'core';
      if (isProblem) failures?.recordFailure(meta?.['error'], { ...meta, problem: message });
      else log?.debug({ ...meta, component: 'temporal' }, message);
    }),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
    },
  });
}
