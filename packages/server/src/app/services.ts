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
import { checkAuthConfiguration } from '../auth/check-configuration.js';
import { BodyParsers } from '../middleware/body-parsers.js';
import { ExportAudit } from '../middleware/export-audit.js';
import { FailedSignIns } from '../middleware/failed-sign-ins.js';
import { Metrics } from '../middleware/metrics.js';
import { RateLimits } from '../middleware/rate-limit.js';
import { RefusalAuditor } from '../middleware/refusal-auditor.js';
import { AllowedHosts } from '../net/allowed-hosts.js';
import { ChangeFeedPoller } from '../sse/change-feed-poller.js';
import { StreamRegistry } from '../sse/stream-registry.js';
import type { ServerHost } from './host.js';
import { ReadinessChecks } from './readiness-checks.js';
import { SERVER_VERSION } from './version.js';

/** All that the routes of one host share. Nothing of it is global: a process may have several hosts. */
export interface Services {
  readonly host: ServerHost;
  /** As it is now. */
  readonly configuration: CoreConfiguration;
  readonly app: Application;
  readonly log: LoggerPort;
  /** For tokens, and for what is recorded outside of commands. */
  readonly clock: Pick<ClockPort, 'now'>;
  readonly authenticator: Authenticator;
  readonly allowedHosts: AllowedHosts;
  readonly limits: RateLimits;
  readonly metrics: Metrics;
  readonly audit: RefusalAuditor;
  readonly failedSignIns: FailedSignIns;
  readonly readiness: ReadinessChecks;
  readonly bodyParsers: BodyParsers;
  readonly exports: ExportAudit;
  readonly feed: ChangeFeedPoller;
  readonly streams: StreamRegistry;
  readonly endedSessions: EndedSessions;
  readonly version: string;
  /** Set while the server stops: it is not ready any more, but finishes what it has begun. */
  draining: boolean;
}

/** @throws {AuthConfigurationError} */
export function createServices(host: ServerHost): Services {
  const live = host.get(LiveCoreConfiguration);
  const configuration = live.current;
  checkAuthConfiguration(configuration);
  const log = host.get(LoggerPort);
  const commandClock = host.get(ClockPort);
  // Tokens are made elsewhere, so they do not follow a clock that is set by hand.
  const clock = commandClock.correct === undefined ? { now: () => Date.now() } : commandClock;
  const storage = host.get(StoragePort);
  const limits = new RateLimits(configuration.Limits.RequestsPerMinute, host.get(RateCountsStore), clock, log);
  live.onChange(({ Limits }) => limits.setRequestsPerMinute(Limits.RequestsPerMinute));
  const metrics = new Metrics(host);
  const feed = new ChangeFeedPoller(storage, log);
  host.get(EnginePort).onCommit(() => feed.hint());
  const audit = new RefusalAuditor(storage, log);
  const endedSessions = new EndedSessions(host.get(EndedSessionsStore), log, clock, configuration.Auth.MaxTokenAge);
  const streams = new StreamRegistry((count) => metrics.openStreams(count));
  endedSessions.onMore = () => streams.endOf((principal) => endedSessions.has(principal));
  return {
    host,
    get configuration() {
      return live.current;
    },
    app: createApplication(host),
    log,
    clock,
    authenticator: new Authenticator(configuration, clock, endedSessions, storage),
    allowedHosts: new AllowedHosts(configuration.Server.Host, configuration.Server.AllowedHosts),
    limits,
    metrics,
    audit,
    failedSignIns: new FailedSignIns((entry) => audit.record(entry), clock),
    readiness: new ReadinessChecks(log),
    bodyParsers: new BodyParsers(log),
    exports: new ExportAudit((entry) => audit.record(entry), clock),
    feed,
    streams,
    endedSessions,
    version: SERVER_VERSION,
    draining: false,
  };
}

/** The least role of a route as of now: as configured where it can be, else as the contract says. */
export function requiredRole(configuration: CoreConfiguration, route: RouteDefinition): RequiredRole {
  if (route.roleSetting === undefined) return route.role;
  const configured = route.roleSetting
    .split(':')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null && key in value ? value[key as never] : undefined),
      configuration,
    );
  return configured === 'anonymous' || isRole(configured) ? configured : route.role;
}
