import 'reflect-metadata';
import { Container } from 'inversify';
import { ConnectorJobHandler } from '../application/connector-job-handler.js';
import { ConnectorContribution } from '../contributions/connector.js';
import { JobHandlerContribution } from '../contributions/job-handler.js';
import type { Implementation } from './define-plugin.js';
import type { Registrations } from './registrations.js';

/**
 * Builds the container of a host. Each class has one instance, even if it implements several ports and contributions.
 */
export function buildContainer(registrations: Registrations): Container {
  const container = new Container({ defaultScope: 'Singleton', autobind: true });
  for (const [token, { implementation, value }] of registrations.bindings) {
    if (implementation === undefined) {
      container.bind(token).toConstantValue(value);
    } else {
      bindSelf(implementation);
      if (token !== implementation) container.bind(token).toService(implementation);
    }
  }
  for (const [point, contributions] of registrations.contributions) {
    for (const { implementation } of contributions) {
      bindSelf(implementation);
      container.bind(point).toService(implementation);
      if (point === ConnectorContribution) bindConnectorJobs(implementation as Implementation<ConnectorContribution>);
    }
  }
  return container;

  /** Registers a connector as a job handler too, because engines only use job handlers. */
  function bindConnectorJobs(connector: Implementation<ConnectorContribution>): void {
    container
      .bind(JobHandlerContribution)
      .toResolvedValue((contribution: ConnectorContribution) => new ConnectorJobHandler(contribution), [connector])
      .inSingletonScope();
  }

  function bindSelf(implementation: new (...args: never[]) => unknown): void {
    if (!container.isBound(implementation)) container.bind(implementation).toSelf().inSingletonScope();
  }
}
