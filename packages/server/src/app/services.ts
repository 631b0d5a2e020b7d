import type { ApplicationSettings } from '@countersign/core';
import {
  createApplication,
  EnginePort,
  LiveCoreConfiguration,
  LoggerPort,
  StoragePort,
  type Application,
  type CoreConfiguration,
} from '@countersign/core';
import { isRole, type RequiredRole, type RouteDefinition } from '@countersign/contract';
import { Authenticator } from '../auth/authenticator.js';
import { checkAuthConfiguration } from '../auth/check-configuration.js';
import { Metrics } from '../middleware/metrics.js';
import { RateLimits } from '../middleware/rate-limit.js';
import { RefusalAudit } from '../middleware/refusal-audit.js';
import { EventFeed } from '../sse/event-feed.js';
import { OpenStreams } from '../sse/open-streams.js';
import type { ServerHost } from './host.js';
import { SERVER_VERSION } from './version.js';

/** All that the routes of one host share. Nothing of it is global: a process may have several hosts. */
export interface Services {
  readonly host: ServerHost;
  /** As it is now. */
  readonly configuration: CoreConfiguration;
  readonly app: Application;
  readonly log: LoggerPort;
  readonly authenticator: Authenticator;
  readonly limits: RateLimits;
  readonly metrics: Metrics;
  readonly audit: RefusalAudit;
  readonly feed: EventFeed;
  readonly streams: OpenStreams;
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
  const storage = host.get(StoragePort);
  const settings: ApplicationSettings = {
    get artifactMaxBytes() {
      return live.current.Artifacts.MaxBytes;
    },
    get stuckAfterMs() {
      return live.current.Runs.StuckAfter;
    },
    serverVersion: SERVER_VERSION,
  };
  const limits = new RateLimits(configuration.Limits.RequestsPerMinute);
  live.onChange(({ Limits }) => limits.setRequestsPerMinute(Limits.RequestsPerMinute));
  const metrics = new Metrics(host);
  const feed = new EventFeed(storage, log);
  host.get(EnginePort).onCommit(() => feed.hint());
  return {
    host,
    get configuration() {
      return live.current;
    },
    app: createApplication(host, settings),
    log,
    authenticator: new Authenticator(configuration),
    limits,
    metrics,
    audit: new RefusalAudit(storage, log),
    feed,
    streams: new OpenStreams((count) => metrics.openStreams(count)),
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
