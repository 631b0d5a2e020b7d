import {
  ClockPort,
  createApplication,
  EndedSessionsStore,
  EnginePort,
  LiveCoreConfiguration,
  LoggerPort,
  RateCountsStore,
  StoragePort,
  type Application,
  type CoreConfiguration,
} from '@countersign/core';
import { isRole, type RequiredRole, type RouteDefinition } from '@countersign/contract';
import { Authenticator } from '../auth/authenticator.js';
import { EndedSessions } from '../auth/ended-sessions.js';
import { checkAuthConfiguration } from '../auth/check-auth-configuration.js';
import { BodyParserDetector } from '../middleware/body-parser-detector.js';
import { ExportAudit } from '../middleware/export-audit.js';
import { FailedSignIns } from '../middleware/failed-sign-ins.js';
import { Metrics } from '../middleware/metrics.js';
import { RateLimits } from '../middleware/rate-limit.js';
import { AuditRecorder } from '../middleware/audit-recorder.js';
import { AllowedHosts } from '../net/allowed-hosts.js';
import { ChangeFeedPoller } from '../sse/change-feed-poller.js';
import { StreamRegistry } from '../sse/stream-registry.js';
import type { ServerHost } from './server-host.js';
import { ReadinessChecks } from './readiness-checks.js';
import { SERVER_VERSION } from './version.js';

/** The services that the routes of one host share. None of them is global: a process may have several hosts. */
export interface Services {
  readonly host: ServerHost;
  /** The current configuration. */
  readonly configuration: CoreConfiguration;
  readonly app: Application;
  readonly log: LoggerPort;
  /** Clock for tokens, and for entries that are recorded outside of commands. */
  readonly clock: Pick<ClockPort, 'now'>;
  readonly authenticator: Authenticator;
  readonly allowedHosts: AllowedHosts;
  readonly rateLimits: RateLimits;
  readonly metrics: Metrics;
  readonly audit: AuditRecorder;
  readonly failedSignIns: FailedSignIns;
  readonly readiness: ReadinessChecks;
  readonly bodyParserDetector: BodyParserDetector;
  readonly exportAudit: ExportAudit;
  readonly feed: ChangeFeedPoller;
  readonly streams: StreamRegistry;
  readonly endedSessions: EndedSessions;
  readonly version: string;
  /** Whether the server is stopping: it reports not ready, but finishes the requests in progress. */
  draining: boolean;
}

/** @throws {AuthConfigurationError} if the sign-in configuration is unsafe or cannot work */
export function createServices(host: ServerHost): Services {
  const liveConfiguration = host.get(LiveCoreConfiguration);
  const configuration = liveConfiguration.current;
  checkAuthConfiguration(configuration);
  const log = host.get(LoggerPort);
  const commandClock = host.get(ClockPort);
  // Issuers use the real time, so a manual clock (in tests) does not apply to tokens.
  const clock = commandClock.correct === undefined ? { now: () => Date.now() } : commandClock;
  const storage = host.get(StoragePort);
  const rateLimits = new RateLimits(configuration.Limits.RequestsPerMinute, host.get(RateCountsStore), clock, log);
  liveConfiguration.onChange(({ Limits }) => rateLimits.setRequestsPerMinute(Limits.RequestsPerMinute));
  const metrics = new Metrics(host);
  const feed = new ChangeFeedPoller(storage, log);
  host.get(EnginePort).onCommit(() => feed.requestEarlyPoll());
  const audit = new AuditRecorder(storage, log);
  const endedSessions = new EndedSessions(host.get(EndedSessionsStore), log, clock, configuration.Auth.MaxTokenAge);
  const streams = new StreamRegistry((count) => metrics.setOpenStreamCount(count));
  endedSessions.onSessionsEnded = () => streams.endWhere((principal) => endedSessions.has(principal));
  return {
    host,
    get configuration() {
      return liveConfiguration.current;
    },
    app: createApplication(host),
    log,
    clock,
    authenticator: new Authenticator(configuration, clock, endedSessions, storage),
    allowedHosts: new AllowedHosts(configuration.Server.Host, configuration.Server.AllowedHosts),
    rateLimits,
    metrics,
    audit,
    failedSignIns: new FailedSignIns((entry) => audit.record(entry), clock),
    readiness: new ReadinessChecks(log),
    bodyParserDetector: new BodyParserDetector(log),
    exportAudit: new ExportAudit((entry) => audit.record(entry), clock),
    feed,
    streams,
    endedSessions,
    version: SERVER_VERSION,
    draining: false,
  };
}

/**
 * Returns the role that a route currently requires: the configured role if the route has a setting, otherwise the role
 * in the contract.
 */
export function getRequiredRole(configuration: CoreConfiguration, route: RouteDefinition): RequiredRole {
  if (route.roleSetting === undefined) return route.role;
  const configured = route.roleSetting
    .split(':')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null && key in value ? value[key as never] : undefined),
      configuration,
    );
  return configured === 'anonymous' || isRole(configured) ? configured : route.role;
}
