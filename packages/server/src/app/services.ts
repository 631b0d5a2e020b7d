import type { ApplicationSettings} from '@countersign/core';
import { CoreConfiguration, createApplication, EnginePort, LoggerPort, StoragePort, type Application } from '@countersign/core';
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
  const configuration = host.get(CoreConfiguration);
  checkAuthConfiguration(configuration);
  const log = host.get(LoggerPort);
  const storage = host.get(StoragePort);
  const settings: ApplicationSettings = {
    artifactMaxBytes: configuration.Artifacts.MaxBytes,
    stuckAfterMs: configuration.Runs.StuckAfter,
    serverVersion: SERVER_VERSION,
  };
  const metrics = new Metrics(host);
  const feed = new EventFeed(storage, log);
  host.get(EnginePort).onCommit(() => feed.hint());
  return {
    host,
    configuration,
    app: createApplication(host, settings),
    log,
    authenticator: new Authenticator(configuration),
    limits: new RateLimits(configuration.Limits.RequestsPerMinute),
    metrics,
    audit: new RefusalAudit(storage, log),
    feed,
    streams: new OpenStreams((count) => metrics.openStreams(count)),
    version: SERVER_VERSION,
    draining: false,
  };
}

/** The least role of a route: as configured where it can be, else as the contract says. */
export function requiredRole(host: ServerHost, route: RouteDefinition): RequiredRole {
  if (route.roleSetting === undefined) return route.role;
  const configured = host.configuration.find(route.roleSetting)?.value;
  if (configured === 'anonymous' || isRole(configured)) return configured;
  return route.role;
}
