import { inject, injectable, multiInject, optional, type ServiceIdentifier } from 'inversify';
import {
  AgentRuntimePort,
  ArtifactStorePort,
  ClockPort,
  ConnectorContribution,
  JobHandlerContribution,
  LoggerPort,
  PolicyPort,
} from '@countersign/core/plugin';
import { StoragePort } from '@countersign/core/ports';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from './engine-options.js';

export const EngineOptionsToken: ServiceIdentifier<EngineOptions> = Symbol.for('@countersign/engine:EngineOptions');

/** Everything that an engine uses from the host. The plugin of an engine binds this class to itself. */
@injectable()
export class EngineDependencies {
  constructor(
    @inject(StoragePort) readonly storage: StoragePort,
    @inject(PolicyPort) readonly policy: PolicyPort,
    @inject(ClockPort) readonly clock: ClockPort,
    @inject(LoggerPort) readonly log: LoggerPort,
    @inject(ArtifactStorePort) readonly artifacts: ArtifactStorePort,
    @multiInject(JobHandlerContribution) @optional() readonly handlers: JobHandlerContribution[] = [],
    @multiInject(ConnectorContribution) @optional() readonly connectors: ConnectorContribution[] = [],
    @inject(AgentRuntimePort) @optional() readonly agents: AgentRuntimePort | undefined = undefined,
    @inject(EngineOptionsToken) @optional() readonly options: EngineOptions = DEFAULT_ENGINE_OPTIONS,
  ) {}
}
